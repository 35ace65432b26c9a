/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* test_pure_math.c - log, exp, sine, cosine, square root and probit of pure_math.h against wider
   arithmetic, and whole normals. HEDDLE_TEST_EXHAUSTIVE=1 looks at every float, of the probit
   at every 211th word (25 minutes);
   else at one in a few hundred and at all where the results are near 0. */
#include "arrays.h"

#include <float.h>

#include <heddle/device/random_kernel.h>

static uint32_t stride(uint32_t usual)
{
    return getenv("HEDDLE_TEST_EXHAUSTIVE") ? 1 : usual * (uint32_t)test_watched(1, 10);
}

/* Distance in units of the last place that the exact value has in a type of `digits` bits whose
   smallest normal number is 2^least. */
static double ulp(long double got, long double exact, int digits, int least)
{
    int exponent;
    if (got == exact)
        return 0.0;
    (void)frexpl(exact, &exponent);
    if (exponent < least + 1)
        exponent = least + 1;
    return (double)ldexpl(fabsl(got - exact), digits - exponent);
}

static double ulp32(float got, long double exact)
{
    return ulp((long double)got, exact, 24, -126);
}

static double ulp64(double got, long double exact)
{
    return ulp((long double)got, exact, 53, -1022);
}

static void worst(double *most, double error)
{
    if (!(error <= *most))
        *most = error;
}

/* sin(pi x) and cos(pi x) of |x| <= 1/2 or little more, without losing the zeros. */
static long double sine_pi(long double x)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    return fabsl(x) <= 0.25L ? sinl(pi * x) : copysignl(cosl(pi * (0.5L - fabsl(x))), x);
}

static long double cosine_pi(long double x)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    return fabsl(x) <= 0.25L ? cosl(pi * x) : sinl(pi * (0.5L - fabsl(x)));
}

/* ---- f32 ------------------------------------------------------------------------------------- */

TEST(log_f32)
{
    double most = 0;
    for (uint32_t bits = 1; bits < 0x7f800000u; bits += stride(1009)) {
        const float x = hd_f32_from_bits(bits);
        worst(&most, ulp32(hd_pure_log_f32(x), logl((long double)x)));
    }
    for (uint32_t bits = 0x3f000000u; bits < 0x40000000u; bits += stride(7)) {
        const float x = hd_f32_from_bits(bits);
        worst(&most, ulp32(hd_pure_log_f32(x), logl((long double)x)));
    }
    NOTE("log f32: %.3f ulp", most);
    CHECK(most <= 1.14);
    CHECK_EQ_F32_BITS(hd_pure_log_f32(1.0f), 0.0f);
    CHECK_EQ_F32_BITS(hd_pure_log_f32(0.0f), -INFINITY);
    CHECK_EQ_F32_BITS(hd_pure_log_f32(-0.0f), -INFINITY);
    CHECK_EQ_F32_BITS(hd_pure_log_f32(INFINITY), INFINITY);
    CHECK(isnan(hd_pure_log_f32(-1.0f)) && isnan(hd_pure_log_f32(NAN)));
}

TEST(exp_f32)
{
    double most = 0;
    for (uint32_t bits = 0; bits < 0x42d40000u; bits += stride(1009))
        for (int sign = -1; sign <= 1; sign += 2) {
            const float x = (float)sign * hd_f32_from_bits(bits);
            if (x < 88.7228f)
                worst(&most, ulp32(hd_pure_exp_f32(x), expl((long double)x)));
        }
    NOTE("exp f32: %.3f ulp", most);
    CHECK(most <= 1.04);
    CHECK_EQ_F32_BITS(hd_pure_exp_f32(0.0f), 1.0f);
    CHECK_EQ_F32_BITS(hd_pure_exp_f32(89.0f), INFINITY);
    CHECK_EQ_F32_BITS(hd_pure_exp_f32(-INFINITY), 0.0f);
    CHECK(isnan(hd_pure_exp_f32(NAN)));
}

TEST(sincospi_f32)
{
    double most = 0, sine_max = 0;
    for (uint32_t bits = 0x20000000u; bits <= 0x3f000000u; bits += stride(997))
        for (int sign = -1; sign <= 1; sign += 2) {
            const float x = (float)sign * hd_f32_from_bits(bits);
            float s, c, s2, c2;
            hd_pure_sincospi_f32(x, &s, &c);
            worst(&sine_max, ulp32(s, sine_pi((long double)x)));
            worst(&most, ulp32(c, cosine_pi((long double)x)));
            hd_pure_sincospi_f32(x + 8.0f, &s2, &c2); /* whole turns change nothing */
            if (fabsf(x) > 0.25f && x + 8.0f - 8.0f == x)
                CHECK(s2 == s && c2 == c);
        }
    NOTE("sine, cosine f32: %.3f, %.3f ulp", sine_max, most);
    CHECK(sine_max <= 1.61 && most <= 1.61);
}

TEST(square_root_f32)
{
    for (uint32_t bits = 0x3f800000u; bits < 0x40800000u; bits += stride(101)) {
        const float x = hd_f32_from_bits(bits);
        if (!CHECK_EQ_F32_BITS(hd_sqrt_normal_f32(x), sqrtf(x)))
            return;
    }
}

/* Newton's step from the result with erfc tells how far the exact value is. */
TEST(probit_f32)
{
    double most = 0;
    const uint32_t apart = stride(20011) > 1 ? stride(20011) : 211; /* erfc is slow */
    for (uint64_t word = 0; word < 0x80000000u; word += apart) {
        const float z = hd_pure_probit_f32((uint32_t)word);
        const long double p = ((long double)word + 0.5L) * 0x1p-32L;
        long double exact = (long double)z;
        for (int i = 0; i < 2; i++)
            exact -= (erfcl(-exact * 0.70710678118654752440L) / 2 - p) /
                     (expl(-exact * exact / 2) * 0.39894228040143267794L);
        worst(&most, ulp32(z, exact));
        if (!CHECK_EQ_F32_BITS(hd_pure_probit_f32(~(uint32_t)word), -z))
            return;
    }
    NOTE("probit f32: %.3f ulp", most);
    CHECK(most <= 6.0);
}

/* The larger of each pair is looked at as a value, the smaller too: both are products of a radius
   and a sine or cosine. */
TEST(normals_f32)
{
    double most = 0;
    uint64_t state = 1;
    for (int i = 0; i < (int)test_watched(300000, 3000); i++) {
        const uint64_t r = test_next(&state);
        const uint32_t a = i % 16 ? (uint32_t)r : (uint32_t)r >> r % 32, b = (uint32_t)(r >> 32);
        const long double twice = (long double)__builtin_fmaf((float)a, 0x1.fffffep-32f, 0x1p-31f);
        const long double radius = sqrtl(-2.0L * logl(twice / 2)) * (b & 1 ? -1 : 1);
        const long double turn = (long double)hd__normal_turn_f32(b) / 2;
        const long double s = radius * sine_pi(turn), c = radius * cosine_pi(turn);
        float z0, z1;
        hd_normal_pair_f32(a, b, &z0, &z1);
        worst(&most, ulp32(z0, b & 2 ? s : c));
        worst(&most, ulp32(z1, b & 2 ? c : s));
    }
    NOTE("normals f32: %.3f ulp", most);
    CHECK(most <= 4.6);
}

/* ---- f64 ------------------------------------------------------------------------------------- */

/* Numbers of all magnitudes, or around 1. */
static double sample(uint64_t *state, int i)
{
    const uint64_t r = test_next(state);
    const uint64_t exponent = i % 3 == 0 ? 1 + (r >> 1) % 2045 : 1022 + (r & 1);
    return hd_f64_from_bits(r >> 12 | exponent << 52);
}

TEST(functions_f64)
{
    double log_max = 0, exp_max = 0, sine_max = 0, cosine_max = 0;
    uint64_t state = 7;
    if (LDBL_MANT_DIG < 64)
        SKIP("long double is no wider than double");
    for (int i = 0;
         i < (int)(getenv("HEDDLE_TEST_EXHAUSTIVE") ? 20000000 : test_watched(200000, 2000)); i++) {
        const double x = sample(&state, i);
        const double y = (double)(int64_t)test_next(&state) * 0x1p-63 * (i % 2 ? 0.5 : 708.0);
        double s, c;
        worst(&log_max, ulp64(hd_pure_log_f64(x), logl((long double)x)));
        worst(&exp_max, ulp64(hd_pure_exp_f64(y), expl((long double)y)));
        hd_pure_sincospi_f64(y * (i % 2 ? 1 : 0x1p-20), &s, &c);
        worst(&sine_max, ulp64(s, sine_pi((long double)(y * (i % 2 ? 1 : 0x1p-20)))));
        worst(&cosine_max, ulp64(c, cosine_pi((long double)(y * (i % 2 ? 1 : 0x1p-20)))));
    }
    NOTE("f64: log %.3f, exp %.3f, sine %.3f, cosine %.3f ulp", log_max, exp_max, sine_max,
         cosine_max);
    CHECK(log_max <= 1.3 && exp_max <= 1.0);
    CHECK(sine_max <= 1.5 && cosine_max <= 1.5);
    CHECK_EQ_F64_BITS(hd_pure_log_f64(0.0), -(double)INFINITY);
    CHECK_EQ_F64_BITS(hd_pure_log_f64(1.0), 0.0);
    CHECK_NEAR(hd_pure_log_f64(0x1p-1074), -744.4400719213812, 2e-13);
    CHECK_EQ_F64_BITS(hd_pure_exp_f64(-745.1), 0x1p-1074);
    CHECK_EQ_F64_BITS(hd_pure_exp_f64(711.0), (double)INFINITY);
    CHECK_EQ_F64_BITS(hd_pure_exp_f64(-747.0), 0.0);
    CHECK(isnan(hd_pure_log_f64(-1.0)) && isnan(hd_pure_exp_f64((double)NAN)));
}

TEST(normals_f64)
{
    double most = 0;
    uint64_t state = 3;
    if (LDBL_MANT_DIG < 64)
        SKIP("long double is no wider than double");
    for (int i = 0; i < (int)test_watched(100000, 1000); i++) {
        const uint64_t a = test_next(&state), b = test_next(&state);
        const double u = __builtin_fma((double)a, 0x1.fffffffffffffp-65, 0x1p-65);
        const long double radius = sqrtl(-2.0L * logl((long double)u));
        const long double turn = (long double)(double)(int64_t)(b * 4u + 2u) * 0x1p-65L;
        const long double s = radius * sine_pi(turn);
        const long double c = radius * cosine_pi(turn) * (b >> 63 ? -1 : 1);
        double z0, z1;
        hd_normal_pair_f64(a, b, &z0, &z1);
        worst(&most, ulp64(z0, b >> 62 & 1 ? s : c));
        worst(&most, ulp64(z1, b >> 62 & 1 ? c : s));
    }
    NOTE("normals f64: %.3f ulp", most);
    CHECK(most <= 4.0);
}

TEST_MAIN
