/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - the explicit parts of an alternating direction implicit step, f32 and f64. */
#include <heddle/kernel.h>

#include "adi.h"

#define ADI_NAME_(a, b) a##_##b
#define T float
#define NAME(stem) ADI_NAME_(stem, f32)
#include "adi.inc"
#undef T
#undef NAME
#define T double
#define NAME(stem) ADI_NAME_(stem, f64)
#include "adi.inc"
