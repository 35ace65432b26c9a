/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_sum.c - sums of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP sum
#define RED_BODY "reduce_sum.inc"
#include "reduce_types.inc"
