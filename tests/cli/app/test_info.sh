#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# `heddle info`: devices with the same properties are printed once; --all prints every property of
# each device.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
find_python || { echo "python3 is needed to read JSON"; exit 77; }

run info --json
equal "info --json ($err)" "$status" 0
cp out all.json
count=$("$python" -c 'import json; print(len(json.load(open("all.json"))["devices"]))')

# What people look up, as JSON has it, in few lines.
run info
equal "info ($err)" "$status" 0
equal "info: versions and devices" "$(head -n 1 out | sed 's/, compiled with .*//')" \
    "$("$python" -c 'import json; o = json.load(open("all.json")); n = len(o["devices"])
print("heddle %s, backend %s, %d device%s" % (o["version"], o["backend"], n, "s" * (n > 1)))')"
equal "info: properties that JSON has differently" "$("$python" - <<'END'
import json, re
found = {}
title = None
for line in open("out", encoding="utf-8"):
    if re.match(r"(\d+ devices?, |device \d+: )", line):
        title = title or line
    elif line.startswith("  ") and title:
        found.setdefault(line[2:19].strip(), line[19:].rstrip("\n"))
first = json.load(open("all.json"))["devices"][0]

def size(n):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n < 1024 or unit == "GiB":
            return f"{n:.1f} {unit}".replace(".0 ", " ")
        n /= 1024
expected = {
    "architecture": first["arch"],
    "warp": f'{first["warp_size"]} lanes',
    "multiprocessors": str(first["compute_units"]),
    "threads": f'at most {first["max_threads_per_block"]} per block, '
               f'{first["max_threads_per_unit"]} per multiprocessor',
    "shared memory": f'{size(first["shared_per_block"])} per block, '
                     f'{size(first["shared_per_block_max"])} with opt-in, '
                     f'{size(first["shared_per_unit"])} per multiprocessor',
}
for key, value in expected.items():
    if found.get(key) != value:
        print(key, found.get(key), value)
if first["name"] not in title:
    print(title)
END
)" ""
checks=$((checks + 1))
[ "$(wc -l <out)" -le 25 ] || [ "$backend" != cpu ] || fail "info: $(wc -l <out) lines"

# --all: a section for each device, with a line for every property of JSON but the name of its key.
run info --all
equal "info --all ($err)" "$status" 0
equal "info --all: sections" "$(grep -c '^device [0-9]*$' out)" "$count"
equal "info --all: lines of a device" "$(sed -n '/^device 0$/,/^$/p' out | grep -c '^  ')" \
    "$("$python" -c 'import json; print(len(json.load(open("all.json"))["devices"][0]))')"

if [ "$backend" = cpu ]; then
    HEDDLE_CPU_DEVICES=4 run info
    equal "4 devices: groups" "$(sed -n 's/^\([0-9]* devices, [0-9].*\): .*/\1/p' out)" "4 devices, 0 to 3"
    equal "4 devices: bus ids" "$(sed -n 's/^  bus ids  *//p' out)" "cpu:0, cpu:1, cpu:2, cpu:3"
    equal "4 devices: peers" "$(grep '^peer' out)" "peer access: between all devices"
    HEDDLE_CPU_DEVICES=4 HEDDLE_CPU_PEERS=none run info
    equal "no peers" "$(grep '^peer' out)" "peer access: none"
    HEDDLE_CPU_DEVICES=3 HEDDLE_CPU_PEERS=0-1 run info
    equal "one pair of peers" "$(sed -n '/^peer access (/,/^$/p' out)" \
"peer access (row reaches column)
         0   1   2
     0   - yes  no
     1 yes   -  no
     2  no  no   -"
    HEDDLE_CPU_DEVICES=2 run info --all
    equal "two peers with --all" "$(sed -n '/^peer access (/,/^$/p' out)" \
"peer access (row reaches column)
         0   1
     0   - yes
     1 yes   -"
    HEDDLE_CPU_DEVICES=1 run info
    equal "one device" "$(grep -c '^device 0: ' out) $(grep -c '^peer' out)" "1 0"
fi
finish
