#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kernel fails in the middle of a command: what is printed is why, not that the device is lost or
# what else went wrong while the command cleaned up. Stacks of 16 KB are too small for some kernels.
# labels: once faults
. "$(dirname "$0")/../check.sh"
[ "$backend" = cpu ] || { echo "skip: about the CPU engine"; exit 77; }
export HEDDLE_CPU_STACK=16K HEDDLE_CPU_DEVICES=3

overflows=0
for line in 'scan --n 100000' 'recurrence --n 100000' adi 'montecarlo --paths 100000' \
    'random --n 100000' 'random --n 100000 --dist normal' 'random --n 100000 --dist poisson' 'sort --n 100000' \
    'select --n 100000' 'histogram --n 100000' 'tridiag --n 1000' 'batch --n 1024' \
    'cg --poisson 40,40' 'spmv --poisson 40,40' 'jacobi --nx 64 --ny 64' 'jacobi --nx 64 --ny 64 --devices 0,1'; do
    run $line
    case $err in
    *"unknown option"*) fail "$ran: $err" ;;
    *"stack overflow"*) overflows=$((overflows + 1)) ;;
    esac
    [ "$status" -eq 0 ] && continue
    checks=$((checks + 1))
    case $err in
    "heddle: "*HD_ERR_DEVICE_LOST*destroy* | "heddle: "*"hd_free"*)
        fail "$ran: $err" ;;
    "heddle: "*"stack overflow"*) ;;
    *) fail "$ran: $err" ;;
    esac
done
checks=$((checks + 1))
[ $overflows -ge 4 ] || fail "only $overflows commands overflowed a stack"
finish
