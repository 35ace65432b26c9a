/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - the textbook's transpositions, for every element size. */
#include <heddle/kernel.h>

#include "kernels/transpose/transpose.h"

#define TR_FILE "kernels/variants/transpose.inc"
#include "kernels/transpose/sizes.inc"
