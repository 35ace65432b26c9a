/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.c - fills the arrays of benchmarks with generated elements, and counts where two
   arrays differ. */
#include <heddle/kernel.h>

#include "bench.h"
#include "cli/input/generate.h"

#define T uint8_t
#define SIZE 1
#define NAME(stem) HD_CAT(stem, 1)
#include "fill.inc"

#define T uint16_t
#define SIZE 2
#define NAME(stem) HD_CAT(stem, 2)
#include "fill.inc"

#define T uint32_t
#define SIZE 4
#define NAME(stem) HD_CAT(stem, 4)
#include "fill.inc"

#define T uint64_t
#define SIZE 8
#define NAME(stem) HD_CAT(stem, 8)
#include "fill.inc"

#define T float
#define NAME(stem) HD_CAT(stem, f32)
#include "differ.inc"

#define T double
#define NAME(stem) HD_CAT(stem, f64)
#include "differ.inc"

/* Adds to *count the number of bytes that differ. Any grid, 2 bytes per element. */
HD_KERNEL void bench_differ_u8(size_t n, const uint8_t *a, const uint8_t *b, uint64_t *count)
{
    uint64_t found = 0;

    HD_FOR(i, n)
        found += a[i] != b[i];
    if (found)
        hd_atomic_add(count, found);
}
HD_DEFINE(bench_differ_u8)
