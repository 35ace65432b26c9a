/* SPDX-License-Identifier: Apache-2.0 */
/* kern_atomic.c - every atomic x type x scope, on one contended cell in global or shared memory. */
#include <heddle/kernel.h>

#include "atomic.h"

#define SCOPED(op, p, v)                                                                           \
    (scope == SCOPE_BLOCK ? op##_block(p, v) : scope == SCOPE_DEVICE ? op(p, v) : op##_system(p, v))

#define BITWISE_INTEGER(p, v, op, scope)                                                           \
    ((op) == ATOMIC_AND  ? SCOPED(hd_atomic_and, p, v)                                             \
     : (op) == ATOMIC_OR ? SCOPED(hd_atomic_or, p, v)                                              \
                         : SCOPED(hd_atomic_xor, p, v))
#define BITWISE_FLOAT(p, v, op, scope) (v)

#define T int32_t
#define TS i32
#define BITWISE BITWISE_INTEGER
#include "atomic.inc"
#undef T
#undef TS
#define T uint32_t
#define TS u32
#define BITWISE BITWISE_INTEGER
#include "atomic.inc"
#undef T
#undef TS
#define T int64_t
#define TS i64
#define BITWISE BITWISE_INTEGER
#include "atomic.inc"
#undef T
#undef TS
#define T uint64_t
#define TS u64
#define BITWISE BITWISE_INTEGER
#include "atomic.inc"
#undef T
#undef TS
#define T long long
#define TS ll
#define BITWISE BITWISE_INTEGER
#include "atomic.inc"
#undef T
#undef TS
#define T unsigned long long
#define TS ull
#define BITWISE BITWISE_INTEGER
#include "atomic.inc"
#undef T
#undef TS
#define T float
#define TS f32
#define BITWISE BITWISE_FLOAT
#include "atomic.inc"
#undef T
#undef TS
#define T double
#define TS f64
#define BITWISE BITWISE_FLOAT
#include "atomic.inc"
#undef T
#undef TS

/* Increment or decrement with wrap-around; cells as in the typed kernels. */
HD_KERNEL void atomic_wrap(uint32_t *cells, uint32_t *HD_RESTRICT olds, uint32_t top, unsigned op,
                           unsigned scope, unsigned shared)
{
    HD_SHARED(uint32_t, cell, 1);
    size_t i = hd_global_x();
    uint32_t *p = scope == SCOPE_BLOCK ? &cells[hd_block_x()] : &cells[0];

    if (shared) {
        if (hd_thread_x() == 0)
            cell[0] = cells[hd_block_x()];
        hd_sync_block();
        p = &cell[0];
    }
    olds[i] = op == ATOMIC_INC ? SCOPED(hd_atomic_inc, p, top) : SCOPED(hd_atomic_dec, p, top);
    if (shared) {
        hd_sync_block();
        if (hd_thread_x() == 0)
            cells[hd_block_x()] = cell[0];
    }
}
HD_DEFINE(atomic_wrap)

#define BODY "ordered_atomic.inc"
#include "typed_integer.inc"
