/* SPDX-License-Identifier: Apache-2.0 */
/* test_tune_bits.c - tuning never changes a bit: every candidate of every family gives the bits of
   the untuned call, over all types and kinds of calls and sizes around the edges of tiles; and for
   reductions and scans over all operations, not only those that are tuned. The untuned calls have
   tests of their own against references. */
#include "test.h"

#include <heddle/heddle.h>
#include <heddle/reduce.h>
#include <heddle/scan.h>

#include <stdlib.h>

#include "drivers/sort/plan.h"
#include "drivers/tune/problem.h"
#include "drivers/tune/table.h"

/* Fewer sizes if the checking engine or a sanitizer watches every access. */
static int is_watched(void)
{
#if defined(HD_CPU_CHECK)
    return 1;
#else
    return getenv("HEDDLE_SANITIZER") != NULL;
#endif
}

/* The next combination of values, the last knob first; 0 after the last. */
static int advance(const hd__tune_space *space, size_t *at, unsigned *values)
{
    size_t i = space->knob_count;
    while (i-- > 0) {
        if (++at[i] == space->knobs[i].count)
            at[i] = 0;
        values[i] = space->knobs[i].values[at[i]];
        if (at[i])
            return 1;
    }
    return 0;
}

static hd_stream *stream;
static unsigned char *expected, *got;
static size_t room, compared;

/* Runs on overwritten memory; values NULL: untuned. */
static void run(hd__tune_problem *p, size_t size, const unsigned *values, unsigned char *to)
{
    REQUIRE(hd_fill_bytes(p->out, 0x5a, 1, p->out_bytes, stream) == HD_OK);
    if (values)
        CHECK_STATUS(p->kernel.run(p, size, values, stream), HD_OK);
    else
        CHECK_STATUS(p->family == HD__TUNE_REDUCE      ? hd__tune_reduce.run(p, size, stream)
                     : p->family == HD__TUNE_SCAN      ? hd__tune_scan.run(p, size, stream)
                     : p->family == HD__TUNE_SORT      ? hd__tune_sort.run(p, size, stream)
                     : p->family == HD__TUNE_TRANSPOSE ? hd__tune_transpose.run(p, size, stream)
                                                       : hd__tune_tridiag.run(p, size, stream),
                     HD_OK);
    CHECK_STATUS(hd_copy_blocking_bytes(to, p->out, p->out_bytes, 1, stream), HD_OK);
}

static void make_room(size_t bytes)
{
    if (bytes <= room)
        return;
    free(expected);
    free(got);
    expected = malloc(bytes);
    got = malloc(bytes);
    room = bytes;
    REQUIRE(expected && got);
}

static void check_size(hd__tune_problem *p, size_t size)
{
    const hd__tune_space *space = &hd__tune_spaces[p->family];
    size_t at[HD_TUNE_KNOBS_MAX] = {0};
    unsigned values[HD_TUNE_KNOBS_MAX] = {0};
    CHECK_STATUS(p->kernel.prepare(p, size, stream), HD_OK);
    make_room(p->out_bytes);
    run(p, size, NULL, expected);
    do {
        if (!p->kernel.accepts(p, size, values))
            continue;
        run(p, size, values, got);
        compared++;
        if (memcmp(expected, got, p->out_bytes) != 0)
            test_fail(__FILE__, __LINE__, "%s %s, size %zu, values %u %u %u %u differ",
                      p->kernel.name, p->type_text, size, values[0], values[1], values[2],
                      values[3]);
    } while (advance(space, at, values));
}

static void check_family(int family, const size_t *sizes, size_t count)
{
    const hd__tune_space *space = &hd__tune_spaces[family];
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    compared = 0;
    for (unsigned type = 0; type < space->type_count; type++)
        for (unsigned kind = 0; kind < space->kind_count; kind++) {
            hd__tune_problem p;
            if (!hd__tune_problem_exists(family, type, kind))
                continue;
            hd__tune_problem_open(&p, family, type, kind, 0);
            p.elements = 3000;
            for (size_t i = 0; i < count; i++)
                check_size(&p, sizes[i]);
            hd__tune_problem_close(&p);
        }
    CHECK(compared > 2 * count);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

#define CHECK_FAMILY(family, ...)                                                                  \
    do {                                                                                           \
        const size_t sizes[] = {__VA_ARGS__};                                                      \
        check_family(family, sizes, sizeof sizes / sizeof *sizes);                                 \
    } while (0)

TEST(reduce)
{
    CHECK_FAMILY(HD__TUNE_REDUCE, 1, 31, 65, 1023, 4097, 16385, 40009);
}

TEST(scan)
{
    if (is_watched())
        CHECK_FAMILY(HD__TUNE_SCAN, 33, 9001);
    else
        CHECK_FAMILY(HD__TUNE_SCAN, 1, 33, 4096, 8193, 40009);
}

TEST(sort)
{
    CHECK_FAMILY(HD__TUNE_SORT, 2, 1025, 9001, 40009);
    hd__sort_force_threads = 1; /* the CPU engine too sorts with blocks of many threads */
    if (is_watched())
        CHECK_FAMILY(HD__TUNE_SORT, 2, 1100);
    else
        CHECK_FAMILY(HD__TUNE_SORT, 2, 1025, 3001, 9001, 20011);
    hd__sort_force_threads = 0;
}

TEST(transpose)
{
    CHECK_FAMILY(HD__TUNE_TRANSPOSE, 1, 30, 1024, 5000, 40000);
}

TEST(tridiagonal)
{
    CHECK_FAMILY(HD__TUNE_TRIDIAG, 1, 2, 17, 63, 257, 1000);
}

/* ---- operations that are not tuned themselves ------------------------------------------------ */

enum { N = 12345 };

static void check_reduce_op(const void *in, void *out, hd_type type, hd_reduce_op op)
{
    unsigned char first[16] = {0}, again[16] = {0};
    hd_result result;
    size_t bytes = 0;
    CHECK_STATUS(hd_reduce_result(type, op, &result, &bytes), HD_OK);
    CHECK_STATUS(hd_reduce(in, N, type, op, out, NULL, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking_bytes(first, out, bytes, 1, stream), HD_OK);
    for (uint16_t groups = 1; groups <= 4; groups = (uint16_t)(2 * groups))
        for (uint16_t cache = 0; cache <= 2; cache++) {
            const hd__tune_choice choice = {{groups, cache}};
            CHECK_STATUS(hd_fill_bytes(out, 0xee, 1, bytes, stream), HD_OK);
            hd__tune_try(HD__TUNE_REDUCE, choice);
            CHECK_STATUS(hd_reduce(in, N, type, op, out, NULL, stream), HD_OK);
            hd__tune_try_end();
            CHECK_STATUS(hd_copy_blocking_bytes(again, out, bytes, 1, stream), HD_OK);
            if (memcmp(first, again, bytes) != 0)
                test_fail(__FILE__, __LINE__, "%s of %s differs for groups %u, cache %u",
                          hd_reduce_op_name(op), hd_type_name(type), groups, cache);
        }
}

TEST(every_reduction)
{
    void *in = NULL, *out = NULL;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc_bytes(&in, N, 8, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc_bytes(&out, 16, 1, HD_MEM_DEVICE, 0) == HD_OK);
    for (int type = 0; type < HD_TYPE_COUNT_; type++) {
        if (type == HD_BF16)
            continue;
        CHECK_STATUS(hd_fill_bytes(in, 1, 1, 8 * (size_t)N, stream), HD_OK);
        CHECK_STATUS(hd__tune_numbers(in, N, (hd_type)type, 7, stream), HD_OK);
        for (int op = 0; op < HD_REDUCE_COUNT_; op++)
            check_reduce_op(in, out, (hd_type)type, (hd_reduce_op)op);
    }
    CHECK_STATUS(hd_free(in), HD_OK);
    CHECK_STATUS(hd_free(out), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

static void check_scan(const void *in, void *out, hd_type type, hd_reduce_op op, hd_scan_kind kind)
{
    const size_t bytes = N * hd_type_bytes(type);
    static const hd__tune_choice choices[] = {
        {{1, 1, 1}}, {{2, 2, 1}}, {{4, 0, 1}}, {{99, 2, 1}}, {{0, 1, 0}}};
    make_room(bytes);
    CHECK_STATUS(hd_scan(in, N, type, op, kind, NULL, out, NULL, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking_bytes(expected, out, bytes, 1, stream), HD_OK);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        CHECK_STATUS(hd_fill_bytes(out, 0xee, 1, bytes, stream), HD_OK);
        hd__tune_try(HD__TUNE_SCAN, choices[i]);
        CHECK_STATUS(hd_scan(in, N, type, op, kind, NULL, out, NULL, stream), HD_OK);
        hd__tune_try_end();
        CHECK_STATUS(hd_copy_blocking_bytes(got, out, bytes, 1, stream), HD_OK);
        if (memcmp(expected, got, bytes) != 0)
            test_fail(__FILE__, __LINE__, "scan %s of %s, kind %d, differs for choice %zu",
                      hd_reduce_op_name(op), hd_type_name(type), (int)kind, i);
    }
}

TEST(every_scan)
{
    static const hd_reduce_op ops[] = {HD_SUM, HD_MIN, HD_MAX};
    void *in = NULL, *out = NULL;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc_bytes(&in, N, 8, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc_bytes(&out, N, 8, HD_MEM_DEVICE, 0) == HD_OK);
    for (int type = 0; type < HD_TYPE_COUNT_; type++) {
        if (!hd__tune_problem_exists(HD__TUNE_SCAN, (unsigned)type, 0))
            continue;
        CHECK_STATUS(hd__tune_numbers(in, N, (hd_type)type, 11, stream), HD_OK);
        for (int op = 0; op < (is_watched() ? 1 : 3); op++) {
            check_scan(in, out, (hd_type)type, ops[op], HD_SCAN_INCLUSIVE);
            check_scan(in, out, (hd_type)type, ops[op], HD_SCAN_EXCLUSIVE);
        }
    }
    CHECK_STATUS(hd_free(in), HD_OK);
    CHECK_STATUS(hd_free(out), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* ---- the shipped choices --------------------------------------------------------------------- */

/* A row that names no family, type or value would be ignored. The first row is a sentinel. */
TEST(shipped_choices)
{
    for (size_t i = 1; i < hd__tune_shipped_count; i++) {
        const hd__tune_shipped_row *row = &hd__tune_shipped[i];
        const int family = hd__tune_family_named(row->family);
        const hd__tune_space *space = &hd__tune_spaces[family];
        unsigned type, kind;
        CHECK(row->device[0] != '\0');
        CHECK(row->bucket > 0 && row->bucket < HD__TUNE_BUCKETS);
        CHECK(family < HD__TUNE_FAMILIES);
        if (family == HD__TUNE_FAMILIES)
            continue;
        CHECK(hd__tune_type_read(space, row->type, &type, &kind));
        for (size_t k = 0; k < HD__TUNE_KNOBS; k++)
            CHECK(k < space->knob_count ? hd__tune_value_known(&space->knobs[k], row->choice.of[k])
                                        : row->choice.of[k] == 0);
    }
}

TEST_MAIN
