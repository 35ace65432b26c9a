/* SPDX-License-Identifier: Apache-2.0 */
/* test_recurrence.c - hd_recurrence and hd_running_average as bits against the order of
   docs/scan.md, and within the stated error of double-double arithmetic. */
#include "arrays.h"

#include <heddle/device/dd.h>
#include <heddle/recurrence.h>

#include "scan_reference.h"
#include "drivers/scan/plan.h"

typedef struct bench {
    hd_stream *stream;
    test_array a, b, out;
} bench;

static void setup(bench *b, size_t bytes, size_t shift)
{
    memset(b, 0, sizeof *b);
    REQUIRE(hd_stream_create(0, &b->stream) == HD_OK);
    test_array_make(&b->a, bytes, shift, b->stream);
    test_array_make(&b->b, bytes, shift, b->stream);
    test_array_make(&b->out, bytes, shift, b->stream);
}

static void teardown(bench *b)
{
    CHECK_STATUS(hd_stream_synchronize(b->stream), HD_OK);
    test_array_free(&b->a);
    test_array_free(&b->b);
    test_array_free(&b->out);
    hd_stream_destroy(b->stream);
}

#define NAN_f32 HD_F32_NAN_BITS
#define NAN_f64 HD_F64_NAN_BITS
/* Products below the range, and sums that they have a part in, as docs/scan.md has them; strips
   with results that are not finite once more in serial order. */
#define BELOW_RANGE(T, bits, least, absorbed)                                                      \
    static T product_##bits(T a, T b)                                                              \
    {                                                                                              \
        const double x = fabs((double)a), y = fabs((double)b);                                     \
        return fmin(x, y) < least && fmax(x, y) >= 0x1p20 && !isnan(a) && !isnan(b) ? (T)HUGE_VAL  \
                                                                                    : a * b;       \
    }                                                                                              \
    static T sum_##bits(T s, T x, T u)                                                             \
    {                                                                                              \
        const T product = isnan(s) ? 0 * x : s * x, sum = product + u;                             \
        if (fabs((double)s) < least && fabs((double)x) > 128 &&                                    \
            !(fabs((double)x) * absorbed <= fabs((double)sum)))                                    \
            return (T)NAN;                                                                         \
        return sum;                                                                                \
    }                                                                                              \
    static void again_##bits(const T *s, const T *u, size_t n, T initial, T *v)                    \
    {                                                                                              \
        const size_t strip = 4 * 32 * 16 / sizeof(T);                                              \
        for (size_t at = 0; at < n; at += strip) {                                                 \
            const size_t end = at + strip < n ? at + strip : n;                                    \
            T last = at > 0 ? v[at - 1] : initial;                                                 \
            int finite = 1;                                                                        \
            for (size_t i = at; i < end; i++)                                                      \
                finite &= isfinite(v[i]) != 0;                                                     \
            for (size_t i = at; i < end && !finite; i++) {                                         \
                const T product = s[i] * last;                                                     \
                v[i] = last = product + u[i];                                                      \
            }                                                                                      \
        }                                                                                          \
    }
BELOW_RANGE(float, f32, 0x1p-126, 0x1p-104)
BELOW_RANGE(double, f64, 0x1p-1022, 0x1p-972)

#define JOINS(T, bits)                                                                             \
    static void map_##bits(ref_value *to, const ref_value *a, const ref_value *b)                  \
    {                                                                                              \
        T f[2], g[2];                                                                              \
        memcpy(f, a, sizeof f);                                                                    \
        memcpy(g, b, sizeof g);                                                                    \
        f[1] = sum_##bits(g[0], f[1], g[1]);                                                       \
        f[0] = product_##bits(g[0], f[0]);                                                         \
        memcpy(to, f, sizeof f);                                                                   \
    }                                                                                              \
    static void sums_##bits(ref_value *to, const ref_value *a, const ref_value *b)                 \
    {                                                                                              \
        T f[2], g[2];                                                                              \
        memcpy(f, a, sizeof f);                                                                    \
        memcpy(g, b, sizeof g);                                                                    \
        f[0] = f[0] + g[0];                                                                        \
        f[1] = f[1] + g[1];                                                                        \
        memcpy(to, f, sizeof f);                                                                   \
    }                                                                                              \
    /* Expected results of the recurrence, or of the average. */                                   \
    static void expect_##bits(const T *x, const T *y, size_t n, int average, T initial, T *out)    \
    {                                                                                              \
        ref_value *v = calloc(n, sizeof *v), *r = calloc(n, sizeof *r), first;                     \
        const T begin[2] = {average ? (T)-0.0 : (T)1, average ? (T)-0.0 : initial};                \
        memcpy(&first, begin, sizeof begin);                                                       \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T pair[2] = {average     ? x[i] * y[i]                                           \
                               : x[i] == 0 ? (T)NAN                                                \
                                           : x[i],                                                 \
                               average || isfinite(x[i]) ? y[i] : (T)NAN};                         \
            memcpy(&v[i], pair, sizeof pair);                                                      \
        }                                                                                          \
        ref_scan(v, n, 16 / sizeof(T), 4, 1, &first, r, average ? sums_##bits : map_##bits);       \
        for (size_t i = 0; i < n; i++) {                                                           \
            T pair[2];                                                                             \
            memcpy(pair, &r[i], sizeof pair);                                                      \
            out[i] = average ? pair[0] / pair[1] : pair[1];                                        \
        }                                                                                          \
        if (!average)                                                                              \
            again_##bits(x, y, n, initial, out);                                                   \
        for (size_t i = 0; i < n; i++)                                                             \
            if (out[i] != out[i])                                                                  \
                out[i] = hd_##bits##_from_bits(NAN_##bits);                                        \
        free(v);                                                                                   \
        free(r);                                                                                   \
    }
JOINS(float, f32)
JOINS(double, f64)

static double any_number(uint64_t *seed)
{
    return (double)(int64_t)test_next(seed) * 0x1p-63;
}

/* What the factors are, or the values of averages, and what the others. */
typedef enum data {
    STEADY, /* factors around 1 with both signs; any, or positive weights */
    FADING, /* factors whose products soon leave the range of the type downwards */
    LOUD,   /* the same, the others large or, for longer and longer, 0 */
    MINUTE, /* the same, the others from 1 to below that range, some of them 0 */
    WILD    /* and some of both huge; towards the end infinite or no numbers */
} data;

static double scaled(uint64_t *seed, hd_type type, int narrow, int wide)
{
    const int most = type == HD_F32 ? narrow : wide;
    return ldexp(any_number(seed), -(int)(test_next(seed) % (unsigned)(most + 1)));
}

/* Once in a while another number than x. */
static double odd_one(uint64_t *seed, hd_type type, data kind, double x, int late)
{
    const double zero = test_next(seed) % 2 ? -0.0 : 0.0;
    const uint64_t which = kind < MINUTE ? 9999 : test_next(seed) % 200;
    if (which == 0)
        return zero;
    if (kind == MINUTE)
        return x;
    if (which == 1)
        return type == HD_F32 ? 0x1p100 : 0x1p800;
    if (which == 2 && late)
        return test_next(seed) % 4 ? HUGE_VAL : NAN;
    return x;
}

static void fill(bench *b, size_t n, hd_type type, int average, data kind)
{
    uint64_t seed = n;
    for (size_t i = 0; i < n; i++) {
        const int late = i > n - n / 8;
        const double u = any_number(&seed), w = any_number(&seed);
        double x = average ? 10 * u : (u < 0 ? -1.0 : 1.0) * (1 - 0.01 * u * u);
        double y = average ? w * w + 0.01 : w;
        if (kind >= FADING)
            x = scaled(&seed, type, 1, 20);
        if (kind == LOUD)
            y = test_next(&seed) % (4 + i / 3000 % 4 * 20) ? 0 : 1000 * w;
        if (kind >= MINUTE)
            y = scaled(&seed, type, 148, 1070);
        x = odd_one(&seed, type, kind == MINUTE ? FADING : kind, x, late);
        y = odd_one(&seed, type, kind, y, late);
        const float x32 = (float)x, y32 = (float)y;
        memcpy(b->a.host + i * hd_type_bytes(type), type == HD_F32 ? (const void *)&x32 : &x,
               hd_type_bytes(type));
        memcpy(b->b.host + i * hd_type_bytes(type), type == HD_F32 ? (const void *)&y32 : &y,
               hd_type_bytes(type));
    }
    test_array_upload(&b->a, b->stream);
    test_array_upload(&b->b, b->stream);
}

static void check(bench *b, size_t n, hd_type type, int average, data kind, const double *initial)
{
    const size_t size = hd_type_bytes(type);
    const float narrow = initial ? (float)*initial : 0;
    unsigned char *expected = malloc(n * size + 1);
    const void *first = !initial ? NULL : type == HD_F32 ? (const void *)&narrow : initial;
    fill(b, n, type, average, kind);
    if (type == HD_F32)
        expect_f32((float *)(void *)b->a.host, (float *)(void *)b->b.host, n, average, narrow,
                   (float *)(void *)expected);
    else
        expect_f64((double *)(void *)b->a.host, (double *)(void *)b->b.host, n, average,
                   initial ? *initial : 0, (double *)(void *)expected);
    test_array_poison(&b->out, b->stream);
    CHECK_STATUS(average ? hd_running_average(b->a.device, b->b.device, n, type, b->out.device,
                                              NULL, b->stream)
                         : hd_recurrence(b->a.device, b->b.device, n, type, first, b->out.device,
                                         NULL, b->stream),
                 HD_OK);
    if (test_array_download(&b->out, b->stream))
        CHECK_BITS(average ? "average" : "recurrence", b->out.host, expected, n, size);
    free(expected);
}

TEST(bits_in_the_stated_order)
{
    static const size_t sizes[] = {1, 2, 31, 257, 4095, 4096, 4097, 10007, 140001};
    const double initial = 1.75;
    for (int force = 0; force < 3; force++) {
        hd__scan_force_threads = force > 0;
        hd__look_back_force_blocks = force == 1 ? UINT32_MAX : force > 1 ? 2 : 0;
        for (size_t i = 0; i < test_watched(9, 6); i++)
            for (int kind = 0; kind < 4; kind++) {
                bench b;
                setup(&b, sizes[i] * 8, i % 2 * 8);
                check(&b, sizes[i], kind % 2 ? HD_F64 : HD_F32, kind / 2, STEADY,
                      i % 3 ? &initial : NULL);
                teardown(&b);
            }
    }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

/* What is far behind has no part in a result, or a small one. */
TEST(factors_that_fade)
{
    static const size_t sizes[] = {2049, 8192, 30011};
    const double initials[] = {0, 1.75, 0x1p90, -0x1p-120, HUGE_VAL};
    for (size_t i = 0; i < test_watched(3, 1); i++)
        for (unsigned kind = 0; kind < 2; kind++)
            for (data d = FADING; d <= WILD; d++)
                for (unsigned k = 0; k < 5; k++) {
                    bench b;
                    setup(&b, sizes[i] * 8, 0);
                    hd__scan_force_threads = k > 1;
                    hd__look_back_force_blocks = k % 2 ? 2 : 0;
                    check(&b, sizes[i], kind ? HD_F64 : HD_F32, 0, d, &initials[k]);
                    teardown(&b);
                }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

/* ---- factors whose products leave the range, against a loop --------------------------------- */

/* What extreme factors and other numbers are drawn from. */
static const double extreme_f32[] = {2,    0.5,     -3,     1e30,     1e-30, 1e-20,   -1e15, 0.0,
                                     -0.0, 0x1p127, 1e-38,  0x1p-149, 1.25,  -0.75,   1e-12, 0.999,
                                     1e4,  -7e-6,   0x1p60, 0x1p-60,  1,     0x1p-40, 3e38,  -1};
static const double extreme_f64[] = {
    2,    0.5,   -3,    1e250, 1e-250, 1e-160, -1e90,   0.0,      -0.0, 0x1p1023, 1e-308, 0x1p-1074,
    1.25, -0.75, 1e-80, 0.999, 1e30,   -7e-50, 0x1p500, 0x1p-500, 1,    0x1p-300, 1e308,  -1};
enum { EXTREMES = sizeof extreme_f32 / sizeof *extreme_f32 };

/* How a part of an array is made: few of the extremes at a time, so that their products run away in
   either direction, and others that are mostly 0, so that nothing hides what is lost. */
typedef struct part_kind {
    unsigned pick[3], sparse, special;
} part_kind;

static void extreme(bench *b, size_t n, hd_type type, uint64_t seed, int specials)
{
    const double *from = type == HD_F32 ? extreme_f32 : extreme_f64;
    part_kind kind = {{0}, 1, 0};
    size_t left = 0;
    for (size_t i = 0; i < n; i++, left--) {
        double x, y;
        if (left == 0) {
            left = 1 + test_next(&seed) % 1500;
            for (unsigned k = 0; k < 3; k++)
                kind.pick[k] = (unsigned)(test_next(&seed) % EXTREMES);
            kind.sparse = 1 + (unsigned)(test_next(&seed) % 3) * 150;
            kind.special = specials && test_next(&seed) % 8 == 0;
        }
        x = from[kind.pick[test_next(&seed) % 3]];
        y = test_next(&seed) % kind.sparse ? 0 : any_number(&seed);
        if (test_next(&seed) % 50 == 0)
            y *= from[test_next(&seed) % EXTREMES];
        if (kind.special && test_next(&seed) % 400 == 0)
            *(test_next(&seed) % 2 ? &x : &y) = test_next(&seed) % 3 ? -HUGE_VAL : NAN;
        if (type == HD_F32) {
            ((float *)(void *)b->a.host)[i] = (float)x;
            ((float *)(void *)b->b.host)[i] = (float)y;
        } else {
            ((double *)(void *)b->a.host)[i] = x;
            ((double *)(void *)b->b.host)[i] = y;
        }
    }
    test_array_upload(&b->a, b->stream);
    test_array_upload(&b->b, b->stream);
}

static double number(const test_array *a, size_t i, hd_type type)
{
    return type == HD_F32 ? (double)((const float *)(const void *)a->host)[i]
                          : ((const double *)(const void *)a->host)[i];
}

/* A loop in the type, which says what is finite, and one of long double, which says what is right:
   v, sums of absolute values and of those times their products' lengths, and what the smallest
   normal number may have become that was lost at each step. */
typedef struct loop {
    double v;
    long double exact, absolute, factors, lost;
    int left; /* the range, although all elements were finite */
} loop;

static void step(loop *l, double s, double u, hd_type type)
{
    const float product = (float)s * (float)l->v;
    const double wide = s * l->v;
    const int finite = isfinite(l->v) || l->left;
    l->v = type == HD_F32 ? (double)(product + (float)u) : wide + u;
    l->left |= finite && isfinite(s) && isfinite(u) && !isfinite(l->v);
    l->exact = l->exact * s + u;
    l->factors = fabsl(s) * (l->factors + l->absolute);
    l->absolute = fabsl(s) * l->absolute + fabsl(u);
    l->lost = fabsl(s) * l->lost + (type == HD_F32 ? 0x1p-126L : 0x1p-1022L);
}

/* Within the error that recurrence.h states where the loop is finite and that error is in range;
   elsewhere infinite or no number as the loop. But once a result has left the range, later ones
   that are in it are right. */
static int as_stated(const loop *l, double got, size_t n, hd_type type)
{
    const long double unit = type == HD_F32 ? 0x1p-24L : 0x1p-53L;
    const long double sums = 2 * log2l((long double)n) + 40;
    const long double top = type == HD_F32 ? 0x1p128L : 0x1p1024L;
    const long double allowed = unit * (l->factors + sums * l->absolute) + l->lost;
    const int close = !(allowed < top / 4) || fabsl(l->exact - got) <= allowed;
    if (l->left)
        return !isfinite(got) || close;
    if (!isfinite(l->v))
        return isnan(l->v) ? isnan(got) : got == l->v;
    return isfinite(got) && close;
}

static void against_a_loop(bench *b, size_t n, hd_type type, double initial, const char *what)
{
    loop l = {initial, initial, fabs(initial), 0, 0, 0};
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        const double got = number(&b->out, i, type);
        step(&l, number(&b->a, i, type), number(&b->b, i, type), type);
        if (!as_stated(&l, got, n, type) && wrong++ < 3)
            test_fail(__FILE__, __LINE__, "%s: element %zu of %zu is %.9g, a loop has %.9g", what,
                      i, n, got, l.v);
    }
}

/* In place, over u: the same bits. */
static void in_place(bench *b, size_t n, hd_type type, const void *initial)
{
    test_array copy;
    test_array_make(&copy, n * hd_type_bytes(type), 0, b->stream);
    memcpy(copy.host, b->b.host, n * hd_type_bytes(type));
    test_array_upload(&copy, b->stream);
    CHECK_STATUS(
        hd_recurrence(b->a.device, copy.device, n, type, initial, copy.device, NULL, b->stream),
        HD_OK);
    test_array_download(&copy, b->stream);
    CHECK_BITS("in place", copy.host, b->out.host, n, hd_type_bytes(type));
    test_array_free(&copy);
}

TEST(products_out_of_range)
{
    static const size_t sizes[] = {200, 513, 4095, 4096, 4097, 12289, 70001};
    static const double initials[] = {0, 1, -1e30, 3e38, 1e-36};
    char what[80];
    for (size_t k = 0; k < test_watched(7 * 24, 6); k++) {
        const hd_type type = k % 2 ? HD_F64 : HD_F32;
        const size_t n = sizes[k % test_watched(7, 6)];
        const double initial = initials[k % 5];
        const float narrow = (float)initial;
        const void *first = type == HD_F32 ? (const void *)&narrow : (const void *)&initial;
        unsigned char *expected = malloc(n * 8);
        bench b;
        setup(&b, n * hd_type_bytes(type), 0);
        hd__scan_force_threads = k / 2 % 3 > 0;
        hd__look_back_force_blocks = k / 2 % 3 == 1 ? UINT32_MAX : k / 2 % 3 > 1 ? 2 : 0;
        extreme(&b, n, type, 1000 + k, k % 3 == 0);
        snprintf(what, sizeof what, "%s, seed %zu", hd_type_name(type), 1000 + k);
        test_array_poison(&b.out, b.stream);
        CHECK_STATUS(
            hd_recurrence(b.a.device, b.b.device, n, type, first, b.out.device, NULL, b.stream),
            HD_OK);
        test_array_download(&b.out, b.stream);
        against_a_loop(&b, n, type, type == HD_F32 ? (double)narrow : initial, what);
        if (type == HD_F32)
            expect_f32((float *)(void *)b.a.host, (float *)(void *)b.b.host, n, 0, narrow,
                       (float *)(void *)expected);
        else
            expect_f64((double *)(void *)b.a.host, (double *)(void *)b.b.host, n, 0, initial,
                       (double *)(void *)expected);
        CHECK_BITS(what, b.out.host, expected, n, hd_type_bytes(type));
        in_place(&b, n, type, first);
        free(expected);
        teardown(&b);
    }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

/* One factor everywhere: growth of nothing or from a late impulse, decay of something large. */
TEST(one_factor_out_of_range)
{
    static const struct {
        double factor, initial;
        size_t impulse;
    } cases[] = {{2, 0, 9000},         {2, 0, 8990},        {-3, 0, 8930},
                 {0.5, 0x1p100, 9000}, {0.25, -0x1p120, 0}, {0x1p-40, 0x1p90, 4096},
                 {2, -1, 9000},        {1e30, 0, 8999},     {0.5, HUGE_VAL, 9000},
                 {0.5, NAN, 9000}};
    enum { N = 9000 };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int force = 0; force < 3; force++) {
            const float initial = (float)cases[c].initial;
            bench b;
            setup(&b, N * sizeof(float), 0);
            hd__scan_force_threads = force > 0;
            hd__look_back_force_blocks = force == 1 ? UINT32_MAX : force > 1 ? 2 : 0;
            for (size_t i = 0; i < N; i++) {
                ((float *)(void *)b.a.host)[i] = (float)cases[c].factor;
                ((float *)(void *)b.b.host)[i] = i == cases[c].impulse;
            }
            test_array_upload(&b.a, b.stream);
            test_array_upload(&b.b, b.stream);
            CHECK_STATUS(hd_recurrence(b.a.device, b.b.device, N, HD_F32, &initial, b.out.device,
                                       NULL, b.stream),
                         HD_OK);
            test_array_download(&b.out, b.stream);
            against_a_loop(&b, N, HD_F32, cases[c].initial, "one factor");
            teardown(&b);
        }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

/* Elements whose products run away over every end of a tile, though x is 0 or a small power of two
   there: strips on both sides are done again, the first of a tile from the last result before it.
   Every number is a power of two or 0, so sums in any order have the bits of a loop. */
static void doublings(float *s, float *u, float *expected, size_t n, uint64_t seed)
{
    enum { TILE = 4096 };
    float x = 0;
    for (size_t i = 0; i < n; i++) {
        s[i] = 1;
        u[i] = 0;
    }
    for (size_t end = TILE; end + TILE / 2 < n; end += TILE) {
        const size_t before = 140 + test_next(&seed) % 2500, after = 30 + test_next(&seed) % 1200;
        const size_t reset = end + after + test_next(&seed) % 100;
        for (size_t i = end - before; i < end + after; i++)
            s[i] = i < end + 30 ? 2 : i % 2 ? 0.5f : 2;
        s[end - before] = 0;
        u[end - 1 - test_next(&seed) % 90] = 0x1p-20f;
        s[reset] = 0;
        u[reset] = (float)(end / TILE % 3);
    }
    for (size_t i = 0; i < n; i++) {
        x = s[i] * x;
        x = x + u[i];
        expected[i] = x;
    }
}

/* The results of s and u into out, which may be one of them. */
static void check_doublings(bench *b, test_array *out, size_t n, const float *expected,
                            const char *what)
{
    CHECK_STATUS(
        hd_recurrence(b->a.device, b->b.device, n, HD_F32, NULL, out->device, NULL, b->stream),
        HD_OK);
    test_array_download(out, b->stream);
    CHECK_BITS(what, out->host, expected, n, sizeof(float));
}

TEST(strips_again_across_tiles)
{
    static const uint32_t blocks[] = {0, UINT32_MAX, 1, 2, 3};
    const size_t n = 9 * 4096 + 777;
    for (size_t k = 0; k < test_watched(20, 5); k++) {
        float *expected = malloc(n * sizeof *expected);
        bench b;
        setup(&b, n * sizeof(float), 0);
        hd__look_back_force_blocks = blocks[k % 5];
        hd__scan_force_threads = blocks[k % 5] > 0;
        for (int where = 0; where < 3; where++) {
            doublings((float *)(void *)b.a.host, (float *)(void *)b.b.host, expected, n, 100 + k);
            test_array_upload(&b.a, b.stream);
            test_array_upload(&b.b, b.stream);
            check_doublings(&b,
                            where == 0   ? &b.out
                            : where == 1 ? &b.a
                                         : &b.b,
                            n, expected,
                            where == 0   ? "out"
                            : where == 1 ? "over s"
                                         : "over u");
        }
        teardown(&b);
        free(expected);
    }
    hd__scan_force_threads = hd__look_back_force_blocks = 0;
}

typedef struct few {
    const char *name;
    float initial;
    struct {
        unsigned at;
        float s, u;
    } e[4]; /* elsewhere s is 1 and u is 0 */
} few;

/* Results 8 and later, or 520 and later, have a minute share of what was before, or none. It tells
   by its sign alone, or by what an infinite number makes of it. */
TEST(minute_shares)
{
    enum { N = 4099 };
    static const few cases[] = {
        {"sign", 0x1p76f, {{5, -0x1.8p-101f, 0}, {7, 1, 1}, {7, 1, 1}, {7, 1, 1}}},
        {"nothing", 1.75f, {{517, 0, 0}, {519, 1, 1}, {524, HUGE_VALF, 0}, {712, 0, 1}}},
        {"infinite",
         HUGE_VALF,
         {{5, 0x1p-140f, 0}, {7, 1, HUGE_VALF}, {8, 0x1p-20f, 0}, {200, 0, 1}}},
        /* a product that loses digits, behind one large number or behind two that add up */
        {"digits",
         0,
         {{7, 1, 0x1p90f}, {8, 0x1.555554p-70f, 0}, {9, 0x1.333334p-70f, 0}, {7, 1, 0x1p90f}}},
        {"digits of a sum",
         0,
         {{6, 1, 100}, {7, 1, 100}, {8, 0x1.555554p-70f, 0}, {9, 0x1.333334p-70f, 0}}},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        const size_t c = i / 2;
        float expected[N], *s, *u;
        bench b;
        setup(&b, N * sizeof(float), 0);
        s = (float *)(void *)b.a.host;
        u = (float *)(void *)b.b.host;
        for (size_t k = 0; k < N; k++) {
            s[k] = 1;
            u[k] = 0;
        }
        for (unsigned k = 0; k < 4; k++) {
            s[cases[c].e[k].at] = cases[c].e[k].s;
            u[cases[c].e[k].at] = cases[c].e[k].u;
        }
        test_array_upload(&b.a, b.stream);
        test_array_upload(&b.b, b.stream);
        expect_f32(s, u, N, 0, cases[c].initial, expected);
        hd__scan_force_threads = i % 2;
        test_array_poison(&b.out, b.stream);
        CHECK_STATUS(hd_recurrence(b.a.device, b.b.device, N, HD_F32, &cases[c].initial,
                                   b.out.device, NULL, b.stream),
                     HD_OK);
        if (test_array_download(&b.out, b.stream))
            CHECK_BITS(cases[c].name, b.out.host, expected, N, sizeof(float));
        teardown(&b);
    }
    hd__scan_force_threads = 0;
}

/* Each array in its turn does not begin at a multiple of 16 bytes. */
TEST(one_misaligned_array)
{
    enum { N = 9001 };
    for (unsigned which = 0; which < 3; which++)
        for (unsigned kind = 0; kind < 4; kind++) {
            bench b;
            memset(&b, 0, sizeof b);
            REQUIRE(hd_stream_create(0, &b.stream) == HD_OK);
            test_array_make(&b.a, N * 8, which == 0 ? 8 : 0, b.stream);
            test_array_make(&b.b, N * 8, which == 1 ? 8 : 0, b.stream);
            test_array_make(&b.out, N * 8, which == 2 ? 8 : 0, b.stream);
            hd__scan_force_threads = kind % 2;
            check(&b, N, kind / 2 ? HD_F64 : HD_F32, 0, STEADY, NULL);
            teardown(&b);
        }
    hd__scan_force_threads = 0;
}

/* Against double-double: within i - j + 2 log2(n) + 40 units of each product of i - j factors. With
   one factor everywhere the roundings of products add up. */
static void check_error(size_t n, double factor)
{
    hd_dd v = {0, 0};
    double absolute = 0, factors = 0, worst = 0;
    bench b;
    setup(&b, n * 8, 0);
    fill(&b, n, HD_F64, 0, STEADY);
    for (size_t i = 0; factor != 0 && i < n; i++)
        memcpy(b.a.host + 8 * i, &factor, 8);
    test_array_upload(&b.a, b.stream);
    CHECK_STATUS(
        hd_recurrence(b.a.device, b.b.device, n, HD_F64, NULL, b.out.device, NULL, b.stream),
        HD_OK);
    test_array_download(&b.out, b.stream);
    for (size_t i = 0; i < n; i++) {
        double s, u, got, allowed;
        memcpy(&s, b.a.host + 8 * i, 8);
        memcpy(&u, b.b.host + 8 * i, 8);
        memcpy(&got, b.out.host + 8 * i, 8);
        v = hd_dd_add(hd_dd_mul(v, hd_dd_from_f64(s)), hd_dd_from_f64(u));
        factors = fabs(s) * (factors + absolute);
        absolute = fabs(s) * absolute + fabs(u);
        allowed = 0x1p-53 * (factors + (2 * log2((double)n) + 40) * absolute);
        worst = fmax(worst, fabs(hd_dd_to_f64(hd_dd_sub(v, hd_dd_from_f64(got)))) / allowed);
    }
    NOTE("factor %g: worst error: %.3g of what is allowed", factor, worst);
    CHECK(worst <= 1);
    teardown(&b);
}

TEST(error_is_as_stated)
{
    const size_t n = test_watched(300001, 5001);
    check_error(n, 0);
    check_error(n, 1.001);
    check_error(n, -0.999);
}

TEST(bad_input)
{
    bench b;
    size_t bytes = 0;
    setup(&b, 4096, 0);
    CHECK_STATUS(hd_recurrence(NULL, NULL, 0, HD_F32, NULL, NULL, NULL, b.stream), HD_OK);
    CHECK_STATUS(
        hd_recurrence(b.a.device, b.b.device, 9, HD_I32, NULL, b.out.device, NULL, b.stream),
        HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_recurrence(NULL, b.b.device, 9, HD_F32, NULL, b.out.device, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(
        hd_recurrence(b.a.device, b.b.device, 9, HD_F32, NULL, b.b.device + 4, NULL, b.stream),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_running_average(b.a.device, b.b.device, 9, HD_F64, b.out.device, NULL, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_recurrence_workspace(1 << 20, HD_F64, &bytes), HD_OK);
    CHECK(bytes >= 1024 * 64);
    teardown(&b);
}

TEST_MAIN
