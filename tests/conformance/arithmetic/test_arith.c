/* SPDX-License-Identifier: Apache-2.0 */
/* test_arith.c - double-double and complex arithmetic against 113 bits; the device must give the
   host's bits, and rounds products before it adds to them. */
#include <math.h>

#include "arith.h"
#include "rig.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

enum { N = 20000 };

static double magnitude(wide x)
{
    return (double)(x < 0 ? -x : x);
}

/* A double-double with exponents up to 2^range apart. */
static hd_dd random_dd(uint64_t *seed, int range)
{
    int exponent = (int)(rig_random(seed) % (unsigned)range) - 63;
    double hi = ldexp((double)(int64_t)rig_random(seed), exponent);
    double lo = ldexp((double)(int64_t)rig_random(seed), -63) * fabs(hi) * 0x1p-54;
    hd_dd r;

    if (rig_random(seed) % 16 == 0)
        lo = 0;
    r.hi = hi + lo;
    r.lo = lo - (r.hi - hi);
    return r;
}

static wide exact_dd(int op, hd_dd a, hd_dd b)
{
    wide x = (wide)a.hi + (wide)a.lo, y = (wide)b.hi + (wide)b.lo;

    switch (op) {
    case DD_ADD: /* upper parts first: they may cancel, and 113 bits hold their sum */
        return ((wide)a.hi + (wide)b.hi) + ((wide)a.lo + (wide)b.lo);
    case DD_SUB:
        return ((wide)a.hi - (wide)b.hi) + ((wide)a.lo - (wide)b.lo);
    case DD_MUL:
        return x * y;
    case DD_DIV:
        return x / y;
    case DD_TWO_SUM:
        return (wide)a.hi + (wide)b.hi;
    default:
        return (wide)a.hi * (wide)b.hi;
    }
}

/* Bounds of dd.h in units of 2^-106, and some room for the reference's own 113 bits. */
static void check_dd(int op, hd_dd a, hd_dd b, hd_dd got)
{
    static const double bounds[DD_OPS] = {3.1, 3.1, 4.1, 15.1, 3.2, 0.0, 0.0};
    wide result = (wide)got.hi + (wide)got.lo, exact;
    double error;

    CHECK(got.hi == got.hi + got.lo);
    if (op == DD_SQRT) { /* backwards: an error e of the root is 2e of its square */
        exact = (wide)a.hi + (wide)a.lo;
        exact = exact < 0 ? -exact : exact;
        error = exact == 0 ? magnitude(result) : magnitude((result * result - exact) / exact) / 2;
    } else {
        exact = exact_dd(op, a, b);
        error = magnitude(result - exact) / (exact == 0 ? 1 : magnitude(exact));
    }
    if (!(error <= bounds[op] * 0x1p-106 + 0x1p-111))
        test_fail(__FILE__, __LINE__, "dd op %d of %a+%a, %a+%a: error %.3g units", op, a.hi, a.lo,
                  b.hi, b.lo, error * 0x1p106);
}

static hd_dd host_dd(int op, hd_dd a, hd_dd b)
{
    switch (op) {
    case DD_ADD:
        return hd_dd_add(a, b);
    case DD_SUB:
        return hd_dd_sub(a, b);
    case DD_MUL:
        return hd_dd_mul(a, b);
    case DD_DIV:
        return hd_dd_div(a, b);
    case DD_SQRT:
        return hd_dd_sqrt(a.hi < 0 ? hd_dd_neg(a) : a);
    case DD_TWO_SUM:
        return hd_two_sum(a.hi, b.hi);
    default:
        return hd_two_prod(a.hi, b.hi);
    }
}

TEST(double_double)
{
    size_t n = rig_size(N, 500), bytes = n * sizeof(hd_dd), i;
    hd_dd *a = rig_host(bytes), *b = rig_host(bytes), *out = rig_host(DD_OPS * bytes), same;
    void *d_a, *d_b, *d_out;
    uint64_t seed = 1;
    int op;

    if (sizeof(wide) < 16 || (wide)1 + (wide)0x1p-110 == (wide)1)
        SKIP("no type with 113 bits");
    rig_open();
    for (i = 0; i < n; i++) {
        a[i] = random_dd(&seed, 40);
        b[i] = i % 5 == 0 ? hd_dd_neg(a[i]) : random_dd(&seed, 40);
        if (i % 10 == 0)
            b[i] = hd_dd_add(b[i], hd_dd_from_f64(b[i].hi * 0x1p-40)); /* cancellation */
        if (b[i].hi == 0)
            b[i].hi = 1;
    }
    d_a = rig_upload(a, bytes);
    d_b = rig_upload(b, bytes);
    d_out = rig_zeroed(DD_OPS * bytes);
    MUST(hd_launch(dd_arithmetic, hd_launch_loop(n, 128, rig_stream), n, (const hd_dd *)d_a,
                   (const hd_dd *)d_b, (hd_dd *)d_out));
    rig_download(out, d_out, DD_OPS * bytes);
    for (op = 0; op < DD_OPS; op++) {
        for (i = 0; i < n; i++) {
            check_dd(op, a[i], b[i], out[(size_t)op * n + i]);
            same = host_dd(op, a[i], b[i]);
            CHECK(memcmp(&same, &out[(size_t)op * n + i], sizeof same) == 0);
        }
    }
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_out);
    free(a);
    free(b);
    free(out);
}

/* Error of a part in units of the last place of `scale`. */
static double part_error(double got, wide exact, double scale, int bits)
{
    int exponent;

    frexp(scale, &exponent);
    return ldexp(magnitude((wide)got - exact), bits - exponent);
}

#define COMPLEX_TEST(C, type, bits, low, high)                                                     \
    static void check_##C(int op, hd_##C a, hd_##C b, hd_##C got)                                  \
    {                                                                                              \
        wide ar = (wide)a.re, ai = (wide)a.im, br = (wide)b.re, bi = (wide)b.im, re = 0, im = 0;   \
        wide norm = br * br + bi * bi;                                                             \
        double scale;                                                                              \
        if (op == COMPLEX_ADD || op == COMPLEX_SUB) {                                              \
            CHECK((double)got.re == (double)(op ? a.re - b.re : a.re + b.re));                     \
            CHECK((double)got.im == (double)(op ? a.im - b.im : a.im + b.im));                     \
            return;                                                                                \
        }                                                                                          \
        if (op == COMPLEX_MUL || op == COMPLEX_DIV) {                                              \
            wide d = op == COMPLEX_DIV ? norm : 1;                                                 \
            bi = op == COMPLEX_DIV ? -bi : bi;                                                     \
            re = (ar * br - ai * bi) / d;                                                          \
            im = (ar * bi + ai * br) / d;                                                          \
            scale = (magnitude(ar) + magnitude(ai)) * (magnitude(br) + magnitude(bi)) /            \
                    magnitude(d);                                                                  \
            CHECK(part_error((double)got.re, re, scale, bits) <= 6.0);                             \
            CHECK(part_error((double)got.im, im, scale, bits) <= 6.0);                             \
        }                                                                                          \
        if (op == COMPLEX_CONJ)                                                                    \
            CHECK(got.re == a.re && got.im == -a.im);                                              \
        if (op == COMPLEX_ABS) { /* by squares: 1 ulp of the root is about 2 of the square */      \
            wide square = ar * ar + ai * ai, root = (wide)got.re;                                  \
            if (square > 0)                                                                        \
                CHECK(magnitude((root * root - square) / square) <= ldexp(2.0, 1 - (bits)));       \
            else                                                                                   \
                CHECK(got.re == 0);                                                                \
        }                                                                                          \
    }                                                                                              \
    TEST(complex_##C)                                                                              \
    {                                                                                              \
        size_t n = rig_size(N, 500), bytes = n * sizeof(hd_##C), i;                                \
        hd_##C *a = rig_host(bytes), *b = rig_host(bytes), *out = rig_host(COMPLEX_OPS * bytes);   \
        void *d_a, *d_b, *d_out;                                                                   \
        uint64_t seed = 2;                                                                         \
        int op, e;                                                                                 \
        rig_open();                                                                                \
        for (i = 0; i < n; i++) {                                                                  \
            e = (int)(rig_random(&seed) % (unsigned)((high) - (low))) + (low);                     \
            a[i].re = (type)ldexp((double)(int64_t)rig_random(&seed), e - 63);                     \
            a[i].im = (type)ldexp((double)(int64_t)rig_random(&seed), e - 63 - (int)(i % 30));     \
            e = (int)(rig_random(&seed) % (unsigned)((high) - (low))) + (low);                     \
            b[i].re = (type)ldexp((double)(int64_t)rig_random(&seed), e - 63 - (int)(i % 7));      \
            b[i].im = (type)ldexp((double)(int64_t)rig_random(&seed), e - 63);                     \
        }                                                                                          \
        d_a = rig_upload(a, bytes);                                                                \
        d_b = rig_upload(b, bytes);                                                                \
        d_out = rig_zeroed(COMPLEX_OPS * bytes);                                                   \
        MUST(hd_launch(C##_arithmetic, hd_launch_loop(n, 128, rig_stream), n, (const hd_##C *)d_a, \
                       (const hd_##C *)d_b, (hd_##C *)d_out));                                     \
        rig_download(out, d_out, COMPLEX_OPS *bytes);                                              \
        for (op = 0; op < COMPLEX_OPS; op++)                                                       \
            for (i = 0; i < n; i++)                                                                \
                check_##C(op, a[i], b[i], out[(size_t)op * n + i]);                                \
        rig_drop(d_a);                                                                             \
        rig_drop(d_b);                                                                             \
        rig_drop(d_out);                                                                           \
        free(a);                                                                                   \
        free(b);                                                                                   \
        free(out);                                                                                 \
    }
COMPLEX_TEST(c32, float, 24, -30, 30)
COMPLEX_TEST(c64, double, 53, -200, 200)

TEST(the_absolute_value_does_not_overflow)
{
    CHECK_EQ_F64_BITS(hd_c64_abs(hd_c64_make(3e300, 4e300)), hypot(3e300, 4e300));
    CHECK(hd_c64_abs(hd_c64_make(1e-320, 0)) == 1e-320);
    CHECK_NEAR(hd_c64_abs(hd_c64_make(3e-310, 4e-310)) / 5e-310, 1.0, 1e-12);
    CHECK_NEAR(hd_c64_abs(hd_c64_make(1e200, 1e-200)) / 1e200, 1.0, 1e-15);
    CHECK(isinf(hd_c64_abs(hd_c64_make(INFINITY, 1))));
    CHECK_EQ_F64_BITS(hd_c64_abs(hd_c64_make(-0.0, 0.0)), 0.0);
    CHECK_NEAR(hd_c32_abs(hd_c32_make(3e38f, 1e38f)) / 3.16227766e38, 1.0, 1e-6);
    CHECK_NEAR(hd_c64_div(hd_c64_make(1e300, 1e300), hd_c64_make(1e300, 1e300)).re, 1.0, 1e-15);
}

/* (1 + e)^2 - (1 + 2 e) with e = 2^-k: the product 1 + 2 e + e^2 loses e^2 if it is rounded, so two
   roundings give 0 and one gives e^2. Other compilers contract this expression by default. */
#define CONTRACTION_TEST(suffix, type, first, last, equal)                                         \
    TEST(products_are_rounded_before_the_addition_##suffix)                                        \
    {                                                                                              \
        enum { M = (last) - (first) + 1 };                                                         \
        type a[M], c[M], out[2 * M];                                                               \
        void *d_a, *d_c, *d_out;                                                                   \
        rig_open();                                                                                \
        for (int i = 0; i < M; i++) {                                                              \
            a[i] = (type)(1 + ldexp(1, -(first)-i));                                               \
            c[i] = (type) - (1 + ldexp(2, -(first)-i));                                            \
        }                                                                                          \
        d_a = rig_upload(a, sizeof a);                                                             \
        d_c = rig_upload(c, sizeof c);                                                             \
        d_out = rig_zeroed(sizeof out);                                                            \
        MUST(hd_launch(multiply_add_##suffix, hd_launch_loop(M, 64, rig_stream), (size_t)M,        \
                       (const type *)d_a, (const type *)d_a, (const type *)d_c, (type *)d_out));   \
        rig_download(out, d_out, sizeof out);                                                      \
        for (int i = 0; i < M; i++) {                                                              \
            equal(out[i], 0);                                                                      \
            equal(out[M + i], (type)ldexp(1, -2 * ((first) + i)));                                 \
        }                                                                                          \
        rig_drop(d_a);                                                                             \
        rig_drop(d_c);                                                                             \
        rig_drop(d_out);                                                                           \
    }
CONTRACTION_TEST(f32, float, 13, 22, CHECK_EQ_F32_BITS)
CONTRACTION_TEST(f64, double, 27, 51, CHECK_EQ_F64_BITS)

TEST_MAIN
