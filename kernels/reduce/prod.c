/* SPDX-License-Identifier: Apache-2.0 */
/* prod.c - products of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP prod
#define RED_BODY "kernels/reduce/prod.inc"
#include "types.inc"
