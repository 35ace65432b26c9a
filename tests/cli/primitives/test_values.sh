#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Numbers against od and awk, which know nothing of heddle.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# expected TYPE_OF_OD BYTES FILE: count sum min max argmin argmax of integers below 2^53.
expected()
{
    od -An -v "-t$1" "-w$2" "$3" | awk 'NR == 1 { min = max = $1; low = high = 0 }
        { sum += $1 }
        $1 < min { min = $1; low = NR - 1 }
        $1 > max { max = $1; high = NR - 1 }
        END { printf "%d,%.0f,%.0f,%.0f,%d,%d", NR, sum, min, max, low, high }'
}

# The tool's own bytes, read as every integer type that awk can add up exactly.
head -c 300000 "$tool" >bytes.bin
types="u8:u1:1 i16:d2:2 i32:d4:4"
[ -z "$every_case" ] || types="$types i8:d1:1 u16:u2:2 u32:u4:4"
for each in $types; do
    type=${each%%:*}
    rest=${each#*:}
    head -c $((100001 / ${rest#*:} * ${rest#*:})) bytes.bin >part.bin
    equal "$type" "$(results part.bin --type "$type" --op count,sum,min,max,argmin,argmax |
        tail -n 1)" "$(expected "${rest%:*}" "${rest#*:}" part.bin)"
done

# Mean and norm of bytes, which are exact in f64 up to their last operation.
od -An -v -tu1 -w1 bytes.bin | awk '{ sum += $1; squares += $1 * $1 }
    END { printf "%.17g\n%.17g\n", sum / NR, sqrt(squares) }' >expected
results bytes.bin --type u8 --op mean,norm2 | tail -n 1 | tr , '\n' >found
near "mean of u8" "$(sed -n 1p found)" "$(sed -n 1p expected)" 1e-15
near "norm2 of u8" "$(sed -n 2p found)" "$(sed -n 2p expected)" 1e-15

# 64-bit sums take 128 bits and are printed in full.
printf '\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377' >ones.bin
equal "sum beyond u64" "$(value sum ones.bin --type u64)" 36893488147419103230
printf '\000\000\000\000\000\000\000\200\000\000\000\000\000\000\000\200' >lowest.bin
equal "sum below i64, and the least" "$(results lowest.bin --type i64 --op sum,min | tail -n 1)" \
    -18446744073709551616,-9223372036854775808

# Means of integers are the exact quotient, rounded once: 5284907651603014165 / 3, -3 (2^53 + 1) / 3
# in the middle of two doubles, 2^64 - 1.
printf '\043\155\356\105\063\121\344\123\311\072\312\101\114\106\301\350' >three.bin
printf '\051\372\321\244\002\054\262\014' >>three.bin
equal "mean above 2^53" "$(value mean three.bin --type i64)" 1.7616358838676713e+18
tie='\377\377\377\377\377\377\337\377'
printf "$tie$tie$tie" >tie.bin
equal "mean between two doubles" "$(value mean tie.bin --type i64)" -9007199254740992
equal "mean of 128-bit sums" "$(value mean ones.bin --type u64),$(value mean lowest.bin --type i64)" \
    1.8446744073709552e+19,-9.2233720368547758e+18

# f32: 1, -2.5, 0.1f, NaN, infinities.
one='\000\000\200\077' minus='\000\000\040\300' tenth='\315\314\314\075'
nan='\000\000\300\177' infinity='\000\000\200\177' minus_infinity='\000\000\200\377'
printf "$one$minus$tenth" >f32.bin
equal "f32" "$(results f32.bin --type f32)" "count,sum,min,max,argmin,argmax,mean,norm2
3,-1.39999998,-2.5,1,1,0,-0.46666665871938068,2.6944387"
printf "$one$nan$minus" >nan.bin
equal "NaN" "$(results nan.bin --type f32)" "count,sum,min,max,argmin,argmax,mean,norm2
3,nan,nan,nan,1,1,nan,nan"
printf "$one$infinity$minus_infinity" >infinite.bin
equal "infinities" "$(results infinite.bin --type f32)" \
    "count,sum,min,max,argmin,argmax,mean,norm2
3,nan,-inf,inf,2,1,nan,inf"
printf '\000\074\000\300\000\070' >f16.bin
equal "f16: 1, -2, 0.5" "$(results f16.bin --type f16 --op sum,min,max,argmin,argmax,mean)" \
    "sum,min,max,argmin,argmax,mean
-0.5,-2,1,1,0,-0.16666666666666666"

# f32 of every size, against od, which has too few digits for subnormal ones.
tr '\100-\177\300-\377' '\000-\077\200-\277' <bytes.bin | tr '\000\200' '\040\240' >floats.bin
od -An -v -tf4 -w4 floats.bin | awk '{ sum += $1 < 0 ? -$1 : $1 }
    NR == 1 || $1 < min { min = $1 }
    END { printf "%.17g\n%.17g\n", min, sum }' >expected
results floats.bin --type f32 --op min,norm1 | tail -n 1 | tr , '\n' >found
near "min of f32" "$(sed -n 1p found)" "$(sed -n 1p expected)" 1e-6
near "norm1 of f32" "$(sed -n 2p found)" "$(sed -n 2p expected)" 1e-5

# The same numbers and no others in every algorithm that promises the bits.
whole=$(results floats.bin --type f32 --op count,sum,min,max,mean)
exact=$(results bytes.bin --type i32 --op count,sum,min,max,mean)
for algorithm in tree shuffle host; do
    equal "--algo $algorithm" "$(results floats.bin --type f32 --algo "$algorithm")" "$whole"
done
for algorithm in atomic lock; do
    equal "--algo $algorithm" "$(results bytes.bin --type i32 --algo "$algorithm")" "$exact"
done
refused 1 "HD_ERR_UNSUPPORTED" reduce floats.bin --type f32 --algo tree --op norm2

[ -n "$every_case" ] || finish

# Products, and the largest that fits.
echo 3 -5 7 | integers 4 >product.bin
equal "product of i32" "$(value prod product.bin --type i32)" -105
echo 65535 65537 4294967297 | integers 8 >product.bin
equal "largest u64" "$(value prod product.bin --type u64)" 18446744073709551615
echo 65535 65535 65535 65535 65535 0 | integers 2 >product.bin
equal "a zero ends a product" "$(value prod product.bin --type u16)" 0

# Arrays of several axes: where the extremes stand.
{ npy '<i4' False '(2, 3)'; echo 4 8 -1 9 0 2 | integers 4; } >c.npy
{ npy '<i4' True '(2, 3)'; echo 4 8 -1 9 0 2 | integers 4; } >f.npy
text=$("$tool" reduce c.npy | grep -E '^(argmin|argmax|sum) ' | tr -s ' ')
equal "C order" "$text" "sum 22
argmin 2 (0, 2)
argmax 3 (1, 0)"
text=$("$tool" reduce f.npy | grep -E '^(argmin|argmax|sum) ' | tr -s ' ')
equal "Fortran order" "$text" "sum 22
argmin 2 (0, 1)
argmax 3 (1, 1)"

# Tables.
cat >table.csv <<END
name,x,y
"a, b",1.5,10
c,-2.25,9007199254740993
d,4,-3
END
equal "column by name" "$(results table.csv --column x --op count,sum,min,argmax)" \
    "count,sum,min,argmax
3,3.25,-2.25,2"
equal "column by number" "$(value sum table.csv --column 2)" 3.25
equal "exact integers" "$(value sum table.csv --column y --type i64)" 9007199254741000
tr , '\t' <table.csv | sed 1,2d >table.tsv
equal "TSV without a header" "$(value sum table.tsv --column 2)" 1.75
equal "standard input" "$("$tool" reduce - --format csv --column x --op sum --csv <table.csv |
    sed -n '2s/,.*//p')" 3.25
table=${HEDDLE_SOURCE_DIR:-$(dirname "$0")/../../..}/docs/temperatures.csv
near "the table of docs/" "$(value sum "$table" --column celsius)" \
    "$(awk -F, 'NR > 1 { sum += $2 } END { printf "%.17g", sum }' "$table")" 1e-12
finish
