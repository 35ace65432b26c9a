/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - two element-wise kernels, for host files and for their kernel file. */
#ifndef STREAMS_AND_DEVICES_KERNEL_H
#define STREAMS_AND_DEVICES_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 };

/* y[i] = a * x[i] for i < n. Launch: hd_launch_loop. */
HD_DECLARE(scale_f32, size_t, float, const float *, float *)

/* y[i] += x[i] for i < n. Launch: hd_launch_loop. */
HD_DECLARE(add_f32, size_t, const float *, float *)

#endif
