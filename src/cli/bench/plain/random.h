/* SPDX-License-Identifier: Apache-2.0 */
/* random.h - random numbers and paths in plain C with the C library's functions: what `heddle bench
   random` and `bench montecarlo` compare with on the CPU. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_RANDOM_H
#define HEDDLE_CLI_BENCH_PLAIN_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/backend/decl.h>

/* n a multiple of four. */
HD_EXTERN void plain_bits_u32(size_t n, uint64_t seed, uint32_t *out);
HD_EXTERN void plain_uniform_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_uniform_f64(size_t n, uint64_t seed, double *out);
HD_EXTERN void plain_normal_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_normal_f64(size_t n, uint64_t seed, double *out);
HD_EXTERN void plain_lognormal_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_poisson_u32(size_t n, uint64_t seed, double mean, uint32_t *out);
/* Uniform numbers of one generator; seed at least 1. */
HD_EXTERN void plain_mrg32k3a_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_xorwow_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_mt19937_f32(size_t n, uint64_t seed, float *out);
/* Points 0 to n - 1 of the Sobol sequence, dimension by dimension, at most 256 dimensions. */
HD_EXTERN void plain_sobol_f32(size_t n, unsigned dimensions, float *out);

typedef enum plain_payoff { PLAIN_DIGITAL, PLAIN_ASIAN, PLAIN_EUROPEAN } plain_payoff;

/* The option's sum over paths; steps even. */
HD_EXTERN double plain_paths(size_t paths, unsigned steps, uint64_t seed, plain_payoff payoff);
/* From Sobol points with a digital shift; at most 128 steps. */
HD_EXTERN double plain_sobol_paths(size_t paths, unsigned steps, plain_payoff payoff);

#endif
