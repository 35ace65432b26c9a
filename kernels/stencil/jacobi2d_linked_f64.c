/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_linked_f64.c - the 2-D Jacobi passes of f64 that are linked to those of other devices:
   kernels that wait for what is outside their launch stand in files of their own. */
#define JAC_LINKS 1
#include "jacobi2d_f64.inc"
