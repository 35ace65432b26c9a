#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# Files and devices that cannot be used: one line, exit 1, never a number.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

refused 1 "missing.npy: " reduce missing.npy
refused 1 "missing.bin: " reduce missing.bin
mkdir folder
refused 1 "folder: " reduce folder
printf '\001\002\003\004' >four.bin
chmod 000 four.bin
[ -r four.bin ] || refused 1 "four.bin: " reduce four.bin --type u8
chmod 600 four.bin

# Bytes that might be anything: no number is guessed.
unknown="cannot tell what this is; give --type TYPE for raw numbers, --column for CSV, or --format"
echo "1 2 3" >notes.txt
refused 2 "reduce: notes.txt: $unknown" reduce notes.txt
refused 2 "reduce: four.bin: $unknown" reduce four.bin --op sum --json
refused 2 "reduce: standard input: $unknown" reduce -
equal "bytes that are asked for" "$(value sum four.bin --format raw)" 10
equal "a column that is asked for" "$(value sum notes.txt --delimiter ' ' --column 2)" 2

# Packed files are named, and read as bytes by those who ask for bytes.
printf '\037\213\010\000\000\000\000\000\000\003' >packed.gz
cp packed.gz packed.npy
cp packed.gz packed.csv
for packed in "packed.gz" "packed.npy" "packed.csv" "packed.gz --column 1" \
    "packed.gz --format npy" "packed.gz --format csv --type i64"; do
    refused 1 "${packed%% *}: is compressed by gzip; unpack it first" reduce $packed
done
equal "packed bytes" "$(value count packed.gz --type u8)" 10

# Raw data: a size that is no multiple of the type's.
printf '\001\002\003\004\005' >five.bin
refused 1 "five.bin: " reduce five.bin --type f32
refused 1 "five.bin: " reduce five.bin --type i16

# No elements: the report says what is not defined; asked for by name it is an error.
: >empty.bin
run reduce empty.bin --type f32
equal "report of nothing: exit status ($err)" "$status" 0
equal "report of nothing" "$(sed '1d; /^$/,$d' out | tr -s ' ')" "count 0
sum 0
min undefined
max undefined
argmin undefined
argmax undefined
mean undefined
norm2 0"
equal "report of nothing in CSV" "$(results empty.bin --type i32)" \
    "count,sum,min,max,argmin,argmax,mean,norm2
0,0,,,,,,0"
equal "report of nothing in chunks" "$(results empty.bin --type i32 --chunk 1M | tail -n 1)" \
    "0,0,,,,,,0"
equal "report of nothing, --algo tree" "$(results empty.bin --type i32 --algo tree | tail -n 1)" \
    "0,0,,,"
refused 1 "empty.bin: no elements, so min is not defined" reduce empty.bin --type u8 --op min
refused 1 "no elements, so argmax is not defined" reduce empty.bin --type u8 --op sum,argmax
refused 1 "no elements, so mean is not defined" reduce empty.bin --type u8 --op mean
equal "sum of nothing" "$(results empty.bin --op count,sum,norm2,prod --type f32)" \
    "count,sum,norm2,prod
0,0,0,1"
npy '<f8' False '(0, 3)' >empty.npy
refused 1 "empty.npy: no elements" reduce empty.npy --op max
equal "report of an array with an axis of 0" "$(results empty.npy | tail -n 1)" "0,0,,,,,,0"
equal "sum of an array with an axis of 0" "$(value sum empty.npy)" 0

# NumPy headers.
: >zero.npy
refused 1 "zero.npy: " reduce zero.npy
printf '\223NUMPY' >short.npy
refused 1 "short.npy: " reduce short.npy
printf 'no array at all' >text.npy
refused 1 "text.npy: " reduce text.npy
npy '<f4' False '(3,)' >nodata.npy
refused 1 "nodata.npy: " reduce nodata.npy
{ npy '<f4' False '(3,)'; printf '\000\000\200\077\000\000'; } >cut.npy
refused 1 "cut.npy: " reduce cut.npy
{ npy '>f4' False '(1,)'; printf '\077\200\000\000'; } >big.npy
refused 1 "big.npy: " reduce big.npy
{ npy '<c8' False '(1,)'; printf '12345678'; } >complex.npy
refused 1 "complex.npy: " reduce complex.npy
{ npy '|O' False '(1,)'; printf '12345678'; } >object.npy
refused 1 "object.npy: " reduce object.npy
{ npy '<f4' False '(4294967296, 4294967296)'; printf '1234'; } >huge.npy
refused 1 "huge.npy: " reduce huge.npy
{ npy '<f4' False '(-1,)'; printf '1234'; } >negative.npy
refused 1 "negative.npy: " reduce negative.npy
{ npy '<f4' Maybe '(1,)'; printf '1234'; } >order.npy
refused 1 "order.npy: " reduce order.npy
{ npy '<f4' False '(1,)'; printf '1234'; } >one.npy
refused 1 "one.npy: " reduce one.npy --type f64

# Tables: cells that are no numbers come with their line.
printf 'a,b\n1,2\n3,x\n' >cell.csv
refused 1 "line 3" reduce cell.csv --column b
refused 1 "cell.csv: " reduce cell.csv --column c
refused 1 "cell.csv: " reduce cell.csv --column 7
refused 1 "cell.csv: " reduce cell.csv
printf 'a,b\n1,2\n3\n' >row.csv
refused 1 "line 3" reduce row.csv --column b
printf 'a\n1.5\n' >fraction.csv
refused 1 "line 2" reduce fraction.csv --column a --type i64
: >zero.csv
refused 1 "zero.csv: " reduce zero.csv --column a
equal "a table without rows" "$(results zero.csv --column 1 | tail -n 1)" "0,0,,,,,,0"

# Names with control characters are printed as one line.
refused 1 'no\nsuch' reduce "no
such"

# Integers that do not fit.
{ echo 65535 65535 65535 65535 65535 | integers 2; } >product.bin
refused 1 "the product does not fit 64 bits" reduce product.bin --type u16 --op prod
run reduce product.bin --type u16 --op prod,max,sum
equal "a product that does not fit: exit status" "$status" 1
equal "a product that does not fit: message" "$err" \
    "heddle: reduce: product.bin: the product does not fit 64 bits"
equal "what fits beside it" "$(sed '1d; /^$/,$d' out | tr -s ' ')" "sum 327675
max 65535
prod does not fit 64 bits"

# Devices.
refused 2 "--device: there is no device 99; " reduce four.bin --type u8 --device 99
refused 2 "--device: 'nonsense' is not a device; " reduce four.bin --type u8 --device nonsense
refused 2 "--device: there is no device 99; " spmv --poisson 3,3 --device 99
HEDDLE_DEVICE=99
export HEDDLE_DEVICE
refused 1 "HD_ERR_DEVICE_INDEX" spmv --poisson 3,3
unset HEDDLE_DEVICE
if [ "$backend" = cpu ]; then
    HEDDLE_CPU_MEMORY=1K refused 1 "HEDDLE_CPU_MEMORY" reduce "$tool" --format raw --type u8
    HEDDLE_CPU_MEMORY=1P refused 1 "from 1M to 16T; K, M, G or T may follow" reduce four.bin --type u8
    equal "a terabyte" "$(HEDDLE_CPU_MEMORY=1T "$tool" reduce four.bin --type u8 --op count --csv | sed -n '2s/,.*//p')" \
        "$("$tool" reduce four.bin --type u8 --op count --csv | sed -n '2s/,.*//p')"
    HEDDLE_DEVICES= run info
    equal "no device: exit status is 0 or 1" "$((status > 1))" 0
fi
finish
