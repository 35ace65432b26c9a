/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* test_random_statistics.c - moments, Kolmogorov-Smirnov, chi-square and correlations of what the
   fills write. Seeds are fixed, so every run sees the same numbers; bounds are at five standard
   deviations, or at 1e-6 of the distribution. ci/full.sh runs dieharder on the words. */
#include "arrays.h"

#include <heddle/random.h>

static hd_stream *stream;

static size_t count_of(size_t usual)
{
    return test_watched(usual, 4096);
}

/* n elements of a distribution as doubles; the caller frees them. */
typedef hd_status filler(void *out, size_t n, hd_type type, const hd_random *from, hd_stream *on);

static hd_status normal(void *out, size_t n, hd_type type, const hd_random *from, hd_stream *on)
{
    return hd_random_fill_normal(out, n, type, 0, 1, from, on);
}

static hd_status lognormal(void *out, size_t n, hd_type type, const hd_random *from, hd_stream *on)
{
    return hd_random_fill_lognormal(out, n, type, 0.5, 0.25, from, on);
}

static double *numbers(filler *fill, size_t n, hd_type type, hd_random from)
{
    double *x = malloc(n * sizeof *x);
    test_array a;
    test_array_make(&a, n * hd_type_bytes(type), 0, stream);
    CHECK_STATUS(fill(a.device, n, type, &from, stream), HD_OK);
    test_array_download(&a, stream);
    for (size_t i = 0; i < n; i++)
        x[i] = type == HD_F32 ? (double)((float *)(void *)a.host)[i]
                              : ((double *)(void *)a.host)[i];
    test_array_free(&a);
    return x;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double uniform_below(double x)
{
    return x;
}

static double normal_below(double x)
{
    return erfc(-x * 0.70710678118654752440) / 2;
}

static double lognormal_below(double x)
{
    return normal_below((log(x) - 0.5) / 0.25);
}

/* sqrt(n) times the largest distance of the distribution functions: above 2.69 once in 10^6. */
static double kolmogorov(double *x, size_t n, double (*below)(double))
{
    double most = 0;
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; i++) {
        const double p = below(x[i]);
        most = fmax(most, fmax(p - (double)i / (double)n, (double)(i + 1) / (double)n - p));
    }
    return most * sqrt((double)n);
}

static void check_moments(const double *x, size_t n)
{
    double sum[5] = {0};
    const double root = sqrt((double)n);
    for (size_t i = 0; i < n; i++)
        for (double power = x[i], k = 1; k < 5; k++, power *= x[i])
            sum[(int)k] += power / (double)n;
    CHECK_NEAR(sum[1], 0, 5 / root); /* variances 1, 2, 15, 96 */
    CHECK_NEAR(sum[2], 1, 5 * sqrt(2) / root);
    CHECK_NEAR(sum[3], 0, 5 * sqrt(15) / root);
    CHECK_NEAR(sum[4], 3, 5 * sqrt(96) / root);
}

TEST(distributions_fit)
{
    static const hd_type types[] = {HD_F32, HD_F64};
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (int g = 0; g < HD_RANDOM_COUNT_; g++)
        for (int t = 0; t < 2; t++) {
            const hd_random from = {(hd_random_generator)g, 1000 + (uint64_t)g, 7, 11};
            const size_t n = count_of(200000);
            double *x = numbers(hd_random_fill_uniform, n, types[t], from);
            CHECK_NEAR(kolmogorov(x, n, uniform_below), 1, 1.69);
            CHECK(x[0] >= 0 && x[n - 1] < 1);
            free(x);
            x = numbers(normal, n, types[t], from);
            check_moments(x, n);
            CHECK_NEAR(kolmogorov(x, n, normal_below), 1, 1.69);
            free(x);
            x = numbers(lognormal, n, types[t], from);
            CHECK_NEAR(kolmogorov(x, n, lognormal_below), 1, 1.69);
            free(x);
        }
}

/* Tails of normals: of N numbers, those beyond k deviations. */
TEST(tails_of_normals)
{
    const size_t n = count_of((size_t)1 << 21);
    const hd_random from = {HD_PHILOX, 5, 0, 0};
    double *x = numbers(normal, n, HD_F32, from), largest = 0;
    for (int k = 1; k <= 4; k++) {
        const double expected = (double)n * normal_below(-k);
        double below = 0, above = 0;
        for (size_t i = 0; i < n; i++) {
            below += x[i] < -k;
            above += x[i] > k;
            largest = fmax(largest, fabs(x[i]));
        }
        CHECK_NEAR(below, expected, 5 * sqrt(expected) + 5);
        CHECK_NEAR(above, expected, 5 * sqrt(expected) + 5);
    }
    CHECK(largest > 3.2 && largest < 6.8);
    free(x);
}

/* (sum - degrees) over its deviation; degrees are many. */
static double chi_square(const double *seen, size_t cells, double expected)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    return (sum - (double)(cells - 1)) / sqrt(2 * (double)(cells - 1));
}

TEST(words_are_even)
{
    const size_t n = count_of((size_t)1 << 20);
    for (int g = 0; g < HD_RANDOM_COUNT_; g++) {
        const hd_random from = {(hd_random_generator)g, 3, 0, 0};
        static double seen[4][256], pairs[65536];
        const uint32_t *words;
        test_array a;
        memset(seen, 0, sizeof seen);
        memset(pairs, 0, sizeof pairs);
        test_array_make(&a, 4 * n, 0, stream);
        CHECK_STATUS(hd_random_fill_bits(a.device, n, HD_U32, &from, stream), HD_OK);
        test_array_download(&a, stream);
        words = (const uint32_t *)(void *)a.host;
        for (size_t i = 0; i < n; i++) {
            for (int byte = 0; byte < 4; byte++)
                seen[byte][words[i] >> 8 * byte & 255]++;
            pairs[(words[i] >> 24) << 8 | words[(i + 1) % n] >> 24]++;
        }
        for (int byte = 0; byte < 4; byte++)
            CHECK_NEAR(chi_square(seen[byte], 256, (double)n / 256), 0, 5.5);
        if (n > 65536)
            CHECK_NEAR(chi_square(pairs, 65536, (double)n / 65536), 0, 5.5);
        test_array_free(&a);
    }
}

static double correlation(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - 0.5) * (y[i] - 0.5) * 12;
    return sum / sqrt((double)n);
}

/* Neighbouring streams, seeds that differ in a bit, and a stream with itself some elements on. */
TEST(streams_are_independent)
{
    const size_t n = count_of(65536);
    for (int g = 0; g < HD_RANDOM_COUNT_; g++) {
        const hd_random of = {(hd_random_generator)g, 77, 0, 0};
        double *x = numbers(hd_random_fill_uniform, n + 512, HD_F32, of);
        for (int other = 0; other < 12; other++) {
            hd_random from = of;
            double *y;
            if (other < 6)
                from.subsequence = (uint64_t)1 << other * 7;
            else
                from.seed ^= (uint64_t)1 << (other - 6) * 11;
            y = numbers(hd_random_fill_uniform, n, HD_F32, from);
            CHECK_NEAR(correlation(x, y, n), 0, 5);
            free(y);
        }
        for (size_t lag = 1; lag <= 512; lag *= 2)
            CHECK_NEAR(correlation(x, x + lag, n), 0, 5);
        free(x);
    }
}

TEST(poisson_counts_fit)
{
    static const double means[] = {0.5, 4.0, 12.0, 100.0};
    enum { CELLS = 200 };
    const size_t n = count_of(200000);
    for (int m = 0; m < 4; m++) {
        const hd_random from = {HD_PHILOX, 12, (uint64_t)m, 0};
        double seen[CELLS] = {0}, sum = 0, degrees = 0, p = exp(-means[m]);
        test_array a;
        test_array_make(&a, 4 * n, 0, stream);
        CHECK_STATUS(
            hd_random_fill_poisson((uint32_t *)(void *)a.device, n, means[m], &from, stream),
            HD_OK);
        test_array_download(&a, stream);
        for (size_t i = 0; i < n; i++) {
            const uint32_t k = ((uint32_t *)(void *)a.host)[i];
            seen[k < CELLS ? k : CELLS - 1]++;
        }
        for (int k = 0; k < CELLS; p *= means[m] / ++k)
            if (p * (double)n > 10) {
                sum += (seen[k] - p * (double)n) * (seen[k] - p * (double)n) / (p * (double)n);
                degrees++;
            }
        CHECK_NEAR(sum, degrees, 5.5 * sqrt(2 * degrees));
        test_array_free(&a);
    }
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST_MAIN
