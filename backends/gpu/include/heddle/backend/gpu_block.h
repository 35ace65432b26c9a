/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_block.h - block-wide sums and scans; included by gpu_dialect.h.

   Every call begins with a barrier, because an earlier call may still be using the shared
   memory. */
#ifndef HEDDLE_BACKEND_GPU_BLOCK_H
#define HEDDLE_BACKEND_GPU_BLOCK_H

/* The identity of the operation: x + -0.0 is x, also for -0.0 and NaN. */
template <class Op, class T> struct hd_gpu_neutral_;
template <class T> struct hd_gpu_neutral_<hd_gpu_sum_op_, T> {
    static HD_GPU_INLINE_ T value(void)
    {
        return hd_gpu_type_<T>::is_float ? (T)-0.0 : (T)0;
    }
};
template <class T> HD_DEVICE T hd_gpu_largest_(void)
{
    if constexpr (hd_gpu_type_<T>::is_float)
        return (T)__builtin_huge_val();
    else if constexpr ((T)-1 < (T)0)
        return (T)(~(hd_word_<T>)0 >> 1);
    else
        return (T) ~(hd_word_<T>)0;
}
template <class T> struct hd_gpu_neutral_<hd_gpu_min_op_, T> {
    static HD_GPU_INLINE_ T value(void)
    {
        return hd_gpu_largest_<T>();
    }
};
template <class T> struct hd_gpu_neutral_<hd_gpu_max_op_, T> {
    static HD_GPU_INLINE_ T value(void)
    {
        if constexpr (hd_gpu_type_<T>::is_float)
            return -hd_gpu_largest_<T>();
        else
            return (T)((hd_word_<T>)hd_gpu_largest_<T>() + 1u); /* wraps around */
    }
};

/* Each warp reduces its lanes, then lanes reduce the warps' results: one tree over the linear
   thread id with ascending strides. If the last warp is partial, it may have too few lanes for
   the results of all warps, so the first warp reduces them for the block.

       v           t0 t1 ... t31 | t32 ... t63 | ...
       part[]      warp 0        | warp 1      | ...     one per warp, in shared memory
       result      tree over part[] */
template <class Op, class T> HD_DEVICE T hd_gpu_block_fold_(T v)
{
    constexpr unsigned slots = HD_MAX_BLOCK_THREADS / HD_GPU_WARP_SIZE_;
    __shared__ T part[slots];
    unsigned threads = hd_block_threads(), lane = hd_lane(), slot = lane % slots;
    unsigned warps = (threads + hd_warp_size() - 1) / hd_warp_size();
    T whole = hd_gpu_fold_<Op>(v, hd_warp_size());
    if (warps == 1)
        return whole;
    hd_sync_block();
    if (lane == 0)
        part[hd_warp()] = whole;
    hd_sync_block();
    if (threads % hd_warp_size() == 0)
        return hd_prim_fold_<Op>(slot < warps ? part[slot] : hd_gpu_neutral_<Op, T>::value(),
                                 slots);
    if (hd_warp() == 0) {
        whole = hd_prim_fold_<Op>(slot < warps ? part[slot] : hd_gpu_neutral_<Op, T>::value(),
                                  slots);
        if (lane == 0)
            part[0] = whole;
    }
    hd_sync_block();
    return part[0];
}

template <class T> HD_DEVICE T hd_block_sum(T v)
{
    return hd_gpu_block_fold_<hd_gpu_sum_op_>(v);
}
template <class T> HD_DEVICE T hd_block_min(T v)
{
    return hd_gpu_block_fold_<hd_gpu_min_op_>(v);
}
template <class T> HD_DEVICE T hd_block_max(T v)
{
    return hd_gpu_block_fold_<hd_gpu_max_op_>(v);
}

/* For operations whose order does not matter: warps scan, then the first warp scans their totals.
   The first warp is complete whenever there is a second one. */
template <class Op, class T> HD_DEVICE T hd_gpu_block_scan_any_(T v)
{
    __shared__ T total[HD_MAX_BLOCK_THREADS / HD_GPU_WARP_SIZE_];
    uint64_t everyone = HD_GPU_ALL_LANES_;
    unsigned lane = hd_lane(), warp = hd_warp(), warps = hd_warps_per_block();
    T scan = hd_gpu_scan_<Op>(v, hd_warp_size(), hd_prim_ballot_(HD_GPU_EVERYONE_, 1));
    if (warps == 1)
        return scan;
    hd_sync_block();
    if (lane == hd_warp_size() - 1 || hd_thread_linear() == hd_block_threads() - 1)
        total[warp] = scan;
    hd_sync_block();
    if (warp == 0) {
        T mine = lane < warps ? total[lane] : hd_gpu_neutral_<Op, T>::value();
        mine = hd_gpu_scan_<Op>(mine, hd_warp_size(), everyone);
        if (lane < warps)
            total[lane] = mine;
    }
    hd_sync_block();
    return warp ? Op::apply(total[warp - 1], scan) : scan;
}

/* One value per thread; all calls with the same type share the array. */
template <class T> HD_DEVICE T *hd_gpu_block_row_(void)
{
    __shared__ T row[HD_MAX_BLOCK_THREADS];
    return row;
}

/* Floats: Hillis-Steele over the linear thread id with ascending strides, two barriers per
   stride. */
template <class T> HD_DEVICE T hd_gpu_block_scan_float_(T v)
{
    T *row = hd_gpu_block_row_<T>();
    unsigned id = hd_thread_linear(), threads = hd_block_threads();
    HD_NO_UNROLL
    for (unsigned stride = 1; stride < threads; stride *= 2) {
        hd_sync_block();
        row[id] = v;
        hd_sync_block();
        if (id >= stride)
            v = row[id - stride] + v;
    }
    return v;
}

template <class T> HD_DEVICE T hd_block_scan_sum(T v)
{
    if constexpr (hd_gpu_type_<T>::is_float)
        return hd_gpu_block_scan_float_(v);
    else
        return hd_gpu_block_scan_any_<hd_gpu_sum_op_>(v);
}
template <class T> HD_DEVICE T hd_block_scan_min(T v)
{
    return hd_gpu_block_scan_any_<hd_gpu_min_op_>(v);
}
template <class T> HD_DEVICE T hd_block_scan_max(T v)
{
    return hd_gpu_block_scan_any_<hd_gpu_max_op_>(v);
}

template <class T> HD_DEVICE T hd_block_scan_exclusive_sum(T v)
{
    T scan = hd_block_scan_sum(v);
    if constexpr (!hd_gpu_type_<T>::is_float) {
        return (T)((hd_sum_<T>)scan - (hd_sum_<T>)v);
    } else {
        T *row = hd_gpu_block_row_<T>();
        unsigned id = hd_thread_linear();
        hd_sync_block();
        row[id] = scan;
        hd_sync_block();
        return id ? row[id - 1] : (T)0;
    }
}

#endif
