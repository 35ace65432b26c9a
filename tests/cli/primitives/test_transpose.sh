#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle transpose: files in and out, shapes, what is refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

{ npy '<i2' False '(2, 3)'; echo 1 -2 3 4 5 -6 | integers 2; } >a.npy
{ npy '<i2' False '(3, 2)'; echo 1 4 -2 5 3 -6 | integers 2; } >expected.npy
run transpose a.npy --out b.npy --json
equal "transpose: status ($err)" "$status" 0
equal "transpose of 2 x 3" "$(od -An -tx1 b.npy | tail -n 1)" "$(od -An -tx1 expected.npy | tail -n 1)"
case $out in *'"rows": 3, "columns": 2'*'"verified": true'*) ;; *) fail "JSON: $out" ;; esac
run transpose b.npy --out c.npy
cmp -s a.npy c.npy || fail "twice is the matrix itself"

# Every variant, in place, an odd shape, and numbers that --rows makes a matrix.
for how in "--algo auto" "--algo naive" "--algo coalesced" "--algo padded"; do
    run transpose --n 1517 --rows 37 --type u16 --json $how
    equal "$how: status ($err)" "$status" 0
    case $out in *'"verified": true'*) ;; *) fail "$how: $out" ;; esac
done
run transpose --n 1681 --rows 41 --in-place --type f64
equal "in place: status ($err)" "$status" 0
run transpose --n 0 --rows 0 --type f32
equal "nothing: status ($err)" "$status" 0

# Pixels stay together; a picture is its transpose's transpose.
if command -v python3 >/dev/null; then
    python3 - <<'PYTHON'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def picture(name, colour, channels, w, h):
    rows = b"".join(b"\0" + bytes((y * w + x + 50 * c) % 256 for x in range(w) for c in range(channels))
                    for y in range(h))
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IDAT", zlib.compress(rows)).join(
        [chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, colour, 0, 0, 0)), chunk(b"IEND", b"")]))
picture("grey.png", 0, 1, 7, 5)
picture("colour.png", 2, 3, 6, 4)
PYTHON
    run transpose grey.png --out turned.npy
    case $err in
    *"without libpng"*) ;;
    *)
        equal "grey ($err)" "$(tail -c 35 turned.npy | od -An -v -tu1 | tr -s ' \n' ' ')" \
            " $(for x in 0 1 2 3 4 5 6; do for y in 0 1 2 3 4; do printf '%d ' $((y * 7 + x)); done
            done)"
        run transpose colour.png --out turned.png --json
        case $out in *'"rows": 6, "columns": 4, "element": 3'*'"verified": true'*) ;;
        *) fail "colour: $out" ;; esac
        run transpose turned.png --out back.png
        equal "colour: sum of all ($err)" "$(value sum back.png)" "$(value sum colour.png)"
        run transpose back.png --out back.npy
        run transpose colour.png --out colour.npy
        cmp -s back.npy colour.npy || fail "twice is the picture itself"
        head -c 60 colour.png >half.png
        refused 1 "half.png: the picture is cut short" transpose half.png
        echo text >text.png
        refused 1 "text.png: not a PNG file" transpose text.png --format png
        # A picture that cannot be written leaves the old one; a pipe stays a pipe.
        { npy '|u1' False '(256, 256)'; head -c 65536 "$tool"; } >noise.npy
        cp grey.png old.png
        (trap '' XFSZ; ulimit -f 2; run transpose noise.npy --no-verify --out old.png
            equal "a picture larger than a file can be ($err)" "$status" 1
            exit "$failures") || fail "a picture that cannot be written"
        cmp -s grey.png old.png || fail "the old picture is kept"
        equal "nothing beside it" "$(ls old.png*)" old.png
        mkfifo pipe.png
        cat pipe.png >piped.png &
        run transpose grey.png --out pipe.png
        wait $!
        equal "a pipe is written to: exit status ($err)" "$status" 0
        [ -p pipe.png ] || fail "the pipe is no pipe any more"
        equal "what the pipe took" "$(value sum piped.png)" "$(value sum grey.png)"
        refused 2 "a picture has rows of u8 or u16" transpose a.npy --out a.png
        refused 1 "nowhere/x.png" transpose grey.png --out nowhere/x.png
        ;;
    esac
fi

refused 2 "is not a matrix" transpose --n 100
refused 2 "not 7 rows" transpose --n 100 --rows 7
refused 2 "--algo" transpose --n 100 --rows 10 --algo fast
refused 2 "not square" transpose --n 100 --rows 20 --in-place
refused 1 "missing.npy" transpose missing.npy
finish
