#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The experiments of the laboratory whose kernels count or verify their own results, against closed
# forms at both warp sizes, and reads of constants.
reference=lab_operations_reference.py
. "$(dirname "$0")/lab.sh"

experiment 18 latency
experiment 11 latency --parts chase --size 4M
experiment 4 latency --parts atomics --steps 1
experiment 5 latency --parts calls --runs 1
output latency own
experiment 600 contention
experiment 600 contention --turns 7 --runs 1
experiment 12 contention --ops inc,dec --scopes block,system,device --places global --turns 32
experiment 4 contention --ops and,or --types f64,i64 --places shared --scopes system
output contention own
experiment 8 precision --n 7
experiment 8 precision --n 33 --runs 1
output precision own
experiment 5/4 residency
experiment 5/4 residency --size 100001
output residency own
experiment 6 aspect
output aspect own
refused 2 "--size: '1000' is not from 65536" lab residency --size 1000
refused 2 "--n: '0' is not from 1 to 4294967296" lab precision --n 0
refused 2 "--ops: unknown 'ad', did you mean 'add'?" lab contention --ops ad
refused 2 "--turns: '33' is not from 1 to 32" lab contention --turns 33
experiment 18/21 constants
output constants
for name in aspect constants; do
    [ -z "$counted" ] || picture $name
done
refused 2 "--kinds: unknown 'constants', did you mean 'constant'?" lab constants --kinds constants
refused 2 "--turns: '0' is not from 1 to 64" lab constants --turns 0
refused 2 "--parts: unknown 'chases', did you mean 'chase'?" lab latency --parts chases
refused 2 "--size: '100' is not from 4096 to 8589934592" lab latency --size 100
refused 2 "--steps: '0' is not from 1" lab latency --steps 0
experiment 5 energy
experiment 5 energy --n 777 --milliseconds 100
experiment 5 energy --n 65537
output energy own
plot 4 0 energy
run lab energy
equal "$ran: no power" "$(grep -c 'reports no power' "$scratch/out")" 1
refused 2 "--milliseconds: '99' is not from 100 to 60000" lab energy --milliseconds 99
refused 2 "--n: '0' is not from 1 to 4294967296" lab energy --n 0
finish
