/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - scans of every type: 256 threads per tile of 16 KB, see heddle/scan_tile.inc. Memory:
   each element is read once and written once. */
#include <heddle/kernel.h>

#include "scan.h"

#define SC_BODY "kernels/scan/plain.inc"
#include "types.inc"
