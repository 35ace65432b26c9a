#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab_table.py PAGE.md TABLE.csv: compares the table of docs/lab-references.md with what `heddle lab
references --csv` prints; prints a line for each cell that differs."""
import csv
import sys


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


lines = [line for line in open(sys.argv[1], encoding="utf-8") if line.startswith("|")]
heading = [name.replace("-", "_") for name in cells(lines[0])]
page = [dict(zip(heading, cells(line))) for line in lines[2:]]
table = list(csv.DictReader(open(sys.argv[2], encoding="utf-8")))
devices = [name for name in table[0] if name not in ("quantity", "unit", "sources", "meaning")]
if [row["quantity"].strip("`") for row in page] != [row["quantity"] for row in table] or heading[2:-1] != devices:
    print("quantities or devices differ")
for told, row in zip(page, table):
    for device, source in zip(devices, row["sources"]):
        number, _, letter = told[device].partition(" ")
        same = not row[device] and source == "-" if not number else \
            row[device] and float(number) == float(row[device]) and letter == source
        if not same:
            print(f"{row['quantity']}, {device}: page {told[device]!r}, tool {row[device]!r} {source}")
    if told["unit"] != row["unit"] or told["meaning"] != row["meaning"]:
        print(f"{row['quantity']}: unit or meaning")
