/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.h - the work of `heddle overlap`, with adjustable cost. */
#ifndef HEDDLE_CLI_BENCH_KERNELS_OVERLAP_H
#define HEDDLE_CLI_BENCH_KERNELS_OVERLAP_H

#include <heddle/kernel_decl.h>

/* One iteration: x * OVERLAP_FACTOR + OVERLAP_TERM, modulo 2^32 (Knuth's generator). */
#define OVERLAP_FACTOR 1664525u
#define OVERLAP_TERM 1013904223u

HD_DECLARE(overlap_work, size_t, unsigned, const uint32_t *, uint32_t *)

#endif
