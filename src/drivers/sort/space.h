/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - what may be tuned about sorts. A stable sort has one result, so the algorithm may. */
#ifndef HEDDLE_DRIVERS_SORT_SPACE_H
#define HEDDLE_DRIVERS_SORT_SPACE_H

/* X(KNOB, name, meaning, values...): the first value leaves the choice to the driver. */
#define HD__SORT_SPACE(X)                                                                          \
    X(PASSES, "passes", "1: radix passes even for few keys", 0, 1)                                 \
    X(RUN, "run", "keys per run that is merged", 0, 512, 1024)                                     \
    X(TEAM, "team", "threads that search the rank of a key", 0, 1, 2, 4, 8)                        \
    X(AHEAD, "ahead", "prefetch of later tiles, in multiples of the resident blocks; 99: none", 0, \
      1, 2, HD__SORT_NOT_AHEAD)
enum { HD__SORT_KNOB_PASSES, HD__SORT_KNOB_RUN, HD__SORT_KNOB_TEAM, HD__SORT_KNOB_AHEAD };
enum { HD__SORT_NOT_AHEAD = 99 };

/* Calls that are tuned separately: by bytes of a value. */
enum { HD__SORT_KIND_KEYS, HD__SORT_KIND_PAIRS_4, HD__SORT_KIND_PAIRS_8 };
#define HD__SORT_KINDS "keys", "pairs4", "pairs8"

#endif
