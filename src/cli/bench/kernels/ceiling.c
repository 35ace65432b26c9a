/* SPDX-License-Identifier: Apache-2.0 */
/* ceiling.c - memory ceiling: kernels that only read, write or copy, and one that fills their
   input. */
#include <heddle/kernel.h>

#include "bench.h"

/* Writes a hashed pattern: as f32, and as the upper half of f64, numbers in [0.5, 1); as i32
   positive. One element per iteration, 4 bytes each. */
HD_KERNEL void ceiling_fill(size_t n, uint32_t *x)
{
    HD_FOR(i, n) {
        uint32_t h = (uint32_t)i * 2654435761u;

        h ^= h >> 15;
        h *= 2246822519u;
        h ^= h >> 13;
        x[i] = 0x3f000000u | h >> 9;
    }
}
HD_DEFINE(ceiling_fill)

/* Block b reads the CEILING_VECTORS vectors from b * CEILING_VECTORS on, of n in all: 16 bytes per
   load, neighbouring threads load neighbouring vectors. Writes only what keeps the loads from being
   optimized away. Grid: ceil(n / CEILING_VECTORS) blocks of CEILING_THREADS. */
HD_KERNEL void ceiling_read(size_t n, const hd_u32x4 *HD_RESTRICT x, uint32_t *HD_RESTRICT out)
{
    size_t first = (size_t)hd_block_x() * CEILING_VECTORS;
    size_t left = n - first;
    uint32_t bits = 0;
    unsigned k;

    if (left >= CEILING_VECTORS) {
        const hd_u32x4 *HD_RESTRICT from = x + first + hd_thread_x();

#if HD_SERIAL_THREADS
        for (k = 0; k < CEILING_LOADS; k++)
            bits |= from[k].x | from[k].y | from[k].z | from[k].w;
#else
        HD_UNROLL
        for (k = 0; k < CEILING_LOADS; k++) {
            hd_u32x4 v = hd_load_stream(from + k * CEILING_THREADS);

            bits |= v.x | v.y | v.z | v.w;
        }
#endif
    } else {
        for (k = hd_thread_x(); k < left; k += CEILING_THREADS)
            bits |= x[first + k].x | x[first + k].y | x[first + k].z | x[first + k].w;
    }
    if (bits == 0xdeadbeefu)
        *out = bits;
}
HD_DEFINE(ceiling_read)

/* The other kernels: block b takes the CEILING_VECTORS vectors from b * CEILING_VECTORS on, of n in
   all, each thread CEILING_LOADS of them, CEILING_THREADS apart (if threads run one after another,
   the one thread takes them in order). Grid as above. */

/* 32 bytes per vector. */
HD_KERNEL void ceiling_copy(size_t n, const hd_u32x4 *HD_RESTRICT x, hd_u32x4 *HD_RESTRICT to)
{
    size_t first = (size_t)hd_block_x() * CEILING_VECTORS;
    size_t left = n - first;
    unsigned k;

#if !HD_SERIAL_THREADS
    if (left >= CEILING_VECTORS) {
        hd_u32x4 v[CEILING_LOADS];

        x += first + hd_thread_x();
        to += first + hd_thread_x();
        HD_UNROLL
        for (k = 0; k < CEILING_LOADS; k++)
            v[k] = hd_load_stream(x + k * CEILING_THREADS);
        HD_UNROLL
        for (k = 0; k < CEILING_LOADS; k++)
            hd_store_stream(to + k * CEILING_THREADS, v[k]);
        return;
    }
#endif
    for (k = hd_thread_x(); k < left && k < CEILING_VECTORS; k += CEILING_THREADS)
        to[first + k] = x[first + k];
}
HD_DEFINE(ceiling_copy)

/* 16 bytes per vector. */
HD_KERNEL void ceiling_write(size_t n, uint32_t bits, hd_u32x4 *HD_RESTRICT to)
{
    size_t first = (size_t)hd_block_x() * CEILING_VECTORS;
    size_t left = n - first;
    hd_u32x4 v;
    unsigned k;

    v.x = v.y = v.z = v.w = bits;
    for (k = hd_thread_x(); k < left && k < CEILING_VECTORS; k += CEILING_THREADS)
        to[first + k] = v;
}
HD_DEFINE(ceiling_write)

/* 48 bytes per vector. */
HD_KERNEL void ceiling_triad(size_t n, const hd_u32x4 *HD_RESTRICT x, const hd_u32x4 *HD_RESTRICT y,
                             hd_u32x4 *HD_RESTRICT to)
{
    size_t first = (size_t)hd_block_x() * CEILING_VECTORS;
    size_t left = n - first;
    unsigned k;

    for (k = hd_thread_x(); k < left && k < CEILING_VECTORS; k += CEILING_THREADS) {
        hd_u32x4 a = hd_load_stream(x + first + k), c = hd_load_stream(y + first + k);

        a.x += c.x;
        a.y += c.y;
        a.z += c.z;
        a.w += c.w;
        to[first + k] = a;
    }
}
HD_DEFINE(ceiling_triad)
