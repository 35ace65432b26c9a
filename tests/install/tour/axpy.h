/* SPDX-License-Identifier: Apache-2.0 */
/* axpy.h - the kernel of the tour, for host files and for its kernel file. */
#ifndef TOUR_AXPY_H
#define TOUR_AXPY_H

#include <heddle/kernel_decl.h>

/* y[i] = a * x[i] + y[i] for i < n; one thread per element. */
HD_DECLARE(axpy_f32, size_t, float, const float *, float *)

#endif
