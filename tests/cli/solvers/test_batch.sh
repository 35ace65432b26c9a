#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heddle batch`: shapes of problems, results as .npy, verification; and what every subcommand takes
# that reads or generates arrays.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# got KEY ARGUMENTS...: one value of the row that --csv prints.
got()
{
    got_key=$1
    shift
    "$tool" batch "$@" --csv | awk -F, -v key="$got_key" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at[key] }'
}

for type in f32 f64; do
    equal "1-D $type" "$(got verified --n 2560 --nx 20 --steps 7 --type $type)" true
    equal "2-D $type" "$(got verified --n 2400 --nx 20 --ny 12 --steps 7 --type $type)" true
done
equal "problems" "$(got count --n 2400 --nx 20 --ny 12)" 10
equal "not verified" "$(got verified --n 256 --no-verify)" skipped
equal "no numbers" "$(got count --n 0)" 0

# One hot point in the middle spreads: 0 0 8 0 0 after one step of r = 0.25.
{ npy '<f4' False '(1, 5)'; printf '\0\0\0\0\0\0\0\0\0\0\000\101\0\0\0\0\0\0\0\0'; } >one.npy
run batch one.npy --r 0.25 --steps 1 --out after.npy
equal "one step: status ($err)" "$status" 0
equal "one step" "$(results after.npy --op sum,max,argmax | tail -n 1)" \
    "8,4,2"
equal "shape of the result" "$(head -c 128 after.npy | tr -d '\0' | grep -a -o "'shape': ([^)]*)")" \
    "'shape': (1, 5)"

# Input of any type and layout.
printf 'a,b\n1,0\n2,8\n3,0\n' >table.csv
equal "a column" "$(got count table.csv --column b --nx 3)" 1
equal "a column as f64" "$(got type table.csv --column b --nx 3)" f64
equal "a column as f32" "$(got type table.csv --column b --nx 3 --type f32)" f32
{ npy '<i2' False '(3,)'; echo 1 2 -3 | integers 2; } >short.npy
equal "integers as floats" "$(got type short.npy --nx 3 --type f32)" f32
{ npy '<f4' True '(3, 2)'; printf '\0\0\200\077\0\0\0\100\0\0\100\100\0\0\200\100\0\0\240\100\0\0\300\100'; } >columns.npy
run batch columns.npy --steps 0 --out rows.npy
equal "Fortran order: 1 4 2 5 3 6" "$(tail -c 24 rows.npy | od -An -tf4 | tr -s ' \n' ' ')" \
    " 1 4 2 5 3 6 "
for pattern in uniform constant sorted reverse zipf alternating; do
    equal "pattern $pattern" "$(got verified --n 512 --pattern $pattern --seed 3 --steps 2)" true
done
"$tool" batch --n 600 --nx 3 --steps 0 --out a.npy >/dev/null
"$tool" batch --n 600 --nx 3 --steps 0 --seed 1 --out b.npy >/dev/null
"$tool" batch --n 600 --nx 3 --steps 0 --seed 2 --out c.npy >/dev/null
equal "the same seed" "$(cksum <a.npy)" "$(cksum <b.npy)"
checks=$((checks + 1))
cmp -s a.npy c.npy && fail "another seed gives the same numbers"
equal "generated numbers" "$(cksum <a.npy | cut -d" " -f1)" 6075374

if command -v python3 >/dev/null; then
    run batch --n 1024 --json
    equal "keys" "$(python3 -c 'import json, sys; print(" ".join(json.load(sys.stdin)))' <out)" \
        "$heading input type count nx ny steps r glups seconds gbps verified"
fi
refused 2 "give a file, or --n" batch
refused 2 "are mutually exclusive" batch one.npy --n 5
refused 2 "for generated numbers" batch one.npy --seed 5
refused 2 "--type is one of f32 f64" batch --n 256 --type i32
{ npy '<i8' False '(3,)'; echo 1 2 3 | integers 8; } >long.npy
refused 2 "--type is one of f32 f64" batch long.npy
equal "what a float holds" "$(got type short.npy --nx 3)" f32
refused 1 "257 numbers are not a whole number of problems of 256 points" batch --n 257
refused 1 "two copies of" batch --n 2^20 --nx 2^20
refused 2 "--ny needs --nx" batch --n 256 --ny 4
refused 2 "did you mean 'zipf'" batch --n 256 --pattern zipff
refused 2 "not a finite number" batch --n 256 --r nan
refused 2 "--runs" batch --n 256 --runs 0
refused 2 "standard output" batch --n 256 --out -
refused 1 "No such file" batch --n 256 --out none/a.npy
refused 1 "No such file" batch none.npy
refused 2 "unexpected argument" batch one.npy two.npy
finish
