/* SPDX-License-Identifier: Apache-2.0 */
/* labels: worker
   test_scan.c - hd_scan against sequential programs in exact arithmetic, and for sums of floats as
   bits against scan_reference.h: every type, operation and kind, sizes around every edge, launch
   shapes, special values, segments, types of the user's own, bad input. */
#include "arrays.h"

#include <heddle/scan.h>

#include "kern_scan.h"
#include "scan_reference.h"
#include "drivers/scan/plan.h"

static const hd_type types[] = {HD_I32, HD_U32, HD_I64, HD_U64, HD_F32, HD_F64};
static const hd_reduce_op ops[] = {HD_SUM, HD_MIN, HD_MAX};
enum { TYPES = 6, OPS = 3 };

/* ---- what is expected ------------------------------------------------------------------------ */

/* The operation that the joins below do. */
static hd_type join_type;
static hd_reduce_op join_op;

static double lower(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static double join_real(double a, double b)
{
    return join_op == HD_MIN ? lower(a, b) : -lower(-a, -b);
}

static uint64_t join_integer(uint64_t a, uint64_t b)
{
    const int is_signed = join_type == HD_I32 || join_type == HD_I64;
    const int below = is_signed ? (int64_t)a < (int64_t)b : a < b;
    return join_op == HD_SUM ? a + b : (join_op == HD_MIN) == below ? a : b;
}

static void join_values(ref_value *to, const ref_value *a, const ref_value *b)
{
    if (join_type == HD_F32) {
        float x, y;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        x = join_op == HD_SUM ? x + y : (float)join_real((double)x, (double)y);
        memcpy(to, &x, 4);
    } else if (join_type == HD_F64) {
        double x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        x = join_op == HD_SUM ? x + y : join_real(x, y);
        memcpy(to, &x, 8);
    } else if (hd_type_bytes(join_type) == 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        x = join_integer(x, y);
        memcpy(to, &x, 8);
    } else {
        uint32_t x, y, r;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        r = join_type == HD_I32 ? (uint32_t)join_integer((uint64_t)(int64_t)(int32_t)x,
                                                         (uint64_t)(int64_t)(int32_t)y)
                                : (uint32_t)join_integer(x, y);
        memcpy(to, &r, 4);
    }
}

/* Segments: bytes 0 to 7 the value, byte 8 whether a head is among the elements. */
static void join_segments(ref_value *to, const ref_value *a, const ref_value *b)
{
    ref_value r = *b;
    if (!b->bytes[8])
        join_values(&r, a, b);
    r.bytes[8] = a->bytes[8] | b->bytes[8];
    *to = r;
}

/* NaN as heddle stores it. */
static void finish(unsigned char *at)
{
    const uint32_t nan32 = 0x7fc00000u;
    const uint64_t nan64 = 0x7ff8000000000000u;
    float f;
    double d;
    memcpy(&f, at, 4);
    if (join_type == HD_F32 && isnan(f))
        memcpy(at, &nan32, 4);
    if (join_type != HD_F64)
        return;
    memcpy(&d, at, 8);
    if (isnan(d))
        memcpy(at, &nan64, 8);
}

static int is_real(hd_type type)
{
    return type == HD_F32 || type == HD_F64;
}

/* One result after another. */
static void sequential(ref_value *values, size_t n, int inclusive, const ref_value *first,
                       ref_value *results, ref_join join)
{
    ref_value all = *first;
    for (size_t i = 0; i < n; i++) {
        const ref_value before = all;
        join(&all, &all, &values[i]);
        results[i] = inclusive ? all : before;
    }
}

/* As docs/scan.md has it: 8 rows where the values of a place have 16 bytes, 4 up to 32. */
static size_t rows_of(size_t size, size_t value)
{
    return hd_scan_place(size) * value <= 16 ? 8 : 4;
}

/* The n results for `in` into `out`; heads NULL, or a byte for each element. */
static void expect(const unsigned char *in, const uint8_t *heads, size_t n, hd_type type,
                   hd_reduce_op op, hd_scan_kind kind, const void *initial, unsigned char *out)
{
    const size_t size = hd_type_bytes(type);
    const ref_join join = heads ? join_segments : join_values;
    ref_value *values = calloc(n, sizeof *values), *results = calloc(n, sizeof *results);
    ref_value first;
    memset(&first, 0, sizeof first);
    join_type = type;
    join_op = op;
    hd__scan_first(type, op, kind, initial, first.bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(&values[i], in + i * size, size);
        if (heads && (i == 0 || heads[i])) {
            join_values(&values[i], &first, &values[i]);
            values[i].bytes[8] = 1;
        }
    }
    if (op == HD_SUM && is_real(type))
        ref_scan(values, n, 16 / size, rows_of(size, heads ? 2 * size : size),
                 kind == HD_SCAN_INCLUSIVE, &first, results, join);
    else
        sequential(values, n, kind == HD_SCAN_INCLUSIVE, &first, results, join);
    for (size_t i = 0; i < n; i++) {
        const int fresh = heads && kind == HD_SCAN_EXCLUSIVE && (i == 0 || heads[i]);
        memcpy(out + i * size, fresh ? &first : &results[i], size);
        finish(out + i * size);
    }
    free(values);
    free(results);
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct bench {
    hd_stream *stream;
    test_array in, out, heads;
} bench;

static void setup(bench *b, size_t bytes, size_t shift)
{
    memset(b, 0, sizeof *b);
    REQUIRE(hd_stream_create(0, &b->stream) == HD_OK);
    test_array_make(&b->in, bytes, shift, b->stream);
    test_array_make(&b->out, bytes, shift, b->stream);
    test_array_make(&b->heads, bytes, 0, b->stream);
}

static void teardown(bench *b)
{
    CHECK_STATUS(hd_stream_synchronize(b->stream), HD_OK);
    test_array_free(&b->in);
    test_array_free(&b->out);
    test_array_free(&b->heads);
    hd_stream_destroy(b->stream);
}

static void compare(bench *b, const void *expected, size_t n, hd_type type, hd_reduce_op op,
                    hd_scan_kind kind, const char *how)
{
    char what[96];
    snprintf(what, sizeof what, "%s %s%s of %zu %s",
             kind == HD_SCAN_INCLUSIVE ? "inclusive" : "exclusive", hd_reduce_op_name(op), how, n,
             hd_type_name(type));
    CHECK_BITS(what, b->out.host, expected, n, hd_type_bytes(type));
}

/* in.host is what in.device holds; room for n elements. */
static void check(bench *b, size_t n, hd_type type, hd_reduce_op op, hd_scan_kind kind,
                  const void *initial, int in_place)
{
    const size_t bytes = n * hd_type_bytes(type);
    unsigned char *expected = malloc(bytes + 1);
    expect(b->in.host, NULL, n, type, op, kind, initial, expected);
    test_array_poison(&b->out, b->stream);
    if (in_place)
        CHECK_STATUS(hd_copy_bytes(b->out.device, b->in.device, 1, bytes, b->stream), HD_OK);
    CHECK_STATUS(hd_scan(in_place ? b->out.device : b->in.device, n, type, op, kind, initial,
                         b->out.device, NULL, b->stream),
                 HD_OK);
    if (test_array_download(&b->out, b->stream))
        compare(b, expected, n, type, op, kind, in_place ? " in place" : "");
    for (size_t i = bytes; i < b->out.bytes; i++)
        if (b->out.host[i] != ARRAY_POISON) {
            test_fail(__FILE__, __LINE__, "byte %zu behind %zu bytes of results is written", i,
                      bytes);
            break;
        }
    free(expected);
}

static void check_all(bench *b, size_t n, hd_type type, test_values values, int in_place)
{
    static const uint64_t initials[] = {0x4142434445464748u, 0x3ff123456789abcdu};
    test_array_fill(&b->in, type, values, n + 3, b->stream);
    for (int o = 0; o < OPS; o++)
        for (int kind = 0; kind < 2; kind++)
            check(b, n, type, ops[o], (hd_scan_kind)kind,
                  ((size_t)(o + kind) + n) % 3 ? NULL : &initials[kind], in_place);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

TEST(sizes)
{
    for (size_t i = 0; i < test_size_count(); i += test_watched(1, 5)) {
        const size_t n = test_sizes[i];
        bench b;
        setup(&b, n * 8, 0);
        for (int t = 0; t < TYPES; t++)
            if (n < 1000000 || types[t] == HD_F32 || types[t] == HD_I64)
                check_all(&b, n, types[t], VALUES_RANDOM, 0);
        teardown(&b);
    }
}

/* Tiles of 16 KB: their edges, the edges of a group of 32 and, with 33.6 MB, of a bunch. */
TEST(edges_of_tiles_and_groups)
{
    static const size_t tiles[] = {1, 2, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2049};
    const size_t tile = hd_scan_tile(8, 8);
    for (size_t i = 0; i < test_watched(11, 5); i += test_watched(1, 2)) {
        bench b;
        setup(&b, (tiles[i] * tile + 1) * 8, 0);
        for (size_t extra = 0; extra < (tiles[i] < 1000 ? 3 : 1); extra++) {
            test_array_fill(&b.in, HD_F64, VALUES_RANDOM, i, b.stream);
            check(&b, tiles[i] * tile + 1 - extra, HD_F64, HD_SUM, HD_SCAN_INCLUSIVE, NULL, 0);
        }
        teardown(&b);
    }
}

TEST(unaligned_arrays)
{
    static const size_t sizes[] = {1, 37, 4099, 20011};
    for (size_t shift = 4; shift < 16; shift += 4)
        for (size_t i = 0; i < test_watched(4, 3); i++) {
            bench b;
            setup(&b, sizes[i] * 8, shift);
            for (int t = 0; t < TYPES; t++)
                if (shift % hd_type_bytes(types[t]) == 0)
                    check_all(&b, sizes[i], types[t], VALUES_RANDOM, 0);
            teardown(&b);
        }
}

TEST(in_place)
{
    static const size_t sizes[] = {1, 100, 4096, 8191, 100003};
    for (size_t i = 0; i < test_watched(5, 3); i++) {
        bench b;
        setup(&b, sizes[i] * 8, 0);
        for (int t = 0; t < TYPES; t++)
            check_all(&b, sizes[i], types[t], VALUES_RANDOM, 1);
        teardown(&b);
    }
}

/* More than 2^31 elements: 16 GB of device memory, on demand. */
TEST(more_than_2_to_the_31)
{
    const size_t n = ((size_t)1 << 31) + 12345;
    uint32_t got[2], *x = NULL;
    hd_stream *stream;
    if (!getenv("HEDDLE_TEST_HUGE"))
        SKIP("set HEDDLE_TEST_HUGE=1 to use 8.6 GB of device memory");
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&x, n, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(x, 3, 4, n, stream), HD_OK);
    CHECK_STATUS(hd_scan(x, n, HD_U32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, x, NULL, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&got[0], x + n - 1, 1, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&got[1], x + n / 2, 1, stream), HD_OK);
    CHECK_EQ_U64(got[0], (uint32_t)(3 * n));
    CHECK_EQ_U64(got[1], (uint32_t)(3 * (n / 2 + 1)));
    hd_free(x);
    hd_stream_destroy(stream);
}

/* ---- launch shapes --------------------------------------------------------------------------- */

/* A block for each tile, and blocks that take tile after tile, where one has the memory to stage
   them; three blocks for four tiles: one may come when all are taken. */
TEST(blocks_of_256_threads)
{
    static const size_t sizes[] = {1, 31, 4095, 4096, 4097, 12289, 24577, 139265, 600011};
    static const uint32_t blocks[] = {UINT32_MAX, 1, 3};
    int64_t shared = 0;
    CHECK_STATUS(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &shared), HD_OK);
    const size_t step = shared > 68 << 10 ? 1 : 3;
    hd__scan_force_threads = 1;
    for (size_t i = 0; i < test_watched(27, 27); i += step * test_watched(1, 4)) {
        bench b;
        const size_t n = sizes[i / 3];
        hd__look_back_force_blocks = blocks[i % 3];
        setup(&b, n * 8, 0);
        for (int t = 0; t < TYPES; t++)
            if (n < 100000 || types[t] == HD_F32 || types[t] == HD_U64)
                check_all(&b, n, types[t], VALUES_RANDOM, i / 3 % 2);
        teardown(&b);
    }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

TEST(special_values)
{
    static const size_t sizes[] = {40, 5000, 13000};
    for (int force = 0; force < (HD_SERIAL_THREADS ? 2 : 1); force++) {
        hd__scan_force_threads = (unsigned)force;
        for (size_t i = 0; i < test_watched(3, 2); i++)
            for (int v = VALUES_SMALL; v < VALUES_COUNT; v++) {
                bench b;
                setup(&b, sizes[i] * 8, 0);
                for (int t = 0; t < TYPES; t++)
                    check_all(&b, sizes[i], types[t], (test_values)v, 0);
                teardown(&b);
            }
    }
    hd__scan_force_threads = 0;
}

static void check_zero(bench *b, size_t n, hd_scan_kind kind, uint32_t expected)
{
    CHECK_STATUS(
        hd_scan(b->in.device, n, HD_F32, HD_SUM, kind, NULL, b->out.device, NULL, b->stream),
        HD_OK);
    test_array_download(&b->out, b->stream);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, b->out.host + 4 * i, 4);
        if (!CHECK_EQ_U64(bits, expected))
            break;
    }
}

/* Sums of nothing but -0.0 are -0.0; what precedes the first element is +0.0. */
TEST(zeros_of_both_signs)
{
    enum { N = 9000 };
    bench b;
    setup(&b, N * 4, 0);
    for (size_t i = 0; i < N; i++)
        memcpy(b.in.host + 4 * i, "\0\0\0\x80", 4);
    test_array_upload(&b.in, b.stream);
    check_zero(&b, N, HD_SCAN_INCLUSIVE, 0x80000000u);
    check_zero(&b, N, HD_SCAN_EXCLUSIVE, 0);
    teardown(&b);
}

/* A NaN of any payload is the canonical one from there to the end. */
TEST(a_nan_stays)
{
    enum { N = 9001, AT = 4321 };
    const uint32_t odd = 0xff812345u;
    for (int o = 0; o < OPS; o++) {
        bench b;
        setup(&b, N * 4, 0);
        test_fill(b.in.host, N, HD_F32, VALUES_RANDOM, 5);
        memcpy(b.in.host + 4 * AT, &odd, 4);
        test_array_upload(&b.in, b.stream);
        CHECK_STATUS(hd_scan(b.in.device, N, HD_F32, ops[o], HD_SCAN_INCLUSIVE, NULL, b.out.device,
                             NULL, b.stream),
                     HD_OK);
        test_array_download(&b.out, b.stream);
        for (size_t i = 0; i < N; i++) {
            uint32_t bits;
            memcpy(&bits, b.out.host + 4 * i, 4);
            if (!CHECK((bits == 0x7fc00000u) == (i >= AT)))
                break;
        }
        teardown(&b);
    }
}

/* The scan of a longer array begins with the same bits. */
TEST(results_depend_on_what_precedes_them_alone)
{
    enum { N = 200003 };
    unsigned char *longer = malloc(N * 4);
    bench b;
    setup(&b, N * 4, 0);
    test_array_fill(&b.in, HD_F32, VALUES_RANDOM, 77, b.stream);
    CHECK_STATUS(hd_scan(b.in.device, N, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, b.out.device,
                         NULL, b.stream),
                 HD_OK);
    test_array_download(&b.out, b.stream);
    memcpy(longer, b.out.host, N * 4);
    for (size_t n = 1; n < N; n = n * 3 + 5) {
        CHECK_STATUS(hd_scan(b.in.device, n, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, b.out.device,
                             NULL, b.stream),
                     HD_OK);
        test_array_download(&b.out, b.stream);
        CHECK_BITS("shorter scan", b.out.host, longer, n, 4);
    }
    free(longer);
    teardown(&b);
}

/* ---- segments -------------------------------------------------------------------------------- */

/* Heads: one in `every` elements on average; of both widths. */
static void check_segments(bench *b, size_t n, hd_type type, hd_reduce_op op, hd_scan_kind kind,
                           uint64_t every, hd_type head_type, const void *initial)
{
    const size_t bytes = n * hd_type_bytes(type);
    unsigned char *expected = malloc(bytes);
    uint8_t *heads = malloc(n);
    uint64_t seed = every;
    for (size_t i = 0; i < n; i++) {
        const uint32_t head = test_next(&seed) % every == 0 ? 1u << (i % 31) : 0;
        heads[i] = head_type == HD_U8 ? (uint8_t)(head | head >> 8 | head >> 16 | head >> 24)
                                      : head != 0;
        memcpy(b->heads.host + i * hd_type_bytes(head_type),
               head_type == HD_U8 ? (const void *)&heads[i] : &head, hd_type_bytes(head_type));
    }
    test_array_upload(&b->heads, b->stream);
    expect(b->in.host, heads, n, type, op, kind, initial, expected);
    test_array_poison(&b->out, b->stream);
    CHECK_STATUS(hd_scan_segments(b->in.device, b->heads.device, head_type, n, type, op, kind,
                                  initial, b->out.device, NULL, b->stream),
                 HD_OK);
    if (test_array_download(&b->out, b->stream))
        compare(b, expected, n, type, op, kind, " in segments");
    free(heads);
    free(expected);
}

TEST(segments)
{
    static const size_t sizes[] = {1, 33, 4097, 50021};
    static const uint64_t every[] = {1, 3, 1000, 1u << 30};
    const double initial = 2.5;
    for (int force = 0; force < (HD_SERIAL_THREADS ? 2 : 1); force++) {
        hd__scan_force_threads = (unsigned)force;
        for (size_t i = 0; i < test_watched(4, 3); i++) {
            bench b;
            setup(&b, sizes[i] * 8, i % 2 * 8);
            for (int t = 0; t < TYPES; t++) {
                test_array_fill(&b.in, types[t], VALUES_RANDOM, i, b.stream);
                for (int k = 0; k < 12; k += (int)test_watched(1, 5))
                    check_segments(&b, sizes[i], types[t], ops[k % 3], (hd_scan_kind)(k / 3 % 2),
                                   every[(size_t)k % 4], k % 5 < 3 ? HD_U8 : HD_U32,
                                   k > 6 ? &initial : NULL);
            }
            teardown(&b);
        }
    }
    hd__scan_force_threads = 0;
}

/* ---- the user's own types -------------------------------------------------------------------- */

static void join_maps(ref_value *to, const ref_value *a, const ref_value *b)
{
    look_map f, g;
    memcpy(&f, a, sizeof f);
    memcpy(&g, b, sizeof g);
    f = look_map_join(f, g);
    memcpy(to, &f, sizeof f);
}

static void join_brackets(ref_value *to, const ref_value *a, const ref_value *b)
{
    scan_brackets f, g;
    memcpy(&f, a, sizeof f);
    memcpy(&g, b, sizeof g);
    f = scan_brackets_join(f, g);
    memcpy(to, &f, sizeof f);
}

/* n values of `size` bytes in b->in.host. */
static void check_own(bench *b, const hd_kernel *kernel, size_t n, size_t size, ref_join join,
                      const void *first)
{
    ref_value *values = calloc(n, sizeof *values), *results = calloc(n, sizeof *results), before;
    unsigned char *expected = malloc(n * size);
    memcpy(&before, first, size);
    for (size_t i = 0; i < n; i++)
        memcpy(&values[i], b->in.host + i * size, size);
    for (int kind = 0; kind < 2; kind++) {
        ref_scan(values, n, hd_scan_place(size), rows_of(size, size), kind == HD_SCAN_INCLUSIVE,
                 &before, results, join);
        for (size_t i = 0; i < n; i++)
            memcpy(expected + i * size, &results[i], size);
        CHECK_STATUS(hd_scan_own(kernel, b->in.device, n, size, (hd_scan_kind)kind, first,
                                 b->out.device, NULL, b->stream),
                     HD_OK);
        test_array_download(&b->out, b->stream);
        CHECK_BITS(kernel->name, b->out.host, expected, n, size);
    }
    free(values);
    free(results);
    free(expected);
}

TEST(own_types)
{
    static const size_t sizes[] = {1, 77, 1025, 12301, 40007};
    const look_map same = {1, 0, 0};
    const scan_brackets nothing = {3, 4, -0.0};
    for (int force = 0; force < 3; force++) {
        hd__scan_force_threads = force > 0;
        hd__look_back_force_blocks = force == 1 ? UINT32_MAX : force > 1 ? 2 : 0;
        for (size_t i = 0; i < test_watched(5, 4); i++) {
            const size_t n = sizes[i];
            bench b;
            setup(&b, n * 16, i % 2 * 8);
            test_array_fill(&b.in, HD_U32, VALUES_RANDOM, i, b.stream);
            check_own(&b, &kern_scan_map_kernel, n, 12, join_maps, &same);
            for (size_t k = 0; k < n; k++) {
                const scan_brackets v = {b.in.host[16 * k] & 3, b.in.host[16 * k + 1] & 3,
                                         (double)b.in.host[16 * k + 2] * 0.1};
                memcpy(b.in.host + 16 * k, &v, 16);
            }
            test_array_upload(&b.in, b.stream);
            check_own(&b, &kern_scan_brackets_kernel, n, 16, join_brackets, &nothing);
            teardown(&b);
        }
    }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

/* ---- variants, memory, bad input ------------------------------------------------------------- */

/* Sums of floats small enough to be exact: all variants have the same results. */
TEST(variants)
{
    static const size_t sizes[] = {1, 2, 255, 257, 66001};
    static const hd_type kinds[] = {HD_I32, HD_F32, HD_F64};
    for (size_t i = 0; i < test_watched(5, 4); i++)
        for (int t = 0; t < 3; t++) {
            const size_t n = sizes[i], bytes = n * hd_type_bytes(kinds[t]);
            const float initial[2] = {3.0f, 2.0f};
            unsigned char *expected = malloc(bytes);
            bench b;
            setup(&b, bytes, 0);
            test_array_fill(&b.in, kinds[t], VALUES_SMALL, i, b.stream);
            for (int a = 1; a < HD_SCAN_ALGORITHM_COUNT_; a++)
                for (int o = 0; o < OPS; o++) {
                    const hd_scan_kind kind = (hd_scan_kind)((a + o) % 2);
                    const void *first = o == 1 ? initial : NULL;
                    expect(b.in.host, NULL, n, kinds[t], ops[o], kind, first, expected);
                    test_array_poison(&b.out, b.stream);
                    CHECK_STATUS(hd_scan_with((hd_scan_algorithm)a, b.in.device, n, kinds[t],
                                              ops[o], kind, first, b.out.device, NULL, b.stream),
                                 HD_OK);
                    if (test_array_download(&b.out, b.stream))
                        compare(&b, expected, n, kinds[t], ops[o], kind, " by a variant");
                    test_array_upload(&b.in, b.stream);
                }
            free(expected);
            teardown(&b);
        }
}

/* One workspace and one stream's scratch serve scans of any size and other drivers in turns. */
TEST(memory_that_others_use_too)
{
    enum { N = 300007 };
    hd_workspace workspace = {0};
    unsigned char *expected = malloc(N * 4);
    double *sum = NULL;
    bench b;
    setup(&b, N * 4, 0);
    test_array_fill(&b.in, HD_U32, VALUES_RANDOM, 3, b.stream);
    expect(b.in.host, NULL, N, HD_U32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, expected);
    CHECK_STATUS(hd_scan_workspace(HD_SCAN_AUTO, N, HD_U32, &workspace.bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc(&sum, 2, 0) == HD_OK);
    for (size_t i = 0; i < test_watched(24, 6); i++) {
        const size_t n = i % 3 == 0 ? N : N / (i + 1);
        hd_workspace *given = i % 2 ? &workspace : NULL;
        if (i % 5 == 4)
            CHECK_STATUS(hd_reduce(b.in.device, N / 8, HD_F32, HD_SUM, sum, given, b.stream),
                         HD_OK);
        CHECK_STATUS(hd_scan(b.in.device, n, HD_U32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, b.out.device,
                             given, b.stream),
                     HD_OK);
        test_array_download(&b.out, b.stream);
        CHECK_BITS("scan", b.out.host, expected, n, 4);
    }
    workspace.bytes = 100;
    CHECK_STATUS(hd_scan(b.in.device, N, HD_U32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, b.out.device,
                         &workspace, b.stream),
                 HD_ERR_WORKSPACE);
    free(expected);
    hd_free(workspace.memory);
    hd_free(sum);
    teardown(&b);
}

static hd_status try_scan(const bench *b, const void *in, size_t n, int type, int op, int kind,
                          void *out)
{
    return hd_scan(in, n, (hd_type)type, (hd_reduce_op)op, (hd_scan_kind)kind, NULL, out, NULL,
                   b->stream);
}

/* Without a given first value: what leaves every element of the type as it is. */
static void check_first(const bench *b, hd_type type, hd_reduce_op op, const void *expected)
{
    unsigned char got[8];

    CHECK_STATUS(
        hd_scan(b->in.device, 1, type, op, HD_SCAN_EXCLUSIVE, NULL, b->out.device, NULL, b->stream),
        HD_OK);
    CHECK_STATUS(hd_copy_blocking_bytes(got, b->out.device, 1, hd_type_bytes(type), b->stream),
                 HD_OK);
    CHECK_BITS(hd_type_name(type), got, expected, 1, hd_type_bytes(type));
}

TEST(first_values)
{
    static const uint64_t zero = 0, most = UINT64_MAX;
    static const int64_t low = INT64_MIN, high = INT64_MAX;
    static const int32_t low32 = INT32_MIN, high32 = INT32_MAX;
    static const double up = (double)INFINITY, down = -(double)INFINITY;
    static const float up32 = INFINITY, down32 = -INFINITY;
    static const struct {
        hd_type type;
        const void *of_min, *of_max;
    } cases[] = {{HD_I32, &high32, &low32}, {HD_U32, &most, &zero},   {HD_I64, &high, &low},
                 {HD_U64, &most, &zero},    {HD_F32, &up32, &down32}, {HD_F64, &up, &down}};
    bench b;

    setup(&b, 4096, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_first(&b, cases[i].type, HD_SUM, &zero);
        check_first(&b, cases[i].type, HD_MIN, cases[i].of_min);
        check_first(&b, cases[i].type, HD_MAX, cases[i].of_max);
    }
    teardown(&b);
}

/* The last element, and the last head, is not there. */
static void refuse_one_short(const bench *b, float *x, float *y)
{
    uint8_t *heads = NULL;
    float *few = NULL;

    REQUIRE(hd_alloc(&heads, 4, 0) == HD_OK);
    REQUIRE(hd_alloc(&few, 4, 0) == HD_OK);
    CHECK_STATUS(try_scan(b, few, 5, HD_F32, HD_SUM, 0, y), HD_ERR_POINTER);
    CHECK_STATUS(try_scan(b, x, 5, HD_F32, HD_SUM, 0, few), HD_ERR_POINTER);
    CHECK_STATUS(hd_scan_segments(x, heads, HD_U8, 5, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, y,
                                  NULL, b->stream),
                 HD_ERR_POINTER);
    CHECK_STATUS(hd_free(heads), HD_OK);
    CHECK_STATUS(hd_free(few), HD_OK);
}

TEST(bad_input)
{
    const look_map first = {1, 0, 0};
    size_t bytes = 0;
    bench b;
    setup(&b, 4096, 0);
    float *x = (float *)(void *)b.in.device, *y = (float *)(void *)b.out.device;
    CHECK_STATUS(try_scan(&b, x, 0, HD_F32, HD_SUM, 0, y), HD_OK);
    CHECK_STATUS(try_scan(&b, NULL, 0, HD_F32, HD_SUM, 0, NULL), HD_OK);
    CHECK_STATUS(try_scan(&b, NULL, 5, HD_F32, HD_SUM, 0, y), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, HD_SUM, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, 99, HD_SUM, 0, y), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, -1, 0, y), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, HD_SUM, 2, y), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F16, HD_SUM, 0, y), HD_ERR_UNSUPPORTED);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, HD_PROD, 0, y), HD_ERR_UNSUPPORTED);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, HD_SUM, 0, x + 1), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x + 1, 5, HD_F32, HD_SUM, 0, x), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, HD_SUM, 0, x + 4), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x + 4, 5, HD_F32, HD_SUM, 0, x), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, 5, HD_F32, HD_SUM, 0, x + 5), HD_OK);
    CHECK_STATUS(try_scan(&b, x + 5, 5, HD_F32, HD_SUM, 0, x), HD_OK);
    CHECK_STATUS(try_scan(&b, b.in.device + 2, 5, HD_F32, HD_SUM, 0, y), HD_ERR_ARGUMENT);
    CHECK_STATUS(try_scan(&b, x, (size_t)1 << 40, HD_F32, HD_SUM, 0, x), HD_ERR_POINTER);
    refuse_one_short(&b, x, y);
    CHECK_STATUS(try_scan(&b, x, SIZE_MAX / 4, HD_F32, HD_SUM, 0, y), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_scan_segments(x, y, HD_F32, 5, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, x, NULL,
                                  b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_scan_segments(x, y, HD_U8, 5, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, y, NULL,
                                  b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_scan_with(HD_SCAN_SHUFFLE, x, 5, HD_U64, HD_SUM, HD_SCAN_INCLUSIVE, NULL, y,
                              NULL, b.stream),
                 HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_scan(x, 5, HD_F32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, y, NULL, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_scan_workspace(HD_SCAN_AUTO, 5, HD_F32, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_scan_workspace(HD_SCAN_HOST, 1000, HD_F32, &bytes), HD_OK);
    CHECK(bytes >= 4016);
    CHECK_STATUS(
        hd_scan_own(&kern_scan_map_kernel, x, 5, 10, HD_SCAN_INCLUSIVE, &first, y, NULL, b.stream),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_scan_own(&kern_look_back_map_kernel, x, 5, 12, HD_SCAN_INCLUSIVE, &first, y,
                             NULL, b.stream),
                 HD_ERR_ARGUMENT);
    teardown(&b);
}

TEST_MAIN
