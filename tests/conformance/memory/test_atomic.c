/* SPDX-License-Identifier: Apache-2.0 */
/* test_atomic.c - atomics under contention against one operation after the other. */
#include <math.h>

#include "atomic.h"
#include "rig.h"

#define T int32_t
#define TS i32
#define NAME "i32"
#define WIDE(x) (uint64_t)(x)
#define IS_FLOAT 0
#include "atomic_model.inc"
#define T uint32_t
#define TS u32
#define NAME "u32"
#define WIDE(x) (uint64_t)(x)
#define IS_FLOAT 0
#include "atomic_model.inc"
#define T int64_t
#define TS i64
#define NAME "i64"
#define WIDE(x) (uint64_t)(x)
#define IS_FLOAT 0
#include "atomic_model.inc"
#define T uint64_t
#define TS u64
#define NAME "u64"
#define WIDE(x) (uint64_t)(x)
#define IS_FLOAT 0
#include "atomic_model.inc"
#define T long long
#define TS ll
#define NAME "ll"
#define WIDE(x) (uint64_t)(x)
#define IS_FLOAT 0
#include "atomic_model.inc"
#define T unsigned long long
#define TS ull
#define NAME "ull"
#define WIDE(x) (uint64_t)(x)
#define IS_FLOAT 0
#include "atomic_model.inc"
#define T float
#define TS f32
#define NAME "f32"
#define WIDE(x) (x)
#define IS_FLOAT 1
#include "atomic_model.inc"
#define T double
#define TS f64
#define NAME "f64"
#define WIDE(x) (x)
#define IS_FLOAT 1
#include "atomic_model.inc"

static int by_value(const void *a, const void *b)
{
    uint32_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* inc: 0 after top; dec: top after 0 and from above top. */
static uint32_t wrap_step(uint32_t cell, uint32_t top, unsigned op)
{
    if (op == ATOMIC_INC)
        return cell >= top ? 0 : cell + 1;
    return cell == 0 || cell > top ? top : cell - 1;
}

static void run_wrap(uint32_t begin, uint32_t top, unsigned op, unsigned scope, unsigned shared)
{
    enum { BLOCKS = 3, BLOCK = 90 };
    uint32_t start[BLOCKS], cells[BLOCKS], olds[BLOCKS * BLOCK], expected[BLOCKS * BLOCK];
    unsigned own = shared || scope == SCOPE_BLOCK, count = own ? BLOCK : BLOCKS * BLOCK, b, i;
    void *d_cells, *d_olds = rig_zeroed(sizeof olds);

    for (b = 0; b < BLOCKS; b++)
        start[b] = begin;
    d_cells = rig_upload(start, sizeof start);
    MUST(hd_launch(atomic_wrap, rig_flat(BLOCKS, BLOCK), (uint32_t *)d_cells, (uint32_t *)d_olds,
                   top, op, scope, shared));
    rig_download(cells, d_cells, sizeof cells);
    rig_download(olds, d_olds, sizeof olds);
    for (b = 0; b < (own ? BLOCKS : 1u); b++) {
        uint32_t cell = begin;
        for (i = 0; i < count; i++) {
            expected[i] = cell;
            cell = wrap_step(cell, top, op);
        }
        CHECK_EQ_U64(cells[b], cell);
        qsort(expected, count, sizeof *expected, by_value);
        qsort(olds + b * count, count, sizeof *olds, by_value);
        CHECK(memcmp(expected, olds + b * count, count * sizeof *olds) == 0);
    }
    rig_drop(d_cells);
    rig_drop(d_olds);
}

TEST(increment_and_decrement_wrap)
{
    static const uint32_t starts[] = {0, 5, 40, 0xfffffff0u}, tops[] = {0, 5, 12, 0xffffffffu};
    unsigned s, t, op, scope, shared;

    rig_open();
    for (s = 0; s < 4; s++)
        for (t = 0; t < 4; t++)
            for (op = ATOMIC_INC; op <= ATOMIC_DEC; op++)
                for (scope = 0; scope < SCOPES; scope++)
                    for (shared = 0; shared < 2; shared++)
                        run_wrap(starts[s], tops[t], op, scope, shared);
}

/* Cell i starts as i + 1: add and exch return it, cas succeeds. */
#define ORDERED_TEST(suffix, type)                                                                 \
    TEST(ordered_atomics_##suffix)                                                                 \
    {                                                                                              \
        type cells[ORDERED_ATOMICS], olds[ORDERED_ATOMICS];                                        \
        void *d_cells, *d_olds;                                                                    \
        int i;                                                                                     \
        rig_open();                                                                                \
        for (i = 0; i < ORDERED_ATOMICS; i++)                                                      \
            cells[i] = (type)(i + 1);                                                              \
        d_cells = rig_upload(cells, sizeof cells);                                                 \
        d_olds = rig_zeroed(sizeof olds);                                                          \
        MUST(hd_launch(ordered_atomic_##suffix, rig_flat(1, 1), (type *)d_cells, (type *)d_olds)); \
        rig_download(cells, d_cells, sizeof cells);                                                \
        rig_download(olds, d_olds, sizeof olds);                                                   \
        for (i = 0; i < ORDERED_ATOMICS; i++) {                                                    \
            CHECK_EQ_I64(olds[i], i + 1);                                                          \
            CHECK_EQ_I64(cells[i], i < 9 ? i + 101 : 100);                                         \
        }                                                                                          \
        rig_drop(d_cells);                                                                         \
        rig_drop(d_olds);                                                                          \
    }
TYPED_INTEGER_LIST(ORDERED_TEST)

TEST_MAIN
