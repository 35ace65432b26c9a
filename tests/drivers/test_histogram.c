/* SPDX-License-Identifier: Apache-2.0 */
/* test_histogram.c - hd_histogram against plain C, count by count: types, ranges, numbers of bins,
   sizes around every edge, launch shapes, values of every kind, bad input. */
#include "arrays.h"

#include <heddle/histogram.h>

#include "src/drivers/histogram_plan.h"

/* ---- reference ------------------------------------------------------------------------------- */

/* The bin of x, or bins + 0, 1, 2 for below, above, NaN. Integers by division, floats step by step
   as the header says. */
static size_t ref_integer(uint64_t x, const hd_bins *bins)
{
    const uint64_t low = (uint64_t)bins->low, high = (uint64_t)bins->high;

    if (x < low || x >= high)
        return bins->count + (x >= high);
    return (size_t)((x - low) * bins->count / (high - low));
}

static size_t ref_real(float x, const hd_bins *bins)
{
    const float low = (float)bins->low, high = (float)bins->high;
    const float scale = (float)((double)bins->count / ((double)high - (double)low));
    volatile float at;

    if (isnan(x))
        return bins->count + 2;
    if (x < low || x >= high)
        return bins->count + (x >= high);
    at = x - low;
    at = at * scale;
    return (size_t)at < bins->count ? (size_t)at : bins->count - 1;
}

static void reference(const unsigned char *in, size_t n, hd_type type, const hd_bins *bins,
                      uint64_t *counts)
{
    memset(counts, 0, (bins->count + 3) * sizeof *counts);
    for (size_t i = 0; i < n; i++) {
        uint32_t word = in[i];
        float real = 0;
        if (type != HD_U8)
            memcpy(&word, in + 4 * i, 4);
        memcpy(&real, &word, 4);
        counts[type == HD_F32 ? ref_real(real, bins) : ref_integer(word, bins)]++;
    }
}

/* ---- one comparison -------------------------------------------------------------------------- */

typedef struct rig {
    hd_stream *stream;
    test_array in;
    test_array counts, outside;
    uint64_t *expected;
} rig;

static void setup(rig *r, size_t bytes, size_t shift)
{
    memset(r, 0, sizeof *r);
    REQUIRE(hd_stream_create(0, &r->stream) == HD_OK);
    test_array_make(&r->in, bytes, shift, r->stream);
    test_array_make(&r->counts, HD_HISTOGRAM_MAX_BINS * 8, 8, r->stream);
    test_array_make(&r->outside, 3 * 8, 0, r->stream);
    r->expected = malloc((HD_HISTOGRAM_MAX_BINS + 3) * sizeof *r->expected);
    REQUIRE(r->expected != NULL);
}

static void teardown(rig *r)
{
    CHECK_STATUS(hd_stream_synchronize(r->stream), HD_OK);
    test_array_free(&r->in);
    test_array_free(&r->counts);
    test_array_free(&r->outside);
    free(r->expected);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
}

static uint64_t count_at(const test_array *a, hd_type type, size_t i)
{
    uint64_t wide;
    uint32_t narrow;
    memcpy(&narrow, a->host + i * 4, 4);
    if (type == HD_U32)
        return narrow;
    memcpy(&wide, a->host + i * 8, 8);
    return wide;
}

static hd_bins bins_of(double low, double high, size_t count)
{
    hd_bins bins;
    bins.low = low;
    bins.high = high;
    bins.count = count;
    return bins;
}

/* The first n elements of r->in; with `outside` or without. */
static void compare(rig *r, size_t n, hd_type type, hd_bins bins, hd_type count_type, int outside)
{
    size_t wrong = 0;
    test_array_poison(&r->counts, r->stream);
    test_array_poison(&r->outside, r->stream);
    if (!CHECK_STATUS(hd_histogram(r->in.device, n, type, &bins, count_type, r->counts.device,
                                   outside ? r->outside.device : NULL, NULL, r->stream),
                      HD_OK))
        return;
    reference(r->in.host, n, type, &bins, r->expected);
    test_array_download(&r->counts, r->stream);
    test_array_download(&r->outside, r->stream);
    for (size_t i = 0; i < bins.count + (outside ? 3 : 0); i++) {
        const uint64_t got = i < bins.count ? count_at(&r->counts, count_type, i)
                                            : count_at(&r->outside, count_type, i - bins.count);
        if (got != r->expected[i] && wrong++ == 0)
            test_fail(__FILE__, __LINE__,
                      "%zu %s, %zu bins over %g to %g, %s: bin %zu has %" PRIu64
                      ", expected %" PRIu64,
                      n, hd_type_name(type), bins.count, bins.low, bins.high,
                      hd_type_name(count_type), i, got, r->expected[i]);
    }
    if (bins.count * hd_type_bytes(count_type) < r->counts.bytes)
        CHECK_EQ_U64(r->counts.host[bins.count * hd_type_bytes(count_type)], ARRAY_POISON);
    if (!outside)
        CHECK_EQ_U64(r->outside.host[0], ARRAY_POISON);
}

/* ---- sizes and shapes ------------------------------------------------------------------------ */

static const hd_type types[] = {HD_U8, HD_U32, HD_F32};

/* Bins that the values of test_fill(VALUES_RANDOM) fall into, around and beside. */
static hd_bins usual_bins(hd_type type, size_t count)
{
    return type == HD_U8    ? bins_of(0, 256, count < 256 ? count : 256)
           : type == HD_U32 ? bins_of(0x1p28, 0x1p32, count)
                            : bins_of(-4, 3.5, count);
}

TEST(sizes)
{
    rig r;
    setup(&r, 4 * test_sizes[test_size_count() - 1], 4);
    for (size_t t = 0; t < 3; t++) {
        test_array_fill(&r.in, types[t], VALUES_RANDOM, 11 + t, r.stream);
        for (size_t i = 0; i < test_size_count(); i += test_watched(1, 5))
            compare(&r, test_sizes[i], types[t], usual_bins(types[t], 97), i % 2 ? HD_U32 : HD_U64,
                    i % 3 != 0);
    }
    teardown(&r);
}

TEST(unaligned)
{
    for (size_t shift = 1; shift <= 17; shift += test_watched(2, 5)) {
        rig r;
        setup(&r, 200000, shift);
        test_array_fill(&r.in, HD_U8, VALUES_RANDOM, shift, r.stream);
        compare(&r, r.in.bytes, HD_U8, usual_bins(HD_U8, 256), HD_U32, 1);
        compare(&r, 3, HD_U8, usual_bins(HD_U8, 256), HD_U32, 1);
        teardown(&r);
    }
    for (size_t shift = 4; shift <= 12; shift += 4) {
        rig r;
        setup(&r, 200000, shift);
        test_array_fill(&r.in, HD_F32, VALUES_RANDOM, shift, r.stream);
        compare(&r, r.in.bytes / 4, HD_F32, usual_bins(HD_F32, 31), HD_U32, 1);
        compare(&r, 2, HD_F32, usual_bins(HD_F32, 31), HD_U32, 1);
        teardown(&r);
    }
}

/* Blocks as on a GPU, of few threads and of many, with and without atomics at the end. */
TEST(launch_shapes)
{
    static const unsigned threads[] = {64, 128, 192, 512, 1024};
    rig r;
    setup(&r, test_watched(300000, 90000), 4);
    for (size_t t = 0; t < 3; t++) {
        test_array_fill(&r.in, types[t], VALUES_RANDOM, 5, r.stream);
        for (size_t i = 0; i < 5; i += test_watched(1, 2)) {
            const size_t n = r.in.bytes / hd_type_bytes(types[t]) - i;
            hd__histogram_force_threads = threads[i];
            compare(&r, n, types[t], usual_bins(types[t], 256), HD_U64, 1);
            compare(&r, 1000 + i, types[t], usual_bins(types[t], 10), HD_U32, 0);
        }
    }
    hd__histogram_force_threads = 0;
    teardown(&r);
}

TEST(numbers_of_bins)
{
    static const size_t counts[] = {1,    2,    3,    255,   256,   257,   1000,
                                    2048, 4096, 9973, 16381, 16382, 32768, 65536};
    rig r;
    setup(&r, test_watched(1 << 20, 1 << 17), 0);
    for (unsigned threads = 0; threads <= 256; threads += 256) {
        hd__histogram_force_threads = threads;
        test_array_fill(&r.in, HD_U32, VALUES_RANDOM, 3, r.stream);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i += test_watched(1, 5)) {
            const size_t n = r.in.bytes / 4;
            compare(&r, n, HD_U32, bins_of(0, 0x1p32, counts[i]), HD_U32, 1);
            compare(&r, n, HD_U32, bins_of(12345, 4e9, counts[i]), HD_U64, 1);
        }
        compare(&r, r.in.bytes / 4, HD_U32, bins_of(0, 0x1p32, 65536), HD_U32, 1);
        test_array_fill(&r.in, HD_F32, VALUES_RANDOM, 3, r.stream);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i += test_watched(2, 7))
            compare(&r, r.in.bytes / 4, HD_F32, bins_of(-100, 100, counts[i]), HD_U32, 1);
    }
    hd__histogram_force_threads = 0;
    teardown(&r);
}

/* ---- values and ranges ----------------------------------------------------------------------- */

TEST(values_of_every_kind)
{
    rig r;
    setup(&r, test_watched(400000, 40000), 0);
    for (unsigned threads = 0; threads <= 512; threads += 512)
        for (size_t t = 0; t < 3; t++)
            for (int values = 0; values < VALUES_COUNT; values++) {
                hd__histogram_force_threads = threads;
                test_array_fill(&r.in, types[t], (test_values)values, 77, r.stream);
                compare(&r, r.in.bytes / hd_type_bytes(types[t]), types[t],
                        types[t] == HD_F32 ? bins_of(-1, 1.3, 100) : bins_of(3, 203, 50), HD_U32,
                        1);
            }
    hd__histogram_force_threads = 0;
    teardown(&r);
}

/* Every value of u8 in every range that ends or begins somewhere else. */
TEST(ranges_of_u8)
{
    rig r;
    setup(&r, 1024, 0);
    test_array_fill(&r.in, HD_U8, VALUES_SORTED, 0, r.stream);
    for (unsigned low = 0; low < 256; low += (unsigned)test_watched(15, 85))
        for (unsigned high = low + 1; high <= 256; high += (unsigned)test_watched(17, 91))
            for (size_t count = 1; count <= high - low; count = count * 3 + 1)
                compare(&r, r.in.bytes, HD_U8, bins_of(low, high, count), HD_U32, 1);
    teardown(&r);
}

/* Values beside the edges of every bin. */
TEST(edges_of_u32)
{
    static const hd_bins ranges[] = {{0, 0x1p32, 65536}, {0, 0x1p32, 65535},   {1, 0x1p32, 3},
                                     {7, 65543, 65535},  {7, 65542, 65535},    {0, 4294967295.0, 7},
                                     {5, 6, 1},          {0x1p31, 0x1p32, 48}, {0, 65537, 65536}};
    const size_t n = test_watched(200000, 20000);
    rig r;
    setup(&r, n * 4, 0);
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const uint64_t low = (uint64_t)ranges[k].low;
        const uint64_t width = (uint64_t)ranges[k].high - low;
        for (size_t i = 0; i < n; i++) { /* just before, at and after the first value of a bin */
            const uint64_t bin = i / 3 % (ranges[k].count + 1);
            const uint64_t first = (bin * width + ranges[k].count - 1) / ranges[k].count;
            const uint32_t x = (uint32_t)(low + first + i % 3 - 1);
            memcpy(r.in.host + 4 * i, &x, 4);
        }
        test_array_upload(&r.in, r.stream);
        compare(&r, n, HD_U32, ranges[k], HD_U32, 1);
    }
    teardown(&r);
}

TEST(edges_of_f32)
{
    static const hd_bins ranges[] = {{0, 1, 10},       {0, 1, 65536},    {-1, 1, 3},
                                     {0, 0x1p-120, 7}, {-1e38, 1e38, 9}, {1e6, 1e6 + 1, 16},
                                     {0.1, 0.3, 1000}};
    const size_t n = test_watched(60000, 6000);
    rig r;
    setup(&r, n * 4, 0);
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const double width = ranges[k].high - ranges[k].low;
        for (size_t i = 0; i < n; i++) {
            const double bin = (double)(i / 3 % (ranges[k].count + 1));
            float x = (float)(ranges[k].low + bin * width / (double)ranges[k].count);
            if (i % 3)
                x = nextafterf(x, i % 3 == 1 ? -INFINITY : INFINITY);
            memcpy(r.in.host + 4 * i, &x, 4);
        }
        test_array_upload(&r.in, r.stream);
        compare(&r, n, HD_F32, ranges[k], HD_U32, 1);
    }
    teardown(&r);
}

/* ---- workspaces and bad input ---------------------------------------------------------------- */

/* What was asked for is enough: nothing beyond it is touched. */
static void check_end(const hd_workspace *workspace, hd_stream *stream)
{
    unsigned char beyond[256];
    CHECK_STATUS(hd_copy_blocking_bytes(beyond, (char *)workspace->memory + workspace->bytes, 1,
                                        sizeof beyond, stream),
                 HD_OK);
    for (size_t i = 0; i < sizeof beyond; i++)
        if (!CHECK_EQ_U64(beyond[i], ARRAY_POISON))
            return;
}

TEST(workspace)
{
    const hd_bins bins = bins_of(0, 256, 256);
    hd_workspace workspace = {NULL, 0, 0};
    size_t bytes = 1;
    rig r;
    setup(&r, 100000, 0);
    test_array_fill(&r.in, HD_U8, VALUES_RANDOM, 1, r.stream);
    CHECK_STATUS(hd_histogram_workspace(r.in.bytes, HD_U8, &bins, &bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, bytes + 256, 1, HD_MEM_DEVICE, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(workspace.memory, ARRAY_POISON, 1, bytes + 256, r.stream), HD_OK);
    workspace.bytes = bytes;
    for (int again = 0; again < 2; again++) {
        CHECK_STATUS(hd_histogram(r.in.device, r.in.bytes, HD_U8, &bins, HD_U32, r.counts.device,
                                  NULL, &workspace, r.stream),
                     HD_OK);
        test_array_download(&r.counts, r.stream);
        reference(r.in.host, r.in.bytes, HD_U8, &bins, r.expected);
        for (size_t i = 0; i < 256; i++)
            CHECK_EQ_U64(count_at(&r.counts, HD_U32, i), r.expected[i]);
        check_end(&workspace, r.stream);
    }
    if (bytes) {
        workspace.bytes = bytes - 1;
        CHECK_STATUS(hd_histogram(r.in.device, r.in.bytes, HD_U8, &bins, HD_U32, r.counts.device,
                                  NULL, &workspace, r.stream),
                     HD_ERR_WORKSPACE);
    }
    CHECK_STATUS(hd_free(workspace.memory), HD_OK);
    teardown(&r);
}

static void refused(rig *r, size_t n, hd_type type, hd_bins bins, hd_type count_type,
                    hd_status expected)
{
    if (!CHECK_STATUS(hd_histogram(r->in.device, n, type, &bins, count_type, r->counts.device, NULL,
                                   NULL, r->stream),
                      expected))
        test_note("%zu %s, %zu bins over %g to %g", n, hd_type_name(type), bins.count, bins.low,
                  bins.high);
}

TEST(bad_bins)
{
    rig r;
    setup(&r, 4096, 0);
    refused(&r, 16, HD_U8, bins_of(0, 256, 0), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(0, 0x1p32, 65537), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(10, 10, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(10, 9, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(1, -1, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(NAN, 1, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(0, NAN, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(0, INFINITY, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(-INFINITY, 0, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(-3e38, 3e38, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(1, 1 + 1e-9, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(0, 1e-44, 65536), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U8, bins_of(0, 257, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U8, bins_of(0, 16, 17), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(-1, 16, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(0.5, 16, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(0, 16.5, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F64, bins_of(0, 1, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U8, bins_of(0, 256, 4), HD_I32, HD_ERR_ARGUMENT);
    refused(&r, 5000, HD_U8, bins_of(0, 256, 4), HD_U32, HD_ERR_POINTER);
    refused(&r, (size_t)1 << 32, HD_U8, bins_of(0, 256, 4), HD_U32, HD_ERR_OVERFLOW);
    refused(&r, SIZE_MAX / 2, HD_U32, bins_of(0, 256, 4), HD_U64, HD_ERR_OVERFLOW);
    teardown(&r);
}

/* Arrays that touch, in either order; then each a counter into the next. */
TEST(arrays_without_a_gap)
{
    enum { N = 64, BINS = 8, COUNTS = 4 * BINS, OUTSIDE = 4 * 3 };
    static const size_t order[2][3] = {{0, N, N + COUNTS}, {OUTSIDE + COUNTS, OUTSIDE, 0}};
    const hd_bins bins = bins_of(0, 256, BINS);
    rig r;
    setup(&r, 256, 0);
    test_array_fill(&r.in, HD_U8, VALUES_RANDOM, 4, r.stream);
    for (int i = 0; i < 2; i++) {
        unsigned char *d = r.in.device, *in = d + order[i][0];
        unsigned char *counts = d + order[i][1], *outside = d + order[i][2];
        const ptrdiff_t back = i ? 4 : -4;
        uint64_t sum = 0;
        test_array_upload(&r.in, r.stream);
        CHECK_STATUS(hd_histogram(in, N, HD_U8, &bins, HD_U32, counts, outside, NULL, r.stream),
                     HD_OK);
        reference(r.in.host + order[i][0], N, HD_U8, &bins, r.expected);
        CHECK_STATUS(hd_copy_blocking_bytes(r.counts.host, counts, 1, COUNTS, r.stream), HD_OK);
        for (size_t k = 0; k < BINS; k++) {
            CHECK_EQ_U64(count_at(&r.counts, HD_U32, k), r.expected[k]);
            sum += r.expected[k];
        }
        CHECK_EQ_U64(sum, N);
        CHECK_STATUS(
            hd_histogram(in, N, HD_U8, &bins, HD_U32, counts + back, d + 200, NULL, r.stream),
            HD_ERR_ARGUMENT);
        CHECK_STATUS(
            hd_histogram(in, N, HD_U8, &bins, HD_U32, counts, outside + back, NULL, r.stream),
            HD_ERR_ARGUMENT);
        CHECK_STATUS(hd_histogram(in, N, HD_U8, &bins, HD_U32, d + 200, in + 4, NULL, r.stream),
                     HD_ERR_ARGUMENT);
    }
    teardown(&r);
}

TEST(bad_arrays)
{
    const hd_bins bins = bins_of(0, 256, 256);
    size_t bytes;
    int here[256];
    rig r;
    setup(&r, 4096, 0);
    unsigned char *in = r.in.device, *counts = r.counts.device;
    CHECK_STATUS(hd_histogram(in, 9, HD_U8, &bins, HD_U32, counts, NULL, NULL, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(NULL, 9, HD_U8, &bins, HD_U32, counts, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in, 9, HD_U8, NULL, HD_U32, counts, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in, 9, HD_U8, &bins, HD_U32, NULL, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in + 1, 9, HD_U32, &bins, HD_U32, counts, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in, 9, HD_U8, &bins, HD_U32, counts + 2, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in, 2048, HD_U8, &bins, HD_U32, in + 1024, NULL, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in, 9, HD_U8, &bins, HD_U32, counts, counts + 1020, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(in, 9, HD_U8, &bins, HD_U32, here, NULL, NULL, r.stream),
                 HD_ERR_POINTER);
    CHECK_STATUS(hd_histogram_workspace(9, HD_U8, &bins, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram_workspace(9, HD_U8, NULL, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram(NULL, 0, HD_U8, &bins, HD_U32, counts, NULL, NULL, r.stream), HD_OK);
    test_array_download(&r.counts, r.stream);
    for (size_t i = 0; i < 256; i++)
        CHECK_EQ_U64(count_at(&r.counts, HD_U32, i), 0);
    teardown(&r);
}

TEST_MAIN
