/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - the parts of an alternating direction implicit step, f32 and f64. */
#include <heddle/kernel.h>

#include "adi.h"

#define ADI_NAME_(a, b) a##_##b
#define ADI_NAME(a, b) ADI_NAME_(a, b)
#define NAME(stem) ADI_NAME(stem, TRI_TYPE)
#define R(stem) ADI_NAME(stem, TRI_TYPE)
#define TRI_ELEM T

#define T float
#define TRI_TYPE f32
#include "adi.inc"
#if HD_SERIAL_THREADS
#include "rows.inc"

#include "adi_serial.inc"
#endif
#undef T
#undef TRI_TYPE
#define T double
#define TRI_TYPE f64
#include "adi.inc"
#if HD_SERIAL_THREADS
#include "rows.inc"

#include "adi_serial.inc"
#endif
