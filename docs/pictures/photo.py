#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# photo.py PHOTO.png MASK.png - draws the scratched photo of docs/laplace.md and its mask: woven
# threads under a lamp, with scratches and a caption. Needs nothing but Python.
import math
import struct
import sys
import zlib

WIDTH, HEIGHT = 400, 200
LETTERS = {"H": "101101111101101", "E": "111100111100111", "D": "110101101101110", "L": "100100100100111"}


def write_png(path, kind, channels, pixel):
    rows = b"".join(b"\0" + bytes(c for x in range(WIDTH) for c in pixel(x, y)) for y in range(HEIGHT))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, data in ((b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, kind, 0, 0, 0)),
                           (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + name + data
                       + struct.pack(">I", zlib.crc32(name + data)))


def weave(x, y):
    """Threads 40 pixels wide, each a cylinder that passes over and under the others in turn."""
    column, row = x // 40, y // 40
    over = (column + row) % 2
    u, v = (x % 40 - 19.5) / 20, (y % 40 - 19.5) / 20
    across, along = (u, v) if over else (v, u)
    light = math.sqrt(1 - across * across) * (0.72 + 0.28 * math.cos(along * math.pi / 2))
    light *= 1.1 - 0.5 * math.hypot((x - 120) / WIDTH, (y - 60) / HEIGHT)
    colour = (224, 150, 70) if over else (70, 120, 180)
    return tuple(min(255, int(c * light) + 12) for c in colour)


def is_damaged(x, y):
    for slope, start in ((0.31, 8), (-0.42, 178), (0.12, 96), (1.9, -330)):
        if abs(y - (start + slope * x + 4 * math.sin(x / 23))) < 1.4 * math.hypot(1, slope):
            return True
    column, row = (x - 236) // 5, (y - 150) // 5
    letter, inside = divmod(column, 4)
    return (0 <= letter < 6 and inside < 3 and 0 <= row < 5
            and LETTERS["HEDDLE"[letter]][row * 3 + inside] == "1")


write_png(sys.argv[1], 2, 3, lambda x, y: (255, 255, 255) if is_damaged(x, y) else weave(x, y))
write_png(sys.argv[2], 0, 1, lambda x, y: (255,) if is_damaged(x, y) else (0,))
