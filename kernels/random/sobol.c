/* SPDX-License-Identifier: Apache-2.0 */
/* sobol.c - points of the Sobol sequence, plain and scrambled. */
#include <heddle/kernel.h>

#include "random.h"
#include <heddle/detail/sobol_numbers.inc>

/* The direction numbers of one dimension, from the most significant bit down. */
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

/* Row b of the scrambling matrix, from random bits. */
HD_DEVICE uint32_t sobol_matrix_row(unsigned b, uint32_t word)
{
    return (word & ~(0xffffffffu >> b)) | 0x80000000u >> b;
}

/* A direction number times a random unit lower triangular matrix over GF(2): bit b of the product
   is bit b plus a random subset of the bits above it. */
HD_DEVICE uint32_t sobol_scramble(uint64_t seed, uint64_t subsequence, uint32_t dimension,
                                  uint32_t v)
{
    uint32_t made = 0;

    for (unsigned q = 0; q < HD__SOBOL_BITS / 4; q++) {
        const hd_u32x4 w = hd_random_block(seed, subsequence, (uint64_t)dimension * 16 + q);
        HD_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            const unsigned b = 4 * q + i;
            const uint32_t word = i == 0 ? w.x : i == 1 ? w.y : i == 2 ? w.z : w.w;
            made |= (hd_popcount_u32(sobol_matrix_row(b, word) & v) & 1u)
                    << (HD__SOBOL_BITS - 1 - b);
        }
    }
    return made;
}

#if HD_SERIAL_THREADS
/* One thread scrambles all direction numbers of a dimension; it generates the matrix once. */
HD_WIDE void sobol_scramble_all(uint64_t seed, uint64_t subsequence, uint32_t dimension,
                                const uint32_t *HD_RESTRICT v, uint32_t *HD_RESTRICT scrambled)
{
    uint32_t matrix[HD__SOBOL_BITS];

    for (unsigned q = 0; q < HD__SOBOL_BITS / 4; q++) {
        const hd_u32x4 w = hd_random_block(seed, subsequence, (uint64_t)dimension * 16 + q);
        matrix[4 * q] = sobol_matrix_row(4 * q, w.x);
        matrix[4 * q + 1] = sobol_matrix_row(4 * q + 1, w.y);
        matrix[4 * q + 2] = sobol_matrix_row(4 * q + 2, w.z);
        matrix[4 * q + 3] = sobol_matrix_row(4 * q + 3, w.w);
    }
    for (unsigned k = 0; k < HD__SOBOL_BITS; k++) {
        uint32_t made = 0;
        for (unsigned b = 0; b < HD__SOBOL_BITS; b++)
            made = made << 1 | (hd_popcount_u32(matrix[b] & v[k]) & 1u);
        scrambled[k] = made;
    }
}
#endif

/* A block computes the rows of dimensions block, block + grid, ...: direction numbers and shift,
   132 bytes; each thread one number. Any launch shape. */
HD_KERNEL HD_MAX_THREADS(HD__RANDOM_THREADS) void hd__sobol_directions(
    uint32_t dimensions, uint32_t scrambled, uint64_t seed, uint64_t subsequence, uint32_t *rows)
{
    HD_SHARED(uint32_t, v, HD__SOBOL_ROW);

    for (uint32_t d = hd_block_x(); d < dimensions; d += hd_grid_dim_x()) {
        uint32_t *row = rows + (size_t)d * HD__SOBOL_ROW;

        if (hd_thread_x() == 0) {
            sobol_direct(d, v);
            v[HD__SOBOL_BITS] = 0;
        }
        hd_sync_block();
#if HD_SERIAL_THREADS
        if (scrambled && hd_block_dim_x() == 1) {
            sobol_scramble_all(seed, subsequence, d, v, row);
            row[HD__SOBOL_BITS] = hd_random_block(seed, subsequence, (uint64_t)d * 16 + 8).x;
            continue;
        }
#endif
        for (unsigned k = hd_thread_x(); k < HD__SOBOL_ROW; k += hd_block_dim_x()) {
            if (!scrambled)
                row[k] = v[k];
            else if (k < HD__SOBOL_BITS)
                row[k] = sobol_scramble(seed, subsequence, d, v[k]);
            else
                row[k] = hd_random_block(seed, subsequence, (uint64_t)d * 16 + 8).x;
        }
        hd_sync_block();
    }
}
HD_DEFINE(hd__sobol_directions)

/* Loads the row of a dimension to shared memory; `more`: exclusive or of the words of places 0,
   256, 512 and 768 of a tile with that of place 0. */
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

#if !HD_SERIAL_THREADS
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
#endif

#define REAL float
#define SOBOL(stem) HD_CAT(stem, f32)
#define SOBOL_REAL(word) hd_uniform_f32(word)
#include "sobol.inc"
#undef REAL
#undef SOBOL
#undef SOBOL_REAL

#define REAL double
#define SOBOL(stem) HD_CAT(stem, f64)
#define SOBOL_REAL(word) ((double)(word)*0x1p-32)
#include "sobol.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__sobol_f32)
HD_INSTANCE(hd__sobol_f64)
