/* SPDX-License-Identifier: Apache-2.0 */
/* match.h (drivers) - what a matcher is. */
#ifndef HEDDLE_DRIVERS_MATCH_H
#define HEDDLE_DRIVERS_MATCH_H

#include <heddle/match.h>

#include "kernels/match/match.h"

struct hd_matcher {
    int device;
    unsigned flags;
    size_t count, longest;
    uint32_t states; /* of hd__match_task */
    hd__match_prefix prefix[HD__MATCH_HELD];
    void *memory; /* device: hd__match_pattern per pattern, then the two arrays that follow */
    const uint16_t *repeats; /* NULL where the patterns are short */
    const unsigned char *bytes;
};

/* For tests: blocks of hd__match_find have HD__MATCH_THREADS threads everywhere. */
extern int hd__match_force_threads;

#endif
