/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_variants.c - the textbook's transpositions, for every element size. */
#include <heddle/kernel.h>

#include "transpose.h"

#define TR_FILE "transpose_variants.inc"
#include "transpose_sizes.inc"
