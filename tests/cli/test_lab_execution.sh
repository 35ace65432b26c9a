#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments on execution: operations counted from the results of the kernels, and the model,
# against closed forms at both warp sizes.
. "$(dirname "$0")/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
find_python || { echo "no python3"; exit 77; }
[ "$backend" = cpu ] || exit 77
[ -n "$small" ] && requests=requests || requests=

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
            "$("$python" "$here/lab_execution_reference.py" "$scratch/out" $requests 2>&1 | head -n 5)" ""
    done
    unset HEDDLE_CPU_WARP
}

# picture NAME DOTS: text, CSV, and a picture with that many dots.
picture()
{
    run lab "$1" --plot "$scratch/lab.svg" --device-model h200
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: what is constant" "$(grep -c '^constant: ' "$scratch/out")" 1
    equal "$ran: dots" "$(grep -c '<circle' "$scratch/lab.svg")" "$2"
    run lab "$1" --csv
    equal "$ran: columns" "$(awk -F, '{ print NF }' "$scratch/out" | sort -u | wc -l | tr -d ' ')" 1
    run lab "$1" --no-verify --json
    equal "$ran: verified" "$(grep -c '"verified": "skipped"' "$scratch/out")" 1
}

experiment 24 ilp
experiment 24 ilp --turns 5
picture ilp 24
experiment 13 intensity
experiment 13 intensity --device-model h200 --size 100000
experiment 13 intensity --device-model mi300x
picture intensity 13
experiment 10 registers
experiment 2 registers --kinds local --turns 7
picture registers 0
experiment 9 roofline
experiment 9 roofline --side 33 --device-model h200
experiment 9 roofline --device-model mi300x
run lab roofline --device-model h200 --plot "$scratch/roof.svg"
equal "$ran: exit status ($err)" "$status" 0
equal "$ran: a point for each kernel" "$(grep -c '<circle' "$scratch/roof.svg")" 9
equal "$ran: one roof" "$(grep -c '<polyline' "$scratch/roof.svg")" 1
equal "$ran: the ridge" "$(grep -c 'meet at 13.9 flop/byte' "$scratch/out")" 1
run lab roofline --csv
equal "$ran: rows" "$(wc -l <"$scratch/out" | tr -d ' ')" 10
refused 2 "--plot: the CPU engine has no roof; say which with --device-model" lab roofline --plot "$scratch/r.svg"
refused 2 "--side: '31' is not from 32 to 32768" lab roofline --side 31
run lab ilp --device-model mi300x --json
equal "$ran: published" "$(grep -o '"reference": [0-9][0-9]*' "$scratch/out")" '"reference": 83022'

# The pictures of docs/lab.md are those that the command draws.
for name in ilp registers intensity roofline; do
    model=
    case $name in intensity | roofline) model="--device-model h200" ;; esac
    # shellcheck disable=SC2086
    run lab $name $model --plot "$scratch/lab.svg"
    equal "docs/pictures/lab-$name.svg: redraw it" \
        "$(cmp "$scratch/lab.svg" "$here/../../docs/pictures/lab-$name.svg" 2>&1)" ""
done

refused 2 "--turns: '65' is not from 1 to 64" lab ilp --turns 65
refused 2 "--size: '16383' is not from 16384" lab intensity --size 16383
refused 1 "" lab intensity --size 2^40
refused 2 "--kinds: unknown 'spil', did you mean 'spill'?" lab registers --kinds spil
refused 2 "--turns: '0' is not from 1 to 64" lab registers --turns 0
finish
