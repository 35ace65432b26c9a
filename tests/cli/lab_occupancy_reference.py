#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab_occupancy_reference.py RESULT.json: the resident blocks of `heddle lab occupancy --json` against a compute unit
into which blocks are put one after the other until one does not fit; prints a line for each row that differs."""
import json
import sys

result = json.load(open(sys.argv[1], encoding="utf-8"))
# Warp, warp slots of a partition, blocks, registers of a partition, of which a warp gets multiples; shared memory, of
# which a block gets multiples, and the system's part of it. The registers are those of all lanes.
UNITS = {
    "h100": (32, 16, 32, 16384, 256, 228 * 1024, 128, 1024),
    "mi210": (64, 8, 32, 32768, 512, 64 * 1024, 512, 0),
}
UNITS["h200"] = UNITS["h100-pcie"] = UNITS["h100"]
UNITS["mi250x"] = UNITS["mi300x"] = UNITS["mi210"]
warp, slots, most_blocks, registers, register_step, shared, shared_step, own = UNITS[result["device_model"]]


def up(value, step):
    return -(-value // step) * step


class Unit:
    def __init__(self):
        self.slots = [slots] * 4
        self.registers = [registers] * 4
        self.shared = shared
        self.blocks = most_blocks

    def put(self, threads, per_thread, bytes_of_block):
        """Warps go to the partition with the most free slots. Whether the block fits."""
        need = up(per_thread * warp, register_step)
        self.shared -= up(bytes_of_block + own, shared_step)
        self.blocks -= 1
        for _ in range(-(-threads // warp)):
            free = [p for p in range(4) if self.slots[p] and self.registers[p] >= need]
            if not free:
                return False
            p = max(free, key=lambda i: self.slots[i])
            self.slots[p] -= 1
            self.registers[p] -= need
        return self.shared >= 0 and self.blocks >= 0


def resident(threads, per_thread, bytes_of_block):
    unit, blocks = Unit(), 0
    while threads <= 1024 and unit.put(threads, per_thread, bytes_of_block):
        blocks += 1
    return blocks


def share(threads, blocks):
    return blocks * -(-threads // warp) / (4 * slots)


if (result["unit_warps"], result["unit_registers"]) != (4 * slots, 4 * registers):
    print("the unit", result)
for row in result["rows"]:
    need = (row["registers"] or 0, row["shared_bytes"])
    blocks = resident(row["threads"], *need)
    if row["predicted_blocks"] != blocks or abs(row["occupancy"] - share(row["threads"], blocks)) > 1e-5:
        print(f"{row['case']}: {blocks} blocks: {row}")
    for threads in (64, 128, 256, 512, 1024):
        expected = share(threads, resident(threads, *need))
        if abs(row[f"occupancy_{threads}"] - expected) > 1e-5:
            print(f"{row['case']}: {threads} threads: {expected}: {row}")
    verdict = None if row["blocks"] is None else "equal" if row["blocks"] == blocks else "differs"
    if row["verdict"] != verdict:
        print(f"{row['case']}: verdict {row['verdict']}")
