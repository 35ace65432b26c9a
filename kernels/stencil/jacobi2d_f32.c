/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f32.c - the 2-D Jacobi passes of f32 for one device. */
#define JAC_LINKS 0
#include "jacobi2d_f32.inc"
