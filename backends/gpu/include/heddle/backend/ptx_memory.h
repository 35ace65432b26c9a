/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_memory.h - memory order on NVIDIA hardware: loads, stores and atomics with acquire and
   release at the scope of a block, the device or the system; included by ptx_dialect.h. */
#ifndef HEDDLE_BACKEND_PTX_MEMORY_H
#define HEDDLE_BACKEND_PTX_MEMORY_H

enum { HD_SCOPE_BLOCK_, HD_SCOPE_DEVICE_, HD_SCOPE_SYSTEM_ };

template <int S> HD_DEVICE void hd_prim_acquire_(void)
{
    if constexpr (S == HD_SCOPE_BLOCK_)
        asm volatile("fence.acq_rel.cta;" ::: "memory");
    else if constexpr (S == HD_SCOPE_DEVICE_)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    else
        asm volatile("fence.acq_rel.sys;" ::: "memory");
}

/* The hardware has a single fence for both halves. */
template <int S> HD_DEVICE void hd_prim_release_(void)
{
    hd_prim_acquire_<S>();
}

/* The first polls follow immediately, because most waits are short. */
HD_DEVICE void hd_prim_pause_(unsigned turn)
{
    if (turn >= 16)
        __nanosleep(32);
}

HD_DEVICE void hd_prim_sleep_(unsigned nanoseconds)
{
    __nanosleep(nanoseconds);
}

HD_DEVICE void hd_prim_exit_(void)
{
    asm volatile("exit;");
}

/* nvcc's own ordered accesses, available since CUDA 12.8, compile to the same instructions. */
#define HD_PTX_LOAD_(how)                                                                          \
    if constexpr (sizeof(W) == 4)                                                                  \
        asm volatile("ld." how ".b32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");                \
    else                                                                                           \
        asm volatile("ld." how ".b64 %0, [%1];" : "=l"(value) : "l"(p) : "memory");
#define HD_PTX_STORE_(how)                                                                         \
    if constexpr (sizeof(W) == 4)                                                                  \
        asm volatile("st." how ".b32 [%0], %1;" ::"l"(p), "r"(value) : "memory");                  \
    else                                                                                           \
        asm volatile("st." how ".b64 [%0], %1;" ::"l"(p), "l"(value) : "memory");

template <int S, int acquire, class W> HD_DEVICE W hd_prim_load_(const W *p)
{
    W value;
    if constexpr (S == HD_SCOPE_BLOCK_ && acquire) {
        HD_PTX_LOAD_("acquire.cta")
    } else if constexpr (S == HD_SCOPE_BLOCK_) {
        HD_PTX_LOAD_("relaxed.cta")
    } else if constexpr (S == HD_SCOPE_DEVICE_ && acquire) {
        HD_PTX_LOAD_("acquire.gpu")
    } else if constexpr (S == HD_SCOPE_DEVICE_) {
        HD_PTX_LOAD_("relaxed.gpu")
    } else if constexpr (acquire) {
        HD_PTX_LOAD_("acquire.sys")
    } else {
        HD_PTX_LOAD_("relaxed.sys")
    }
    return value;
}

/* The end of a wait whose relaxed polls returned `seen`. A fence would wait for all of this
   thread's stores, perhaps over a link; an acquire load does not. */
template <int S, class W> HD_DEVICE void hd_prim_acquire_seen_(const W *p, W seen)
{
    if constexpr (S == HD_SCOPE_SYSTEM_)
        if (hd_prim_load_<S, 1>(p) == seen)
            return;
    hd_prim_acquire_<S>();
}

template <int S, int release, class W> HD_DEVICE void hd_prim_store_(W *p, W value)
{
    if constexpr (S == HD_SCOPE_BLOCK_ && release) {
        HD_PTX_STORE_("release.cta")
    } else if constexpr (S == HD_SCOPE_BLOCK_) {
        HD_PTX_STORE_("relaxed.cta")
    } else if constexpr (S == HD_SCOPE_DEVICE_ && release) {
        HD_PTX_STORE_("release.gpu")
    } else if constexpr (S == HD_SCOPE_DEVICE_) {
        HD_PTX_STORE_("relaxed.gpu")
    } else if constexpr (release) {
        HD_PTX_STORE_("release.sys")
    } else {
        HD_PTX_STORE_("relaxed.sys")
    }
}
#undef HD_PTX_LOAD_
#undef HD_PTX_STORE_

/* Four words in one access. The first two arrive together, and so do the last two: accesses of
   eight aligned bytes are indivisible, also within a vector access. */
HD_DEVICE void hd_prim_store_words_(hd_u32x4 *p, hd_u32x4 v)
{
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y),
                 "r"(v.z), "r"(v.w)
                 : "memory");
}
HD_DEVICE hd_u32x4 hd_prim_load_words_(const hd_u32x4 *p)
{
    hd_u32x4 v;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p)
                 : "memory");
    return v;
}

/* Relaxed read-modify-write; if the result is unused, it compiles to a reduction without a return
   value. */
#define HD_PTX_ATOMIC_(name, native)                                                               \
    template <int S, class W> HD_DEVICE W hd_prim_##name##_(W *p, W v)                             \
    {                                                                                              \
        if constexpr (S == HD_SCOPE_BLOCK_)                                                        \
            return native##_block(p, v);                                                           \
        else if constexpr (S == HD_SCOPE_DEVICE_)                                                  \
            return native(p, v);                                                                   \
        else                                                                                       \
            return native##_system(p, v);                                                          \
    }
HD_PTX_ATOMIC_(add, atomicAdd)
HD_PTX_ATOMIC_(min, atomicMin)
HD_PTX_ATOMIC_(max, atomicMax)
HD_PTX_ATOMIC_(exch, atomicExch)
HD_PTX_ATOMIC_(and, atomicAnd)
HD_PTX_ATOMIC_(or, atomicOr)
HD_PTX_ATOMIC_(xor, atomicXor)
HD_PTX_ATOMIC_(inc, atomicInc)
HD_PTX_ATOMIC_(dec, atomicDec)
#undef HD_PTX_ATOMIC_

template <int S, class W> HD_DEVICE W hd_prim_cas_(W *p, W expected, W v)
{
    if constexpr (S == HD_SCOPE_BLOCK_)
        return atomicCAS_block(p, expected, v);
    else if constexpr (S == HD_SCOPE_DEVICE_)
        return atomicCAS(p, expected, v);
    else
        return atomicCAS_system(p, expected, v);
}

#define HD_GPU_FLOAT_ADD_(S, T) 1

#endif
