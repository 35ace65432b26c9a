/* SPDX-License-Identifier: Apache-2.0 */
/* loose.c - transposition of matrices with unaligned rows, or with few rows or columns, for every
   element size. */
#include <heddle/kernel.h>

#include "transpose.h"

#define TR_FILE "kernels/transpose/loose.inc"
#include "sizes.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__transpose_loose_1)
HD_INSTANCE(hd__transpose_flat_1)
HD_INSTANCE(hd__transpose_loose_2)
HD_INSTANCE(hd__transpose_flat_2)
HD_INSTANCE(hd__transpose_loose_4)
HD_INSTANCE(hd__transpose_flat_4)
HD_INSTANCE(hd__transpose_loose_8)
HD_INSTANCE(hd__transpose_flat_8)
HD_INSTANCE(hd__transpose_loose_16)
HD_INSTANCE(hd__transpose_flat_16)
