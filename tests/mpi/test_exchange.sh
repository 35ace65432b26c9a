#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Messages between 1 to 4 ranks, on each path, and failures that all ranks learn of.
. "$(dirname "$0")/../cli/check.sh"
. "$(dirname "$0")/launch.sh"
program=$HEDDLE_BUILD_DIR/tests/mpi/mpi_exchange

for n in ${HEDDLE_TEST_RANKS:-1 4}; do
    ranks 100 -n "$n" "$program"
    good
done
# Ranks of both warp sizes, and one that may not give MPI device memory: then none does.
ranks 100 -n 1 env HEDDLE_CPU_WARP=32 "$program" : -n 1 env HEDDLE_CPU_WARP=64 "$program" : \
    -n 1 env HEDDLE_MPI_DEVICE=off "$program"
good
# Orders of streams in which only what is waited for is done.
for seed in 1 2 8; do
    ranks 100 -n 2 env HEDDLE_CPU_STREAMS=lazy:$seed "$program" 'staged*' 'device*' 'all*' \
        'by_peers' 'peers*'
    good
done
if [ "$HEDDLE_BACKEND" = cpu ] && [ -z "$small" ]; then # short messages as on GPUs
    ranks 100 -n 3 "${program}_streams" 'by_peers' 'peers*' 'all_to_all_by_peers' 'sizes*'
    good
    ranks 100 -n 2 env HEDDLE_CPU_STREAMS=lazy:3 "${program}_streams" 'by_peers' 'peers*'
    good
fi
finish
