/* SPDX-License-Identifier: Apache-2.0 */
/* sum.c - sums of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP sum
#define RED_BODY "kernels/reduce/sum.inc"
#include "types.inc"
