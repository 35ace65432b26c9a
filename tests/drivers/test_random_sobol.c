/* SPDX-License-Identifier: Apache-2.0 */
/* test_random_sobol.c - points of the Sobol sequence: published ones, evenness with and without
   scrambling, offsets, bad input. */
#include "arrays.h"

#include <heddle/random.h>

static hd_stream *stream;

static void setup(void)
{
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
}

static void teardown(void)
{
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

static void points(double *out, size_t n, unsigned dimensions, hd_sobol_kind kind, uint64_t seed,
                   uint64_t offset)
{
    const hd_random r = {HD_PHILOX, seed, 3, offset};
    test_array a;
    test_array_make(&a, n * dimensions * sizeof(double), 0, stream);
    CHECK_STATUS(hd_random_fill_sobol(a.device, n, dimensions, HD_F64, kind, &r, NULL, stream),
                 HD_OK);
    test_array_download(&a, stream);
    memcpy(out, a.host, n * dimensions * sizeof(double));
    test_array_free(&a);
}

/* By SciPy 1.x, scipy.stats.qmc.Sobol(256, scramble=False, bits=32), which has the same table. */
TEST(points_are_the_published_ones)
{
    setup();
    static const struct {
        unsigned point, dimension;
        uint32_t word;
    } known[] = {{1, 0, 2147483648u},      {2, 1, 1073741824u},      {3, 2, 3221225472u},
                 {5, 3, 1610612736u},      {7, 7, 2684354560u},      {100, 10, 1979711488u},
                 {999, 31, 356515840u},    {1023, 63, 171966464u},   {2048, 100, 3362783232u},
                 {3333, 127, 1848639488u}, {4095, 199, 3566206976u}, {4999, 200, 1545076736u},
                 {5000, 254, 105381888u},  {5000, 255, 1657274368u}, {17, 255, 1207959552u}};
    enum { N = 5001, D = HD_SOBOL_DIMENSIONS };
    double *x = malloc(sizeof *x * N * D);
    points(x, N, D, HD_SOBOL_PLAIN, 1, 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK_EQ_F64_BITS(x[(size_t)known[i].dimension * N + known[i].point],
                          known[i].word * 0x1p-32);
    free(x);
    teardown();
}

/* Of 2^k points, every coordinate has one in each interval of 2^-k, and every elementary rectangle
   of dimensions 1 and 2 has one: scrambling keeps that. */
TEST(points_are_even)
{
    setup();
    enum { K = 10, N = 1 << K, D = 40 };
    static double x[D * N];
    for (int kind = HD_SOBOL_PLAIN; kind <= HD_SOBOL_SCRAMBLED; kind++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            points(x, N, D, (hd_sobol_kind)kind, seed, seed * N);
            for (int d = 0; d < D; d++) {
                unsigned char seen[N] = {0};
                for (int i = 0; i < N; i++)
                    seen[(int)(x[d * N + i] * N)]++;
                for (int i = 0; i < N; i++)
                    if (!CHECK(seen[i] == 1))
                        return;
            }
            for (int k = 0; k <= K; k++) {
                unsigned char seen[N] = {0};
                for (int i = 0; i < N; i++)
                    seen[(int)(x[i] * (1 << k)) << (K - k) | (int)(x[N + i] * (1 << (K - k)))]++;
                for (int i = 0; i < N; i++)
                    if (!CHECK(seen[i] == 1))
                        return;
            }
        }
    teardown();
}

/* The mean over scrambles of one point is the centre: seeds change everything. */
TEST(scrambles_are_uniform)
{
    setup();
    enum { SEEDS = 400, D = 7 };
    double sum[D] = {0}, square[D] = {0}, x[D];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        points(x, 1, D, HD_SOBOL_SCRAMBLED, seed, 12345);
        for (int d = 0; d < D; d++) {
            sum[d] += x[d];
            square[d] += x[d] * x[d];
        }
    }
    for (int d = 0; d < D; d++) {
        CHECK_NEAR(sum[d] / SEEDS, 0.5, 4 * sqrt(1.0 / 12 / SEEDS));
        CHECK_NEAR(square[d] / SEEDS, 1.0 / 3, 4 * sqrt(4.0 / 45 / SEEDS));
    }
    teardown();
}

TEST(offsets_types_and_sizes)
{
    setup();
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 63, 1025, 5000};
    static const uint64_t offsets[] = {0, 1, 255, 256, 1022, 3071};
    enum { N = 5000 + 3071, D = 5 };
    static double all[D * N];
    points(all, N, D, HD_SOBOL_SCRAMBLED, 9, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
            const uint64_t offset = offsets[o];
            const size_t n = sizes[s];
            const hd_random r = {HD_PHILOX, 9, 3, offset};
            hd_workspace workspace = {NULL, 0, 0};
            test_array a;
            char *memory;
            test_array_make(&a, n * D * 4, s % 4 * 4, stream);
            REQUIRE(hd_random_sobol_workspace(D, &workspace.bytes) == HD_OK);
            REQUIRE(hd_alloc(&memory, workspace.bytes, 0) == HD_OK);
            workspace.memory = memory;
            CHECK_STATUS(hd_random_fill_sobol(a.device, n, D, HD_F32, HD_SOBOL_SCRAMBLED, &r,
                                              &workspace, stream),
                         HD_OK);
            test_array_download(&a, stream);
            for (size_t i = 0; i < n * D; i++) {
                const double exact = all[i / n * N + offset + i % n];
                const float want = (float)((double)(uint32_t)(exact * 0x1p24) * 0x1p-24);
                float got;
                memcpy(&got, a.host + 4 * i, 4);
                if (!CHECK_EQ_F32_BITS(got, want))
                    break;
            }
            workspace.bytes -= 1;
            CHECK_STATUS(hd_random_fill_sobol(a.device, n, D, HD_F32, HD_SOBOL_SCRAMBLED, &r,
                                              &workspace, stream),
                         HD_ERR_WORKSPACE);
            hd_free(memory);
            test_array_free(&a);
        }
    teardown();
}

TEST(bad_input_is_refused)
{
    setup();
    const hd_random r = {HD_PHILOX, 0, 0, 0}, late = {HD_PHILOX, 0, 0, ((uint64_t)1 << 32) - 3};
    size_t bytes;
    float *out;
    REQUIRE(hd_alloc(&out, 64, 0) == HD_OK);
    CHECK_STATUS(hd_random_fill_sobol(out, 4, 0, HD_F32, HD_SOBOL_PLAIN, &r, NULL, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_sobol(out, 4, 257, HD_F32, HD_SOBOL_PLAIN, &r, NULL, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_sobol(out, 4, 1, HD_U32, HD_SOBOL_PLAIN, &r, NULL, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_sobol(out, 4, 1, HD_F32, (hd_sobol_kind)2, &r, NULL, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_sobol(out, 4, 1, HD_F32, HD_SOBOL_PLAIN, &late, NULL, stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_random_fill_sobol(NULL, 4, 1, HD_F32, HD_SOBOL_PLAIN, &r, NULL, stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_fill_sobol(out, 3, 1, HD_F32, HD_SOBOL_PLAIN, &late, NULL, stream),
                 HD_OK);
    CHECK_STATUS(hd_random_sobol_workspace(257, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_random_sobol_workspace(1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    hd_free(out);
    teardown();
}

TEST_MAIN
