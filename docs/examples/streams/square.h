/* SPDX-License-Identifier: Apache-2.0 */
/* square.h - the kernel of the example, for host files and for its kernel file. */
#ifndef STREAMS_SQUARE_H
#define STREAMS_SQUARE_H

#include <heddle/kernel_decl.h>

/* y[i] = x[i] * x[i] for i < n. */
HD_DECLARE(square_f32, size_t, const float *, float *)

#endif
