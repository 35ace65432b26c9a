/* SPDX-License-Identifier: Apache-2.0 */
/* random_sobol.c - points of the Sobol sequence, plain and scrambled. */
#include <heddle/kernel.h>

#include "random.h"
#include "sobol_numbers.inc"

/* The direction numbers of one dimension, from the upper bit down. */
HD_DEVICE void sobol_direct(uint32_t dimension, uint32_t *v)
{
    uint32_t start = 0, degree, polynomial;

    if (dimension == 0) {
        for (unsigned k = 0; k < HD__SOBOL_BITS; k++)
            v[k] = 0x80000000u >> k;
        return;
    }
    for (unsigned d = 0; d + 1 < dimension; d++)
        start += HD__SOBOL_BITS - 1 - hd_clz_u32(sobol_polynomials[d]);
    polynomial = sobol_polynomials[dimension - 1];
    degree = HD__SOBOL_BITS - 1 - hd_clz_u32(polynomial);
    for (unsigned k = 0; k < HD__SOBOL_BITS; k++) {
        if (k < degree) {
            v[k] = (uint32_t)sobol_starts[start + k] << (HD__SOBOL_BITS - 1 - k);
            continue;
        }
        v[k] = v[k - degree] ^ v[k - degree] >> degree;
        for (unsigned i = 1; i < degree; i++)
            if (polynomial >> (degree - i) & 1u)
                v[k] ^= v[k - i];
    }
}

/* Multiplies them by a random lower triangular matrix over two elements, with ones on its diagonal:
   bit b of the product takes bit b and any of the bits above it. */
HD_DEVICE void sobol_scramble(uint64_t seed, uint64_t subsequence, uint32_t dimension, uint32_t *v)
{
    const uint64_t block = (uint64_t)dimension * 16;
    uint32_t made[HD__SOBOL_BITS];

    for (unsigned k = 0; k < HD__SOBOL_BITS; k++)
        made[k] = 0;
    for (unsigned b = 0; b < HD__SOBOL_BITS; b++) {
        const hd_u32x4 w = hd_random_block(seed, subsequence, block + b / 4);
        const uint32_t word = b % 4 == 0 ? w.x : b % 4 == 1 ? w.y : b % 4 == 2 ? w.z : w.w;
        const uint32_t row = (word & ~(0xffffffffu >> b)) | 0x80000000u >> b;
        for (unsigned k = 0; k < HD__SOBOL_BITS; k++)
            made[k] |= (hd_popcount_u32(row & v[k]) & 1u) << (HD__SOBOL_BITS - 1 - b);
    }
    for (unsigned k = 0; k < HD__SOBOL_BITS; k++)
        v[k] = made[k];
    v[HD__SOBOL_BITS] = hd_random_block(seed, subsequence, block + 8).x;
}

/* A thread makes the row of one dimension: direction numbers and shift, 132 bytes. Any launch
   shape. */
HD_KERNEL HD_MAX_THREADS(HD__RANDOM_THREADS) void hd__sobol_directions(
    uint32_t dimensions, uint32_t scrambled, uint64_t seed, uint64_t subsequence, uint32_t *rows)
{
    HD_FOR(d, dimensions) {
        uint32_t *v = rows + d * HD__SOBOL_ROW;

        sobol_direct((uint32_t)d, v);
        v[HD__SOBOL_BITS] = 0;
        if (scrambled)
            sobol_scramble(seed, subsequence, (uint32_t)d, v);
    }
}
HD_DEFINE(hd__sobol_directions)

/* The row of a dimension into shared memory, and by what the words of places 0, 256, 512 and 768 of
   a tile differ from the first one. */
HD_DEVICE void sobol_load(const uint32_t *from, uint32_t *row, uint32_t *more)
{
    for (unsigned k = hd_thread_x(); k < HD__SOBOL_ROW; k += hd_block_threads())
        row[k] = from[k];
    hd_sync_block();
    more[0] = 0;
    more[1] = row[8] ^ row[7];
    more[2] = row[9] ^ row[8];
    more[3] = row[9] ^ row[7];
}

/* The word of place t < 256 without the shift. */
HD_DEVICE uint32_t sobol_place(const uint32_t *row, unsigned t)
{
    const uint32_t gray = t ^ t >> 1;
    uint32_t word = 0;

    HD_UNROLL
    for (unsigned bit = 0; bit < 8; bit++)
        word ^= row[bit] & (0u - (gray >> bit & 1u));
    return word;
}

#define REAL float
#define SOBOL(stem) HD_CAT(stem, f32)
#define SOBOL_REAL(word) hd_uniform_f32(word)
#include "random_sobol.inc"
#undef REAL
#undef SOBOL
#undef SOBOL_REAL

#define REAL double
#define SOBOL(stem) HD_CAT(stem, f64)
#define SOBOL_REAL(word) ((double)(word)*0x1p-32)
#include "random_sobol.inc"
