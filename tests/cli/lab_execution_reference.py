#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab_execution_reference.py RESULT.json [counted]: compares the rows of the experiments on execution
(`heddle lab ilp, intensity, registers --json`) with closed forms; prints a line for each that differs. With
`counted` the checking engine has counted memory requests."""
import json
import sys
from fractions import Fraction

result = json.load(open(sys.argv[1], encoding="utf-8"))
requests = sys.argv[2:] == ["counted"]
# GFLOP/s and GB/s of the devices with which the test runs, from their data sheets.
PEAKS = {"h200": (66900, 4800), "mi300x": (163400, 5300), None: None}
peak = PEAKS[result["device_model"]]


def near(a, b):
    return abs(a - b) <= 5e-6 * abs(b)  # six digits


def check_ilp(row):
    operations = 192 * result["turns"] * row["threads"] * result["blocks"]
    if not (near(row["predicted_operations"], operations) and near(row["counted_operations"], operations)):
        yield "operations"
    if not row["predicted_independent"] == row["counted_independent"] == row["case"] * row["threads"]:
        yield "independent"


def check_intensity(row):
    """16 bytes per vector; f32 operations up to the lower of both ceilings, 15 % more at most, half at least."""
    intensity = float(Fraction(row["case"]))
    if not near(row["intensity"], intensity) or row["counted_operations"] != row["predicted_operations"] or \
            row["predicted_operations"] != 16 * intensity:
        yield "operations"
    if row["predicted_bytes"] != 16 or row["counted_bytes"] != (16 if requests else None):
        yield "bytes"
    if peak is None:
        if row["least_gflops"] is not None or row["most_gflops"] is not None:
            yield "a band without a device"
        return
    roof = min(peak[0], intensity * peak[1])
    if not near(row["most_gflops"], 1.15 * roof) or not near(row["least_gflops"], 0.5 * roof):
        yield "band"


def check_registers(row):
    local = {"registers": 0, "local": 4 * row["values"], "spill": None}[row["case"]]
    if row["predicted_local"] != local or \
            row["predicted_registers"] != (row["values"] if row["case"] == "registers" else None):
        yield "predicted"
    operations = 128 * result["turns"] * 256 * result["blocks"]
    if row["predicted_operations"] != operations or row["counted_operations"] != operations:
        yield "operations"
    if row["registers"] is not None or row["resident"] is not None:
        yield "reported on the CPU"


def check_roofline(row):
    """Operations and bytes per element of the arrays, f32; the matrix has 1/16 as many rows, 3 entries each."""
    n = result["elements"]
    rows = n // 16 / n
    flops, moved = {"sum": (1, 4), "dot product": (2, 8), "scan": (1, 8), "recurrence": (2, 12),
                    "sparse matrix * vector": (2 * 3 * rows, (8 * 3 + 12) * rows), "tridiagonal systems": (8, 20),
                    "Jacobi sweep": (4, 8), "8 Jacobi sweeps": (32, 8), "64 steps of heat problems": (320, 8),
                    }[row["case"]]
    if not (near(row["flops"], flops * n) and near(row["bytes"], moved * n) and
            near(row["intensity"], flops / moved)):
        yield "operations or bytes"
    if row["roof_gflops"] is not None if peak is None else \
            not near(row["roof_gflops"], min(peak[0], flops / moved * peak[1])):
        yield "roof"


checks = {"lab roofline": check_roofline, "lab ilp": check_ilp, "lab intensity": check_intensity, "lab registers": check_registers}
for row in result["rows"]:
    for what in checks[result["command"]](row):
        print(f"{row['case']}: {what}: {row}")
    if row["verdict"] != "equal" or row["seconds"] is not None:
        print(f"{row['case']}: verdict {row['verdict']}, seconds {row['seconds']}")
if result["counted"] is not True or result["verified"] is not True:
    print(f"counted {result['counted']}, verified {result['verified']}")
if "ridge" in result and peak and not near(result["ridge"], peak[0] / peak[1]):
    print(f"ridge {result['ridge']}")
