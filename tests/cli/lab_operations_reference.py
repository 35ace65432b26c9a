#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab_operations_reference.py RESULT.json [counted]: compares the rows of those experiments of the laboratory
that verify results with closed forms; prints a line for each row that differs. With `counted` the counts of
the checking engine have to be there."""
import json
import math
import sys
from fractions import Fraction

result = json.load(open(sys.argv[1]))
counted = sys.argv[2:] == ["counted"]
warp = result["warp"]
rows = result["rows"]


def check_latency(row):
    """A cycle visits each of its elements, one per 128 bytes, once; every lane adds 1 in every step."""
    expected = {"chase": lambda: row["bytes"] // 128,
                "atomic, one word": lambda: warp * result["steps"],
                "atomic, word per lane": lambda: warp * result["steps"],
                "shared, one word": lambda: warp * result["steps"],
                "shared, word per lane": lambda: warp * result["steps"]}.get(row["case"], lambda: 100)()
    if row["predicted_operations"] != expected:
        yield "predicted"
    if row["counted_operations"] != expected:
        yield "counted"
    if row["case"] == "chase" and (row["level"] == "L1") != (row["bytes"] <= 8192):
        yield "level"
    if row["seconds"] is not None or row["cycles"] is not None:
        yield "a time on the CPU"


def check_constants(row):
    """One pass per distinct word, or per line of 128 bytes; the checking engine sees no parameters."""
    n = row["distinct"]
    passes = -(-n // 32) if row["case"] == "read-only" else n
    if row["predicted_passes"] != passes or n not in (1, 2, 4, 8, 16, 32, 64) or n > warp:
        yield "passes"
    seen = (n, passes) if counted and row["case"] != "parameter" else (None, None)
    if (row["counted_words"], row["counted_passes"]) != seen:
        yield "counted"


INTEGERS = {"u32", "i32", "u64", "i64"}
TYPES_OF = {**{op: INTEGERS | {"f32", "f64"} for op in ("add", "sub", "min", "max", "exch", "cas")},
            **{op: INTEGERS for op in ("and", "or", "xor")}, "inc": {"u32"}, "dec": {"u32"}}


def check_contention(row):
    """One word of the grid, of a block, or of a thread; every result as arithmetic on the host says."""
    block = 192
    threads = result["blocks"] * block
    sharing = 1 if row["words"] == "per thread" else \
        block if row["place"] == "shared" or row["scope"] == "block" else threads
    if row["type"] not in TYPES_OF[row["case"]]:
        yield "type"
    if row["operations"] != threads * result["turns"] or row["on_one_word"] != sharing * result["turns"]:
        yield "operations"
    if row["exact"] is not True:
        yield "not exact"
    if row["seconds"] is not None or row["ratio"] is not None:
        yield "a time on the CPU"


def check_residency(row):
    """Powers of two of warps; 16 bytes per thread in flight, and each word read once."""
    if row["threads"] % warp or bin(row["threads"] // warp).count("1") != 1 or row["threads"] > 512:
        yield "threads"
    if row["in_flight"] != 16 * row["threads"] * result["units"]:
        yield "in flight"
    if (row["predicted_words"], row["counted_words"]) != (result["size"] // 4,) * 2:
        yield "words"
    if row["seconds"] is not None:
        yield "a time on the CPU"


def check_aspect(row):
    """Sectors enumerated from the addresses of a warp and of a block."""
    width, height, pitch = row["width"], row["height"], 1 << 12
    cells = [(t % width, t // width) for t in range(256)]
    steps = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))

    def sectors(of, dx, dy):
        return {((y + dy + 1) * pitch + (x + dx + 32)) // 8 for x, y in of}

    per_warp = sum(len(sectors(cells[:warp], *step)) for step in steps)
    per_block = len(set().union(*(sectors(cells, *step) for step in steps)))
    if width * height != 256 or (row["predicted_sectors"], row["block_sectors"]) != (per_warp, per_block):
        yield f"sectors, enumerated {per_warp} and {per_block}"
    if row["counted_sectors"] != (per_warp if counted else None):
        yield "counted"
    if row["exact"] is not True or row["seconds"] is not None:
        yield "exact, or a time on the CPU"


def rounded(value, bits):
    """The nearest number with so many bits; ties to even."""
    scale = Fraction(2) ** (bits - 1 - math.floor(math.log2(value)))
    return Fraction(round(value * scale)) / scale


def check_precision(row):
    """The largest relative error of the recurrence in exact arithmetic, up to 128 steps."""
    bits = 24 if row["case"] == "f32" else 53
    unit, turns, largest = Fraction(1, 2 ** bits), row["turns"], 0
    if abs(row["error_bound"] - float(turns * (1 + turns * unit))) > 1e-5 * turns or row["error"] > row["error_bound"]:
        yield "bound"
    for i in range(result["n"] if turns <= 128 else 0):
        x = 1 + Fraction((i * 2654435761 % 2 ** 32) >> 9, 2 ** 23)
        v = exact = Fraction(0)
        for _ in range(turns):
            exact = Fraction(1023, 1024) * exact + x
            v = rounded(Fraction(1023, 1024) * v + x, bits)
        largest = max(largest, abs(v - exact) / exact / unit)
    if turns <= 128 and abs(row["error"] - float(largest)) > (1e-5 if bits == 24 else 2e-2) * float(largest):
        yield f"error, exactly {float(largest)}"
    if row["flops_per_byte"] != turns * (0.25 if bits == 24 else 0.125):
        yield "flops per byte"


def check_energy(row):
    """Copies read and write; two blocks of 64 threads do two operations for each of 16 steps of 8 chains."""
    at, size = rows.index(row), {"f32": 4, "f64": 8}.get(row["type"])
    if (row["case"], row["type"]) != [("idle", None), ("copy", "f32"), ("copy", "f64"), ("multiply-add", "f32"),
                                      ("multiply-add", "f64")][at]:
        yield "case"
    moved = 2 * size * result["n"] if row["case"] == "copy" else None
    if (row["predicted_bytes"], row["predicted_operations"]) != (moved, 2 * 2 * 64 * 16 * 8 if at > 2 else None):
        yield "bytes or operations"
    if row["exact"] is not (True if at else None):
        yield "results"
    if any(row[k] is not None for k in ("seconds", "watts", "joules", "gflop_per_joule", "gb_per_joule", "most_watts")):
        yield "energy on the CPU"


if result["command"] == "lab contention":
    keys = [tuple(r[k] for k in ("case", "type", "scope", "place", "words")) for r in rows]
    if len(set(keys)) != len(keys):
        print("a row occurs twice")
checks = {"lab aspect": (check_aspect, True), "lab residency": (check_residency, True), "lab precision": (check_precision, True), "lab contention": (check_contention, True), "lab latency": (check_latency, True), "lab constants": (check_constants, False), "lab energy": (check_energy, True)}
check, own = checks[result["command"]]
judged = own or counted
for r in rows:
    for what in check(r):
        print(f"{r['case']}: {what}: {r}")
    if r["verdict"] != ("equal" if judged and r["case"] not in ("parameter", "idle") else None):
        print(f"{r['case']}: verdict {r['verdict']}")
if result["counted"] != judged or result["verified"] != (True if judged else "skipped"):
    print(f"counted {result['counted']}, verified {result['verified']}")
