#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle laplace and laplace3d: generated problems, pictures, and what is refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# column NAME: of the CSV in $out, its one row.
column()
{
    echo "$out" | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at[name] }'
}

run laplace --nx 100 --ny 37 --sweeps 50 --runs 1
equal "laplace: exit status ($err)" "$status" 0
equal "laplace: verified true" "$(echo "$out" | grep -c "^verified *true")" 1
run laplace --nx 33 --tolerance 1e-3 --sweeps 5000 --type f64 --runs 1 --csv
equal "laplace --tolerance: converged" "$(column converged)" true
run laplace3d --n 20 --sweeps 9 --runs 1
equal "laplace3d: exit status ($err)" "$status" 0
equal "laplace3d: verified true" "$(echo "$out" | grep -c "^verified *true")" 1
for sides in "--periodic x" "--periodic yx" "--mirror y --periodic x" "--mirror xy" "--mirror x"; do
    run laplace --nx 37 --ny 21 --sweeps 33 $sides --runs 1
    equal "laplace $sides: verified true ($err)" "$(echo "$out" | grep -c "^verified *true")" 1
    equal "laplace $sides: no known solution" "$(echo "$out" | grep -c "^error")" 0
done
for sides in "--periodic z" "--periodic xyz" "--mirror z --periodic y"; do
    run laplace3d --n 11 --sweeps 7 $sides --type f64 --runs 1
    equal "laplace3d $sides: verified true ($err)" "$(echo "$out" | grep -c "^verified *true")" 1
done
# Depths that no kernel has are refused; which one was used is told.
refused 2 "--depth: '3' is not one of 0, 1, 2, 4 and 8" laplace --depth 3
refused 2 "f64 has 0, 1, 2 and 4" laplace --depth 8 --type f64
refused 2 "--depth: 'x' is not one of 0, 1 and 2" laplace3d --depth x
refused 2 "--depth: '4' is not one of 0, 1 and 2" laplace3d --depth 4
refused 2 "--depth: '5' is not one of 0, 1, 2, 4 and 8" jacobi --depth 5
refused 2 "f64 has 0, 1, 2 and 4" scaling --depth 8 --type f64
[ -n "$one_sweep" ] && deep=1 || deep=4
run laplace --nx 100 --sweeps 20 --depth 4 --runs 1
equal "laplace --depth 4: status ($err)" "$status" 0
equal "laplace --depth 4: what was used" "$(sed -n 's/^depth  *\([0-9]*\) .*/\1/p' out)" $deep
equal "laplace --depth 4: why" "$(grep -c '^depth .*: the CPU engine makes one$' out)" $((deep == 1))
run laplace --nx 100 --sweeps 1 --depth 4 --runs 1 --csv
equal "laplace of one sweep: what was used" \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["depth"] }' out)" 1
run laplace3d --n 20 --sweeps 4 --depth 1 --runs 1
equal "laplace3d --depth 1: what was used" "$(grep -c '^depth  *1  sweeps per pass over memory$' out)" 1
refused 2 "z is not one of the axes xy" laplace --periodic z
refused 2 "x is given twice" laplace --periodic x --mirror yx
refused 2 "is empty: list axes" laplace3d --mirror ""
refused 2 "excludes --periodic" laplace --image a.png --mask b.png --mirror x d.png
refused 2 "is f32 or f64" laplace --type i32
refused 2 "is 0 or more" laplace --tolerance -1
refused 2 "require --image" laplace out.png
refused 2 "needs --mask" laplace --image a.png out.png

# A field of a file: a ramp along y between its ends, in rows of three; solved and written.
{ npy '<f8' False '(5, 3)'; for v in 0 0 0 16400 0 0 0 0 0 0 0 0 16400 16400 16400; do
    printf "\\000\\000\\000\\000\\000\\000\\$(printf %03o $((v % 256)))\\$(printf %03o $((v / 256)))"
done; } >bare.npy
run laplace --field bare.npy --type f64 --sweeps 400 --out solved.npy --runs 1 --csv
equal "laplace --field: status ($err)" "$status" 0
equal "laplace --field: verified" "$(echo "$out" | grep -c ",true,")" 1
equal "laplace --field: sides are kept" "$(tail -c 24 solved.npy | od -An -tf8 | tr -s ' ')" \
    "$(tail -c 24 bare.npy | od -An -tf8 | tr -s ' ')"
run laplace --field solved.npy --tolerance 1e-12 --sweeps 64 --runs 1 --csv
equal "laplace of a solution: converged ($err)" "$(column converged)" true
{ npy '<f4' False '(3, 4, 5)'; head -c 240 /dev/zero; } >cube.npy
run laplace3d --field cube.npy --sweeps 3 --out out.npy --runs 1 --csv
equal "laplace3d --field: verified ($err)" "$(echo "$out" | grep -c ",5 x 4 x 3 f32,\|5 x 4 x 3 f32")" 1
cmp -s out.npy cube.npy || fail "zeros stay zeros"
refused 1 "not a field of 2" laplace --field cube.npy
refused 1 "not a field of 3" laplace3d --field bare.npy --type f64
refused 2 "--field determines the size" laplace --field bare.npy --nx 4
refused 2 "excludes --field" laplace --image a.png --mask b.png --out c.npy d.png
refused 1 "none.npy" laplace --field none.npy
refused 1 "nowhere/x.npy" laplace --nx 8 --sweeps 1 --out nowhere/x.npy
refused 2 "is not from 1" laplace3d --n 0
refused 2 "is not from 1" laplace --nx -4

# picture NAME WIDTH HEIGHT EXPRESSION: a grey PNG whose pixel is the expression of x and y.
picture()
{
    python3 - "$@" <<'PYTHON'
import struct, sys, zlib
name, w, h, expression = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
rows = b"".join(b"\0" + bytes(eval(expression, {"x": x, "y": y}) for x in range(w)) for y in range(h))
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 0, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
PYTHON
}

if command -v python3 >/dev/null; then
    # A ramp is harmonic: what is cut out of it comes back.
    picture ramp.png 60 40 "2 * x + y"
    picture cut.png 60 40 "0 if 20 < x < 40 and 10 < y < 30 else 2 * x + y"
    picture mask.png 60 40 "255 if 20 < x < 40 and 10 < y < 30 else 0"
    picture all.png 60 40 "9"
    picture small.png 20 40 "0"
    run laplace --image cut.png --mask mask.png filled.png --tolerance 0.001 --runs 1
    case $err in
        *"without libpng"*) ;;
        *)
            equal "laplace --image: exit status ($err)" "$status" 0
            equal "laplace --image: filled 361" "$(echo "$out" | grep -c "^filled *361")" 1
            equal "laplace --image: verified true" "$(echo "$out" | grep -c "^verified *true")" 1
            equal "laplace --image: depth" "$(echo "$out" | grep -c "^depth  *[14]  ")" 1
            refused 2 "'2' is not one of 0, 1 and 4" \
                laplace --image cut.png --mask mask.png out.png --depth 2
            refused 1 "its mask small.png 20 x 40" laplace --image ramp.png --mask small.png out.png
            refused 1 "covers the whole picture" laplace --image ramp.png --mask all.png out.png
            echo "no picture" >bad.png
            refused 1 "bad.png" laplace --image bad.png --mask mask.png out.png
            refused 1 "none.png" laplace --image none.png --mask mask.png out.png
            ;;
    esac
fi
finish
