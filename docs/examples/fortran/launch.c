/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - hd_launch is a macro of C, so each kernel gets a function that Fortran can call. */
#include <heddle/heddle.h>

#include "axpy.h"

hd_status launch_axpy(size_t n, double a, const double *x, double *y, hd_stream *stream);
hd_status launch_axpy(size_t n, double a, const double *x, double *y, hd_stream *stream)
{
    return hd_launch(axpy_f64, hd_launch_1d(n, 256, stream), n, a, x, y);
}
