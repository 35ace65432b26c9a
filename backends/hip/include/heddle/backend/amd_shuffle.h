/* SPDX-License-Identifier: Apache-2.0 */
/* amd_shuffle.h - shuffles on AMD hardware; included by amd_dialect.h. Constant distances use
   data-parallel primitives (DPP) or a permlane, which are ordinary vector instructions; everything
   else is ds_bpermute, which goes through the LDS hardware.

       gfx9    | row 0: 0..15 | row 1: 16..31 | row 2: 32..47 | row 3: 48..63 |
       gfx10+  | row 0: 0..15 | row 1: 16..31 |

   Within a row of 16 lanes every distance takes one instruction. Across rows, gfx9 can only shift a
   whole warp by one lane; gfx10 and newer read any lane of the other row. */
#ifndef HEDDLE_BACKEND_AMD_SHUFFLE_H
#define HEDDLE_BACKEND_AMD_SHUFFLE_H

/* As hd_amd_dpp_, but lanes without a source get `old`. */
template <int how> HD_DEVICE unsigned hd_amd_dpp_over_(unsigned old, unsigned v)
{
    return (unsigned)__builtin_amdgcn_update_dpp((int)old, (int)v, how, 0xf, 0xf, false);
}
template <int how>
HD_DEVICE unsigned long long hd_amd_dpp_over_(unsigned long long old, unsigned long long v)
{
    unsigned long long high = hd_amd_dpp_over_<how>((unsigned)(old >> 32), (unsigned)(v >> 32));
    return high << 32 | hd_amd_dpp_over_<how>((unsigned)old, (unsigned)v);
}

/* ---- across the rows ------------------------------------------------------------------------- */

#if HD_GPU_WARP_LOG2_ == 5
/* Lane c of a row reads lane (c + turn) % 16 of the other row: four bits for each of 16 lanes. */
constexpr unsigned long long hd_amd_turned_(int turn, int c = 0)
{
    return c == 16 ? 0
                   : (unsigned long long)((c + turn) & 15) << 4 * c | hd_amd_turned_(turn, c + 1);
}
template <unsigned long long from> HD_DEVICE unsigned hd_amd_other_row_of_(unsigned v)
{
    unsigned got = __builtin_amdgcn_permlanex16(v, v, (unsigned)from, (unsigned)(from >> 32), false,
                                                false);
    asm("" : "+v"(got)); /* keeps the instruction where all lanes are active */
    return got;
}
template <unsigned long long from>
HD_DEVICE unsigned long long hd_amd_other_row_of_(unsigned long long v)
{
    unsigned long long high = hd_amd_other_row_of_<from>((unsigned)(v >> 32));
    return high << 32 | hd_amd_other_row_of_<from>((unsigned)v);
}
template <int turn, class W> HD_DEVICE W hd_amd_other_row_turned_(W v)
{
    return hd_amd_other_row_of_<hd_amd_turned_(turn)>(v);
}

/* The lane d below and above, for d < 16; unspecified if there is none. */
template <int d, class W> HD_DEVICE W hd_amd_warp_up_(W v)
{
    return hd_amd_dpp_over_<HD_AMD_ROW_UP_ + d>(hd_amd_other_row_turned_<16 - d>(v), v);
}
template <int d, class W> HD_DEVICE W hd_amd_warp_down_(W v)
{
    return hd_amd_dpp_over_<HD_AMD_ROW_DOWN_ + d>(hd_amd_other_row_turned_<d>(v), v);
}

template <class W> HD_DEVICE W hd_amd_swap_rows_(W v)
{
    return hd_amd_other_row_turned_<0>(v);
}
/* Lane xor 31. */
template <class W> HD_DEVICE W hd_amd_mirror_32_(W v)
{
    return hd_amd_other_row_of_<0x0123456789abcdefu>(v);
}

template <int x, class W> HD_DEVICE W hd_amd_row_xor_(W v)
{
    return hd_amd_dpp_<HD_AMD_ROW_XOR_ + x>(v);
}
#else
template <int d, class W> HD_DEVICE W hd_amd_warp_up_(W v)
{
    HD_UNROLL
    for (int i = 0; i < d; i++)
        v = hd_amd_dpp_<HD_AMD_WARP_UP_>(v);
    return v;
}
template <int d, class W> HD_DEVICE W hd_amd_warp_down_(W v)
{
    HD_UNROLL
    for (int i = 0; i < d; i++)
        v = hd_amd_dpp_<HD_AMD_WARP_DOWN_>(v);
    return v;
}

/* Longer distances need the LDS hardware; this instruction, for lane xor x below 32, needs no
   address. */
template <int x> HD_DEVICE unsigned hd_amd_swizzle_(unsigned v)
{
    return (unsigned)__builtin_amdgcn_ds_swizzle((int)v, x << 10 | 0x1f);
}
template <int x> HD_DEVICE unsigned long long hd_amd_swizzle_(unsigned long long v)
{
    unsigned long long high = hd_amd_swizzle_<x>((unsigned)(v >> 32));
    return high << 32 | hd_amd_swizzle_<x>((unsigned)v);
}
template <class W> HD_DEVICE W hd_amd_swap_rows_(W v)
{
    return hd_amd_swizzle_<16>(v);
}
/* Lane xor 31. */
template <class W> HD_DEVICE W hd_amd_mirror_32_(W v)
{
    return hd_amd_swizzle_<31>(v);
}

/* x must be one that hd_amd_row_xors_ accepts. */
template <int x, class W> HD_DEVICE W hd_amd_row_xor_(W v)
{
    if constexpr (x == 1)
        return hd_amd_dpp_<HD_AMD_XOR_1_>(v);
    else if constexpr (x == 2)
        return hd_amd_dpp_<HD_AMD_XOR_2_>(v);
    else if constexpr (x == 3)
        return hd_amd_dpp_<HD_AMD_XOR_3_>(v);
    else if constexpr (x == 7)
        return hd_amd_dpp_<HD_AMD_MIRROR_8_>(v);
    else if constexpr (x == 8)
        return hd_amd_dpp_<HD_AMD_XOR_8_>(v);
    else
        return hd_amd_dpp_<HD_AMD_MIRROR_16_>(v);
}
#endif

/* ---- the dialect's shuffles ------------------------------------------------------------------ */

/* `width` lanes, or a row if that is less. */
HD_DEVICE unsigned hd_amd_column_(unsigned width)
{
    return hd_lane() & ((width < 16 ? width : 16) - 1);
}

template <int d, class W> HD_DEVICE W hd_amd_up_(W v, unsigned width)
{
    if (width <= 16) {
        const W below = hd_amd_dpp_over_<HD_AMD_ROW_UP_ + d>(v, v);
        return width == 16 || hd_amd_column_(width) >= d ? below : v;
    }
    const W below = hd_amd_warp_up_<d>(v);
    return (hd_lane() & (width - 1)) >= d ? below : v;
}

template <int d, class W> HD_DEVICE W hd_amd_down_(W v, unsigned width)
{
    if (width <= 16) {
        const W above = hd_amd_dpp_over_<HD_AMD_ROW_DOWN_ + d>(v, v);
        return width == 16 || hd_amd_column_(width) < width - d ? above : v;
    }
    const W above = hd_amd_warp_down_<d>(v);
    return (hd_lane() & (width - 1)) < width - d ? above : v;
}

template <class W> HD_DEVICE W hd_amd_up_of_(W v, unsigned d, unsigned width)
{
    if (d == 1)
        return hd_amd_up_<1>(v, width);
    if (d == 2)
        return hd_amd_up_<2>(v, width);
    if (d == 4)
        return hd_amd_up_<4>(v, width);
    if (d == 8)
        return hd_amd_up_<8>(v, width);
    const W other = hd_amd_swap_rows_(v);
    return (hd_lane() & 16) != 0 ? other : v;
}

template <class W> HD_DEVICE W hd_amd_down_of_(W v, unsigned d, unsigned width)
{
    if (d == 1)
        return hd_amd_down_<1>(v, width);
    if (d == 2)
        return hd_amd_down_<2>(v, width);
    if (d == 4)
        return hd_amd_down_<4>(v, width);
    if (d == 8)
        return hd_amd_down_<8>(v, width);
    const W other = hd_amd_swap_rows_(v);
    return (hd_lane() & 16) == 0 ? other : v;
}

/* Distances that take only a few instructions. Each lane reads its source directly; lanes in
   between may be absent. `full`: all lower lanes take part, and gfx9 may shift lane by lane. */
HD_DEVICE bool hd_amd_near_(unsigned d, unsigned width, bool full)
{
    const bool direct = width <= 16 || HD_GPU_WARP_LOG2_ == 5;
    return d < width && (d == 1 || (d == 16 && width == 32) || (d == 8 && direct) ||
                         ((d == 2 || d == 4) && (direct || full)));
}
/* Likewise for xor. */
HD_DEVICE bool hd_amd_row_xors_(unsigned x)
{
    return HD_GPU_WARP_LOG2_ == 5 ? x < 16
                                  : x == 1 || x == 2 || x == 3 || x == 7 || x == 8 || x == 15;
}

template <class W> HD_DEVICE W hd_prim_shfl_(uint64_t lanes, W v, unsigned lane, unsigned width)
{
    (void)lanes;
    if (__builtin_constant_p(lane) && __builtin_constant_p(width) && width >= 32) {
        const W low = hd_amd_readlane_(v, lane & (width - 1));
        if (width == HD_GPU_WARP_SIZE_)
            return low;
        const W high = hd_amd_readlane_(v, (lane & (width - 1)) + 32);
        return hd_lane() < 32 ? low : high;
    }
    return hd_amd_read_(v, (hd_lane() & ~(width - 1)) | (lane & (width - 1)));
}

template <class W> HD_DEVICE W hd_prim_shfl_up_(uint64_t lanes, W v, unsigned d, unsigned width)
{
    (void)lanes;
    if (__builtin_constant_p(d) && __builtin_constant_p(width) && hd_amd_near_(d, width, false))
        return hd_amd_up_of_(v, d, width);
    unsigned lane = hd_lane();
    return hd_amd_read_(v, d <= (lane & (width - 1)) ? lane - d : lane);
}

/* Requires that all lower lanes take part. */
template <class W> HD_DEVICE W hd_prim_shfl_up_full_(W v, unsigned d, unsigned width)
{
    if (__builtin_constant_p(d) && __builtin_constant_p(width) && hd_amd_near_(d, width, true))
        return hd_amd_up_of_(v, d, width);
    return hd_prim_shfl_up_(HD_GPU_EVERYONE_, v, d, width);
}

template <class W> HD_DEVICE W hd_prim_shfl_down_(uint64_t lanes, W v, unsigned d, unsigned width)
{
    (void)lanes;
    if (__builtin_constant_p(d) && __builtin_constant_p(width) && hd_amd_near_(d, width, false))
        return hd_amd_down_of_(v, d, width);
    unsigned lane = hd_lane();
    return hd_amd_read_(v, d < width - (lane & (width - 1)) ? lane + d : lane);
}

/* x < 16, constant after inlining. */
template <int n, class W> HD_DEVICE W hd_amd_row_xor_of_(W v, unsigned x)
{
    if constexpr (n < 15) {
        if (x != n)
            return hd_amd_row_xor_of_<n + 1>(v, x);
    }
    return hd_amd_row_xor_<n>(v);
}

template <class W> HD_DEVICE W hd_prim_shfl_xor_(uint64_t lanes, W v, unsigned x, unsigned width)
{
    (void)lanes;
    if (__builtin_constant_p(x) && __builtin_constant_p(width) && x > 0 && x < width) {
        if (x == 16)
            return hd_amd_swap_rows_(v);
        if (x == 31)
            return hd_amd_mirror_32_(v);
        if (hd_amd_row_xors_(x))
            return hd_amd_row_xor_of_<1>(v, x);
    }
    unsigned lane = hd_lane(), partner = lane ^ x;
    return hd_amd_read_(v, partner < (lane & ~(width - 1)) + width ? partner : lane);
}

#endif
