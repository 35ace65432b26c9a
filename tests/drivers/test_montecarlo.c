/* SPDX-License-Identifier: Apache-2.0 */
/* labels: sanitizer */
/* test_montecarlo.c - hd_montecarlo against a program in plain C with the same order, as bits;
   every source of normals; prices against Black-Scholes and against each other; bad input. */
#include "arrays.h"

#include <heddle/montecarlo.h>
#include <heddle/device/random_kernel.h>

#include "drivers/montecarlo/plan.h"

enum { SLOTS = 256 };

static hd_stream *stream;
static hd_montecarlo_sums *sums;

static hd_montecarlo_sums run(const hd_montecarlo_model *model, uint64_t first, uint64_t paths)
{
    hd_montecarlo_sums got = {-1, -1};
    CHECK_STATUS(hd_montecarlo(model, first, paths, sums, NULL, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&got, sums, 1, stream), HD_OK);
    return got;
}

/* ---- the same program in plain C ------------------------------------------------------------- */

static float worth(const hd_montecarlo_model *m, uint64_t path, float sign)
{
    const double dt = m->years / m->steps, sigma = m->volatility * sqrt(dt);
    const float drift = (float)(1.0 + m->rate * dt), volatility = (float)sigma;
    const float cross = (float)(sigma * m->correlation);
    const float own = (float)(sigma * sqrt(1.0 - m->correlation * m->correlation));
    float a = (float)m->spot, b = a, sum = 0, mean;
    for (unsigned k = 0; k < m->steps; k++) {
        const hd_u32x4 w = hd_random_block(m->seed, path, k / 2);
        float z1, z2;
        hd_normal_pair_f32(k % 2 ? w.z : w.x, k % 2 ? w.w : w.y, &z1, &z2);
        z1 *= sign;
        z2 *= sign;
        a *= __builtin_fmaf(volatility, z1, drift);
        b *= __builtin_fmaf(own, z2, __builtin_fmaf(cross, z1, drift));
        sum += a;
    }
    mean = sum * (float)(1.0 / m->steps);
    if (m->payoff == HD_DIGITAL)
        return a >= (float)(0.9 * m->spot) && a <= (float)(1.1 * m->spot) &&
               b >= (float)(0.9 * m->spot) && b <= (float)(1.1 * m->spot);
    if (m->payoff == HD_ASIAN_CALL)
        return mean > (float)m->strike ? mean - (float)m->strike : 0;
    return a > (float)m->strike ? a - (float)m->strike : 0;
}

/* 256 columns, then neighbours. */
static double tree(double *column)
{
    for (int stride = 1; stride < SLOTS; stride *= 2)
        for (int c = 0; c < SLOTS; c += 2 * stride)
            column[c] += column[c + stride];
    return column[0];
}

static hd_montecarlo_sums reference(const hd_montecarlo_model *m, uint64_t first, uint64_t paths,
                                    uint64_t rows)
{
    const uint64_t tiles = (paths + rows * SLOTS - 1) / (rows * SLOTS);
    double total[2][SLOTS] = {{0}};
    hd_montecarlo_sums s;
    for (uint64_t tile = 0; tile < tiles; tile++) {
        double part[2][SLOTS] = {{0}};
        for (uint64_t i = 0; i < rows * SLOTS; i++) {
            const uint64_t path = tile * rows * SLOTS + i;
            float v;
            if (path >= paths)
                break;
            v = worth(m, first + path, 1);
            if (m->antithetic)
                v = 0.5f * (v + worth(m, first + path, -1));
            part[0][i % SLOTS] += (double)v;
            part[1][i % SLOTS] += (double)v * (double)v;
        }
        for (int k = 0; k < 2; k++)
            total[k][tile % SLOTS] += tree(part[k]);
    }
    s.sum = tree(total[0]);
    s.squares = tree(total[1]);
    return s;
}

static void check_reference(const hd_montecarlo_model *m, uint64_t first, uint64_t paths)
{
    const hd_montecarlo_sums got = run(m, first, paths), expected = reference(m, first, paths, 1);
    if (!CHECK_EQ_F64_BITS(got.sum, expected.sum) ||
        !CHECK_EQ_F64_BITS(got.squares, expected.squares))
        NOTE("%s, %u steps, %llu paths", hd_payoff_name(m->payoff), m->steps,
             (unsigned long long)paths);
}

TEST(sums_are_those_of_the_plain_program)
{
    static const uint64_t paths[] = {1, 2, 31, 255, 256, 257, 1000, 4099};
    static const unsigned steps[] = {1, 2, 3, 10, 8, 5, 13, 4};
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&sums, 1, 0) == HD_OK);
    for (int payoff = 0; payoff < HD_PAYOFF_COUNT_; payoff++)
        for (int mirrored = 0; mirrored < 2; mirrored++)
            for (size_t i = 0; i < test_watched(8, 5); i++) {
                hd_montecarlo_model m = hd_montecarlo_default();
                m.payoff = (hd_payoff)payoff;
                m.antithetic = mirrored;
                m.steps = steps[i];
                m.correlation = 0.25 * (double)i - 0.9;
                m.seed = i << 31;
                check_reference(&m, i * 100003, paths[i]);
            }
}

/* More tiles than the last launch has columns, and tiles of several rows. */
TEST(many_tiles)
{
    hd_montecarlo_model m = hd_montecarlo_default();
    hd_montecarlo_sums got, expected;
    if (!test_watched(1, 0))
        SKIP("too many paths for the checker");
    m.steps = 1;
    m.payoff = HD_EUROPEAN_CALL;
    check_reference(&m, 5, 70001);
    got = run(&m, 0, 4194304 + 3);
    expected = reference(&m, 0, 4194304 + 3, 2);
    CHECK_EQ_F64_BITS(got.sum, expected.sum);
    CHECK_EQ_F64_BITS(got.squares, expected.squares);
}

TEST(normals_from_memory_give_the_same_bits)
{
    for (int payoff = 0; payoff < HD_PAYOFF_COUNT_; payoff++)
        for (unsigned steps = 1; steps < 70; steps = steps * 3 + 1)
            for (int source = HD_NORMALS_COALESCED; source <= HD_NORMALS_STRIDED; source++) {
                const uint64_t paths = test_watched(3001, 300);
                hd_montecarlo_model m = hd_montecarlo_default();
                hd_montecarlo_sums fused, read;
                m.payoff = (hd_payoff)payoff;
                m.antithetic = steps == 4;
                m.steps = steps;
                fused = run(&m, 7, paths);
                m.normals = (hd_normals)source;
                read = run(&m, 7, paths);
                CHECK_EQ_F64_BITS(fused.sum, read.sum);
                CHECK_EQ_F64_BITS(fused.squares, read.squares);
            }
}

/* Where threads run one after another, the kernels of GPUs are otherwise not used. */
TEST(blocks_of_256_threads_give_the_same_bits)
{
    for (int payoff = 0; payoff < HD_PAYOFF_COUNT_; payoff++)
        for (unsigned steps = 3; steps < 20; steps += 14)
            for (int source = HD_NORMALS_FUSED; source < HD_NORMALS_COUNT_; source++) {
                const uint64_t paths = test_watched(1001, 300);
                hd_montecarlo_model m = hd_montecarlo_default();
                hd_montecarlo_sums threads;
                m.payoff = (hd_payoff)payoff;
                m.normals = (hd_normals)source;
                m.antithetic = steps == 3;
                m.steps = steps;
                hd__montecarlo_force_threads = 1;
                threads = run(&m, 11, paths);
                hd__montecarlo_force_threads = 0;
                const hd_montecarlo_sums got = run(&m, 11, paths);
                CHECK_EQ_F64_BITS(threads.sum, got.sum);
                CHECK_EQ_F64_BITS(threads.squares, got.squares);
            }
}

/* Batches of 256 MiB: several of them. */
TEST(batches_change_nothing)
{
    hd_montecarlo_model m = hd_montecarlo_default();
    hd_montecarlo_sums fused, read;
    const uint64_t paths = 40000;
    if (!test_watched(1, 0))
        SKIP("too much memory for the checker");
    m.steps = 1000;
    m.payoff = HD_ASIAN_CALL;
    fused = run(&m, 0, paths);
    m.normals = HD_NORMALS_COALESCED;
    read = run(&m, 0, paths);
    CHECK_EQ_F64_BITS(fused.sum, read.sum);
}

/* ---- prices ---------------------------------------------------------------------------------- */

static hd_montecarlo_estimate estimate(const hd_montecarlo_model *m, uint64_t paths)
{
    const hd_montecarlo_sums s = run(m, 0, paths);
    hd_montecarlo_estimate e = {0, 0, 0, 0, 0};
    CHECK_STATUS(hd_montecarlo_estimate_of(m, paths, &s, &e), HD_OK);
    return e;
}

TEST(prices)
{
    const uint64_t paths = test_watched(100000, 2000);
    hd_montecarlo_model m = hd_montecarlo_default();
    hd_montecarlo_estimate plain, mirrored;
    m.steps = (unsigned)test_watched(50, 10);
    m.payoff = HD_EUROPEAN_CALL;
    plain = estimate(&m, paths);
    CHECK_NEAR(plain.exact, 0.0680495771, 1e-9); /* Black-Scholes at these parameters */
    CHECK_NEAR(plain.value, plain.exact, 4 * plain.error + 2e-4);
    CHECK_NEAR(plain.error, 0.0886 / sqrt((double)paths), 0.1 * plain.error + 0.004);
    CHECK_NEAR(plain.high - plain.low, 2 * 1.96 * plain.error, 1e-4 * plain.error);
    m.antithetic = 1;
    mirrored = estimate(&m, paths);
    CHECK_NEAR(mirrored.value, plain.exact, 4 * mirrored.error + 2e-4);
    CHECK(mirrored.error < 0.7 * plain.error);
    m.antithetic = 0;
    m.payoff = HD_ASIAN_CALL; /* below the European one; no closed form */
    CHECK_NEAR(estimate(&m, paths).value, 0.0365, 4 * plain.error + 0.001);
    m.payoff = HD_DIGITAL;
    CHECK_NEAR(estimate(&m, paths).value, 0.4, 0.1);
}

/* Correlation 1: both assets are one. */
TEST(correlation)
{
    hd_montecarlo_model m = hd_montecarlo_default();
    const uint64_t paths = test_watched(50000, 2000);
    double together, apart;
    m.steps = 5;
    m.correlation = 1;
    together = estimate(&m, paths).value;
    m.correlation = 0;
    apart = estimate(&m, paths).value;
    CHECK_NEAR(apart, together * together * exp(0.05), 0.05);
    CHECK(together > apart + 0.1);
}

TEST(sobol_is_nearer)
{
    enum { SEEDS = 8 };
    const uint64_t paths = test_watched(4096, 256);
    hd_montecarlo_model m = hd_montecarlo_default();
    double sobol = 0, plain = 0;
    m.steps = 16;
    m.payoff = HD_EUROPEAN_CALL;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        hd_montecarlo_estimate e;
        m.seed = seed;
        m.normals = HD_NORMALS_SOBOL;
        e = estimate(&m, paths);
        sobol += (e.value - 0.06803) * (e.value - 0.06803);
        m.normals = HD_NORMALS_FUSED;
        e = estimate(&m, paths);
        plain += (e.value - 0.06803) * (e.value - 0.06803);
    }
    NOTE("errors: Sobol %.2g, independent paths %.2g", sqrt(sobol / SEEDS), sqrt(plain / SEEDS));
    CHECK(sobol < 0.1 * plain);
}

/* ---- workspaces and bad input ---------------------------------------------------------------- */

TEST(workspaces)
{
    for (int source = 0; source < HD_NORMALS_COUNT_; source++) {
        hd_montecarlo_model m = hd_montecarlo_default();
        hd_workspace workspace = {NULL, 0, 0};
        hd_montecarlo_sums own, got = {0, 0};
        char *memory;
        m.steps = 7;
        m.normals = (hd_normals)source;
        own = run(&m, 3, 999);
        REQUIRE(hd_montecarlo_workspace(&m, 999, &workspace.bytes) == HD_OK);
        REQUIRE(hd_alloc(&memory, workspace.bytes, 0) == HD_OK);
        workspace.memory = memory;
        CHECK_STATUS(hd_montecarlo(&m, 3, 999, sums, &workspace, stream), HD_OK);
        CHECK_STATUS(hd_copy_blocking(&got, sums, 1, stream), HD_OK);
        CHECK_EQ_F64_BITS(got.sum, own.sum);
        workspace.bytes--;
        CHECK_STATUS(hd_montecarlo(&m, 3, 999, sums, &workspace, stream), HD_ERR_WORKSPACE);
        hd_free(memory);
    }
}

static void refused(hd_montecarlo_model m, hd_status expected)
{
    CHECK_STATUS(hd_montecarlo(&m, 0, 10, sums, NULL, stream), expected);
}

TEST(bad_input_is_refused)
{
    const hd_montecarlo_model good = hd_montecarlo_default();
    const hd_montecarlo_sums nothing = run(&good, 0, 0);
    hd_montecarlo_estimate e;
    hd_montecarlo_model m;
    size_t bytes;
    CHECK_EQ_F64_BITS(nothing.sum, 0.0);
    CHECK_STATUS(hd_montecarlo(NULL, 0, 10, sums, NULL, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_montecarlo(&good, 0, 10, sums, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_montecarlo(&good, 0, 10, NULL, NULL, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_montecarlo(&good, 0, ((uint64_t)1 << 40) + 1, sums, NULL, stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_montecarlo_estimate_of(&good, 1, &nothing, &e), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_montecarlo_estimate_of(&good, 2, NULL, &e), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_montecarlo_workspace(&good, 2, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_montecarlo_workspace(NULL, 2, &bytes), HD_ERR_ARGUMENT);
    m = good;
    m.steps = 0;
    refused(m, HD_ERR_ARGUMENT);
    m.steps = 65537;
    refused(m, HD_ERR_ARGUMENT);
    m.steps = 129;
    m.normals = HD_NORMALS_SOBOL;
    refused(m, HD_ERR_ARGUMENT);
    m.steps = 128;
    CHECK_STATUS(hd_montecarlo(&m, ((uint64_t)1 << 32) - 9, 10, sums, NULL, stream),
                 HD_ERR_OVERFLOW);
    m = good;
    m.volatility = 0;
    refused(m, HD_ERR_ARGUMENT);
    m = good;
    m.correlation = 1.01;
    refused(m, HD_ERR_ARGUMENT);
    m = good;
    m.spot = (double)NAN;
    refused(m, HD_ERR_ARGUMENT);
    m = good;
    m.payoff = HD_PAYOFF_COUNT_;
    refused(m, HD_ERR_ARGUMENT);
    m = good;
    m.normals = HD_NORMALS_COUNT_;
    refused(m, HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_payoff_name(HD_ASIAN_CALL), "asian");
    CHECK_EQ_STR(hd_normals_name(HD_NORMALS_SOBOL), "sobol");
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    hd_free(sums);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* Of values 1 and 0: their mean, and the deviation of that by n - 1. */
TEST(errors_of_two_paths)
{
    const hd_montecarlo_sums two = {1, 1};
    hd_montecarlo_model model = hd_montecarlo_default();
    hd_montecarlo_estimate estimate;

    model.rate = 0;
    CHECK_STATUS(hd_montecarlo_estimate_of(&model, 2, &two, &estimate), HD_OK);
    CHECK_EQ_F64_BITS(estimate.value, 0.5);
    CHECK_EQ_F64_BITS(estimate.error, 0.5);
}

TEST_MAIN
