/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce.c - hd_reduce and hd_dot against the scalar program of reduce_reference.h, as bits:
   every type and operation, sizes around every edge, launch shapes, special values, variants. */
#include "reduce_bench.h"

#include <fenv.h>

#include "drivers/reduce/plan.h"

/* ---- sizes ----------------------------------------------------------------------------------- */

TEST(small_sizes)
{
    static const size_t sizes[] = {0,  1,  2,  3,  7,  15,  16,  17,  31,
                                   32, 33, 63, 64, 65, 127, 257, 1009};
    bench b;
    setup(&b, 1 << 16);
    for (int type = 0; type < HD_BF16; type++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += usually(1, 8))
            check_all_ops(&b, sizes[i], (hd_type)type, 0);
    teardown(&b);
}

TEST(sizes_around_rows_and_tiles)
{
    bench b;
    setup(&b, 1 << 20);
    for (int type = 0; type < HD_BF16; type++) {
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
    for (int type = 0; type < HD_BF16; type++)
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
    for (int type = 0; type < HD_BF16; type++) {
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
        for (int type = 0; type < HD_BF16; type++) {
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
    for (int type = 0; type < HD_BF16; type++) {
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

TEST_MAIN
