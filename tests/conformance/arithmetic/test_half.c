/* SPDX-License-Identifier: Apache-2.0 */
/* test_half.c - binary16 and bfloat16 on the device and on the host against their definition. */
#include "half_model.h"

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
