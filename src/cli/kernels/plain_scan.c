/* SPDX-License-Identifier: Apache-2.0 */
/* plain_scan.c - the loops of plain_scan.h: one element after another, with the kernels' flags. */
#include <heddle/kernel.h>

#include "plain_scan.h"

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

HD_EXTERN void plain_recurrence_f32(const float *s, const float *u, size_t n, float *v)
{
    float last = 0;
    for (size_t i = 0; i < n; i++)
        v[i] = last = s[i] * last + u[i];
}
