/* SPDX-License-Identifier: Apache-2.0 */
/* device.hpp - indices, barriers and warp operations of translated programs over heddle's dialect,
   on backends that have no such names of their own. A warp of these names has 32 lanes; where
   heddle's has 64, it is one half of it, and masks are shifted to that half. */
#ifndef HEDDLE_BACKEND_PORT_DEVICE_HPP
#define HEDDLE_BACKEND_PORT_DEVICE_HPP

#include <heddle/backend/port/vectors.hpp>

/* ---- indices --------------------------------------------------------------------------------- */

HD_DEVICE uint3 hd_port_thread_()
{
    return {hd_thread_x(), hd_thread_y(), hd_thread_z()};
}
HD_DEVICE uint3 hd_port_block_()
{
    return {hd_block_x(), hd_block_y(), hd_block_z()};
}
HD_DEVICE dim3 hd_port_block_dim_()
{
    return {hd_block_dim_x(), hd_block_dim_y(), hd_block_dim_z()};
}
HD_DEVICE dim3 hd_port_grid_dim_()
{
    return {hd_grid_dim_x(), hd_grid_dim_y(), hd_grid_dim_z()};
}
#define threadIdx (hd_port_thread_())
#define blockIdx (hd_port_block_())
#define blockDim (hd_port_block_dim_())
#define gridDim (hd_port_grid_dim_())
#ifndef warpSize
static const int warpSize HD_UNUSED_ = 32;
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
HD_DEVICE unsigned hd_port_lanes_()
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

HD_DEVICE constexpr unsigned hd_port_all_(unsigned mask = 0xffffffffu)
{
    return mask;
}
#define __syncwarp(...) hd_sync_warp_in(hd_port_mask_(hd_port_all_(__VA_ARGS__)))

/* Values of other sizes travel in words. */
template <class T> struct hd_port_words_ {
    static constexpr size_t count = (sizeof(T) + 3) / 4;
    unsigned word[count];
};

#define HD_PORT_SHUFFLE_(name, operation)                                                          \
    template <class T> HD_DEVICE T name(unsigned mask, T value, int lane, int width = 32)          \
    {                                                                                              \
        hd_port_words_<T> words = {};                                                              \
        memcpy(&words, &value, sizeof value);                                                      \
        for (unsigned &word : words.word)                                                          \
            word = operation(hd_port_mask_(mask), word, lane, width);                              \
        memcpy(&value, &words, sizeof value);                                                      \
        return value;                                                                              \
    }
HD_PORT_SHUFFLE_(__shfl_sync, hd_shfl_in)
HD_PORT_SHUFFLE_(__shfl_up_sync, hd_shfl_up_in)
HD_PORT_SHUFFLE_(__shfl_down_sync, hd_shfl_down_in)
HD_PORT_SHUFFLE_(__shfl_xor_sync, hd_shfl_xor_in)
#undef HD_PORT_SHUFFLE_
/* Forms without a mask: the whole warp takes part. */
template <class T> HD_DEVICE T __shfl(T value, int lane, int width = 32)
{
    return __shfl_sync(0xffffffffu, value, lane, width);
}
template <class T> HD_DEVICE T __shfl_up(T value, unsigned lanes, int width = 32)
{
    return __shfl_up_sync(0xffffffffu, value, (int)lanes, width);
}
template <class T> HD_DEVICE T __shfl_down(T value, unsigned lanes, int width = 32)
{
    return __shfl_down_sync(0xffffffffu, value, (int)lanes, width);
}
template <class T> HD_DEVICE T __shfl_xor(T value, int lanes, int width = 32)
{
    return __shfl_xor_sync(0xffffffffu, value, lanes, width);
}

#define __ballot_sync(mask, p) hd_port_half_(hd_ballot_in(hd_port_mask_(mask), (p) != 0))
#define __any_sync(mask, p) (hd_any_in(hd_port_mask_(mask), (p) != 0) != 0)
#define __all_sync(mask, p) (hd_all_in(hd_port_mask_(mask), (p) != 0) != 0)
#define __ballot(p) __ballot_sync(0xffffffffu, p)
#define __any(p) __any_sync(0xffffffffu, p)
#define __all(p) __all_sync(0xffffffffu, p)
#define __activemask() HD_PORT_ACTIVE_

template <class T> HD_DEVICE unsigned long long hd_port_bits_(T value)
{
    unsigned long long bits = 0;
    static_assert(sizeof value <= sizeof bits, "__match_any_sync compares at most 8 bytes");
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> HD_DEVICE unsigned __match_any_sync(unsigned mask, T value)
{
    return hd_port_half_(hd_match_any_in(hd_port_mask_(mask), hd_port_bits_(value)));
}
template <class T> HD_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    const unsigned equal = hd_port_half_(
        hd_match_any_in(hd_port_mask_(mask), hd_port_bits_(value)));
    *all = __all_sync(mask, equal == (mask & hd_port_lanes_()));
    return *all ? mask : 0;
}
#define HD_PORT_REDUCE_(name, T, expression)                                                       \
    HD_DEVICE T name(unsigned mask, T value)                                                       \
    {                                                                                              \
        const unsigned lanes = mask & hd_port_lanes_();                                            \
        T total = value, other;                                                                    \
        bool first = true;                                                                         \
        for (unsigned lane = 0; lane < 32; lane++)                                                 \
            if (lanes >> lane & 1) {                                                               \
                other = __shfl_sync(mask, value, (int)lane);                                       \
                total = first ? other : (expression);                                              \
                first = false;                                                                     \
            }                                                                                      \
        return total;                                                                              \
    }
HD_PORT_REDUCE_(__reduce_add_sync, unsigned, total + other)
HD_PORT_REDUCE_(__reduce_add_sync, int, (int)((unsigned)total + (unsigned)other))
HD_PORT_REDUCE_(__reduce_min_sync, unsigned, total < other ? total : other)
HD_PORT_REDUCE_(__reduce_min_sync, int, total < other ? total : other)
HD_PORT_REDUCE_(__reduce_max_sync, unsigned, total > other ? total : other)
HD_PORT_REDUCE_(__reduce_max_sync, int, total > other ? total : other)
HD_PORT_REDUCE_(__reduce_and_sync, unsigned, total &other)
HD_PORT_REDUCE_(__reduce_or_sync, unsigned, total | other)
HD_PORT_REDUCE_(__reduce_xor_sync, unsigned, total ^ other)
#undef HD_PORT_REDUCE_

#endif
