/* SPDX-License-Identifier: Apache-2.0 */
/* bench.h - kernels that `heddle bench` measures with, and plain C loops that are compiled by the
   same compiler with the same flags. Included by the kernel files and the host. */
#ifndef HEDDLE_CLI_BENCH_KERNELS_BENCH_H
#define HEDDLE_CLI_BENCH_KERNELS_BENCH_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* ceiling.c: bytes that one block of ceiling_read reads, and its threads. If threads run one after
   another, one thread reads them in order. */
#if HD_SERIAL_THREADS
enum { CEILING_THREADS = 1, CEILING_LOADS = 1 << 16 };
#else
enum { CEILING_THREADS = 256, CEILING_LOADS = 16 };
#endif
enum { CEILING_VECTORS = CEILING_THREADS * CEILING_LOADS };

HD_DECLARE(ceiling_fill, size_t, uint32_t *)
HD_DECLARE(ceiling_read, size_t, const hd_u32x4 *, uint32_t *)
/* `count` vectors each: to = from, to = pattern, to = x + y as integers. */
HD_DECLARE(ceiling_copy, size_t, const hd_u32x4 *, hd_u32x4 *)
HD_DECLARE(ceiling_write, size_t, uint32_t, hd_u32x4 *)
HD_DECLARE(ceiling_triad, size_t, const hd_u32x4 *, const hd_u32x4 *, hd_u32x4 *)

/* arrays.c: count, kind and pattern of generate.h, seed, destination; and count (in bytes for u8),
   tolerance, two arrays, counter of differences. */
HD_DECLARE(bench_fill_1, size_t, int, int, uint64_t, uint8_t *)
HD_DECLARE(bench_fill_2, size_t, int, int, uint64_t, uint16_t *)
HD_DECLARE(bench_fill_4, size_t, int, int, uint64_t, uint32_t *)
HD_DECLARE(bench_fill_8, size_t, int, int, uint64_t, uint64_t *)
HD_DECLARE(bench_differ_u8, size_t, const uint8_t *, const uint8_t *, uint64_t *)
HD_DECLARE(bench_differ_f32, size_t, double, const float *, const float *, uint64_t *)
HD_DECLARE(bench_differ_f64, size_t, double, const double *, const double *, uint64_t *)

/* launch.c */
HD_DECLARE(launch_axpy_f32, size_t, float, const float *, float *)

/* engine.c */
HD_DECLARE(engine_axpy_f32, size_t, float, const float *, float *)
HD_DECLARE(engine_invert_u8, size_t, const uint8_t *, uint8_t *)
HD_DECLARE(engine_shuffles, unsigned, float *)
HD_DECLARE(engine_barriers, unsigned, float *)

/* plain/loops.c: loops as a careful C programmer writes them, for one thread, with enough
   accumulators for the compiler to vectorize. */
HD_EXTERN void plain_axpy_f32(size_t n, float a, const float *x, float *y);
HD_EXTERN float plain_sum_f32(const float *x, size_t n);
HD_EXTERN double plain_sum_f64(const double *x, size_t n);
HD_EXTERN int64_t plain_sum_i32(const int32_t *x, size_t n);
HD_EXTERN float plain_min_f32(const float *x, size_t n);
HD_EXTERN double plain_min_f64(const double *x, size_t n);
HD_EXTERN int32_t plain_min_i32(const int32_t *x, size_t n);
HD_EXTERN size_t plain_argmin_f32(const float *x, size_t n);
HD_EXTERN size_t plain_argmin_f64(const double *x, size_t n);
HD_EXTERN size_t plain_argmin_i32(const int32_t *x, size_t n);
/* Stores a loop's result in device memory, which only kernel files access in place. */
HD_EXTERN void plain_store_f64(double value, void *to);
HD_EXTERN void plain_store_u64(uint64_t value, void *to);

#endif
