/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host function of this practical, which host.c defines. */
#ifndef LAPLACE_3D_HOST_H
#define LAPLACE_3D_HOST_H

#include <heddle/heddle.h>

#include "kernel.h"

/* Makes `sweeps` sweeps on `stream`. `field` holds the field at the beginning and `other` anything,
   both in device memory. `columns` selects the kernel, `shape` is the shape of its blocks. *result
   receives the one of the two that holds the last sweep. Asynchronous. */
hd_status solve(hd_stream *stream, int columns, hd_dim3 shape, extents e, int sweeps, float *field,
                float *other, float **result);

#endif
