/* SPDX-License-Identifier: Apache-2.0 */
/* extreme.c - min and max of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP extreme
#define RED_BODY "kernels/reduce/extreme.inc"
#include "types.inc"
