/* SPDX-License-Identifier: Apache-2.0 */
/* kern_blockops.c - sums, minima, maxima and scans over warps and blocks. */
#include <heddle/kernel.h>

#include "blockops.h"

#define BODY "blockops.inc"
#include "typed_all.inc"
