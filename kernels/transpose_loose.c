/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_loose.c - transposition of matrices whose rows are not aligned, or few, for every
   element size. */
#include <heddle/kernel.h>

#include "transpose.h"

#define TR_FILE "transpose_loose.inc"
#include "transpose_sizes.inc"
