#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy
# Chunk sizes, pipes and small devices change no bit.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# 6 MB that differ everywhere: the tool's bytes with a counter mixed in; as f32 below 2.
for turn in 1 2 3 4 5 6 7 8 9 10 11 12; do
    head -c 500000 "$tool"
    seq $((turn * 1000)) $((turn * 1000 + 999))
done | head -c 6000000 | tr '\100-\177\300-\377' '\000-\077\200-\277' >data.bin
head -c $(($(wc -c <data.bin) / 8 * 8)) data.bin >cut.bin && mv cut.bin data.bin

types="f32 u64" sizes="64K 2500000"
[ -z "$every_case" ] || [ -n "$small" ] || types="f32 f64 i32 u8 u64" sizes="1 64K 1M 2500000 1G"
for type in $types; do
    whole=$(results data.bin --type $type)
    for chunk in $sizes; do
        equal "$type in chunks of $chunk" "$(results data.bin --type $type --chunk $chunk)" "$whole"
    done
    equal "$type from a pipe" \
        "$(cat data.bin | "$tool" reduce - --type $type --csv |
            numbers)" "$whole"
done
# In parts on several devices.
[ "$backend" != cpu ] || export HEDDLE_CPU_DEVICES=4
for devices in ${every_case:+0 1,0 0-2} all; do
    for type in $types; do
        equal "$type on devices $devices" "$(results data.bin --type $type --devices $devices)" \
            "$(results data.bin --type $type)"
    done
done
all=prod,norm1,norminf,count
equal "other operations on all devices" "$(results data.bin --type f64 --devices all --op $all)" \
    "$(results data.bin --type f64 --op $all)"
equal "a pipe on all devices" "$(cat data.bin | value norm2 - --type f32 --devices all)" \
    "$(value norm2 data.bin --type f32)"
equal "nothing on all devices" "$(value sum /dev/null --type f32 --devices all)" 0
[ "$backend" != cpu ] || equal "devices that are told" \
    "$("$tool" reduce data.bin --type f32 --devices 2,0 | grep '^devices ' | cut -d: -f1)" \
    "devices    2,0"
for option in "--device 0" "--chunk 1M" "--algo tree"; do
    refused 2 "--devices cannot be combined with ${option% *}" reduce data.bin --type f32 --devices 0 $option
done
refused 2 "there is no device 99" reduce data.bin --type f32 --devices 0,99
unset HEDDLE_CPU_DEVICES

# What a pipe or a table brings is kept in a file where it is more than some memory.
whole=$(results data.bin --type f32)
for most in 1 65536 1000001 16000000; do
    equal "a pipe, $most bytes of it in memory" "$(cat data.bin |
        HEDDLE_SPOOL_MEMORY=$most "$tool" reduce - --type f32 --chunk 1M --csv |
        numbers)" "$whole"
done
seq 1 3000 | awk '{ print $1 "," $1 * 1.25 }' >table.csv
equal "a table that is kept in a file" "$(HEDDLE_SPOOL_MEMORY=999 results table.csv --column 2)" \
    "$(results table.csv --column 2)"
equal "an empty pipe" "$(value sum - --type u8 </dev/null)" 0
mkdir -p kept
equal "nothing is left behind" "$(TMPDIR=kept HEDDLE_SPOOL_MEMORY=9 results table.csv --column 2 |
    wc -l | tr -d ' '; ls kept)" 2
TMPDIR=$scratch/none HEDDLE_SPOOL_MEMORY=9 refused 1 "cannot keep more than 0 numbers (TMPDIR)" \
    reduce table.csv --column 2
equal "product in chunks" "$(results data.bin --type f64 --op prod,norm1,norminf --chunk 64K)" \
    "$(results data.bin --type f64 --op prod,norm1,norminf)"

# The chunks are really there, and one element is a chunk too.
equal "chunks that are told" "$("$tool" reduce data.bin --type f32 --chunk 1M | grep -c '^chunks ')" 1
equal "none without" "$("$tool" reduce data.bin --type f32 | grep -c '^chunks ')" 0
# Whole tiles, rounded down; at least one, which is 32 KiB here.
for size in 1 32767 32768 65535; do
    equal "--chunk $size" "$("$tool" reduce data.bin --type u8 --op sum --chunk $size |
        grep '^chunks ' | tr -s ' ' | cut -d' ' -f2-)" \
        "$((($(wc -c <data.bin) + 32767) / 32768)) of at most 32768 elements"
done
printf '\007' >one.bin
equal "one element in chunks" "$(value sum one.bin --type u8 --chunk 1M)" 7
equal "no element in chunks" "$(value sum /dev/null --format raw --chunk 1M)" 0

# A file that a truncation or a growth would betray, larger than the device.
if [ "$backend" = cpu ]; then
    turns="1 2 3 4 5 6 7"
    [ -z "$small" ] || turns="1 2 3"
    for turn in $turns; do
        cat data.bin
    done >large.bin
    whole=$(results large.bin --type f32)
    equal "$(wc -c <large.bin) bytes through a device of 16 MB" \
        "$(HEDDLE_CPU_MEMORY=16M results large.bin --type f32)" "$whole"
    equal "chunks on a small device" "$(HEDDLE_CPU_MEMORY=16M "$tool" reduce large.bin --type f32 |
        grep -c '^chunks ')" 1
    HEDDLE_CPU_MEMORY=16M refused 1 "HD_ERR_NO_MEMORY" reduce large.bin --type f32 --algo tree
fi
finish
