/* SPDX-License-Identifier: Apache-2.0 */
/* problem.h - heddle's primitives as kernels that can be tuned: inputs, runs and results. */
#ifndef HEDDLE_DRIVERS_TUNE_PROBLEM_H
#define HEDDLE_DRIVERS_TUNE_PROBLEM_H

#include <heddle/data.h>
#include <heddle/tune.h>

#include "spaces.h"

enum { HD__TUNE_INPUTS = 5 };

typedef struct hd__tune_problem hd__tune_problem;

/* What differs between families. Sizes are elements; for transpositions of the matrix, for
   tridiagonal systems the rows of each. */
typedef struct hd__tune_family {
    /* Allocates and fills inputs and result. */
    hd_status (*prepare)(hd__tune_problem *p, size_t size, hd_stream *stream);
    hd_status (*run)(hd__tune_problem *p, size_t size, hd_stream *stream);
    /* Whether all values of the choice take effect; otherwise another choice is the same. */
    int (*accepts)(const hd__tune_problem *p, size_t size, hd__tune_choice choice);
} hd__tune_family;
extern const hd__tune_family hd__tune_reduce, hd__tune_scan, hd__tune_sort, hd__tune_transpose,
    hd__tune_tridiag;

struct hd__tune_problem {
    int family;
    unsigned kind, type; /* indices in the family's space */
    int device;
    size_t elements; /* tridiag: of each array */
    void *in[HD__TUNE_INPUTS];
    void *out;
    size_t out_bytes;
    size_t rows, columns; /* transpose */
    char type_text[HD_TUNE_NAME_MAX];
    hd_tune_kernel kernel; /* for hd_tune_measure */
};

/* Fills in the problem; p->kernel points into it. Call hd__tune_problem_close afterwards. */
void hd__tune_problem_open(hd__tune_problem *p, int family, unsigned type, unsigned kind,
                           int device);
void hd__tune_problem_close(hd__tune_problem *p);
/* Whether there are calls of this type and kind. */
int hd__tune_problem_exists(int family, unsigned type, unsigned kind);

/* For families: replaces an input or the result by memory of that size. */
hd_status hd__tune_input(hd__tune_problem *p, unsigned index, size_t bytes);
hd_status hd__tune_output(hd__tune_problem *p, size_t bytes);
/* Fills n elements with numbers: floats in [0, 1), integers with all bits. */
hd_status hd__tune_numbers(void *to, size_t n, hd_type type, uint64_t seed, hd_stream *stream);

#endif
