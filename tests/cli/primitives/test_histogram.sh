#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle histogram: elements of every type where exact arithmetic puts them, bounds printed exactly,
# data with the largest values of its type.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# member KEY: its value in the JSON of the last run.
member()
{
    printf '%s\n' "$out" | sed -n 's/.*"'"$1"'": \([^,}]*\).*/\1/p'
}

# counts: of the bins in the JSON of the last run, with a blank before each.
counts()
{
    printf '%s\n' "$out" | sed -n 's/.*"counts": \[\([^]]*\)\].*/ \1/p' | tr -d ,
}

# places WHAT EXPECTED ARGUMENTS...: type, bounds, the counts of bins, below/above/nan; verified.
places()
{
    places_what=$1
    places_expected=$2
    shift 2
    run histogram "$@" --json
    equal "$places_what: status ($err)" "$status" 0
    found="$(member type) $(member low) $(member high):$(counts)"
    equal "$places_what" "$found / $(member below) $(member above) $(member nan)" "$places_expected"
    equal "$places_what: verified" "$(member verified)" true
}

# bytes OCTAL...: those bytes.
bytes()
{
    printf "$(printf '\\%s' "$@")"
}

# bounds of integers, exactly
{ npy '<u4' False '(2,)'; echo 4000000001 4294967295 | integers 4; } >u32.npy
places "u32" '"u32" 4000000001 4294967296: 1 1 / 0 0 0' u32.npy --bins 2 --low 4000000001 \
    --high 4294967296
bar=$(printf '%040d' 0 | tr 0 '#')
run histogram u32.npy --bins 2
equal "u32: bounds in text" "$(printf '%s\n' "$out" | grep -E '^(low|high|bin_)' | tr -s ' ' | tr '\n' ';')" \
    "low 4000000001;high 4294967296;bin_0 1 from 4000000001 $bar;bin_1 1 from 4147483649 $bar;"
# Bars: 50 bins in 17 rows of 3, the last of 2; 1 of 120 elements has a bar of one, none has none.
{ i=0; while [ $i -lt 50 ]; do [ $i -lt 3 ] && awk -v i=$i 'BEGIN { for (k = 0; k < 40; k++) print i }'
    [ $i -ne 48 ] || echo 48; i=$((i + 1)); done; } >bars.csv
run histogram bars.csv --column 1 --no-header --bins 50 --low 0 --high 50
equal "rows of bars" "$(printf '%s\n' "$out" | grep '^bin_' | tr -s ' ' |
    sed -n '1p;2p;17p;$=' | tr '\n' ';')" \
    "bin_0-2 120 from 0 $bar;bin_3-5 0 from 3;bin_48-49 1 from 48 #;17;"
places "u32: a number that is whole" '"u32" 0 4294967296: 0 2 / 0 0 0' u32.npy --bins 2 \
    --low 0.0 --high 4294967296.0
{ npy '<i2' False '(4,)'; echo -3 -1 0 2 | integers 2; } >i16.npy
places "i16 as i32" '"i32" -3 3: 1 0 1 1 0 1 / 0 0 0' i16.npy

# 2^53 + 1, 2^53 + 2, the largest of u64; the smallest and the largest of i64
largest="377 377 377 377 377 377 377 377"
{ npy '<u8' False '(3,)'; bytes 001 000 000 000 000 000 040 000 002 000 000 000 000 000 040 000 $largest; } >u64.npy
places "u64 above 2^53" '"u64" 9007199254740993 9007199254740995: 1 1 / 0 1 0' u64.npy \
    --low 9007199254740993 --high 9007199254740995
places "u64 to the end" '"u64" 9007199254740993 18446744073709551616: 2 1 / 0 0 0' u64.npy --bins 2
{ npy '<i8' False '(3,)'; bytes 000 000 000 000 000 000 000 200 $largest 377 377 377 377 377 377 377 177; } >i64.npy
places "i64, all of it" '"i64" -9223372036854775808 9223372036854775808: 1 1 0 1 / 0 0 0' i64.npy --bins 4
places "i64: outside" '"i64" -1 0: 1 / 1 1 0' i64.npy --low -1 --high 0
printf 'id\n9007199254740993\n9007199254740995\n' >ids.csv
places "i64 of a table" '"i64" 9007199254740993 9007199254740996: 1 0 1 / 0 0 0' ids.csv --type i64

# f64 as it is: seconds of which f32 has every 128th, edges up, what has no bin
awk 'BEGIN { print "t"; for (i = 0; i < 100; i++) printf "%d\n", 1700000000 + 10 * i }' >times.csv
places "f64 of a table" \
    '"f64" 1700000000 1700001000: 10 10 10 10 10 10 10 10 10 10 / 0 0 0' \
    times.csv --bins 10 --low 1700000000 --high 1700001000
printf 'x\n-0.0\n0.1\n0.2\n0.3\n0.7\n0.9\n1\n-inf\ninf\nnan\n' >parts.csv
places "f64: edges" '"f64" 0 1: 1 1 1 1 0 0 0 1 0 1 / 1 2 1' parts.csv --bins 10 --low 0 --high 1
places "f64: bounds of finite numbers" '"f64" 0 1.0000000000000002: 4 3 / 1 1 1' parts.csv --bins 2
equal "f64: no note" "$err" ""
awk 'BEGIN { print "x"; for (i = 0; i < 98; i++) print i }' >whole.csv
places "whole numbers in f64" '"f64" 0 98: 49 49 / 0 0 0' whole.csv --bins 2 --low 0 --high 98

# the largest floats have a bin
f32_max="377 377 177 177" f32_min="377 377 177 377"
{ npy '<f4' False '(2,)'; bytes 000 000 000 000 $f32_max; } >f32.npy
places "f32: the largest" '"f32" 0 3.4028235e+38: 1 1 / 0 0 0' f32.npy --bins 2
places "f32: to 2^128" '"f32" 0 3.402823669209385e+38: 1 1 / 0 0 0' f32.npy --bins 2 --low 0 \
    --high 3.4028236692093846e+38
{ npy '<f4' False '(3,)'; bytes $f32_min 000 000 000 000 $f32_max; } >f32.npy
places "f32: all of it" '"f32" -3.4028235e+38 3.4028235e+38: 1 1 1 / 0 0 0' f32.npy --bins 3
places "f32: as f64" '"f64" -3e+38 3e+38: 0 1 0 / 1 1 0' f32.npy --type f64 --bins 3 --low -3e38 \
    --high 3e38
f64_max="377 377 377 377 377 377 357 177" f64_min="377 377 377 377 377 377 357 377"
{ npy '<f8' False '(2,)'; bytes $f64_min $f64_max; } >f64.npy
places "f64: all of it" '"f64" -1.7976931348623157e+308 1.7976931348623157e+308: 1 0 1 / 0 0 0' \
    f64.npy --bins 3
{ npy '<f8' False '(2,)'; bytes $f64_max $f64_max; } >f64.npy
places "f64: only the largest" \
    '"f64" 1.7976931348623157e+308 1.7976931348623157e+308: 2 0 / 0 0 0' f64.npy --bins 2

# a file that passes in chunks has the counts of one that does not
"$tool" random --n 5000 --type f64 --out random.npy >/dev/null || fail "random"
for type in f64 f32; do
    bounds="--type $type --low 0.25 --high 0.75 --bins 7"
    run histogram random.npy $bounds --json
    whole=$(counts)
    run histogram random.npy $bounds --json --chunk 1000
    equal "$type in chunks" "$(counts)" "$whole"
done

refused 2 "for bins of u64 they are whole numbers from 0 to 18446744073709551616, not '18446744073709551617'" \
    histogram u64.npy --high 18446744073709551617
refused 2 "from 0 to 18446744073709551616, not '-1'" histogram u64.npy --low -1
refused 2 "from 0 to 4294967296, not '0.5'" histogram u32.npy --low 0.5
refused 2 "--low 18446744073709551615 is not below --high 5" histogram u64.npy \
    --low 18446744073709551615 --high 5
refused 1 "are finite values of the type" histogram f32.npy --low 0 --high 1e39
finish
