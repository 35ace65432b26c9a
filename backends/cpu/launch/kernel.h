/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - what is known of a kernel. */
#ifndef HEDDLE_CPU_LAUNCH_KERNEL_H
#define HEDDLE_CPU_LAUNCH_KERNEL_H

#include "core/engine.h"

/* Threads in a block of the kernel at most. */
unsigned hd_cpu_max_threads(const hd_kernel *kernel);
/* Code of the kernel's file waits for what is outside the launch. */
int hd_cpu_kernel_waits(const hd_kernel *kernel);
/* A block of the kernel has used so many bytes of static shared arrays. */
void hd_cpu_static_used(const hd_kernel *kernel, size_t bytes);

#endif
