/* SPDX-License-Identifier: Apache-2.0 */
/* counts.h - declares the kernels of kern_counts.c. */
#ifndef HEDDLE_TESTS_COUNTS_H
#define HEDDLE_TESTS_COUNTS_H

#include <heddle/kernel_decl.h>

enum { COUNT_INC, COUNT_DEC, COUNT_INC_SYSTEM, COUNT_DEC_SYSTEM, COUNT_ADD, COUNT_WAYS };

typedef struct counts_try {
    hd_lock lock;
    unsigned inside, worst, taken, missed;
} counts_try;

HD_DECLARE(last_by_count, unsigned *, unsigned *, uint32_t *, uint64_t *, unsigned)
HD_DECLARE(wrap_in_block, unsigned *, unsigned)
HD_DECLARE(try_lock, counts_try *, unsigned)
HD_DECLARE(rounds_of_grid, hd_grid_barrier *, uint32_t *, unsigned)
HD_DECLARE(clocks, uint64_t *, unsigned, unsigned *)

#endif
