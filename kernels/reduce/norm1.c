/* SPDX-License-Identifier: Apache-2.0 */
/* norm1.c - sums of absolute values of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP norm1
#define RED_BODY "kernels/reduce/norm1.inc"
#include "types.inc"
