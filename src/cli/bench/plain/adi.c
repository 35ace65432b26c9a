/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - Thomas's algorithm in plain C, one thread. */
#include <heddle/kernel.h>

#include "plain.h"

#define T float
#define NAME(stem) HD_CAT(stem, _f32)
#include "adi.inc"
#undef T
#undef NAME

#define T double
#define NAME(stem) HD_CAT(stem, _f64)
#include "adi.inc"
