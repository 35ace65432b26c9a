#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: peers
# heddle jacobi: every variant has the bits of one device; options with one dash and two; what is
# printed; what is refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
nx=300
[ -z "$small" ] || nx=60
direct=yes
[ "$backend" = cpu ] && word=device || word=GPU # the CPU engine has no GPUs
"$tool" jacobi -nx 60 -ny 1600 -niter 1 >first
grep -q staged first && direct=
count=$(sed -n "s/^Num ${word}s: \([0-9]*\)[.].*/\1/p" first)
[ "${count:-0}" -gt 1 ] || { echo "one device"; exit 77; }
last=$((count - 1)) two=0,$((count - 1))
[ "$count" -lt 4 ] || two=1,3
tiles=${count}x1
[ $((count % 2)) -ne 0 ] || tiles=2x$((count / 2))

run jacobi -nx $nx -ny 200 -niter 21 -nccheck 10 --variant all
equal "all variants: exit status ($err)" "$status" 0
equal "verified" "$(echo "$out" | tail -n 1)" \
    "verified: every cell and norm has the bits of one device"
lines=5
[ -z "$direct" ] || lines=8
equal "a row for each variant" "$(echo "$out" | grep -c "  $count  .*x  .*%  true\$")" $lines
equal "times are printed once" "$(echo "$out" | grep -c "speedup")" 1
equal "devices" "$(echo "$out" | grep '^Num')" \
    "Num ${word}s: $count. Using $word ID: $(seq -s ', ' 0 $last)"
[ "$backend" != cpu ] || equal "no GPUs" "$(echo "$out" | grep -c GPU)" 0
equal "norms" "$(echo "$out" | grep -c '^ *[0-9]*, [0-9.]*$')" 3
norm=$(echo "$out" | grep '^ *20, ')

# The norm does not depend on how the sweeps are made; the first one is known: sqrt((ny - 1) / 16).
for how in "--devices 0,$last" "--devices $last" "--tiles $tiles" "--p2p off" \
    "--host-threads per-device" "--depth 0" "--variant ccl,graph --p2p off" "--variant ccl --tiles $tiles" \
    "--variant ccl --ccl own --devices $two --host-threads per-device"; do
    # shellcheck disable=SC2086
    run jacobi --nx $nx --ny 200 --niter 21 --nccheck 10 $how
    equal "$how: exit status ($err)" "$status" 0
    equal "$how: norm" "$(echo "$out" | grep '^ *20, ')" "$norm"
done
near "norm of sweep 0" "$(echo "$out" | sed -n 's/^ *0, //p')" 3.526684 1e-6
# Each pair of neighbours is named once; two devices meet on two sides.
pairs()
{
    echo "$out" | grep -c "^$word . and .: $1\$"
}
neighbours=$count
[ "$count" -gt 2 ] || neighbours=1
run jacobi --nx $nx --ny 200 --p2p off --niter 2
equal "staged pairs" "$(pairs 'staged through the host')" $neighbours
run jacobi --nx $nx --ny 200 --p2p off --niter 2 --devices $two
equal "two devices are one pair" "$(echo "$out" | grep "^$word ")" \
    "$word ${two%,*} and ${two#*,}: staged through the host"
if [ -n "$direct" ]; then
    run jacobi --nx $nx --ny 200 --p2p on --niter 2
    equal "--p2p on: exit status ($err)" "$status" 0
    equal "--p2p on: pairs" "$(pairs 'peer access') $(pairs '.*')" "$neighbours $neighbours"
fi

run jacobi --nx 64 --ny 64 --niter 5 --nccheck 2 --type f64 --json
equal "JSON: norms, rows" "$(echo "$out" | grep -o '\[[024], [0-9]*[.]' | wc -l) \
$(echo "$out" | grep -c 'efficiency.*"verified": true')" "3 1"
equal "JSON: all were run" "$(echo "$out" | grep -c '"reason": null')" 1
if [ "$tiles" != "1x$count" ]; then
    run jacobi --nx 64 --ny 64 --niter 5 --tiles $tiles --variant all
    equal "tiles, all variants: exit status ($err)" "$status" 0
    equal "tiles: what is not run" "$(echo "$out" | grep -c 'not run: variant .* has stripes')" 1
    run jacobi --nx 64 --ny 64 --niter 5 --tiles $tiles --variant all --json
    equal "JSON: what is not run" \
        "$(echo "$out" | grep -c '"used": null.*"reason": ".*stripes, not tiles"')" 1
fi
run jacobi --nx 64 --ny 64 --niter 5 --csv --no-verify
equal "CSV" "$(echo "$out" | tail -n 1 | cut -d, -f1,3-8,14)" "auto,64,64,5,100,1,$count,skipped"

# Efficiency is a fraction for programs, as of every command, and percent in the line that people
# compare.
run jacobi --nx 64 --ny 64 --niter 5 --csv
equal "CSV: verified" "$(echo "$out" | cut -d, -f14 | tr '\n' ' ')" "verified true "
near "CSV: short times have their digits" "$(echo "$out" | tail -n 1 | cut -d, -f12)" \
    "$(echo "$out" | tail -n 1 | awk -F, '{ printf "%.9g", $9 / $10 }')" 2e-4
near "CSV: efficiency" "$(echo "$out" | tail -n 1 | cut -d, -f13)" \
    "$(echo "$out" | tail -n 1 | awk -F, '{ print $12 / $8 }')" 1e-3
run jacobi --nx 64 --ny 64 --niter 5 --json
near "JSON: efficiency" "$(echo "$out" | sed -n 's/.*"efficiency": \([^,]*\),.*/\1/p')" \
    "$(echo "$out" | sed -n "s/.*\"speedup\": \([^,]*\),.*/\1 $count/p" | awk '{ print $1 / $2 }')" 1e-3
run jacobi -nx 64 -ny 64 -niter 5 -csv
equal "one dash: CSV" "$(echo "$out" | sed 1d | cut -d, -f1,3,4,5,14)" "auto,64,64,5,true"
run jacobi --nx 64 --ny 64 --niter 5
# As "16384x16384: 1 GPU:   4.4485 s, 8 GPUs:   1.0951 s, speedup:     4.06, efficiency:    50.78":
# each number at the right of eight columns, seconds with four digits behind the point, short ones
# with more.
equal "the line that people compare" "$(echo "$out" | grep '^64x64: ' | awk -F': *|, *| s, *' \
    -v count="$count" -v word="$word" '
    function seconds(s) { return sprintf("%8." (s < 0.001 ? 8 : s < 0.1 ? 6 : 4) "f", s) }
    { printf("64x64: 1 %s: %s s, %d %ss: %s s, speedup: %8.2f, efficiency: %8.2f\n", word,
             seconds($3), count, word, seconds($5), $7, $9) }')" "$(echo "$out" | grep '^64x64: ')"
equal "text: percent" "$(echo "$out" | sed -n "s/.*${word}s: .* s, speedup: *\([0-9.]*\), efficiency: *\([0-9.]*\)\$/\1 $count \2/p" |
    awk '{ print 100 * ($1 - 0.006) / $2 <= $3 && $3 <= 100 * ($1 + 0.006) / $2 }')" 1

[ -z "$one_sweep" ] || {
    run jacobi --nx 64 --ny 64 --niter 8 --depth 8
    equal "a depth that is not made" \
        "$(echo "$out" | grep -c '(f32, depth 1; 8 requested; this backend cannot do more per pass)')" 1
}
run jacobi --nx 64 --ny 64 --niter 5 --devices $last
equal "one device alone: one time" "$(echo "$out" | grep -c ' us/sweep, [0-9.]* GLUP/s$') \
$(echo "$out" | grep -c "^64x64: 1 $word: *[0-9.]* s; a speedup needs more devices$") \
$(echo "$out" | grep -c "speedup:")" "1 1 0"
run jacobi --nx 64 --ny 64 --niter 5 --devices $last --variant auto,copy
equal "one device alone, several variants: a row each" "$(echo "$out" | grep -c '[0-9]%  true$') \
$(echo "$out" | grep -c 'one device  ')" "2 0"
equal "one device alone: the same sweeps have one time" \
    "$(echo "$out" | sed -n 's/^auto.* \([0-9.]*x\) .*/\1/p')" "1.00x"

# Each row names its variant where there are several; short runs have digits that are not 0.
run jacobi --nx 64 --ny 64 --niter 50 --nccheck 1 --variant copy,auto
equal "several variants" "$(echo "$out" | sed -n 's/^\([a-z]*\).*  [0-9.]*x *[0-9.]*%  true$/\1/p' |
    tr '\n' ' ')" "auto copy "
equal "a part of the norms" "$(echo "$out" | grep -c 'norm check every 1 iterations (17 of 50 shown)$')" 1
equal "and so many are there" "$(echo "$out" | grep -c '^ *[0-9]*, [0-9.]*$')" 17
run jacobi --nx 64 --ny 64 --niter 1 --devices $last
equal "seconds of short runs" "$(echo "$out" | grep -c ' 0[.]0* s,')" 0
refused 2 "'all' cannot be combined with other" jacobi --variant auto,all
refused 2 "--ccl requires --variant ccl" jacobi --ccl library
refused 2 "did you mean 'peer-store'" jacobi --variant peerstore
refused 2 "graph ccl all" jacobi --variant foo
refused 2 "8 sweeps per pass are available in f32 only; f64 has 0, 1, 2 and 4" \
    jacobi --depth 8 --type f64
refused 2 "--nx: '2' is not from 3 to 1073741824" jacobi --nx 2
refused 2 "mpirun -n $count heddle mpi jacobi" jacobi --variant mpi
refused 2 "mpirun -n $count heddle mpi jacobi" jacobi --variant copy,mpi
run jacobi --help
equal "help on ranks" "$(echo "$out" | tr -s ' \n' ' ' | grep -c ' With MPI, one process per device: mpirun -n N heddle mpi jacobi[.] ')" 1
refused 2 "--verify and --no-verify are mutually exclusive" jacobi --verify --no-verify
refused 2 "has to be XxY with X times Y" jacobi --tiles 3x11
refused 2 "has to be XxY with X times Y = $count, the number of devices" jacobi --tiles 5
least=$((16 * last + 1))
refused 2 "--ny $((least - 1)): $count devices need $least rows at least" \
    jacobi --nx 64 --ny $((least - 1))
run jacobi --nx 64 --ny $least --niter 2
equal "as few rows as there can be ($err)" "$status" 0
[ "$count" != 4 ] || {
    refused 2 "--ny 16: 2 tiles below each other need 17 rows" jacobi --nx 64 --ny 16 --tiles 2x2
    refused 2 "--nx 12: 4 tiles side by side need 13 columns" jacobi --nx 12 --ny 64 --tiles 4x1
    run jacobi --nx 13 --ny 64 --niter 2 --tiles 4x1
    equal "as few columns as there can be ($err)" "$status" 0
}
refused 2 "there is no device 99" jacobi --devices 0,99
if [ "$tiles" != "1x$count" ] && [ "$tiles" != "${count}x1" ]; then
    run jacobi --nx 64 --ny 64 --niter 5 --tiles $tiles --variant all --csv
    equal "CSV: rows, and reasons of those without times" "$(echo "$out" | sed 1d | wc -l) \
$(echo "$out" | grep -c "^[a-z-]*,,64,64,5,100,,$count,[0-9.e-]*,,,,,,.*stripes, not tiles")" "8 1"
fi
for variant in events peer-store persistent; do
    refused 2 "--variant $variant needs direct access between devices, not --p2p off" \
        jacobi --p2p off --variant copy,$variant
done
refused 2 "--variant persistent has stripes, not tiles" jacobi --tiles $tiles --variant persistent
# Who has switched peers off in the environment has meant it.
for variant in copy peer-store all; do
    HEDDLE_P2P=off
    export HEDDLE_P2P
    refused 1 "devices 0 and 1 have no direct access (HEDDLE_P2P=off)" \
        jacobi --nx 64 --ny 64 --p2p on --variant $variant
    unset HEDDLE_P2P
done
pairs=$count # periodic, each named once
[ "$count" -gt 2 ] || pairs=1
for words in "" "--p2p auto"; do
    HEDDLE_P2P=off
    export HEDDLE_P2P
    # shellcheck disable=SC2086
    run jacobi --nx 64 --ny 64 --niter 2 $words
    equal "HEDDLE_P2P=off, jacobi $words: staged pairs" \
        "$(echo "$out" | grep -c "^$word . and .: staged through the host\$")" $pairs
    unset HEDDLE_P2P
done
refused 2 "f32 or f64" jacobi --type i32
refused 2 "library" jacobi --ccl nccl
case "$HEDDLE_BACKEND" in
    cpu) refused 1 "library" jacobi --nx 64 --ny 64 --variant ccl --ccl library ;;
esac
[ -n "$direct" ] || refused 1 "needs direct access" jacobi --nx 64 --ny 64 --variant peer-store
unwritten --png jacobi --nx 64 --ny 64 --niter 1
run jacobi --nx 64 --ny 80 --niter 1 --png field.png
case $err in
*libpng*) ;; # built without
*)
    equal "--png: exit status ($err)" "$status" 0
    # Signature, then the header: 64 and 2 gaps of 8, a bar of 12, two letters of 6 pixels wide, 80 high,
    # 8 bits, three colours.
    equal "--png: the picture" "$(od -An -v -tx1 -N 26 field.png | tr -d ' \n')" \
        89504e470d0a1a0a0000000d4948445200000068000000500802
    ! find_python || equal "--png: what differs" "$("$python" - "${0%/*}/../app/png_reference.py" 2>&1 <<'END'
import math, sys
decoder = {}
exec(open(sys.argv[1]).read().split("# ---- the tool")[0], decoder)
rows = decoder["decode"](open("field.png", "rb").read()).samples
def colour(v):
    faded = 255 * (1 - math.sqrt(min(abs(v), 1)))
    return (faded, faded, 255) if v < 0 else (255, faded, faded)
def far(a, b):
    return any(abs(x - y) > 2 for x, y in zip(a, b))
# Sides keep a sine, which one sweep has not carried to the middle; the bar goes from 1 to -1.
print([y for y in range(80) if far(rows[y][0], colour(math.sin(2 * math.pi * y / 79))) or
       far(rows[y][32], (255, 255, 255))], end="")
print([y for y in range(1, 79) if far(rows[y][78], colour(1 - 2 * y / 79))], end="")
# 1, 0 and -1 to its right: rows of dots from the top.
def dots(top, x, letters):
    return ["".join("#" if rows[y][92 + x + c] == (0, 0, 0) else "." for c in range(6 * letters))
            for y in range(top, top + 7)]
one = ["..#...", ".##...", "..#...", "..#...", "..#...", "..#...", ".###.."]
zero = [".###..", "#...#.", "#..##.", "#.#.#.", "##..#.", "#...#.", ".###.."]
minus = ["......"] * 3 + ["#####."] + ["......"] * 3
print(dots(0, 0, 1) == one, dots(73, 0, 2) == [m + o for m, o in zip(minus, one)],
      any(dots(y, 0, 1) == zero for y in range(33, 41)))
END
)" "[][]True True True"
    ;;
esac
refused 2 "--png: results are printed on standard output" jacobi --nx 64 --ny 64 --png -
finish
