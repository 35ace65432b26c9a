#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Halos of stripes and tiles between 1 to 4 ranks, on each path; ranks of warp 32 beside ranks of
# warp 64; ranks that fail.
. "$(dirname "$0")/../cli/check.sh"
. "$(dirname "$0")/launch.sh"
program=$HEDDLE_BUILD_DIR/tests/mpi/mpi_halo
export HEDDLE_CPU_MEMORY=64M # so that it can be used up

ranks 60 -n 1 "$program"
good
ranks 100 -n 2 env HEDDLE_CPU_WARP=32 "$program" : -n 2 env HEDDLE_CPU_WARP=64 "$program"
good
# Orders of streams in which only what is waited for is done.
ranks 100 -n 3 env HEDDLE_CPU_STREAMS=lazy:2 "$program"
good
if [ "$HEDDLE_BACKEND" = cpu ] && [ -z "$small" ]; then # short messages as on GPUs
    ranks 100 -n 3 "${program}_streams" 'by_peers' 'peers*' 'a_rank_fails_that*'
    good
    ranks 100 -n 2 env HEDDLE_CPU_STREAMS=lazy:1 "${program}_streams" 'by_peers'
    good
fi
finish
