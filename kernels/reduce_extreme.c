/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_extreme.c - min and max of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP extreme
#define RED_BODY "reduce_extreme.inc"
#include "reduce_types.inc"
