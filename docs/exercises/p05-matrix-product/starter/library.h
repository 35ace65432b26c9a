/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - the same product by a library, to compare with. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <heddle/heddle.h>

#include "kernel.h"

/* The library's name; NULL if CMake has found none. */
const char *library_name(void);

/* c = a b, all three in device memory. Waits for the stream and measures the second of two calls,
   since a library prepares itself in the first. */
hd_status library_product(hd_stream *stream, sizes s, const float *a, const float *b, float *c,
                          double *milliseconds);

#endif
