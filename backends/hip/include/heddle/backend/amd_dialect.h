/* SPDX-License-Identifier: Apache-2.0 */
/* amd_dialect.h - the kernel dialect's qualifiers and primitives on AMD hardware, compiled by clang
   15 or newer: wavefronts of 64 on gfx9, of 32 on gfx10 and newer. The hardware's execution mask
   replaces lane masks. */
#ifndef HEDDLE_BACKEND_AMD_DIALECT_H
#define HEDDLE_BACKEND_AMD_DIALECT_H

#include <hip/hip_runtime.h>

#include <math.h>
#include <stdio.h>

/* ---- qualifiers ------------------------------------------------------------------------------ */

#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define HD_GPU_WARP_SIZE_ 32u
#define HD_GPU_WARP_LOG2_ 5
#else
#define HD_GPU_WARP_SIZE_ 64u
#define HD_GPU_WARP_LOG2_ 6
#endif
#define hd_warp_size() HD_GPU_WARP_SIZE_

#if HD_CXX
#define HD_KERNEL static __global__ /* may be a template, may be overloaded */
#else
#define HD_KERNEL extern "C" __global__
#endif
#define HD_METHOD __device__ __attribute__((always_inline))
#define HD_LAMBDA __device__
#define HD_GPU_INLINE_ __device__ inline __attribute__((always_inline))
#define HD_DEVICE static __device__ inline __attribute__((always_inline, unused))
#define HD_RESTRICT __restrict__
#define HD_GRID_CONST const
#define HD_MAX_THREADS(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
/* The compiler expects wavefronts per SIMD unit; a compute unit has four of them. */
#define HD_LAUNCH_BOUNDS(n, blocks)                                                                \
    __attribute__((amdgpu_flat_work_group_size(1, n),                                              \
                   amdgpu_waves_per_eu(                                                            \
                       ((blocks) * (((n) + HD_GPU_WARP_SIZE_ - 1) / HD_GPU_WARP_SIZE_) + 3) / 4)))

#define HD_GPU_PRAGMA_(text) _Pragma(#text)
#define HD_UNROLL _Pragma("unroll")
#define HD_UNROLL_N(n) HD_GPU_PRAGMA_(unroll n)
#define HD_NO_UNROLL _Pragma("nounroll")

#define HD_HAS_F16_ARITHMETIC 1
#define HD_HAS_BF16_ARITHMETIC 0
#define HD_HAS_MATCH 0
#define HD_HAS_LANE_ROWS 1
#define HD_HAS_CONSTANT_CACHE 0
#define HD_HAS_SCALAR_REGISTERS 1
#define HD_HAS_POLLING 1
#define HD_HAS_WARP_REDUCE 0
#define HD_HAS_ASYNC_COPY 0
/* 1 if a compute unit has at most 64 KB of shared memory for all its blocks; maximum bytes per
   block. */
#define HD_SHARED_SMALL 1
#if defined(__gfx950__)
#define HD_SHARED_MOST 163840
#else
#define HD_SHARED_MOST 65536
#endif
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) ||    \
    defined(__gfx950__)
#define HD_HAS_F32_ATOMIC_ADD 1
#define HD_HAS_F64_ATOMIC_ADD 1
#elif defined(__gfx908__) || defined(__GFX11__) || defined(__GFX12__)
#define HD_HAS_F32_ATOMIC_ADD 1
#define HD_HAS_F64_ATOMIC_ADD 0
#else
#define HD_HAS_F32_ATOMIC_ADD 0
#define HD_HAS_F64_ATOMIC_ADD 0
#endif

#include <heddle/backend/gpu_types.h>

/* ---- indices --------------------------------------------------------------------------------- */

#define hd_thread_x() ((unsigned)__builtin_amdgcn_workitem_id_x())
#define hd_thread_y() ((unsigned)__builtin_amdgcn_workitem_id_y())
#define hd_thread_z() ((unsigned)__builtin_amdgcn_workitem_id_z())
#define hd_block_x() ((unsigned)__builtin_amdgcn_workgroup_id_x())
#define hd_block_y() ((unsigned)__builtin_amdgcn_workgroup_id_y())
#define hd_block_z() ((unsigned)__builtin_amdgcn_workgroup_id_z())
#define hd_block_dim_x() ((unsigned)__builtin_amdgcn_workgroup_size_x())
#define hd_block_dim_y() ((unsigned)__builtin_amdgcn_workgroup_size_y())
#define hd_block_dim_z() ((unsigned)__builtin_amdgcn_workgroup_size_z())
#define hd_grid_dim_x() ((unsigned)gridDim.x)
#define hd_grid_dim_y() ((unsigned)gridDim.y)
#define hd_grid_dim_z() ((unsigned)gridDim.z)

HD_DEVICE unsigned hd_lane(void)
{
    unsigned below = __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#if HD_GPU_WARP_LOG2_ == 6
    below = __builtin_amdgcn_mbcnt_hi(~0u, below);
#endif
    return below;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* As minmax.h, but with selects: the compiler does not remove the branches there. */
HD_DEVICE float hd_prim_min_f_(float a, float b)
{
    const float one = a < b ? a : b;
    const float zeros = hd_f32_from_bits(hd_f32_bits(a) | hd_f32_bits(b));
    const float number = a == b ? zeros : one;
    return __builtin_isunordered(a, b) ? hd_f32_from_bits(HD_F32_NAN_BITS) : number;
}
HD_DEVICE double hd_prim_min_f_(double a, double b)
{
    const double one = a < b ? a : b;
    const double zeros = hd_f64_from_bits(hd_f64_bits(a) | hd_f64_bits(b));
    const double number = a == b ? zeros : one;
    return __builtin_isunordered(a, b) ? hd_f64_from_bits(HD_F64_NAN_BITS) : number;
}
HD_DEVICE float hd_prim_max_f_(float a, float b)
{
    const float one = a > b ? a : b;
    const float zeros = hd_f32_from_bits(hd_f32_bits(a) & hd_f32_bits(b));
    const float number = a == b ? zeros : one;
    return __builtin_isunordered(a, b) ? hd_f32_from_bits(HD_F32_NAN_BITS) : number;
}
HD_DEVICE double hd_prim_max_f_(double a, double b)
{
    const double one = a > b ? a : b;
    const double zeros = hd_f64_from_bits(hd_f64_bits(a) & hd_f64_bits(b));
    const double number = a == b ? zeros : one;
    return __builtin_isunordered(a, b) ? hd_f64_from_bits(HD_F64_NAN_BITS) : number;
}

HD_DEVICE unsigned hd_prim_popcount_(unsigned x)
{
    return (unsigned)__builtin_popcount(x);
}
HD_DEVICE unsigned hd_prim_popcount_(unsigned long long x)
{
    return (unsigned)__builtin_popcountll(x);
}
HD_DEVICE unsigned hd_prim_clz_(unsigned x)
{
    return x ? (unsigned)__builtin_clz(x) : 32u;
}
HD_DEVICE unsigned hd_prim_clz_(unsigned long long x)
{
    return x ? (unsigned)__builtin_clzll(x) : 64u;
}
HD_DEVICE unsigned hd_prim_reverse_(unsigned x)
{
    return __builtin_bitreverse32(x);
}
HD_DEVICE unsigned long long hd_prim_reverse_(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}
HD_DEVICE unsigned hd_prim_mulhi_(unsigned a, unsigned b)
{
    return hd_mulhi_u32(a, b);
}
HD_DEVICE int hd_prim_mulhi_(int a, int b)
{
    return hd_mulhi_i32(a, b);
}
HD_DEVICE unsigned long long hd_prim_mulhi_(unsigned long long a, unsigned long long b)
{
    return hd_mulhi_u64(a, b);
}
HD_DEVICE long long hd_prim_mulhi_(long long a, long long b)
{
    return hd_mulhi_i64(a, b);
}

/* ---- barriers and fences --------------------------------------------------------------------- */

HD_DEVICE void hd_sync_block(void)
{
    __syncthreads();
}
HD_DEVICE void hd_fence_block(void)
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
HD_DEVICE void hd_fence_device(void)
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
HD_DEVICE void hd_fence_system(void)
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

#include <heddle/backend/amd_fast.h>
#include <heddle/backend/amd_memory.h>

/* ---- moving words between lanes -------------------------------------------------------------- */

#define HD_GPU_EVERYONE_ (~(uint64_t)0)
#define HD_GPU_ALL_LANES_ (~(uint64_t)0 >> (64 - HD_GPU_WARP_SIZE_))

HD_DEVICE unsigned hd_amd_read_(unsigned v, unsigned lane)
{
    return (unsigned)__builtin_amdgcn_ds_bpermute((int)(lane * 4), (int)v);
}
HD_DEVICE unsigned long long hd_amd_read_(unsigned long long v, unsigned lane)
{
    unsigned long long high = hd_amd_read_((unsigned)(v >> 32), lane);
    return high << 32 | hd_amd_read_((unsigned)v, lane);
}

/* Data-parallel primitives (DPP): a fixed pattern, without the memory unit. `how` is the
   instruction set's encoding: quad_perm, row_ror, row_mirror ... */
template <int how> HD_DEVICE unsigned hd_amd_dpp_(unsigned v)
{
    return (unsigned)__builtin_amdgcn_update_dpp(0, (int)v, how, 0xf, 0xf, true);
}
template <int how> HD_DEVICE unsigned long long hd_amd_dpp_(unsigned long long v)
{
    unsigned long long high = hd_amd_dpp_<how>((unsigned)(v >> 32));
    return high << 32 | hd_amd_dpp_<how>((unsigned)v);
}
enum {
    HD_AMD_XOR_1_ = 0xb1,      /* quad_perm 1,0,3,2 */
    HD_AMD_XOR_2_ = 0x4e,      /* quad_perm 2,3,0,1 */
    HD_AMD_XOR_3_ = 0x1b,      /* quad_perm 3,2,1,0 */
    HD_AMD_ROW_DOWN_ = 0x100,  /* row_shl; + distance within a row of 16 */
    HD_AMD_ROW_UP_ = 0x110,    /* row_shr; + distance */
    HD_AMD_XOR_8_ = 0x128,     /* row_ror 8 */
    HD_AMD_WARP_DOWN_ = 0x130, /* wave_shl 1 (gfx9) */
    HD_AMD_WARP_UP_ = 0x138,   /* wave_shr 1 (gfx9) */
    HD_AMD_MIRROR_16_ = 0x140, /* row_mirror: lane xor 15 */
    HD_AMD_MIRROR_8_ = 0x141,  /* row_half_mirror: lane xor 7 */
    HD_AMD_BEFORE_16_ = 0x142, /* row_bcast 15: the last lane of the previous row of 16 (gfx9) */
    HD_AMD_BEFORE_32_ = 0x143, /* row_bcast 31 (gfx9) */
    HD_AMD_ROW_XOR_ = 0x160    /* row_xmask (gfx10 and newer); + xor mask */
};

#if HD_GPU_WARP_LOG2_ == 5
/* A lane of the other row of 16 (gfx10 and newer). Unlike the other cross-lane instructions used
   here, v_permlanex16 is not convergent in the back end of clang 15 to 19: it sinks into the branch
   that uses the result, where lanes are missing. The empty assembly uses the result here, in all
   lanes. */
HD_DEVICE unsigned hd_amd_other_row_(unsigned v)
{
    v = __builtin_amdgcn_permlanex16(v, v, 0x76543210u, 0xfedcba98u, false, false);
    __asm__ volatile("" : "+v"(v));
    return v;
}
HD_DEVICE unsigned long long hd_amd_other_row_(unsigned long long v)
{
    unsigned long long high = hd_amd_other_row_((unsigned)(v >> 32));
    return high << 32 | hd_amd_other_row_((unsigned)v);
}
#endif

HD_DEVICE unsigned hd_amd_readlane_(unsigned v, unsigned lane)
{
    return (unsigned)__builtin_amdgcn_readlane((int)v, (int)lane);
}
HD_DEVICE unsigned long long hd_amd_readlane_(unsigned long long v, unsigned lane)
{
    unsigned long long high = hd_amd_readlane_((unsigned)(v >> 32), lane);
    return high << 32 | hd_amd_readlane_((unsigned)v, lane);
}
HD_DEVICE unsigned hd_amd_first_(unsigned v)
{
    return (unsigned)__builtin_amdgcn_readfirstlane((int)v);
}
HD_DEVICE unsigned long long hd_amd_first_(unsigned long long v)
{
    unsigned long long high = hd_amd_first_((unsigned)(v >> 32));
    return high << 32 | hd_amd_first_((unsigned)v);
}

#include <heddle/backend/amd_shuffle.h>

/* v must be equal in all lanes of the warp; it is kept in scalar registers from then on. */
template <class T> HD_DEVICE T hd_uniform(T v)
{
    return hd_gpu_of_bits_<T>(hd_amd_first_(hd_gpu_bits_(v)));
}
/* Load addresses are a uniform base plus a 32-bit offset per lane. */
typedef uint32_t hd_offset;

template <class W> HD_DEVICE W hd_prim_broadcast_(W v, unsigned lane)
{
    return hd_amd_readlane_(v, hd_amd_first_(lane));
}

#include <heddle/backend/amd_votes.h>

/* ---- cache hints ----------------------------------------------------------------------------- */

/* Vectors and scalars are moved as words of their size. clang 19 optimises only some forms well:
   elements of 8 bytes composed of words of 4 load a half twice; bytes extracted from words of 8
   take 64-bit shifts. So 16 bytes are two words of 8, also for hd_u32x4, the type used for elements
   of any size; hd_i32x4 and hd_f32x4 are four words. */
typedef unsigned hd_amd_words_ __attribute__((ext_vector_type(4)));
typedef unsigned long long hd_amd_pair_ __attribute__((ext_vector_type(2)));
template <class T, size_t bytes = sizeof(T)> struct hd_amd_lump_;
template <class T> struct hd_amd_lump_<T, 4> {
    typedef unsigned type;
};
template <class T> struct hd_amd_lump_<T, 8> {
    typedef unsigned long long type;
};
template <class T> struct hd_amd_lump_<T, 16> {
    typedef hd_amd_pair_ type;
};
template <> struct hd_amd_lump_<hd_i32x4, 16> {
    typedef hd_amd_words_ type;
};
template <> struct hd_amd_lump_<hd_f32x4, 16> {
    typedef hd_amd_words_ type;
};
template <class T> using hd_lump_ = typename hd_amd_lump_<T>::type;

template <class T, class L> HD_DEVICE T hd_amd_of_lump_(L lump)
{
    T value;
    __builtin_memcpy(&value, &lump, sizeof value);
    return value;
}
/* By shifts, which cancel when words are recombined. */
template <class T> HD_DEVICE T hd_amd_of_lump_(hd_amd_pair_ lump)
{
    const unsigned words[4] = {(unsigned)lump[0], (unsigned)(lump[0] >> 32), (unsigned)lump[1],
                               (unsigned)(lump[1] >> 32)};
    T value;
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

/* Prevents clang's scheduler from starting later work early, whose results would occupy
   registers. */
template <class T> HD_DEVICE T hd_in_order(T v)
{
    hd_lump_<T> lump;
    __builtin_memcpy(&lump, &v, sizeof lump);
    __builtin_amdgcn_sched_barrier(0);
    asm volatile("" : "+v"(lump));
    return hd_amd_of_lump_<T>(lump);
}

/* The address of a kernel's first parameter, which has HD_GRID_CONST and is at the start of the
   argument segment: only for that one, in the kernel's own body. clang loads the members of a
   large struct when the kernel starts, and needs scalar registers for all of them; through this
   address it loads them where they are used. */
template <class T> HD_DEVICE const T *hd__first_argument(const T *)
{
    typedef const __attribute__((address_space(4))) T *hd_place;
    hd_place place = (hd_place)__builtin_amdgcn_kernarg_segment_ptr();
    asm volatile("" : "+s"(place));
    return (const T *)place;
}

/* The compilers' only hint is the bit "will not be used again", which is the meaning of streaming.
   A load or store of words that bypasses the first-level cache is a relaxed one at device scope. */
template <class T> HD_DEVICE T hd_load_cached(const T *p)
{
    if constexpr (sizeof(T) == 16)
        return hd_amd_of_lump_<T>(*(const hd_lump_<T> *)p);
    else
        return *p;
}
template <class T> HD_DEVICE T hd_load_readonly(const T *p)
{
    if constexpr (sizeof(T) == 16)
        return hd_amd_of_lump_<T>(*(const hd_lump_<T> *)p);
    else
        return *p;
}
template <class T> HD_DEVICE T hd_load_stream(const T *p)
{
    return hd_amd_of_lump_<T>(__builtin_nontemporal_load((const hd_lump_<T> *)p));
}
template <class T> HD_DEVICE T hd_load_l2(const T *p)
{
    if constexpr (sizeof(T) == 16) {
        return hd_load_stream(p);
    } else {
        hd_lump_<T> lump = hd_prim_load_<HD_SCOPE_DEVICE_, 0>((const hd_lump_<T> *)p);
        T value;
        __builtin_memcpy(&value, &lump, sizeof value);
        return value;
    }
}
/* The hardware has no such instruction. */
HD_DEVICE void hd_load_ahead(const void *p)
{
    (void)p;
}
template <class T> HD_DEVICE void hd_store_cached(T *p, hd_same_<T> v)
{
    *p = v;
}
template <class T> HD_DEVICE void hd_store_stream(T *p, hd_same_<T> v)
{
    hd_lump_<T> lump;
    __builtin_memcpy(&lump, &v, sizeof lump);
    __builtin_nontemporal_store(lump, (hd_lump_<T> *)p);
}
template <class T> HD_DEVICE void hd_store_l2(T *p, hd_same_<T> v)
{
    if constexpr (sizeof(T) == 16) {
        hd_store_stream(p, v);
    } else {
        hd_lump_<T> lump;
        __builtin_memcpy(&lump, &v, sizeof lump);
        hd_prim_store_<HD_SCOPE_DEVICE_, 0>((hd_lump_<T> *)p, lump);
    }
}

#endif
