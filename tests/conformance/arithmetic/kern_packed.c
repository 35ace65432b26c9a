/* SPDX-License-Identifier: Apache-2.0 */
/* kern_packed.c - every operation on packed integers. */
#include <heddle/kernel.h>

#include "packed_kernels.h"

#define BINARY(name)                                                                               \
    out[PACKED_##name##2 * n + i] = hd_##name##2(x, y);                                            \
    out[PACKED_##name##4 * n + i] = hd_##name##4(x, y);
#define UNARY(name)                                                                                \
    out[PACKED_##name##2 * n + i] = hd_##name##2(x);                                               \
    out[PACKED_##name##4 * n + i] = hd_##name##4(x);
#define WORDS(name) out[PACKED_##name * n + i] = hd_##name(x, y, z);
HD_KERNEL void packed_operations(size_t n, const uint32_t *HD_RESTRICT a,
                                 const uint32_t *HD_RESTRICT b, const uint32_t *HD_RESTRICT c,
                                 uint32_t *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        const uint32_t x = a[i], y = b[i], z = c[i];

        PACKED_BINARY(BINARY)
        PACKED_UNARY(UNARY)
        out[PACKED_dp4a_i32 * n + i] = (uint32_t)hd_dp4a_i32((int32_t)x, (int32_t)y, (int32_t)z);
        WORDS(dp4a_u32)
        WORDS(byte_perm)
        WORDS(funnel_shift_left)
        WORDS(funnel_shift_right)
        WORDS(funnel_shift_left_clamp)
        WORDS(funnel_shift_right_clamp)
    }
}
HD_DEFINE(packed_operations)
