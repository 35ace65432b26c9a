/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_collective.h - barriers, shuffles, votes, warp and block operations, waits on the CPU. Each
   is one rendezvous: a thread passes its value to the engine, the last one to arrive performs the
   whole exchange, and each thread reads its result. Included by dialect.h.

       lanes 0 ... 30   value --> arrive: suspended ...............> read out[lane]
       lane 31          value --> arrive: last, exchanges for all -> read out[lane] */
#ifndef HEDDLE_BACKEND_CPU_COLLECTIVE_H
#define HEDDLE_BACKEND_CPU_COLLECTIVE_H

/* X(type, suffix) for the types T of docs/dialect.md. */
#define HD_CPU_TYPES_(X)                                                                           \
    X(float, f32)                                                                                  \
    X(double, f64)                                                                                 \
    X(int, i32)                                                                                    \
    X(unsigned, u32)                                                                               \
    X(long, i64)                                                                                   \
    X(unsigned long, u64)                                                                          \
    X(long long, i64l)                                                                             \
    X(unsigned long long, u64l)
#define HD_CPU_INTEGERS_(X)                                                                        \
    X(int, i32)                                                                                    \
    X(unsigned, u32)                                                                               \
    X(long, i64)                                                                                   \
    X(unsigned long, u64)                                                                          \
    X(long long, i64l)                                                                             \
    X(unsigned long long, u64l)
/* Selects the function for the type of an expression (qualifiers are ignored). */
#define HD_CPU_OF_(function, x)                                                                    \
    HD_CPU_SELECT_(x, HD_CPU_CASE_(float, function##_f32), HD_CPU_CASE_(double, function##_f64),   \
                   HD_CPU_CASE_(int, function##_i32), HD_CPU_CASE_(unsigned, function##_u32),      \
                   HD_CPU_CASE_(long, function##_i64),                                             \
                   HD_CPU_CASE_(unsigned long, function##_u64),                                    \
                   HD_CPU_CASE_(long long, function##_i64l),                                       \
                   HD_CPU_CASE_(unsigned long long, function##_u64l))
#define HD_CPU_INTEGER_OF_(function, x)                                                            \
    HD_CPU_SELECT_(x, HD_CPU_CASE_(int, function##_i32), HD_CPU_CASE_(unsigned, function##_u32),   \
                   HD_CPU_CASE_(long, function##_i64),                                             \
                   HD_CPU_CASE_(unsigned long, function##_u64),                                    \
                   HD_CPU_CASE_(long long, function##_i64l),                                       \
                   HD_CPU_CASE_(unsigned long long, function##_u64l))

HD_CPU_OWN_ uint64_t hd_cpu_warp_(unsigned kind, uint64_t bits, unsigned from,
                                  const hd_cpu_place *place)
{
    const hd_cpu_thread me = hd_thread_;
    const hd_cpu_block *block = hd_block_;

    hd_cpu_give_way_(hd_cpu_arrive_warp(block, me.linear, kind, bits, from, place), me, block);
    return block->out[me.linear];
}

HD_CPU_OWN_ uint64_t hd_cpu_mask_(uint64_t mask, unsigned kind, uint64_t bits, unsigned from,
                                  const hd_cpu_place *place)
{
    const hd_cpu_thread me = hd_thread_;
    const hd_cpu_block *block = hd_block_;

    hd_cpu_give_way_(hd_cpu_arrive_mask(block, me.linear, kind, bits, from, place, mask), me,
                     block);
    return block->out[me.linear];
}

HD_CPU_OWN_ const hd_cpu_block *hd_cpu_whole_(unsigned kind, uint64_t bits,
                                              const hd_cpu_place *place)
{
    const hd_cpu_thread me = hd_thread_;
    const hd_cpu_block *block = hd_block_;

    hd_cpu_give_way_(hd_cpu_arrive_block(block, me.linear, kind, bits, place), me, block);
    return block;
}

/* ---- barriers -------------------------------------------------------------------------------- */

#define HD_CPU_TOTAL_(kind, p, name)                                                               \
    HD_CPU_GET_(hd_cpu_whole_(kind, (p) ? 1 : 0, HD_CPU_HERE_(name))->total)
#define hd_sync_block() ((void)hd_cpu_whole_(HD_CPU_SYNC, 0, HD_CPU_HERE_("hd_sync_block")))
#define hd_sync_block_count(p) ((unsigned)HD_CPU_TOTAL_(HD_CPU_COUNT, p, "hd_sync_block_count"))
#define hd_sync_block_and(p) ((int)HD_CPU_TOTAL_(HD_CPU_AND, p, "hd_sync_block_and"))
#define hd_sync_block_or(p) ((int)HD_CPU_TOTAL_(HD_CPU_OR, p, "hd_sync_block_or"))
#define hd_sync_warp() ((void)hd_cpu_warp_(HD_CPU_SYNC, 0, 0, HD_CPU_HERE_("hd_sync_warp")))
#define hd_sync_warp_in(m)                                                                         \
    ((void)hd_cpu_mask_((m).bits, HD_CPU_SYNC, 0, 0, HD_CPU_HERE_("hd_sync_warp_in")))

/* ---- shuffles -------------------------------------------------------------------------------- */

/* The source lane. width is a power of two, so the group begins at lane & ~(width - 1). */
HD_CPU_ALWAYS_ unsigned hd_cpu_from_index_(unsigned lane, unsigned index, unsigned width)
{
    return (lane & ~(width - 1)) | (index & (width - 1));
}

HD_CPU_ALWAYS_ unsigned hd_cpu_from_up_(unsigned lane, unsigned delta, unsigned width)
{
    return (lane & (width - 1)) >= delta ? lane - delta : lane;
}

HD_CPU_ALWAYS_ unsigned hd_cpu_from_down_(unsigned lane, unsigned delta, unsigned width)
{
    return delta < width - (lane & (width - 1)) ? lane + delta : lane;
}

HD_CPU_ALWAYS_ unsigned hd_cpu_from_xor_(unsigned lane, unsigned x, unsigned width)
{
    return (lane ^ x) < (lane & ~(width - 1)) + width ? lane ^ x : lane;
}

/* An argument of a warp operation as unsigned, verified by the checker. */
#if HD_CPU_CHECK
#define HD_CPU_ARGUMENT_(what, x, name)                                                            \
    hd_cpu_check_argument(what, (int64_t)(x), HD_CPU_HERE_(name))
#else
#define HD_CPU_ARGUMENT_(what, x, name) ((unsigned)(x))
#endif
#define HD_CPU_WIDTH_(w, name) HD_CPU_ARGUMENT_(HD_CPU_WIDTH, w, name)
#define HD_CPU_DISTANCE_(d, name) HD_CPU_ARGUMENT_(HD_CPU_DISTANCE, d, name)

/* The source lane for the arguments of a shuffle. Any lane number is valid for hd_shfl: it is taken
   modulo the width. */
#define HD_CPU_INDEX_(l, w, name)                                                                  \
    hd_cpu_from_index_(hd_lane(), (unsigned)(l), HD_CPU_WIDTH_(w, name))
#define HD_CPU_UP_(d, w, name)                                                                     \
    hd_cpu_from_up_(hd_lane(), HD_CPU_DISTANCE_(d, name), HD_CPU_WIDTH_(w, name))
#define HD_CPU_DOWN_(d, w, name)                                                                   \
    hd_cpu_from_down_(hd_lane(), HD_CPU_DISTANCE_(d, name), HD_CPU_WIDTH_(w, name))
#define HD_CPU_XOR_(x, w, name)                                                                    \
    hd_cpu_from_xor_(hd_lane(), HD_CPU_DISTANCE_(x, name), HD_CPU_WIDTH_(w, name))
#define HD_CPU_LANE_(l, w, name)                                                                   \
    hd_cpu_from_index_(hd_lane(), HD_CPU_ARGUMENT_(HD_CPU_LANE, l, name), w)

#define HD_CPU_SHFL_CALL_(v, kind, from, n, width, name)                                           \
    HD_CPU_OF_(hd_cpu_shfl, v)(v, kind, from(n, width, name), HD_CPU_HERE_(name))
#define HD_CPU_SHFL_IN_CALL_(m, v, kind, from, n, width, name)                                     \
    HD_CPU_OF_(hd_cpu_shfl_in, v)(m, v, kind, from(n, width, name), HD_CPU_HERE_(name))

#define hd_shfl(v, lane, width)                                                                    \
    HD_CPU_SHFL_CALL_(v, HD_CPU_SHFL, HD_CPU_INDEX_, lane, width, "hd_shfl")
#define hd_shfl_up(v, d, width)                                                                    \
    HD_CPU_SHFL_CALL_(v, HD_CPU_SHFL_UP, HD_CPU_UP_, d, width, "hd_shfl_up")
#define hd_shfl_down(v, d, width)                                                                  \
    HD_CPU_SHFL_CALL_(v, HD_CPU_SHFL_DOWN, HD_CPU_DOWN_, d, width, "hd_shfl_down")
#define hd_shfl_xor(v, x, width)                                                                   \
    HD_CPU_SHFL_CALL_(v, HD_CPU_SHFL_XOR, HD_CPU_XOR_, x, width, "hd_shfl_xor")
#define hd_broadcast(v, lane)                                                                      \
    HD_CPU_SHFL_CALL_(v, HD_CPU_BROADCAST, HD_CPU_LANE_, lane, hd_warp_size(), "hd_broadcast")
#define hd_shfl_in(m, v, lane, width)                                                              \
    HD_CPU_SHFL_IN_CALL_(m, v, HD_CPU_SHFL, HD_CPU_INDEX_, lane, width, "hd_shfl_in")
#define hd_shfl_up_in(m, v, d, width)                                                              \
    HD_CPU_SHFL_IN_CALL_(m, v, HD_CPU_SHFL_UP, HD_CPU_UP_, d, width, "hd_shfl_up_in")
#define hd_shfl_down_in(m, v, d, width)                                                            \
    HD_CPU_SHFL_IN_CALL_(m, v, HD_CPU_SHFL_DOWN, HD_CPU_DOWN_, d, width, "hd_shfl_down_in")
#define hd_shfl_xor_in(m, v, x, width)                                                             \
    HD_CPU_SHFL_IN_CALL_(m, v, HD_CPU_SHFL_XOR, HD_CPU_XOR_, x, width, "hd_shfl_xor_in")

/* ---- votes ----------------------------------------------------------------------------------- */

#define hd_any(p) ((int)hd_cpu_warp_(HD_CPU_ANY, (p) ? 1 : 0, 0, HD_CPU_HERE_("hd_any")))
#define hd_all(p) ((int)hd_cpu_warp_(HD_CPU_ALL, (p) ? 1 : 0, 0, HD_CPU_HERE_("hd_all")))
#define hd_ballot(p)                                                                               \
    hd_mask_of(hd_cpu_warp_(HD_CPU_BALLOT, (p) ? 1 : 0, 0, HD_CPU_HERE_("hd_ballot")))
#define hd_match_any(v)                                                                            \
    hd_mask_of(hd_cpu_warp_(HD_CPU_MATCH_ANY, HD_CPU_OF_(hd_cpu_bits, v)(v), 0,                    \
                            HD_CPU_HERE_("hd_match_any")))
#define hd_match_bits(v, n)                                                                        \
    hd_mask_of(hd_cpu_warp_(HD_CPU_MATCH_ANY,                                                      \
                            hd_cpu_bits_u32((v)) & (uint32_t)(((uint64_t)1 << (n)) - 1), 0,        \
                            HD_CPU_HERE_("hd_match_bits")))
#define hd_match_all(v)                                                                            \
    hd_mask_of(hd_cpu_warp_(HD_CPU_MATCH_ALL, HD_CPU_OF_(hd_cpu_bits, v)(v), 0,                    \
                            HD_CPU_HERE_("hd_match_all")))
#define hd_any_in(m, p)                                                                            \
    ((int)hd_cpu_mask_((m).bits, HD_CPU_ANY, (p) ? 1 : 0, 0, HD_CPU_HERE_("hd_any_in")))
#define hd_all_in(m, p)                                                                            \
    ((int)hd_cpu_mask_((m).bits, HD_CPU_ALL, (p) ? 1 : 0, 0, HD_CPU_HERE_("hd_all_in")))
#define hd_ballot_in(m, p)                                                                         \
    hd_mask_of(hd_cpu_mask_((m).bits, HD_CPU_BALLOT, (p) ? 1 : 0, 0, HD_CPU_HERE_("hd_ballot_in")))
#define hd_match_any_in(m, v)                                                                      \
    hd_mask_of(hd_cpu_mask_((m).bits, HD_CPU_MATCH_ANY, HD_CPU_OF_(hd_cpu_bits, v)(v), 0,          \
                            HD_CPU_HERE_("hd_match_any_in")))
#define hd_match_all_in(m, v)                                                                      \
    hd_mask_of(hd_cpu_mask_((m).bits, HD_CPU_MATCH_ALL, HD_CPU_OF_(hd_cpu_bits, v)(v), 0,          \
                            HD_CPU_HERE_("hd_match_all_in")))

/* The minimum that docs/dialect.md guarantees: the calling lane. */
#define hd_active_mask() hd_mask_of((uint64_t)1 << hd_lane())

/* ---- whole-warp and whole-block operations --------------------------------------------------- */

enum {
    HD_CPU_TYPE_f32 = HD_CPU_F32,
    HD_CPU_TYPE_f64 = HD_CPU_F64,
    HD_CPU_TYPE_i32 = HD_CPU_I32,
    HD_CPU_TYPE_u32 = HD_CPU_U32,
    HD_CPU_TYPE_i64 = HD_CPU_I64,
    HD_CPU_TYPE_u64 = HD_CPU_U64,
    HD_CPU_TYPE_i64l = HD_CPU_I64,
    HD_CPU_TYPE_u64l = HD_CPU_U64
};

#define HD_CPU_WARP_FOLD_(v, operation, width, name)                                               \
    HD_CPU_OF_(hd_cpu_warp_fold, v)(v, operation, width, HD_CPU_HERE_(name))
#define HD_CPU_GROUP_FOLD_(v, operation, width, name)                                              \
    HD_CPU_WARP_FOLD_(v, operation, HD_CPU_WIDTH_(width, name), name)
#define HD_CPU_BLOCK_FOLD_(v, operation, name)                                                     \
    HD_CPU_OF_(hd_cpu_block_fold, v)(v, operation, HD_CPU_HERE_(name))
#define HD_CPU_BLOCK_SCAN_(v, operation, name)                                                     \
    HD_CPU_OF_(hd_cpu_block_scan, v)(v, operation, HD_CPU_HERE_(name))

#define hd_warp_sum_width(v, width) HD_CPU_GROUP_FOLD_(v, HD_CPU_SUM, width, "hd_warp_sum_width")
#define hd_warp_min_width(v, width) HD_CPU_GROUP_FOLD_(v, HD_CPU_MIN, width, "hd_warp_min_width")
#define hd_warp_max_width(v, width) HD_CPU_GROUP_FOLD_(v, HD_CPU_MAX, width, "hd_warp_max_width")
#define hd_warp_sum(v) HD_CPU_WARP_FOLD_(v, HD_CPU_SUM, hd_warp_size(), "hd_warp_sum")
#define hd_warp_min(v) HD_CPU_WARP_FOLD_(v, HD_CPU_MIN, hd_warp_size(), "hd_warp_min")
#define hd_warp_max(v) HD_CPU_WARP_FOLD_(v, HD_CPU_MAX, hd_warp_size(), "hd_warp_max")
#define hd_warp_scan_sum_width(v, width)                                                           \
    HD_CPU_GROUP_FOLD_(v, HD_CPU_SCAN_SUM, width, "hd_warp_scan_sum_width")
#define hd_warp_scan_min_width(v, width)                                                           \
    HD_CPU_GROUP_FOLD_(v, HD_CPU_SCAN_MIN, width, "hd_warp_scan_min_width")
#define hd_warp_scan_max_width(v, width)                                                           \
    HD_CPU_GROUP_FOLD_(v, HD_CPU_SCAN_MAX, width, "hd_warp_scan_max_width")
#define hd_warp_scan_exclusive_sum_width(v, width)                                                 \
    HD_CPU_GROUP_FOLD_(v, HD_CPU_SCAN_BEFORE, width, "hd_warp_scan_exclusive_sum_width")
#define hd_warp_scan_sum(v)                                                                        \
    HD_CPU_WARP_FOLD_(v, HD_CPU_SCAN_SUM, hd_warp_size(), "hd_warp_scan_sum")
#define hd_warp_scan_min(v)                                                                        \
    HD_CPU_WARP_FOLD_(v, HD_CPU_SCAN_MIN, hd_warp_size(), "hd_warp_scan_min")
#define hd_warp_scan_max(v)                                                                        \
    HD_CPU_WARP_FOLD_(v, HD_CPU_SCAN_MAX, hd_warp_size(), "hd_warp_scan_max")
#define hd_warp_scan_exclusive_sum(v)                                                              \
    HD_CPU_WARP_FOLD_(v, HD_CPU_SCAN_BEFORE, hd_warp_size(), "hd_warp_scan_exclusive_sum")

#define hd_block_sum(v) HD_CPU_BLOCK_FOLD_(v, HD_CPU_SUM, "hd_block_sum")
#define hd_block_min(v) HD_CPU_BLOCK_FOLD_(v, HD_CPU_MIN, "hd_block_min")
#define hd_block_max(v) HD_CPU_BLOCK_FOLD_(v, HD_CPU_MAX, "hd_block_max")
#define hd_block_scan_sum(v) HD_CPU_BLOCK_SCAN_(v, HD_CPU_SCAN_SUM, "hd_block_scan_sum")
#define hd_block_scan_min(v) HD_CPU_BLOCK_SCAN_(v, HD_CPU_SCAN_MIN, "hd_block_scan_min")
#define hd_block_scan_max(v) HD_CPU_BLOCK_SCAN_(v, HD_CPU_SCAN_MAX, "hd_block_scan_max")
#define hd_block_scan_exclusive_sum(v)                                                             \
    HD_CPU_BLOCK_SCAN_(v, HD_CPU_SCAN_BEFORE, "hd_block_scan_exclusive_sum")

/* ---- waiting --------------------------------------------------------------------------------- */

/* Reads once. If the condition is not met, the thread is parked on the address and the engine runs
   others: the rest of the block, other resident blocks, other launches. The engine returns the
   value that ended the wait, read with acquire. */
#if HD_CPU_CHECK
#define HD_CPU_ACQUIRED_(p, how) hd_cpu_check_acquired(p, how)
#define HD_CPU_LOOK_(seen, p, how)                                                                 \
    hd_cpu_check_scope((how)&HD_CPU_WAIT_SYSTEM ? 2 : (how)&HD_CPU_WAIT_BLOCK ? 0 : 1);            \
    seen = __atomic_load_n(p, __ATOMIC_RELAXED);                                                   \
    hd_cpu_check_scope(1)
#else
#define HD_CPU_ACQUIRED_(p, how) ((void)0)
#define HD_CPU_LOOK_(seen, p, how) seen = __atomic_load_n(p, __ATOMIC_ACQUIRE)
#endif
HD_CPU_OWN_ uint64_t hd_cpu_park_(const volatile void *p, uint64_t value, unsigned how,
                                  const hd_cpu_place *place)
{
    const hd_cpu_thread me = hd_thread_;
    const hd_cpu_block *block = hd_block_;

    hd_cpu_give_way_(
        hd_cpu_arrive_wait(block, me.linear, (const void *)(uintptr_t)p, value, how, place), me,
        block);
    return block->out[me.linear];
}

/* The functions behind the macros, for each type. */
#define HD_CPU_T float
#define HD_CPU_S f32
#define HD_CPU_WAITS 0
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T double
#define HD_CPU_S f64
#define HD_CPU_WAITS 0
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T int
#define HD_CPU_S i32
#define HD_CPU_WAITS 1
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T unsigned
#define HD_CPU_S u32
#define HD_CPU_WAITS 1
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T long
#define HD_CPU_S i64
#define HD_CPU_WAITS 1
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T unsigned long
#define HD_CPU_S u64
#define HD_CPU_WAITS 1
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T long long
#define HD_CPU_S i64l
#define HD_CPU_WAITS 1
#include <heddle/backend/cpu_collective.inc>
#define HD_CPU_T unsigned long long
#define HD_CPU_S u64l
#define HD_CPU_WAITS 1
#include <heddle/backend/cpu_collective.inc>

#define HD_CPU_WAIT_CALL_(p, v, how, name)                                                         \
    HD_CPU_INTEGER_OF_(hd_cpu_wait, *(p))(p, v, how, HD_CPU_OUTSIDE_(name))
/* Waits for another block of the launch, or another thread of the block. */
#define HD_CPU_WAIT_GRID_(p, v, how, name)                                                         \
    HD_CPU_INTEGER_OF_(hd_cpu_wait, *(p))(p, v, how, HD_CPU_HERE_(name))
#define hd_wait_ge_block(p, v)                                                                     \
    HD_CPU_WAIT_GRID_(p, v, HD_CPU_WAIT_GE | HD_CPU_WAIT_BLOCK, "hd_wait_ge_block")
#define hd_wait_eq_block(p, v)                                                                     \
    HD_CPU_WAIT_GRID_(p, v, HD_CPU_WAIT_EQ | HD_CPU_WAIT_BLOCK, "hd_wait_eq_block")
#define hd_wait_ne_block(p, v)                                                                     \
    HD_CPU_WAIT_GRID_(p, v, HD_CPU_WAIT_NE | HD_CPU_WAIT_BLOCK, "hd_wait_ne_block")
#define hd_wait_ge_grid(p, v) HD_CPU_WAIT_GRID_(p, v, HD_CPU_WAIT_GE, "hd_wait_ge_grid")
#define hd_wait_eq_grid(p, v) HD_CPU_WAIT_GRID_(p, v, HD_CPU_WAIT_EQ, "hd_wait_eq_grid")
#define hd_wait_ne_grid(p, v) HD_CPU_WAIT_GRID_(p, v, HD_CPU_WAIT_NE, "hd_wait_ne_grid")
#define hd_wait_ge(p, v) HD_CPU_WAIT_CALL_(p, v, HD_CPU_WAIT_GE, "hd_wait_ge")
#define hd_wait_eq(p, v) HD_CPU_WAIT_CALL_(p, v, HD_CPU_WAIT_EQ, "hd_wait_eq")
#define hd_wait_ne(p, v) HD_CPU_WAIT_CALL_(p, v, HD_CPU_WAIT_NE, "hd_wait_ne")
#define hd_wait_ge_system(p, v)                                                                    \
    HD_CPU_WAIT_CALL_(p, v, HD_CPU_WAIT_GE | HD_CPU_WAIT_SYSTEM, "hd_wait_ge_system")
#define hd_wait_eq_system(p, v)                                                                    \
    HD_CPU_WAIT_CALL_(p, v, HD_CPU_WAIT_EQ | HD_CPU_WAIT_SYSTEM, "hd_wait_eq_system")
#define hd_wait_ne_system(p, v)                                                                    \
    HD_CPU_WAIT_CALL_(p, v, HD_CPU_WAIT_NE | HD_CPU_WAIT_SYSTEM, "hd_wait_ne_system")

#endif
