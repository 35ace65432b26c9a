#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# Seconds and rates that commands print: the rate times the seconds is the number of bytes that the
# algorithm has to move, and neither events nor traces claim more time than passed, or far less.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }

# field NAME: of the JSON object that was printed last.
field()
{
    "$python" -c 'import json, sys; print(repr(json.load(sys.stdin)[sys.argv[1]]))' "$1" <"$scratch/out"
}

# timed ARGUMENTS...: runs the tool; $elapsed is the seconds that it took, start and end included.
timed()
{
    begun=$(date +%s%N)
    run "$@"
    elapsed=$(echo "$begun $(date +%s%N)" | awk '{ printf "%.9f", ($2 - $1) * 1e-9 }')
    equal "$ran ($err)" "$status" 0
}

# moves BYTES ARGUMENTS...: the command says that it moves as many bytes.
moves()
{
    bytes=$1
    shift
    timed "$@" --json
    near "bytes of $ran" "$(echo "$(field gbps) $(field seconds)" | awk '{ print $1 * $2 * 1e9 }')" \
        "$bytes" 2e-5
    checks=$((checks + 1))
    echo "$(field seconds) $elapsed" | awk '{ exit !($1 > 0 && $1 < $2) }' ||
        fail "$ran: $(field seconds) s of $elapsed s"
}

moves 32768 scan --runs 1 --n 4096             # f32, read and written
moves 49152 recurrence --runs 1 --n 4096       # two inputs, one result
moves 32768 sort --runs 1 --n 4096             # u32, read and written
moves 32768 select --runs 1 --n 4096           # every element is kept
moves 16384 random --runs 1 --n 4096           # f32, written
moves 16384 histogram --runs 1 --n 4096 --bins 8 # f32, read
moves 2560 tridiag --runs 1 --n 64             # f64: three diagonals, right side, solution
head -c 100000 "$tool" >data.bin
moves 100000 reduce data.bin --type u8 --op sum
moves 200000 transpose data.bin --type u8 --rows 1000 --runs 1

# Copies: in and out move the bytes once, both ways at a time move them twice.
run bandwidth --mem pinned,pageable --least 4096 --most 4096 --runs 1 --csv
equal "bandwidth ($err)" "$status" 0
equal "bytes of bandwidth, times" \
    "$(printf '%s\n' "$out" | awk -F, 'NR > 1 { printf "%s %.3f;", $2, $4 * $5 * 1e9 / $3 }')" \
    "in 1.000;out 1.000;both 2.000;in 1.000;out 1.000;both 2.000;"

# A trace says in microseconds what events say in seconds: the spans of the kernels of the warm-up and
# of the run that was timed are most of its time or more, and no more than has passed.
timed scan --n 2^18 --runs 1 --json --trace t.json
spans=$("$python" -c 'import json
print(sum(x["dur"] for x in json.load(open("t.json"))["traceEvents"] if x.get("cat") == "kernel" and "dur" in x))')
checks=$((checks + 1))
echo "$spans $(field seconds) $elapsed" | awk '{ exit !($1 * 1e-6 > 0.2 * $2 && $1 * 1e-6 < $3) }' ||
    fail "kernels of $spans us in a trace; $(field seconds) s by events, $elapsed s passed"
finish
