/* SPDX-License-Identifier: Apache-2.0 */
/* contention.h - cases of `heddle lab contention`, and the exact results of each. */
#ifndef HEDDLE_CLI_LAB_CONTENTION_CONTENTION_H
#define HEDDLE_CLI_LAB_CONTENTION_CONTENTION_H

#include <stdbool.h>
#include <stddef.h>

#include <heddle/data.h>

#include "cli/lab/kernels/operations/contention.h"

typedef struct contention_case {
    contention_work work;
    hd_type type;
    uint32_t blocks;
} contention_case;

/* Words and tallies of a launch, one of each per thread; words of contention_bytes() each. */
typedef struct contention_results {
    const void *words;
    const uint64_t *tallies;
} contention_results;

bool contention_exists(contention_op op, hd_type type);
size_t contention_bytes(hd_type type);
/* Operations on the word that has the most of them. */
uint64_t contention_busiest(const contention_case *c);
/* The value of every word before the launch. */
void contention_start(const contention_case *c, void *words);
/* Whether every word has the value that the operations leave in any order, and whether the tallies
   add up to what they returned. Bits are compared. */
bool contention_right(const contention_case *c, const contention_results *found);

#endif
