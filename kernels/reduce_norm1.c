/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_norm1.c - sums of absolute values of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP norm1
#define RED_BODY "reduce_norm1.inc"
#include "reduce_types.inc"
