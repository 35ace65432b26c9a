/* SPDX-License-Identifier: Apache-2.0 */
/* loose.c - transposition of matrices whose rows are not aligned, or few, for every
   element size. */
#include <heddle/kernel.h>

#include "transpose.h"

#define TR_FILE "kernels/transpose/loose.inc"
#include "sizes.inc"
