#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# histogram, select, partition and unique against awk, sort and uniq, and what they refuse.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# cell NAME COMMAND...: one column of the row that --csv prints
cell()
{
    cell_name=$1
    shift
    "$tool" "$@" --csv 2>"$scratch/said" | awk -F, -v name="$cell_name" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        NR == 2 { print $column }'
}

awk 'BEGIN { print "value"; x = 7; for (i = 0; i < 3000; i++) { x = (x * 1103 + 12345) % 65536
    print int(x / 4096) } }' >data.csv
tail -n +2 data.csv >plain

# histograms
for bin in 0 3 15; do
    equal "histogram: bin $bin" "$(cell counts histogram --type u32 --low 0 --high 16 data.csv |
        cut -d ' ' -f $((bin + 1)))" \
        "$(grep -cx $bin plain)"
done
equal "histogram: elements below" "$(cell below histogram --low 4 --high 9 --bins 2 data.csv)" \
    "$(awk '$1 < 4' plain | wc -l | tr -d ' ')"
equal "histogram: elements above" "$(cell above histogram --low 4 --high 9 --bins 2 data.csv)" \
    "$(awk '$1 >= 9' plain | wc -l | tr -d ' ')"
equal "histogram: all in bins by default" "$(cell count histogram data.csv)" 3000
printf 'a\000b\377aa' >bytes
equal "histogram: bytes" "$(cell most histogram --type u8 --format raw bytes)" 3
equal "histogram: the fullest" "$(cell fullest histogram --type u8 --format raw bytes)" 97
equal "histogram: verified" "$(cell verified histogram data.csv)" true
# counts_of ARGUMENTS...: the counts of 10 bins and what lies outside
counts_of()
{
    "$tool" histogram --bins 10 "$@" --json |
        grep -o -E '"(counts": [^]]*|(below|above|nan|verified)": [^,}]*)'
}
whole=$(counts_of data.csv)
for chunk in 1K 4K 1G; do
    equal "histogram in chunks of $chunk" "$(counts_of data.csv --chunk $chunk)" "$whole"
done
equal "histogram: number of chunks" "$(cell chunks histogram --chunk 4K data.csv)" 6
# A file of the right type is counted while it is read; a pipe holds the same and is read first.
head -c 40000 "$tool" >words.bin
for how in "--type u8" "--type f32 --low -1 --high 1" "--type u32 --low 0 --high 4000000000" \
    "--type f32 --low -1 --high 1 --chunk 1000"; do
    whole=$(counts_of - --format raw $how <words.bin | grep -v verif)
    equal "histogram $how of a file" "$(counts_of words.bin --format raw $how | grep -v verif)" "$whole"
    equal "histogram $how of a file: verified" "$(cell verified histogram words.bin --format raw $how)" true
    equal "histogram $how: in chunks" \
        "$("$tool" histogram words.bin --format raw $how | grep -c '^chunks ')" 1
done
equal "histogram: bins from the numbers are read first" \
    "$("$tool" histogram words.bin --format raw --type f32 | grep -c '^chunks ')" 0
{ npy '<f4' False '(10001,)'; cat words.bin; } >short.npy
refused 1 "short.npy" histogram --low 0 --high 1 short.npy
run histogram --type u8 --format raw bytes --out counts.npy
equal "histogram --out: status ($err)" "$status" 0
equal "histogram --out: bytes" "$(wc -c <counts.npy | tr -d ' ')" $((128 + 256 * 8))

# Every bin is in what programs read; text has at most 24 rows, which hold all elements.
for bins in 24 25 256 65536; do
    run histogram --n 3000 --type u32 --low 0 --high 4294967296 --bins $bins --csv
    equal "histogram: $bins bins of CSV add up ($err)" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "counts") at = i }
        NR == 2 { n = split($at, count, " "); for (i = 1; i <= n; i++) sum += count[i]
            print n, sum }' out)" "$bins 3000"
    run histogram --n 3000 --type u32 --low 0 --high 4294967296 --bins $bins --json
    equal "histogram: $bins bins of JSON" \
        "$(sed 's/.*"counts": .\([^]]*\).*/\1/' out | tr ',' '\n' | wc -l | tr -d ' ')" $bins
    run histogram --n 3000 --type u32 --low 0 --high 4294967296 --bins $bins
    per_row=$(((bins + 23) / 24))
    equal "histogram: rows and elements of $bins bins of text" \
        "$(awk '/^bin_/ { n++; sum += $2 } END { print n, sum }' out)" \
        "$(((bins + per_row - 1) / per_row)) 3000"
done
refused 2 "is not from 1 to 65536" histogram --bins 0 --n 10
refused 2 "is not below" histogram --low 2 --high 1 --n 10
refused 1 "are more than the" histogram --type u8 --bins 300 --n 10
refused 1 "No such file" histogram nothing.npy

# selections
for where in lt le gt ge eq ne; do
    case $where in
    lt) test='$1 < 7' ;; le) test='$1 <= 7' ;; gt) test='$1 > 7' ;; ge) test='$1 >= 7' ;;
    eq) test='$1 == 7' ;; ne) test='$1 != 7' ;;
    esac
    equal "select $where" "$(cell count select --where $where --value 7 data.csv)" \
        "$(awk "$test" plain | wc -l | tr -d ' ')"
done
# The plain form of a condition, against awk.
for where in '>7' '>=7' '<7' '<=7' '==7' '!=7' '> 7' '<12.5' '>-1' '<= 1e1'; do
    value=${where#[<>=!]}
    value=${value#=}
    expected=$(awk "\$1 $where" plain | wc -l | tr -d ' ')
    equal "select '$where'" "$(cell count select --where "$where" data.csv)" "$expected"
    equal "partition '$where'" "$(cell count partition --where "$where" data.csv)" "$expected"
    equal "select '$where': the value" "$(cell value select --where "$where" data.csv | awk '{ print $1 + 0 }')" \
        "$(echo "$value" | awk '{ print $1 + 0 }')"
done
run select --where '>9007199254740993' --type i64 --n 10 --json
equal "select: a value of 64 bits ($err)" "$(grep -o '"value": [0-9]*' out)" '"value": 9007199254740993'
for where in '=7' '>' '>>7' '=>7' '<>7' '' '7' '!7' '> '; do
    refused 2 "--where: invalid condition '$where'; use >, >=, <, <=, == or != and a value, as '>30'" \
        select --where "$where" --n 10
done
refused 2 "--where: 'x' is not a value of type f32" select --where '>x' --n 10
refused 2 "--where: '7 8' is not a value of type f32" partition --where '>7 8' --n 10
refused 2 "--where: '300' is not a value of type u8" partition --where '>300' --type u8 --n 10
refused 2 "--where '>7' has a value; omit --value" select --where '>7' --value 7 --n 10
equal "select: verified" "$(cell verified select --where gt --value 5 data.csv)" true
equal "select: the last" "$(cell last select --type i64 --where lt --value 9 data.csv)" \
    "$(awk '$1 < 9' plain | tail -n 1)"
equal "partition" "$(cell rejected partition --where lt --value 9 --type i32 data.csv)" \
    "$(awk '$1 >= 9' plain | wc -l | tr -d ' ')"
equal "partition: verified" "$(cell verified partition --where lt --value 9 data.csv)" true
run partition --where lt --value 9 --type u8 data.csv --out both.npy
(awk '$1 < 9' plain; awk '$1 >= 9' plain) | integers 1 >expected
equal "partition --out ($err)" "$(tail -c 3000 both.npy | cksum)" "$(cksum <expected)"
equal "unique" "$(cell count unique data.csv)" "$(uniq plain | wc -l | tr -d ' ')"
sort -n plain | integers 1 >sorted
equal "unique of sorted" "$(cell count unique --type u8 --format raw sorted)" \
    "$(sort -u plain | wc -l | tr -d ' ')"
equal "unique --counts: the longest run" \
    "$(cell longest unique --counts --type u8 --format raw sorted)" \
    "$(sort -n plain | uniq -c | sort -n | tail -n 1 | awk '{ print $1 }')"
run unique --counts --type u8 --format raw sorted --lengths lengths.npy --out values.npy
sort -n plain | uniq -c | awk '{ print $1 }' | integers 8 >expected
equal "unique --lengths ($err)" "$(tail -c +129 lengths.npy | cksum)" "$(cksum <expected)"
equal "select of nothing" "$(cell count select --n 0)" 0
refused 2 "did you mean 'gt'" select --where gx --n 10
refused 2 "is not a value of type u8" select --type u8 --value 256 --n 10
refused 2 "is not a value of type f32" select --value x --n 10
refused 2 "requires --counts" unique --n 10 --lengths lengths.npy
refused 2 "one of lt le gt ge eq ne" select --where between --n 10

[ "$small" ] && finish # measuring takes minutes where every access is watched
for what in histogram select partition unique; do
    run bench $what --sizes 1000,2^12 --cache 64K --rounds 3 --csv
    equal "bench $what: exit status ($err)" "$status" 0
done
finish
