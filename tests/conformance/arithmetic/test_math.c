/* SPDX-License-Identifier: Apache-2.0 */
/* test_math.c - math functions against the host's long double library, intrinsics against loops. */
#include <math.h>

#include "math_kernels.h"
#include "rig.h"

typedef struct math_function {
    const char *name;
    long double (*reference)(long double);
    double low, high, bound32, bound64;
} math_function;

static long double rsqrtl(long double x)
{
    return 1.0L / sqrtl(x);
}

#define ROW(name, low, high, bound32, bound64) {#name, name##l, low, high, bound32, bound64},
static const math_function functions[] = {MATH_LIST(ROW)};

/* Distance of got from the exact value in units of the last place of a type with `bits` bits. */
static double ulps(double got, long double exact, int bits, int least_exponent)
{
    int exponent = exact == 0 ? least_exponent : ilogbl(exact);

    if (isnan(got) || isnan(exact))
        return isnan(got) && isnan(exact) ? 0.0 : (double)INFINITY;
    if (isinf(got) || isinf(exact))
        return (long double)got == exact ? 0.0 : (double)INFINITY;
    if (exponent < least_exponent)
        exponent = least_exponent;
    return (double)fabsl(ldexpl((long double)got - exact, bits - 1 - exponent));
}

/* Within [low, high]; geometric where both are positive and far apart. */
static double argument(const math_function *f, uint64_t *seed)
{
    double u = (double)(rig_random(seed) >> 11) * 0x1p-53;

    if (f->low >= 0 && f->high > 1e6)
        return exp(log(1e-30) + u * (log(f->high) - log(1e-30)));
    if (rig_random(seed) % 8 == 0) /* halves, for rounding */
        return floor(f->low + u * (f->high - f->low)) + 0.5;
    return f->low + u * (f->high - f->low);
}

TEST(functions_f32)
{
    size_t n = rig_size(20000, 500), i;
    float *in = rig_host(MATH_ROWS * n * sizeof *in), *out = rig_host(MATH_ROWS * n * sizeof *out);
    double worst, error;
    uint64_t seed = 1;
    void *d_in, *d_out;
    int r;

    rig_open();
    for (r = 0; r < MATH_ROWS; r++)
        for (i = 0; i < n; i++)
            in[(size_t)r * n + i] = (float)argument(&functions[r], &seed);
    d_in = rig_upload(in, MATH_ROWS * n * sizeof *in);
    d_out = rig_zeroed(MATH_ROWS * n * sizeof *out);
    MUST(hd_launch(math_f32, hd_launch_loop(n, 128, rig_stream), n, (const float *)d_in,
                   (float *)d_out));
    rig_download(out, d_out, MATH_ROWS * n * sizeof *out);
    for (r = 0; r < MATH_ROWS; r++) {
        for (i = 0, worst = 0; i < n; i++) {
            size_t at = (size_t)r * n + i;
            long double exact = functions[r].reference((long double)in[at]);
            exact = functions[r].bound32 == 0 ? (long double)(float)exact : exact;
            error = ulps((double)out[at], exact, 24, -126);
            worst = error > worst ? error : worst;
        }
        if (!CHECK(worst <= functions[r].bound32))
            NOTE("%s f32: %.3f ulp, bound %.1f", functions[r].name, worst, functions[r].bound32);
    }
    rig_drop(d_in);
    rig_drop(d_out);
    free(in);
    free(out);
}

TEST(functions_f64)
{
    size_t n = rig_size(20000, 500), i;
    double *in = rig_host(MATH_ROWS * n * sizeof *in), *out = rig_host(MATH_ROWS * n * sizeof *out);
    double worst, error;
    uint64_t seed = 2;
    void *d_in, *d_out;
    int r;

    rig_open();
    for (r = 0; r < MATH_ROWS; r++)
        for (i = 0; i < n; i++)
            in[(size_t)r * n + i] = argument(&functions[r], &seed);
    d_in = rig_upload(in, MATH_ROWS * n * sizeof *in);
    d_out = rig_zeroed(MATH_ROWS * n * sizeof *out);
    MUST(hd_launch(math_f64, hd_launch_loop(n, 128, rig_stream), n, (const double *)d_in,
                   (double *)d_out));
    rig_download(out, d_out, MATH_ROWS * n * sizeof *out);
    for (r = 0; r < MATH_ROWS; r++) {
        for (i = 0, worst = 0; i < n; i++) {
            size_t at = (size_t)r * n + i;
            long double exact = functions[r].reference((long double)in[at]);
            /* The square root rounds twice on the way through long double; binary64's own once. */
            exact = functions[r].bound64 == 0 ? (long double)(double)exact : exact;
            exact = functions[r].reference == sqrtl ? (long double)sqrt(in[at]) : exact;
            error = ulps(out[at], exact, 53, -1022);
            worst = error > worst ? error : worst;
        }
        if (!CHECK(worst <= functions[r].bound64))
            NOTE("%s f64: %.3f ulp, bound %.1f", functions[r].name, worst, functions[r].bound64);
    }
    rig_drop(d_in);
    rig_drop(d_out);
    free(in);
    free(out);
}

/* The fast forms: stated as relative error 2^-20 (exp, growing with |x|) and absolute error 2^-20
   (log near 1, sin and cos in [-pi, pi]). */
TEST(fast_functions)
{
    enum { N = 4000 };
    float in[FAST_ROWS * N], out[FAST_ROWS * N];
    uint64_t seed = 3;
    void *d_in, *d_out;
    int r, i;

    rig_open();
    for (r = 0; r < FAST_ROWS; r++)
        for (i = 0; i < N; i++) {
            double u = (double)(rig_random(&seed) >> 11) * 0x1p-53;
            in[r * N + i] = (float)(r == FAST_EXP   ? u * 20 - 10
                                    : r == FAST_LOG ? exp(u * 20 - 10)
                                                    : u * 6.28 - 3.14);
        }
    d_in = rig_upload(in, sizeof in);
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(math_fast, hd_launch_loop(N, 128, rig_stream), (size_t)N, (const float *)d_in,
                   (float *)d_out));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < N; i++) {
        double x = (double)in[FAST_LOG * N + i];
        CHECK_NEAR(out[FAST_EXP * N + i] / exp((double)in[FAST_EXP * N + i]), 1.0, 0x1p-19);
        CHECK_NEAR(out[FAST_LOG * N + i], log(x), 0x1p-19 + fabs(log(x)) * 0x1p-21);
        CHECK_NEAR(out[FAST_SIN * N + i], sin((double)in[FAST_SIN * N + i]), 0x1p-19);
        CHECK_NEAR(out[FAST_COS * N + i], cos((double)in[FAST_COS * N + i]), 0x1p-19);
    }
    rig_drop(d_in);
    rig_drop(d_out);
}

static const long double pi = 3.14159265358979323846264338327950288L;

/* sin(pi x) with the argument reduced exactly first. */
static long double sinpi_reference(long double x, int cosine)
{
    long double r = fmodl(x, 2.0L) + (cosine ? 0.5L : 0.0L);

    r = fmodl(r, 2.0L);
    if (r > 1.0L)
        r -= 2.0L;
    if (r < -1.0L)
        r += 2.0L;
    if (r == 1.0L || r == -1.0L || r == 0.0L)
        return 0.0L;
    if (r > 0.5L)
        r = 1.0L - r;
    if (r < -0.5L)
        r = -1.0L - r;
    return sinl(pi * r);
}

#define BINARY_TEST(suffix, type, bits, least, fma_of, bound)                                      \
    TEST(functions_of_several_arguments_##suffix)                                                  \
    {                                                                                              \
        enum { N = 4000 };                                                                         \
        static type a[N], b[N], c[N], out[BINARY_ROWS * N];                                        \
        uint64_t seed = 4;                                                                         \
        void *d_a, *d_b, *d_c, *d_out;                                                             \
        double worst[BINARY_ROWS] = {0};                                                           \
        int i, r;                                                                                  \
        rig_open();                                                                                \
        for (i = 0; i < N; i++) {                                                                  \
            a[i] = (type)((double)(rig_random(&seed) >> 11) * 0x1p-53 * 20 - 10);                  \
            b[i] = (type)((double)(rig_random(&seed) >> 11) * 0x1p-53 * 20 - 10);                  \
            c[i] = i % 2 ? -a[i] * b[i] : (type)(rig_random(&seed) % 1000);                        \
            if (i < 80)                                                                            \
                a[i] = (type)((i - 40) / 4.0);                                                     \
        }                                                                                          \
        d_a = rig_upload(a, sizeof a);                                                             \
        d_b = rig_upload(b, sizeof b);                                                             \
        d_c = rig_upload(c, sizeof c);                                                             \
        d_out = rig_zeroed(sizeof out);                                                            \
        MUST(hd_launch(math_binary_##suffix, hd_launch_loop(N, 128, rig_stream), (size_t)N,        \
                       (const type *)d_a, (const type *)d_b, (const type *)d_c, (type *)d_out));   \
        rig_download(out, d_out, sizeof out);                                                      \
        for (i = 0; i < N; i++) {                                                                  \
            long double exact[BINARY_ROWS];                                                        \
            exact[BINARY_POW] = powl(fabsl((long double)a[i]), (long double)b[i]);                 \
            exact[BINARY_FMA] = (long double)fma_of(a[i], b[i], c[i]);                             \
            exact[BINARY_SIN] = sinpi_reference((long double)a[i], 0);                             \
            exact[BINARY_COS] = sinpi_reference((long double)a[i], 1);                             \
            for (r = 0; r < BINARY_ROWS; r++) {                                                    \
                double error = ulps((double)out[r * N + i], exact[r], bits, least);                \
                worst[r] = error > worst[r] ? error : worst[r];                                    \
            }                                                                                      \
        }                                                                                          \
        CHECK_NEAR(worst[BINARY_POW], 0.0, bound);                                                 \
        CHECK_NEAR(worst[BINARY_FMA], 0.0, 0.0);                                                   \
        CHECK_NEAR(worst[BINARY_SIN], 0.0, 4.0);                                                   \
        CHECK_NEAR(worst[BINARY_COS], 0.0, 4.0);                                                   \
        rig_drop(d_a);                                                                             \
        rig_drop(d_b);                                                                             \
        rig_drop(d_c);                                                                             \
        rig_drop(d_out);                                                                           \
    }
BINARY_TEST(f32, float, 24, -126, fmaf, 16.0)
BINARY_TEST(f64, double, 53, -1022, fma, 16.0)

/* Minimum and maximum by a total order of keys: NaN, then by value with -0 below +0. */
#define MODEL_INTEGER(x, y, want_max) ((want_max) == ((x) > (y)) ? (x) : (y))
#define MODEL_FLOAT(x, y, want_max)                                                                \
    (isnan(x) || isnan(y)        ? NAN                                                             \
     : (x) == 0 && (y) == 0      ? ((want_max) == (signbit(x) != 0) ? (y) : (x))                   \
     : (want_max) == ((x) > (y)) ? (x)                                                             \
                                 : (y))

#define SMALL_TEST(suffix, type, MODEL, ABS, specials)                                             \
    TEST(min_max_abs_clamp_##suffix)                                                               \
    {                                                                                              \
        static const type special[] = specials;                                                    \
        enum { S = sizeof special / sizeof special[0], N = S * S + 500 };                          \
        static type a[N], b[N], c[N], out[SMALL_ROWS * N];                                         \
        uint64_t seed = 5;                                                                         \
        void *d_a, *d_b, *d_c, *d_out;                                                             \
        int i;                                                                                     \
        rig_open();                                                                                \
        for (i = 0; i < N; i++) {                                                                  \
            a[i] = i < S * S ? special[i % S] : (type)rig_random(&seed);                           \
            b[i] = i < S * S ? special[i / S] : (type)rig_random(&seed);                           \
            c[i] = special[i % 3 + i / 3 % 3];                                                     \
        }                                                                                          \
        d_a = rig_upload(a, sizeof a);                                                             \
        d_b = rig_upload(b, sizeof b);                                                             \
        d_c = rig_upload(c, sizeof c);                                                             \
        d_out = rig_zeroed(sizeof out);                                                            \
        MUST(hd_launch(small_##suffix, hd_launch_loop(N, 128, rig_stream), (size_t)N,              \
                       (const type *)d_a, (const type *)d_b, (const type *)d_c, (type *)d_out));   \
        rig_download(out, d_out, sizeof out);                                                      \
        for (i = 0; i < N; i++) {                                                                  \
            type low = (type)MODEL(a[i], b[i], 0), high = (type)MODEL(a[i], b[i], 1);              \
            type size = (type)ABS(a[i]), clamped = c[i] < low ? low : c[i] > high ? high : c[i];   \
            CHECK(memcmp(&out[SMALL_MIN * N + i], &low, sizeof low) == 0);                         \
            CHECK(memcmp(&out[SMALL_MAX * N + i], &high, sizeof high) == 0);                       \
            CHECK(isnan((double)a[i]) ||                                                           \
                  memcmp(&out[SMALL_ABS * N + i], &size, sizeof size) == 0);                       \
            CHECK(isnan((double)low) || out[SMALL_CLAMP * N + i] == clamped);                      \
        }                                                                                          \
        rig_drop(d_a);                                                                             \
        rig_drop(d_b);                                                                             \
        rig_drop(d_c);                                                                             \
        rig_drop(d_out);                                                                           \
    }
#define SPECIAL_SIGNED                                                                             \
    {                                                                                              \
        0, 1, -1, 7, -7, 2147483647, -2147483647                                                   \
    }
#define SPECIAL_UNSIGNED                                                                           \
    {                                                                                              \
        0, 1, 7, 0x7fffffffu, 0x80000000u, 0xffffffffu                                             \
    }
#define SPECIAL_FLOAT                                                                              \
    {                                                                                              \
        0.0f, -0.0f, 1.0f, -1.0f, 1e-40f, -1e-40f, INFINITY, -INFINITY, NAN, -NAN                  \
    }
#define ABS_INTEGER(x) ((x) < 0 ? (uint64_t)0 - (uint64_t)(x) : (uint64_t)(x))
#define ABS_SAME(x) (x)
SMALL_TEST(i32, int32_t, MODEL_INTEGER, ABS_INTEGER, SPECIAL_SIGNED)
SMALL_TEST(u32, uint32_t, MODEL_INTEGER, ABS_SAME, SPECIAL_UNSIGNED)
SMALL_TEST(i64, int64_t, MODEL_INTEGER, ABS_INTEGER, SPECIAL_SIGNED)
SMALL_TEST(u64, uint64_t, MODEL_INTEGER, ABS_SAME, SPECIAL_UNSIGNED)
SMALL_TEST(f32, float, MODEL_FLOAT, fabsf, SPECIAL_FLOAT)
SMALL_TEST(f64, double, MODEL_FLOAT, fabs, SPECIAL_FLOAT)

/* Single bits, runs of bits, their complements, then random numbers. */
static uint64_t pattern(unsigned i, uint64_t *seed)
{
    if (i < 64)
        return (uint64_t)1 << i;
    if (i < 128)
        return (uint64_t)1 << (i - 64) | ((uint64_t)1 << 63 >> (i - 64));
    if (i < 192)
        return ((uint64_t)1 << (i - 128)) - 1;
    if (i < 256)
        return ~(((uint64_t)1 << (i - 192)) - 1);
    return i == 256 ? 0 : i == 257 ? ~(uint64_t)0 : rig_random(seed);
}

/* The upper half of the product by four partial products of half the width. */
static uint64_t model_mulhi(uint64_t a, uint64_t b, unsigned width)
{
    uint64_t half = width / 2, mask = ((uint64_t)1 << half) - 1;
    uint64_t low = (a & mask) * (b & mask), m1 = (a >> half) * (b & mask) + (low >> half);
    uint64_t m2 = (a & mask) * (b >> half) + (m1 & mask);

    return (a >> half) * (b >> half) + (m1 >> half) + (m2 >> half);
}

static void check_intrinsics(const uint64_t *got, uint64_t a, uint64_t b, unsigned width)
{
    uint64_t all = width == 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1, reverse = 0, high;
    unsigned count = 0, lead = width, trail = width, i;

    for (i = 0; i < width; i++) {
        if (!(a >> i & 1))
            continue;
        count++;
        lead = width - 1 - i;
        trail = trail == width ? i : trail;
        reverse |= (uint64_t)1 << (width - 1 - i);
    }
    high = model_mulhi(a, b, width);
    CHECK_EQ_U64(got[BITS_POPCOUNT], count);
    CHECK_EQ_U64(got[BITS_CLZ], lead);
    CHECK_EQ_U64(got[BITS_CTZ], trail);
    CHECK_EQ_U64(got[BITS_REVERSE], reverse);
    CHECK_EQ_U64(got[BITS_MULHI], high);
    /* Reading a as a - 2^width takes b off the upper half, and the same for b. */
    high -= a >> (width - 1) & 1 ? b : 0;
    high -= b >> (width - 1) & 1 ? a : 0;
    CHECK_EQ_U64(got[BITS_MULHI_SIGNED], high & all);
}

TEST(integer_intrinsics)
{
    enum { N = 66000 };
    uint64_t *a = rig_host(N * 8), *b = rig_host(N * 8), *out = rig_host(BITS_ROWS * N * 8);
    uint32_t *a32 = rig_host(N * 4), *b32 = rig_host(N * 4), *out32 = rig_host(BITS_ROWS * N * 4);
    uint64_t seed = 6, row[BITS_ROWS];
    void *d_a, *d_b, *d_out = NULL;
    unsigned i, r;

    rig_open();
    for (i = 0; i < N; i++) {
        a[i] = pattern(i % 258, &seed);
        b[i] = pattern(i / 258, &seed);
        a32[i] = (uint32_t)(i % 3 ? a[i] : a[i] >> 32);
        b32[i] = (uint32_t)(i % 5 ? b[i] : b[i] >> 32);
    }
    d_a = rig_upload(a, N * 8);
    d_b = rig_upload(b, N * 8);
    d_out = rig_zeroed(BITS_ROWS * N * 8);
    MUST(hd_launch(bits_u64, hd_launch_loop(N, 128, rig_stream), (size_t)N, (const uint64_t *)d_a,
                   (const uint64_t *)d_b, (uint64_t *)d_out));
    rig_download(out, d_out, BITS_ROWS * N * 8);
    MUST(hd_copy_blocking_bytes(d_a, a32, N, 4, rig_stream));
    MUST(hd_copy_blocking_bytes(d_b, b32, N, 4, rig_stream));
    MUST(hd_launch(bits_u32, hd_launch_loop(N, 128, rig_stream), (size_t)N, (const uint32_t *)d_a,
                   (const uint32_t *)d_b, (uint32_t *)d_out));
    rig_download(out32, d_out, BITS_ROWS * N * 4);
    for (i = 0; i < N; i++) {
        for (r = 0; r < BITS_ROWS; r++)
            row[r] = out[r * N + i];
        check_intrinsics(row, a[i], b[i], 64);
        for (r = 0; r < BITS_ROWS; r++)
            row[r] = out32[r * N + i];
        check_intrinsics(row, a32[i], b32[i], 32);
    }
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_out);
    free(a);
    free(b);
    free(out);
    free(a32);
    free(b32);
    free(out32);
}

TEST_MAIN
