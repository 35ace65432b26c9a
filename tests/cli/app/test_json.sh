#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# What --json and --csv print is valid and has the promised keys.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }

# valid WHAT: the output of the last run is one JSON value.
valid()
{
    checks=$((checks + 1))
    "$python" -m json.tool <"$scratch/out" >/dev/null 2>"$scratch/why" ||
        fail "$1 is no JSON: $(cat "$scratch/why"): $out"
}

# keys: of the object of the last run, in order.
keys()
{
    "$python" -c 'import json, sys; print(" ".join(json.load(sys.stdin)))' <"$scratch/out"
}

# get EXPRESSION: of the object o.
get()
{
    "$python" -c 'import json, sys; o = json.load(sys.stdin); print('"$1"')' <"$scratch/out"
}

origin="seconds gbps file format type column devices"
indices="argmin_index argmax_index"
report="$heading count sum min max argmin argmax mean norm2 $origin $indices verified"
head -c 100000 "$tool" >data.bin
types="i8 u64 f32"
[ -z "$every_case" ] || types="u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64"
for type in $types; do
    run reduce data.bin --type $type --json
    valid $type
    equal "keys of $type" "$(keys)" "$report"
done
run reduce data.bin --type u8 --op sum,norm1 --json
equal "keys of --op" "$(keys)" "$heading sum norm1 $origin verified"

printf '\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377' >ones.bin
run reduce ones.bin --type u64 --json
equal "a sum beyond 64 bits" "$(get 'o["sum"]')" 36893488147419103230

printf '\000\000\300\177\000\000\200\177\000\000\200\377' >special.bin
run reduce special.bin --type f32 --json
valid "NaN and infinities"
equal "NaN" "$(get 'o["sum"]')" NaN
tail -c 8 special.bin >infinite.bin
run reduce infinite.bin --type f32 --json
equal "infinities" "$(get 'o["min"] + o["max"]')" -InfinityInfinity

{ npy '<i4' False '(2, 1, 3)'; echo 4 8 -1 9 0 2 | integers 4; } >axes.npy
run reduce axes.npy --json
equal "keys of several axes" "$(keys)" "$report"
equal "indices" "$(get '(o["argmin_index"], o["argmax_index"])')" "([0, 0, 2], [1, 0, 0])"
equal "where the numbers come from" "$(get '(o["file"], o["format"], o["type"])')" \
    "('axes.npy', 'npy', 'i32')"
equal "types" "$(get 'type(o["sum"]).__name__ + type(o["mean"]).__name__')" intfloat

printf 'a,"b ""x"""\n1,2\n' >'ta"ble.csv'
run reduce 'ta"ble.csv' --column 2 --op sum --json
valid "a table"
equal "keys of a table" "$(keys)" "$heading sum $origin verified"
equal "a column" "$(get '(o["file"], o["format"], o["type"], o["sum"])')" \
    "('ta\"ble.csv', 'csv', 'f64', 2)"
run reduce 'ta"ble.csv' --column a --op sum --csv
equal "CSV of a table" \
    "$("$python" -c 'import csv, sys; print(list(csv.reader(sys.stdin))[1][3:7])' <out)" \
    "['ta\"ble.csv', 'csv', 'f64', 'a']"
run reduce 'ta"ble.csv' --column a
equal "text of a table: bytes" "$(sed -n '1s/.*, //p' out)" "8 B in memory)"
run reduce axes.npy
equal "text of an array: bytes" "$(sed -n '1s/.*, //p' out)" "24 B)"
printf '1,2\n3,4\n' >bare.csv
run reduce bare.csv --column 2 --op sum --json
equal "a column without a name" "$(get 'o["column"]')" 2

: >empty.bin
run reduce empty.bin --type i64 --json
valid "the report of nothing"
equal "keys of nothing" "$(keys)" "$report"
equal "nothing" "$(get 'list(o.values())[5:13]')" "[0, 0, None, None, None, None, None, 0]"
{ npy '<i4' False '(2, 0)'; } >none.npy
run reduce none.npy --json
valid "the report of an axis of 0"
equal "keys of an axis of 0" "$(keys)" "$report"

run info --json
valid info
equal "devices" "$(get 'len(o["devices"]) > 0 and all(d["warp_size"] > 0 for d in o["devices"])')" \
    True

# What is not known is null, and '-' in text; no value of these is 0.
unknown='[k for d in o["devices"] for k in ("clock_khz", "memory_bus_bits", "registers_per_block",
    "arch_major") if d[k] is not None and d[k] <= 0]'
equal "info: zeros" "$(get "$unknown")" "[]"
if [ "$backend" = cpu ]; then
    equal "info: nulls" "$(get '[o["devices"][0][k] for k in ("clock_khz", "arch_minor")]')" \
        "[None, None]"
    equal "info: in text" "$("$tool" info --all | sed -n 's/^  core clock in kHz  *//p' |
        sort -u)" -
fi

# The name of a file is its path, escaped for JSON alone and not shortened; text is fit to print.
long=$(printf '%0240d' 0).bin
for name in 'q"uo\te
line.bin' "$long"; do
    head -c 4000 data.bin >"$name"
    for command in sort scan histogram transpose unique; do
        run $command "$name" --type i32 --json
        [ $command = histogram ] && run histogram "$name" --type u32 --low 0 --high 9 --json
        [ $command = transpose ] && run transpose "$name" --type i32 --rows 10 --json
        valid "$command of an odd name"
        equal "$command: its name" "$(get 'o["input"]')" "$name"
    done
    run match xyz "$name" --json
    equal "match: its name" "$(get 'o["file"]')" "$name"
    run sort "$name" --type i32 --csv
    equal "CSV: its name" "$("$python" -c 'import csv, sys
print(list(csv.reader(open("out", newline="")))[1][0])')" "$name"
done
run sort 'q"uo\te
line.bin' --type i32
equal "text: its name" "$(sed -n 's/^input  *//p' out)" 'q"uo\te\nline.bin'

# Commands that measure several things print one object with a list of them.
run hostwork --n 100 --chunks 4 --runs 1 --json
valid "hostwork --json"
equal "keys of hostwork" "$(keys)" "$heading chunks n streams rows verified"
equal "its strategies" "$(get '[(w["strategy"], w["verified"]) for w in o["rows"]] + [o["verified"]]')" \
    "[('threads', True), ('functions', True), ('queue', True), ('tasks', True), True]"
run hostwork --n 100 --chunks 4 --runs 1 --strategies queue --no-verify --json
valid "hostwork --strategies queue --json"
equal "one strategy, not verified" "$(get '[w["verified"] for w in o["rows"]] + [o["verified"]]')" \
    "['skipped', 'skipped']"

# What cannot be verified is skipped, which fails where --verify asks for it.
for command in "montecarlo --payoff asian --paths 100" "laplace3d --n 200 --sweeps 60 --periodic xyz"; do
    [ -z "$small" ] || continue
    run $command --runs 1 --json
    equal "$command: exit status ($err)" "$status" 0
    equal "$command: not verified" "$(get 'o["verified"]')" skipped
    run $command --runs 1 --verify --json
    valid "$command --verify"
    equal "$command --verify: exit status" "$status" 1
    equal "$command --verify" "$err" \
        "heddle: ${command%% *}: not verified: the host has no reference for this"
done
run montecarlo --payoff european --paths 100 --runs 1 --verify --json
equal "montecarlo --verify: exit status ($err)" "$status" 0
run montecarlo --payoff asian --paths 100 --runs 1 --no-verify --json
equal "montecarlo --no-verify: exit status ($err)" "$status" 0

# There is no gbps where bytes are not what is counted.
for command in "laplace --nx 30 --sweeps 3" "laplace3d --n 9 --sweeps 3" "montecarlo --paths 100" \
    "hostoverlap --ms 0.1 --n 500"; do
    run $command --runs 1 --json
    valid "$command --json"
    equal "$command: GB/s" "$(get '"gbps" in o or "seconds" not in o')" False
done
run sort --n 0 --json
equal "sort of nothing: GB/s" "$(get 'o["gbps"]')" 0

# CSV has as many cells in its row as in its header.
run reduce data.bin --type u8 --csv
equal "CSV" "$("$python" -c 'import csv, sys; r = list(csv.reader(sys.stdin))
print(len(r), len(r[0]) == len(r[1]), " ".join(sorted(r[0])))' <"$scratch/out")" "2 True $(echo $report | tr ' ' '\n' | sort | tr '\n' ' ' |
    sed 's/ $//')"
finish
