/* SPDX-License-Identifier: Apache-2.0 */
/* choice.h - what drivers see of the autotuner: the chosen values of their knobs, by kind of call,
   element type and size. While nothing is tuned this is one load and a branch. */
#ifndef HEDDLE_DRIVERS_TUNE_CHOICE_H
#define HEDDLE_DRIVERS_TUNE_CHOICE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Families of primitives, in the order of spaces.c. */
enum {
    HD__TUNE_REDUCE,
    HD__TUNE_SCAN,
    HD__TUNE_SORT,
    HD__TUNE_TRANSPOSE,
    HD__TUNE_TRIDIAG,
    HD__TUNE_FAMILIES
};

enum {
    HD__TUNE_KNOBS = 4,    /* of a family, at most */
    HD__TUNE_KINDS = 3,    /* at most */
    HD__TUNE_TYPES = 12,   /* at most */
    HD__TUNE_BUCKETS = 32, /* bucket b: sizes from 4^b to 4^(b+1) - 1 */
    HD__TUNE_DEVICES = 64
};

/* Value of every knob; 0 leaves the choice to the driver. */
typedef struct hd__tune_choice {
    uint16_t of[HD__TUNE_KNOBS];
} hd__tune_choice;

/* Bit 0: the environment was not read yet, or a table is in use. The other bits count trials. */
extern atomic_uint hd__tune_state;

hd__tune_choice hd__tune_find(int family, unsigned kind, unsigned type, size_t n, int device);

/* `type` is the index among the family's types, in spaces.c. */
static inline hd__tune_choice hd__tune_choose(int family, unsigned kind, unsigned type, size_t n,
                                              int device)
{
    const hd__tune_choice none = {{0}};
    return atomic_load_explicit(&hd__tune_state, memory_order_relaxed) == 0
               ? none
               : hd__tune_find(family, kind, type, n, device);
}

/* Until hd__tune_try_end, the family's calls by this thread use the choice. */
void hd__tune_try(int family, hd__tune_choice choice);
void hd__tune_try_end(void);

/* log4, rounded down; of 0: 0. */
unsigned hd__tune_bucket(size_t n);

#endif
