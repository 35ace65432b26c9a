/* SPDX-License-Identifier: Apache-2.0 */
/* arg.c - argmin and argmax of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP arg
#define RED_BODY "kernels/reduce/arg.inc"
#include "types.inc"
