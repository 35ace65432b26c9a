/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_loose.c - transposition of matrices whose rows are not aligned, or few, for every
   element size. */
#include <heddle/kernel.h>

#include "transpose.h"

#define TR_NAME_(a, b) a##_##b
#define TR_NAME(a, b) TR_NAME_(a, b)
/* A name of its own for each element size. */
#define T(name) TR_NAME(name, TR_BYTES)

#define TR_BYTES 1
#define TR_ELEM uint8_t
#include "transpose_loose.inc"
#define TR_BYTES 2
#define TR_ELEM uint16_t
#include "transpose_loose.inc"
#define TR_BYTES 4
#define TR_ELEM uint32_t
#include "transpose_loose.inc"
#define TR_BYTES 8
#define TR_ELEM uint64_t
#include "transpose_loose.inc"
#define TR_BYTES 16
#define TR_ELEM hd_u32x4
#include "transpose_loose.inc"
