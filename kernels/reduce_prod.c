/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_prod.c - products of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP prod
#define RED_BODY "reduce_prod.inc"
#include "reduce_types.inc"
