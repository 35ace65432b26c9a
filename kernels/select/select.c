/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - select, partition, unique and run lengths of every element type. */
#include <heddle/kernel.h>

#include "select.h"

#if HD_SERIAL_THREADS
/* Here one thread processes a tile; the code for many threads runs only in tests. Without unrolling
   it compiles in a third of the time. */
#undef HD_UNROLL
#define HD_UNROLL HD_NO_UNROLL
#endif

/* What tiles publish to each other: how many elements they select; and where the last run begins,
   as 1 + its position, 0 for none. */
typedef struct select_runs {
    uint32_t count, run;
} select_runs;

/* The same for 2^32 elements or more. */
typedef struct select_many_runs {
    uint64_t count, run;
} select_many_runs;

HD_DEVICE uint64_t select_count_of(uint64_t count, uint64_t run)
{
    (void)run;
    return count;
}

HD_DEVICE select_runs select_runs_of(uint64_t count, uint64_t run)
{
    select_runs r;
    r.count = (uint32_t)count;
    r.run = (uint32_t)run;
    return r;
}

HD_DEVICE select_many_runs select_many_runs_of(uint64_t count, uint64_t run)
{
    select_many_runs r;
    r.count = count;
    r.run = run;
    return r;
}

HD_DEVICE select_runs select_runs_join(select_runs a, select_runs b)
{
    return select_runs_of((uint64_t)a.count + b.count, hd_max(a.run, b.run));
}

HD_DEVICE select_many_runs select_many_runs_join(select_many_runs a, select_many_runs b)
{
    return select_many_runs_of(a.count + b.count, hd_max(a.run, b.run));
}

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _count)
#define HD_LOOK_BACK_T uint64_t
#define HD_LOOK_BACK_JOIN(a, b) ((a) + (b))
#include <heddle/device/look_back.inc>

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _runs)
#define HD_LOOK_BACK_T select_runs
#define HD_LOOK_BACK_JOIN(a, b) select_runs_join(a, b)
#include <heddle/device/look_back.inc>

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _many_runs)
#define HD_LOOK_BACK_T select_many_runs
#define HD_LOOK_BACK_JOIN(a, b) select_many_runs_join(a, b)
#include <heddle/device/look_back.inc>

/* Maximum over the lanes before this one; 0 in the first lane. Called by all lanes of a warp. */
HD_DEVICE uint32_t select_last_before(uint32_t v)
{
    const unsigned warp = hd_warp_size();
    uint32_t below;
    HD_UNROLL
    for (unsigned stride = 1; stride < warp; stride *= 2) {
        below = hd_shfl_up(v, stride, warp);
        v = hd_lane() >= stride ? hd_max(v, below) : v;
    }
    below = hd_shfl_up(v, 1, warp);
    return hd_lane() > 0 ? below : 0;
}

HD_DEVICE uint32_t select_word(hd_u32x4 v, unsigned i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

#define SELECT_4(v, e) select_word(v, e)
#define SELECT_8(v, e)                                                                             \
    ((uint64_t)select_word(v, 2 * (e) + 1) << 32 | (uint64_t)select_word(v, 2 * (e)))

/* Flag e of a vector of flags. */
#define SELECT_FLAG(f, e) (((uint32_t)(f) >> 8 * (e)) & 0xffu)
#define SELECT_FLAG_16(f, e) SELECT_FLAG(select_word(f, (e) / 4), (e) % 4)

#define SEL_TYPE u8
#define SEL_ELEM uint8_t
#define SEL_WIDE uint32_t
#define SEL_GET(v, e) ((uint8_t)(select_word(v, (e) / 4) >> (e) % 4 * 8))
#define SEL_FROM_BITS(b) ((uint8_t)(b))
#define SEL_FLAGS hd_u32x4
#define SEL_FLAG(f, e) SELECT_FLAG_16(f, e)
#include "modes.inc"

#define SEL_TYPE i32
#define SEL_ELEM int32_t
#define SEL_WIDE int32_t
#define SEL_GET(v, e) ((int32_t)SELECT_4(v, e))
#define SEL_FROM_BITS(b) ((int32_t)(uint32_t)(b))
#define SEL_FLAGS uint32_t
#define SEL_FLAG(f, e) SELECT_FLAG(f, e)
#include "modes.inc"

#define SEL_TYPE u32
#define SEL_ELEM uint32_t
#define SEL_WIDE uint32_t
#define SEL_GET(v, e) SELECT_4(v, e)
#define SEL_FROM_BITS(b) ((uint32_t)(b))
#define SEL_FLAGS uint32_t
#define SEL_FLAG(f, e) SELECT_FLAG(f, e)
#include "modes.inc"

#define SEL_TYPE i64
#define SEL_ELEM int64_t
#define SEL_WIDE int64_t
#define SEL_GET(v, e) ((int64_t)SELECT_8(v, e))
#define SEL_FROM_BITS(b) ((int64_t)(b))
#define SEL_FLAGS uint16_t
#define SEL_FLAG(f, e) SELECT_FLAG(f, e)
#include "modes.inc"

#define SEL_TYPE u64
#define SEL_ELEM uint64_t
#define SEL_WIDE uint64_t
#define SEL_GET(v, e) SELECT_8(v, e)
#define SEL_FROM_BITS(b) (b)
#define SEL_FLAGS uint16_t
#define SEL_FLAG(f, e) SELECT_FLAG(f, e)
#include "modes.inc"

#define SEL_TYPE f32
#define SEL_ELEM float
#define SEL_WIDE float
#define SEL_GET(v, e) hd_f32_from_bits(SELECT_4(v, e))
#define SEL_FROM_BITS(b) hd_f32_from_bits((uint32_t)(b))
#define SEL_FLAGS uint32_t
#define SEL_FLAG(f, e) SELECT_FLAG(f, e)
#include "modes.inc"

#define SEL_TYPE f64
#define SEL_ELEM double
#define SEL_WIDE double
#define SEL_GET(v, e) hd_f64_from_bits(SELECT_8(v, e))
#define SEL_FROM_BITS(b) hd_f64_from_bits(b)
#define SEL_FLAGS uint16_t
#define SEL_FLAG(f, e) SELECT_FLAG(f, e)
#include "modes.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__select_u8)
HD_INSTANCE(hd__once_select_u8)
HD_INSTANCE(hd__partition_u8)
HD_INSTANCE(hd__once_partition_u8)
HD_INSTANCE(hd__unique_u8)
HD_INSTANCE(hd__once_unique_u8)
HD_INSTANCE(hd__count_u8)
HD_INSTANCE(hd__runs_u8)
HD_INSTANCE(hd__once_runs_u8)
HD_INSTANCE(hd__many_runs_u8)
HD_INSTANCE(hd__once_many_runs_u8)
HD_INSTANCE(hd__select_i32)
HD_INSTANCE(hd__once_select_i32)
HD_INSTANCE(hd__partition_i32)
HD_INSTANCE(hd__once_partition_i32)
HD_INSTANCE(hd__unique_i32)
HD_INSTANCE(hd__once_unique_i32)
HD_INSTANCE(hd__count_i32)
HD_INSTANCE(hd__runs_i32)
HD_INSTANCE(hd__once_runs_i32)
HD_INSTANCE(hd__many_runs_i32)
HD_INSTANCE(hd__once_many_runs_i32)
HD_INSTANCE(hd__select_u32)
HD_INSTANCE(hd__once_select_u32)
HD_INSTANCE(hd__partition_u32)
HD_INSTANCE(hd__once_partition_u32)
HD_INSTANCE(hd__unique_u32)
HD_INSTANCE(hd__once_unique_u32)
HD_INSTANCE(hd__count_u32)
HD_INSTANCE(hd__runs_u32)
HD_INSTANCE(hd__once_runs_u32)
HD_INSTANCE(hd__many_runs_u32)
HD_INSTANCE(hd__once_many_runs_u32)
HD_INSTANCE(hd__select_i64)
HD_INSTANCE(hd__once_select_i64)
HD_INSTANCE(hd__partition_i64)
HD_INSTANCE(hd__once_partition_i64)
HD_INSTANCE(hd__unique_i64)
HD_INSTANCE(hd__once_unique_i64)
HD_INSTANCE(hd__count_i64)
HD_INSTANCE(hd__runs_i64)
HD_INSTANCE(hd__once_runs_i64)
HD_INSTANCE(hd__many_runs_i64)
HD_INSTANCE(hd__once_many_runs_i64)
HD_INSTANCE(hd__select_u64)
HD_INSTANCE(hd__once_select_u64)
HD_INSTANCE(hd__partition_u64)
HD_INSTANCE(hd__once_partition_u64)
HD_INSTANCE(hd__unique_u64)
HD_INSTANCE(hd__once_unique_u64)
HD_INSTANCE(hd__count_u64)
HD_INSTANCE(hd__runs_u64)
HD_INSTANCE(hd__once_runs_u64)
HD_INSTANCE(hd__many_runs_u64)
HD_INSTANCE(hd__once_many_runs_u64)
HD_INSTANCE(hd__select_f32)
HD_INSTANCE(hd__once_select_f32)
HD_INSTANCE(hd__partition_f32)
HD_INSTANCE(hd__once_partition_f32)
HD_INSTANCE(hd__unique_f32)
HD_INSTANCE(hd__once_unique_f32)
HD_INSTANCE(hd__count_f32)
HD_INSTANCE(hd__runs_f32)
HD_INSTANCE(hd__once_runs_f32)
HD_INSTANCE(hd__many_runs_f32)
HD_INSTANCE(hd__once_many_runs_f32)
HD_INSTANCE(hd__select_f64)
HD_INSTANCE(hd__once_select_f64)
HD_INSTANCE(hd__partition_f64)
HD_INSTANCE(hd__once_partition_f64)
HD_INSTANCE(hd__unique_f64)
HD_INSTANCE(hd__once_unique_f64)
HD_INSTANCE(hd__count_f64)
HD_INSTANCE(hd__runs_f64)
HD_INSTANCE(hd__once_runs_f64)
HD_INSTANCE(hd__many_runs_f64)
HD_INSTANCE(hd__once_many_runs_f64)
