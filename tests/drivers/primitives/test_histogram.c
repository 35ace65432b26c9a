/* SPDX-License-Identifier: Apache-2.0 */
/* test_histogram.c - hd_histogram against plain C, count by count: types, ranges, numbers of bins,
   sizes around every edge, launch shapes, values of every kind, bad input. */
#include "arrays.h"

#include <heddle/histogram.h>

#include "drivers/histogram/plan.h"

/* ---- reference ------------------------------------------------------------------------------- */

__extension__ typedef __int128 whole;

/* The bins of either call: [low, high), or [low, last] in the elements' own type. */
typedef struct test_bins {
    int is_closed;
    hd_bins open;
    hd_closed_bins closed;
} test_bins;

static size_t bin_count(const test_bins *bins)
{
    return bins->is_closed ? bins->closed.count : bins->open.count;
}

static int is_real(hd_type type)
{
    return type == HD_F32 || type == HD_F64;
}

static whole integer_at(hd_type type, const void *at)
{
    hd_scalar x;

    memcpy(&x, at, hd_type_bytes(type));
    return type == HD_U8    ? (whole)x.u8
           : type == HD_U32 ? (whole)x.u32
           : type == HD_I32 ? (whole)x.i32
           : type == HD_U64 ? (whole)x.u64
                            : (whole)x.i64;
}

/* The bin of x, or bins + 0, 1, 2 for below, above, NaN. Integers by division, floats step by step
   as the header says. */
static size_t ref_integer(hd_type type, whole x, const test_bins *bins)
{
    const whole low = bins->is_closed ? integer_at(type, &bins->closed.low) : (whole)bins->open.low;
    const whole end = bins->is_closed ? integer_at(type, &bins->closed.last) + 1
                                      : (whole)bins->open.high;
    const size_t count = bin_count(bins);

    if (x < low || x >= end)
        return count + (x >= end);
    return (size_t)((x - low) * (whole)count / (end - low));
}

static size_t ref_f64(double x, double low, double high, size_t count)
{
    const double unit = high / 2 - low / 2 >= 0x1p999 ? 0x1p-64 : 1;
    volatile double at = x * unit, from = low * unit, width = high * unit;

    at = at - from;
    at = at * (double)count;
    width = width - from;
    at = low < high ? at / width : 0;
    return at < (double)count ? (size_t)at : count - 1;
}

static size_t ref_f32(float x, double low, double high, size_t count)
{
    const double width = high - low;
    const float scale = (float)((double)count / width);
    volatile float at;

    if (low < high && (high == 0x1p128 || isinf((float)high - (float)low) || !isnormal(scale)))
        return ref_f64((double)x, low, high, count);
    at = x - (float)low;
    at = low < high ? at * scale : 0;
    return (size_t)at < count ? (size_t)at : count - 1;
}

static size_t ref_real(hd_type type, double x, const test_bins *bins)
{
    const hd_scalar *const first = &bins->closed.low, *const last = &bins->closed.last;
    const size_t count = bin_count(bins);
    double low = bins->open.low, high = bins->open.high;

    if (bins->is_closed && type == HD_F32) {
        low = (double)first->f32;
        high = (double)last->f32;
    } else if (bins->is_closed) {
        low = first->f64;
        high = last->f64;
    } else if (type == HD_F32) {
        low = (double)(float)low;
        high = high == 0x1p128 ? high : (double)(float)high;
    }
    if (isnan(x))
        return count + 2;
    if (x < low)
        return count;
    if (bins->is_closed ? x > high : x >= high)
        return count + 1;
    return type == HD_F32 ? ref_f32((float)x, low, high, count) : ref_f64(x, low, high, count);
}

static size_t ref_place(hd_type type, const unsigned char *at, const test_bins *bins)
{
    float f32;
    double f64;

    memcpy(&f32, at, hd_type_bytes(type) < 4 ? 1 : 4);
    memcpy(&f64, at, hd_type_bytes(type) < 8 ? 1 : 8);
    return is_real(type) ? ref_real(type, type == HD_F32 ? (double)f32 : f64, bins)
                         : ref_integer(type, integer_at(type, at), bins);
}

static void reference(const unsigned char *in, size_t n, hd_type type, const test_bins *bins,
                      uint64_t *counts)
{
    memset(counts, 0, (bin_count(bins) + 3) * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[ref_place(type, in + i * hd_type_bytes(type), bins)]++;
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

static test_bins open_bins(double low, double high, size_t count)
{
    test_bins bins;
    memset(&bins, 0, sizeof bins);
    bins.open = bins_of(low, high, count);
    return bins;
}

/* Bounds of a 64-bit type; the low bytes are those of a narrower one. */
static test_bins closed_integers(uint64_t low, uint64_t last, size_t count)
{
    test_bins bins;
    memset(&bins, 0, sizeof bins);
    bins.is_closed = 1;
    bins.closed.low.u64 = low;
    bins.closed.last.u64 = last;
    bins.closed.count = count;
    return bins;
}

static test_bins closed_reals(hd_type type, double low, double last, size_t count)
{
    test_bins bins = closed_integers(0, 0, count);
    if (type == HD_F32) {
        bins.closed.low.f32 = (float)low;
        bins.closed.last.f32 = (float)last;
    } else {
        bins.closed.low.f64 = low;
        bins.closed.last.f64 = last;
    }
    return bins;
}

static hd_status call_histogram(const rig *r, const void *in, size_t n, hd_type type,
                                const test_bins *bins, hd_type count_type, void *outside)
{
    return bins->is_closed ? hd_histogram_closed(in, n, type, &bins->closed, count_type,
                                                 r->counts.device, outside, NULL, r->stream)
                           : hd_histogram(in, n, type, &bins->open, count_type, r->counts.device,
                                          outside, NULL, r->stream);
}

/* The first n elements of r->in; with `outside` or without. */
static void compare(rig *r, size_t n, hd_type type, test_bins bins, hd_type count_type, int outside)
{
    const size_t count = bin_count(&bins), count_size = hd_type_bytes(count_type);
    size_t wrong = 0;
    test_array_poison(&r->counts, r->stream);
    test_array_poison(&r->outside, r->stream);
    if (!CHECK_STATUS(call_histogram(r, r->in.device, n, type, &bins, count_type,
                                     outside ? r->outside.device : NULL),
                      HD_OK))
        return;
    reference(r->in.host, n, type, &bins, r->expected);
    test_array_download(&r->counts, r->stream);
    test_array_download(&r->outside, r->stream);
    for (size_t i = 0; i < count + (outside ? 3 : 0); i++) {
        const uint64_t got = i < count ? count_at(&r->counts, count_type, i)
                                       : count_at(&r->outside, count_type, i - count);
        if (got != r->expected[i] && wrong++ == 0)
            test_fail(__FILE__, __LINE__,
                      "%zu %s, %zu bins over %g to %g (%d), %s: bin %zu has %" PRIu64
                      ", expected %" PRIu64,
                      n, hd_type_name(type), count, bins.open.low, bins.open.high, bins.is_closed,
                      hd_type_name(count_type), i, got, r->expected[i]);
    }
    if (count * count_size < r->counts.bytes)
        CHECK_EQ_U64(r->counts.host[count * count_size], ARRAY_POISON);
    if (!outside)
        CHECK_EQ_U64(r->outside.host[0], ARRAY_POISON);
}

/* ---- sizes and shapes ------------------------------------------------------------------------ */

static const hd_type types[] = {HD_U8, HD_U32, HD_I32, HD_U64, HD_I64, HD_F32, HD_F64};
enum { TYPES = sizeof types / sizeof *types };

/* Bins that the values of test_fill(VALUES_RANDOM) fall into, around and beside. */
static test_bins usual_bins(hd_type type, size_t count)
{
    switch (type) {
    case HD_U8:
        return open_bins(0, 256, count < 256 ? count : 256);
    case HD_U32:
        return open_bins(0x1p28, 0x1p32, count);
    case HD_I32:
        return open_bins(-0x1p31 + 77, 0x1p30, count);
    case HD_U64:
        return closed_integers(12345, UINT64_MAX - 54321, count);
    case HD_I64:
        return open_bins(-0x1p62, 0x1p63, count);
    default:
        return open_bins(-4, 3.5, count);
    }
}

TEST(sizes)
{
    rig r;
    setup(&r, 8 * test_sizes[test_size_count() - 1], 8);
    for (size_t t = 0; t < TYPES; t++) {
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
    for (size_t shift = 4; shift <= 12; shift += 4)
        for (size_t t = 1; t < TYPES; t++) {
            const size_t size = hd_type_bytes(types[t]);
            rig r;
            if (shift % size)
                continue;
            setup(&r, 200000, shift);
            test_array_fill(&r.in, types[t], VALUES_RANDOM, shift, r.stream);
            compare(&r, r.in.bytes / size, types[t], usual_bins(types[t], 31), HD_U32, 1);
            compare(&r, 2, types[t], usual_bins(types[t], 31), HD_U32, 1);
            teardown(&r);
        }
}

/* Blocks as on a GPU, of few threads and of many, with and without atomics at the end. */
TEST(launch_shapes)
{
    static const unsigned threads[] = {64, 128, 192, 512, 1024};
    rig r;
    setup(&r, test_watched(300000, 90000), 8);
    for (size_t t = 0; t < TYPES; t++) {
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
            compare(&r, n, HD_U32, open_bins(0, 0x1p32, counts[i]), HD_U32, 1);
            compare(&r, n, HD_U32, open_bins(12345, 4e9, counts[i]), HD_U64, 1);
            compare(&r, n, HD_I32, open_bins(-0x1p31, 0x1p31, counts[i]), HD_U32, 1);
            compare(&r, n / 2, HD_U64, closed_integers(0, UINT64_MAX, counts[i]), HD_U32, 1);
            compare(&r, n / 2, HD_I64, closed_integers((uint64_t)INT64_MIN, 1, counts[i]), HD_U64,
                    1);
        }
        compare(&r, r.in.bytes / 4, HD_U32, open_bins(0, 0x1p32, 65536), HD_U32, 1);
        test_array_fill(&r.in, HD_F32, VALUES_RANDOM, 3, r.stream);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i += test_watched(2, 7))
            compare(&r, r.in.bytes / 4, HD_F32, open_bins(-100, 100, counts[i]), HD_U32, 1);
        test_array_fill(&r.in, HD_F64, VALUES_RANDOM, 3, r.stream);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i += test_watched(2, 7))
            compare(&r, r.in.bytes / 8, HD_F64, open_bins(-100, 99, counts[i]), HD_U32, 1);
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
        for (size_t t = 0; t < TYPES; t++)
            for (int values = 0; values < VALUES_COUNT; values++) {
                hd__histogram_force_threads = threads;
                test_array_fill(&r.in, types[t], (test_values)values, 77, r.stream);
                compare(&r, r.in.bytes / hd_type_bytes(types[t]), types[t],
                        is_real(types[t]) ? open_bins(-1, 1.3, 100) : open_bins(3, 203, 50), HD_U32,
                        1);
                if (types[t] == HD_I32 || types[t] == HD_I64)
                    compare(&r, r.in.bytes / hd_type_bytes(types[t]), types[t], open_bins(-3, 4, 7),
                            HD_U64, 1);
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
                compare(&r, r.in.bytes, HD_U8, open_bins(low, high, count), HD_U32, 1);
    teardown(&r);
}

/* Values beside the edges of every bin: just before, at and after the first value of each. */
static void compare_edges(rig *r, hd_type type, size_t n, test_bins bins)
{
    const whole low = bins.is_closed ? integer_at(type, &bins.closed.low) : (whole)bins.open.low;
    const whole end = bins.is_closed ? integer_at(type, &bins.closed.last) + 1
                                     : (whole)bins.open.high;
    const whole count = (whole)bin_count(&bins);

    for (size_t i = 0; i < n; i++) {
        const whole bin = (whole)(i / 3) % (count + 1);
        const whole first = (bin * (end - low) + count - 1) / count;
        const uint64_t x = (uint64_t)(low + first + (whole)(i % 3) - 1);
        memcpy(r->in.host + hd_type_bytes(type) * i, &x, hd_type_bytes(type));
    }
    test_array_upload(&r->in, r->stream);
    compare(r, n, type, bins, HD_U32, 1);
}

TEST(edges_of_integers)
{
    static const hd_bins ranges[] = {{0, 0x1p32, 65536}, {0, 0x1p32, 65535},   {1, 0x1p32, 3},
                                     {7, 65543, 65535},  {7, 65542, 65535},    {0, 4294967295.0, 7},
                                     {5, 6, 1},          {0x1p31, 0x1p32, 48}, {0, 65537, 65536},
                                     {0, 0x1p32, 1}};
    const size_t n = test_watched(200000, 20000);
    rig r;
    setup(&r, n * 8, 0);
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const hd_bins *b = &ranges[k];
        compare_edges(&r, HD_U32, n, open_bins(b->low, b->high, b->count));
        compare_edges(&r, HD_I32, n, open_bins(b->low - 0x1p31, b->high - 0x1p31, b->count));
        compare_edges(&r, HD_U64, n, open_bins(b->low * 0x1p32, b->high * 0x1p32, b->count));
        compare_edges(&r, HD_I64, n, open_bins(b->low - 0x1p31, b->high - 0x1p31, b->count));
    }
    teardown(&r);
}

/* Bounds that a double does not hold, and those of the types. */
TEST(edges_of_64_bits)
{
    static const uint64_t ranges[][3] = {{0, UINT64_MAX, 65535},
                                         {0, UINT64_MAX, 65536},
                                         {0, UINT64_MAX, 1},
                                         {1, UINT64_MAX, 3},
                                         {9007199254740993u, 9007199254740995u, 3},
                                         {9007199254740993u, 9007199254806530u, 65537 - 1},
                                         {123456789012345677u, 987654321098765433u, 997},
                                         {UINT64_MAX - 9, UINT64_MAX, 10},
                                         {UINT64_MAX, UINT64_MAX, 1}};
    const size_t n = test_watched(200000, 20000);
    rig r;
    setup(&r, n * 8, 0);
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const uint64_t *b = ranges[k], turn = (uint64_t)1 << 63;
        compare_edges(&r, HD_U64, n, closed_integers(b[0], b[1], (size_t)b[2]));
        compare_edges(&r, HD_I64, n, closed_integers(b[0] ^ turn, b[1] ^ turn, (size_t)b[2]));
    }
    compare_edges(&r, HD_U32, n, closed_integers(7, UINT32_MAX, 1000));
    compare_edges(&r, HD_I32, n, closed_integers((uint64_t)INT64_MIN | 0x80000000u, 5, 999));
    compare_edges(&r, HD_U8, n, closed_integers(0, 255, 255));
    teardown(&r);
}

/* Values at the edges of bins as doubles give them, and their neighbours. */
static void compare_real_edges(rig *r, hd_type type, size_t n, test_bins bins, double low,
                               double high)
{
    const double count = (double)bin_count(&bins);

    for (size_t i = 0; i < n; i++) {
        const double part = (double)(i / 3 % ((size_t)count + 1)) / count;
        const double edge = low + part * (high / 2 - low / 2) * 2;
        double f64 = i % 3 ? nextafter(edge, (double)(i % 3 == 1 ? -INFINITY : INFINITY)) : edge;
        float f32 = (float)edge;
        if (i % 3)
            f32 = nextafterf(f32, i % 3 == 1 ? -INFINITY : INFINITY);
        memcpy(r->in.host + hd_type_bytes(type) * i,
               type == HD_F32 ? (const void *)&f32 : (const void *)&f64, hd_type_bytes(type));
    }
    test_array_upload(&r->in, r->stream);
    compare(r, n, type, bins, HD_U32, 1);
}

TEST(edges_of_floats)
{
    static const hd_bins ranges[] = {{0, 1, 10},       {0, 1, 65536},     {-1, 1, 3},
                                     {0, 0x1p-120, 7}, {-1e38, 1e38, 9},  {1e6, 1e6 + 1, 16},
                                     {0.1, 0.3, 1000}, {0, 1e-44, 65536}, {-3e38, 3e38, 400},
                                     {0, 0x1p128, 3},  {-1e38, 3.4e38, 1}};
    const size_t n = test_watched(60000, 6000);
    rig r;
    setup(&r, n * 8, 0);
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const double low = ranges[k].low, high = ranges[k].high;
        for (size_t t = 0; t < TYPES; t++) {
            if (!is_real(types[t]))
                continue;
            compare_real_edges(&r, types[t], n, open_bins(low, high, ranges[k].count), low, high);
            if (high < 0x1p128)
                compare_real_edges(&r, types[t], n,
                                   closed_reals(types[t], low, high, ranges[k].count), low, high);
        }
    }
    compare_real_edges(&r, HD_F64, n, open_bins(-1.5e308, 1e300, 77), -1.5e308, 1e300);
    compare_real_edges(&r, HD_F64, n, open_bins(0, 0x1p-1070, 5), 0, 0x1p-1070);
    compare_real_edges(&r, HD_F64, n, open_bins(0x1p999, 0x1p1001, 65536), 0x1p999, 0x1p1001);
    teardown(&r);
}

/* `n` values of the type in r->in, and where they are counted: a bin of `count`, or count + 0, 1, 2
   below, above, NaN. */
static void compare_known(rig *r, hd_type type, const double *values, const size_t *places,
                          size_t n, test_bins bins)
{
    uint64_t expected[64] = {0};
    const size_t count = bin_count(&bins);

    for (size_t i = 0; i < n; i++) {
        const float f32 = (float)values[i];
        memcpy(r->in.host + i * hd_type_bytes(type),
               type == HD_F32 ? (const void *)&f32 : (const void *)&values[i], hd_type_bytes(type));
        expected[places[i]]++;
    }
    test_array_upload(&r->in, r->stream);
    compare(r, n, type, bins, HD_U64, 1);
    for (size_t i = 0; i < count + 3; i++)
        CHECK_EQ_U64(i < count ? count_at(&r->counts, HD_U64, i)
                               : count_at(&r->outside, HD_U64, i - count),
                     expected[i]);
}

/* Worked out by hand: edges go up, the largest values have a bin, what is not finite has none. */
TEST(known_places)
{
    const double f32_max = 0x1.fffffep127, f64_max = 0x1.fffffffffffffp1023;
    const double unit[] = {-0.0, 0.1, 0.2, 0.3, 0.7, 0.9, 1.0, -INFINITY, INFINITY, (double)NAN};
    const size_t unit_places[] = {0, 1, 2, 3, 7, 9, 11, 10, 11, 12};
    const double narrow[] = {-f32_max, -1e30, 0, 1, f32_max, INFINITY, -INFINITY};
    const size_t halves[] = {0, 0, 1, 1, 1, 3, 2}, upper[] = {2, 2, 0, 0, 1, 3, 2};
    const double wide[] = {-f64_max, -1e300, 0, 1, f64_max, INFINITY, -INFINITY};
    const double times[] = {1700000000, 1700000099, 1700000100, 1700000101, 1700001000};
    const size_t tens[] = {0, 0, 1, 1, 11};
    rig r;
    setup(&r, 256, 0);
    compare_known(&r, HD_F64, unit, unit_places, 10, open_bins(0, 1, 10));
    compare_known(&r, HD_F32, narrow, halves, 7, closed_reals(HD_F32, -f32_max, f32_max, 2));
    compare_known(&r, HD_F32, narrow, upper, 7, closed_reals(HD_F32, 0, f32_max, 2));
    compare_known(&r, HD_F32, narrow, upper, 7, open_bins(0, 0x1p128, 2));
    compare_known(&r, HD_F64, wide, halves, 7, closed_reals(HD_F64, -f64_max, f64_max, 2));
    compare_known(&r, HD_F64, wide, upper, 7, closed_reals(HD_F64, 0, f64_max, 2));
    compare_known(&r, HD_F64, times, tens, 5, open_bins(1700000000, 1700001000, 10));
    compare_known(&r, HD_F32, &unit[6], &unit_places[0], 1, closed_reals(HD_F32, 1, 1, 4));
    compare_known(&r, HD_F64, &wide[4], &unit_places[0], 1,
                  closed_reals(HD_F64, f64_max, f64_max, 3));
    teardown(&r);
}

/* Whole numbers in f64 are where the same integers are, for every number of bins. */
TEST(whole_numbers_in_f64)
{
    enum { VALUES = 98 };
    rig r;
    setup(&r, VALUES * 8, 0);
    for (size_t i = 0; i < VALUES; i++) {
        const double x = 1e9 + (double)i;
        memcpy(r.in.host + 8 * i, &x, sizeof x);
    }
    test_array_upload(&r.in, r.stream);
    for (size_t count = 1; count <= 2 * VALUES; count += test_watched(1, 13)) {
        compare(&r, VALUES, HD_F64, open_bins(1e9, 1e9 + VALUES, count), HD_U32, 1);
        for (size_t bin = 0, i = 0; bin < count; bin++) {
            uint64_t expected = 0;
            for (; i < VALUES && i * count / VALUES == bin; i++)
                expected++;
            if (!CHECK_EQ_U64(count_at(&r.counts, HD_U32, bin), expected))
                NOTE("bin %zu of %zu", bin, count);
        }
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
    const test_bins all = open_bins(0, 256, 256);
    const hd_closed_bins closed = closed_integers(0, 255, 256).closed;
    hd_workspace workspace = {NULL, 0, 0};
    size_t closed_bytes = 2;
    size_t bytes = 1;
    rig r;
    setup(&r, 100000, 0);
    test_array_fill(&r.in, HD_U8, VALUES_RANDOM, 1, r.stream);
    CHECK_STATUS(hd_histogram_workspace(r.in.bytes, HD_U8, &bins, &bytes), HD_OK);
    CHECK_STATUS(hd_histogram_closed_workspace(r.in.bytes, HD_U8, &closed, &closed_bytes), HD_OK);
    CHECK_EQ_U64(closed_bytes, bytes);
    REQUIRE(hd_alloc_bytes(&workspace.memory, bytes + 256, 1, HD_MEM_DEVICE, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(workspace.memory, ARRAY_POISON, 1, bytes + 256, r.stream), HD_OK);
    workspace.bytes = bytes;
    for (int again = 0; again < 2; again++) {
        CHECK_STATUS(hd_histogram(r.in.device, r.in.bytes, HD_U8, &bins, HD_U32, r.counts.device,
                                  NULL, &workspace, r.stream),
                     HD_OK);
        test_array_download(&r.counts, r.stream);
        reference(r.in.host, r.in.bytes, HD_U8, &all, r.expected);
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
    refused(&r, 16, HD_F32, bins_of(-1e39, 0, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(0, 1e39, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F32, bins_of(1, 1 + 1e-9, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F64, bins_of(0, INFINITY, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F64, bins_of(NAN, 0, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F64, bins_of(1, 1, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U8, bins_of(0, 257, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U8, bins_of(0, 16, 17), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(-1, 16, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(0.5, 16, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U32, bins_of(0, 16.5, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_I32, bins_of(-2147483649.0, 16, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_I32, bins_of(0, 2147483649.0, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U64, bins_of(0, 0x1.0000000000001p64, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_I64, bins_of(0, 0x1p64, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_I64, bins_of(0, 2, 3), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_F16, bins_of(0, 1, 4), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_I16, bins_of(0, 1, 1), HD_U32, HD_ERR_ARGUMENT);
    refused(&r, 16, HD_U8, bins_of(0, 256, 4), HD_I32, HD_ERR_ARGUMENT);
    refused(&r, 5000, HD_U8, bins_of(0, 256, 4), HD_U32, HD_ERR_POINTER);
    refused(&r, (size_t)1 << 32, HD_U8, bins_of(0, 256, 4), HD_U32, HD_ERR_OVERFLOW);
    refused(&r, SIZE_MAX / 2, HD_U32, bins_of(0, 256, 4), HD_U64, HD_ERR_OVERFLOW);
    teardown(&r);
}

static void refused_closed(rig *r, hd_type type, test_bins bins)
{
    if (!CHECK_STATUS(call_histogram(r, r->in.device, 16, type, &bins, HD_U32, NULL),
                      HD_ERR_ARGUMENT))
        test_note("%s, %zu bins", hd_type_name(type), bins.closed.count);
}

TEST(bad_closed_bins)
{
    const hd_closed_bins four = closed_integers(0, 3, 4).closed;
    rig r;
    setup(&r, 4096, 0);
    refused_closed(&r, HD_U64, closed_integers(5, 4, 1));
    refused_closed(&r, HD_I64, closed_integers(0, UINT64_MAX, 1));
    refused_closed(&r, HD_U64, closed_integers(0, 3, 5));
    refused_closed(&r, HD_U64, closed_integers(0, 3, 0));
    refused_closed(&r, HD_F32, closed_reals(HD_F32, 1, 0, 1));
    refused_closed(&r, HD_F32, closed_reals(HD_F32, 0, INFINITY, 1));
    refused_closed(&r, HD_F64, closed_reals(HD_F64, (double)NAN, 0, 1));
    refused_closed(&r, HD_F64, closed_reals(HD_F64, -INFINITY, 0, 1));
    refused_closed(&r, HD_F16, closed_integers(0, 1, 1));
    CHECK_STATUS(hd_histogram_closed(r.in.device, 16, HD_U64, NULL, HD_U32, r.counts.device, NULL,
                                     NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_histogram_closed_workspace(16, HD_U64, &four, NULL), HD_ERR_ARGUMENT);
    teardown(&r);
}

/* Arrays that touch, in either order; then each a counter into the next. */
TEST(arrays_without_a_gap)
{
    enum { N = 64, BINS = 8, COUNTS = 4 * BINS, OUTSIDE = 4 * 3 };
    static const size_t order[2][3] = {{0, N, N + COUNTS}, {OUTSIDE + COUNTS, OUTSIDE, 0}};
    const hd_bins bins = bins_of(0, 256, BINS);
    const test_bins all = open_bins(0, 256, BINS);
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
        reference(r.in.host + order[i][0], N, HD_U8, &all, r.expected);
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
