/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - what may be tuned about transpositions: everything. */
#ifndef HEDDLE_DRIVERS_TRANSPOSE_SPACE_H
#define HEDDLE_DRIVERS_TRANSPOSE_SPACE_H

/* X(KNOB, name, meaning, values...): the first value leaves the choice to the driver. */
#define HD__TRANSPOSE_SPACE(X)                                                                     \
    X(KERNEL, "kernel", "1 tiles of aligned vectors, 2 loose tiles", 0, 1, 2)                      \
    X(TILE, "tile", "bytes of a loose tile", 0, 4096, 8192, 16384, 32768)                          \
    X(THREADS, "threads", "CPU engine: 1 for blocks of many threads", 0, 1)
enum { HD__TRANSPOSE_KNOB_KERNEL, HD__TRANSPOSE_KNOB_TILE, HD__TRANSPOSE_KNOB_THREADS };

/* Matrices that are tuned separately: every row begins at a vector, or not. */
enum { HD__TRANSPOSE_KIND_ALIGNED, HD__TRANSPOSE_KIND_UNALIGNED };
#define HD__TRANSPOSE_KINDS "aligned", "unaligned"

#endif
