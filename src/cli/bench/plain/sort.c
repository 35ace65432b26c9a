/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - textbook radix sort: counts all digits in one pass over the keys, then moves every key
   once per digit. */
#include "sort.h"

enum { BINS = 256 };

/* Turns the counts of a digit's values into start positions. */
static void plain_begins(size_t *bins)
{
    size_t begin = 0;
    for (unsigned d = 0; d < BINS; d++) {
        const size_t count = bins[d];
        bins[d] = begin;
        begin += count;
    }
}

#define PLAIN_SORT_(suffix, type)                                                                  \
    static void plain_count_##suffix(size_t n, const type *in, size_t bins[][BINS])                \
    {                                                                                              \
        for (unsigned pass = 0; pass < sizeof(type); pass++)                                       \
            for (unsigned d = 0; d < BINS; d++)                                                    \
                bins[pass][d] = 0;                                                                 \
        for (size_t i = 0; i < n; i++)                                                             \
            for (unsigned pass = 0; pass < sizeof(type); pass++)                                   \
                bins[pass][in[i] >> 8 * pass & 255]++;                                             \
        for (unsigned pass = 0; pass < sizeof(type); pass++)                                       \
            plain_begins(bins[pass]);                                                              \
    }                                                                                              \
    void plain_sort_##suffix(size_t n, const type *in, type *out, type *other)                     \
    {                                                                                              \
        size_t bins[sizeof(type)][BINS];                                                           \
        plain_count_##suffix(n, in, bins);                                                         \
        for (unsigned pass = 0; pass < sizeof(type); pass++) {                                     \
            type *to = pass % 2 ? out : other;                                                     \
            for (size_t i = 0; i < n; i++)                                                         \
                to[bins[pass][in[i] >> 8 * pass & 255]++] = in[i];                                 \
            in = to;                                                                               \
        }                                                                                          \
    }
PLAIN_SORT_(u32, uint32_t)
PLAIN_SORT_(u64, uint64_t)

#define PLAIN_PAIRS_(suffix, type)                                                                 \
    void plain_sort_##suffix##_pairs(size_t n, const type *in, const uint32_t *values, type *out,  \
                                     uint32_t *values_out, type *other, uint32_t *values_other)    \
    {                                                                                              \
        size_t bins[sizeof(type)][BINS];                                                           \
        plain_count_##suffix(n, in, bins);                                                         \
        for (unsigned pass = 0; pass < sizeof(type); pass++) {                                     \
            type *to = pass % 2 ? out : other;                                                     \
            uint32_t *values_to = pass % 2 ? values_out : values_other;                            \
            for (size_t i = 0; i < n; i++) {                                                       \
                const size_t place = bins[pass][in[i] >> 8 * pass & 255]++;                        \
                to[place] = in[i];                                                                 \
                values_to[place] = values[i];                                                      \
            }                                                                                      \
            in = to;                                                                               \
            values = values_to;                                                                    \
        }                                                                                          \
    }
PLAIN_PAIRS_(u32, uint32_t)
PLAIN_PAIRS_(u64, uint64_t)

/* Maps floats to unsigned numbers in descending order. */
static uint32_t plain_from_f32(uint32_t bits)
{
    return bits & 0x80000000u ? bits : ~bits & 0x7fffffffu;
}

void plain_sort_f32_descending(size_t n, const uint32_t *in, uint32_t *out, uint32_t *other)
{
    for (size_t i = 0; i < n; i++)
        out[i] = plain_from_f32(in[i]);
    plain_sort_u32(n, out, out, other);
    for (size_t i = 0; i < n; i++)
        out[i] = plain_from_f32(out[i]);
}
