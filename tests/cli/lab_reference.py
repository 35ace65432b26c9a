#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab_reference.py RESULT.json [counted]: compares the rows of `heddle lab NAME --json` with closed forms;
prints a line for each that differs. With `counted` the counts of the checking engine have to be there."""
import json
import math
import sys

result = json.load(open(sys.argv[1]))
counted = sys.argv[2:] == ["counted"]
warp = result["warp"]


def coalescing(row):
    """Sectors and lines per request, and the bytes that its lanes use."""
    kind, _, number = row["case"].partition(" ")
    e = row["bytes"]
    used = warp * e
    if kind == "stride":
        # A step of less than a piece leaves none out; a larger one has a piece for each lane.
        step = int(number) * e
        return [warp if step >= p else (warp - 1) * step // p + 1 for p in (32, 64, 128)], used
    if kind == "offset":
        first = int(number) * e
        return [(first + used - 1) // p - first // p + 1 for p in (32, 64, 128)], used
    if kind == "permuted":
        return [used // p for p in (32, 64, 128)], used
    if kind == "same":
        return [1, 1, 1], e
    return None, None  # drawn by a hash: at most one piece per lane


def near(a, b):
    return a is not None and abs(a - b) <= 1e-5 * abs(b)


def check_coalescing(row):
    pieces, used = coalescing(row)
    keys = ("predicted_sectors", "predicted_lines_64", "predicted_lines")
    if pieces is None:
        if not 1 < row["predicted_lines"] <= row["predicted_lines_64"] <= row["predicted_sectors"] <= warp:
            yield "pieces"
    else:
        yield from (k for k, p in zip(keys, pieces) if not near(row[k], p))
        if not near(row["sector_use"], used / (32 * pieces[0])) or not near(row["line_use"], used / (128 * pieces[2])):
            yield "use"
    if counted and not (near(row["counted_sectors"], row["predicted_sectors"]) and
                        near(row["counted_lines"], row["predicted_lines"])):
        yield "counted"
    if not counted and not row["counted_sectors"] is row["counted_lines"] is None:
        yield "counted without the checker"


def check_banks(row):
    """Lanes are served in groups that read 128 bytes. In a group, lanes a step of s elements apart repeat
    their banks after (lanes / gcd(s, lanes)) of them."""
    kind, _, number = row["case"].partition(" ")
    lanes = 128 // row["bytes"]
    step = {"stride": int(number or 0), "column": 32}.get(kind, 1)
    degree = math.gcd(step, lanes)
    if row["predicted_degree"] != degree or row["predicted_passes"] != degree * warp // lanes:
        yield "degree"
    if counted and (row["counted_degree"], row["counted_passes"]) != (degree, degree * warp // lanes):
        yield "counted"
    if not counted and not row["counted_passes"] is row["counted_degree"] is None:
        yield "counted without the checker"


def check_divergence(row):
    """A branch by lane is uniform only for none or all of the lanes; one by warp always is."""
    active = math.ceil(row["fraction"] * warp)
    paths = 2 if row["case"] == "by lane" and 0 < active < warp else 1
    if row["predicted_paths"] != paths or row["predicted_lanes"] != warp / paths:
        yield "paths"
    if counted and (row["counted_paths"], row["counted_lanes"]) != (paths, warp / paths):
        yield "counted"
    if not counted and not row["counted_paths"] is row["counted_lanes"] is None:
        yield "counted without the checker"


def check_layout(row):
    """All bytes of a warp's requests, enumerated."""
    members, used = row["members"], row["used"]
    base = 1 << 20  # arrays begin at multiples of this
    words = [[4 * (m * base + t if row["case"] == "arrays" else t * members + m) for t in range(warp)]
             for m in range(used)]
    sectors = sum(len({a // 32 for a in request}) for request in words)
    lines = sum(len({a // 128 for a in request}) for request in words)
    distinct = len({a // 32 for request in words for a in request})
    for key, value in (("sectors", sectors), ("lines", lines)):
        if not near(row["predicted_" + key], value / used):
            yield key
        if counted and not near(row["counted_" + key], value / used):
            yield "counted"
    if not near(row["distinct_use"], 4 * warp * used / (32 * distinct)):
        yield "distinct"
    if not counted and not row["counted_sectors"] is row["counted_lines"] is None:
        yield "counted without the checker"


def check_branches(row):
    """The paths of each warp, enumerated: elements are the upper bits of a product; a partition keeps the order."""
    n, width = result["threads"], row["width"]
    if width is None:
        values = [(i * 2654435761 % 2**32 >> 8) % parts for i in range(n)]
        below = round(row["fraction"] * n)
        limit = sorted(values)[below] if below < n else parts
        first = [value < limit for value in values]
        if row["case"] == "partitioned":
            first.sort(reverse=True)
    else:
        rows = n // width
        first = [0 < i % width < width - 1 and 0 < i // width < rows - 1 for i in range(n)]
    inside = sum(first)
    warps = [set(first[i:i + warp]) for i in range(0, n, warp)]
    if row["case"] == "two-kernels":
        warps = [{True}] * -(-inside // warp) + [{False}] * -(-(n - inside) // warp)
    paths = sum(len(taken) for taken in warps)
    if (row["predicted_warps"], row["predicted_paths"]) != (len(warps), paths) or not near(row["fraction"], inside / n):
        yield "paths"
    if counted and (row["counted_paths"] != paths or not near(row["counted_lanes"], n / paths)):
        yield "counted"
    if not counted and not row["counted_paths"] is row["counted_lanes"] is None:
        yield "counted without the checker"


fractions = sum(row["case"] == "elements" for row in result["rows"])
parts = fractions - 1
checks = {"lab branches": check_branches, "lab coalescing": check_coalescing, "lab banks": check_banks, "lab divergence": check_divergence,
          "lab layout": check_layout}
for row in result["rows"]:
    for what in checks[result["command"]](row):
        print(f"{row['case']}, {row.get('bytes')} bytes: {what}: {row}")
    if row["verdict"] != ("equal" if counted else None):
        print(f"{row['case']}: verdict {row['verdict']}")
if result["counted"] != counted or result["verified"] != (True if counted else "skipped"):
    print(f"counted {result['counted']}, verified {result['verified']}")
