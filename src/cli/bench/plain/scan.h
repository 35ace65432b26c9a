/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - inclusive sums, of segments too, recurrences and running averages in plain C, for
   one thread. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_SCAN_H
#define HEDDLE_CLI_BENCH_PLAIN_SCAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void plain_scan_f32(const float *x, size_t n, float *out);
void plain_scan_f64(const double *x, size_t n, double *out);
void plain_scan_u32(const uint32_t *x, size_t n, uint32_t *out);
void plain_scan_u64(const uint64_t *x, size_t n, uint64_t *out);
void plain_segments_f32(const float *x, const uint8_t *heads, size_t n, float *out);
void plain_recurrence_f32(const float *s, const float *u, size_t n, float *v);
void plain_recurrence_f64(const double *s, const double *u, size_t n, double *v);
void plain_average_f32(const float *x, const float *w, size_t n, float *out);
void plain_average_f64(const double *x, const double *w, size_t n, double *out);

#ifdef __cplusplus
}
#endif

#endif
