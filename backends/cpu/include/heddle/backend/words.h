/* SPDX-License-Identifier: Apache-2.0 */
/* words.h (CPU) - waits with a time limit, four words in two accesses, lines; included by
   <heddle/device/words.h>. */
#ifndef HEDDLE_BACKEND_WORDS_H
#define HEDDLE_BACKEND_WORDS_H

/* A wait that timed out has acquired nothing. */
#define HD_CPU_TRY_(T, S)                                                                          \
    HD_CPU_ALWAYS_ T hd_cpu_try_##S(const volatile T *p, T value, unsigned how,                    \
                                    const hd_cpu_place *here)                                      \
    {                                                                                              \
        T seen;                                                                                    \
        HD_CPU_LOOK_(seen, p, how);                                                                \
        if (!hd_cpu_waited_##S(seen, value, how)) {                                                \
            how |= (T)-1 < (T)1 ? (unsigned)HD_CPU_WAIT_SIGNED : 0u;                               \
            how |= sizeof(T) == 8 ? (unsigned)HD_CPU_WAIT_WIDE : 0u;                               \
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
    (p, v, (how) | HD_CPU_WAIT_SYSTEM | HD_CPU_WAIT_TRY, HD_CPU_OUTSIDE_(name))
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

/* ---- lines ----------------------------------------------------------------------------------- */

/* The value that the last lane of a line's group passes, in all of its lanes. A vote alone orders
   no memory, hence the barrier. */
HD_DEVICE int hd_cpu_line_reported_(int there)
{
#if HD_LINE_LANES > 1
    const hd_mask present = hd_ballot(there);
    hd_sync_warp();
    return hd_mask_test(present, hd_lane() | (HD_LINE_LANES - 1));
#else
    return there;
#endif
}

/* Ordinary stores, then a warp barrier, then the last lane stores the tag with release. */
HD_DEVICE void hd_send_line_system(void *line, int is_there, hd_line_part part, uint32_t tag)
{
    const int last = hd_line_lane() == HD_LINE_LANES - 1;
    hd_u32x2 *to = (hd_u32x2 *)line + hd_line_lane() * HD_LINE_PART;

    for (unsigned i = 0; is_there && i < HD_LINE_PART - (unsigned)last; i++)
        to[i] = part.unit[i];
#if HD_LINE_LANES > 1
    hd_sync_warp();
#endif
    if (is_there && last)
        hd_store_release_system((uint64_t *)line + HD_LINE_UNITS, (uint64_t)tag << 32 | tag);
}

/* The last lane waits for the tag with acquire and passes the result to the others, which then
   read. */
HD_DEVICE int hd_try_receive_lines_system(const void *const *line, unsigned which, unsigned count,
                                          uint32_t tag, unsigned pause, hd_line_part *part)
{
    const uint64_t wanted = (uint64_t)tag << 32 | tag;
    const unsigned last = hd_line_lane() == HD_LINE_LANES - 1;
    int all = 1;

    (void)pause;
    for (unsigned i = 0; i < count; i++) {
        const hd_u32x2 *from = (const hd_u32x2 *)line[i] + hd_line_lane() * HD_LINE_PART;
        const int is_there = which >> i & 1;
        int there = 1;
        if (is_there && last)
            there = hd_try_wait_eq_system((const uint64_t *)line[i] + HD_LINE_UNITS, wanted) ==
                    wanted;
        there = hd_cpu_line_reported_(there);
        for (unsigned k = 0; is_there && there && k < HD_LINE_PART - last; k++)
            part[i].unit[k] = from[k];
        all &= there;
    }
    return !hd_lines_any(!all);
}

#endif
