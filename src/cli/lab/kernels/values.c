/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - values in registers, in registers that do not suffice, and in local arrays. */
#include <heddle/kernel.h>

#include "values.h"

#define VALUES_LOCAL 0
#define VALUES_BOUNDS HD_MAX_THREADS(VALUES_BLOCK)
#define VALUES_NAME values_registers_8
#define VALUES 8
#include "values.inc"
#define VALUES_NAME values_registers_16
#define VALUES 16
#include "values.inc"
#define VALUES_NAME values_registers_32
#define VALUES 32
#include "values.inc"
#define VALUES_NAME values_registers_64
#define VALUES 64
#include "values.inc"
#define VALUES_NAME values_registers_128
#define VALUES 128
#include "values.inc"

#undef VALUES_BOUNDS
#define VALUES_BOUNDS HD_LAUNCH_BOUNDS(VALUES_BLOCK, VALUES_SPILL_BLOCKS)
#define VALUES_NAME values_spill_32
#define VALUES 32
#include "values.inc"
#define VALUES_NAME values_spill_64
#define VALUES 64
#include "values.inc"
#define VALUES_NAME values_spill_128
#define VALUES 128
#include "values.inc"

#undef VALUES_LOCAL
#define VALUES_LOCAL 1
#undef VALUES_BOUNDS
#define VALUES_BOUNDS HD_MAX_THREADS(VALUES_BLOCK)
#define VALUES_NAME values_local_16
#define VALUES 16
#include "values.inc"
#define VALUES_NAME values_local_64
#define VALUES 64
#include "values.inc"
