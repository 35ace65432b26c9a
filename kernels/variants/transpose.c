/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - the textbook's transpositions, for every element size. */
#include <heddle/kernel.h>

#include "kernels/transpose/transpose.h"

#define TR_FILE "kernels/variants/transpose.inc"
#include "kernels/transpose/sizes.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__transpose_naive_1)
HD_INSTANCE(hd__transpose_coalesced_1)
HD_INSTANCE(hd__transpose_padded_1)
HD_INSTANCE(hd__transpose_naive_2)
HD_INSTANCE(hd__transpose_coalesced_2)
HD_INSTANCE(hd__transpose_padded_2)
HD_INSTANCE(hd__transpose_naive_4)
HD_INSTANCE(hd__transpose_coalesced_4)
HD_INSTANCE(hd__transpose_padded_4)
HD_INSTANCE(hd__transpose_naive_8)
HD_INSTANCE(hd__transpose_coalesced_8)
HD_INSTANCE(hd__transpose_padded_8)
HD_INSTANCE(hd__transpose_naive_16)
HD_INSTANCE(hd__transpose_coalesced_16)
HD_INSTANCE(hd__transpose_padded_16)
