/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - properties of kernels. */
#ifndef HEDDLE_CPU_LAUNCH_KERNEL_H
#define HEDDLE_CPU_LAUNCH_KERNEL_H

#include "core/engine.h"

/* Maximum threads per block. */
unsigned hd_cpu_max_threads(const hd_kernel *kernel);
/* Whether code of the kernel's file waits for something outside its launch. */
int hd_cpu_kernel_waits(const hd_kernel *kernel);
/* A block of the kernel has used that many bytes of static shared arrays. */
void hd_cpu_static_used(const hd_kernel *kernel, size_t bytes);

#endif
