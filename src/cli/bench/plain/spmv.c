/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.c - a sparse matrix times a vector in plain C, one thread. */
#include <heddle/kernel.h>

#include "plain.h"

#define T float
#define NAME(stem) HD_CAT(stem, _f32)
#include "spmv.inc"
#undef T
#undef NAME

#define T double
#define NAME(stem) HD_CAT(stem, _f64)
#include "spmv.inc"
