/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.c - Thomas's algorithm in plain C, one thread. */
#include <heddle/kernel.h>

#include "plain.h"

#define T float
#define NAME(stem) HD_CAT(stem, _f32)
#include "tridiag.inc"
#undef T
#undef NAME

#define T double
#define NAME(stem) HD_CAT(stem, _f64)
#include "tridiag.inc"
