/* SPDX-License-Identifier: Apache-2.0 */
/* labels: sanitizer */
/* test_random.c - published answers of the generators; bulk fills against the same elements made
   one by one on the host, as bits; chunks, offsets, streams, bad input. */
#include "arrays.h"

#include <heddle/random.h>
#include <heddle/device/random_generators.h>
#include <heddle/device/random_poisson.h>

#include "kern_random.h"

enum { LANES = 65536, TWISTERS = 1024, RUN = 156 };

typedef enum distribution { BITS, UNIFORM, NORMAL, LOGNORMAL, DISTRIBUTIONS } distribution;
static const double mean = 0.25, deviation = 1.5;

static int same_words(hd_u32x4 w, uint32_t x, uint32_t y, uint32_t z, uint32_t v)
{
    return w.x == x && w.y == y && w.z == z && w.w == v;
}

/* ---- published answers ----------------------------------------------------------------------- */

/* kat_vectors of Random123, philox4x32 with 10 rounds. */
TEST(philox_gives_the_known_answers)
{
    const hd_u32x4 pi = hd_u32x4_make(0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u);
    hd_philox_keys keys = hd_philox_keys_of(0);
    CHECK(same_words(hd_philox4x32_10(hd_u32x4_set(0), &keys), 0x6627e8d5u, 0xe169c58du,
                     0xbc57ac4cu, 0x9b00dbd8u));
    keys = hd_philox_keys_of(UINT64_MAX);
    CHECK(same_words(hd_philox4x32_10(hd_u32x4_set(~0u), &keys), 0x408f276du, 0x41c83b0eu,
                     0xa20bc7c6u, 0x6d5451fdu));
    keys = hd_philox_keys_of(0x299f31d0a4093822u);
    CHECK(same_words(hd_philox4x32_10(pi, &keys), 0xd16cfe09u, 0x94fdccebu, 0x5001e420u,
                     0x24126ea1u));
    CHECK(same_words(hd_random_block(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u),
                     0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

TEST(mersenne_twister_gives_the_known_answers)
{
    static const uint32_t key[] = {0x123, 0x234, 0x345, 0x456};
    static const uint32_t first[] = {1067595299u, 955945823u, 477289528u, 4107218783u, 4228976476u};
    hd_mt19937 *g = malloc(sizeof *g);
    uint32_t word = 0;
    REQUIRE(g != NULL);
    hd_mt19937_seed(g, 5489);
    for (int i = 0; i < 10000; i++)
        word = hd_mt19937_next(g);
    CHECK_EQ_U64(word, 4123659995u); /* ISO C++, [rand.predef] */
    hd_mt19937_seed_array(g, key, 4);
    for (int i = 0; i < 5; i++)
        CHECK_EQ_U64(hd_mt19937_next(g), first[i]); /* mt19937ar.out of its authors */
    free(g);
}

/* The first number of L'Ecuyer's example, and rows of the matrices printed in his RngStreams. */
TEST(mrg32k3a_gives_the_known_answers)
{
    static const uint32_t row76[] = {82758667u, 1871391091u, 4127413238u};
    static const uint32_t row127[] = {2427906178u, 3580155704u, 949770784u};
    hd_mrg32k3a g = hd_mrg32k3a_make(12345), skipped;
    hd_mrg32k3a_jump jump = hd_mrg32k3a_step();
    CHECK_NEAR(hd_mrg32k3a_next(&g) / 4294967088.0, 0.127011122046577, 1e-15);
    for (int power = 0; power < 127; power++) {
        if (power == 76)
            CHECK(memcmp(jump.a, row76, sizeof row76) == 0);
        jump = hd_mrg32k3a_twice(jump);
    }
    CHECK(memcmp(jump.a, row127, sizeof row127) == 0);
    g = skipped = hd_mrg32k3a_make(77);
    for (int i = 0; i < 1001; i++)
        (void)hd_mrg32k3a_next(&g);
    hd_mrg32k3a_skip(&skipped, 1001, 0);
    CHECK(memcmp(&g, &skipped, sizeof g) == 0);
}

/* Marsaglia's five words and counter as he writes them down. */
TEST(xorwow_is_marsaglias)
{
    uint32_t x = 123456789, y = 362436069, z = 521288629, w = 88675123, v = 5783321, d = 6615241;
    hd_xorwow g = {{123456789, 362436069, 521288629, 88675123, 5783321}, 6615241};
    for (int i = 0; i < 1000; i++) {
        uint32_t t = (x ^ (x >> 2));
        x = y;
        y = z;
        z = w;
        w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        d += 362437;
        if (!CHECK_EQ_U64(hd_xorwow_next(&g), (uint32_t)(d + v)))
            return;
    }
}

/* ---- elements one by one --------------------------------------------------------------------- */

static hd_u32x4 four(uint32_t (*next)(void *), void *g)
{
    hd_u32x4 w;
    w.x = next(g);
    w.y = next(g);
    w.z = next(g);
    w.w = next(g);
    return w;
}

static uint32_t next_mrg(void *g)
{
    return hd_mrg32k3a_next(g);
}

static uint32_t next_xorwow(void *g)
{
    return hd_xorwow_next(g);
}

static uint32_t next_twister(void *g)
{
    return hd_mt19937_next(g);
}

static hd_u32x4 mrg_block(const hd_random *r, uint64_t block)
{
    const hd_u32x4 p = hd_random_block(r->seed, 0, 0), q = hd_random_block(r->seed, 0, 1);
    const uint32_t words[6] = {p.x, p.y, p.z, p.w, q.x, q.y};
    hd_mrg32k3a g;
    for (int i = 0; i < 6; i++)
        (i < 3 ? g.a : g.b)[i % 3] = words[i] % 4294944442u + 1;
    hd_mrg32k3a_skip(&g, r->subsequence, 127);
    hd_mrg32k3a_skip(&g, block % LANES, 76);
    hd_mrg32k3a_skip(&g, 4 * (block / LANES), 0);
    return four(next_mrg, &g);
}

static hd_u32x4 xorwow_block(const hd_random *r, uint64_t block)
{
    hd_xorwow g = hd_xorwow_make(r->seed, r->subsequence, block % LANES);
    for (uint64_t i = 0; i < 4 * (block / LANES); i++)
        (void)hd_xorwow_next(&g);
    return four(next_xorwow, &g);
}

/* Keeps the twister of the last call, which goes on if the next block follows. */
static hd_u32x4 twister_block(const hd_random *r, uint64_t block)
{
    static hd_mt19937 g;
    static hd_random of;
    static uint64_t follows;
    const uint64_t run = block / RUN, lane = run % TWISTERS;
    const uint32_t key[5] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32), (uint32_t)r->subsequence,
                             (uint32_t)(r->subsequence >> 32), (uint32_t)lane};
    if (follows != block || block % RUN == 0 || of.seed != r->seed ||
        of.subsequence != r->subsequence) {
        hd_mt19937_seed_array(&g, key, 5);
        for (uint64_t i = 0; i < run / TWISTERS * HD_MT_WORDS + block % RUN * 4; i++)
            (void)hd_mt19937_next(&g);
    }
    of = *r;
    follows = block + 1;
    return four(next_twister, &g);
}

static hd_u32x4 block_of(const hd_random *r, uint64_t block)
{
    switch (r->generator) {
    case HD_MRG32K3A:
        return mrg_block(r, block);
    case HD_XORWOW:
        return xorwow_block(r, block);
    case HD_MT19937:
        return twister_block(r, block);
    default:
        return hd_random_block(r->seed, r->subsequence, block);
    }
}

static void narrow(distribution what, hd_u32x4 w, unsigned char out[16])
{
    const uint32_t word[4] = {w.x, w.y, w.z, w.w};
    float v[4];
    hd_normal_pair_scaled_f32(w.x, w.y, (float)mean, (float)deviation, &v[0], &v[1]);
    hd_normal_pair_scaled_f32(w.z, w.w, (float)mean, (float)deviation, &v[2], &v[3]);
    for (int k = 0; k < 4; k++) {
        if (what == UNIFORM)
            v[k] = hd_uniform_f32(word[k]);
        if (what == LOGNORMAL)
            v[k] = hd_pure_exp_f32(v[k]);
    }
    memcpy(out, what == BITS ? (const void *)word : (const void *)v, 16);
}

static void wide(distribution what, hd_u32x4 w, unsigned char out[16])
{
    const uint64_t word[2] = {hd_random_u64(w.x, w.y), hd_random_u64(w.z, w.w)};
    double v[2];
    hd_normal_pair_f64(word[0], word[1], &v[0], &v[1]);
    for (int k = 0; k < 2; k++) {
        v[k] = what == UNIFORM ? hd_uniform_f64(word[k]) : __builtin_fma(deviation, v[k], mean);
        if (what == LOGNORMAL)
            v[k] = hd_pure_exp_f64(v[k]);
    }
    memcpy(out, what == BITS ? (const void *)word : (const void *)v, 16);
}

/* The call's elements by the definition. */
static void expect(distribution what, size_t size, const hd_random *r, size_t n, void *out)
{
    const uint64_t per = 16 / size;
    for (uint64_t i = 0; i < n;) {
        const uint64_t at = r->offset + i, skip = at % per;
        const uint64_t count = per - skip < n - i ? per - skip : n - i;
        unsigned char bytes[16];
        (size == 4 ? narrow : wide)(what, block_of(r, at / per), bytes);
        memcpy((char *)out + i * size, bytes + skip * size, count * size);
        i += count;
    }
}

static hd_status fill(distribution what, void *out, size_t n, size_t size, const hd_random *r,
                      hd_stream *stream)
{
    const hd_type real = size == 4 ? HD_F32 : HD_F64;
    switch (what) {
    case BITS:
        return hd_random_fill_bits(out, n, size == 4 ? HD_U32 : HD_U64, r, stream);
    case UNIFORM:
        return hd_random_fill_uniform(out, n, real, r, stream);
    case NORMAL:
        return hd_random_fill_normal(out, n, real, mean, deviation, r, stream);
    default:
        return hd_random_fill_lognormal(out, n, real, mean, deviation, r, stream);
    }
}

static void check_fill(distribution what, size_t n, size_t size, size_t shift, const hd_random *r,
                       hd_stream *stream)
{
    test_array a;
    void *expected = malloc(n * size + 1);
    char text[160];
    test_array_make(&a, n * size, shift, stream);
    CHECK_STATUS(fill(what, a.device, n, size, r, stream), HD_OK);
    test_array_download(&a, stream);
    expect(what, size, r, n, expected);
    snprintf(text, sizeof text, "%s, distribution %d, %zu elements of %zu bytes from %llu on",
             hd_random_name(r->generator), (int)what, n, size, (unsigned long long)r->offset);
    CHECK_BITS(text, a.host, expected, n, size);
    free(expected);
    test_array_free(&a);
}

/* ---- fills ----------------------------------------------------------------------------------- */

TEST(philox_fills_are_its_elements)
{
    hd_stream *stream;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (size_t i = 0; i < test_size_count(); i++) {
        const size_t n = test_sizes[i], size = i % 2 ? 4 : 8;
        const hd_random r = {HD_PHILOX, 0x123456789abcdef0u + i, i * i * i, i};
        if (n > 65537 && i % 2)
            continue;
        for (int what = 0; what < DISTRIBUTIONS; what++)
            if (n < 70000 || what == (int)(i % DISTRIBUTIONS))
                check_fill((distribution)what, n, what == (int)(i % 4) ? 12 - size : size,
                           i % 3 * 8, &r, stream);
    }
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(every_generator_fills_its_elements)
{
    static const uint64_t offsets[] = {0, 1, 6, 256, 623, 4 * LANES - 3, 8 * LANES + 5};
    hd_stream *stream;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (int g = HD_MRG32K3A; g < HD_RANDOM_COUNT_; g++)
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i += test_watched(1, 3))
            for (int what = 0; what < DISTRIBUTIONS; what++) {
                /* Of seeds and subsequences both halves count. */
                const hd_random r = {(hd_random_generator)g, 0x123456789abcdef0u + i,
                                     (uint64_t)i << 40 | i, offsets[i]};
                check_fill((distribution)what, what == BITS ? test_watched(1300, 700) : 61,
                           ((size_t)what + i) % 2 ? 4 : 8, i % 2 * 8, &r, stream);
            }
    /* Twisters that make several runs, lanes that make several blocks. */
    for (int g = HD_XORWOW; g < HD_RANDOM_COUNT_; g++) {
        const hd_random r = {(hd_random_generator)g, 5, 6, 77};
        const size_t runs = (size_t)TWISTERS * 624 * test_watched(2, 1);
        check_fill(BITS, (g == HD_XORWOW ? 4 * LANES : runs) + 999, 4, 4, &r, stream);
    }
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* Bits of a checksum that every backend has to give. */
TEST(known_elements)
{
    enum { N = 4096 };
    static const uint64_t known[4][2] = {{0x46d7322f650664aau, 0x452aa3de75da947du},
                                         {0xfbfa21e44f57a235u, 0x6c4d839ad7a6d143u},
                                         {0xcd07464f985b53bfu, 0xc09306cba70bee65u},
                                         {0x9e759cd731b22e17u, 0xf6d63c7d963bd617u}};
    const hd_random r = {HD_PHILOX, 2026, 11, 21};
    hd_stream *stream;
    test_array a;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    test_array_make(&a, 8 * N, 0, stream);
    for (int what = 0; what < DISTRIBUTIONS; what++)
        for (size_t size = 4; size <= 8; size += 4) {
            uint64_t sum = 0xcbf29ce484222325u;
            CHECK_STATUS(fill((distribution)what, a.device, N, size, &r, stream), HD_OK);
            test_array_download(&a, stream);
            for (size_t i = 0; i < N * size; i++) /* FNV-1a */
                sum = (sum ^ a.host[i]) * 0x100000001b3u;
            CHECK_EQ_U64(sum, known[what][size == 8]);
        }
    test_array_free(&a);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(chunks_join)
{
    enum { N = 5003 };
    hd_stream *stream;
    test_array whole, parts;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    test_array_make(&whole, 4 * N, 0, stream);
    test_array_make(&parts, 4 * N, 4, stream);
    for (int g = 0; g < HD_RANDOM_COUNT_; g++) {
        hd_random r = {(hd_random_generator)g, 3, 1, 1000};
        CHECK_STATUS(hd_random_fill_normal(whole.device, N, HD_F32, 0, 1, &r, stream), HD_OK);
        for (size_t at = 0, step = 1; at < N; at += step, step = step * 3 + 1) {
            const size_t n = step < N - at ? step : N - at;
            r.offset = 1000 + at;
            CHECK_STATUS(hd_random_fill_normal(parts.device + 4 * at, n, HD_F32, 0, 1, &r, stream),
                         HD_OK);
        }
        test_array_download(&whole, stream);
        test_array_download(&parts, stream);
        CHECK_BITS("chunks", parts.host, whole.host, N, 4);
    }
    test_array_free(&whole);
    test_array_free(&parts);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* Block numbers whose lower half wraps around, and the stream's last elements. */
TEST(far_elements)
{
    static const uint64_t offsets[] = {((uint64_t)1 << 34) - 6, ((uint64_t)7 << 34) - 4,
                                       UINT64_MAX - 30, ((uint64_t)1 << 33) - 3};
    hd_stream *stream;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (size_t i = 0; i < 4; i++)
        for (int what = 0; what < DISTRIBUTIONS; what++)
            for (size_t size = 4; size <= 8; size += 4) {
                const hd_random r = {HD_PHILOX, 4, UINT64_MAX - i, offsets[i]};
                check_fill((distribution)what, 29, size, 0, &r, stream);
            }
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* ---- Poisson --------------------------------------------------------------------------------- */

TEST(poisson_fills_are_its_elements)
{
    static const double means[] = {0.0, 1e-3, 1.0, 9.99, 35.5, 100.0, 545.0, 700.0, 1e4, 0x1p30};
    enum { N = 3001 };
    hd_stream *stream;
    test_array a;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    test_array_make(&a, 4 * N, 4, stream);
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        const hd_random r = {HD_PHILOX, 8, m, m % 2 ? ((uint64_t)1 << 40) + m : 0};
        const hd_poisson p = hd_poisson_make(means[m]);
        uint32_t expected[N];
        double sum = 0, bound = 5 * sqrt(means[m] / N) + 1e-3;
        for (size_t i = 0; i < N; i++) {
            expected[i] = hd_random_poisson(8, m, r.offset + i, &p);
            sum += expected[i];
        }
        CHECK_NEAR(sum / N, means[m], bound);
        CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)a.device, N, means[m], &r, stream),
                     HD_OK);
        test_array_download(&a, stream);
        CHECK_BITS("counts", a.host, expected, N, 4);
    }
    test_array_free(&a);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* 2^64 / e and 2^65 / e by the expansion of 1 / e; sums of the table against long double. */
TEST(poisson_tables_are_exact)
{
    static const double means[] = {1e-3, 0.7, 4.0, 33.3, 100.0, 400.0, 540.0};
    hd_poisson p = hd_poisson_make(1.0);
    CHECK_EQ_U64(p.first, 0);
    CHECK_EQ_U64(p.below[0], 0x5e2d58d8b3bcdf1au);
    CHECK_EQ_U64(p.below[1], 0xbc5ab1b16779be35u);
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        const long double average = (long double)means[m];
        long double sum = 0, most = 0;
        p = hd_poisson_make(means[m]);
        CHECK(!p.rejects && p.cells > 0 && p.cells <= HD_POISSON_CELLS);
        for (uint32_t k = 0; k < p.first + p.cells; k++) {
            sum += expl((long double)k * logl(average) - average - lgammal((long double)k + 1));
            if (k >= p.first)
                most = fmaxl(most, fabsl(ldexpl((long double)p.below[k - p.first], -64) - sum));
        }
        NOTE("mean %g: %u entries from %u on, at most %Lg from the sums", means[m], p.cells,
             p.first, most);
        CHECK(most < 1e-15L && sum > 1 - 1e-15L);
    }
    p = hd_poisson_make(0.0);
    CHECK(p.cells == 0 && p.first == 0 && !p.rejects);
    CHECK(hd_poisson_make(700.0).rejects && hd_poisson_make(0x1p30).rejects);
}

/* A mean whose first entry has the upper half of an element's word: 32 bits more decide. */
TEST(poisson_counts_of_undecided_words)
{
    enum { N = 64 };
    hd_stream *stream;
    test_array a;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    test_array_make(&a, 4 * N, 0, stream);
    for (uint64_t i = 1; i < N; i++) {
        const hd_random r = {HD_PHILOX, 31, 4, 0};
        const hd_u32x4 w = hd_random_block(31, 4, i / 4), more = hd_random_block(31, 4, ~(i / 4));
        const uint32_t words[2][4] = {{w.x, w.y, w.z, w.w}, {more.x, more.y, more.z, more.w}};
        const hd_poisson p = hd_poisson_make(-log((words[0][i % 4] + 0.5) * 0x1p-32));
        const uint64_t both = hd_random_u64(words[1][i % 4], words[0][i % 4]);
        uint32_t got;
        if (!CHECK_EQ_U64(p.below[0] >> 32, words[0][i % 4]))
            break;
        CHECK_EQ_U64(hd_random_poisson(31, 4, i, &p), both >= p.below[0]);
        CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)a.device, N, p.mean, &r, stream),
                     HD_OK);
        test_array_download(&a, stream);
        memcpy(&got, a.host + 4 * i, 4);
        CHECK_EQ_U64(got, both >= p.below[0]);
    }
    test_array_free(&a);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* ---- inside kernels -------------------------------------------------------------------------- */

TEST(kernels_make_the_same_numbers)
{
    enum { N = 500 };
    hd_stream *stream;
    test_array words, normals;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    test_array_make(&words, 8 * N, 0, stream);
    test_array_make(&normals, 8 * N, 0, stream);
    CHECK_STATUS(hd_launch(test_generators, hd_launch_1d(N, 64, stream), (uint64_t)42, (size_t)N,
                           (uint32_t *)(void *)words.device, (float *)(void *)normals.device),
                 HD_OK);
    test_array_download(&words, stream);
    test_array_download(&normals, stream);
    for (uint32_t i = 0; i < N; i++) {
        hd_mrg32k3a mrg = hd_mrg32k3a_make(42);
        hd_xorwow xorwow = hd_xorwow_make(42, 0, i);
        const hd_u32x4 w = hd_random_block(42, i, 0);
        const uint32_t *got = (const uint32_t *)(void *)words.host;
        float z[2];
        hd_mrg32k3a_skip(&mrg, i, 40);
        hd_normal_pair_f32(w.x, w.y, &z[0], &z[1]);
        if (!CHECK_EQ_U64(got[i], hd_mrg32k3a_next(&mrg)) ||
            !CHECK_EQ_U64(got[N + i], hd_xorwow_next(&xorwow)) ||
            !CHECK_BITS("normals", normals.host + 8 * i, z, 2, 4))
            break;
    }
    test_array_free(&words);
    test_array_free(&normals);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* Two binades have every significand under even and odd exponents; then the ends of the range. */
TEST(a_shorter_square_root_is_as_good)
{
    const uint32_t first[] = {0x3f800000u, 0x0d800000u, 0x71000000u};
    hd_stream *stream;
    unsigned *wrong, count = 1;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&wrong, 1, 0) == HD_OK);
    CHECK_STATUS(hd_fill_zero(wrong, 1, stream), HD_OK);
    for (int i = 0; i < 3; i++) {
        const size_t n = test_watched((size_t)1 << 24, 5000);
        CHECK_STATUS(hd_launch(test_roots, hd_launch_loop(n, 256, stream), first[i], n, wrong),
                     HD_OK);
    }
    CHECK_STATUS(hd_copy_blocking(&count, wrong, 1, stream), HD_OK);
    CHECK_EQ_U64(count, 0);
    hd_free(wrong);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST(bad_input_is_refused)
{
    hd_random r = {HD_PHILOX, 0, 0, 0};
    hd_stream *stream;
    float host[4], *out;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&out, 64, 0) == HD_OK);
    CHECK_STATUS(hd_random_fill_uniform(out, 4, HD_F32, &r, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_uniform(NULL, 4, HD_F32, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_uniform(NULL, 0, HD_F32, &r, stream), HD_OK);
    CHECK_STATUS(hd_random_fill_uniform(out, 4, HD_F32, NULL, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_uniform(out, 4, HD_F16, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_uniform(out, 4, (hd_type)99, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_uniform((char *)out + 2, 4, HD_F32, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_bits(out, 4, HD_F32, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_uniform(host, 4, HD_F32, &r, stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_random_fill_uniform(out, SIZE_MAX / 2, HD_F64, &r, stream), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_random_fill_normal(out, 4, HD_F32, NAN, 1, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_normal(out, 4, HD_F32, 0, -1, &r, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_lognormal(out, 4, HD_F32, 0, INFINITY, &r, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 4, -1, &r, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 4, NAN, &r, stream),
                 HD_ERR_ARGUMENT);
    r.offset = UINT64_MAX - 3;
    CHECK_STATUS(hd_random_fill_uniform(out, 4, HD_F32, &r, stream), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 4, 1, &r, stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_random_fill_uniform(out, 3, HD_F32, &r, stream), HD_OK); /* the last ones */
    r.offset = ((uint64_t)1 << 48) - 4;
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 4, 1, &r, stream), HD_OK);
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 5, 1, &r, stream),
                 HD_ERR_OVERFLOW);
    r.offset = 0;
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 4, 0x1p30, &r, stream), HD_OK);
    CHECK_STATUS(
        hd_random_fill_poisson((uint32_t *)(void *)out, 4, 0x1.0000000000001p30, &r, stream),
        HD_ERR_ARGUMENT);
    r.generator = HD_XORWOW;
    CHECK_STATUS(hd_random_fill_poisson((uint32_t *)(void *)out, 4, 1, &r, stream),
                 HD_ERR_UNSUPPORTED);
    r.generator = HD_RANDOM_COUNT_;
    CHECK_STATUS(hd_random_fill_uniform(out, 4, HD_F32, &r, stream), HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_random_name(HD_MT19937), "mt19937");
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    hd_free(out);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST_MAIN
