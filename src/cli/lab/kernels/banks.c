/* SPDX-License-Identifier: Apache-2.0 */
/* banks.c - reads of 4, 8 and 16 bytes per lane from shared memory. */
#include <heddle/kernel.h>

#include "banks.h"

#define BANK_NAME banks_4
#define BANK_T uint32_t
#define BANK_BYTES 4
#define BANK_SET(v) (v)
#define BANK_FOLD(v) (v)
#include "banks.inc"

#define BANK_NAME banks_8
#define BANK_T hd_u32x2
#define BANK_BYTES 8
#define BANK_SET(v) hd_u32x2_set(v)
#define BANK_FOLD(v) ((v).x | (v).y)
#include "banks.inc"

#define BANK_NAME banks_16
#define BANK_T hd_u32x4
#define BANK_BYTES 16
#define BANK_SET(v) hd_u32x4_set(v)
#define BANK_FOLD(v) ((v).x | (v).y | (v).z | (v).w)
#include "banks.inc"
