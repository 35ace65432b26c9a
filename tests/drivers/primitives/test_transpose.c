/* SPDX-License-Identifier: Apache-2.0 */
/* test_transpose.c - hd_transpose against the definition: every element size and algorithm, shapes
   around every edge, strides, unaligned matrices, in place, launch shapes, bad input. What lies
   around and between the rows must stay. */
#include "test.h"

#include <heddle/transpose.h>

#include <stdlib.h>

#include "drivers/transpose/plan.h"

/* A buffer on the host and its twin on the device. */
typedef struct pair {
    unsigned char *host, *device;
    size_t bytes;
} pair;

typedef struct bench {
    hd_stream *stream;
    pair in, out;
    unsigned char *got;
} bench;

static size_t usually(size_t usual, size_t watched)
{
#if defined(HD_CPU_CHECK)
    const int watching = 1;
#else
    const int watching = getenv("HEDDLE_SANITIZER") != NULL;
#endif
    return watching ? watched : usual;
}

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void setup(bench *b, size_t bytes)
{
    uint64_t seed = bytes;
    memset(b, 0, sizeof *b);
    b->in.bytes = b->out.bytes = bytes;
    b->in.host = malloc(bytes + 8);
    b->out.host = malloc(bytes);
    b->got = malloc(bytes);
    REQUIRE(b->in.host && b->out.host && b->got);
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t r = next(&seed);
        memcpy(b->in.host + i, &r, 8);
    }
    REQUIRE(hd_stream_create(0, &b->stream) == HD_OK);
    REQUIRE(hd_alloc(&b->in.device, bytes, 0) == HD_OK);
    REQUIRE(hd_alloc(&b->out.device, bytes, 0) == HD_OK);
    REQUIRE(hd_copy(b->in.device, b->in.host, bytes, b->stream) == HD_OK);
}

static void teardown(bench *b)
{
    CHECK_STATUS(hd_stream_synchronize(b->stream), HD_OK);
    hd_free(b->in.device);
    hd_free(b->out.device);
    hd_stream_destroy(b->stream);
    free(b->in.host);
    free(b->out.host);
    free(b->got);
}

/* A matrix: its extents, strides, and where it begins in both buffers, in elements. */
typedef struct shape {
    size_t rows, columns, in_stride, out_stride, in_first, out_first, size;
} shape;

static void reference(const shape *s, const unsigned char *in, unsigned char *out)
{
    for (size_t r = 0; r < s->rows; r++)
        for (size_t c = 0; c < s->columns; c++)
            memcpy(out + (s->out_first + c * s->out_stride + r) * s->size,
                   in + (s->in_first + r * s->in_stride + c) * s->size, s->size);
}

static size_t room(size_t rows, size_t columns, size_t stride)
{
    return rows && columns ? (rows - 1) * stride + columns : 0;
}

/* Compares the whole `out` buffer, up to 64 bytes beyond the matrix. */
static void compare(bench *b, const shape *s, const char *how)
{
    size_t bytes = (s->out_first + room(s->columns, s->rows, s->out_stride)) * s->size + 64, i = 0;
    if (bytes > b->out.bytes)
        bytes = b->out.bytes;
    REQUIRE(hd_copy_blocking(b->got, b->out.device, bytes, b->stream) == HD_OK);
    if (memcmp(b->got, b->out.host, bytes) == 0)
        return;
    while (b->got[i] == b->out.host[i])
        i++;
    test_fail(__FILE__, __LINE__,
              "%s %zu x %zu of %zu bytes, strides %zu %zu, first %zu %zu: byte %zu is %u, not %u",
              how, s->rows, s->columns, s->size, s->in_stride, s->out_stride, s->in_first,
              s->out_first, i, b->got[i], b->out.host[i]);
}

static void check(bench *b, hd_transpose_algorithm algorithm, const shape *s)
{
    size_t bytes = (s->out_first + room(s->columns, s->rows, s->out_stride)) * s->size + 64;
    if (bytes > b->out.bytes)
        bytes = b->out.bytes;
    memset(b->out.host, 0xa5, bytes);
    reference(s, b->in.host, b->out.host);
    REQUIRE(hd_fill_bytes(b->out.device, 0xa5, 1, bytes, b->stream) == HD_OK);
    CHECK_STATUS(hd_transpose_with(algorithm, b->in.device + s->in_first * s->size, s->rows,
                                   s->columns, s->in_stride, b->out.device + s->out_first * s->size,
                                   s->out_stride, s->size, b->stream),
                 HD_OK);
    compare(b, s, hd_transpose_algorithm_name(algorithm));
}

static void check_in_place(bench *b, size_t n, size_t stride, size_t first, size_t size)
{
    const shape s = {n, n, stride, stride, first, first, size};
    const size_t bytes = (first + room(n, n, stride)) * size;
    const size_t all = bytes + 64 < b->out.bytes ? bytes + 64 : b->out.bytes;
    memcpy(b->out.host, b->in.host, all);
    reference(&s, b->in.host, b->out.host);
    REQUIRE(hd_copy(b->out.device, b->in.device, all, b->stream) == HD_OK);
    CHECK_STATUS(hd_transpose(b->out.device + first * size, n, n, stride,
                              b->out.device + first * size, stride, size, b->stream),
                 HD_OK);
    compare(b, &s, "in place");
}

/* The shape with rows that touch, and rows that do not, aligned and not. */
static void check_strides(bench *b, hd_transpose_algorithm algorithm, size_t rows, size_t columns,
                          size_t size)
{
    const shape dense = {rows, columns, columns, rows, 0, 0, size};
    const shape apart = {rows, columns, columns + 5, rows + 3, 1, 3, size};
    const shape even = {rows, columns, (columns + 31) / 16 * 16, (rows + 31) / 16 * 16, 16,
                        32,   size};
    check(b, algorithm, &dense);
    check(b, algorithm, &apart);
    if (usually(1, rows % 3 == 0))
        check(b, algorithm, &even);
}

static const size_t sizes[] = {1, 2, 4, 8, 16};

static void check_shapes(bench *b, hd_transpose_algorithm algorithm)
{
    static const size_t shapes[][2] = {{1, 1},    {1, 2},     {2, 1},     {31, 33},  {32, 32},
                                       {63, 64},  {64, 64},   {65, 66},   {1, 1009}, {1009, 1},
                                       {3, 517},  {128, 128}, {129, 97},  {64, 192}, {256, 384},
                                       {5, 1500}, {2777, 7},  {20, 1100}, {1300, 30}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k += usually(1, 3))
            check_strides(b, algorithm, shapes[k][0], shapes[k][1], sizes[i]);
}

TEST(every_algorithm_and_shape)
{
    bench b;
    setup(&b, (size_t)4 << 20);
    for (int algorithm = 0; algorithm < HD_TRANSPOSE_ALGORITHM_COUNT_; algorithm++)
        check_shapes(&b, (hd_transpose_algorithm)algorithm);
    teardown(&b);
}

/* The kernel of blocks with threads, also where the driver would take another one; few blocks that
   take many tiles. */
TEST(every_launch_shape)
{
    bench b;
    setup(&b, (size_t)4 << 20);
    hd__transpose_force_threads = 1;
    check_shapes(&b, HD_TRANSPOSE_AUTO);
    hd__transpose_force_blocks = 3;
    for (int threads = 0; threads < 2; threads++) {
        hd__transpose_force_threads = (unsigned)threads;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check_strides(&b, HD_TRANSPOSE_AUTO, usually(517, 261), 259, sizes[i]);
            check_strides(&b, HD_TRANSPOSE_PADDED, 97, 101, sizes[i]);
            check_in_place(&b, 261, 263, 1, sizes[i]);
        }
    }
    hd__transpose_force_threads = hd__transpose_force_blocks = 0;
    teardown(&b);
}

TEST(in_place)
{
    static const size_t sides[] = {1, 2, 31, 32, 33, 64, 65, 128, 129, 191, 192, 257, 384};
    bench b;
    setup(&b, (size_t)4 << 20);
    for (unsigned threads = 0; threads < 2; threads++) {
        hd__transpose_force_threads = threads;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (size_t k = 0; k < sizeof sides / sizeof *sides; k += usually(1, 4)) {
                check_in_place(&b, sides[k], sides[k], 0, sizes[i]);
                check_in_place(&b, sides[k], sides[k] + 3, 1, sizes[i]);
                check_in_place(&b, sides[k], sides[k] + 16, 16, sizes[i]);
            }
    }
    hd__transpose_force_threads = 0;
    teardown(&b);
}

TEST(more_than_a_million)
{
    const size_t rows = usually(1031, 263), columns = usually(1153, 311);
    bench b;
    setup(&b, (size_t)20 << 20);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_strides(&b, HD_TRANSPOSE_AUTO, rows, columns, sizes[i]);
    if (usually(1, 0)) {
        const shape tall = {1200007, 3, 3, 1200007, 0, 0, 4},
                    wide = {2, 2500013, 2500013, 2, 0, 0, 2};
        check(&b, HD_TRANSPOSE_AUTO, &tall);
        check(&b, HD_TRANSPOSE_AUTO, &wide);
        check_in_place(&b, 1111, 1111, 0, 4);
    }
    teardown(&b);
}

/* Left half of each row to the right half: the ranges interleave, the columns do not meet. */
TEST(side_by_side)
{
    enum { N = 96, STRIDE = 256 };
    const shape s = {N, N, STRIDE, STRIDE, 0, 128, 4};
    bench b;
    setup(&b, (size_t)1 << 20);
    memcpy(b.out.host, b.in.host, N * STRIDE * 4 + 64);
    reference(&s, b.in.host, b.out.host);
    CHECK_STATUS(hd_copy(b.out.device, b.in.device, (size_t)1 << 20, b.stream), HD_OK);
    CHECK_STATUS(hd_transpose(b.out.device, N, N, STRIDE, b.out.device + 512, STRIDE, 4, b.stream),
                 HD_OK);
    compare(&b, &s, "side by side");
    /* Back again: `out` in front of `in`. */
    CHECK_STATUS(hd_transpose(b.out.device + 512, N, N, STRIDE, b.out.device, STRIDE, 4, b.stream),
                 HD_OK);
    compare(&b, &s, "and back");
    CHECK_STATUS(
        hd_transpose(b.out.device, N, N, STRIDE, b.out.device + 4 * 95, STRIDE, 4, b.stream),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(
        hd_transpose(b.out.device, N, N, STRIDE, b.out.device + 4 * 161, STRIDE, 4, b.stream),
        HD_ERR_ARGUMENT);
    teardown(&b);
}

/* Both matrices in one buffer. */
static void check_within(bench *b, const shape *s, hd_status expected, const char *how)
{
    const size_t bytes = b->out.bytes;
    memcpy(b->out.host, b->in.host, bytes);
    if (expected == HD_OK)
        reference(s, b->in.host, b->out.host);
    CHECK_STATUS(hd_copy(b->out.device, b->in.device, bytes, b->stream), HD_OK);
    CHECK_STATUS(hd_transpose(b->out.device + s->in_first * s->size, s->rows, s->columns,
                              s->in_stride, b->out.device + s->out_first * s->size, s->out_stride,
                              s->size, b->stream),
                 expected);
    compare(b, s, how);
}

/* Columns of one matrix up to where those of the other begin, and up to the end of the row; then
   one more. */
TEST(side_by_side_without_a_gap)
{
    static const shape fit[] = {{40, 60, 100, 100, 0, 60, 4}, {40, 60, 100, 100, 40, 0, 4}};
    static const shape meet[] = {{40, 60, 100, 100, 0, 59, 4}, {40, 60, 100, 100, 0, 61, 4},
                                 {60, 40, 100, 100, 0, 60, 4}, {40, 60, 100, 100, 39, 0, 4},
                                 {40, 60, 100, 100, 41, 0, 4}, {40, 60, 100, 101, 0, 60, 4}};
    bench b;
    setup(&b, 32768);
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++)
        check_within(&b, &fit[i], HD_OK, "side by side");
    for (size_t i = 0; i < sizeof meet / sizeof *meet; i++)
        check_within(&b, &meet[i], HD_ERR_ARGUMENT, "columns that meet");
    teardown(&b);
}

/* Where one matrix ends the other may begin, not an element before. */
TEST(one_after_the_other)
{
    static const shape touch[] = {{5, 7, 7, 5, 0, 35, 4}, {5, 7, 7, 5, 35, 0, 4}};
    static const shape meet[] = {{5, 7, 7, 5, 0, 34, 4}, {5, 7, 7, 5, 34, 0, 4}};
    bench b;
    setup(&b, 512);
    for (size_t i = 0; i < 2; i++) {
        check_within(&b, &touch[i], HD_OK, "one after the other");
        check_within(&b, &meet[i], HD_ERR_ARGUMENT, "matrices that meet");
    }
    teardown(&b);
}

TEST(bad_input)
{
    bench b;
    unsigned char *in, *out;
    setup(&b, 4096);
    in = b.in.device;
    out = b.out.device;
#define BAD(status, ...) CHECK_STATUS(hd_transpose(__VA_ARGS__), status)
    BAD(HD_OK, NULL, 0, 0, 0, NULL, 0, 4, b.stream);
    BAD(HD_OK, NULL, 0, 7, 7, NULL, 0, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 4, out, 4, 4, NULL);
    BAD(HD_ERR_ARGUMENT, NULL, 4, 4, 4, out, 4, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 4, NULL, 4, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 4, out, 4, 0, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 4, out, 4, 3, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 4, out, 4, 32, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 8, 7, out, 4, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 8, 8, out, 3, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in + 2, 4, 4, 4, out, 4, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 4, out + 8, 4, 16, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 8, 8, in, 4, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 4, 4, 8, in, 4, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in, 8, 8, 8, in + 4, 8, 4, b.stream);
    BAD(HD_ERR_ARGUMENT, in + 4, 8, 8, 8, in, 8, 4, b.stream);
    BAD(HD_ERR_OVERFLOW, in, SIZE_MAX / 4, 8, 8, out, SIZE_MAX / 4, 4, b.stream);
    BAD(HD_ERR_OVERFLOW, in, 3, 1, SIZE_MAX / 2, out, 3, 1, b.stream);
    BAD(HD_ERR_OVERFLOW, in, (size_t)1 << 40, (size_t)1 << 40, (size_t)1 << 40, out,
        (size_t)1 << 40, 1, b.stream);
    BAD(HD_ERR_POINTER, b.in.host, 4, 4, 4, out, 4, 4, b.stream);
    BAD(HD_ERR_POINTER, in, 4, 4, 4, b.in.host, 4, 4, b.stream);
    BAD(HD_ERR_POINTER, in, 1 << 20, 1 << 20, 1 << 20, out, 1 << 20, 4, b.stream);
#undef BAD
    CHECK_STATUS(hd_transpose_with((hd_transpose_algorithm)99, in, 4, 4, 4, out, 4, 4, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_transpose_with(HD_TRANSPOSE_NAIVE, in, 4, 4, 4, in, 4, 4, b.stream),
                 HD_ERR_UNSUPPORTED);
    teardown(&b);
}

TEST_MAIN
