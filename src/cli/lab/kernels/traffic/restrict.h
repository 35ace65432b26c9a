/* SPDX-License-Identifier: Apache-2.0 */
/* restrict.h - the kernels of `heddle lab restrict`: several results from one element, with and
   without the promise that pointers do not overlap. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_RESTRICT_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_RESTRICT_H

#include <heddle/kernel_decl.h>

/* out[k n + i] = in[i] + k for every k below RESTRICT_ROWS, one thread per i below n, n a multiple
   of the block size. */
enum { RESTRICT_ROWS = 16, RESTRICT_BLOCK = 256 };
HD_DECLARE(restrict_off, uint32_t, const float *, float *)
HD_DECLARE(restrict_on, uint32_t, const float *, float *)

#endif
