/* SPDX-License-Identifier: Apache-2.0 */
/* warp.h (CPU) - CUDA's operations of warps in C that take values of several types. */
#ifndef HEDDLE_BACKEND_CUDA_C_WARP_H
#define HEDDLE_BACKEND_CUDA_C_WARP_H

#include <heddle/backend/cuda_c/defaults.h>
#include <heddle/backend/port/device.h>

/* Without an argument, all lanes. */
#define __syncwarp(...)                                                                            \
    hd_sync_warp_in(hd_port_mask_(sizeof(#__VA_ARGS__) == 1                                        \
                                      ? 0xffffffffu + (unsigned)HD_PORT_REST_(1, ~__VA_ARGS__)     \
                                      : (unsigned)(__VA_ARGS__ + 0)))

/* The width is appended: 32. */
#define HD_PORT_SHUFFLE_(operation, mask, value, lane, width, ...)                                 \
    operation(hd_port_mask_(mask), value, (int)(lane), (int)(width) + HD_PORT_REST_(2, __VA_ARGS__))
#define __shfl_sync(...) HD_PORT_SHUFFLE_(hd_shfl_in, __VA_ARGS__, 32, 0)
#define __shfl_up_sync(...) HD_PORT_SHUFFLE_(hd_shfl_up_in, __VA_ARGS__, 32, 0)
#define __shfl_down_sync(...) HD_PORT_SHUFFLE_(hd_shfl_down_in, __VA_ARGS__, 32, 0)
#define __shfl_xor_sync(...) HD_PORT_SHUFFLE_(hd_shfl_xor_in, __VA_ARGS__, 32, 0)
#define __shfl(...) __shfl_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(0xffffffffu, __VA_ARGS__)

#define __match_any_sync(mask, value) hd_port_match_any_(mask, HD_PORT_BITS_OF_(value))
#define __match_all_sync(mask, value, all) hd_port_match_all_(mask, HD_PORT_BITS_OF_(value), all)
#define HD_PORT_BITS_OF_(value)                                                                    \
    HD_PORT_BITS_OF__(value, HD_CAT(hd_port_value_, __COUNTER__),                                  \
                      HD_CAT(hd_port_bits_, __COUNTER__))
#define HD_PORT_BITS_OF__(value, copy, bits)                                                       \
    __extension__({                                                                                \
        HD_CPU_TYPE_(value) copy = (value);                                                        \
        unsigned long long bits = 0;                                                               \
        _Static_assert(sizeof copy <= sizeof bits, "__match_any_sync compares at most 8 bytes");   \
        __builtin_memcpy(&bits, &copy, sizeof copy);                                               \
        bits;                                                                                      \
    })

#define HD_PORT_REDUCTION_(operation, T, S, expression)                                            \
    HD_PORT_REDUCE_(hd_port_reduce_##operation##S##_, T, expression)
HD_PORT_REDUCTIONS_(HD_PORT_REDUCTION_)
#undef HD_PORT_REDUCTION_
/* For the type to which the value is promoted. */
#define HD_PORT_REDUCE_OF_(operation, mask, value)                                                 \
    _Generic(+(value), int                                                                         \
             : hd_port_reduce_##operation##i32_, unsigned                                          \
             : hd_port_reduce_##operation##u32_)(mask, value)
#define __reduce_add_sync(mask, value) HD_PORT_REDUCE_OF_(add_, mask, value)
#define __reduce_min_sync(mask, value) HD_PORT_REDUCE_OF_(min_, mask, value)
#define __reduce_max_sync(mask, value) HD_PORT_REDUCE_OF_(max_, mask, value)
#define __reduce_and_sync(mask, value) hd_port_reduce_and_u32_(mask, value)
#define __reduce_or_sync(mask, value) hd_port_reduce_or_u32_(mask, value)
#define __reduce_xor_sync(mask, value) hd_port_reduce_xor_u32_(mask, value)

#endif
