/* SPDX-License-Identifier: Apache-2.0 */
/* engine_kernels.h - declares the kernels of kern_engine.c. */
#ifndef HEDDLE_TESTS_ENGINE_KERNELS_H
#define HEDDLE_TESTS_ENGINE_KERNELS_H

#include <heddle/kernel_decl.h>

/* Bytes: more than a stack of the CPU engine and the guard page below it. GPUs, which do not run
   the kernel, would refuse to compile it. */
#if HD_SERIAL_THREADS
enum { ENGINE_FRAME = 200 << 10 };
#else
enum { ENGINE_FRAME = 1 << 10 };
#endif

HD_DECLARE(engine_sum, const float *, unsigned, float *)
HD_DECLARE(engine_frame, int *, int)
HD_DECLARE(engine_print, const char *)
HD_DECLARE(engine_wait, const unsigned *, unsigned)
HD_DECLARE(engine_wait_signed, const int *, int)
HD_DECLARE(engine_two_groups, unsigned *)
HD_DECLARE(engine_disagree, unsigned *)
HD_DECLARE(engine_half_at_barrier, unsigned *)
HD_DECLARE(engine_spin, int *, const unsigned *)

#endif
