/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - vectors of 32 bytes for code executed by a single thread: hd_lanes_f32, _f64, _u32,
   _u64. v[i] is a lane; + - * / apply lane by lane. For each type (S):
     hd_lanes_load_S(v, p), hd_lanes_store_S(p, v)   lanes of *v from and to p[0], p[1] ...
     hd_lanes_turn_S(v)        transposes as many vectors as lanes: swaps v[i][j] and v[j][i]
     hd_lanes_fours_S(v, p)    v[e] = element e of every group of four in 4 vectors at p (f32, f64)
     hd_lanes_quads_S(v)       likewise for the vectors v[0 .. 4), but with groups in another order;
                               hd_lanes_order_S(v) restores that order in a vector
     hd_lanes_below_S(v, a, nothing, step)   the left operands of one of the HD_LANES_STEPS(T) steps
                               of an inclusive scan, whose right operands are *a; *nothing in lanes
                               that the step does not change; `step` is a constant, all lanes of
                               *nothing are equal
     hd_lanes_later_S(v, a, nothing)   lane 0 of *nothing, then all lanes of *a but the last
     hd_lanes_last_S(v, a)     the last lane of *a in all lanes
     hd_lanes_nans_S(seen, v)  sets lanes of *seen, zeroed at first, to NaN where *v is NaN
     hd_lanes_any_S(seen)      whether a lane is NaN, the others being zero (integers: never)
     hd_lanes_finish_S(v)      replaces every NaN by the canonical NaN; integers are unchanged
   f32 and f64:
     hd_lanes_fourth_S(v, a)   sets lanes 0, 4 ... of *v to those of *a
     hd_lanes_min_S(v, a, b), hd_lanes_max_S(v, a, b)   as in minmax.h, but a NaN may have any
                               sign and payload
     hd_lanes_pick_S(v, set, a, b)   lanes of *a where those of *set, hd_lanes_i32 or _i64, are all
                               ones, and of *b where they are 0
     hd_lanes_lift_S(v, least, lifted)   raises nonzero lanes of *v with magnitudes below `least` to
                               `least`, keeping the sign; sets these lanes of *lifted to NaN,
                               the others to 0
     hd_lanes_differ_S(seen, set, a, b)   sets lanes of *seen to NaN where *a and *b differ and
                               *set is NaN
   u32 and u64:
     hd_lanes_flags_S(v, p)    all ones in lanes where the bytes at p are not 0
   In HD_WIDE_ONLY code:
     hd_lanes_products_u64(v, a, b)  products of the lower halves of lanes
     hd_lanes_squares_S(v, a)  *v becomes hd_fma(*a, *a, *v), lane by lane (f32, f64)
   u8, u16 (which can also be stored), u32 and u64:
     hd_lanes_columns_S(v, p, stride)   v[c] = element c of as many rows as there are lanes; rows
                               start at p, `stride` elements apart; c is below
                               HD_LANES_COLUMNS(T): 16, 8, 8 and 4
   For floats in loops that the compiler vectorises: hd_lanes_unordered(a, b), whether one of them
   is NaN, in a single comparison. hd_lanes_prefetch(p, n, writes) prefetches the line n elements
   after *p, which need not exist, into the L2 cache (L1 tracks only a few outstanding lines), for
   writing if the constant `writes` is 1. Compilers map these to the processor's vectors, best under
   HD_WIDE. Vectors are passed by address: passed by value, they would need a calling convention of
   their own. */
#ifndef HEDDLE_BACKEND_LANES_H
#define HEDDLE_BACKEND_LANES_H

#define HD_LANES_BYTES 32
#define HD_LANES_COUNT(T) (HD_LANES_BYTES / sizeof(T))
#define HD_LANES_STEPS(T) (sizeof(T) == 4 ? 3u : 2u)
#define HD_LANES_COLUMNS(T) (HD_LANES_COUNT(T) < 16 ? HD_LANES_COUNT(T) : HD_LANES_COUNT(T) / 2)
#define hd_lanes_unordered(a, b) __builtin_isunordered(a, b)
#define hd_lanes_prefetch(p, n, writes)                                                            \
    __builtin_prefetch((const void *)((uintptr_t)(p) + (n) * sizeof *(p)), (writes), 2)

#define HD_CPU_LANES_MOVE_(T, S)                                                                   \
    typedef T hd_cpu_lanes_at_##S                                                                  \
        __attribute__((vector_size(HD_LANES_BYTES), aligned(sizeof(T)), may_alias));               \
    HD_CPU_ALWAYS_ void hd_lanes_load_##S(hd_lanes_##S *v, const T *p)                             \
    {                                                                                              \
        *v = *(const hd_cpu_lanes_at_##S *)p;                                                      \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_store_##S(T *p, const hd_lanes_##S *v)                            \
    {                                                                                              \
        *(hd_cpu_lanes_at_##S *)p = *v;                                                            \
    }

/* Transposes 2 x 2 blocks within the halves of vectors, then exchanges halves. */
#define HD_CPU_LANES_4_(T, S)                                                                      \
    typedef T hd_lanes_##S __attribute__((vector_size(HD_LANES_BYTES)));                           \
    HD_CPU_LANES_MOVE_(T, S)                                                                       \
    HD_CPU_ALWAYS_ void hd_lanes_turn_##S(hd_lanes_##S *v)                                         \
    {                                                                                              \
        const hd_lanes_##S a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);                    \
        const hd_lanes_##S b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);                    \
        const hd_lanes_##S c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);                    \
        const hd_lanes_##S d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);                    \
        v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);                                          \
        v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);                                          \
        v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);                                          \
        v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);                                          \
    }
#define HD_CPU_LANES_8_(T, S)                                                                      \
    typedef T hd_lanes_##S __attribute__((vector_size(HD_LANES_BYTES)));                           \
    HD_CPU_LANES_MOVE_(T, S)                                                                       \
    /* v[0] gets columns 0 and 4 of rows i ... i + 3, v[1] columns 1 and 5 ... */                  \
    HD_CPU_ALWAYS_ void hd_cpu_lanes_quarter_##S(hd_lanes_##S *v)                                  \
    {                                                                                              \
        const hd_lanes_##S a = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13);      \
        const hd_lanes_##S b = __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);    \
        const hd_lanes_##S c = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13);      \
        const hd_lanes_##S d = __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);    \
        v[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);                            \
        v[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);                          \
        v[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);                            \
        v[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);                          \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_turn_##S(hd_lanes_##S *v)                                         \
    {                                                                                              \
        hd_cpu_lanes_quarter_##S(v);                                                               \
        hd_cpu_lanes_quarter_##S(v + 4);                                                           \
        HD_UNROLL_N(4)                                                                             \
        for (unsigned i = 0; i < 4; i++) {                                                         \
            const hd_lanes_##S a = v[i], b = v[i + 4];                                             \
            v[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);                        \
            v[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);                  \
        }                                                                                          \
    }
HD_CPU_LANES_8_(float, f32)
HD_CPU_LANES_4_(double, f64)
HD_CPU_LANES_8_(uint32_t, u32)
HD_CPU_LANES_4_(uint64_t, u64)

/* Steps within halves take one instruction each; the last step adds the lower half to the upper
   one. */
#define HD_CPU_LANES_RUN_4_(S)                                                                     \
    HD_CPU_ALWAYS_ void hd_lanes_below_##S(hd_lanes_##S *v, const hd_lanes_##S *a,                 \
                                           const hd_lanes_##S *nothing, unsigned step)             \
    {                                                                                              \
        const hd_lanes_##S low = __builtin_shufflevector(*a, *a, 1, 1, 1, 1);                      \
        if (step == 0)                                                                             \
            *v = __builtin_shufflevector(*nothing, *a, 0, 4, 2, 6);                                \
        else                                                                                       \
            *v = __builtin_shufflevector(*nothing, low, 0, 1, 6, 7);                               \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_later_##S(hd_lanes_##S *v, const hd_lanes_##S *a,                 \
                                           const hd_lanes_##S *nothing)                            \
    {                                                                                              \
        *v = __builtin_shufflevector(*nothing, *a, 0, 4, 5, 6);                                    \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_last_##S(hd_lanes_##S *v, const hd_lanes_##S *a)                  \
    {                                                                                              \
        *v = __builtin_shufflevector(*a, *a, 3, 3, 3, 3);                                          \
    }
#define HD_CPU_LANES_RUN_8_(S)                                                                     \
    HD_CPU_ALWAYS_ void hd_lanes_below_##S(hd_lanes_##S *v, const hd_lanes_##S *a,                 \
                                           const hd_lanes_##S *nothing, unsigned step)             \
    {                                                                                              \
        const hd_lanes_##S low = __builtin_shufflevector(*a, *a, 3, 3, 3, 3, 3, 3, 3, 3);          \
        if (step == 0)                                                                             \
            *v = __builtin_shufflevector(*nothing, *a, 3, 8, 9, 10, 7, 12, 13, 14);                \
        else if (step == 1)                                                                        \
            *v = __builtin_shufflevector(*nothing, *a, 0, 1, 8, 9, 4, 5, 12, 13);                  \
        else                                                                                       \
            *v = __builtin_shufflevector(*nothing, low, 0, 1, 2, 3, 12, 13, 14, 15);               \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_later_##S(hd_lanes_##S *v, const hd_lanes_##S *a,                 \
                                           const hd_lanes_##S *nothing)                            \
    {                                                                                              \
        *v = __builtin_shufflevector(*nothing, *a, 0, 8, 9, 10, 11, 12, 13, 14);                   \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_last_##S(hd_lanes_##S *v, const hd_lanes_##S *a)                  \
    {                                                                                              \
        *v = __builtin_shufflevector(*a, *a, 7, 7, 7, 7, 7, 7, 7, 7);                              \
    }
HD_CPU_LANES_RUN_8_(f32)
HD_CPU_LANES_RUN_4_(f64)
HD_CPU_LANES_RUN_8_(u32)
HD_CPU_LANES_RUN_4_(u64)
#undef HD_CPU_LANES_RUN_4_
#undef HD_CPU_LANES_RUN_8_

typedef int32_t hd_lanes_i32 __attribute__((vector_size(HD_LANES_BYTES)));
typedef int64_t hd_lanes_i64 __attribute__((vector_size(HD_LANES_BYTES)));

#define HD_CPU_LANES_COLUMNS_(T, S)                                                                \
    HD_CPU_ALWAYS_ void hd_lanes_columns_##S(hd_lanes_##S *v, const T *p, size_t stride)           \
    {                                                                                              \
        HD_UNROLL_N(8)                                                                             \
        for (size_t i = 0; i < HD_LANES_COUNT(T); i++)                                             \
            hd_lanes_load_##S(&v[i], p + i * stride);                                              \
        hd_lanes_turn_##S(v);                                                                      \
    }
HD_CPU_LANES_COLUMNS_(uint32_t, u32)
HD_CPU_LANES_COLUMNS_(uint64_t, u64)
#undef HD_CPU_LANES_COLUMNS_

/* The halves of a vector contain rows N apart. Each round interleaves the elements of vectors i and
   i + N / 2 within halves; log2(N) rounds transpose both halves. */
#define HD_CPU_LANES_NARROW_(T, S, N, ROUNDS)                                                      \
    HD_CPU_ALWAYS_ void hd_lanes_columns_##S(hd_lanes_##S *v, const T *p, size_t stride)           \
    {                                                                                              \
        hd_lanes_##S a[N];                                                                         \
        HD_UNROLL_N(16)                                                                            \
        for (size_t i = 0; i < N; i++)                                                             \
            hd_cpu_lanes_both_##S(&v[i], p + i * stride, p + (i + N) * stride);                    \
        HD_UNROLL_N(4)                                                                             \
        for (unsigned round = 0; round < ROUNDS; round++) {                                        \
            HD_UNROLL_N(16)                                                                        \
            for (unsigned i = 0; i < N; i++)                                                       \
                a[i] = v[i];                                                                       \
            HD_UNROLL_N(8)                                                                         \
            for (unsigned i = 0; i < N / 2; i++)                                                   \
                hd_cpu_lanes_zip_##S(&v[2 * i], &a[i], &a[i + N / 2]);                             \
        }                                                                                          \
    }

typedef uint8_t hd_lanes_u8 __attribute__((vector_size(HD_LANES_BYTES)));
typedef uint8_t hd_cpu_lanes_half_u8
    __attribute__((vector_size(HD_LANES_BYTES / 2), aligned(sizeof(uint8_t)), may_alias));
HD_CPU_LANES_MOVE_(uint8_t, u8)
HD_CPU_ALWAYS_ void hd_cpu_lanes_both_u8(hd_lanes_u8 *v, const uint8_t *low, const uint8_t *high)
{
    const hd_cpu_lanes_half_u8 a = *(const hd_cpu_lanes_half_u8 *)low,
                               b = *(const hd_cpu_lanes_half_u8 *)high;
    *v = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
}
HD_CPU_ALWAYS_ void hd_cpu_lanes_zip_u8(hd_lanes_u8 *v, const hd_lanes_u8 *a, const hd_lanes_u8 *b)
{
    v[0] = __builtin_shufflevector(*a, *b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39,
                                   16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55);
    v[1] = __builtin_shufflevector(*a, *b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15,
                                   47, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31,
                                   63);
}

typedef uint16_t hd_lanes_u16 __attribute__((vector_size(HD_LANES_BYTES)));
typedef uint16_t hd_cpu_lanes_half_u16
    __attribute__((vector_size(HD_LANES_BYTES / 2), aligned(sizeof(uint16_t)), may_alias));
HD_CPU_LANES_MOVE_(uint16_t, u16)
HD_CPU_ALWAYS_ void hd_cpu_lanes_both_u16(hd_lanes_u16 *v, const uint16_t *low,
                                          const uint16_t *high)
{
    const hd_cpu_lanes_half_u16 a = *(const hd_cpu_lanes_half_u16 *)low,
                                b = *(const hd_cpu_lanes_half_u16 *)high;
    *v = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
HD_CPU_ALWAYS_ void hd_cpu_lanes_zip_u16(hd_lanes_u16 *v, const hd_lanes_u16 *a,
                                         const hd_lanes_u16 *b)
{
    v[0] = __builtin_shufflevector(*a, *b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11,
                                   27);
    v[1] = __builtin_shufflevector(*a, *b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}
HD_CPU_LANES_NARROW_(uint8_t, u8, 16, 4)
HD_CPU_LANES_NARROW_(uint16_t, u16, 8, 3)
#undef HD_CPU_LANES_NARROW_
#undef HD_CPU_LANES_MOVE_
#undef HD_CPU_LANES_4_
#undef HD_CPU_LANES_8_

typedef unsigned char hd_cpu_lanes_bytes
    __attribute__((vector_size(HD_LANES_BYTES), aligned(1), may_alias));
#define HD_CPU_LANES_FLAGS_(S)                                                                     \
    HD_CPU_ALWAYS_ void hd_lanes_flags_##S(hd_lanes_##S *v, const unsigned char *p)                \
    {                                                                                              \
        *v = (hd_lanes_##S)(*(const hd_cpu_lanes_bytes *)p != 0);                                  \
    }
HD_CPU_LANES_FLAGS_(u32)
HD_CPU_LANES_FLAGS_(u64)
#undef HD_CPU_LANES_FLAGS_

#define HD_CPU_LANES_PICK_(S, M)                                                                   \
    HD_CPU_ALWAYS_ void hd_lanes_pick_##S(hd_lanes_##S *v, const hd_lanes_##M *set,                \
                                          const hd_lanes_##S *a, const hd_lanes_##S *b)            \
    {                                                                                              \
        *v = (hd_lanes_##S)(((hd_lanes_##M) * a & *set) | ((hd_lanes_##M) * b & ~*set));           \
    }
HD_CPU_LANES_PICK_(f32, i32)
HD_CPU_LANES_PICK_(f64, i64)
#undef HD_CPU_LANES_PICK_

/* Operands that are equal (they differ at most in the sign of zeros) or unordered are combined
   bitwise; with a NaN operand, the result has all exponent and fraction bits of the NaN. */
#define HD_CPU_LANES_EXTREMES_(S, M, SIGN)                                                         \
    HD_CPU_ALWAYS_ void hd_lanes_min_##S(hd_lanes_##S *v, const hd_lanes_##S *a,                   \
                                         const hd_lanes_##S *b)                                    \
    {                                                                                              \
        const hd_lanes_##M less = *a<*b, more = *a> * b;                                           \
        *v = (hd_lanes_##S)(((hd_lanes_##M) * a & ~more) | ((hd_lanes_##M) * b & ~less));          \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_max_##S(hd_lanes_##S *v, const hd_lanes_##S *a,                   \
                                         const hd_lanes_##S *b)                                    \
    {                                                                                              \
        const hd_lanes_##M less = *a<*b, more = *a> * b;                                           \
        const hd_lanes_##M x = (hd_lanes_##M) * a ^ SIGN, y = (hd_lanes_##M) * b ^ SIGN;           \
        *v = (hd_lanes_##S)(((x & ~less) | (y & ~more)) ^ SIGN);                                   \
    }
HD_CPU_LANES_EXTREMES_(f32, i32, INT32_MIN)
HD_CPU_LANES_EXTREMES_(f64, i64, INT64_MIN)
#undef HD_CPU_LANES_EXTREMES_

#define HD_CPU_LANES_LIFT_(T, S, M)                                                                \
    HD_CPU_ALWAYS_ void hd_lanes_lift_##S(hd_lanes_##S *v, T least, hd_lanes_##S *lifted)          \
    {                                                                                              \
        const hd_lanes_##S zero = {0}, sign = -zero, to = zero + least;                            \
        const hd_lanes_##M low = (hd_lanes_##M)(*v < to) & (*v > -to) & (*v != zero);              \
        const hd_lanes_##M up = ((hd_lanes_##M) * v & (hd_lanes_##M)sign) | (hd_lanes_##M)to;      \
        *v = (hd_lanes_##S)((low & up) | (~low & (hd_lanes_##M) * v));                             \
        *lifted = (hd_lanes_##S)low;                                                               \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_differ_##S(hd_lanes_##S *seen, const hd_lanes_##S *set,           \
                                            const hd_lanes_##S *a, const hd_lanes_##S *b)          \
    {                                                                                              \
        *seen = (hd_lanes_##S)((hd_lanes_##M) * seen | ((*a != *b) & (hd_lanes_##M) * set));       \
    }
HD_CPU_LANES_LIFT_(float, f32, i32)
HD_CPU_LANES_LIFT_(double, f64, i64)
#undef HD_CPU_LANES_LIFT_

/* Loads the groups so that no element has to change halves afterwards: a half vector is combined
   with the one 2 vectors later. */
#define HD_CPU_LANES_HALF_(T, S)                                                                   \
    typedef T hd_cpu_lanes_half_##S                                                                \
        __attribute__((vector_size(HD_LANES_BYTES / 2), aligned(sizeof(T)), may_alias));
HD_CPU_LANES_HALF_(float, f32)
HD_CPU_LANES_HALF_(double, f64)
#undef HD_CPU_LANES_HALF_

HD_CPU_ALWAYS_ void hd_lanes_fours_f32(hd_lanes_f32 *v, const float *p)
{
    const hd_cpu_lanes_half_f32 *h = (const hd_cpu_lanes_half_f32 *)p;
    HD_UNROLL_N(4)
    for (unsigned i = 0; i < 4; i++)
        v[i] = __builtin_shufflevector(h[i], h[i + 4], 0, 1, 2, 3, 4, 5, 6, 7);
    hd_cpu_lanes_quarter_f32(v);
}

HD_CPU_ALWAYS_ void hd_lanes_fours_f64(hd_lanes_f64 *v, const double *p)
{
    const hd_cpu_lanes_half_f64 *h = (const hd_cpu_lanes_half_f64 *)p;
    HD_UNROLL_N(2)
    for (unsigned i = 0; i < 2; i++) {
        const hd_lanes_f64 a = __builtin_shufflevector(h[i], h[i + 4], 0, 1, 2, 3);
        const hd_lanes_f64 b = __builtin_shufflevector(h[i + 2], h[i + 6], 0, 1, 2, 3);
        v[2 * i] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
        v[2 * i + 1] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    }
}

HD_CPU_ALWAYS_ void hd_lanes_quads_f32(hd_lanes_f32 *v)
{
    hd_cpu_lanes_quarter_f32(v);
}

HD_CPU_ALWAYS_ void hd_lanes_order_f32(hd_lanes_f32 *v)
{
    *v = __builtin_shufflevector(*v, *v, 0, 4, 1, 5, 2, 6, 3, 7);
}

HD_CPU_ALWAYS_ void hd_lanes_quads_f64(hd_lanes_f64 *v)
{
    hd_lanes_turn_f64(v);
}

HD_CPU_ALWAYS_ void hd_lanes_order_f64(hd_lanes_f64 *v)
{
    (void)v;
}

HD_CPU_ALWAYS_ void hd_lanes_fourth_f32(hd_lanes_f32 *v, const hd_lanes_f32 *a)
{
    *v = __builtin_shufflevector(*a, *v, 0, 9, 10, 11, 4, 13, 14, 15);
}

HD_CPU_ALWAYS_ void hd_lanes_fourth_f64(hd_lanes_f64 *v, const hd_lanes_f64 *a)
{
    *v = __builtin_shufflevector(*a, *v, 0, 5, 6, 7);
}

#if HD_HAS_WIDE_ONLY
#define HD_CPU_WIDE_ALWAYS_                                                                        \
    static inline __attribute__((always_inline, unused, target("arch=x86-64-v3")))

/* Compilers do not find this instruction and multiply whole lanes. */
HD_CPU_WIDE_ALWAYS_ void hd_lanes_products_u64(hd_lanes_u64 *v, const hd_lanes_u64 *a,
                                               const hd_lanes_u64 *b)
{
    typedef int hd_cpu_lanes_int __attribute__((vector_size(HD_LANES_BYTES)));

    *v = (hd_lanes_u64)__builtin_ia32_pmuludq256((hd_cpu_lanes_int)*a, (hd_cpu_lanes_int)*b);
}

/* Compilers do not find this one either if it is mixed with other code. */
HD_CPU_WIDE_ALWAYS_ void hd_lanes_squares_f32(hd_lanes_f32 *v, const hd_lanes_f32 *a)
{
    *v = __builtin_ia32_vfmaddps256(*a, *a, *v);
}

HD_CPU_WIDE_ALWAYS_ void hd_lanes_squares_f64(hd_lanes_f64 *v, const hd_lanes_f64 *a)
{
    *v = __builtin_ia32_vfmaddpd256(*a, *a, *v);
}
#undef HD_CPU_WIDE_ALWAYS_
#endif

#define HD_CPU_LANES_NAN_(S, W, BITS)                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_nans_##S(hd_lanes_##S *seen, const hd_lanes_##S *v)               \
    {                                                                                              \
        *seen = (hd_lanes_##S)((hd_lanes_##W) * seen | (hd_lanes_##W)(*v != *v));                  \
    }                                                                                              \
    HD_CPU_ALWAYS_ int hd_lanes_any_##S(const hd_lanes_##S *seen)                                  \
    {                                                                                              \
        const hd_lanes_u64 bits = (hd_lanes_u64)*seen;                                             \
        return (bits[0] | bits[1] | bits[2] | bits[3]) != 0;                                       \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_finish_##S(hd_lanes_##S *v)                                       \
    {                                                                                              \
        const hd_lanes_##W nan = (hd_lanes_##W)(*v != *v);                                         \
        *v = (hd_lanes_##S)(((hd_lanes_##W) * v & ~nan) | (BITS & nan));                           \
    }
#define HD_CPU_LANES_NO_NAN_(S)                                                                    \
    HD_CPU_ALWAYS_ void hd_lanes_nans_##S(hd_lanes_##S *seen, const hd_lanes_##S *v)               \
    {                                                                                              \
        (void)seen;                                                                                \
        (void)v;                                                                                   \
    }                                                                                              \
    HD_CPU_ALWAYS_ int hd_lanes_any_##S(const hd_lanes_##S *seen)                                  \
    {                                                                                              \
        (void)seen;                                                                                \
        return 0;                                                                                  \
    }                                                                                              \
    HD_CPU_ALWAYS_ void hd_lanes_finish_##S(hd_lanes_##S *v)                                       \
    {                                                                                              \
        (void)v;                                                                                   \
    }
HD_CPU_LANES_NAN_(f32, u32, HD_F32_NAN_BITS)
HD_CPU_LANES_NAN_(f64, u64, HD_F64_NAN_BITS)
HD_CPU_LANES_NO_NAN_(u32)
HD_CPU_LANES_NO_NAN_(u64)
#undef HD_CPU_LANES_NAN_
#undef HD_CPU_LANES_NO_NAN_

#endif
