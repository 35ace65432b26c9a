/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - heat problems in plain C, one thread, two alternating copies. */
#include <heddle/kernel.h>

#include "plain.h"

#define T float
#define NAME(stem) HD_CAT(stem, f32)
#include "batch.inc"

#define T double
#define NAME(stem) HD_CAT(stem, f64)
#include "batch.inc"
