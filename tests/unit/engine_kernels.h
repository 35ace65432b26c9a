/* SPDX-License-Identifier: Apache-2.0 */
/* engine_kernels.h - declares the kernels of kern_engine.c. */
#ifndef HEDDLE_TESTS_ENGINE_KERNELS_H
#define HEDDLE_TESTS_ENGINE_KERNELS_H

#include <heddle/kernel_decl.h>

enum { ENGINE_FRAME = 200 << 10 }; /* bytes; more than a stack and the guard page below it */

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
