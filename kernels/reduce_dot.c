/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_dot.c - dot products of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP dot
#define RED_BODY "reduce_dot.inc"
#include "reduce_types.inc"
