/* SPDX-License-Identifier: Apache-2.0 */
/* words.h (CPU) - waits that give up, and four words in two accesses; included by
   <heddle/words.h>. */
#ifndef HEDDLE_BACKEND_WORDS_H
#define HEDDLE_BACKEND_WORDS_H

/* What gave up has acquired nothing. */
#define HD_CPU_TRY_(T, S)                                                                          \
    HD_CPU_ALWAYS_ T hd_cpu_try_##S(const volatile T *p, T value, unsigned how,                    \
                                    const hd_cpu_place *here)                                      \
    {                                                                                              \
        T seen;                                                                                    \
        HD_CPU_LOOK_(seen, p, how);                                                                \
        if (!hd_cpu_waited_##S(seen, value, how)) {                                                \
            how |= (T)-1 < (T)1 ? HD_CPU_WAIT_SIGNED : 0u;                                         \
            how |= sizeof(T) == 8 ? HD_CPU_WAIT_WIDE : 0u;                                         \
            seen = hd_cpu_value_##S(hd_cpu_park_(p, hd_cpu_bits_##S(value), how, here));           \
        }                                                                                          \
        if (hd_cpu_waited_##S(seen, value, how))                                                   \
            HD_CPU_ACQUIRED_(p, how);                                                              \
        return seen;                                                                               \
    }
HD_CPU_INTEGERS_(HD_CPU_TRY_)
#undef HD_CPU_TRY_

#define HD_CPU_TRY_CALL_(p, v, how, name)                                                          \
    HD_CPU_INTEGER_OF_(hd_cpu_try, *(p))                                                           \
    (p, v, (how) | HD_CPU_WAIT_SYSTEM | HD_CPU_WAIT_TRY, HD_CPU_HERE_(name))
#define hd_try_wait_ge_system(p, v) HD_CPU_TRY_CALL_(p, v, HD_CPU_WAIT_GE, "hd_try_wait_ge_system")
#define hd_try_wait_eq_system(p, v) HD_CPU_TRY_CALL_(p, v, HD_CPU_WAIT_EQ, "hd_try_wait_eq_system")

HD_CPU_ALWAYS_ void hd_prim_store_words_(hd_u32x4 *p, hd_u32x4 v)
{
    uint64_t *half = (uint64_t *)(void *)p;
    hd_store_relaxed_system(half, (uint64_t)v.y << 32 | v.x);
    hd_store_relaxed_system(half + 1, (uint64_t)v.w << 32 | v.z);
}

HD_CPU_ALWAYS_ hd_u32x4 hd_prim_load_words_(const hd_u32x4 *p)
{
    const uint64_t *half = (const uint64_t *)(const void *)p;
    const uint64_t low = hd_load_relaxed_system(half), high = hd_load_relaxed_system(half + 1);
    hd_u32x4 v;
    v.x = (uint32_t)low;
    v.y = (uint32_t)(low >> 32);
    v.z = (uint32_t)high;
    v.w = (uint32_t)(high >> 32);
    return v;
}

#endif
