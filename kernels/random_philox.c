/* SPDX-License-Identifier: Apache-2.0 */
/* random_philox.c - arrays filled by Philox 4x32-10, one kernel per distribution and type. */
#include "random_values.h"

#define RND_BODY "random_philox.inc"
#include "random_types.inc"
