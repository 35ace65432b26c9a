/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - indices, barriers, votes and reductions of translated programs over heddle's dialect,
   in C11 and C++17, on backends that have no such names of their own. A warp of these names has 32
   lanes; where heddle's has 64, it is one half of it, and masks are shifted to that half. */
#ifndef HEDDLE_BACKEND_PORT_DEVICE_H
#define HEDDLE_BACKEND_PORT_DEVICE_H

/* ---- indices --------------------------------------------------------------------------------- */

HD_DEVICE uint3 hd_port_thread_(void)
{
    const uint3 at = {hd_thread_x(), hd_thread_y(), hd_thread_z()};
    return at;
}
HD_DEVICE uint3 hd_port_block_(void)
{
    const uint3 at = {hd_block_x(), hd_block_y(), hd_block_z()};
    return at;
}
HD_DEVICE dim3 hd_port_block_dim_(void)
{
    const dim3 at = {hd_block_dim_x(), hd_block_dim_y(), hd_block_dim_z()};
    return at;
}
HD_DEVICE dim3 hd_port_grid_dim_(void)
{
    const dim3 at = {hd_grid_dim_x(), hd_grid_dim_y(), hd_grid_dim_z()};
    return at;
}
#define threadIdx (hd_port_thread_())
#define blockIdx (hd_port_block_())
#define blockDim (hd_port_block_dim_())
#define gridDim (hd_port_grid_dim_())
#ifndef warpSize
#ifdef __cplusplus
static const int warpSize HD_UNUSED_ = 32;
#else
enum { warpSize = 32 }; /* an integer constant expression, as in C++ */
#endif
#endif

/* ---- barriers and fences --------------------------------------------------------------------- */

#define __syncthreads() hd_sync_block()
#define __syncthreads_count(p) ((int)hd_sync_block_count((p) != 0))
#define __syncthreads_or(p) hd_sync_block_or((p) != 0)
#define __syncthreads_and(p) hd_sync_block_and((p) != 0)
#define __threadfence() hd_fence_device()
#define __threadfence_block() hd_fence_block()
#define __threadfence_system() hd_fence_system()

/* ---- warps of 32 ----------------------------------------------------------------------------- */

/* The lanes of the half that exist: a block may end within it. */
HD_DEVICE unsigned hd_port_lanes_(void)
{
    const unsigned first = hd_thread_linear() & ~31u, threads = hd_block_threads();
    return threads - first >= 32 ? 0xffffffffu : (1u << (threads - first)) - 1;
}
HD_DEVICE hd_mask hd_port_mask_(unsigned mask)
{
    return hd_mask_of((uint64_t)(mask & hd_port_lanes_()) << (hd_lane() & 32u));
}
HD_DEVICE unsigned hd_port_half_(hd_mask mask)
{
    return (unsigned)(hd_mask_bits(mask) >> (hd_lane() & 32u));
}
/* The lanes of this half that run together with the calling one. */
#define HD_PORT_ACTIVE_ (hd_port_half_(hd_active_mask()))

#define __ballot_sync(mask, p) hd_port_half_(hd_ballot_in(hd_port_mask_(mask), (p) != 0))
#define __any_sync(mask, p) (hd_any_in(hd_port_mask_(mask), (p) != 0) != 0)
#define __all_sync(mask, p) (hd_all_in(hd_port_mask_(mask), (p) != 0) != 0)
#define __ballot(p) __ballot_sync(0xffffffffu, p)
#define __any(p) __any_sync(0xffffffffu, p)
#define __all(p) __all_sync(0xffffffffu, p)
#define __activemask() HD_PORT_ACTIVE_

/* A reduction of 32-bit integers over the lanes of a mask, in the order of the lanes. */
#define HD_PORT_REDUCE_(name, T, expression)                                                       \
    HD_DEVICE T name(unsigned mask, T value)                                                       \
    {                                                                                              \
        const unsigned lanes = mask & hd_port_lanes_();                                            \
        T total = value, other;                                                                    \
        bool first = true;                                                                         \
        for (unsigned lane = 0; lane < 32; lane++)                                                 \
            if (lanes >> lane & 1) {                                                               \
                other = hd_shfl_in(hd_port_mask_(mask), value, (int)lane, 32);                     \
                total = first ? other : (expression);                                              \
                first = false;                                                                     \
            }                                                                                      \
        return total;                                                                              \
    }

/* X(operation, type, suffix, expression); and, or and xor alone are keywords in C++. */
#define HD_PORT_REDUCTIONS_(X)                                                                     \
    X(add_, unsigned, u32, total + other)                                                          \
    X(add_, int, i32, (int)((unsigned)total + (unsigned)other))                                    \
    X(min_, unsigned, u32, total < other ? total : other)                                          \
    X(min_, int, i32, total < other ? total : other)                                               \
    X(max_, unsigned, u32, total > other ? total : other)                                          \
    X(max_, int, i32, total > other ? total : other)                                               \
    X(and_, unsigned, u32, (total & other))                                                        \
    X(or_, unsigned, u32, total | other)                                                           \
    X(xor_, unsigned, u32, total ^ other)

/* The lanes whose value has the same bits. */
HD_DEVICE unsigned hd_port_match_any_(unsigned mask, unsigned long long bits)
{
    return hd_port_half_(hd_match_any_in(hd_port_mask_(mask), bits));
}
HD_DEVICE unsigned hd_port_match_all_(unsigned mask, unsigned long long bits, int *all)
{
    const unsigned equal = hd_port_match_any_(mask, bits);
    *all = __all_sync(mask, equal == (mask & hd_port_lanes_()));
    return *all ? mask : 0;
}

#endif
