/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c - the type and the bits of mathematics with arguments of each type, as a table on
   standard output: those of C and of C++ must be the same text (test_rules.sh). The checks compare
   intrinsics and conversions with known values. */
#include <heddle/cuda_names.h>

#include "check.h"

/* 'i' for a signed type, 'u' for an unsigned one, 'f' for a floating one. */
#define KIND(x) ((__typeof__(x))0.5 != 0 ? 'f' : (__typeof__(x))-1 < (__typeof__(x))1 ? 'i' : 'u')

/* A call, the size of its type, its kind and its value's bits. */
#define ROW(call)                                                                                  \
    do {                                                                                           \
        const double value = (double)(call);                                                       \
        unsigned long long bits;                                                                   \
        memcpy(&bits, &value, sizeof bits);                                                        \
        printf("%-34s %d %c %016llx\n", #call, (int)sizeof(call), KIND(call),                      \
               value != value ? 0x7ff8000000000000ull : bits);                                     \
    } while (0)

#define ONE(f)                                                                                     \
    do {                                                                                           \
        ROW(f(x));                                                                                 \
        ROW(f(d));                                                                                 \
        ROW(f(i));                                                                                 \
        ROW(f(u));                                                                                 \
        ROW(f(s));                                                                                 \
        ROW(f(ll));                                                                                \
    } while (0)
#define TWO(f)                                                                                     \
    do {                                                                                           \
        ROW(f(x, y));                                                                              \
        ROW(f(x, e));                                                                              \
        ROW(f(d, y));                                                                              \
        ROW(f(d, e));                                                                              \
        ROW(f(x, i));                                                                              \
        ROW(f(i, y));                                                                              \
        ROW(f(i, k));                                                                              \
        ROW(f(d, i));                                                                              \
        ROW(f(i, e));                                                                              \
        ROW(f(u, y));                                                                              \
    } while (0)
#define EXTREMES(f)                                                                                \
    do {                                                                                           \
        ROW(f(x, y));                                                                              \
        ROW(f(x, e));                                                                              \
        ROW(f(x, i));                                                                              \
        ROW(f(i, k));                                                                              \
        ROW(f(i, ll));                                                                             \
        ROW(f(u, ll));                                                                             \
        ROW(f(u, 5u));                                                                             \
        ROW(f(minus, u));                                                                          \
        ROW(f(size, i));                                                                           \
        ROW(f(size, size + 1));                                                                    \
        ROW(f(d, u));                                                                              \
        ROW(f(not_a_number, x));                                                                   \
    } while (0)

static void table(float x, float y, double d, double e, int i, int k, unsigned u, short s,
                  long long ll, size_t size, int minus)
{
    const float not_a_number = CUDART_NAN_F, infinite = CUDART_INF_F;
    int exponent = 0, quotient = 0;
    float whole_x = 0;
    double whole_d = 0;

    ONE(acos);
    ONE(acosh);
    ONE(asin);
    ONE(asinh);
    ONE(atan);
    ONE(atanh);
    ONE(cbrt);
    ONE(ceil);
    ONE(cos);
    ONE(cosh);
    ONE(erf);
    ONE(erfc);
    ONE(exp);
    ONE(exp2);
    ONE(expm1);
    ONE(fabs);
    ONE(floor);
    ONE(lgamma);
    ONE(log);
    ONE(log10);
    ONE(log1p);
    ONE(log2);
    ONE(logb);
    ONE(nearbyint);
    ONE(rint);
    ONE(round);
    ONE(sin);
    ONE(sinh);
    ONE(sqrt);
    ONE(tan);
    ONE(tanh);
    ONE(tgamma);
    ONE(trunc);
    ONE(ilogb);
    ONE(lrint);
    ONE(llrint);
    ONE(lround);
    ONE(llround);
    TWO(atan2);
    TWO(copysign);
    TWO(fdim);
    TWO(fmax);
    TWO(fmin);
    TWO(fmod);
    TWO(hypot);
    TWO(nextafter);
    TWO(pow);
    TWO(remainder);
    ROW(fma(x, y, x));
    ROW(fma(x, y, e));
    ROW(fma(x, y, i));
    ROW(fma(d, i, k));
    ROW(ldexp(x, 3));
    ROW(ldexp(d, 3));
    ROW(ldexp(i, 3));
    ROW(scalbn(x, 3));
    ROW(scalbln(d, 3));
    ROW(frexp(x, &exponent));
    ROW(frexp(d, &exponent));
    ROW(modf(x, &whole_x));
    ROW(modf(d, &whole_d));
    ROW(remquo(x, y, &quotient));
    ROW(remquo(d, y, &quotient));
    ROW(nexttoward(x, 1));
    ROW(abs(minus));
    ROW(abs(s));
    ROW(abs(-x));
    ROW(abs(-d));
    ROW(abs(-ll));
    ROW(abs(-5L));
    ROW(isnan(x));
    ROW(isnan(not_a_number));
    ROW(isnan(i));
    ROW(isinf(-infinite));
    ROW(isinf(d));
    ROW(isfinite(infinite));
    ROW(isfinite(d));
    ROW(isfinite(u));
    ROW(isnormal(1e-310));
    ROW(signbit(-0.0f));
    ROW(signbit(-d));
    ROW(rsqrt(x));
    ROW(rsqrt(d));
    EXTREMES(min);
    EXTREMES(max);
    ROW(umin(u, 3u));
    ROW(sqrtf(x));
    ROW(powf(x, y));
    ROW(__expf(x));
    ROW(__powf(x, y));
    ROW(exp10(d));
    ROW(rcbrt(d));
    ROW(normcdf(d));
    ROW(norm3df(x, y, x));
    ROW(sinpi(d));
    ROW(__fdividef(x, y));
    ROW(__saturatef(x));
    ROW(__frsqrt_rn(x));
    ROW(fdividef(x, 3));
    ROW(M_PI);
    ROW(CUDART_PI_F);
    ROW(cuCabs(make_cuDoubleComplex(d, e)));
    ROW(cuCrealf(cuCdivf(make_cuComplex(x, y), make_cuComplex(y, 1))));
}

static void check_integers(void)
{
    CHECK(__popc(0xf0u) == 4 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32);
    CHECK(__clzll(1) == 63 && __ffs(8) == 4 && __ffsll(0) == 0 && __brev(1u) == 0x80000000u);
    CHECK(__mulhi(1 << 30, 8) == 2 && __umulhi(0x80000000u, 4u) == 2);
    CHECK(__umul64hi(1ull << 63, 4) == 2 && __mul64hi(-1, 1) == -1);
    CHECK(__mul24(3, -4) == -12 && __umul24(3, 4) == 12 && __hadd(-3, -4) == -4);
    CHECK(__rhadd(3, 4) == 4 && __sad(3, -4, 1) == 8 && __usad(4, 7, 1) == 4);
    CHECK(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311);
    CHECK(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(2, 1, 1) == 0x80000001u);
    CHECK(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a(0xff000000u, 0x01000000u, 0u) == 255);
    CHECK(__dp4a((int)0xff000000, 0x01000000, 0) == -1);
}

static void check_conversions(void)
{
    /* Not known to the compiler, which computes conversions out of range as it likes. */
    static volatile double large = 5e9, huge = 1e19;
    static volatile float largef = 3e9f;
    const double pi = 3.75;
    float kept = 2;

    CHECK(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_rd(-2.1f) == -3);
    CHECK(__float2int_ru(2.1f) == 3 && __float2uint_rz(-1.0f) == 0 &&
          __float2int_rz(largef) == INT_MAX);
    CHECK(__float2int_rz(-largef) == INT_MIN && __float2int_rn(CUDART_NAN_F) == 0);
    CHECK(__double2uint_rz(large) == UINT_MAX && __double2ll_rn(huge) == LLONG_MAX);
    CHECK(__double2ll_rz(-huge) == LLONG_MIN && __double2ull_rz(2 * huge) == ULLONG_MAX);
    CHECK(__double2ull_rz(huge) == 10000000000000000000ull && __float2ll_rd(-0.5f) == -1);
    CHECK(__double2int_rn(pi) == 4 && __double2int_rd(pi) == 3);
    CHECK(__int2float_rn(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
    CHECK(__int2float_rd(-16777217) == -16777218.0f && __int2float_rz(-16777217) == -16777216.0f);
    CHECK(__uint2float_ru(UINT_MAX) == 4294967296.0f && __uint2float_rz(UINT_MAX) < 4294967296.0f);
    CHECK(__ull2double_rd(ULLONG_MAX) < 18446744073709551616.0);
    CHECK(__ll2double_ru(LLONG_MAX) == 9223372036854775808.0 && __int2double_rn(7) == 7.0);
    CHECK(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    CHECK(__double_as_longlong(1.0) == 0x3ff0000000000000ll && __double2hiint(1.0) == 0x3ff00000);
    CHECK(__hiloint2double(0x40000000, 0) == 2.0 && __double2loint(1.0) == 0);
    CHECK(__ldg(&kept) == 2);
    __stcg(&kept, 5);
    CHECK(kept == 5);
}

int main(void)
{
    /* Compilers must not compute the table: they round better than the C library. */
    static volatile float x = 0.6f, y = 1.7f;
    static volatile double d = 0.3, e = 2.9;
    static volatile int i = 3, k = 2, minus = -7;
    static volatile unsigned u = 4;
    static volatile short s = 2;
    static volatile long long ll = 5;
    static volatile size_t size = 6;

    table(x, y, d, e, i, k, u, s, ll, size, minus);
    check_integers();
    check_conversions();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
