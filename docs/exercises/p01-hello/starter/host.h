/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host functions of this practical, which host.c defines. */
#ifndef HELLO_HOST_H
#define HELLO_HOST_H

#include <heddle/heddle.h>

/* Adds two arrays of n elements in host memory: allocates device memory, copies x and y to it, runs
   add_f32 on `stream`, and copies the sums back. *milliseconds receives the time of the kernel
   alone, measured by two events. Frees what it allocated. */
hd_status add_with_copies(hd_stream *stream, size_t n, const float *x, const float *y, float *sum,
                          float *milliseconds);

/* The same in managed memory, without any copy: the host writes x and y into managed memory and
   reads the sums from it. */
hd_status add_managed(hd_stream *stream, size_t n, const float *x, const float *y, float *sum);

/* Launches add_f32 in blocks of 2048 threads, which no device has. Returns the launch's status.
   If it is an error, `text` (of HD_ERROR_TEXT_MAX bytes) receives heddle's description of it. */
hd_status provoke(hd_stream *stream, char *text);

#endif
