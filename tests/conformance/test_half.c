/* SPDX-License-Identifier: Apache-2.0 */
/* test_half.c - binary16 and bfloat16 on the device and on the host against the definition: the
   nearest multiple of the step at that magnitude, ties to the even one. */
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
    {"f16", 10, -14, 65536.0, 0x7c00, 0x7e00, f16_run_narrow, f16_run_widen, f16_run_arithmetic,
     f16_run_pairs, f16_host_narrow, f16_host_widen},
    {"bf16", 7, -126, 0x1p128, 0x7f80, 0x7fc0, bf16_run_narrow, bf16_run_widen, bf16_run_arithmetic,
     bf16_run_pairs, bf16_host_narrow, bf16_host_widen},
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

static void check_bits(const half_format *f, const char *what, uint32_t operand, uint32_t got,
                       uint32_t expected)
{
    if (got != expected)
        test_fail(__FILE__, __LINE__, "%s %s of 0x%x: 0x%x against 0x%x", f->name, what, operand,
                  got, expected);
}

static void run_widen(const half_format *f)
{
    enum { N = 65536 };
    uint16_t *in = rig_host(N * sizeof *in);
    uint32_t *out = rig_host(N * sizeof *out), expected;
    void *d_in, *d_out = rig_zeroed(N * sizeof *out);
    unsigned i;

    for (i = 0; i < N; i++)
        in[i] = (uint16_t)i;
    d_in = rig_upload(in, N * sizeof *in);
    MUST(f->widen(hd_launch_loop(N, 128, rig_stream), N, d_in, d_out));
    rig_download(out, d_out, N * sizeof *out);
    for (i = 0; i < N; i++) {
        float value = (float)decode(f, (uint16_t)i);

        memcpy(&expected, &value, sizeof expected);
        if (isnan(value))
            expected = 0x7fc00000u;
        check_bits(f, "to_f32", i, out[i], expected);
        value = f->host_widen((uint16_t)i);
        check_bits(f, "to_f32 on the host", i, hd_f32_bits(value), expected);
    }
    rig_drop(d_in);
    rig_drop(d_out);
    free(in);
    free(out);
}

TEST(every_number_widens_exactly)
{
    rig_open();
    run_widen(&formats[0]);
    run_widen(&formats[1]);
}

/* Every representable number, every midpoint, their neighbours; then random bits. */
static size_t fill_boundaries(const half_format *f, uint32_t *in, size_t room)
{
    size_t n = 0;
    uint64_t seed = 11;
    unsigned h;
    int step;

    for (h = 0; h < f->infinity; h++) {
        double low = decode(f, (uint16_t)h), high = decode(f, (uint16_t)(h + 1));
        float edges[2];

        edges[0] = (float)low;
        edges[1] = (float)(isinf(high) ? low + (low - decode(f, (uint16_t)(h - 1))) / 2
                                       : (low + high) / 2);
        for (step = -1; step <= 1; step++) {
            in[n++] = hd_f32_bits(edges[0]) + (uint32_t)step + (h % 2 ? 0x80000000u : 0);
            in[n++] = hd_f32_bits(edges[1]) + (uint32_t)step + (h % 2 ? 0 : 0x80000000u);
        }
    }
    while (n < room)
        in[n++] = (uint32_t)rig_random(&seed);
    return n;
}

static void run_narrow(const half_format *f)
{
    size_t n = 6u * f->infinity + rig_size(500000, 1000), i;
    uint32_t *in = rig_host(n * sizeof *in);
    uint16_t *out = rig_host(n * sizeof *out), expected;
    void *d_in, *d_out = rig_zeroed(n * sizeof *out);

    n = fill_boundaries(f, in, n);
    d_in = rig_upload(in, n * sizeof *in);
    MUST(f->narrow(hd_launch_loop(n, 128, rig_stream), n, d_in, d_out));
    rig_download(out, d_out, n * sizeof *out);
    for (i = 0; i < n; i++) {
        float value = hd_f32_from_bits(in[i]);

        expected = encode(f, (double)value, 0.0);
        check_bits(f, "from_f32", in[i], out[i], expected);
        check_bits(f, "from_f32 on the host", in[i], f->host_narrow(value), expected);
    }
    rig_drop(d_in);
    rig_drop(d_out);
    free(in);
    free(out);
}

TEST(every_midpoint_rounds_to_even)
{
    rig_open();
    run_narrow(&formats[0]);
    run_narrow(&formats[1]);
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
        y = op == HALF_SUB ? -y : y;
        z = y;
        y = 1.0;
        break;
    case HALF_MUL:
        return encode(f, x * y, 0.0);
    case HALF_DIV:
        return encode(f, x / y, 0.0);
    case HALF_MIN:
    case HALF_MAX:
        return model_extreme(f, a, b, op == HALF_MAX);
    case HALF_LT:
        return x < y;
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

/* Operands with exponents close to each other, far apart, and special ones. */
static void fill_operands(const half_format *f, uint16_t *a, uint16_t *b, uint16_t *c, size_t n)
{
    const uint16_t special[] = {0,
                                0x8000,
                                1,
                                0x8001,
                                f->infinity,
                                (uint16_t)(f->infinity | 0x8000),
                                f->nan,
                                (uint16_t)(f->nan | 0x8001),
                                (uint16_t)(f->infinity - 1),
                                (uint16_t)(1u << f->fraction_bits),
                                (uint16_t)((1u << f->fraction_bits) - 1),
                                0x3c00,
                                0x3f80};
    uint64_t seed = 21;
    size_t i;

    for (i = 0; i < n; i++) {
        uint64_t bits = rig_random(&seed);
        a[i] = (uint16_t)bits;
        b[i] = (uint16_t)(bits >> 16);
        c[i] = (uint16_t)(bits >> 32);
        if (i % 4 == 1) /* one sticky bit far below */
            c[i] = (uint16_t)((c[i] & 0x8000) | (bits >> 50) % 4);
        if (i % 4 == 2) /* similar magnitudes: cancellation */
            b[i] = (uint16_t)(a[i] ^ (bits >> 20 & 0x83ff));
        if (i < 13 * 13 * 13) {
            a[i] = special[i % 13];
            b[i] = special[i / 13 % 13];
            c[i] = special[i / 169];
        }
    }
}

static void run_arithmetic(const half_format *f)
{
    size_t n = rig_size(400000, 2400), bytes = n * sizeof(uint16_t), i;
    uint16_t *a = rig_host(bytes), *b = rig_host(bytes), *c = rig_host(bytes);
    uint16_t *out = rig_host(HALF_OPS * bytes), *paired = rig_host(HALF_OPS * bytes);
    void *d_a, *d_b, *d_c, *d_out = rig_zeroed(HALF_OPS * bytes);
    int op;

    fill_operands(f, a, b, c, n);
    d_a = rig_upload(a, bytes);
    d_b = rig_upload(b, bytes);
    d_c = rig_upload(c, bytes);
    MUST(f->arithmetic(hd_launch_loop(n, 128, rig_stream), n, d_a, d_b, d_c, d_out));
    rig_download(out, d_out, HALF_OPS * bytes);
    for (op = 0; op < HALF_OPS; op++) {
        for (i = 0; i < n; i++) {
            uint16_t got = out[(size_t)op * n + i], expected = model(f, op, a[i], b[i], c[i]);
            if (got != expected)
                test_fail(__FILE__, __LINE__,
                          "%s op %d of 0x%04x 0x%04x 0x%04x: 0x%04x against "
                          "0x%04x",
                          f->name, op, a[i], b[i], c[i], got, expected);
        }
    }
    MUST(hd_fill_bytes(d_out, 0, 1, HALF_OPS * bytes, rig_stream));
    MUST(f->pairs(hd_launch_loop(n / 2, 128, rig_stream), n, d_a, d_b, d_c, d_out));
    rig_download(paired, d_out, HALF_OPS * bytes);
    CHECK(memcmp(out, paired, HALF_LT * bytes) == 0);
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_c);
    rig_drop(d_out);
    free(a);
    free(b);
    free(c);
    free(out);
    free(paired);
}

TEST(f16_arithmetic_rounds_once)
{
    rig_open();
    run_arithmetic(&formats[0]);
}

TEST(bf16_arithmetic_rounds_once)
{
    rig_open();
    run_arithmetic(&formats[1]);
}

TEST_MAIN
