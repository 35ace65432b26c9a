/* SPDX-License-Identifier: Apache-2.0 */
/* barrier.h - declares the kernels of kern_barrier.c. */
#ifndef HEDDLE_TESTS_BARRIER_H
#define HEDDLE_TESTS_BARRIER_H

#include <heddle/kernel_decl.h>

enum { BARRIER_COUNT, BARRIER_AND, BARRIER_OR, BARRIER_RESULTS };
enum { BARRIER_LEFT = 0x7fffffff }; /* in rows that a thread did not reach */

HD_DECLARE(barrier_predicates, const int *, const int *, int *, int)
HD_DECLARE(barrier_exchange, uint32_t *, unsigned, unsigned, int)
HD_DECLARE(warp_exchange, uint32_t *, int)
HD_DECLARE(warp_exchange_in, const uint64_t *, uint32_t *, int)

#endif
