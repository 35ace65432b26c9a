/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and for its kernel file. */
#ifndef EXERCISE_KERNEL_H
#define EXERCISE_KERNEL_H

#include <stdint.h>

#include <heddle/kernel_decl.h>

enum { COLUMNS = 96 };

/* The row with the greatest score so far, and its columns. */
typedef struct best_row {
    uint32_t score;
    uint32_t column[COLUMNS];
} best_row;

/* rows, score[rows], table[rows * COLUMNS], the two words of a lock (zeroed), the best row */
HD_DECLARE(keep_best, size_t, const uint32_t *, const uint32_t *, unsigned *, best_row *)

#endif
