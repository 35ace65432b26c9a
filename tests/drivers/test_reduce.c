/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce.c - hd_reduce and hd_dot against the scalar program of reduce_reference.h, as bits:
   every type and operation, sizes around every edge, launch shapes, special values, bad input. */
#include "test.h"

#include <heddle/reduce.h>

#include <fenv.h>
#include <pthread.h>

#include "reduce_reference.h"
#include "src/drivers/reduce_plan.h"

enum { DOT = HD_REDUCE_COUNT_, OPS };

/* A stream, device memory for two inputs and a result, and host copies of the inputs. */
typedef struct bench {
    hd_stream *stream;
    unsigned char *x, *y; /* host */
    unsigned char *dx, *dy, *out;
    size_t bytes;
} bench;

/* Under a tool that looks at every access (ci/gpu.sh sets HEDDLE_SANITIZER; the checking engine)
   each kernel still runs, in blocks of every shape, on one input in a few and on small ones. */
static size_t usually(size_t usual, size_t watched)
{
#if defined(HD_CPU_CHECK)
    const int watching = 1;
#else
    const int watching = getenv("HEDDLE_SANITIZER") != NULL;
#endif
    return watching ? watched : usual;
}

static const char *op_name(int op)
{
    return op == DOT ? "dot" : hd_reduce_op_name((hd_reduce_op)op);
}

static int is_extreme(int op)
{
    return op == HD_MIN || op == HD_MAX || op == HD_ARGMIN || op == HD_ARGMAX;
}

static void setup(bench *b, size_t bytes)
{
    memset(b, 0, sizeof *b);
    b->bytes = bytes;
    b->x = malloc(bytes + 16);
    b->y = malloc(bytes + 16);
    REQUIRE(b->x && b->y);
    REQUIRE(hd_stream_create(0, &b->stream) == HD_OK);
    REQUIRE(hd_alloc(&b->dx, bytes + 16, 0) == HD_OK);
    REQUIRE(hd_alloc(&b->dy, bytes + 16, 0) == HD_OK);
    REQUIRE(hd_alloc(&b->out, 256, 0) == HD_OK);
}

static void teardown(bench *b)
{
    CHECK_STATUS(hd_stream_synchronize(b->stream), HD_OK);
    hd_free(b->dx);
    hd_free(b->dy);
    hd_free(b->out);
    hd_stream_destroy(b->stream);
    free(b->x);
    free(b->y);
}

#define COPY(to, from, bytes, stream)                                                              \
    CHECK_STATUS(hd_copy_blocking_bytes((to), (from), (bytes), 1, (stream)), HD_OK)

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Full-range integers; floats of both signs in a few binades, rounding at every addition. Products
   stay in range because values are near 1. */
static void fill(unsigned char *to, size_t n, hd_type type, int op, uint64_t seed)
{
    const size_t size = hd_type_bytes(type);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = next(&seed);
        const double u = (double)(int64_t)r * 0x1p-63;
        const double v = op == HD_PROD ? (r & 1 ? 1.0 : -1.0) * (1.0 + u * 0x1p-9)
                                       : u * (double)(1 << (r & 7));
        if (type == HD_F64) {
            memcpy(to + i * size, &v, 8);
        } else if (type == HD_F32) {
            const float f = (float)v;
            memcpy(to + i * size, &f, 4);
        } else if (type == HD_F16) {
            const uint16_t h = (uint16_t)((r & 0x83ff) | (op == HD_PROD ? 0x3800 + (r & 0x400)
                                                                        : 0x2c00 + (r & 0x1c00)));
            memcpy(to + i * size, &h, 2);
        } else {
            memcpy(to + i * size, &r, size);
        }
    }
}

static void upload(bench *b, size_t bytes)
{
    REQUIRE(hd_copy_bytes(b->dx, b->x, 1, bytes, b->stream) == HD_OK);
    REQUIRE(hd_copy_bytes(b->dy, b->y, 1, bytes, b->stream) == HD_OK);
}

static hd_status run(bench *b, size_t offset, size_t n, hd_type type, int op, void *out)
{
    const void *x = b->dx + offset, *y = b->dy + offset;
    return op == DOT ? hd_dot(x, y, n, type, out, NULL, b->stream)
                     : hd_reduce(x, n, type, (hd_reduce_op)op, out, NULL, b->stream);
}

/* Reduces n elements, `offset` bytes into the buffers, and compares every byte of the result and
   of the 16 bytes after it, which must stay. */
static void check_at(bench *b, size_t offset, size_t n, hd_type type, int op)
{
    unsigned char expected[48], got[48];
    size_t bytes;
    memset(expected, 0xa5, sizeof expected);
    bytes = ref_reduce(b->x + offset, b->y + offset, n, hd_type_name(type), op_name(op), expected);
    REQUIRE(hd_fill_bytes(b->out, 0xa5, 1, sizeof got, b->stream) == HD_OK);
    if (!CHECK_STATUS(run(b, offset, n, type, op, b->out), HD_OK))
        return;
    REQUIRE(hd_copy_blocking_bytes(got, b->out, 1, sizeof got, b->stream) == HD_OK);
    if (memcmp(got, expected, sizeof got) != 0) {
        uint64_t g[2], e[2];
        memcpy(g, got, 16);
        memcpy(e, expected, 16);
        test_fail(__FILE__, __LINE__,
                  "%s of %zu %s at +%zu (%zu bytes): %016" PRIx64 " %016" PRIx64
                  ", expected %016" PRIx64 " %016" PRIx64,
                  op_name(op), n, hd_type_name(type), offset, bytes, g[0], g[1], e[0], e[1]);
    }
}

static void check_all_ops(bench *b, size_t n, hd_type type, size_t shift)
{
    const size_t size = hd_type_bytes(type), offset = shift * size;
    for (int op = 0; op < OPS; op++) {
        if (n == 0 && is_extreme(op))
            continue;
        if (op == 0 || op == HD_PROD || op == HD_MIN) {
            fill(b->x, n + shift, type, op, 1 + n);
            fill(b->y, n + shift, type, op, 2 + n);
            if ((n + shift) * size > 0)
                upload(b, (n + shift) * size);
        }
        check_at(b, offset, n, type, op);
    }
}

/* ---- sizes ----------------------------------------------------------------------------------- */

TEST(small_sizes)
{
    static const size_t sizes[] = {0,  1,  2,  3,  7,  15,  16,  17,  31,
                                   32, 33, 63, 64, 65, 127, 257, 1009};
    bench b;
    setup(&b, 1 << 16);
    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += usually(1, 8))
            check_all_ops(&b, sizes[i], (hd_type)type, 0);
    teardown(&b);
}

TEST(sizes_around_rows_and_tiles)
{
    bench b;
    setup(&b, 1 << 20);
    for (int type = 0; type < HD_TYPE_COUNT_; type++) {
        const size_t row = 4096 / hd_type_bytes((hd_type)type);
        size_t tile;
        REQUIRE(hd_reduce_tile(1, (hd_type)type, &tile) == HD_OK);
        CHECK_EQ_SIZE(tile, 4 * row);
        const size_t sizes[] = {row - 1,  row,      row + 1,      3 * row + 5,  tile - 1,
                                tile,     tile + 1, tile + row,   2 * tile - 1, 2 * tile + 3,
                                3 * tile, 4 * tile, 4 * tile + 1, 5 * tile - 1, 7 * tile + 11};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += usually(1, 7))
            check_all_ops(&b, sizes[i], (hd_type)type, 0);
    }
    teardown(&b);
}

TEST(large_sizes)
{
    bench b;
    setup(&b, (size_t)9 << 20);
    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        check_all_ops(&b, usually(1000003, 50003), (hd_type)type, 0);
    if (usually(1, 0)) { /* tiles of 4, 8, 16 rows at their limits */
        check_all_ops(&b, 1 << 20, HD_F32, 0);
        check_all_ops(&b, (1 << 20) + 1, HD_F32, 0);
        check_all_ops(&b, 4400003, HD_F16, 0);
        check_all_ops(&b, 9000011, HD_U8, 0);
    }
    teardown(&b);
}

/* More tiles than the last fold has columns, with tiles of 64 rows. */
TEST(many_tiles)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_I32};
    static const int ops[] = {HD_SUM, HD_NORM2, HD_ARGMAX};
    bench b;
    setup(&b, (size_t)70 << 20);
    for (size_t t = 0; t < usually(3, 1); t++) {
        const size_t n = ((size_t)70 << 20) / hd_type_bytes(types[t]) - 4321;
        fill(b.x, n, types[t], HD_SUM, 77);
        upload(&b, n * hd_type_bytes(types[t]));
        for (size_t o = 0; o < usually(3, 1); o++)
            check_at(&b, 0, n, types[t], ops[o]);
    }
    teardown(&b);
}

TEST(unaligned_input)
{
    bench b;
    setup(&b, 1 << 20);
    for (int type = 0; type < HD_TYPE_COUNT_; type++) {
        const size_t row = 4096 / hd_type_bytes((hd_type)type);
        check_all_ops(&b, 5, (hd_type)type, 1);
        check_all_ops(&b, row + 3, (hd_type)type, 1);
        check_all_ops(&b, 9 * row - 1, (hd_type)type, 16 / hd_type_bytes((hd_type)type) - 1);
    }
    teardown(&b);
}

/* More than 2^31 elements: 2 GB of device memory, on demand. */
TEST(more_than_2_to_the_31)
{
    const size_t n = ((size_t)1 << 31) + 12345, at = n - 77;
    const uint8_t one = 1, low = 0;
    hd_stream *stream;
    uint8_t *x;
    struct {
        uint64_t sum, pad, index, value;
    } * out, got;
    if (!getenv("HEDDLE_TEST_HUGE"))
        SKIP("set HEDDLE_TEST_HUGE=1 to use 2 GB of device memory");
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&x, n, 0) == HD_OK);
    REQUIRE(hd_alloc(&out, 1, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(x, one, 1, n, stream), HD_OK);
    CHECK_STATUS(hd_fill_bytes(x + at, low, 1, 1, stream), HD_OK);
    CHECK_STATUS(hd_reduce(x, n, HD_U8, HD_SUM, &out->sum, NULL, stream), HD_OK);
    CHECK_STATUS(hd_reduce(x, n, HD_U8, HD_ARGMIN, &out->index, NULL, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&got, out, 1, stream), HD_OK);
    CHECK_EQ_U64(got.sum, n - 1);
    CHECK_EQ_U64(got.index, at);
    CHECK_EQ_U64(got.value, 0);
    hd_free(x);
    hd_free(out);
    hd_stream_destroy(stream);
}

/* ---- launch shapes --------------------------------------------------------------------------- */

TEST(every_launch_shape_gives_the_same_bits)
{
    bench b;
    setup(&b, 1 << 19);
    for (unsigned groups = 1; groups <= 4; groups *= 2) {
        hd__reduce_force_groups = groups;
        for (int type = 0; type < HD_TYPE_COUNT_; type++) {
            const size_t row = 4096 / hd_type_bytes((hd_type)type);
            check_all_ops(&b, 21 * row - 1, (hd_type)type, 0);
            if (usually(0, 1))
                continue;
            check_all_ops(&b, 3, (hd_type)type, 0);
            check_all_ops(&b, 8 * row + 1, (hd_type)type, 0);
            check_all_ops(&b, 5 * row + 2, (hd_type)type, 1);
        }
        check_all_ops(&b, (1 << 19) / 8 - 3, HD_F64, 0);
    }
    hd__reduce_force_groups = 0;
    teardown(&b);
}

/* Expected bits, computed once by reduce_reference.h: a backend that passes has the bits of all
   others. The input is the generator above. */
typedef struct known_bits {
    hd_type type;
    int op;
    size_t n;
    uint64_t low, high;
} known_bits;

static const known_bits known[] = {
#include "reduce_known.inc"
};

TEST(known_bits_are_the_same_everywhere)
{
    bench b;
    setup(&b, (size_t)8 << 20);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i += usually(1, 5)) {
        const known_bits *k = &known[i];
        uint64_t got[2] = {0, 0};
        fill(b.x, k->n, k->type, k->op, 1 + k->n);
        fill(b.y, k->n, k->type, k->op, 2 + k->n);
        upload(&b, k->n * hd_type_bytes(k->type));
        CHECK_STATUS(hd_fill_bytes(b.out, 0, 1, 16, b.stream), HD_OK);
        CHECK_STATUS(run(&b, 0, k->n, k->type, k->op, b.out), HD_OK);
        CHECK_STATUS(hd_copy_blocking_bytes(got, b.out, 1, 16, b.stream), HD_OK);
        if (got[0] != k->low || got[1] != k->high)
            test_fail(__FILE__, __LINE__,
                      "{%s, %s, %zu, 0x%016" PRIx64 ", 0x%016" PRIx64 "} expected 0x%016" PRIx64
                      ", 0x%016" PRIx64,
                      hd_type_name(k->type), op_name(k->op), k->n, got[0], got[1], k->low, k->high);
    }
    teardown(&b);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void put(bench *b, hd_type type, size_t i, double v)
{
    const float f = (float)v;
    if (type == HD_F64)
        memcpy(b->x + 8 * i, &v, 8);
    else
        memcpy(b->x + 4 * i, &f, 4);
}

static void check_specials(bench *b, hd_type type, size_t n)
{
    upload(b, n * hd_type_bytes(type));
    for (int op = 0; op < OPS; op++)
        check_at(b, 0, n, type, op);
}

TEST(special_values)
{
    static const double values[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 1e-310, 1e-42, -1.0};
    enum { VALUES = sizeof values / sizeof values[0], N = 5000 };
    static const hd_type types[] = {HD_F32, HD_F64};
    bench b;
    setup(&b, N * 8);
    memset(b.y, 0, N * 8);
    for (int t = 0; t < 2; t++) {
        for (size_t v = 0; v < VALUES; v += usually(1, 4)) {
            /* Nothing but one value; one value in a crowd; two of a kind. */
            for (size_t i = 0; i < N; i++)
                put(&b, types[t], i, values[v]);
            check_specials(&b, types[t], 1);
            check_specials(&b, types[t], 37);
            check_specials(&b, types[t], N);
            fill(b.x, N, types[t], HD_SUM, 99);
            put(&b, types[t], 4711, values[v]);
            check_specials(&b, types[t], N);
            put(&b, types[t], 1234, values[v]);
            check_specials(&b, types[t], N);
            put(&b, types[t], 17, values[(v + 1) % VALUES]);
            check_specials(&b, types[t], N);
        }
    }
    teardown(&b);
}

/* min and max tell -0 from +0, whichever comes first and whoever reads it. */
TEST(zeros_of_both_signs)
{
    enum { N = 21 * 512 + 3 };
    static const hd_type types[] = {HD_F32, HD_F64};
    bench b;
    setup(&b, N * 8);
    memset(b.y, 0, N * 8);
    for (unsigned groups = 0; groups <= 4; groups = groups ? 2 * groups : 1) {
        hd__reduce_force_groups = groups;
        for (int t = 0; t < 2; t++)
            for (int most = 0; most < 4; most++) {
                static const double filling[] = {0.0, -0.0, 1.0, -1.0};
                for (size_t i = 0; i < N; i++)
                    put(&b, types[t], i, filling[most]);
                put(&b, types[t], 513, most & 1 ? 0.0 : -0.0);
                check_specials(&b, types[t], N);
                put(&b, types[t], N - 1, most & 1 ? -0.0 : 0.0);
                check_specials(&b, types[t], N);
            }
    }
    hd__reduce_force_groups = 0;
    teardown(&b);
}

TEST(every_half_counts)
{
    enum { N = 65536 };
    bench b;
    setup(&b, N * 2);
    memset(b.y, 0x3c, N * 2);
    for (unsigned i = 0; i < N; i++) {
        const uint16_t h = (uint16_t)i;
        memcpy(b.x + 2 * i, &h, 2);
    }
    check_specials(&b, HD_F16, 1 << 15 | 1 << 14 | 77);
    /* Without infinities and NaNs: exponents 0 to 30 of both signs. */
    for (unsigned i = 0; i < N; i++) {
        const uint16_t h = (uint16_t)(i % 2 << 15 | i / 2 % 0x7c00);
        memcpy(b.x + 2 * i, &h, 2);
    }
    check_specials(&b, HD_F16, N);
    check_specials(&b, HD_F16, 0x7c00);
    teardown(&b);
}

/* Among ordinary values one infinity, two of both signs, or a NaN of any payload. */
TEST(special_halves)
{
    enum { N = 9000 };
    static const uint16_t specials[] = {0x7c00, 0xfc00, 0x7c01, 0x7dff, 0x7e00, 0x7fff,
                                        0xfc01, 0xfdff, 0xfe00, 0xffff, 0x7bff, 0xfbff};
    enum { SPECIALS = sizeof specials / sizeof specials[0] };
    static const int ops[] = {HD_SUM, HD_MIN, HD_MAX};
    bench b;
    setup(&b, N * 2);
    for (size_t s = 0; s < SPECIALS; s += usually(1, 4))
        for (size_t second = 0; second < 2; second++)
            for (int o = 0; o < 3; o++) {
                fill(b.x, N, HD_F16, HD_SUM, 5);
                memcpy(b.x + 2 * 4711, &specials[s], 2);
                if (second)
                    memcpy(b.x + 2 * 17, &specials[s ^ 1], 2);
                upload(&b, N * 2);
                check_at(&b, 0, N, HD_F16, ops[o]);
            }
    teardown(&b);
}

/* The same without the reference: bits of sum, min and max of {1, special}. */
TEST(an_infinite_half_stays_infinite)
{
    static const struct {
        uint16_t half;
        uint32_t sum, min, max;
    } rows[] = {{0x7c00, 0x7f800000, 0x3f800000, 0x7f800000},
                {0xfc00, 0xff800000, 0xff800000, 0x3f800000},
                {0x7c01, 0x7fc00000, 0x7fc00000, 0x7fc00000},
                {0xffff, 0x7fc00000, 0x7fc00000, 0x7fc00000},
                {0x7bff, 0x477fe100, 0x3f800000, 0x477fe000}};
    bench b;
    setup(&b, 64);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const uint16_t x[2] = {0x3c00, rows[r].half};
        uint32_t got[3] = {0};
        COPY(b.dx, x, sizeof x, b.stream);
        for (int o = 0; o < 3; o++) {
            static const hd_reduce_op ops[] = {HD_SUM, HD_MIN, HD_MAX};
            CHECK_STATUS(hd_reduce(b.dx, 2, HD_F16, ops[o], b.out, NULL, b.stream), HD_OK);
            COPY(&got[o], b.out, 4, b.stream);
        }
        CHECK_EQ_U64(got[0], rows[r].sum);
        CHECK_EQ_U64(got[1], rows[r].min);
        CHECK_EQ_U64(got[2], rows[r].max);
    }
    teardown(&b);
}

/* 2^64 + 2049 lies just above the middle between two doubles: the bit that says so is the last. */
TEST(a_norm_rounds_once)
{
    static const uint64_t x[3] = {(uint64_t)1 << 63, (uint64_t)1 << 63, 2049};
    static const uint64_t tie[3] = {(uint64_t)1 << 63, (uint64_t)1 << 63, 2048};
    double got = 0;
    bench b;
    setup(&b, 64);
    COPY(b.dx, x, sizeof x, b.stream);
    CHECK_STATUS(hd_reduce(b.dx, 3, HD_U64, HD_NORM1, b.out, NULL, b.stream), HD_OK);
    COPY(&got, b.out, 8, b.stream);
    CHECK_EQ_F64_BITS(got, 0x1p64 + 4096.0);
    COPY(b.dx, tie, sizeof tie, b.stream);
    CHECK_STATUS(hd_reduce(b.dx, 3, HD_U64, HD_NORM1, b.out, NULL, b.stream), HD_OK);
    COPY(&got, b.out, 8, b.stream);
    CHECK_EQ_F64_BITS(got, 0x1p64);
    teardown(&b);
}

TEST(integer_extremes_do_not_overflow)
{
    enum { N = 20000 };
    bench b;
    setup(&b, N * 8);
    for (int type = 0; type < HD_TYPE_COUNT_; type++) {
        const size_t size = hd_type_bytes((hd_type)type);
        if (hd_type_name((hd_type)type)[0] == 'f')
            continue;
        for (int low = 0; low < 2; low++) {
            /* All ones, then the sign bit alone: the largest and the smallest value. */
            memset(b.x, low ? 0 : 0xff, N * size);
            for (size_t i = 0; i < N; i++) {
                const int is_signed = hd_type_name((hd_type)type)[0] == 'i';
                b.x[i * size + size - 1] = low ? (is_signed ? 0x80 : 0) : is_signed ? 0x7f : 0xff;
            }
            memcpy(b.y, b.x, N * size);
            upload(&b, N * size);
            for (int op = 0; op < OPS; op++)
                check_at(&b, 0, N, (hd_type)type, op);
        }
    }
    teardown(&b);
}

TEST(ties_go_to_the_lowest_index)
{
    enum { N = 50000 };
    bench b;
    hd_arg *out, got;
    setup(&b, N * 4);
    out = (hd_arg *)(void *)b.out;
    for (size_t first = 1; first < N; first = first * 3 + 1) {
        memset(b.x, 0, N * 4);
        for (size_t i = first; i < N; i += 7)
            put(&b, HD_F32, i, -1.0);
        upload(&b, N * 4);
        CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_ARGMIN, out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_copy_blocking(&got, out, 1, b.stream), HD_OK);
        CHECK_EQ_U64(got.index, first);
        CHECK_EQ_F32_BITS(got.value.f32, -1.0f);
        CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_ARGMAX, out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_copy_blocking(&got, out, 1, b.stream), HD_OK);
        CHECK_EQ_U64(got.index, 0);
    }
    teardown(&b);
}

/* ---- workspace and streams ------------------------------------------------------------------- */

TEST(a_workspace_serves_again_and_again)
{
    enum { N = 300000 };
    const size_t times = usually(40, 6);
    hd_workspace workspace = {NULL, 0, 0};
    float *results, got[40];
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_F32, HD_SUM, 5);
    upload(&b, N * 4);
    REQUIRE(hd_reduce_workspace(N, HD_F32, HD_SUM, &workspace.bytes) == HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc(&results, 40 * 4, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(workspace.memory, 0xff, 1, workspace.bytes, b.stream), HD_OK);
    for (size_t i = 0; i < times; i++)
        CHECK_STATUS(hd_reduce(b.dx, N - i % 2 * 1000 * i, HD_F32, HD_SUM, results + 4 * i,
                               &workspace, b.stream),
                     HD_OK);
    for (size_t i = 0; i < times; i++)
        CHECK_STATUS(hd_copy_blocking(got + i, results + 4 * i, 1, b.stream), HD_OK);
    for (size_t i = 0; i < times; i++) {
        float expected;
        (void)ref_reduce(b.x, b.y, N - i % 2 * 1000 * i, "f32", "sum", &expected);
        CHECK_EQ_F32_BITS(got[i], expected);
    }
    workspace.bytes--;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, results, &workspace, b.stream),
                 HD_ERR_WORKSPACE);
    hd_free(workspace.memory);
    workspace.memory = NULL;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, results, &workspace, b.stream),
                 HD_ERR_WORKSPACE);
    hd_free(results);
    teardown(&b);
}

/* The driver clears memory that it has not seen, even where the caller says nothing of a change. */
TEST(other_memory_in_a_workspace_is_prepared)
{
    enum { N = 300000 };
    hd_workspace workspace = {NULL, 0, 0};
    uint64_t expected, got, other;
    void *first, *second;
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_I32, HD_SUM, 8);
    upload(&b, N * 4);
    (void)ref_reduce(b.x, b.y, N, "i32", "sum", &expected);
    REQUIRE(hd_reduce_workspace(N, HD_I32, HD_SUM, &workspace.bytes) == HD_OK);
    REQUIRE(hd_alloc_bytes(&first, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc_bytes(&second, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(first, 0xff, 1, workspace.bytes, b.stream), HD_OK);
    CHECK_STATUS(hd_fill_bytes(second, 0xff, 1, workspace.bytes, b.stream), HD_OK);
    for (int round = 0; round < 3; round++) {
        workspace.memory = round == 0 ? first : second;
        if (round == 2) { /* freed and, perhaps at the same address, allocated again */
            hd_free(second);
            REQUIRE(hd_alloc_bytes(&second, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
            CHECK_STATUS(hd_fill_bytes(second, 0xff, 1, workspace.bytes, b.stream), HD_OK);
            workspace.memory = second;
        }
        other = ~expected;
        COPY(b.out, &other, 8, b.stream);
        CHECK_STATUS(hd_reduce(b.dx, N, HD_I32, HD_SUM, b.out, &workspace, b.stream), HD_OK);
        COPY(&got, b.out, 8, b.stream);
        CHECK_EQ_U64(got, expected);
    }
    hd_free(first);
    hd_free(second);
    teardown(&b);
}

enum { SHARERS = 4, SHARED_TIMES = 60, SHARED_N = 400000 };

/* One of the host threads that share a stream; its reductions grow, so that the scratch does. */
typedef struct sharer {
    bench *b;
    unsigned id;
    const uint64_t *expected; /* of the first 8 sizes */
    uint64_t *out, wrong;
} sharer;

static size_t shared_size(unsigned i)
{
    return usually(SHARED_N, SHARED_N / 10) / 8 * (i % 8 + 1);
}

static void *share(void *argument)
{
    static const hd_reduce_algorithm algorithms[] = {HD_REDUCE_AUTO, HD_REDUCE_TREE, HD_REDUCE_HOST,
                                                     HD_REDUCE_ATOMIC};
    sharer *s = argument;
    for (unsigned i = 0; i < usually(SHARED_TIMES, 8); i++) {
        const unsigned size = i < 8 ? i : i * 5 + s->id;
        uint64_t got = 0;
        s->wrong += hd_reduce_with(algorithms[(i + s->id) % 4], s->b->dx, shared_size(size), HD_I32,
                                   HD_SUM, s->out, NULL, s->b->stream) != HD_OK;
        s->wrong += hd_copy_blocking(&got, s->out, 1, s->b->stream) != HD_OK;
        s->wrong += got != s->expected[size % 8];
    }
    return NULL;
}

/* Under a tool the threads come one after another: some let host threads wait for each other's
   launches, and none looks at more than one launch at a time. */
TEST(host_threads_share_a_stream)
{
    const int together = usually(1, 0) != 0;
    sharer sharers[SHARERS];
    pthread_t threads[SHARERS];
    uint64_t expected[8];
    bench b;
    setup(&b, SHARED_N * 4);
    fill(b.x, SHARED_N, HD_I32, HD_SUM, 9);
    upload(&b, SHARED_N * 4);
    for (unsigned i = 0; i < 8; i++)
        (void)ref_reduce(b.x, b.y, shared_size(i), "i32", "sum", &expected[i]);
    for (unsigned i = 0; i < SHARERS; i++) {
        sharers[i] = (sharer){&b, i, expected, (uint64_t *)(void *)(b.out + 16 * i), 0};
        REQUIRE(pthread_create(&threads[i], NULL, share, &sharers[i]) == 0);
        if (!together)
            pthread_join(threads[i], NULL);
    }
    for (unsigned i = 0; i < SHARERS; i++) {
        if (together)
            pthread_join(threads[i], NULL);
        CHECK_EQ_U64(sharers[i].wrong, 0);
    }
    teardown(&b);
}

TEST(two_streams_at_once)
{
    enum { N = 400000, TIMES = 20 };
    const size_t n = usually(N, N / 10), times = usually(TIMES, 3);
    hd_stream *other;
    uint64_t *results, got[2 * 2 * TIMES], expected;
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_I32, HD_SUM, 6);
    upload(&b, N * 4);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    REQUIRE(hd_stream_create(0, &other) == HD_OK);
    REQUIRE(hd_alloc(&results, 2 * 2 * TIMES, 0) == HD_OK);
    for (size_t i = 0; i < times; i++) {
        CHECK_STATUS(hd_reduce(b.dx, n, HD_I32, HD_SUM, results + 4 * i, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(b.dx, n, HD_I32, HD_SUM, results + 4 * i + 2, NULL, other), HD_OK);
    }
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(got, results, 4 * times, other), HD_OK);
    (void)ref_reduce(b.x, b.y, n, "i32", "sum", &expected);
    for (size_t i = 0; i < 2 * times; i++)
        CHECK_EQ_U64(got[2 * i], expected);
    hd_free(results);
    hd_stream_destroy(other);
    teardown(&b);
}

/* ---- variants -------------------------------------------------------------------------------- */

static void check_variant(bench *b, hd_reduce_algorithm algorithm, size_t n, hd_type type, int op)
{
    unsigned char expected[16] = {0}, got[16] = {0};
    const int any_order = algorithm == HD_REDUCE_ATOMIC || algorithm == HD_REDUCE_LOCK;
    size_t bytes = ref_reduce(b->x, b->y, n, hd_type_name(type), op_name(op), expected);
    if (!CHECK_STATUS(
            hd_reduce_with(algorithm, b->dx, n, type, (hd_reduce_op)op, b->out, NULL, b->stream),
            HD_OK))
        return;
    CHECK_STATUS(hd_copy_blocking_bytes(got, b->out, 1, bytes, b->stream), HD_OK);
    if (any_order && op == HD_SUM && type != HD_I32) {
        float f[2];
        double d[2];
        memcpy(&f[0], got, 4);
        memcpy(&f[1], expected, 4);
        memcpy(&d[0], got, 8);
        memcpy(&d[1], expected, 8);
        CHECK_NEAR(type == HD_F32 ? f[0] : d[0], type == HD_F32 ? f[1] : d[1],
                   type == HD_F32 ? 0.05 : 1e-9);
    } else if (memcmp(got, expected, bytes) != 0) {
        test_fail(__FILE__, __LINE__, "algorithm %d: %s of %zu %s", (int)algorithm, op_name(op), n,
                  hd_type_name(type));
    }
}

TEST(variants_give_the_same_bits)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_F64};
    static const int ops[] = {HD_SUM, HD_MIN, HD_MAX};
    static const size_t sizes[] = {1, 33, 10025, 70001};
    bench b;
    setup(&b, 70001 * 8);
    for (int algorithm = 0; algorithm < HD_REDUCE_ALGORITHM_COUNT_; algorithm++)
        for (int t = 0; t < 3; t++)
            for (int o = 0; o < 3; o++)
                for (size_t s = 0; s < usually(4, 3); s++) {
                    fill(b.x, sizes[s], types[t], ops[o], 7);
                    upload(&b, sizes[s] * hd_type_bytes(types[t]));
                    check_variant(&b, (hd_reduce_algorithm)algorithm, sizes[s], types[t], ops[o]);
                }
    CHECK_STATUS(hd_reduce_with(HD_REDUCE_TREE, b.dx, 5, HD_U8, HD_SUM, b.out, NULL, b.stream),
                 HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_reduce_with(HD_REDUCE_TREE, b.dx, 5, HD_F32, HD_PROD, b.out, NULL, b.stream),
                 HD_ERR_UNSUPPORTED);
    teardown(&b);
}

/* The rounding mode of the thread that calls does not reach what the host adds up. */
TEST(the_callers_rounding_is_its_own)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    enum { N = 70001 };
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_F32, HD_SUM, 7);
    upload(&b, N * 4);
    for (int m = 0; m < 3; m++) {
        float got = 0, expected;
        (void)ref_reduce(b.x, b.y, N, "f32", "sum", &expected);
        CHECK(fesetround(modes[m]) == 0);
        CHECK_STATUS(hd_reduce_with(HD_REDUCE_HOST, b.dx, N, HD_F32, HD_SUM, b.out, NULL, b.stream),
                     HD_OK);
        CHECK(fegetround() == modes[m]);
        CHECK(fesetround(FE_TONEAREST) == 0);
        COPY(&got, b.out, 4, b.stream);
        CHECK_EQ_F32_BITS(got, expected);
    }
    teardown(&b);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST(bad_arguments)
{
    float host[4] = {0};
    size_t bytes;
    hd_result result;
    bench b;
    setup(&b, 4096);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, b.out, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(NULL, 4, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, NULL, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, b.out + 4, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx + 2, 4, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, (hd_type)77, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, (hd_type)-1, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, (hd_reduce_op)HD_REDUCE_COUNT_, b.out, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(
        hd_reduce_with((hd_reduce_algorithm)50, b.dx, 4, HD_F32, HD_SUM, b.out, NULL, b.stream),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, SIZE_MAX / 2, HD_F64, HD_SUM, b.out, NULL, b.stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_reduce(b.dx, (size_t)1 << 61, HD_U8, HD_SUM, b.out, NULL, b.stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_dot(b.dx, NULL, 4, HD_F32, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    for (int op = HD_MIN; op <= HD_ARGMAX; op++)
        CHECK_STATUS(hd_reduce(NULL, 0, HD_F32, (hd_reduce_op)op, b.out, NULL, b.stream),
                     HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(host, 4, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, b.x, NULL, b.stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_reduce_workspace(4, HD_F32, HD_SUM, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_workspace(4, (hd_type)99, HD_SUM, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_result(HD_F32, HD_SUM, NULL, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_result((hd_type)99, HD_SUM, &result, &bytes), HD_ERR_ARGUMENT);
    teardown(&b);
}

/* Backends that know where an allocation ends refuse what leaves it, at the first question and when
   the allocation is remembered. */
TEST(nothing_leaves_its_allocation)
{
    enum { N = 1024, ROOM = N * 4 };
    hd_workspace workspace = {NULL, 0, 0};
    hd_pointer_info info;
    unsigned char *x, *end, *memory;
    bench b;
    setup(&b, 4 * ROOM);
    upload(&b, 4 * ROOM);
    REQUIRE(hd_alloc(&x, ROOM, 0) == HD_OK);
    REQUIRE(hd_pointer_get(x, &info) == HD_OK);
    if (!info.base || !info.bytes) {
        hd_free(x);
        teardown(&b);
        SKIP("the backend does not know where allocations end");
    }
    end = (unsigned char *)info.base + info.bytes;
    CHECK_STATUS(hd_fill_bytes(x, 0, 1, ROOM, b.stream), HD_OK);
    for (int again = 0; again < 2; again++) {
        const size_t n = (size_t)(end - x) / 4;
        CHECK_STATUS(hd_reduce(x, n + 1, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(x + 4, n, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(x, n, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(x + 4, n - 1, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(x, (size_t)1 << 40, HD_U8, HD_MAX, b.out, NULL, b.stream),
                     HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(b.dx, x, n + 1, HD_F32, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(x, b.dx, n + 1, HD_F32, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(x, x, n, HD_F32, b.out, NULL, b.stream), HD_OK);
    }
    hd_free(x);
    /* 16 bytes of a result where 8 are left; the backend may round allocations up. */
    REQUIRE(hd_alloc(&x, 24, 0) == HD_OK);
    REQUIRE(hd_pointer_get(x, &info) == HD_OK);
    if ((unsigned char *)info.base + info.bytes == x + 24) {
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I32, HD_ARGMIN, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I64, HD_SUM, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(b.dx, b.dx, 4, HD_U32, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(NULL, 0, HD_I64, HD_SUM, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I32, HD_SUM, x + 16, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I32, HD_ARGMIN, x, NULL, b.stream), HD_OK);
    }
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    hd_free(x);
    REQUIRE(hd_reduce_workspace(N, HD_F32, HD_SUM, &workspace.bytes) == HD_OK);
    REQUIRE(hd_alloc(&memory, workspace.bytes + 256, 0) == HD_OK);
    REQUIRE(hd_pointer_get(memory, &info) == HD_OK);
    workspace.bytes = info.bytes - 256;
    workspace.memory = memory + 256;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, b.out, &workspace, b.stream), HD_OK);
    workspace.bytes++;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, b.out, &workspace, b.stream), HD_ERR_WORKSPACE);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    hd_free(memory);
    teardown(&b);
}

TEST(freed_memory_is_not_remembered_as_good)
{
    void *page;
    bench b;
    setup(&b, 4096);
    fill(b.x, 8, HD_F32, HD_SUM, 3);
    upload(&b, 32);
    CHECK_STATUS(hd_reduce(b.dx, 8, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    page = b.dx;
    hd_free(b.dx);
    b.dx = NULL;
    /* Asked again: the pool may still hold the page, else it is nobody's. */
    hd_pointer_info info = {HD_MEM_DEVICE, 0, NULL, 0};
    if (hd_pointer_get(page, &info) == HD_ERR_POINTER || info.kind == HD_MEM_UNKNOWN)
        CHECK_STATUS(hd_reduce(page, 8, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
    teardown(&b);
}

TEST(memory_of_other_kinds_and_devices)
{
    static const hd_memory_kind kinds[] = {HD_MEM_MAPPED, HD_MEM_MANAGED, HD_MEM_COHERENT};
    int count = 0, can = 0;
    bench b;
    setup(&b, 4096);
    for (int k = 0; k < 3; k++) {
        float *x, got, expected;
        if (hd_alloc_kind(&x, 100, kinds[k], 0) != HD_OK)
            continue;
        fill(b.x, 100, HD_F32, HD_SUM, 3);
        CHECK_STATUS(hd_copy_blocking(x, (float *)(void *)b.x, 100, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(x, 100, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_copy_blocking(&got, (float *)(void *)b.out, 1, b.stream), HD_OK);
        (void)ref_reduce(b.x, b.y, 100, "f32", "sum", &expected);
        CHECK_EQ_F32_BITS(got, expected);
        hd_free(x);
    }
    if (hd_device_count(&count) == HD_OK && count > 1) {
        hd_stream *other;
        float *x;
        REQUIRE(hd_alloc(&x, 100, 1) == HD_OK);
        REQUIRE(hd_stream_create(1, &other) == HD_OK);
        CHECK_STATUS(hd_fill_zero(x, 100, other), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(other), HD_OK);
        CHECK_STATUS(hd_stream_destroy(other), HD_OK);
        CHECK_STATUS(hd_peer_possible(0, 1, &can), HD_OK);
        CHECK_STATUS(hd_reduce(x, 100, HD_F32, HD_SUM, b.out, NULL, b.stream),
                     can ? HD_OK : HD_ERR_POINTER);
        CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
        hd_free(x);
    }
    teardown(&b);
}

/* ---- names and results ----------------------------------------------------------------------- */

TEST(results_have_their_sizes)
{
    hd_result result;
    size_t bytes;
    CHECK_EQ_STR(hd_type_name(HD_F16), "f16");
    CHECK_EQ_STR(hd_reduce_op_name(HD_NORM_INF), "norminf");
    CHECK_EQ_SIZE(hd_type_bytes(HD_I16), 2);
    CHECK_STATUS(hd_reduce_result(HD_U32, HD_SUM, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_U64 && bytes == 8);
    CHECK_STATUS(hd_reduce_result(HD_I64, HD_SUM, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_I128 && bytes == 16);
    CHECK_STATUS(hd_reduce_result(HD_I64, HD_PROD, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_I64 && bytes == 8);
    CHECK_STATUS(hd_reduce_result(HD_F16, HD_SUM, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_F32 && bytes == 4);
    CHECK_STATUS(hd_reduce_result(HD_U8, HD_NORM2, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_F64 && bytes == 8);
    CHECK_STATUS(hd_reduce_result(HD_F64, HD_ARGMAX, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_ARG && bytes == 16);
}

TEST_MAIN
