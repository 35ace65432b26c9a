/* SPDX-License-Identifier: Apache-2.0 */
/* test_replay.c - calls with a workspace give the same bits again and again: enqueued three times,
   and recorded in a graph that is launched three times, each time over other input. labels: lazy */
#include "arrays.h"

#include <stdlib.h>

#include <heddle/graph.h>
#include <heddle/histogram.h>
#include <heddle/recurrence.h>
#include <heddle/select.h>
#include <heddle/sort.h>

enum { TURNS = 3, ELEMENTS = 50021, ROOM = ELEMENTS * 8 };

typedef struct arrays {
    hd_stream *stream;
    test_array in, in2, out, out2;
    uint64_t *count;
    hd_workspace workspace;
    size_t n;
} arrays;

/* ---- the calls ------------------------------------------------------------------------------- */

static hd_status scan_sum(arrays *a)
{
    return hd_scan(a->in.device, a->n, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, a->out.device,
                   &a->workspace, a->stream);
}

static hd_status scan_max(arrays *a)
{
    return hd_scan(a->in.device, a->n, HD_I32, HD_MAX, HD_SCAN_EXCLUSIVE, NULL, a->out.device,
                   &a->workspace, a->stream);
}

static hd_status scan_segments(arrays *a)
{
    return hd_scan_segments(a->in.device, a->in2.device, HD_U8, a->n, HD_U32, HD_SUM,
                            HD_SCAN_INCLUSIVE, NULL, a->out.device, &a->workspace, a->stream);
}

static hd_status recurrence(arrays *a)
{
    return hd_recurrence(a->in.device, a->in2.device, a->n, HD_F32, NULL, a->out.device,
                         &a->workspace, a->stream);
}

static hd_status select_half(arrays *a)
{
    const hd_where where = {HD_WHERE_LT, {.f32 = 0}, NULL};
    return hd_select(a->in.device, a->n, HD_F32, &where, a->out.device, a->count, &a->workspace,
                     a->stream);
}

static hd_status partition(arrays *a)
{
    const hd_where where = {HD_WHERE_LT, {.f32 = 0}, NULL};
    return hd_partition(a->in.device, a->n, HD_F32, &where, a->out.device, NULL, a->count,
                        &a->workspace, a->stream);
}

static hd_status run_lengths(arrays *a)
{
    return hd_run_lengths(a->in.device, a->n, HD_U8, a->out.device, HD_U32, a->out2.device,
                          a->count, &a->workspace, a->stream);
}

static hd_status sort_keys(arrays *a)
{
    return hd_sort_keys(a->in.device, a->out.device, a->n, HD_F32, NULL, &a->workspace, a->stream);
}

static hd_status sort_pairs(arrays *a)
{
    return hd_sort_pairs(a->in.device, a->in2.device, a->out.device, a->out2.device, a->n, HD_U32,
                         4, NULL, &a->workspace, a->stream);
}

static hd_status histogram(arrays *a)
{
    const hd_bins bins = {0, 256, 256};
    return hd_histogram(a->in.device, a->n, HD_U8, &bins, HD_U64, a->out.device, a->out2.device,
                        &a->workspace, a->stream);
}

static hd_status histogram_bytes(size_t n, size_t *bytes)
{
    const hd_bins bins = {0, 256, 256};
    return hd_histogram_workspace(n, HD_U8, &bins, bytes);
}

static hd_status scan_bytes(size_t n, size_t *bytes)
{
    return hd_scan_workspace(HD_SCAN_AUTO, n, HD_F32, bytes);
}

static hd_status recurrence_bytes(size_t n, size_t *bytes)
{
    return hd_recurrence_workspace(n, HD_F32, bytes);
}

static hd_status select_bytes(size_t n, size_t *bytes)
{
    return hd_select_workspace(n, HD_F32, bytes);
}

static hd_status run_lengths_bytes(size_t n, size_t *bytes)
{
    return hd_select_workspace(n, HD_U8, bytes);
}

static hd_status sort_bytes(size_t n, size_t *bytes)
{
    return hd_sort_workspace(n, HD_U32, 4, bytes);
}

typedef struct replayed {
    const char *name;
    hd_status (*call)(arrays *a);
    hd_status (*workspace)(size_t n, size_t *bytes);
    test_values values;
} replayed;

static const replayed calls[] = {
    {"scan sum", scan_sum, scan_bytes, VALUES_RANDOM},
    {"scan max", scan_max, scan_bytes, VALUES_RANDOM},
    {"scan segments", scan_segments, scan_bytes, VALUES_SMALL},
    {"recurrence", recurrence, recurrence_bytes, VALUES_SMALL},
    {"select", select_half, select_bytes, VALUES_RANDOM},
    {"partition", partition, select_bytes, VALUES_RANDOM},
    {"run lengths", run_lengths, run_lengths_bytes, VALUES_SMALL},
    {"sort keys", sort_keys, sort_bytes, VALUES_RANDOM},
    {"sort pairs", sort_pairs, sort_bytes, VALUES_SMALL},
    {"histogram", histogram, histogram_bytes, VALUES_RANDOM},
};

/* ---- arrays ---------------------------------------------------------------------------------- */

static void setup(arrays *a, const replayed *r, size_t n)
{
    memset(a, 0, sizeof *a);
    REQUIRE(hd_stream_create(0, &a->stream) == HD_OK);
    a->n = n;
    test_array_make(&a->in, ROOM, 0, a->stream);
    test_array_make(&a->in2, ROOM, 0, a->stream);
    test_array_make(&a->out, ROOM, 0, a->stream);
    test_array_make(&a->out2, ROOM, 0, a->stream);
    REQUIRE(hd_alloc(&a->count, 1, 0) == HD_OK);
    CHECK_STATUS(r->workspace(n, &a->workspace.bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&a->workspace.memory, a->workspace.bytes + 1, 1, HD_MEM_DEVICE, 0) ==
            HD_OK);
    CHECK_STATUS(hd_fill_bytes(a->workspace.memory, 0xff, 1, a->workspace.bytes, a->stream), HD_OK);
}

static void teardown(arrays *a)
{
    CHECK_STATUS(hd_stream_synchronize(a->stream), HD_OK);
    test_array_free(&a->in);
    test_array_free(&a->in2);
    test_array_free(&a->out);
    test_array_free(&a->out2);
    hd_free(a->count);
    hd_free(a->workspace.memory);
    hd_stream_destroy(a->stream);
}

static void fill(arrays *a, const replayed *r, uint64_t seed)
{
    const hd_type type = r->call == run_lengths                         ? HD_U8
                         : r->call == scan_sum || r->call == recurrence ? HD_F32
                                                                        : HD_U32;
    test_fill(a->in.host, a->n, type, r->values, seed);
    test_fill(a->in2.host, a->n, type, r->values, seed + 100);
    test_array_upload(&a->in, a->stream);
    test_array_upload(&a->in2, a->stream);
}

static void poison(arrays *a)
{
    test_array_poison(&a->out, a->stream);
    test_array_poison(&a->out2, a->stream);
    CHECK_STATUS(hd_fill_bytes(a->count, 0xff, 1, sizeof *a->count, a->stream), HD_OK);
}

/* The outputs, one after another. */
static void results(arrays *a, unsigned char *to)
{
    test_array_download(&a->out, a->stream);
    test_array_download(&a->out2, a->stream);
    memcpy(to, a->out.host, ROOM);
    memcpy(to + ROOM, a->out2.host, ROOM);
    CHECK_STATUS(
        hd_copy_blocking_bytes(to + 2 * (size_t)ROOM, a->count, 1, sizeof *a->count, a->stream),
        HD_OK);
}

enum { RESULT_BYTES = 2 * ROOM + 8 };

/* ---- the tests ------------------------------------------------------------------------------- */

/* The expected bits are those of a call with the stream's own scratch. */
static void expect(arrays *a, const replayed *r, unsigned char *to)
{
    const hd_workspace given = a->workspace;
    size_t bytes = 0;
    void *fresh = NULL;
    CHECK_STATUS(r->workspace(a->n, &bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&fresh, bytes + 1, 1, HD_MEM_DEVICE, 0) == HD_OK);
    a->workspace = (hd_workspace){fresh, bytes, 0};
    poison(a);
    CHECK_STATUS(r->call(a), HD_OK);
    results(a, to);
    a->workspace = given;
    hd_free(fresh);
}

static void repeat(const replayed *r, size_t n)
{
    unsigned char *expected = malloc(RESULT_BYTES), *got = malloc(RESULT_BYTES);
    arrays a;
    REQUIRE(expected && got);
    setup(&a, r, n);
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        fill(&a, r, turn);
        expect(&a, r, expected);
        poison(&a);
        for (int again = 0; again < TURNS; again++)
            CHECK_STATUS(r->call(&a), HD_OK);
        results(&a, got);
        CHECK_BITS(r->name, got, expected, RESULT_BYTES, 1);
    }
    teardown(&a);
    free(expected);
    free(got);
}

TEST(calls_in_a_row)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        repeat(&calls[i], test_watched(ELEMENTS, 9001));
        repeat(&calls[i], 300);
    }
}

/* `prepared`: the workspace has served a call before; else what clears it is recorded too. */
static void replay(const replayed *r, size_t n, int prepared)
{
    unsigned char *expected = malloc(RESULT_BYTES), *got = malloc(RESULT_BYTES);
    hd_graph *graph = NULL;
    hd_graph_exec *exec = NULL;
    arrays a;
    REQUIRE(expected && got);
    setup(&a, r, n);
    fill(&a, r, 9);
    if (prepared)
        CHECK_STATUS(r->call(&a), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(a.stream), HD_OK);
    REQUIRE(hd_stream_capture_begin(a.stream) == HD_OK);
    CHECK_STATUS(r->call(&a), HD_OK);
    CHECK_STATUS(hd_stream_capture_end(a.stream, &graph), HD_OK);
    REQUIRE(graph != NULL);
    CHECK_STATUS(hd_graph_instantiate(graph, &exec), HD_OK);
    CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        fill(&a, r, turn);
        expect(&a, r, expected);
        poison(&a);
        CHECK_STATUS(hd_graph_launch(exec, a.stream), HD_OK);
        results(&a, got);
        CHECK_BITS(r->name, got, expected, RESULT_BYTES, 1);
    }
    CHECK_STATUS(hd_graph_exec_destroy(exec), HD_OK);
    teardown(&a);
    free(expected);
    free(got);
}

TEST(graphs)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int prepared = 0; prepared < 2; prepared++) {
            replay(&calls[i], test_watched(ELEMENTS, 9001), prepared);
            replay(&calls[i], 300, prepared);
        }
}

TEST_MAIN
