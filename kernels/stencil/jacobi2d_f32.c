/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f32.c - the 2-D Jacobi passes of f32 for one device. */
#define JAC_LINKS 0
#include "jacobi2d_f32.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_DEFINE(hd__jacobi2d_f32_1n)
HD_DEFINE(hd__jacobi2d_f32_1p)
HD_DEFINE(hd__jacobi2d_f32_1h)
HD_DEFINE(hd__jacobi2d_f32_2n)
HD_DEFINE(hd__jacobi2d_f32_2p)
HD_DEFINE(hd__jacobi2d_f32_4n)
HD_DEFINE(hd__jacobi2d_f32_4p)
HD_DEFINE(hd__jacobi2d_f32_4h)
HD_DEFINE(hd__jacobi2d_f32_8n)
HD_DEFINE(hd__jacobi2d_f32_8p)
