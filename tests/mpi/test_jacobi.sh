#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Jacobi sweeps over 1 to 4 ranks: field and norms have the bits of one device; ranks of warp 32
# beside ranks of warp 64; staged, not, by library, by SHMEM and to peers; a rank that fails.
. "$(dirname "$0")/../cli/check.sh"
. "$(dirname "$0")/launch.sh"
program=$HEDDLE_BUILD_DIR/tests/mpi/mpi_jacobi

if [ -z "$small" ]; then
    ranks 200 -n 1 "$program" 'usual*'
    good
    ranks 200 -n 3 env HEDDLE_CPU_STREAMS=lazy:2 "$program" 'usual*' 'several*'
    good
fi
ranks 200 -n 2 env HEDDLE_MPI_DEVICE=off HEDDLE_CPU_STREAMS=lazy:1 "$program"
good
ranks 200 -n 3 env HEDDLE_TEST_PATH=library "$program"
good
ranks 200 -n 2 env HEDDLE_TEST_PATH=shmem HEDDLE_CPU_STREAMS=lazy:3 "$program"
good
ranks 200 -n 2 env HEDDLE_TEST_PATH=shmem HEDDLE_CPU_WARP=32 "$program" : \
    -n 2 env HEDDLE_TEST_PATH=shmem HEDDLE_CPU_WARP=64 "$program"
good
ranks 200 -n 3 env HEDDLE_TEST_PATH=peer "$program"
good
ranks 200 -n 2 env HEDDLE_TEST_PATH=messages HEDDLE_CPU_STREAMS=lazy:4 "$program"
good
ranks 200 -n 2 env HEDDLE_TEST_PATH=apart HEDDLE_CPU_WARP=32 "$program" 'a_*' 'usual*' : \
    -n 2 env HEDDLE_TEST_PATH=apart HEDDLE_CPU_WARP=64 "$program" 'a_*' 'usual*'
good
if [ "$HEDDLE_BACKEND" = cpu ] && [ -z "$small" ]; then # puts in order of streams, as on GPUs
    ranks 200 -n 3 env HEDDLE_TEST_PATH=shmem "${program}_streams"
    good
    for seed in 1 2; do
        ranks 200 -n $((seed + 1)) env HEDDLE_TEST_PATH=shmem HEDDLE_CPU_STREAMS=lazy:$seed \
            "${program}_streams" 'usual*' 'several*'
        good
    done
fi
ranks 200 -n 2 env HEDDLE_CPU_WARP=32 "$program" : -n 2 env HEDDLE_CPU_WARP=64 "$program"
good
finish
