/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.h - arrays of the drivers' tests: host and device memory with guard bytes around it,
   filled with values of a kind, compared as bits; sizes around every edge. */
#ifndef HEDDLE_TESTS_DRIVERS_ARRAYS_H
#define HEDDLE_TESTS_DRIVERS_ARRAYS_H

#include "test.h"

#include <math.h>
#include <stdlib.h>

#include <heddle/data.h>
#include <heddle/device/half.h>

enum { ARRAY_GUARD = 256, ARRAY_POISON = 0xa5 };

/* `bytes` bytes on the host and on the device, there `shift` bytes behind a 256-byte boundary and
   between two guards of ARRAY_GUARD bytes of ARRAY_POISON. */
typedef struct test_array {
    unsigned char *host;
    unsigned char *device;
    unsigned char *base; /* the device's allocation */
    size_t bytes, shift;
} test_array;

typedef enum test_values {
    VALUES_RANDOM,   /* integers: all bits; floats: both signs, a few binades, every sum rounds */
    VALUES_SMALL,    /* 0 to 7, with a sign -4 to 3: sums of floats are exact */
    VALUES_EQUAL,    /* all the same */
    VALUES_SORTED,   /* 0, 1, 2, ...; integers wrap */
    VALUES_REVERSED, /* n - 1, n - 2, ... */
    VALUES_SIGNS,    /* 1 to 2 with signs that take turns; unsigned: 1 and the largest */
    VALUES_SPECIAL,  /* floats: NaN, infinities, zeros and denormals of both signs among ordinary
                        ones; integers: extremes */
    VALUES_COUNT
} test_values;

/* Edges of warps, blocks and tiles with their neighbours, and primes. The last two are above 1 Mi:
   test_size_count() leaves them out where every access is watched. */
static const size_t test_sizes[] TEST_UNUSED = {
    0,    1,    2,    3,    4,    7,    15,   16,    17,    31,    32,    33,     63,      64,
    65,   127,  128,  129,  255,  256,  257,  511,   512,   513,   1009,  1023,   1024,    1025,
    2047, 2048, 2049, 4095, 4096, 4097, 8191, 12289, 16384, 16385, 65537, 100003, 1048583, 1500007};

/* Under a tool that looks at every access (ci/gpu.sh sets HEDDLE_SANITIZER; the checking engine)
   tests do less: `usual` elsewhere, `watched` there. */
TEST_UNUSED static size_t test_watched(size_t usual, size_t watched)
{
#if defined(HD_CPU_CHECK)
    (void)usual;
    return watched;
#else
    return getenv("HEDDLE_SANITIZER") != NULL ? watched : usual;
#endif
}

TEST_UNUSED static size_t test_size_count(void)
{
    const size_t all = sizeof test_sizes / sizeof *test_sizes;

    return test_watched(all, all - 4);
}

/* splitmix64 (Steele, Lea, Flood 2014) */
TEST_UNUSED static uint64_t test_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double test_real(test_values values, size_t i, size_t n, uint64_t r)
{
    static const double special[] = {NAN,        INFINITY,     -INFINITY, 0.0,
                                     -0.0,       0x1p-149,     -0x1p-149, 0x1p-1074,
                                     0x1.8p-127, -0x1.8p-1023, 0x1p-24,   1.0};
    const double u = (double)(int64_t)r * 0x1p-63;

    switch (values) {
    case VALUES_SMALL:
        return (double)(r & 7) - 4.0;
    case VALUES_EQUAL:
        return 1.25;
    case VALUES_SORTED:
        return (double)i;
    case VALUES_REVERSED:
        return (double)(n - 1 - i);
    case VALUES_SIGNS:
        return (i & 1 ? -1.0 : 1.0) * (1.0 + fabs(u));
    case VALUES_SPECIAL:
        return r & 3 ? u : special[(r >> 8) % (sizeof special / sizeof *special)];
    default:
        return u * (double)(1 << (r & 7));
    }
}

static uint64_t test_integer(test_values values, int is_signed, size_t size, size_t i, size_t n,
                             uint64_t r)
{
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    const uint64_t special[] = {0, 1, top - 1, top, top + 1, UINT64_MAX};

    switch (values) {
    case VALUES_SMALL:
        return (r & 7) - (is_signed ? 4u : 0u);
    case VALUES_EQUAL:
        return 5;
    case VALUES_SORTED:
        return i;
    case VALUES_REVERSED:
        return n - 1 - i;
    case VALUES_SIGNS:
        return i & 1 ? UINT64_MAX : 1;
    case VALUES_SPECIAL:
        return special[r % (sizeof special / sizeof *special)];
    default:
        return r;
    }
}

/* Element i of n at `to`, of random bits r. */
static void test_value(unsigned char *to, hd_type type, test_values values, size_t i, size_t n,
                       uint64_t r)
{
    const size_t size = hd_type_bytes(type);
    const double real = test_real(values, i, n, r);

    if (type == HD_F64) {
        memcpy(to, &real, sizeof real);
    } else if (type == HD_F32) {
        const float f = (float)real;
        memcpy(to, &f, sizeof f);
    } else if (type == HD_F16) {
        const uint16_t h = hd_f16_bits(hd_f16_from_f64(real));
        memcpy(to, &h, sizeof h);
    } else if (type == HD_BF16) {
        const uint16_t h = hd_bf16_bits(hd_bf16_from_f64(real));
        memcpy(to, &h, sizeof h);
    } else {
        const int is_signed = type == HD_I8 || type == HD_I16 || type == HD_I32 || type == HD_I64;
        const uint64_t v = test_integer(values, is_signed, size, i, n, r);
        memcpy(to, &v, size); /* the low bytes */
    }
}

/* n elements of host memory. */
TEST_UNUSED static void test_fill(void *to, size_t n, hd_type type, test_values values,
                                  uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        test_value((unsigned char *)to + i * hd_type_bytes(type), type, values, i, n,
                   test_next(&seed));
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Sets the device's side, guards too, to ARRAY_POISON. */
TEST_UNUSED static void test_array_poison(test_array *a, hd_stream *stream)
{
    CHECK_STATUS(
        hd_fill_bytes(a->base, ARRAY_POISON, 1, 2 * ARRAY_GUARD + a->shift + a->bytes, stream),
        HD_OK);
}

/* The caller frees it with test_array_free, also after a failure. */
TEST_UNUSED static void test_array_make(test_array *a, size_t bytes, size_t shift,
                                        hd_stream *stream)
{
    memset(a, 0, sizeof *a);
    a->bytes = bytes;
    a->shift = shift;
    a->host = malloc(bytes + 1);
    REQUIRE(a->host != NULL);
    memset(a->host, 0, bytes + 1);
    REQUIRE(hd_alloc(&a->base, 2 * ARRAY_GUARD + shift + bytes, 0) == HD_OK);
    a->device = a->base + ARRAY_GUARD + shift;
    test_array_poison(a, stream);
}

TEST_UNUSED static void test_array_free(test_array *a)
{
    CHECK_STATUS(hd_free(a->base), HD_OK);
    free(a->host);
    memset(a, 0, sizeof *a);
}

/* Host to device, waits. */
TEST_UNUSED static void test_array_upload(test_array *a, hd_stream *stream)
{
    CHECK_STATUS(hd_copy_blocking_bytes(a->device, a->host, 1, a->bytes, stream), HD_OK);
}

/* Fills both sides with as many elements as fit. */
TEST_UNUSED static void test_array_fill(test_array *a, hd_type type, test_values values,
                                        uint64_t seed, hd_stream *stream)
{
    test_fill(a->host, a->bytes / hd_type_bytes(type), type, values, seed);
    test_array_upload(a, stream);
}

static int test_guard(const test_array *a, const unsigned char *from, size_t bytes, long at,
                      hd_stream *stream)
{
    unsigned char guard[2 * ARRAY_GUARD];

    if (!CHECK_STATUS(hd_copy_blocking_bytes(guard, from, 1, bytes, stream), HD_OK))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        if (guard[i] != ARRAY_POISON) {
            test_fail(__FILE__, __LINE__, "byte %ld of an array of %zu bytes is written: 0x%02x",
                      at + (long)i, a->bytes, guard[i]);
            return 0;
        }
    return 1;
}

/* Device to host, waits; checks that nothing beside the array was written. */
TEST_UNUSED static int test_array_download(test_array *a, hd_stream *stream)
{
    int whole;

    if (!CHECK_STATUS(hd_copy_blocking_bytes(a->host, a->device, 1, a->bytes, stream), HD_OK))
        return 0;
    whole = test_guard(a, a->device - ARRAY_GUARD, ARRAY_GUARD, -ARRAY_GUARD, stream);
    return whole & test_guard(a, a->device + a->bytes, ARRAY_GUARD, (long)a->bytes, stream);
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void test_hex(const unsigned char *bytes, size_t size, char text[48])
{
    text[0] = '\0';
    for (size_t i = size; i-- > 0 && size <= 16;)
        snprintf(text + strlen(text), 48 - strlen(text), "%02x", bytes[i]);
}

/* `count` elements of `size` bytes; tells the first that differs and how many do. */
TEST_UNUSED static int test_bits(const char *file, int line, const char *what, const void *got,
                                 const void *expected, size_t count, size_t size)
{
    const unsigned char *g = got, *e = expected;
    size_t first = 0, different = 0;
    char found[48], wanted[48];

    if (count == 0 || memcmp(g, e, count * size) == 0)
        return 1;
    for (size_t i = count; i-- > 0;)
        if (memcmp(g + i * size, e + i * size, size) != 0) {
            first = i;
            different++;
        }
    test_hex(g + first * size, size, found);
    test_hex(e + first * size, size, wanted);
    test_fail(file, line, "%s: %zu of %zu elements differ, first %zu: 0x%s, expected 0x%s", what,
              different, count, first, found, wanted);
    return 0;
}
#define CHECK_BITS(what, got, expected, count, size)                                               \
    test_bits(__FILE__, __LINE__, (what), (got), (expected), (count), (size))

#endif
