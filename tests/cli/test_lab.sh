#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments of the laboratory: the model against closed forms, and the counts of the checking
# engine against the model, at both warp sizes. Without that engine the counts are null.
reference=lab_reference.py
. "$(dirname "$0")/lab.sh"

# bars NAME: a bar per row, and a dot per counted one.
bars()
{
    output "$1"
    plot "$rows" "$([ -n "$counted" ] && echo "$rows" || echo 0)" "$1"
}

experiment 489 coalescing --all
experiment 6 coalescing --patterns same,permuted --size 2M
experiment 5 coalescing --bytes 16 --patterns scattered,offset
bars coalescing
experiment 114 banks --all
experiment 3 banks --patterns padded --turns 64
experiment 13 banks --bytes 8
bars banks
experiment 18 divergence
experiment 65 divergence --by lane --parts 64 --turns 64
experiment 6 divergence --by warp --parts 5
bars divergence
experiment 24 branches
experiment 40 branches --parts 16 --turns 3
experiment 3 branches --cases one-kernel
bars branches
experiment 270 layout --all
experiment 13 layout --layouts arrays
bars layout

# The pictures of the pages docs/lab-*.md have the counts.
for name in coalescing banks divergence branches layout; do
    [ -z "$counted" ] || picture $name
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
refused 2 "lab: choose one of coalescing" lab
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
