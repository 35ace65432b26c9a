/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h - radix sort in plain C, for comparison on the CPU. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_SORT_H
#define HEDDLE_CLI_BENCH_PLAIN_SORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Least significant digit first, 8 bits at a time; `other` is scratch for n keys. The result is in
   `out`. */
void plain_sort_u32(size_t n, const uint32_t *in, uint32_t *out, uint32_t *other);
void plain_sort_u64(size_t n, const uint64_t *in, uint64_t *out, uint64_t *other);
/* Floats in descending order, as bits: mapped to unsigned numbers before sorting and back after
   it. */
void plain_sort_f32_descending(size_t n, const uint32_t *in, uint32_t *out, uint32_t *other);
/* With values of 4 bytes. */
void plain_sort_u32_pairs(size_t n, const uint32_t *in, const uint32_t *values, uint32_t *out,
                          uint32_t *values_out, uint32_t *other, uint32_t *values_other);
void plain_sort_u64_pairs(size_t n, const uint64_t *in, const uint32_t *values, uint64_t *out,
                          uint32_t *values_out, uint64_t *other, uint32_t *values_other);

#ifdef __cplusplus
}
#endif

#endif
