/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_reference.h - reductions by a scalar program, written from docs/reductions.md alone; it
   shares no code with the kernels. Floats are computed in double and rounded to the accumulation
   type after each operation, which for +, * and sqrt of f32 is the same as computing in f32. */
#ifndef HEDDLE_TESTS_REDUCE_REFERENCE_H
#define HEDDLE_TESTS_REDUCE_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 ref_i128;
__extension__ typedef unsigned __int128 ref_u128;

/* What is reduced: type as "u8" ... "f64", op as "sum" ... "norminf" or "dot". `map` is what is
   done to an element first: '1' |x|, '2' x * x, 'd' x * y, else nothing. */
typedef struct ref_input {
    const void *x;
    const void *y;
    size_t n;
    const char *type;
    const char *op;
    size_t size; /* bytes of an element */
    char map;
    char times;  /* products, not sums */
    char narrow; /* accumulates in f32 */
} ref_input;

static int ref_is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static int ref_is_float(const ref_input *in)
{
    return in->type[0] == 'f';
}

static size_t ref_size(const ref_input *in)
{
    return in->size;
}

static double ref_half(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    double v;
    if (exponent == 31)
        v = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        v = ldexp(fraction, -24);
    else
        v = ldexp(1024 + fraction, exponent - 25);
    return h >> 15 ? -v : v;
}

static ref_i128 ref_int(const ref_input *in, const void *array, size_t i)
{
    const unsigned char *at = (const unsigned char *)array + i * ref_size(in);
    const unsigned bits = (unsigned)(8 * ref_size(in));
    uint64_t raw = 0;
    memcpy(&raw, at, ref_size(in));
    if (in->type[0] == 'i' && raw >> (bits - 1))
        return (ref_i128)raw - ((ref_i128)1 << bits);
    return raw;
}

static double ref_real(const ref_input *in, const void *array, size_t i)
{
    if (!ref_is_float(in))
        return (double)ref_int(in, array, i);
    if (in->size == 2)
        return ref_half(((const uint16_t *)array)[i]);
    if (in->size == 4)
        return ((const float *)array)[i];
    return ((const double *)array)[i];
}

/* One rounding to the accumulation type. */
static double ref_round(const ref_input *in, double v)
{
    return in->narrow ? (double)(float)v : v;
}

static double ref_mapped(const ref_input *in, size_t i)
{
    const double v = ref_real(in, in->x, i);
    if (in->map == '1')
        return fabs(v);
    if (in->map == '2')
        return ref_round(in, v * v);
    if (in->map == 'd')
        return ref_round(in, v * ref_real(in, in->y, i));
    return v;
}

static double ref_join(const ref_input *in, double a, double b)
{
    return ref_round(in, in->times ? a * b : a + b);
}

/* fold() of the page. Elements first ... first + count - 1, mapped, where `partials` is NULL. */
static double ref_fold(const ref_input *in, const double *partials, size_t first, size_t count,
                       size_t columns)
{
    double *s = malloc(columns * sizeof *s), result;
    char *there = calloc(columns, 1);
    for (size_t c = 0; c < columns; c++) {
        for (size_t i = c; i < count; i += columns) {
            const double v = partials ? partials[first + i] : ref_mapped(in, first + i);
            s[c] = there[c] ? ref_join(in, s[c], v) : v;
            there[c] = 1;
        }
    }
    for (size_t stride = 1; stride < columns; stride *= 2)
        for (size_t c = 0; c < columns; c += 2 * stride)
            if (there[c + stride])
                s[c] = ref_join(in, s[c], s[c + stride]);
    result = s[0];
    free(s);
    free(there);
    return result;
}

static size_t ref_tile(const ref_input *in)
{
    const uint64_t bytes = (uint64_t)in->n * ref_size(in);
    uint64_t r = 4;
    while (r < 64 && bytes > r << 20)
        r *= 2;
    if (bytes > (uint64_t)1 << 29)
        r = 32;
    while (bytes > r << 27)
        r *= 2;
    return (size_t)(r * (4096 / ref_size(in)));
}

/* Sums and products of floats. */
static double ref_ordered(const ref_input *in)
{
    const size_t tile = ref_tile(in), tiles = in->n / tile + (in->n % tile != 0);
    double *partials, result;
    if (in->n == 0)
        return ref_is(in->op, "prod") ? 1 : 0;
    partials = malloc(tiles * sizeof *partials);
    for (size_t i = 0; i < tiles; i++) {
        const size_t left = in->n - i * tile;
        partials[i] = ref_fold(in, NULL, i * tile, left < tile ? left : tile, 4096 / ref_size(in));
    }
    result = ref_fold(in, partials, 0, tiles, 256);
    free(partials);
    return ref_is(in->op, "norm2") ? ref_round(in, sqrt(result)) : result;
}

/* Whether element a comes before element b as the extreme value (lower, for min). */
static int ref_before(const ref_input *in, double a, double b, int lowest, int zeros_equal)
{
    (void)in;
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b);
    if (a == b && a == 0 && !zeros_equal)
        return lowest ? signbit(a) && !signbit(b) : signbit(b) && !signbit(a);
    return lowest ? a < b : a > b;
}

static size_t ref_extreme_float(const ref_input *in, int lowest, int zeros_equal, int absolute)
{
    size_t best = 0;
    for (size_t i = 1; i < in->n; i++) {
        double a = ref_real(in, in->x, i), b = ref_real(in, in->x, best);
        if (absolute) {
            a = fabs(a);
            b = fabs(b);
        }
        if (ref_before(in, a, b, lowest, zeros_equal))
            best = i;
    }
    return best;
}

static size_t ref_extreme_int(const ref_input *in, int lowest)
{
    size_t best = 0;
    for (size_t i = 1; i < in->n; i++) {
        const ref_i128 a = ref_int(in, in->x, i), b = ref_int(in, in->x, best);
        if (lowest ? a < b : a > b)
            best = i;
    }
    return best;
}

static ref_u128 ref_absolute(ref_i128 v)
{
    return v < 0 ? (ref_u128)-v : (ref_u128)v;
}

/* Exact integer results, modulo 2^128. */
static ref_u128 ref_exact(const ref_input *in)
{
    ref_u128 s = ref_is(in->op, "prod") ? 1 : 0;
    const int largest = ref_is(in->op, "norminf");
    for (size_t i = 0; i < in->n; i++) {
        const ref_i128 v = ref_int(in, in->x, i);
        if (largest)
            s = ref_absolute(v) > s ? ref_absolute(v) : s;
        else if (in->times)
            s *= (ref_u128)v;
        else if (in->map == '1')
            s += ref_absolute(v);
        else if (in->map == '2')
            s += ref_absolute(v) * ref_absolute(v);
        else if (in->map == 'd')
            s += (ref_u128)v * (ref_u128)ref_int(in, in->y, i);
        else
            s += (ref_u128)v;
    }
    return s;
}

/* Stores a float result in its type, NaN as the canonical one; returns its bytes. */
static size_t ref_store_real(const ref_input *in, double v, void *result)
{
    if (in->narrow) {
        const float f = (float)v;
        const uint32_t nan_bits = 0x7fc00000u;
        memcpy(result, isnan(v) ? (const void *)&nan_bits : (const void *)&f, 4);
        return 4;
    }
    const uint64_t nan_bits = 0x7ff8000000000000u;
    memcpy(result, isnan(v) ? (const void *)&nan_bits : (const void *)&v, 8);
    return 8;
}

static size_t ref_float_result(const ref_input *in, void *result)
{
    const int arg = strncmp(in->op, "arg", 3) == 0, norminf = ref_is(in->op, "norminf");
    const int lowest = strstr(in->op, "min") != NULL;
    if (norminf && in->n == 0)
        return ref_store_real(in, 0, result);
    if (arg || norminf || ref_is(in->op, "min") || ref_is(in->op, "max")) {
        const uint64_t at = ref_extreme_float(in, lowest && !norminf, arg, norminf);
        double v = ref_real(in, in->x, at);
        if (norminf)
            v = fabs(v);
        if (!arg)
            return ref_store_real(in, v, result);
        memset(result, 0, 16);
        memcpy(result, &at, 8);
        (void)ref_store_real(in, v + 0.0, (char *)result + 8);
        return 16;
    }
    return ref_store_real(in, ref_ordered(in), result);
}

static size_t ref_store_u64(ref_u128 v, void *result)
{
    const uint64_t low = (uint64_t)v;
    memcpy(result, &low, 8);
    return 8;
}

static size_t ref_int_result(const ref_input *in, void *result)
{
    const int arg = strncmp(in->op, "arg", 3) == 0;
    const int lowest = strstr(in->op, "min") != NULL;
    double v;
    if (arg || ref_is(in->op, "min") || ref_is(in->op, "max")) {
        const uint64_t at = ref_extreme_int(in, lowest);
        const ref_u128 value = (ref_u128)ref_int(in, in->x, at);
        if (!arg)
            return ref_store_u64(value, result);
        memcpy(result, &at, 8);
        (void)ref_store_u64(value, (char *)result + 8);
        return 16;
    }
    if (ref_is(in->op, "norm2") && ref_size(in) == 8)
        v = ref_ordered(in);
    else if (strncmp(in->op, "norm", 4) == 0)
        v = ref_is(in->op, "norm2") ? sqrt((double)ref_exact(in)) : (double)ref_exact(in);
    else {
        const ref_u128 s = ref_exact(in);
        const size_t wide_from = ref_is(in->op, "dot") ? 4 : ref_is(in->op, "sum") ? 8 : 16;
        memcpy(result, &s, ref_size(in) >= wide_from ? 16 : 8);
        return ref_size(in) >= wide_from ? 16 : 8;
    }
    memcpy(result, &v, 8);
    return 8;
}

/* Writes the result as hd_reduce does and returns its bytes, at most 16. */
static size_t ref_reduce(const void *x, const void *y, size_t n, const char *type, const char *op,
                         void *result)
{
    ref_input in = {x, y, n, type, op, (size_t)atoi(type + 1) / 8, 0, 0, 0};
    in.map = (char)(ref_is(op, "norm1")   ? '1'
                    : ref_is(op, "norm2") ? '2'
                    : ref_is(op, "dot")   ? 'd'
                                          : 0);
    in.times = (char)ref_is(op, "prod");
    in.narrow = type[0] == 'f' && in.size < 8;
    return ref_is_float(&in) ? ref_float_result(&in, result) : ref_int_result(&in, result);
}

#endif
