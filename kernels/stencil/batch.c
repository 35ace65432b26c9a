/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - small problems, one per block: the kernels, per type. */
#include <heddle/kernel.h>

#include "batch.h"

#define T float
#define NAME(stem) HD_CAT(stem, f32)
#include "batch_heat.inc"

#define T double
#define NAME(stem) HD_CAT(stem, f64)
#include "batch_heat.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__batch_heat1_f32)
HD_INSTANCE(hd__batch_heat2_f32)
HD_INSTANCE(hd__batch_heat1_f64)
HD_INSTANCE(hd__batch_heat2_f64)
