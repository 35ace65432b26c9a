#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle scan against awk: operations, kinds, initial elements, segments, types, what is refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# Numbers of an array's data as text: numbers TYPE_OF_OD BYTES COUNT FILE
numbers()
{
    tail -c $(($2 * $3)) "$4" | od -An -v "-t$1" "-w$2" | tr -d ' '
}

count=5000
[ "$small" ] && count=700
awk -v n=$count 'BEGIN { print "x,first"; x = 7; for (i = 0; i < n; i++) {
    x = (x * 1103 + 12345) % 65536; print int(x / 64) - 500 "," (x % 97 == 0) } }' >data.csv
tail -n +2 data.csv >plain

# expected OP INITIAL EXCLUSIVE SEGMENTS: what the scan of the table gives.
expected()
{
    awk -F, -v op="$1" -v initial="$2" -v exclusive="$3" -v segments="$4" '
        function join(a, b) { return op == "sum" ? a + b : op == "min" ? (a < b ? a : b) : \
            (a > b ? a : b) }
        NR == 1 || (segments && $2) { all = initial }
        { before = all; all = all == "none" ? $1 : join(all, $1 + 0)
          print exclusive ? before : all }' plain
}

for op in sum min max; do
    [ $op = sum ] && neutral=0 || neutral=none
    run scan data.csv --column x --type i32 --op $op --out out.npy --runs 1 --json
    equal "$op: status ($err)" "$status" 0
    case $out in *'"verified": true'*) ;; *) fail "$op: $out" ;; esac
    equal "$op" "$(numbers d4 4 $count out.npy | cksum)" "$(expected $op $neutral '' '' | cksum)"
    run scan data.csv --column x --type i64 --op $op --initial 11 --exclusive --out out.npy --runs 1
    equal "$op, exclusive from 11 ($err)" "$(numbers d8 8 $count out.npy | cksum)" \
        "$(expected $op 11 1 '' | cksum)"
    run scan data.csv --column x --type f64 --op $op --heads-column first --initial -3 --runs 1 \
        --out out.npy
    equal "$op, segments: status ($err)" "$status" 0
    equal "$op, segments" "$(numbers f8 8 $count out.npy | awk '{ print $1 + 0 }' | cksum)" \
        "$(expected $op -3 '' 1 | cksum)"
done

# What precedes the first element where nothing is given.
for how in "i32 min 2147483647" "i64 max -9223372036854775808" "u32 min 4294967295" "u64 max 0" \
    "f32 min inf" "f64 max -inf" "f32 sum 0"; do
    set -- $how
    run scan --n 1 --type $1 --op $2 --exclusive --runs 1 --csv
    equal "$how" "$(echo "$out" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "last")
        c = i } NR == 2 { print $c + 0 == 0 ? 0 : $c }')" $3
done

# Every variant and pattern, flags of a file, bytes and pictures widened.
for how in "--algo hillis" "--algo shuffle" "--algo host --type i32" "--pattern alternating" \
    "--type u64 --pattern zipf" "--type u32 --op min --pattern reverse" "--initial 0.5 --exclusive"; do
    run scan --n 3001 --runs 1 --csv $how
    equal "$how: status ($err)" "$status" 0
    equal "$how: verified" "$(echo "$out" | grep -c ,true,)" 1
done
{ npy '|u1' False "($count,)"; tail -n +2 data.csv | cut -d, -f2 | integers 1; } >flags.npy
run scan data.csv --column x --type f32 --heads flags.npy --runs 1 --csv
equal "--heads: verified ($err)" "$(echo "$out" | grep -c ,true,)" 1
run scan data.csv --column x --type f32 --heads flags.npy --out flagged.npy --runs 1
tail -n +2 data.csv | cut -d, -f2 >flags # of any type and size: what is not 0 begins a segment
tr 1 0 <flags | paste -d. - flags | sed '1s/^/first\n/' >fractions.csv
{ npy '<i2' False "($count,)"; awk '{ print $1 * 300 }' flags | integers 2; } >wide.npy
{ npy '<i4' False "($count,)"; awk '{ print -$1 }' flags | integers 4; } >negative.npy
tail -c $count flags.npy >flags.raw
for heads in fractions.csv wide.npy negative.npy flags.raw; do
    run scan data.csv --column x --type f32 --heads $heads --out out.npy --runs 1
    equal "--heads $heads: status ($err)" "$status" 0
    cmp -s out.npy flagged.npy || fail "--heads $heads: other segments"
done
printf 'a\377b' >bytes
run scan bytes --type u8 --csv --runs 1
equal "bytes: sums of u32 ($err)" "$(echo "$out" | tail -n 1 | cut -d, -f2,6)" u32,450
printf 'x\n1\nnan\n2\n' >nan.csv
run scan nan.csv --csv --runs 1
equal "NaN stays ($err)" "$(echo "$out" | tail -n 1 | grep -c ',nan,.*,true,')" 1
run scan --n 0 --json
equal "nothing: status ($err)" "$status" 0

refused 2 "one of sum min max" scan --n 4 --op product
refused 2 "is not a value of type i32" scan --n 4 --type i32 --initial 0.5
refused 2 "is not a count" scan --n 1e3
refused 2 "is not from 0" scan --n -4
refused 2 "does not support segments" scan data.csv --column x --heads flags.npy --algo host
refused 2 "require FILE" scan --n 4 --heads flags.npy
printf '1\n2\n3\n' >three.csv
refused 1 "heads for 3 elements" scan three.csv --heads flags.npy
refused 1 "No such file" scan three.csv --heads none.npy
refused 1 "nowhere/out.npy" scan --n 4 --out nowhere/out.npy --json
refused 1 "have variants" scan --n 4 --type u32 --algo hillis
finish
