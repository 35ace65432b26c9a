#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments on what is moved and why, against closed forms at both warp sizes.
reference=lab_traffic_reference.py
. "$(dirname "$0")/lab.sh"

experiment 7 workingset
experiment 9 workingset --size 5M
output workingset own
plot 7 "$([ -n "$counted" ] && echo 7 || echo 0)" workingset
experiment 2 restrict
experiment 2 restrict --n 1791
output restrict own
experiment 6 recompute
experiment 6 recompute --n 777 --device-model h200
experiment 6 recompute --device-model mi210
output recompute own
experiment 6 indices
experiment 6 indices --turns 37
experiment 2 indices --ops divide --turns 1
output indices own
plot 4 0 indices
experiment 4 managed
experiment 4 managed --turns 1 --size 4
experiment 2 managed --kinds on-demand,copied --size 100003 --turns 5
output managed own
plot 4 4 managed
run lab hostmemory --size 4K
locked=$(grep -c '^mlocked ' "$scratch/out")
grep -q '^no rows of mlocked memory: mlock: ' "$scratch/out" && expected=0 || expected=2
equal "$ran: rows of mlocked memory" "$locked" "$expected"
experiment $((6 + locked)) hostmemory --size 4K
experiment 2 hostmemory --kinds registered --size 100003
experiment 2 hostmemory --kinds plain --size 4
output hostmemory own
run lab recompute --device-model h200
equal "$ran: break-even" "$(grep -c 'as long as 83 multiply-adds' "$scratch/out")" 1

for name in workingset restrict recompute; do
    [ -z "$counted" ] || picture $name
done
picture indices
picture managed
[ "$locked" = 0 ] || picture hostmemory --size 4K

refused 2 "--size: '1' is not from 16384" lab workingset --size 1
refused 2 "--n: '255' is not from 256" lab restrict --n 255
refused 2 "--n: '0' is not from 256" lab recompute --n 0
refused 2 "--ops: unknown 'divid', did you mean 'divide'?" lab indices --ops divid
refused 2 "--turns: '65' is not from 1 to 64" lab indices --turns 65
refused 2 "--turns: '0' is not from 1 to 1000" lab managed --turns 0
refused 2 "--kinds: unknown 'demand'" lab managed --kinds demand
refused 2 "--kinds: unknown 'pined', did you mean 'pinned'?" lab hostmemory --kinds pined
refused 2 "--size: '3' is not from 4" lab hostmemory --size 3
refused 1 "" lab managed --size 2^36
finish
