#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle sort against sort(1): files in and out, places, what is refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# Numbers of an array's data as text, one a line: numbers TYPE_OF_OD BYTES COUNT FILE
numbers()
{
    tail -c $(($2 * $3)) "$4" | od -An -v "-t$1" "-w$2" | tr -d ' '
}

head -c 20000 "$tool" >bytes.bin
run sort bytes.bin --type i32 --out up.npy --json
equal "sort: status ($err)" "$status" 0
case $out in *'"count": 5000'*'"verified": true'*) ;; *) fail "JSON: $out" ;; esac
od -An -v -td4 -w4 bytes.bin | tr -d ' ' | sort -n >expected
numbers d4 4 5000 up.npy >found
cmp -s expected found || fail "ascending i32"
run sort bytes.bin --type u64 --descending --out down.npy
od -An -v -tu8 -w8 bytes.bin | tr -d ' ' | sort -rn >expected
numbers u8 8 2500 down.npy >found
cmp -s expected found || fail "descending u64"

# A column of a table; the places that the numbers came from, equal ones in their order.
printf 'x\n3.5\n-1\n3.5\n-1\n0\n' >table.csv
run sort table.csv --column x --type f64 --values --out places.npy
equal "places ($err)" "$(numbers u8 8 5 places.npy | tr '\n' ' ')" "1 3 4 0 2 "
run sort table.csv --column x --type f64 --values --descending --out places.npy
equal "places, descending ($err)" "$(numbers u8 8 5 places.npy | tr '\n' ' ')" "0 2 4 1 3 "

for how in "--pattern zipf" "--pattern constant" "--type f32 --pattern alternating" \
    "--type u64 --first-bit 4 --end-bit 21"; do
    run sort --n 30001 --values --json $how
    equal "$how: status ($err)" "$status" 0
    case $out in *'"verified": true'*) ;; *) fail "$how: $out" ;; esac
done
run sort --n 0
equal "nothing: status ($err)" "$status" 0

refused 2 "--first-bit" sort --n 10 --type u32 --first-bit 9 --end-bit 8
refused 2 "--end-bit" sort --n 10 --type u32 --end-bit 40
refused 1 "missing.bin" sort missing.bin --type u32
finish
