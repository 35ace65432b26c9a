/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.c - Jacobi sweeps in plain C, compiled with the kernels' flags. Host code, C11 and
   C++17. */
#include <heddle/kernel.h>

#include <math.h>
#include <string.h>

#include "plain.h"

enum { PLAIN_SUMS = 32 };

#define REAL float
#define NAME(stem) HD_CAT(stem, f32)
#include "jacobi.inc"
#undef REAL
#undef NAME

#define REAL double
#define NAME(stem) HD_CAT(stem, f64)
#include "jacobi.inc"
#undef REAL
#undef NAME
