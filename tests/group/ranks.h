/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - what tests of groups share: arrays on every rank, and what should be in them, computed
   on the host from the definition alone. */
#ifndef HEDDLE_TESTS_GROUP_RANKS_H
#define HEDDLE_TESTS_GROUP_RANKS_H

#include "drivers/arrays.h"

#include <heddle/group.h>

#include "drivers/group/plan.h"

enum { RANKS = 8, FEW_RANKS = 4 }; /* of these tests at most, at least */

/* Device memory and a host copy for each rank, between guards. */
typedef struct rank_arrays {
    unsigned count;
    size_t bytes, shift;
    unsigned char *base[RANKS];
    unsigned char *device[RANKS];
    unsigned char *host[RANKS];
} rank_arrays;

TEST_UNUSED static void ranks_make(rank_arrays *a, hd_group *group, size_t bytes, size_t shift)
{
    memset(a, 0, sizeof *a);
    a->count = hd_group_size(group);
    a->bytes = bytes;
    a->shift = shift;
    for (unsigned r = 0; r < a->count; r++) {
        const size_t whole = 2 * ARRAY_GUARD + shift + bytes;
        a->host[r] = calloc(bytes + 1, 1);
        REQUIRE(a->host[r] != NULL);
        REQUIRE(hd_alloc(&a->base[r], whole, hd_group_device(group, r)) == HD_OK);
        a->device[r] = a->base[r] + ARRAY_GUARD + shift;
        CHECK_STATUS(hd_fill_bytes(a->base[r], ARRAY_POISON, 1, whole, hd_group_stream(group, r)),
                     HD_OK);
    }
}

TEST_UNUSED static void ranks_free(rank_arrays *a)
{
    for (unsigned r = 0; r < a->count; r++) {
        CHECK_STATUS(hd_free(a->base[r]), HD_OK);
        free(a->host[r]);
    }
    memset(a, 0, sizeof *a);
}

/* Every rank its own numbers, on both sides; the copies are ordered on the group's streams. */
TEST_UNUSED static void ranks_fill(rank_arrays *a, hd_group *group, hd_type type,
                                   test_values values, uint64_t seed)
{
    for (unsigned r = 0; r < a->count; r++) {
        hd_stream *stream = hd_group_stream(group, r);
        test_fill(a->host[r], a->bytes / hd_type_bytes(type), type, values, seed * 131 + r);
        CHECK_STATUS(hd_copy_bytes(a->device[r], a->host[r], 1, a->bytes, stream), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    }
}

/* Compares with what is expected of rank r, guards too. The group was synchronised. */
TEST_UNUSED static void ranks_check(rank_arrays *a, hd_group *group, unsigned r,
                                    const unsigned char *expected, const char *what)
{
    const size_t whole = 2 * ARRAY_GUARD + a->shift + a->bytes;
    unsigned char *got = malloc(whole);

    REQUIRE(got != NULL);
    CHECK_STATUS(hd_copy_blocking_bytes(got, a->base[r], 1, whole, hd_group_stream(group, r)),
                 HD_OK);
    for (size_t i = 0; i < whole; i++) {
        const size_t at = ARRAY_GUARD + a->shift;
        const int inside = i >= at && i < at + a->bytes;
        if (got[i] != (inside ? expected[i - at] : ARRAY_POISON)) {
            test_fail(__FILE__, __LINE__, "%s: rank %u byte %td is %02x, expected %02x", what, r,
                      (ptrdiff_t)i - (ptrdiff_t)at, got[i],
                      inside ? expected[i - at] : ARRAY_POISON);
            break;
        }
    }
    free(got);
}

/* ---- the reference: element by element, rank by rank ----------------------------------------- */

static double ranks_real(const unsigned char *p, hd_type type)
{
    float f;
    double d;
    uint16_t h;

    switch (type) {
    case HD_F64:
        memcpy(&d, p, sizeof d);
        return d;
    case HD_F32:
        memcpy(&f, p, sizeof f);
        return (double)f;
    case HD_BF16:
        memcpy(&h, p, sizeof h);
        return (double)hd_bf16_to_f32(hd_bf16_from_bits(h));
    default:
        memcpy(&h, p, sizeof h);
        return (double)hd_f16_to_f32(hd_f16_from_bits(h));
    }
}

/* NaN when either is; -0 below +0. */
static double ranks_extreme(double a, double b, int least)
{
    if (a != a || b != b)
        return NAN;
    if (a < b || b < a)
        return (a < b) == least ? a : b;
    return (signbit(a) != 0) == least ? a : b;
}

/* f16 and f32 in steps of binary32. */
static double ranks_step(double a, double b, hd_type type, hd_reduce_op op)
{
    if (op == HD_MIN || op == HD_MAX)
        return ranks_extreme(a, b, op == HD_MIN);
    if (type == HD_F64)
        return op == HD_SUM ? a + b : a * b;
    return op == HD_SUM ? (double)((float)a + (float)b) : (double)((float)a * (float)b);
}

static void ranks_put(unsigned char *to, hd_type type, double v)
{
    const uint64_t nan64 = 0x7ff8000000000000u;
    const uint32_t nan32 = 0x7fc00000u;
    const float f = (float)v;
    const uint16_t h = type == HD_BF16 ? hd_bf16_bits(hd_bf16_from_f32(f))
                                       : hd_f16_bits(hd_f16_from_f32(f));

    if (type == HD_F64)
        memcpy(to, v != v ? (const void *)&nan64 : (const void *)&v, 8);
    else if (type == HD_F32)
        memcpy(to, v != v ? (const void *)&nan32 : (const void *)&f, 4);
    else
        memcpy(to, &h, 2);
}

static uint64_t ranks_integer(const unsigned char *p, size_t size)
{
    uint64_t v = 0;
    memcpy(&v, p, size);
    return v;
}

static int ranks_less(uint64_t a, uint64_t b, size_t size, int is_signed)
{
    const uint64_t flip = is_signed ? (uint64_t)1 << (8 * size - 1) : 0;
    return (a ^ flip) < (b ^ flip);
}

static uint64_t ranks_combine(uint64_t a, uint64_t b, hd_type type, hd_reduce_op op)
{
    const int is_signed = type == HD_I8 || type == HD_I16 || type == HD_I32 || type == HD_I64;
    const size_t size = hd_type_bytes(type);

    switch (op) {
    case HD_SUM:
        return a + b;
    case HD_PROD:
        return a * b;
    case HD_MIN:
        return ranks_less(b, a, size, is_signed) ? b : a;
    default:
        return ranks_less(a, b, size, is_signed) ? b : a;
    }
}

/* to[i] = the fold over all ranks of element first + i. */
TEST_UNUSED static void ranks_fold(const rank_arrays *in, size_t first, size_t n, hd_type type,
                                   hd_reduce_op op, unsigned char *to)
{
    const size_t size = hd_type_bytes(type);
    const int is_real = type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;

    for (size_t i = 0; i < n; i++) {
        const size_t at = (first + i) * size;
        if (is_real) {
            double sum = ranks_real(in->host[0] + at, type);
            for (unsigned r = 1; r < in->count; r++)
                sum = ranks_step(sum, ranks_real(in->host[r] + at, type), type, op);
            if (in->count == 1)
                memcpy(to + i * size, in->host[0] + at, size);
            else
                ranks_put(to + i * size, type, sum);
        } else {
            uint64_t sum = ranks_integer(in->host[0] + at, size);
            for (unsigned r = 1; r < in->count; r++)
                sum = ranks_combine(sum, ranks_integer(in->host[r] + at, size), type, op);
            memcpy(to + i * size, &sum, size);
        }
    }
}

TEST_UNUSED static unsigned ranks_devices(void)
{
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    return count < RANKS ? (unsigned)count : RANKS;
}

/* Where there are few GPUs four ranks share them. */
TEST_UNUSED static unsigned ranks_count(void)
{
    const unsigned devices = ranks_devices();

    hd__group_shared = strcmp(hd_backend_name(), "cpu") != 0 && devices < FEW_RANKS;
    return hd__group_shared ? FEW_RANKS : devices;
}

/* A group of the first `count` devices, or of all, in an order that is not theirs. */
TEST_UNUSED static hd_group *ranks_group(unsigned count, const hd_group_options *options)
{
    const unsigned present = ranks_devices();
    int devices[RANKS];
    hd_group *group = NULL;

    for (unsigned r = 0; r < count; r++)
        devices[r] = (int)((r + 1) % count % present);
    CHECK_STATUS(hd_group_create(devices, count, options, &group), HD_OK);
    return group;
}

#endif
