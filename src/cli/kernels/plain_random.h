/* SPDX-License-Identifier: Apache-2.0 */
/* plain_random.h - random numbers and paths as plain C writes them, with the C library's functions:
   what `heddle bench random` and `bench montecarlo` compare with on the CPU. */
#ifndef HEDDLE_CLI_PLAIN_RANDOM_H
#define HEDDLE_CLI_PLAIN_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/backend/decl.h>

/* n a multiple of four. */
HD_EXTERN void plain_uniform_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_normal_f32(size_t n, uint64_t seed, float *out);
HD_EXTERN void plain_normal_f64(size_t n, uint64_t seed, double *out);
/* The digital option's sum over paths; steps even. */
HD_EXTERN double plain_paths(size_t paths, unsigned steps, uint64_t seed);

#endif
