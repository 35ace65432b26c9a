#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# No command rounds the numbers of a file in silence: a note says how many are rounded to the type
# that they are taken in, whether --type asks for it or not; integers are exact or refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# noted WHAT NOTE ARGUMENTS...: the run ends with status 0 and says that.
noted()
{
    noted_what=$1
    noted_note=$2
    shift 2
    run "$@"
    equal "$noted_what: status ($err)" "$status" 0
    equal "$noted_what: the note" "$err" "${noted_note:+heddle: $1: note: $noted_note}"
}

half="000 000 000 000 000 000 340 077" tenth="232 231 231 231 231 231 271 077"
# f64s NUMBER...: 0.5 and 0.1 as an array of that shape
f64s()
{
    npy '<f8' False "$1"
    shift
    for number in "$@"; do
        [ "$number" = 0.5 ] && octal=$half || octal=$tenth
        printf "$(printf '\\%s' $octal)"
    done
}
f64s '(4,)' 0.5 0.1 0.5 0.1 >reals.npy
f64s '(4,)' 0.5 0.5 0.5 0.5 >halves.npy
{ npy '<f4' False '(4,)'; printf '\000\000\000\077%.0s' 1 2 3 4; } >halves32.npy
f64s '(3, 3)' 0.5 0.1 0.5 0.5 0.1 0.5 0.5 0.5 0.1 >field.npy
f64s '(3, 3, 3)' 0.1 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 \
    0.5 0.5 0.5 0.5 0.5 0.5 0.1 >cube.npy
# 2^24 + 1, 2^24, 2^53 + 1
{ npy '<i8' False '(3,)'; printf '\001\000\000\001\000\000\000\000\000\000\000\001\000\000\000\000'
    printf '\001\000\000\000\000\000\040\000'; } >wholes.npy
printf 'x\n0.5\n0.1\n' >table.csv

to_f32="are rounded from f64 to f32"
for command in histogram sort scan unique transpose "select --where lt --value 1" \
    "partition --where lt --value 1" "recurrence --factor 0.5" "tridiag --rows 2" \
    "batch --nx 4 --steps 1"; do
    name=${command%% *}
    case $name in transpose) shape="--rows 2" ;; *) shape="" ;; esac
    noted "$command --type f32" "reals.npy: 2 of 4 numbers $to_f32" $command $shape reals.npy --type f32
    noted "$command --type f32 of what it holds" "" $command $shape halves.npy --type f32
    noted "$command as it is" "" $command $shape reals.npy
done
noted "a table" "table.csv: 1 of 2 numbers $to_f32" sort table.csv --type f32
noted "i64 to f32" "wholes.npy: 2 of 3 numbers are rounded from i64 to f32" sort wholes.npy --type f32
noted "i64 to f64" "wholes.npy: 1 of 3 numbers are rounded from i64 to f64" scan wholes.npy --type f64
refused 1 "wholes.npy: element 2 cannot be represented as i32: 9007199254740993" sort wholes.npy --type i32
refused 1 "reals.npy: element 0 cannot be represented as i64: 0.5" sort reals.npy --type i64
refused 1 "reals.npy" reduce reals.npy --type f32
noted "a field" "field.npy: 3 of 9 numbers $to_f32" laplace --field field.npy --type f32 --sweeps 2
noted "a cube" "cube.npy: 2 of 27 numbers $to_f32" laplace3d --field cube.npy --type f32 --sweeps 2
noted "a box" "cube.npy: 2 of 27 numbers $to_f32" adi --field cube.npy --type f32 --steps 1
noted "factors" "reals.npy: 2 of 4 numbers $to_f32" recurrence halves32.npy --factors reals.npy

printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 2 2\n' >m.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n0.1\n1\n' >b.mtx
f64s '(2,)' 0.5 0.1 >b.npy
noted "a matrix" "m.mtx: 1 of 2 numbers $to_f32" spmv m.mtx --precision f32
noted "a matrix in f64" "" spmv m.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 2\n' >m.mtx
noted "a vector" "b.npy: 1 of 2 numbers $to_f32" spmv m.mtx --precision f32 --x b.npy
noted "a right-hand side" "b.mtx: 1 of 2 numbers $to_f32" cg m.mtx --precision f32 --rhs b.mtx

# Integers as text that f64 does not hold.
printf 'id\n9007199254740993\n9007199254740992\n-9007199254740993\n18446744073709551615\n7\n' >ids.csv
noted "integers of a table" \
    "ids.csv: 3 integers are rounded to f64; --type i64 or u64 reads them exactly" reduce ids.csv
noted "integers of a table, sorted" \
    "ids.csv: 3 integers are rounded to f64; --type i64 or u64 reads them exactly" sort ids.csv
printf 'id\n9007199254740993\n7.5\n1e300\n' >ids.csv
noted "one integer" "ids.csv: 1 integer is rounded to f64; --type i64 or u64 reads them exactly" \
    reduce ids.csv
printf 'id\n9007199254740993\n7\n' >ids.csv
noted "integers as they are" "" sort ids.csv --type i64
printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 9007199254740993\n2 2 2\n' >m.mtx
noted "integers of a matrix" "m.mtx: 1 of 2 integers are rounded to f64" spmv m.mtx

# once, from the integer: by way of f64 2^54 + 2^30 + 1 would be a tie, and go down
{ npy '<i8' False '(1,)'; printf '\001\000\000\100\000\000\100\000'; } >tie.npy
run sort tie.npy --type f32 --out rounded.npy
equal "i64 rounded once to f32" "$(tail -c 4 rounded.npy | od -An -tx1 | tr -d ' ')" 0100805a
printf 'x\n16777216\n' >table.csv
noted "a value" "--value: 16777217 is rounded to 16777216, the nearest f32" \
    select --where eq --value 16777217 --type f32 table.csv
noted "a value in f64" "" select --where eq --value 16777217 table.csv --type f64
noted "a fraction" "" select --where gt --value 0.1 --type f32 table.csv
refused 2 "--initial: '1e39' is not a value of type f32" scan --n 4 --initial 1e39
finish
