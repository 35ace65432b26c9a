/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - dot products of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP dot
#define RED_BODY "kernels/reduce/dot.inc"
#include "types.inc"
