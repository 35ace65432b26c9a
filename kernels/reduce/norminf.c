/* SPDX-License-Identifier: Apache-2.0 */
/* norminf.c - largest absolute values of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP norminf
#define RED_BODY "kernels/reduce/norminf.inc"
#include "types.inc"
