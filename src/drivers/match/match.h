/* SPDX-License-Identifier: Apache-2.0 */
/* match.h (drivers) - the contents of a matcher. */
#ifndef HEDDLE_DRIVERS_MATCH_H
#define HEDDLE_DRIVERS_MATCH_H

#include <heddle/match.h>

#include "kernels/match/match.h"

struct hd_matcher {
    int device;
    unsigned flags;
    size_t count, longest;
    uint32_t states; /* as in hd__match_task */
    hd__match_prefix prefix[HD__MATCH_HELD];
    void *memory; /* device: hd__match_pattern per pattern, then the two arrays that follow */
    const uint16_t *repeats; /* NULL if the patterns are short */
    const unsigned char *bytes;
};

/* For tests: blocks of hd__match_find have HD__MATCH_THREADS threads on every backend. */
extern int hd__match_force_threads;

#endif
