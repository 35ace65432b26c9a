/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - the loops of histogram.h, compiled with the kernels' flags. Histograms count in
   four alternating tables, so that equal neighbours do not depend on each other; selections store
   every element and advance the output if it is selected, without a branch on the data. */
#include <heddle/kernel.h>

#include "histogram.h"

enum { TABLES = 4, TABLE_BINS = 4096 };

#define PLAIN_COUNT(inside, bin)                                                                   \
    do {                                                                                           \
        static uint32_t table[TABLES][TABLE_BINS];                                                 \
        const size_t tables = bins <= TABLE_BINS ? TABLES : 1;                                     \
        uint32_t *at[TABLES];                                                                      \
        for (size_t t = 0; t < TABLES; t++)                                                        \
            at[t] = tables == 1 || t == 0 ? counts : table[t];                                     \
        for (size_t t = 0; t < tables; t++)                                                        \
            for (size_t b = 0; b < bins; b++)                                                      \
                at[t][b] = 0;                                                                      \
        for (size_t i = 0; i < n; i++)                                                             \
            if (inside)                                                                            \
                at[i % TABLES][bin]++;                                                             \
        for (size_t t = 1; t < tables; t++)                                                        \
            for (size_t b = 0; b < bins; b++)                                                      \
                counts[b] += at[t][b];                                                             \
    } while (0)

HD_EXTERN void plain_histogram_u8(const uint8_t *x, size_t n, uint32_t low, uint32_t high,
                                  uint32_t bins, uint32_t *counts)
{
    uint32_t table[TABLES][256] = {{0}};
    size_t i = 0;

    for (; i + TABLES <= n; i += TABLES)
        for (size_t t = 0; t < TABLES; t++)
            table[t][x[i + t]]++;
    for (; i < n; i++)
        table[0][x[i]]++;
    for (uint32_t b = 0; b < bins; b++)
        counts[b] = 0;
    for (uint32_t v = low; v < high; v++)
        for (size_t t = 0; t < TABLES; t++)
            counts[(uint64_t)(v - low) * bins / (high - low)] += table[t][v];
}

HD_EXTERN void plain_histogram_u32(const uint32_t *x, size_t n, uint64_t low, uint64_t high,
                                   uint32_t bins, uint32_t *counts)
{
    const uint64_t width = high - low;

    if (width % bins == 0 && (width / bins & (width / bins - 1)) == 0) {
        const unsigned shift = hd_ctz_u64(width / bins);
        PLAIN_COUNT(x[i] - low < width, (x[i] - low) >> shift);
        return;
    }
    /* Division by multiplication: 2^64 / width, rounded up, is exact enough below 2^32. */
    const unsigned __int128 each = (((unsigned __int128)bins << 64) / width) + 1;
    PLAIN_COUNT(x[i] - low < width, (size_t)(each * (x[i] - low) >> 64));
}

HD_EXTERN void plain_histogram_u64(const uint64_t *x, size_t n, uint64_t low, uint64_t high,
                                   uint32_t bins, uint32_t *counts)
{
    const uint64_t width = high - low;

    PLAIN_COUNT(x[i] - low < width, (size_t)((unsigned __int128)(x[i] - low) * bins / width));
}

HD_EXTERN void plain_histogram_f64(const double *x, size_t n, double low, double high,
                                   uint32_t bins, uint32_t *counts)
{
    const double width = high - low;

    PLAIN_COUNT(x[i] >= low && x[i] < high, (uint32_t)((x[i] - low) * bins / width) < bins
                                                ? (uint32_t)((x[i] - low) * bins / width)
                                                : bins - 1);
}

HD_EXTERN void plain_histogram_f32(const float *x, size_t n, float low, float high, uint32_t bins,
                                   uint32_t *counts)
{
    const float scale = (float)((double)bins / ((double)high - (double)low));

    PLAIN_COUNT(x[i] >= low && x[i] < high, (uint32_t)((x[i] - low) * scale) < bins
                                                ? (uint32_t)((x[i] - low) * scale)
                                                : bins - 1);
}

HD_EXTERN size_t plain_select_f32(const float *x, size_t n, float value, float *out)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        out[count] = x[i];
        count += x[i] < value;
    }
    return count;
}

HD_EXTERN size_t plain_select_f64(const double *x, size_t n, double value, double *out)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        out[count] = x[i];
        count += x[i] < value;
    }
    return count;
}

HD_EXTERN size_t plain_flagged_f32(const float *x, const uint8_t *flags, size_t n, float *out)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        out[count] = x[i];
        count += flags[i] != 0;
    }
    return count;
}

HD_EXTERN size_t plain_partition_f32(const float *x, size_t n, float value, float *out,
                                     float *rejected)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        out[count] = x[i];
        rejected[i - count] = x[i];
        count += x[i] < value;
    }
    return count;
}

HD_EXTERN size_t plain_partition_one_f32(const float *x, size_t n, float value, float *out)
{
    size_t total = 0, count = 0, others;

    for (size_t i = 0; i < n; i++)
        total += x[i] < value;
    others = total;
    for (size_t i = 0; i < n; i++) {
        const int below = x[i] < value;
        out[below ? count : others] = x[i];
        count += (size_t)below;
        others += (size_t)!below;
    }
    return total;
}

HD_EXTERN size_t plain_unique_u32(const uint32_t *x, size_t n, uint32_t *out)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        out[count] = x[i];
        count += i + 1 == n || x[i] != x[i + 1];
    }
    return count;
}

HD_EXTERN size_t plain_runs_u32(const uint32_t *x, size_t n, uint32_t *values, uint32_t *lengths)
{
    size_t count = 0, begin = 0;

    for (size_t i = 0; i < n; i++) {
        const int ends = i + 1 == n || x[i] != x[i + 1];
        values[count] = x[i];
        lengths[count] = (uint32_t)(i + 1 - begin);
        count += (size_t)ends;
        begin = ends ? i + 1 : begin;
    }
    return count;
}
