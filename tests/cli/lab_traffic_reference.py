#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab_traffic_reference.py RESULT.json [counted]: compares the rows of the experiments on what is moved, and why
(`heddle lab workingset, restrict, recompute, indices, managed, hostmemory --json`), with closed forms; prints a line
for each that differs. With `counted` the checking engine has counted memory requests."""
import json
import sys

result = json.load(open(sys.argv[1], encoding="utf-8"))
counted = sys.argv[2:] == ["counted"]
rows = result["rows"]
# GFLOP/s and GB/s of the devices with which the test runs, from their data sheets.
PEAKS = {"h200": (66900, 4800), "mi210": (22600, 1638)}


def near(a, b):
    return a is not None and abs(a - b) <= 1e-5 * abs(b)


def check_workingset(row):
    """Two blocks of 256 threads with 64 loads of 16 bytes."""
    size = 2 ** (14 + rows.index(row))
    moved = 2 * 256 * 64 * 16
    name = f"{size >> 20}M" if size >= 1 << 20 else f"{size >> 10}K"
    if (row["case"], row["bytes"]) != (name, size):
        yield f"set {name}"
    if (row["predicted_words"], row["counted_words"], row["predicted_sectors"]) != (moved // 4, moved // 4, moved // 32):
        yield "words or sectors"
    if row["counted_sectors"] != (moved // 32 if counted else None):
        yield "counted"


def check_restrict(row):
    """16 stores; the element is loaded before each, or once."""
    loads = 16 if row["case"] == "off" else 1
    if (row["predicted_loads"], row["predicted_stores"], row["exact"]) != (loads, 16, True):
        yield "loads"
    if (row["counted_loads"], row["counted_stores"]) != ((loads, 16) if counted else (None, None)):
        yield "counted"


def check_recompute(row):
    """Two or three arrays of 4 bytes; a multiplication, and two operations per step."""
    steps = row["steps"] or 0
    size, flops = (8, 2 * steps + 1) if steps else (12, 1)
    if (row["case"] == "fetch") == bool(steps) or (row["predicted_bytes"], row["predicted_operations"]) != (size, flops):
        yield "bytes or operations"
    if row["counted_operations"] != flops or row["counted_bytes"] != (size if counted else None):
        yield "counted"
    ratio = None
    if result["device_model"]:
        peak, bandwidth = PEAKS[result["device_model"]]
        ratio = max(size / bandwidth, flops / peak) / (12 / bandwidth)
        if not near(result["break_even_steps"], (12 * peak / bandwidth - 1) / 2):
            yield "break-even"
    if row["predicted_ratio"] != ratio and not near(row["predicted_ratio"], ratio):
        yield f"ratio {ratio}"


def check_indices(row):
    least = {"add": (2, 4), "multiply": (1, 2), "divide": (None, None)}[row["case"]][row["bits"] // 64]
    if row["predicted_instructions"] != least or row["counted_results"] != 256:
        yield "instructions or results"
    if row["counted_stores"] != (256 // result["warp"] if counted else None):
        yield "counted"


def check_managed(row):
    """A turn that is not timed, and both sides in each turn."""
    alone = row["case"] == "device-alone"
    touches = (result["turns"] + 1) * (1 if alone else 2)
    if (row["predicted_touches"], row["counted_touches"], row["exact"]) != (touches, touches, True):
        yield f"touches {touches}"
    if row["predicted_bytes"] != (0 if alone else 2 * result["size"]):
        yield "bytes"


def check_hostmemory(row):
    words = result["size"] // 4
    if (row["predicted_words"], row["counted_words"]) != (words, words):
        yield "words"
    if row["staged"] != (row["case"] in ("mlocked", "plain")):
        yield "staged"


check = globals()["check_" + result["command"].split()[1]]
for r in rows:
    for what in check(r):
        print(f"{r['case']}: {what}: {r}")
    if r["verdict"] != "equal" or r["seconds"] is not None:
        print(f"{r['case']}: verdict {r['verdict']}, or a time on the CPU")
if result["counted"] is not True or result["verified"] is not True:
    print(f"counted {result['counted']}, verified {result['verified']}")
