/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_warp.h - shuffles, votes, matches, sums and scans of a warp; included by gpu_dialect.h.

   Primitives of the backend; `lanes` is HD_GPU_EVERYONE_ or the bits of a mask, W an unsigned word:
     hd_prim_shfl_, hd_prim_shfl_up_, hd_prim_shfl_down_, hd_prim_shfl_xor_(lanes, W, n, width)
     hd_prim_shfl_up_full_(W, n, width): if all lower lanes take part
     hd_prim_broadcast_(W, lane), hd_prim_ballot_(lanes, int), hd_prim_any_, hd_prim_all_
     hd_prim_match_any_, hd_prim_match_all_(lanes, W), hd_prim_sync_warp_(lanes)
     hd_prim_match_bit_(v, bit): the lanes that have the same value as this lane in the bit with
     mask `bit`; unspecified for lanes that do not exist
     hd_prim_fold_<Op>(v, width): the tree over groups of `width` lanes of a complete warp
     hd_prim_reduce_<Op>(lanes, v, &result): 1 if one instruction reduces all of the lanes
     hd_prim_scan_<Op>(v, width, &result): 1 if the device has a faster scan than strides of 1, 2,
     4 ... for operations that need no order, if the lanes 0 to k exist */
#ifndef HEDDLE_BACKEND_GPU_WARP_H
#define HEDDLE_BACKEND_GPU_WARP_H

/* ---- shuffles -------------------------------------------------------------------------------- */

/* A value as words: one of 8 bytes, or as many of 4 as it takes (the last one padded). */
template <class T> struct hd_gpu_is_pointer_ {
    enum { value = 0 };
};
template <class T> struct hd_gpu_is_pointer_<T *> {
    enum { value = 1 };
};
template <size_t bytes> struct hd_gpu_part_ {
    typedef unsigned type;
};
template <> struct hd_gpu_part_<8> {
    typedef unsigned long long type;
};
template <class T> struct hd_gpu_parts_ {
    static_assert(!hd_gpu_is_pointer_<T>::value,
                  "a shuffle moves a value, not a pointer or an array: pass *p, or the address as "
                  "uint64_t");
    static_assert(__is_trivially_copyable(T),
                  "a shuffle copies bytes: it moves numbers and trivially copyable structs");
    enum { count = sizeof(T) == 8 ? 1 : (sizeof(T) + 3) / 4 };
    typename hd_gpu_part_<sizeof(T)>::type word[count];
};
template <class T> HD_DEVICE hd_gpu_parts_<T> hd_gpu_split_(const T &v)
{
    hd_gpu_parts_<T> parts;
    if constexpr (sizeof(T) < 4)
        parts.word[0] = 0;
    else if constexpr (sizeof(T) % 4 != 0)
        parts.word[hd_gpu_parts_<T>::count - 1] = 0;
    __builtin_memcpy(parts.word, &v, sizeof v);
    return parts;
}
template <class T> HD_DEVICE T hd_gpu_join_(const hd_gpu_parts_<T> &parts)
{
    T v;
    __builtin_memcpy(&v, parts.word, sizeof v);
    return v;
}

/* The body of a shuffle: function(arguments) for each word of v, parts.word[i]. */
#define HD_GPU_MOVE_(T, v, function, ...)                                                          \
    hd_gpu_parts_<T> parts = hd_gpu_split_(v);                                                     \
    HD_UNROLL                                                                                      \
    for (unsigned i = 0; i < hd_gpu_parts_<T>::count; i++)                                         \
        parts.word[i] = function(__VA_ARGS__);                                                     \
    return hd_gpu_join_(parts)
#define HD_GPU_SHFL_(kind)                                                                         \
    template <class T> HD_DEVICE T hd_##kind(T v, unsigned n, unsigned width)                      \
    {                                                                                              \
        HD_GPU_MOVE_(T, v, hd_prim_##kind##_, HD_GPU_EVERYONE_, parts.word[i], n, width);          \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_##kind##_in(hd_mask m, T v, unsigned n, unsigned width)      \
    {                                                                                              \
        HD_GPU_MOVE_(T, v, hd_prim_##kind##_, m.bits, parts.word[i], n, width);                    \
    }
HD_GPU_SHFL_(shfl)
HD_GPU_SHFL_(shfl_up)
HD_GPU_SHFL_(shfl_down)
HD_GPU_SHFL_(shfl_xor)
#undef HD_GPU_SHFL_

template <class T> HD_DEVICE T hd_shfl_up_full(T v, unsigned d, unsigned width)
{
    HD_GPU_MOVE_(T, v, hd_prim_shfl_up_full_, parts.word[i], d, width);
}

template <class T> HD_DEVICE T hd_broadcast(T v, unsigned lane)
{
    HD_GPU_MOVE_(T, v, hd_prim_broadcast_, parts.word[i], lane);
}
#undef HD_GPU_MOVE_

/* ---- votes and matches ----------------------------------------------------------------------- */

template <class P> HD_DEVICE int hd_any(P p)
{
    return hd_prim_any_(HD_GPU_EVERYONE_, p ? 1 : 0);
}
template <class P> HD_DEVICE int hd_any_in(hd_mask m, P p)
{
    return hd_prim_any_(m.bits, p ? 1 : 0);
}
template <class P> HD_DEVICE int hd_all(P p)
{
    return hd_prim_all_(HD_GPU_EVERYONE_, p ? 1 : 0);
}
template <class P> HD_DEVICE int hd_all_in(hd_mask m, P p)
{
    return hd_prim_all_(m.bits, p ? 1 : 0);
}
template <class P> HD_DEVICE hd_mask hd_ballot(P p)
{
    return hd_mask_of(hd_prim_ballot_(HD_GPU_EVERYONE_, p ? 1 : 0));
}
template <class P> HD_DEVICE hd_mask hd_ballot_in(hd_mask m, P p)
{
    return hd_mask_of(hd_prim_ballot_(m.bits, p ? 1 : 0));
}
template <class T> HD_DEVICE hd_mask hd_match_any(T v)
{
    return hd_mask_of(hd_prim_match_any_(HD_GPU_EVERYONE_, hd_gpu_bits_(v)));
}
template <class T> HD_DEVICE hd_mask hd_match_any_in(hd_mask m, T v)
{
    return hd_mask_of(hd_prim_match_any_(m.bits, hd_gpu_bits_(v)));
}
/* One vote per bit. */
HD_DEVICE hd_mask hd_match_bits(unsigned v, unsigned bits)
{
    uint64_t lanes = hd_prim_ballot_(HD_GPU_EVERYONE_, 1);
    HD_UNROLL
    for (unsigned i = 0; i < bits; i++)
        lanes &= hd_prim_match_bit_(v, 1u << i);
    return hd_mask_of(lanes);
}
template <class T> HD_DEVICE hd_mask hd_match_all(T v)
{
    return hd_mask_of(hd_prim_match_all_(HD_GPU_EVERYONE_, hd_gpu_bits_(v)));
}
template <class T> HD_DEVICE hd_mask hd_match_all_in(hd_mask m, T v)
{
    return hd_mask_of(hd_prim_match_all_(m.bits, hd_gpu_bits_(v)));
}

HD_DEVICE void hd_sync_warp(void)
{
    hd_prim_sync_warp_(HD_GPU_EVERYONE_);
}
HD_DEVICE void hd_sync_warp_in(hd_mask m)
{
    hd_prim_sync_warp_(m.bits);
}

/* ---- sums, minima, maxima -------------------------------------------------------------------- */

/* The tree if lanes are missing: `present` are those that exist, and `lanes` those that arrive. All
   lanes of a group have the group's value, which the neighbouring group reads from the first
   existing lane; a group without lanes is skipped. */
template <class Op, class T>
HD_DEVICE T hd_gpu_fold_partial_(T v, unsigned width, uint64_t present,
                                 uint64_t lanes = HD_GPU_EVERYONE_)
{
    unsigned lane = hd_lane();
    HD_NO_UNROLL
    for (unsigned stride = 1; stride < width; stride *= 2) {
        unsigned base = (lane ^ stride) & ~(stride - 1);
        uint64_t group = present >> base & (((uint64_t)1 << stride) - 1);
        T other = hd_shfl_in(hd_mask_of(lanes), v, group ? base + hd_ctz(group) : lane,
                             hd_warp_size());
        if (group)
            v = Op::apply(v, other);
    }
    return v;
}

template <class Op, class T> HD_DEVICE T hd_gpu_fold_(T v, unsigned width)
{
    uint64_t present = hd_prim_ballot_(HD_GPU_EVERYONE_, 1);
    if (present == HD_GPU_ALL_LANES_)
        return hd_prim_fold_<Op>(v, width);
    return hd_gpu_fold_partial_<Op>(v, width, present);
}

template <class Op, class T> HD_DEVICE T hd_gpu_fold_warp_(T v)
{
    T result;
    if (hd_prim_reduce_<Op>(HD_GPU_EVERYONE_, v, &result))
        return result;
    return hd_gpu_fold_<Op>(v, hd_warp_size());
}

#define HD_GPU_FOLD_(name)                                                                         \
    template <class T> HD_DEVICE T hd_warp_##name(T v)                                             \
    {                                                                                              \
        return hd_gpu_fold_warp_<hd_gpu_##name##_op_>(v);                                          \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_warp_##name##_width(T v, unsigned width)                     \
    {                                                                                              \
        return hd_gpu_fold_<hd_gpu_##name##_op_>(v, width);                                        \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_warp_##name##_full(T v, unsigned width)                      \
    {                                                                                              \
        return hd_prim_fold_<hd_gpu_##name##_op_>(v, width);                                       \
    }
typedef hd_gpu_add_op_ hd_gpu_sum_op_;
HD_GPU_FOLD_(sum)
HD_GPU_FOLD_(min)
HD_GPU_FOLD_(max)
#undef HD_GPU_FOLD_

/* ---- scans ----------------------------------------------------------------------------------- */

/* The value over a window of warp-size lanes ending at lane `last`, of the existing lanes, in the
   order of Hillis-Steele; *some: whether there are any. A balanced tree: part[k] holds a subtree of
   2^k lanes until its right neighbour is complete. `lanes` are those that arrive. */
template <class Op, class T>
HD_DEVICE T hd_gpu_window_(T v, int last, uint64_t present, int *some,
                           uint64_t lanes = HD_GPU_EVERYONE_)
{
    T part[HD_GPU_WARP_LOG2_] = {}, value = v;
    int exists[HD_GPU_WARP_LOG2_] = {}, any = 0;
    HD_NO_UNROLL
    for (unsigned i = 0; i < HD_GPU_WARP_SIZE_; i++) {
        const int from = last - (int)(HD_GPU_WARP_SIZE_ - 1) + (int)i;
        any = from >= 0 && (present >> from & 1);
        value = hd_shfl_in(hd_mask_of(lanes), v, any ? (unsigned)from : hd_lane(), hd_warp_size());
        HD_UNROLL
        for (unsigned k = 0; k < HD_GPU_WARP_LOG2_; k++) {
            const unsigned end = (2u << k) - 1; /* mask of bits 0 to k of i */
            const T joined = Op::apply(part[k], value);
            const int left = (i & end) == end, waits = (i & end) == end >> 1;
            part[k] = waits ? value : part[k];
            exists[k] = waits ? any : exists[k];
            value = !left || !exists[k] ? value : !any ? part[k] : joined;
            any |= left && exists[k];
        }
    }
    *some = any;
    return value;
}

/* Whether every order of combining gives the same bits. */
template <class Op, class T> struct hd_gpu_any_order_ {
    enum { value = 1 };
};
template <class T> struct hd_gpu_any_order_<hd_gpu_sum_op_, T> {
    enum { value = !hd_gpu_type_<T>::is_float };
};

/* The existing lanes of the calling lane's group of `width`. */
HD_DEVICE uint64_t hd_gpu_group_(uint64_t present, unsigned width)
{
    uint64_t lanes = ((uint64_t)2 << (width - 1)) - 1;
    return present & lanes << (hd_lane() & ~(width - 1));
}

/* Inclusive. In almost every warp the existing lanes are 0 to k, so that each lane's partner exists
   too. */
template <class Op, class T> HD_DEVICE T hd_gpu_scan_(T v, unsigned width, uint64_t present)
{
    unsigned lane = hd_lane();
    if (present & (present + 1)) {
        int some;
        return hd_gpu_window_<Op>(v, (int)lane, hd_gpu_group_(present, width), &some);
    }
    if constexpr (hd_gpu_any_order_<Op, T>::value) {
        T result;
        if (hd_prim_scan_<Op>(v, width, &result))
            return result;
    }
    HD_UNROLL
    for (unsigned stride = 1; stride < HD_GPU_WARP_SIZE_; stride *= 2) {
        if (stride >= width)
            break;
        T other = hd_shfl_up_full(v, stride, hd_warp_size());
        if ((lane & (width - 1)) >= stride)
            v = Op::apply(other, v);
    }
    return v;
}

/* Exclusive: the result of the lane below, whether or not that lane exists. */
template <class Op, class T> HD_DEVICE T hd_gpu_scan_before_(T v, unsigned width)
{
    uint64_t present = hd_prim_ballot_(HD_GPU_EVERYONE_, 1);
    unsigned lane = hd_lane();
    if (present & (present + 1)) {
        int some;
        T window = hd_gpu_window_<Op>(v, (int)lane - 1, hd_gpu_group_(present, width), &some);
        return some ? window : (T)0;
    }
    T before = hd_shfl_up(hd_gpu_scan_<Op>(v, width, present), 1, hd_warp_size());
    return lane & (width - 1) ? before : (T)0;
}

#define HD_GPU_SCAN_(name)                                                                         \
    template <class T> HD_DEVICE T hd_warp_scan_##name##_width(T v, unsigned width)                \
    {                                                                                              \
        return hd_gpu_scan_<hd_gpu_##name##_op_>(v, width, hd_prim_ballot_(HD_GPU_EVERYONE_, 1));  \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_warp_scan_##name(T v)                                        \
    {                                                                                              \
        return hd_warp_scan_##name##_width(v, hd_warp_size());                                     \
    }
HD_GPU_SCAN_(sum)
HD_GPU_SCAN_(min)
HD_GPU_SCAN_(max)
#undef HD_GPU_SCAN_

template <class T> HD_DEVICE T hd_warp_scan_exclusive_sum_width(T v, unsigned width)
{
    return hd_gpu_scan_before_<hd_gpu_sum_op_>(v, width);
}
template <class T> HD_DEVICE T hd_warp_scan_exclusive_sum(T v)
{
    return hd_gpu_scan_before_<hd_gpu_sum_op_>(v, hd_warp_size());
}

#endif
