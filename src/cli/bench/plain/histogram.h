/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.h - histograms, selection and runs in plain C, for one thread. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_HISTOGRAM_H
#define HEDDLE_CLI_BENCH_PLAIN_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `bins` even bins over [low, high), checked by the caller; other elements are not counted. */
void plain_histogram_u8(const uint8_t *x, size_t n, uint32_t low, uint32_t high, uint32_t bins,
                        uint32_t *counts);
void plain_histogram_u32(const uint32_t *x, size_t n, uint64_t low, uint64_t high, uint32_t bins,
                         uint32_t *counts);
void plain_histogram_u64(const uint64_t *x, size_t n, uint64_t low, uint64_t high, uint32_t bins,
                         uint32_t *counts);
void plain_histogram_f64(const double *x, size_t n, double low, double high, uint32_t bins,
                         uint32_t *counts);
void plain_histogram_f32(const float *x, size_t n, float low, float high, uint32_t bins,
                         uint32_t *counts);

/* Elements below `value`; a partition also writes the others, to `rejected` or behind them. Returns
   the number of elements below. */
size_t plain_select_f32(const float *x, size_t n, float value, float *out);
size_t plain_select_f64(const double *x, size_t n, double value, double *out);
size_t plain_partition_f32(const float *x, size_t n, float value, float *out, float *rejected);
size_t plain_partition_one_f32(const float *x, size_t n, float value, float *out);
/* Elements whose flag is not 0. */
size_t plain_flagged_f32(const float *x, const uint8_t *flags, size_t n, float *out);
size_t plain_unique_u32(const uint32_t *x, size_t n, uint32_t *out);
size_t plain_runs_u32(const uint32_t *x, size_t n, uint32_t *values, uint32_t *lengths);

#ifdef __cplusplus
}
#endif

#endif
