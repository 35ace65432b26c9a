/* SPDX-License-Identifier: Apache-2.0 */
/* philox.c - arrays filled by Philox 4x32-10, one kernel per distribution and type. */
#include "values.h"

#define RND_BODY "kernels/random/philox.inc"
#include "types.inc"
