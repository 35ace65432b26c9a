/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - what may be tuned about reductions. Tiles may not: their size fixes the bits. */
#ifndef HEDDLE_DRIVERS_REDUCE_SPACE_H
#define HEDDLE_DRIVERS_REDUCE_SPACE_H

/* X(KNOB, name, meaning, values...): the first value leaves the choice to the driver. */
#define HD__REDUCE_SPACE(X)                                                                        \
    X(GROUPS, "groups", "tiles per block, 256 threads each", 0, 1, 2, 4)                           \
    X(CACHE, "cache", "loads: 1 normal, 2 evict-first", 0, 1, 2)
enum { HD__REDUCE_KNOB_GROUPS, HD__REDUCE_KNOB_CACHE };

/* Calls that are tuned separately. */
enum { HD__REDUCE_KIND_VALUE, HD__REDUCE_KIND_ARG, HD__REDUCE_KIND_DOT };
#define HD__REDUCE_KINDS "value", "arg", "dot"

#endif
