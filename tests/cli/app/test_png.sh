#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# PNG files against an encoder and a decoder of the test's own: all kinds of samples, interlaced or
# not, chunks that describe the picture, palettes, damage.
. "$(dirname "$0")/../check.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }
printf '\211PNG\r\n\032\n' >magic.png
run reduce magic.png
case $err in *"without libpng"*) echo "the tool has no libpng"; exit 77 ;; esac
refused 1 "magic.png: the picture is cut short" reduce magic.png
equal "against the reference" "$("$python" "$here/png_reference.py" "$tool" 2>&1)" ""

# The gamma of a file says how its samples look, not what they are.
"$python" - <<'PYTHON'
import struct, zlib
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
def put(name, depth, kind, raw, *chunks):
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 1, depth, kind, 0, 0, 0)) +
                   b"".join(chunk(*c) for c in chunks) + chunk(b"IDAT", zlib.compress(b"\0" + raw)) +
                   chunk(b"IEND", b""))
put("gamma.png", 8, 0, bytes([0, 64, 128, 255]), (b"gAMA", struct.pack(">I", 100000)))
put("wide.png", 16, 0, struct.pack(">4H", 0, 256, 32768, 65535))
put("palette.png", 8, 3, bytes([0, 1, 1, 0]), (b"PLTE", bytes([10, 20, 30, 40, 50, 60])))
PYTHON
equal "sum with gamma" "$(value sum gamma.png)" 447
equal "sum of 16 bits" "$(value sum wide.png)" 98559
equal "largest of 16 bits" "$(value max wide.png)" 65535
run reduce wide.png
equal "16 bits: no note" "$err" ""
equal "sum of indices" "$(value sum palette.png 2>/dev/null)" 2
equal "sum of colours" "$(value sum palette.png --colours)" 420
run reduce palette.png
equal "indices: a note" "$err" \
    "heddle: reduce: note: palette.png: the numbers are indices into its palette; --colours reads colours"
run reduce palette.png --colours
equal "colours: no note" "$err" ""
refused 1 "only PNG files have a palette" reduce magic.png --format raw --colours

# Arrays of u8 and u16 become pictures, alone or in twos to fours.
for type in u1 u2; do
    for shape in "(3, 2)" "(3, 2, 2)" "(3, 2, 3)" "(3, 2, 4)"; do
        [ "$type" = u1 ] && order="|" || order="<"
        { npy "$order$type" False "$shape"; head -c 48 "$tool"; } >long.npy
        # the array's own bytes only
        "$python" - "$shape" "$type" <<'PYTHON'
import sys
count = int(sys.argv[2][1])
for n in eval(sys.argv[1]):
    count *= n
data = open("long.npy", "rb").read()
open("a.npy", "wb").write(data[:-48] + data[-48:][:count])
PYTHON
        run transpose a.npy --out a.png
        equal "$type $shape to a picture ($err)" "$status" 0
        run transpose a.png --out b.npy
        equal "$type $shape from a picture ($err)" "$status" 0
        cmp -s a.npy b.npy || fail "$type $shape is not the same"
    done
done
{ npy '<f4' False '(1, 1)'; printf '\0\0\0\0'; } >f.npy
refused 2 "a picture has rows of u8 or u16" transpose f.npy --out f.png
finish
