#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments of the laboratory whose kernels count or verify their own results, against closed
# forms at both warp sizes, and reads of constants.
. "$(dirname "$0")/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
find_python || { echo "no python3"; exit 77; }
[ "$backend" = cpu ] || exit 77
[ -n "$small" ] && counted=counted || counted=

# experiment ROWS NAME OPTIONS...: at both warp sizes.
experiment()
{
    rows=$1
    shift
    for warp in 32 64; do
        HEDDLE_CPU_WARP=$warp
        export HEDDLE_CPU_WARP
        run lab "$@" --json
        equal "$ran, warp $warp: exit status ($err)" "$status" 0
        equal "$ran, warp $warp: rows" "$(printf '%s\n' "$out" | grep -c '"case"')" "$rows"
        # shellcheck disable=SC2086
        equal "$ran, warp $warp: against closed forms" \
            "$("$python" "$here/lab_operations_reference.py" "$scratch/out" $counted 2>&1 | head -n 5)" ""
    done
    unset HEDDLE_CPU_WARP
}

# output NAME: text has the sentence, CSV has rows of one width, --no-verify judges nothing.
output()
{
    run lab "$1"
    equal "$ran: exit status ($err)" "$status" 0
    if [ -n "$counted" ] || [ "$1" != constants ]; then sentence="rows as the model predicts"; else sentence="Nothing is counted"; fi
    equal "$ran: the sentence" "$(grep -c "$sentence" "$scratch/out")" 1
    run lab "$1" --csv
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: columns" \
        "$(sed 's/"[^"]*"/text/g' "$scratch/out" | awk -F, '{ print NF }' | sort -u | wc -l | tr -d ' ')" 1
    run lab "$1" --no-verify --json
    equal "$ran: verified" "$(grep -c '"verified": "skipped"' "$scratch/out")" 1
}

experiment 18 latency
experiment 11 latency --parts chase --size 4M
experiment 4 latency --parts atomics --steps 1
experiment 5 latency --parts calls --runs 1
output latency
experiment 600 contention
experiment 600 contention --turns 7 --runs 1
experiment 12 contention --ops inc,dec --scopes block,system,device --places global --turns 32
experiment 4 contention --ops and,or --types f64,i64 --places shared --scopes system
output contention
experiment 8 precision --n 7
experiment 8 precision --n 33 --runs 1
output precision
for size in 64K 100001; do
    for warp in 32 64; do
        HEDDLE_CPU_WARP=$warp
        export HEDDLE_CPU_WARP
        run lab residency --size $size --json
        equal "$ran, warp $warp: rows" "$(printf '%s\n' "$out" | grep -c '"case"')" "$([ $warp = 32 ] && echo 5 || echo 4)"
        # shellcheck disable=SC2086
        equal "$ran, warp $warp: against closed forms ($err)" \
            "$("$python" "$here/lab_operations_reference.py" "$scratch/out" $counted 2>&1 | head -n 5)" ""
    done
done
unset HEDDLE_CPU_WARP
output residency
refused 2 "--size: '1000' is not from 65536" lab residency --size 1000
refused 2 "--n: '0' is not from 1 to 4294967296" lab precision --n 0
refused 2 "--ops: unknown 'ad', did you mean 'add'?" lab contention --ops ad
refused 2 "--turns: '33' is not from 1 to 32" lab contention --turns 33
for warp in 32 64; do
    HEDDLE_CPU_WARP=$warp
    export HEDDLE_CPU_WARP
    [ $warp = 32 ] && n=6 || n=7
    run lab constants --json
    equal "$ran, warp $warp: rows" "$(printf '%s\n' "$out" | grep -c '"case"')" $((3 * n))
    # shellcheck disable=SC2086
    equal "$ran, warp $warp: against closed forms ($err)" \
        "$("$python" "$here/lab_operations_reference.py" "$scratch/out" $counted 2>&1 | head -n 5)" ""
done
unset HEDDLE_CPU_WARP
output constants
refused 2 "--kinds: unknown 'constants', did you mean 'constant'?" lab constants --kinds constants
refused 2 "--turns: '0' is not from 1 to 64" lab constants --turns 0
refused 2 "--parts: unknown 'chases', did you mean 'chase'?" lab latency --parts chases
refused 2 "--size: '100' is not from 4096 to 8589934592" lab latency --size 100
refused 2 "--steps: '0' is not from 1" lab latency --steps 0
finish
