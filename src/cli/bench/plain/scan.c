/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - the loops of scan.h: one element after another, with the kernels' flags. */
#include <heddle/kernel.h>

#include "scan.h"

#define PLAIN_SCAN_(name, T)                                                                       \
    HD_EXTERN void name(const T *x, size_t n, T *out)                                              \
    {                                                                                              \
        T sum = 0;                                                                                 \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = sum += x[i];                                                                  \
    }
PLAIN_SCAN_(plain_scan_f32, float)
PLAIN_SCAN_(plain_scan_f64, double)
PLAIN_SCAN_(plain_scan_u32, uint32_t)
PLAIN_SCAN_(plain_scan_u64, uint64_t)

HD_EXTERN void plain_segments_f32(const float *x, const uint8_t *heads, size_t n, float *out)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = sum = heads[i] ? x[i] : sum + x[i];
}

#define PLAIN_PAIRS_(recurrence, average, T)                                                       \
    HD_EXTERN void recurrence(const T *s, const T *u, size_t n, T *v)                              \
    {                                                                                              \
        T last = 0;                                                                                \
        for (size_t i = 0; i < n; i++)                                                             \
            v[i] = last = s[i] * last + u[i];                                                      \
    }                                                                                              \
    HD_EXTERN void average(const T *x, const T *w, size_t n, T *out)                               \
    {                                                                                              \
        double sum = 0, weights = 0; /* in float, sums stop growing at about 2^24 weights */       \
        for (size_t i = 0; i < n; i++) {                                                           \
            sum += x[i] * w[i];                                                                    \
            weights += w[i];                                                                       \
            out[i] = (T)sum / (T)weights;                                                          \
        }                                                                                          \
    }
PLAIN_PAIRS_(plain_recurrence_f32, plain_average_f32, float)
PLAIN_PAIRS_(plain_recurrence_f64, plain_average_f64, double)
