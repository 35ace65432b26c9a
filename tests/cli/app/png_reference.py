# SPDX-License-Identifier: Apache-2.0
# png_reference.py TOOL - compares what the tool reads from and writes to PNG files with an encoder and
# a decoder of its own, written by the PNG specification (W3C, third edition) on top of zlib. Works in
# the current folder; prints what differs.
import random
import struct
import subprocess
import sys
import zlib

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
DEPTHS = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16),
          RGBA: (8, 16)}
MAGIC = b"\x89PNG\r\n\x1a\n"
# Adam7: first column and row of a pass, steps between its columns and rows.
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


class Picture:
    """samples[y][x] is a tuple of channels; chunks are (name, bytes) in the order of the file."""

    def __init__(self, width, height, kind, depth, samples, palette=b"", before=(), between=(), after=()):
        self.width, self.height, self.kind, self.depth = width, height, kind, depth
        self.samples, self.palette = samples, palette
        self.before, self.between, self.after = list(before), list(between), list(after)

    def same(self, other):
        return all(getattr(self, a) == getattr(other, a) for a in vars(self))

    def transposed(self):
        samples = [[self.samples[y][x] for y in range(self.height)] for x in range(self.width)]
        return Picture(self.height, self.width, self.kind, self.depth, samples, self.palette, self.before,
                       [swapped(c) for c in self.between], self.after)


def swapped(chunk):
    name, data = chunk
    if name in (b"pHYs", b"oFFs"):
        return name, data[4:8] + data[:4] + data[8:]
    if name == b"sCAL":
        x, y = data[1:].split(b"\0")
        return name, data[:1] + y + b"\0" + x
    return chunk


def chunk_bytes(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


# ---- encoder

def pack_row(row, depth):
    values = [v for pixel in row for v in pixel]
    if depth == 16:
        return b"".join(struct.pack(">H", v) for v in values)
    bits = "".join(format(v, "0%db" % depth) for v in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def paeth(a, b, c):
    return min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]


def predicted(kind, a, b, c):
    return (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]


def filter_row(kind, row, above, step):
    out = bytearray([kind])
    for i, value in enumerate(row):
        a = row[i - step] if i >= step else 0
        c = above[i - step] if i >= step else 0
        out.append((value - predicted(kind, a, above[i], c)) & 255)
    return bytes(out)


def encode(p, interlaced, pieces=1):
    step = max(1, CHANNELS[p.kind] * p.depth // 8)
    raw = b""
    for x0, y0, dx, dy in PASSES if interlaced else [(0, 0, 1, 1)]:
        rows = [[p.samples[y][x] for x in range(x0, p.width, dx)] for y in range(y0, p.height, dy)]
        above = None
        for row in rows if x0 < p.width else []:
            packed = pack_row(row, p.depth)
            raw += filter_row(random.randrange(5), packed, above or bytes(len(packed)), step)
            above = packed
    data = zlib.compress(raw, 9)
    cut = len(data) // pieces + 1
    out = MAGIC + chunk_bytes(b"IHDR", struct.pack(">IIBBBBB", p.width, p.height, p.depth, p.kind, 0, 0,
                                                   interlaced))
    for name, body in p.before:
        out += chunk_bytes(name, body)
    if p.palette:
        out += chunk_bytes(b"PLTE", p.palette)
    for name, body in p.between:
        out += chunk_bytes(name, body)
    for i in range(0, len(data), cut):
        out += chunk_bytes(b"IDAT", data[i:i + cut])
    for name, body in p.after:
        out += chunk_bytes(name, body)
    return out + chunk_bytes(b"IEND", b"")


# ---- decoder

BEFORE_PALETTE = (b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"cLLI")


def unpack_row(row, count, depth):
    if depth == 16:
        return [v for (v,) in struct.iter_unpack(">H", row)]
    bits = "".join(format(b, "08b") for b in row)
    return [int(bits[i * depth:(i + 1) * depth], 2) for i in range(count)]


def decode(data):
    assert data[:8] == MAGIC
    at, packed, palette, lists, seen, header = 8, b"", b"", ([], [], []), set(), None
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + body)
        at += 12 + length
        if name == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif name == b"PLTE":
            palette = body
        elif name == b"IDAT":
            packed += body
        elif name == b"IEND":
            break
        else:
            if name in BEFORE_PALETTE:
                assert b"PLTE" not in seen and b"IDAT" not in seen, name
            lists[2 if b"IDAT" in seen else 0 if name in BEFORE_PALETTE else 1].append((name, body))
        seen.add(name)
    assert name == b"IEND" and at == len(data)
    width, height, depth, kind, compression, filtering, interlaced = header
    assert (compression, filtering, interlaced) == (0, 0, 0)
    channels = CHANNELS[kind]
    step, length = max(1, channels * depth // 8), (width * channels * depth + 7) // 8
    raw = zlib.decompress(packed)
    assert len(raw) == height * (length + 1)
    samples, above = [], bytes(length)
    for y in range(height):
        row = bytearray(raw[y * (length + 1) + 1:(y + 1) * (length + 1)])
        for i in range(length):
            a = row[i - step] if i >= step else 0
            c = above[i - step] if i >= step else 0
            row[i] = (row[i] + predicted(raw[y * (length + 1)], a, above[i], c)) & 255
        above = row
        values = unpack_row(bytes(row), width * channels, depth)
        samples.append([tuple(values[x * channels:(x + 1) * channels]) for x in range(width)])
    return Picture(width, height, kind, depth, samples, palette, *lists)


# ---- the tool

tool = sys.argv[1]


def run(*words):
    done = subprocess.run([tool, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def put(name, data):
    with open(name, "wb") as file:
        file.write(data)


def read_npy(name):
    with open(name, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<H", data[8:10])
    header = eval(data[10:10 + length])
    width = int(header["descr"][2:])
    return header["descr"], header["shape"], [v for (v,) in struct.iter_unpack("<" + "xBH"[width],
                                                                                data[10 + length:])]


def told(what, problem):
    print("%s: %s" % (what, problem))


def check_read(what, p, *options):
    """p is in `in.png`."""
    status, _, err = run("transpose", "in.png", "--out", "out.npy", *options)
    if status != 0:
        return told(what, err)
    descr, shape, values = read_npy("out.npy")
    t = p.transposed()
    expected = (t.height, t.width) + ((CHANNELS[p.kind],) if CHANNELS[p.kind] > 1 else ())
    if descr != ("<u2" if p.depth == 16 else "|u1") or shape != expected:
        told(what, "%s of shape %s" % (descr, shape))
    if values != [v for row in t.samples for pixel in row for v in pixel]:
        told(what, "other samples are read")


def check_written(what, expected, *options):
    status, _, err = run("transpose", "in.png", "--out", "out.png", *options)
    if status != 0:
        return told(what, err)
    with open("out.png", "rb") as file:
        found = decode(file.read())
    for name in vars(expected):
        if getattr(found, name) != getattr(expected, name):
            told(what, "%s is written as %s, not %s" % (name, getattr(found, name), getattr(expected, name)))


def make(width, height, kind, depth, **rest):
    palette = b""
    most = 1 << depth
    if kind == PALETTE:
        most = min(most, 200)
        palette = bytes(random.randrange(256) for _ in range(3 * most))
    samples = [[tuple(random.choice((0, most - 1, random.randrange(most))) for _ in range(CHANNELS[kind]))
                for _ in range(width)] for _ in range(height)]
    return Picture(width, height, kind, depth, samples, palette, **rest)


GAMMAS = [[], [(b"gAMA", struct.pack(">I", 100000))], [(b"gAMA", struct.pack(">I", 220000))],
          [(b"sRGB", b"\0"), (b"gAMA", struct.pack(">I", 45455))]]


def check_kinds():
    """Each kind, interlaced and not, with sizes around the edges of bytes and passes."""
    sizes = iter([(7, 5), (1, 1), (9, 3), (2, 8), (8, 8), (5, 2), (17, 3), (3, 1), (4, 9)] * 20)
    number = 0
    for kind in CHANNELS:
        for depth in DEPTHS[kind]:
            for interlaced in (0, 1):
                width, height = next(sizes)
                number += 1
                p = make(width, height, kind, depth, before=GAMMAS[number % len(GAMMAS)])
                what = "type %d, %d bits, %s, %d x %d" % (kind, depth, "interlaced" if interlaced else "plain",
                                                          width, height)
                put("in.png", encode(p, interlaced, pieces=1 + number % 3))
                check_read(what, p)
                check_written(what, p.transposed())


def alone(kind, depth):
    """What describes the picture, by kind: transparency, background and significant bits."""
    numbers = {GREY: 1, GREY_ALPHA: 1, RGB: 3, RGBA: 3}
    if kind == PALETTE:
        return [(b"hIST", struct.pack(">4H", 1, 2, 3, 4)), (b"tRNS", b"\x10\x80"), (b"bKGD", b"\2")]
    found = [(b"bKGD", struct.pack(">H", 1) * numbers[kind])]
    return found + ([(b"tRNS", struct.pack(">H", 0) * numbers[kind])] if kind in (GREY, RGB) else [])


def check_chunks():
    profile = b"name\0\0" + zlib.compress(b"no profile, but bytes")
    for kind, depth in ((GREY, 4), (GREY, 16), (RGB, 8), (PALETTE, 2), (GREY_ALPHA, 16), (RGBA, 8)):
        bits = bytes([3 if kind != GREY else 2]) * (3 if kind == PALETTE else CHANNELS[kind])
        before = [(b"cHRM", struct.pack(">8I", *range(30000, 38000, 1000))), (b"iCCP", profile),
                  (b"gAMA", struct.pack(">I", 55555)), (b"sBIT", bits), (b"cICP", b"\1\15\0\1")]
        between = alone(kind, depth) + [
            (b"pHYs", struct.pack(">IIB", 2000, 3000, 1)), (b"oFFs", struct.pack(">iiB", -5, 7, 0)),
            (b"sCAL", b"\1" + b"2.5\0" + b"10"), (b"tEXt", b"Title\0before"), (b"eXIf", b"MM\0*\0\0\0\10\0\0"),
            (b"quIz", b"may be copied"), (b"teSt", b"")]
        after = [(b"tEXt", b"Comment\0after"), (b"zTXt", b"Zip\0\0" + zlib.compress(b"text")),
                 (b"iTXt", b"K\0\0\0en\0\0text"), (b"tIME", struct.pack(">H5B", 2020, 1, 2, 3, 4, 5))]
        dropped = [(b"acTL", struct.pack(">II", 1, 0)), (b"sTER", b"\0"), (b"quIZ", b"must not be copied")]
        p = make(4, 3, kind, depth, before=before, between=between, after=after)
        put("in.png", encode(Picture(4, 3, kind, depth, p.samples, p.palette, before, between + dropped,
                                     after + [(b"dSIG", b"signed")]), 0))
        check_read("chunks of type %d" % kind, p)
        check_written("chunks of type %d" % kind, p.transposed())
        if CHANNELS[kind] == 1: # other rows make another picture
            check_written("--rows", Picture(3, 4, GREY, max(depth, 8), p.transposed().samples), "--rows", "3")


def check_colours():
    """Of palettes, with and without transparency."""
    for depth in DEPTHS[PALETTE]:
        for alpha in (b"", b"\0", b"\x10\x80"):
            between = [(b"tRNS", alpha)] if alpha else []
            p = make(5, 3, PALETTE, depth, before=[(b"gAMA", struct.pack(">I", 100000)), (b"sBIT", b"\3\4\5")],
                     between=between + [(b"bKGD", b"\1"), (b"pHYs", struct.pack(">IIB", 2, 3, 0))])
            kind = RGBA if alpha else RGB

            def colour(i):
                opaque = alpha[i] if i < len(alpha) else 255
                return tuple(p.palette[3 * i:3 * i + 3]) + ((opaque,) if alpha else ())
            c = Picture(5, 3, kind, 8, [[colour(i) for (i,) in row] for row in p.samples], b"",
                        [p.before[0], (b"sBIT", b"\3\4\5\10" if alpha else b"\3\4\5")],
                        [(b"bKGD", b"".join(b"\0" + p.palette[i:i + 1] for i in (3, 4, 5))), p.between[-1]])
            put("in.png", encode(p, depth & 1))
            check_read("colours of a palette", c, "--colours")
            t = c.transposed()
            status, _, err = run("transpose", "in.png", "--out", "out.png", "--colours")
            with open("out.png", "rb") as file:
                found = decode(file.read())
            for chunks in (found, t):
                chunks.before.sort()
                chunks.between.sort()
            if status != 0 or not found.same(t):
                told("colours of a palette", "%s %s" % (err, vars(found)))


def check_refused(what, data, why, *options):
    put("in.png", data)
    status, out, err = run("reduce", "in.png", *options)
    if status != 1 or out or err.count("\n") != 1 or why not in err:
        told(what, "status %d, %r, %r" % (status, out, err))


def check_damage():
    p = make(6, 5, RGB, 8, before=GAMMAS[1])
    whole = encode(p, 1, pieces=2)
    for length in range(8, len(whole), 3):
        check_refused("cut to %d bytes" % length, whole[:length], "in.png: ")
    check_refused("cut short", whole[:len(whole) // 2], "the picture is cut short")
    for at in range(8, len(whole) - 12, 7):
        check_refused("byte %d changed" % at, whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1:], "in.png: ")
    for width, height in ((0x7fffffff, 0x7fffffff), (0x7fffffff, 1), (1, 0x7fffffff), (100000, 100000)):
        for kind, depth in ((RGBA, 16), (GREY, 1), (PALETTE, 8)):
            q = make(1, 1, kind, depth)
            for interlaced in (0, 1):
                data = bytearray(encode(q, interlaced))
                data[16:24] = struct.pack(">II", width, height)
                data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
                check_refused("%d x %d" % (width, height), bytes(data), "the picture is cut short")
    for header in ((0, 1, 8, 0), (1, 0, 8, 0), (0x80000000, 1, 8, 0), (1, 1, 4, RGB), (1, 1, 16, PALETTE),
                   (1, 1, 3, GREY), (1, 1, 8, 5)):
        data = bytearray(encode(make(1, 1, GREY, 8), 0))
        data[16:26] = struct.pack(">IIBB", *header)
        data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
        check_refused("header %s" % (header,), bytes(data), "in.png: ")
    index = Picture(2, 1, PALETTE, 8, [[(1,), (7,)]], bytes(9))
    check_refused("an index beyond the palette", encode(index, 0),
                  "pixel (1, 0) has index 7, but the palette has 3 colours", "--colours")
    index.palette = b""
    check_refused("no palette", encode(index, 0), "in.png: ")


def check_fill():
    """A ramp is harmonic: what a mask cuts out of it comes back, at any depth; the rest stays."""
    width, height = 14, 11
    inside = [[3 < x < 10 and 2 < y < 8 for x in range(width)] for y in range(height)]
    masks = [Picture(width, height, GREY, 1, [[(int(i),) for i in row] for row in inside]),
             Picture(width, height, RGBA, 8, [[(0, 0, 9 * i, 255) for i in row] for row in inside]),
             Picture(width, height, PALETTE, 1, [[(int(not i),) for i in row] for row in inside],
                     bytes([0, 7, 0, 0, 0, 0]))]
    chunks = dict(before=[(b"gAMA", struct.pack(">I", 100000))], between=[(b"pHYs", struct.pack(">IIB", 2, 3, 0))])
    for number, (kind, depth) in enumerate(((GREY, 4), (GREY, 16), (GREY_ALPHA, 8), (RGB, 16), (RGBA, 8),
                                            (PALETTE, 4))):
        unit = {4: 0, 8: 9, 16: 2000}[depth]
        ramp = [[tuple(unit * (x + y) + c + (3 if depth == 4 else 0) for c in range(CHANNELS[kind]))
                 for x in range(width)] for y in range(height)]
        p = Picture(width, height, kind, depth, ramp, bytes(range(48)) if kind == PALETTE else b"", **chunks)
        cut = [[(0,) * CHANNELS[kind] if inside[y][x] else ramp[y][x] for x in range(width)] for y in range(height)]
        put("in.png", encode(Picture(width, height, kind, depth, cut, p.palette, **chunks), number & 1))
        put("mask.png", encode(masks[number % 3], 0))
        status, _, err = run("laplace", "--image", "in.png", "--mask", "mask.png", "out.png", "--runs", "1",
                             "--tolerance", "1e-3")
        if status != 0:
            told("fill of type %d, %d bits" % (kind, depth), err)
            continue
        with open("out.png", "rb") as file:
            found = decode(file.read())
        if kind == PALETTE: # its colours
            p = Picture(width, height, RGB, 8, [[(9, 10, 11)] * width] * height, b"", **chunks)
        far = max(abs(f - e) for fr, er in zip(found.samples, p.samples) for fp, ep in zip(fr, er)
                  for f, e in zip(fp, ep))
        if far > (1 if depth == 16 else 0):
            told("fill of type %d, %d bits" % (kind, depth), "off by %d" % far)
        found.samples = p.samples
        if not found.same(p):
            told("fill of type %d, %d bits" % (kind, depth), "%s" % vars(found))


random.seed(5)
check_fill()
check_kinds()
check_chunks()
check_colours()
check_damage()
