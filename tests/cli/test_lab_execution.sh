#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments on execution: operations counted from the results of the kernels, and the model,
# against closed forms at both warp sizes.
reference=lab_execution_reference.py
. "$(dirname "$0")/lab.sh"

experiment 24 ilp
experiment 24 ilp --turns 5
output ilp own
plot 24 24 ilp
experiment 13 intensity
experiment 13 intensity --device-model h200 --size 100000
experiment 13 intensity --device-model mi300x
output intensity own
plot 26 13 intensity --device-model h200
experiment 10 registers
experiment 2 registers --kinds local --turns 7
output registers own
plot 7 0 registers
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

picture ilp
picture registers
picture intensity --device-model h200
picture roofline --device-model h200

refused 2 "--turns: '65' is not from 1 to 64" lab ilp --turns 65
refused 2 "--size: '16383' is not from 16384" lab intensity --size 16383
refused 1 "" lab intensity --size 2^40
refused 2 "--kinds: unknown 'spil', did you mean 'spill'?" lab registers --kinds spil
refused 2 "--turns: '0' is not from 1 to 64" lab registers --turns 0
finish
