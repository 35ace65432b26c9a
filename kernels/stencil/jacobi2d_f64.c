/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f64.c - the 2-D Jacobi passes of f64 for one device. */
#define JAC_LINKS 0
#include "jacobi2d_f64.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_DEFINE(hd__jacobi2d_f64_1n)
HD_DEFINE(hd__jacobi2d_f64_1p)
HD_DEFINE(hd__jacobi2d_f64_1h)
HD_DEFINE(hd__jacobi2d_f64_2n)
HD_DEFINE(hd__jacobi2d_f64_2p)
HD_DEFINE(hd__jacobi2d_f64_4n)
HD_DEFINE(hd__jacobi2d_f64_4p)
HD_DEFINE(hd__jacobi2d_f64_4h)
