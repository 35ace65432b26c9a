/* SPDX-License-Identifier: Apache-2.0 */
/* amd_memory.h - memory order on AMD hardware: loads, stores and atomics with acquire and release
   at the scope of a block, the device or the system; included by amd_dialect.h. */
#ifndef HEDDLE_BACKEND_AMD_MEMORY_H
#define HEDDLE_BACKEND_AMD_MEMORY_H

enum {
    HD_SCOPE_BLOCK_ = __HIP_MEMORY_SCOPE_WORKGROUP,
    HD_SCOPE_DEVICE_ = __HIP_MEMORY_SCOPE_AGENT,
    HD_SCOPE_SYSTEM_ = __HIP_MEMORY_SCOPE_SYSTEM
};

template <int S> HD_DEVICE void hd_prim_acquire_(void)
{
    if constexpr (S == HD_SCOPE_BLOCK_)
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    else if constexpr (S == HD_SCOPE_DEVICE_)
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    else
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
}

/* The end of a wait whose relaxed polls returned `seen`. */
template <int S, class W> HD_DEVICE void hd_prim_acquire_seen_(const W *, W)
{
    hd_prim_acquire_<S>();
}

template <int S> HD_DEVICE void hd_prim_release_(void)
{
    if constexpr (S == HD_SCOPE_BLOCK_)
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    else if constexpr (S == HD_SCOPE_DEVICE_)
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    else
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
}

HD_DEVICE void hd_prim_pause_(unsigned turn)
{
    if (turn >= 16)
        __builtin_amdgcn_s_sleep(1);
}

/* In steps of 64 cycles, about 32 ns. */
HD_DEVICE void hd_prim_sleep_(unsigned nanoseconds)
{
    for (unsigned done = 0; done < nanoseconds; done += 32)
        __builtin_amdgcn_s_sleep(1);
}

HD_DEVICE void hd_prim_exit_(void)
{
    __builtin_amdgcn_endpgm();
}

template <int S, int acquire, class W> HD_DEVICE W hd_prim_load_(const W *p)
{
    return __hip_atomic_load(const_cast<W *>(p), acquire ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED, S);
}
template <int S, int release, class W> HD_DEVICE void hd_prim_store_(W *p, W v)
{
    __hip_atomic_store(p, v, release ? __ATOMIC_RELEASE : __ATOMIC_RELAXED, S);
}

/* Four words in two indivisible accesses of eight bytes. */
HD_DEVICE void hd_prim_store_words_(hd_u32x4 *p, hd_u32x4 v)
{
    unsigned long long *half = (unsigned long long *)p;
    __hip_atomic_store(half, (unsigned long long)v.y << 32 | v.x, __ATOMIC_RELAXED,
                       HD_SCOPE_SYSTEM_);
    __hip_atomic_store(half + 1, (unsigned long long)v.w << 32 | v.z, __ATOMIC_RELAXED,
                       HD_SCOPE_SYSTEM_);
}
HD_DEVICE hd_u32x4 hd_prim_load_words_(const hd_u32x4 *p)
{
    unsigned long long *half = (unsigned long long *)(const_cast<hd_u32x4 *>(p));
    const unsigned long long low = __hip_atomic_load(half, __ATOMIC_RELAXED, HD_SCOPE_SYSTEM_);
    const unsigned long long high = __hip_atomic_load(half + 1, __ATOMIC_RELAXED, HD_SCOPE_SYSTEM_);
    hd_u32x4 v;
    v.x = (unsigned)low;
    v.y = (unsigned)(low >> 32);
    v.z = (unsigned)high;
    v.w = (unsigned)(high >> 32);
    return v;
}

#define HD_AMD_ATOMIC_(name, native)                                                               \
    template <int S, class W> HD_DEVICE W hd_prim_##name##_(W *p, W v)                             \
    {                                                                                              \
        return native(p, v, __ATOMIC_RELAXED, S);                                                  \
    }
HD_AMD_ATOMIC_(add, __hip_atomic_fetch_add)
HD_AMD_ATOMIC_(min, __hip_atomic_fetch_min)
HD_AMD_ATOMIC_(max, __hip_atomic_fetch_max)
HD_AMD_ATOMIC_(and, __hip_atomic_fetch_and)
HD_AMD_ATOMIC_(or, __hip_atomic_fetch_or)
HD_AMD_ATOMIC_(xor, __hip_atomic_fetch_xor)
HD_AMD_ATOMIC_(exch, __hip_atomic_exchange)
#undef HD_AMD_ATOMIC_

template <int S, class W> HD_DEVICE W hd_prim_cas_(W *p, W expected, W v)
{
    (void)__hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               S);
    return expected;
}

#define HD_AMD_WRAP_(name, native)                                                                 \
    template <int S> HD_DEVICE unsigned hd_prim_##name##_(unsigned *p, unsigned top)               \
    {                                                                                              \
        if constexpr (S == HD_SCOPE_BLOCK_)                                                        \
            return native(p, top, __ATOMIC_RELAXED, "workgroup");                                  \
        else if constexpr (S == HD_SCOPE_DEVICE_)                                                  \
            return native(p, top, __ATOMIC_RELAXED, "agent");                                      \
        else                                                                                       \
            return native(p, top, __ATOMIC_RELAXED, "");                                           \
    }
HD_AMD_WRAP_(inc, __builtin_amdgcn_atomic_inc32)
HD_AMD_WRAP_(dec, __builtin_amdgcn_atomic_dec32)
#undef HD_AMD_WRAP_

/* Hardware float adds work in coarse-grained device memory, which the device-scope and block-scope
   calls are for. On fine-grained memory they have no effect, silently, hence compare-and-swap. */
#define HD_GPU_FLOAT_ADD_(S, T) (S != HD_SCOPE_SYSTEM_)

#endif
