/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - the parts of an alternating direction implicit step, f32 and f64. */
#include <heddle/kernel.h>

#include "adi.h"

#define ADI_NAME_(a, b) a##_##b
#define ADI_NAME(a, b) ADI_NAME_(a, b)
#define NAME(stem) ADI_NAME(stem, TRI_TYPE)
#define TYPED(stem) ADI_NAME(stem, TRI_TYPE)
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

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__adi_set_f32)
HD_INSTANCE(hd__adi_change_f32)
HD_INSTANCE(hd__adi_add_f32)
HD_INSTANCE(hd__adi_set_f64)
HD_INSTANCE(hd__adi_change_f64)
HD_INSTANCE(hd__adi_add_f64)
#if HD_SERIAL_THREADS
HD_INSTANCE(hd__adi_tables_f32)
HD_INSTANCE(hd__adi_change_rows_f32)
HD_INSTANCE(hd__adi_lines_f32)
HD_INSTANCE(hd__adi_tables_f64)
HD_INSTANCE(hd__adi_change_rows_f64)
HD_INSTANCE(hd__adi_lines_f64)
#endif
