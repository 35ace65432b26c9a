/* SPDX-License-Identifier: Apache-2.0 */
/* atomics.h - parts of CUDA's atomics that C11 and C++17 share. */
#ifndef HEDDLE_BACKEND_PORT_ATOMICS_H
#define HEDDLE_BACKEND_PORT_ATOMICS_H

/* ---- compare and swap of 16 bits, in the word around them ------------------------------------ */

HD_DEVICE unsigned short hd_port_cas_half_(volatile void *address, unsigned short expected,
                                           unsigned short value)
{
    const uintptr_t at = (uintptr_t)address;
    unsigned *word = (unsigned *)(at & ~(uintptr_t)3);
    const unsigned shift = (unsigned)(at & 2) * 8;
    unsigned old = hd_load_relaxed(word);

    for (;;) {
        const unsigned next = (old & ~(0xffffu << shift)) | ((unsigned)value << shift);
        unsigned got;

        if ((unsigned short)(old >> shift) != expected)
            return (unsigned short)(old >> shift);
        got = hd_atomic_cas(word, old, next);
        if (got == old)
            return expected;
        old = got;
    }
}

/* ---- increments with a limit ----------------------------------------------------------------- */

HD_DEVICE unsigned atomicInc(unsigned *address, unsigned top)
{
    return hd_atomic_inc(address, top);
}
HD_DEVICE unsigned atomicDec(unsigned *address, unsigned top)
{
    return hd_atomic_dec(address, top);
}

/* ---- ordered atomics: the order and the scope are at least those asked for ------------------- */

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};
HD_DEVICE void hd_port_before_(int order)
{
    if (order >= __NV_ATOMIC_RELEASE)
        hd_fence_system();
}
HD_DEVICE void hd_port_after_(int order)
{
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
        hd_fence_system();
}

#endif
