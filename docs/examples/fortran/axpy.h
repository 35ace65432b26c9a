/* SPDX-License-Identifier: Apache-2.0 */
/* axpy.h - the kernel of the example, for its launcher and for its kernel file. */
#ifndef FORTRAN_AXPY_H
#define FORTRAN_AXPY_H

#include <heddle/kernel_decl.h>

/* y[i] = a * x[i] + y[i] for i < n; one thread per element. */
HD_DECLARE(axpy_f64, size_t, double, const double *, double *)

#endif
