/* SPDX-License-Identifier: Apache-2.0 */
/* plain_batch.c - heat problems in plain C, one thread, two copies that take turns. */
#include <heddle/kernel.h>

#include "plain_batch.h"

#define T float
#define NAME(stem) HD_CAT(stem, f32)
#include "plain_batch.inc"

#define T double
#define NAME(stem) HD_CAT(stem, f64)
#include "plain_batch.inc"
