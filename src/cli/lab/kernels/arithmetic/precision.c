/* SPDX-License-Identifier: Apache-2.0 */
/* precision.c - the recurrence in both precisions. */
#include <heddle/kernel.h>

#include "precision.h"

#define PRECISION_NAME precision_f32
#define PRECISION_T float
#include "precision.inc"

#define PRECISION_NAME precision_f64
#define PRECISION_T double
#include "precision.inc"
