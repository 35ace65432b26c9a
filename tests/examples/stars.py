# SPDX-License-Identifier: Apache-2.0
"""stars.py - prints what docs/examples/port must print, computed one pixel after the other."""
import struct

WIDTH, HEIGHT, FRAMES, STARS, BLOCK = 200, 120, 4, 12, 256
N = WIDTH * HEIGHT


def f32(x):
    """x rounded to float: sums and products of two floats are rounded once, as in C."""
    return struct.unpack("f", struct.pack("f", x))[0]


def draw(seed):
    return (seed * 1664525 + 1013904223) & 0xFFFFFFFF


def expose(frame):
    seed, pixels = 12345 + frame, []
    for _ in range(N):
        seed = draw(seed)
        pixels.append(f32(12.0 + (seed >> 20) / 256))
    seed = 99
    for _ in range(STARS):
        seed = draw(seed)
        x, y = (seed >> 8) % (WIDTH - 40) + 4 + 2 * frame, (seed >> 20) % (HEIGHT - 8) + 4
        for dy in range(-3, 4):
            for dx in range(-3, 4):
                i = (y + dy) * WIDTH + x + dx
                pixels[i] = f32(pixels[i] + f32(150.0 / (1 + dx * dx + dy * dy)))
    return pixels


def smooth(p):
    own, other, result = f32(0.6), f32(0.1), []
    for y in range(HEIGHT):
        for x in range(WIDTH):
            up, down = p[max(y - 1, 0) * WIDTH + x], p[min(y + 1, HEIGHT - 1) * WIDTH + x]
            left, right = p[y * WIDTH + max(x - 1, 0)], p[y * WIDTH + min(x + 1, WIDTH - 1)]
            around = f32(f32(f32(up + down) + left) + right)
            result.append(f32(f32(own * p[y * WIDTH + x]) + f32(other * around)))
    return result


def threshold(x):
    bins, below = [0] * 256, 0
    for v in x:
        bins[min(max(int(v), 0), 255)] += 1
    for b, count in enumerate(bins):
        below += count
        if below >= N - N // 100:
            return float(b + 1)
    return 256.0


def block_sum(values):
    s, stride = values + [0.0] * (BLOCK - len(values)), BLOCK // 2
    while stride:
        s = [f32(s[t] + s[t + stride]) for t in range(stride)]
        stride //= 2
    return s[0]


for frame in range(FRAMES):
    image = smooth(expose(frame))
    level = threshold(image)
    found = [i for i in range(N) if image[i] >= level]
    above = [f32(v - level) if v >= level else 0.0 for v in image]
    total = block_sum([block_sum(above[i : i + BLOCK]) for i in range(0, N, BLOCK)])
    code = 0
    for i in found:
        code = (code * 31 + i) & 0xFFFFFFFF
    print(f"frame {frame}: {len(found)} pixels, hash {code:08x}, flux {total:.3f}")
