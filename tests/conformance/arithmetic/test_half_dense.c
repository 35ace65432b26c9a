/* SPDX-License-Identifier: Apache-2.0 */
/* test_half_dense.c - 16-bit floats: every number as an operand, all pairs of a set with every kind
   of exponent and fraction, and integers, against the definition. Prints a hash of the
   results: the same on every device. */
#include "half_model.h"

enum { SET_MAX = 800, FRACTIONS = 9 };

/* Numbers with both signs: the smallest and greatest exponents, those around 1 (all of binary16),
   and fractions at both ends, around the middle and alternating. */
static size_t fill_set(const half_format *f, uint16_t *set)
{
    const int top = 1 << f->fraction_bits, exponents = f->infinity >> f->fraction_bits;
    const int fractions[FRACTIONS] = {0,           1,       2,       top / 2 - 1, top / 2,
                                      top / 2 + 1, top - 2, top - 1, top / 3};
    size_t n = 0;

    for (int e = 0; e <= exponents; e++) {
        const int middle = exponents / 2, near = e > middle - 17 && e < middle + 17;

        for (int i = 0; i < FRACTIONS && (near || e < 4 || e > exponents - 4); i++) {
            set[n++] = (uint16_t)(e << f->fraction_bits | fractions[i]);
            set[n++] = (uint16_t)(0x8000 | e << f->fraction_bits | fractions[i]);
        }
    }
    return n;
}

/* FNV-1a. */
static uint64_t hash(uint64_t before, uint16_t bits)
{
    before = (before ^ (bits & 0xff)) * 0x100000001b3u;
    return (before ^ bits >> 8) * 0x100000001b3u;
}

static void compare(const half_format *f, int op, size_t n, const uint16_t *a, const uint16_t *b,
                    const uint16_t *c, const uint16_t *got, uint64_t *sum)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < n; i++) {
        const uint16_t expected = model(f, op, a[i], b[i], c[i]);

        if (got[i] != expected && wrong++ == 0)
            test_fail(__FILE__, __LINE__, "%s op %d of 0x%04x 0x%04x 0x%04x: 0x%04x, not 0x%04x",
                      f->name, op, a[i], b[i], c[i], got[i], expected);
        *sum = hash(*sum, got[i]);
    }
}

/* All operations on n triples, n even, of numbers and of pairs. */
static void run(const half_format *f, const char *what, size_t n, const uint16_t *a,
                const uint16_t *b, const uint16_t *c)
{
    const size_t bytes = n * sizeof *a;
    uint16_t *out = rig_host(HALF_OPS * bytes);
    void *d_a = rig_upload(a, bytes), *d_b = rig_upload(b, bytes), *d_c = rig_upload(c, bytes);
    void *d_out = rig_zeroed(HALF_OPS * bytes);

    for (int pairs = 0; pairs < 2; pairs++) {
        const int ops = pairs ? HALF_LT : HALF_OPS; /* pairs have no comparisons */
        uint64_t sum = 0xcbf29ce484222325u;

        MUST(hd_fill_bytes(d_out, 0xa5, 1, HALF_OPS * bytes, rig_stream));
        if (pairs)
            MUST(f->pairs(hd_launch_loop(n / 2, 128, rig_stream), n, d_a, d_b, d_c, d_out));
        else
            MUST(f->arithmetic(hd_launch_loop(n, 128, rig_stream), n, d_a, d_b, d_c, d_out));
        rig_download(out, d_out, HALF_OPS * bytes);
        for (int op = 0; op < ops; op++)
            compare(f, op, n, a, b, c, out + (size_t)op * n, &sum);
        printf("  %s, %s, %s: %zu results, hash %016llx\n", f->name, what,
               pairs ? "pairs" : "numbers", n * (size_t)ops, (unsigned long long)sum);
    }
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_c);
    rig_drop(d_out);
    free(out);
}

static void run_every_number(const half_format *f)
{
    enum { COUNT = 65536 };
    uint16_t *a = rig_host(COUNT * sizeof *a), *b = rig_host(COUNT * sizeof *b);
    uint16_t *c = rig_host(COUNT * sizeof *c);
    uint64_t seed = 77;

    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t bits = rig_random(&seed);

        a[i] = (uint16_t)i;
        b[i] = (uint16_t)bits;
        c[i] = (uint16_t)(bits >> 16);
    }
    run(f, "every number", COUNT, a, b, c);
    free(a);
    free(b);
    free(c);
}

static void run_all_pairs(const half_format *f)
{
    uint16_t set[SET_MAX];
    const size_t count = fill_set(f, set), step = rig_small() ? 31 : 1;
    const size_t all = count * count, n = all / step & ~(size_t)1;
    uint16_t *a = rig_host(n * sizeof *a), *b = rig_host(n * sizeof *b);
    uint16_t *c = rig_host(n * sizeof *c);

    for (size_t i = 0; i < n; i++) {
        const size_t row = i * step / count, column = i * step % count;

        a[i] = set[row];
        b[i] = set[column];
        c[i] = set[(row * 7 + column * 13 + row * column) % count];
    }
    run(f, "all pairs of the set", n, a, b, c);
    free(a);
    free(b);
    free(c);
}

TEST(every_number_as_an_operand)
{
    rig_open();
    run_every_number(&formats[0]);
    run_every_number(&formats[1]);
}

TEST(all_pairs_f16)
{
    rig_open();
    run_all_pairs(&formats[0]);
}

TEST(all_pairs_bf16)
{
    rig_open();
    run_all_pairs(&formats[1]);
}

static void run_integers(const half_format *f)
{
    const size_t n = rig_size(100000, 2000), bytes = n * sizeof(uint32_t);
    uint32_t *in = rig_host(bytes);
    uint16_t *out = rig_host(bytes); /* two rows */
    void *d_in, *d_out = rig_zeroed(bytes);
    uint64_t seed = 5;

    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = rig_random(&seed);

        in[i] = i < 200 ? (uint32_t)i - 100u : (uint32_t)bits >> (bits >> 32) % 32;
        if (i % 3 == 0)
            in[i] = 0u - in[i];
    }
    d_in = rig_upload(in, bytes);
    MUST(f->integers(hd_launch_loop(n, 128, rig_stream), n, d_in, d_out));
    rig_download(out, d_out, bytes);
    for (size_t i = 0; i < n; i++) {
        check_bits(f, "from_i32", in[i], out[i], encode(f, (double)(int32_t)in[i], 0));
        check_bits(f, "from_u32", in[i], out[n + i], encode(f, (double)in[i], 0));
    }
    rig_drop(d_in);
    rig_drop(d_out);
    free(in);
    free(out);
}

TEST(integers_round_once)
{
    rig_open();
    run_integers(&formats[0]);
    run_integers(&formats[1]);
}

TEST_MAIN
