/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_norminf.c - largest absolute values of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP norminf
#define RED_BODY "reduce_norminf.inc"
#include "reduce_types.inc"
