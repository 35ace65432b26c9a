/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_bench.h - what the tests of reductions share: arrays on both sides, values that round,
   one reduction against the scalar program of reduce_reference.h. */
#ifndef HEDDLE_TESTS_DRIVERS_REDUCE_BENCH_H
#define HEDDLE_TESTS_DRIVERS_REDUCE_BENCH_H

#include "test.h"

#include <heddle/reduce.h>

#include "reduce_reference.h"

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
TEST_UNUSED static size_t usually(size_t usual, size_t watched)
{
#if defined(HD_CPU_CHECK)
    const int watching = 1;
#else
    const int watching = getenv("HEDDLE_SANITIZER") != NULL;
#endif
    return watching ? watched : usual;
}

TEST_UNUSED static const char *op_name(int op)
{
    return op == DOT ? "dot" : hd_reduce_op_name((hd_reduce_op)op);
}

TEST_UNUSED static int is_extreme(int op)
{
    return op == HD_MIN || op == HD_MAX || op == HD_ARGMIN || op == HD_ARGMAX;
}

TEST_UNUSED static void setup(bench *b, size_t bytes)
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

TEST_UNUSED static void teardown(bench *b)
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
TEST_UNUSED static void fill(unsigned char *to, size_t n, hd_type type, int op, uint64_t seed)
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

TEST_UNUSED static void upload(bench *b, size_t bytes)
{
    REQUIRE(hd_copy_bytes(b->dx, b->x, 1, bytes, b->stream) == HD_OK);
    REQUIRE(hd_copy_bytes(b->dy, b->y, 1, bytes, b->stream) == HD_OK);
}

TEST_UNUSED static hd_status run(bench *b, size_t offset, size_t n, hd_type type, int op, void *out)
{
    const void *x = b->dx + offset, *y = b->dy + offset;
    return op == DOT ? hd_dot(x, y, n, type, out, NULL, b->stream)
                     : hd_reduce(x, n, type, (hd_reduce_op)op, out, NULL, b->stream);
}

/* Reduces n elements, `offset` bytes into the buffers, and compares every byte of the result and
   of the 16 bytes after it, which must stay. */
TEST_UNUSED static void check_at(bench *b, size_t offset, size_t n, hd_type type, int op)
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

TEST_UNUSED static void check_all_ops(bench *b, size_t n, hd_type type, size_t shift)
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

#endif
