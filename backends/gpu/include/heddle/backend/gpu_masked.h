/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_masked.h - sums, minima, maxima and scans over the lanes of a mask; included by
   gpu_dialect.h. Different groups of lanes of a warp may arrive at the same time. */
#ifndef HEDDLE_BACKEND_GPU_MASKED_H
#define HEDDLE_BACKEND_GPU_MASKED_H

/* A bit per lane. */
typedef hd_gpu_word_<HD_GPU_WARP_SIZE_ / 8>::type hd_gpu_lanes_;

/* Whether the lanes follow each other without a gap, from lane `first` on. */
HD_DEVICE bool hd_gpu_contiguous_(hd_gpu_lanes_ lanes, unsigned first)
{
    const hd_gpu_lanes_ run = lanes >> first;
    return (run & (run + 1)) == 0;
}

/* The tree over lane numbers. If the lanes are a tile, i.e. 2^k lanes from a multiple of 2^k on,
   every partner takes part. */
template <class Op, class T> HD_DEVICE T hd_gpu_fold_in_(hd_gpu_lanes_ lanes, T v)
{
    const hd_mask m = hd_mask_of(lanes);
    const unsigned size = hd_popcount(lanes), first = hd_ctz(lanes);
    T result;
    if (hd_prim_reduce_<Op>(lanes, v, &result))
        return result;
    if (!hd_gpu_contiguous_(lanes, first) || ((first | size) & (size - 1)) != 0)
        return hd_gpu_fold_partial_<Op>(v, hd_warp_size(), lanes, lanes);
    HD_UNROLL
    for (unsigned stride = 1; stride < HD_GPU_WARP_SIZE_; stride *= 2) {
        if (stride >= size)
            break;
        v = Op::apply(v, hd_shfl_xor_in(m, v, stride, hd_warp_size()));
    }
    return v;
}

/* Inclusive: Hillis-Steele over lane numbers with ascending strides. */
template <class Op, class T> HD_DEVICE T hd_gpu_scan_in_(hd_gpu_lanes_ lanes, T v)
{
    const hd_mask m = hd_mask_of(lanes);
    const unsigned size = hd_popcount(lanes), first = hd_ctz(lanes), lane = hd_lane();
    if (!hd_gpu_contiguous_(lanes, first)) {
        int some;
        return hd_gpu_window_<Op>(v, (int)lane, lanes, &some, lanes);
    }
    HD_UNROLL
    for (unsigned stride = 1; stride < HD_GPU_WARP_SIZE_; stride *= 2) {
        if (stride >= size)
            break;
        const T other = hd_shfl_up_in(m, v, stride, hd_warp_size());
        if (lane - first >= stride)
            v = Op::apply(other, v);
    }
    return v;
}

template <class T> HD_DEVICE T hd_scan_exclusive_sum_in(hd_mask m, T v)
{
    const hd_gpu_lanes_ lanes = (hd_gpu_lanes_)m.bits;
    const unsigned first = hd_ctz(lanes), lane = hd_lane();
    if (!hd_gpu_contiguous_(lanes, first)) {
        int some;
        const T window = hd_gpu_window_<hd_gpu_sum_op_>(v, (int)lane - 1, lanes, &some, lanes);
        return some ? window : (T)0;
    }
    const T scan = hd_gpu_scan_in_<hd_gpu_sum_op_>(lanes, v);
    const T before = hd_shfl_up_in(m, scan, 1, hd_warp_size());
    return lane == first ? (T)0 : before;
}

#define HD_GPU_MASKED_(name)                                                                       \
    template <class T> HD_DEVICE T hd_##name##_in(hd_mask m, T v)                                  \
    {                                                                                              \
        return hd_gpu_fold_in_<hd_gpu_##name##_op_>((hd_gpu_lanes_)m.bits, v);                     \
    }                                                                                              \
    template <class T> HD_DEVICE T hd_scan_##name##_in(hd_mask m, T v)                             \
    {                                                                                              \
        return hd_gpu_scan_in_<hd_gpu_##name##_op_>((hd_gpu_lanes_)m.bits, v);                     \
    }
HD_GPU_MASKED_(sum)
HD_GPU_MASKED_(min)
HD_GPU_MASKED_(max)
#undef HD_GPU_MASKED_

#endif
