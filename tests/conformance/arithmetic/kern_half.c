/* SPDX-License-Identifier: Apache-2.0 */
/* kern_half.c - binary16 and bfloat16 on the device. */
#include <heddle/kernel.h>

#include "half_kernels.h"

#define F f16
#include "half_kernels.inc"
#define F bf16
#include "half_kernels.inc"
