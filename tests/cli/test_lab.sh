#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments of the laboratory: the model against closed forms, and the counts of the checking
# engine against the model, at both warp sizes. Without that engine the counts are null.
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
            "$("$python" "$here/lab_reference.py" "$scratch/out" $counted 2>&1 | head -n 5)" ""
    done
    unset HEDDLE_CPU_WARP
}

# output NAME: text says what is not there, CSV has the header and the rows of JSON.
output()
{
    run lab "$1"
    equal "$ran: exit status ($err)" "$status" 0
    if [ -n "$counted" ]; then sentence="rows as the model predicts"; else sentence="Nothing is counted"; fi
    equal "$ran: what is constant" "$(grep -c '^constant: ' "$scratch/out")" 1
    equal "$ran: clocks" "$(grep -c 'core clock -, memory clock -, power limit -' "$scratch/out")" 1
    equal "$ran: the sentence" "$(grep -c "$sentence" "$scratch/out")" 1
    run lab "$1" --csv
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: columns" "$(awk -F, '{ print NF }' "$scratch/out" | sort -u | wc -l | tr -d ' ')" 1
    rows=$(($(wc -l <"$scratch/out") - 1))
    run lab "$1" --plot "$scratch/lab.svg"
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: a bar per row" "$(grep -c '</rect>' "$scratch/lab.svg")" "$rows"
    equal "$ran: a dot per counted row" "$(grep -c '<circle' "$scratch/lab.svg")" "$([ -n "$counted" ] && echo "$rows" || echo 0)"
    run lab "$1" --no-verify --json
    equal "$ran: verified" "$(grep -c '"verified": "skipped"' "$scratch/out")" 1
    if [ -z "$counted" ]; then
        run lab "$1" --verify --csv
        equal "$ran: exit status ($err)" "$status" 1
    fi
}

experiment 489 coalescing --all
experiment 6 coalescing --patterns same,permuted --size 2M
experiment 5 coalescing --bytes 16 --patterns scattered,offset
output coalescing
experiment 114 banks --all
experiment 3 banks --patterns padded --turns 64
experiment 13 banks --bytes 8
output banks
experiment 18 divergence
experiment 65 divergence --by lane --parts 64 --turns 64
experiment 6 divergence --by warp --parts 5
output divergence
experiment 24 branches
experiment 40 branches --parts 16 --turns 3
experiment 3 branches --cases one-kernel
output branches
experiment 270 layout --all
experiment 13 layout --layouts arrays
output layout

# The pictures of docs/lab.md are those that the command draws.
for name in coalescing banks divergence branches layout; do
    run lab $name --plot "$scratch/lab.svg"
    [ -z "$counted" ] || equal "docs/pictures/lab-$name.svg: redraw it" \
        "$(cmp "$scratch/lab.svg" "$here/../../docs/pictures/lab-$name.svg" 2>&1)" ""
done

# Published values: the page says what the tool says, and the rows show them.
run lab references --csv
equal "$ran: exit status ($err)" "$status" 0
equal "$ran: as docs/lab-references.md" \
    "$("$python" "$here/lab_table.py" "$here/../../docs/lab-references.md" "$scratch/out" 2>&1 | head -n 5)" ""
run lab coalescing --bytes 4 --patterns stride,offset --device-model h200 --json
equal "$ran: published" "$(grep -o '"reference": [0-9][0-9]*' "$scratch/out")" '"reference": 4570'
run lab coalescing --bytes 4 --patterns stride --device-model h100-pcie --json
equal "$ran: published" "$(grep -o '"reference": [0-9][0-9]*' "$scratch/out")" '"reference": 1942'
run lab coalescing --bytes 4 --patterns stride --device-model mi250x --json
equal "$ran: nothing published" "$(grep -o '"reference": [0-9][0-9]*' "$scratch/out")" ""
refused 2 "--device-model: unknown 'h20', did you mean 'h200'?" lab banks --device-model h20

# All of them: JSON has the objects of the experiments, CSV a row for each.
run lab all --json
equal "$ran: exit status ($err)" "$status" 0
experiments=$(grep -c '"experiment": ' "$scratch/out")
equal "$ran: rows" "$("$python" -c 'import json, sys
result = json.load(open(sys.argv[1]))
print([row["case"] for row in result["rows"]] == [e["experiment"] for e in result["experiments"]],
      all(len(e["rows"]) >= row["rows"] and row["outside"] == 0
          for row, e in zip(result["rows"], result["experiments"])))' "$scratch/out")" "True True"
run lab all --csv
equal "$ran: rows" "$(wc -l <"$scratch/out" | tr -d ' ')" "$((experiments + 1))"
run lab all --device-model mi210
equal "$ran: exit status ($err)" "$status" 0
equal "$ran: tables" "$(grep -c '^constant: ' "$scratch/out")" "$experiments"
refused 2 "--device-model: unknown 'h20', did you mean 'h200'?" lab all --device-model h20

refused 2 "unknown command 'lab coalesing', did you mean 'lab coalescing'?" lab coalesing
refused 2 "lab: say which: coalescing" lab
refused 2 "--patterns: unknown 'strid', did you mean 'stride'?" lab coalescing --patterns strid
refused 2 "--bytes: unknown '5'" lab coalescing --bytes 5
refused 2 "--size: '1000' is not from 1048576" lab coalescing --size 1000
refused 2 "--patterns: unknown" lab banks --patterns colum
refused 2 "--turns: '0' is not from 1 to 64" lab banks --turns 0
refused 2 "--turns: '65' is not from 1 to 64" lab divergence --turns 65
refused 2 "--by: unknown 'lan'" lab divergence --by lan
refused 2 "--parts: '1' is not from 2 to 64" lab divergence --parts 1
refused 2 "--cases: unknown 'element', did you mean 'elements'?" lab branches --cases element
refused 2 "--parts: '65' is not from 2 to 64" lab branches --parts 65
refused 2 "--layouts: unknown 'struct', did you mean 'structs'?" lab layout --layouts struct
refused 1 "" lab layout --size 2^40
refused 1 "" lab coalescing --size 2^40
finish
