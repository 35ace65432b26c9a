/* SPDX-License-Identifier: Apache-2.0 */
/* half_model.h - binary16 and bfloat16 from their definition, in binary64: the nearest multiple of
   the step at that magnitude, ties to the even one. Shared by the tests of half.h. */
#ifndef HEDDLE_TESTS_HALF_MODEL_H
#define HEDDLE_TESTS_HALF_MODEL_H

#include <heddle/types.h>
#include <math.h>

#include "half_kernels.h"
#include "rig.h"

typedef struct half_format {
    const char *name;
    int fraction_bits, least_exponent; /* of normal numbers */
    double beyond;                     /* 2 to the greatest exponent, times 2 */
    uint16_t infinity, nan;
    hd_status (*narrow)(hd_launch_config, size_t, const uint32_t *, uint16_t *);
    hd_status (*integers)(hd_launch_config, size_t, const uint32_t *, uint16_t *);
    hd_status (*widen)(hd_launch_config, size_t, const uint16_t *, uint32_t *);
    hd_status (*arithmetic)(hd_launch_config, size_t, const uint16_t *, const uint16_t *,
                            const uint16_t *, uint16_t *);
    hd_status (*pairs)(hd_launch_config, size_t, const uint16_t *, const uint16_t *,
                       const uint16_t *, uint16_t *);
    uint16_t (*host_narrow)(float);
    float (*host_widen)(uint16_t);
} half_format;

#define LAUNCHERS(f)                                                                               \
    static hd_status f##_run_narrow(hd_launch_config c, size_t n, const uint32_t *in,              \
                                    uint16_t *out)                                                 \
    {                                                                                              \
        return hd_launch(f##_narrow, c, n, in, out);                                               \
    }                                                                                              \
    static hd_status f##_run_integers(hd_launch_config c, size_t n, const uint32_t *in,            \
                                      uint16_t *out)                                               \
    {                                                                                              \
        return hd_launch(f##_integers, c, n, in, out);                                             \
    }                                                                                              \
    static hd_status f##_run_widen(hd_launch_config c, size_t n, const uint16_t *in,               \
                                   uint32_t *out)                                                  \
    {                                                                                              \
        return hd_launch(f##_widen, c, n, in, out);                                                \
    }                                                                                              \
    static hd_status f##_run_arithmetic(hd_launch_config cfg, size_t n, const uint16_t *a,         \
                                        const uint16_t *b, const uint16_t *c, uint16_t *out)       \
    {                                                                                              \
        return hd_launch(f##_arithmetic, cfg, n, a, b, c, out);                                    \
    }                                                                                              \
    static hd_status f##_run_pairs(hd_launch_config cfg, size_t n, const uint16_t *a,              \
                                   const uint16_t *b, const uint16_t *c, uint16_t *out)            \
    {                                                                                              \
        return hd_launch(f##_pairs, cfg, n, a, b, c, out);                                         \
    }                                                                                              \
    static uint16_t f##_host_narrow(float x)                                                       \
    {                                                                                              \
        return hd_##f##_bits(hd_##f##_from_f32(x));                                                \
    }                                                                                              \
    static float f##_host_widen(uint16_t bits)                                                     \
    {                                                                                              \
        return hd_##f##_to_f32(hd_##f##_from_bits(bits));                                          \
    }
LAUNCHERS(f16)
LAUNCHERS(bf16)

static const half_format formats[2] = {
    {"f16", 10, -14, 65536.0, 0x7c00, 0x7e00, f16_run_narrow, f16_run_integers, f16_run_widen,
     f16_run_arithmetic, f16_run_pairs, f16_host_narrow, f16_host_widen},
    {"bf16", 7, -126, 0x1p128, 0x7f80, 0x7fc0, bf16_run_narrow, bf16_run_integers, bf16_run_widen,
     bf16_run_arithmetic, bf16_run_pairs, bf16_host_narrow, bf16_host_widen},
};

/* The number that the bits stand for. */
static double decode(const half_format *f, uint16_t bits)
{
    int exponent = (bits & 0x7fff) >> f->fraction_bits;
    int fraction = bits & ((1 << f->fraction_bits) - 1);
    double value;

    if ((bits & 0x7fff) >= f->infinity)
        value = fraction != 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, f->least_exponent - f->fraction_bits);
    else
        value = ldexp(fraction + (1 << f->fraction_bits),
                      f->least_exponent - f->fraction_bits + exponent - 1);
    return bits & 0x8000 ? -value : value;
}

/* Rounds value + rest, where |rest| is far below the last place of value (0: exact). */
static uint16_t encode(const half_format *f, double value, double rest)
{
    double magnitude = fabs(value), steps, whole, part;
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    int exponent;

    if (isnan(value))
        return f->nan;
    if (isinf(value))
        return sign | f->infinity;
    if (value == 0)
        return sign;
    frexp(magnitude, &exponent);
    exponent = exponent - 1 < f->least_exponent ? f->least_exponent : exponent - 1;
    steps = ldexp(magnitude, f->fraction_bits - exponent);
    whole = floor(steps);
    part = steps - whole;
    rest = signbit(value) ? -rest : rest;
    if (part > 0.5 || (part == 0.5 && (rest > 0 || (rest == 0 && fmod(whole, 2) != 0))))
        whole += 1;
    if (ldexp(whole, exponent - f->fraction_bits) >= f->beyond)
        return sign | f->infinity;
    /* Carries move into the exponent by themselves. */
    return (uint16_t)(sign + ((exponent - f->least_exponent) << f->fraction_bits) + (int)whole);
}

TEST_UNUSED static void check_bits(const half_format *f, const char *what, uint32_t operand,
                                   uint32_t got, uint32_t expected)
{
    if (got != expected)
        test_fail(__FILE__, __LINE__, "%s %s of 0x%x: 0x%x against 0x%x", f->name, what, operand,
                  got, expected);
}

static uint16_t model_extreme(const half_format *f, uint16_t a, uint16_t b, int want_max)
{
    double x = decode(f, a), y = decode(f, b);

    if (isnan(x) || isnan(y))
        return f->nan;
    if (x == y) /* zeros: the one with the sign is smaller */
        return want_max ? (a & 0x8000 ? b : a) : (a & 0x8000 ? a : b);
    return (x < y) != want_max ? a : b;
}

/* Quotients: binary64 first is harmless here, 53 bits >= 2 * 11 + 2, and no midpoint is near. */
static uint16_t model(const half_format *f, int op, uint16_t a, uint16_t b, uint16_t c)
{
    double x = decode(f, a), y = decode(f, b), z = decode(f, c), sum, back;

    switch (op) {
    case HALF_ADD:
    case HALF_SUB:
    case HALF_OP_ADD:
    case HALF_OP_SUB:
        y = op == HALF_SUB || op == HALF_OP_SUB ? -y : y;
        z = y;
        y = 1.0;
        break;
    case HALF_MUL:
    case HALF_OP_MUL:
        return encode(f, x * y, 0.0);
    case HALF_DIV:
    case HALF_OP_DIV:
        return encode(f, x / y, 0.0);
    case HALF_MIN:
    case HALF_MAX:
        return model_extreme(f, a, b, op == HALF_MAX);
    case HALF_NEG:
    case HALF_OP_NEG:
        return isnan(x) ? f->nan : a ^ 0x8000;
    case HALF_ABS:
        return isnan(x) ? f->nan : a & 0x7fff;
    case HALF_LT:
        return x < y;
    case HALF_LE:
        return x <= y;
    case HALF_OP_GT:
        return x > y;
    case HALF_OP_NE:
        return x != y;
    case HALF_EQ:
        return x == y;
    default:
        break;
    }
    x *= y; /* exact */
    sum = x + z;
    back = sum - x;
    return encode(f, sum, isfinite(sum) ? (x - (sum - back)) + (z - back) : 0.0);
}

#endif
