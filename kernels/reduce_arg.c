/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_arg.c - argmin and argmax of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP arg
#define RED_BODY "reduce_arg.inc"
#include "reduce_types.inc"
