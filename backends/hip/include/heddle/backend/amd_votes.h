/* SPDX-License-Identifier: Apache-2.0 */
/* amd_votes.h - votes of a warp and of a block, matches, and reductions and scans of a complete
   warp on AMD hardware; included by amd_dialect.h. */
#ifndef HEDDLE_BACKEND_AMD_VOTES_H
#define HEDDLE_BACKEND_AMD_VOTES_H

/* ---- votes and matches ----------------------------------------------------------------------- */

/* `lanes` are those that arrive together, i.e. the execution mask. */
HD_DEVICE uint64_t hd_prim_ballot_(uint64_t lanes, int p)
{
#if !__has_builtin(__builtin_amdgcn_ballot_w64) /* clang 15; 33 is "not equal" */
    return __builtin_amdgcn_uicmp((unsigned)p, 0u, 33) & lanes;
#elif HD_GPU_WARP_LOG2_ == 6
    return __builtin_amdgcn_ballot_w64(p != 0) & lanes;
#else
    return __builtin_amdgcn_ballot_w32(p != 0) & (uint32_t)lanes;
#endif
}
HD_DEVICE int hd_prim_any_(uint64_t lanes, int p)
{
    return hd_prim_ballot_(lanes, p) != 0;
}
HD_DEVICE int hd_prim_all_(uint64_t lanes, int p)
{
    return hd_prim_ballot_(lanes, !p) == 0;
}
/* One iteration per distinct value: broadcasts that of the first remaining lane; the lanes with
   this value are done. */
template <class W> HD_DEVICE uint64_t hd_prim_match_any_(uint64_t lanes, W v)
{
    for (;;) {
        int same = v == hd_amd_first_(v);
        uint64_t matching = hd_prim_ballot_(lanes, same);
        if (same)
            return matching;
    }
}
/* Several groups of lanes may arrive together: each compares with its own first lane. */
template <class W> HD_DEVICE uint64_t hd_prim_match_all_(uint64_t lanes, W v)
{
    const uint64_t here = hd_prim_ballot_(lanes, 1);
    W first = hd_amd_first_(v);
    if (lanes != HD_GPU_EVERYONE_)
        first = hd_amd_read_(v, (unsigned)__builtin_ctzll(here));
    return hd_prim_ballot_(lanes, v == first) == here ? here : 0;
}
HD_DEVICE uint64_t hd_prim_match_bit_(unsigned v, unsigned bit)
{
    const int set = (v & bit) != 0;
    const uint64_t with = hd_prim_ballot_(HD_GPU_EVERYONE_, set);
    return set ? with : ~with;
}
HD_DEVICE void hd_prim_sync_warp_(uint64_t lanes)
{
    (void)lanes;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
HD_DEVICE hd_mask hd_active_mask(void)
{
    return hd_mask_of(hd_prim_ballot_(HD_GPU_EVERYONE_, 1));
}

/* ---- votes of a block ------------------------------------------------------------------------ */

/* Sums `p` over the threads that have not returned, with two barriers. The counter in shared memory
   only grows: the result is the increase between the barriers, so that no thread has to clear it,
   and returned lanes or warps do not matter. The device library's functions rely on lane 0. */
HD_DEVICE unsigned hd_sync_block_count(int p)
{
    __shared__ unsigned total;
    unsigned before = hd_prim_load_<HD_SCOPE_BLOCK_, 0>(&total), warp;
    hd_sync_block();
    warp = hd_prim_popcount_((unsigned long long)hd_prim_ballot_(HD_GPU_EVERYONE_, p));
    if (hd_amd_first_(hd_lane()) == hd_lane())
        (void)hd_prim_add_<HD_SCOPE_BLOCK_>(&total, warp);
    hd_sync_block();
    return hd_prim_load_<HD_SCOPE_BLOCK_, 0>(&total) - before;
}
HD_DEVICE int hd_sync_block_and(int p)
{
    return hd_sync_block_count(!p) == 0;
}
HD_DEVICE int hd_sync_block_or(int p)
{
    return hd_sync_block_count(p) != 0;
}

/* ---- the tree of a complete warp ------------------------------------------------------------- */

template <class Op, class T> HD_DEVICE T hd_amd_join_(T v, hd_word_<T> other)
{
    return Op::apply(v, hd_gpu_of_bits_<T>(other));
}

template <class Op, class T> HD_DEVICE T hd_amd_fold_rows_(T v, unsigned width)
{
#if HD_GPU_WARP_LOG2_ == 5
    (void)width;
    return hd_amd_join_<Op>(v, hd_amd_other_row_(hd_gpu_bits_(v)));
#else
    v = hd_amd_join_<Op>(v, hd_amd_dpp_<HD_AMD_BEFORE_16_>(hd_gpu_bits_(v)));
    if (width == 32) {
        hd_word_<T> low = hd_amd_readlane_(hd_gpu_bits_(v), 31);
        hd_word_<T> high = hd_amd_readlane_(hd_gpu_bits_(v), 63);
        return hd_gpu_of_bits_<T>(hd_lane() < 32 ? low : high);
    }
    v = hd_amd_join_<Op>(v, hd_amd_dpp_<HD_AMD_BEFORE_32_>(hd_gpu_bits_(v)));
    return hd_gpu_of_bits_<T>(hd_amd_readlane_(hd_gpu_bits_(v), 63));
#endif
}

/* Ascending strides. After stride 2 all lanes of a quad have the same value, so that the mirrored
   lane can replace the one at distance 4, and so on. On gfx9, from stride 16 on, only the last lane
   of a row or half has the result, and is read. */
template <class Op, class T> HD_DEVICE T hd_prim_fold_(T v, unsigned width)
{
    if (width >= 2)
        v = hd_amd_join_<Op>(v, hd_amd_dpp_<HD_AMD_XOR_1_>(hd_gpu_bits_(v)));
    if (width >= 4)
        v = hd_amd_join_<Op>(v, hd_amd_dpp_<HD_AMD_XOR_2_>(hd_gpu_bits_(v)));
    if (width >= 8)
        v = hd_amd_join_<Op>(v, hd_amd_dpp_<HD_AMD_MIRROR_8_>(hd_gpu_bits_(v)));
    if (width >= 16)
        v = hd_amd_join_<Op>(v, hd_amd_dpp_<HD_AMD_MIRROR_16_>(hd_gpu_bits_(v)));
    if (width >= 32)
        v = hd_amd_fold_rows_<Op>(v, width);
    return v;
}

/* There is no such single instruction. */
template <class Op, class T> HD_DEVICE int hd_prim_reduce_(uint64_t, T, T *)
{
    return 0;
}

/* v in lanes where `starts` is set, otherwise the value moved by the pattern `how` combined with
   v. */
template <class Op, int how, class T> HD_DEVICE T hd_amd_scan_step_(T v, bool starts)
{
    const T joined = Op::apply(hd_gpu_of_bits_<T>(hd_amd_dpp_<how>(hd_gpu_bits_(v))), v);
    return starts ? v : joined;
}

/* Scans each row of 16; then adds the previous row's total to every second row, then the lower
   half's total to the upper half. */
template <class Op, class T> HD_DEVICE int hd_prim_scan_(T v, unsigned width, T *result)
{
    const unsigned lane = hd_lane(), column = hd_amd_column_(width);
    if (width > 1)
        v = hd_amd_scan_step_<Op, HD_AMD_ROW_UP_ + 1>(v, column < 1);
    if (width > 2)
        v = hd_amd_scan_step_<Op, HD_AMD_ROW_UP_ + 2>(v, column < 2);
    if (width > 4)
        v = hd_amd_scan_step_<Op, HD_AMD_ROW_UP_ + 4>(v, column < 4);
    if (width > 8)
        v = hd_amd_scan_step_<Op, HD_AMD_ROW_UP_ + 8>(v, column < 8);
#if HD_GPU_WARP_LOG2_ == 5
    if (width > 16) {
        const T row = hd_gpu_of_bits_<T>(hd_amd_readlane_(hd_gpu_bits_(v), 15));
        const T joined = Op::apply(row, v);
        v = lane < 16 ? v : joined;
    }
#else
    if (width > 16)
        v = hd_amd_scan_step_<Op, HD_AMD_BEFORE_16_>(v, (lane & 16) == 0);
    if (width > 32)
        v = hd_amd_scan_step_<Op, HD_AMD_BEFORE_32_>(v, lane < 32);
#endif
    *result = v;
    return 1;
}

#endif
