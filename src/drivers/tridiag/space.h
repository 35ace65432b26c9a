/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - what may be tuned about tridiagonal systems. Chunks may not: their size fixes the
   bits. */
#ifndef HEDDLE_DRIVERS_TRIDIAG_SPACE_H
#define HEDDLE_DRIVERS_TRIDIAG_SPACE_H

/* X(KNOB, name, meaning, values...): the first value leaves the choice to the driver. */
#define HD__TRIDIAG_SPACE(X)                                                                       \
    X(BLOCK, "block", "threads of a block that takes contiguous systems", 0, 64, 128, 256)         \
    X(LANES, "lanes", "bytes of a row that a block takes of interleaved systems", 0, 32, 64, 128)  \
    X(PASSES, "passes", "1: two passes for interleaved systems", 0, 1)                             \
    X(THREADS, "threads", "CPU engine: 1 for blocks of many threads", 0, 1)
enum {
    HD__TRIDIAG_KNOB_BLOCK,
    HD__TRIDIAG_KNOB_LANES,
    HD__TRIDIAG_KNOB_PASSES,
    HD__TRIDIAG_KNOB_THREADS
};

/* Batches that are tuned separately. */
enum { HD__TRIDIAG_KIND_CONTIGUOUS, HD__TRIDIAG_KIND_INTERLEAVED };
#define HD__TRIDIAG_KINDS "contiguous", "interleaved"

#endif
