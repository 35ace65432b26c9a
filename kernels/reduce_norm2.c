/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_norm2.c - Euclidean norms of every element type. */
#include "reduce_elements.h"
#include "reduce.h"

#define RED_OP norm2
#define RED_BODY "reduce_norm2.inc"
#include "reduce_types.inc"
