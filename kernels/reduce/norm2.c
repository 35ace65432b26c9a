/* SPDX-License-Identifier: Apache-2.0 */
/* norm2.c - Euclidean norms of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP norm2
#define RED_BODY "kernels/reduce/norm2.inc"
#include "types.inc"
