/* SPDX-License-Identifier: Apache-2.0 */
/* sobol.c - Sobol points, and paths from them, in plain C: each point differs from its predecessor
   by one direction number per dimension (I. A. Antonov, V. M. Saleev, 1979). */
#include <heddle/kernel.h>

#include "paths.h"

#undef HD_TABLE /* here: a host table */
#define HD_TABLE(type, name, n) static const type name[n]
#include <heddle/detail/sobol_numbers.inc>

enum { BITS = 32, DIMENSIONS = 256 };

/* Direction numbers of `dimensions` dimensions, the highest bit's first; those of consecutive bits
   are `dimensions` apart. */
static void plain_directions(unsigned dimensions, uint32_t *v)
{
    const uint16_t *start = sobol_starts;

    for (unsigned k = 0; k < BITS; k++)
        v[k * dimensions] = 0x80000000u >> k;
    for (unsigned d = 1; d < dimensions; d++) {
        const uint32_t polynomial = sobol_polynomials[d - 1];
        const unsigned degree = 31u - hd_clz_u32(polynomial);
        for (unsigned k = 0; k < BITS; k++) {
            uint32_t word = 0;
            if (k < degree) {
                word = (uint32_t)start[k] << (31u - k);
            } else {
                for (unsigned i = 1; i <= degree; i++)
                    if (polynomial >> (degree - i) & 1u)
                        word ^= v[(k - i) * dimensions + d];
                word ^= v[(k - degree) * dimensions + d] >> degree;
            }
            v[k * dimensions + d] = word;
        }
        start += degree;
    }
}

HD_EXTERN void plain_sobol_f32(size_t n, unsigned dimensions, float *out)
{
    uint32_t v[BITS * DIMENSIONS];

    plain_directions(dimensions, v);
    for (unsigned d = 0; d < dimensions; d++) {
        uint32_t word = 0;
        for (size_t i = 0; i < n; i++) {
            out[d * n + i] = (float)(word >> 8) * 0x1p-24f;
            word ^= v[hd_ctz_u32((uint32_t)(i + 1)) * dimensions + d];
        }
    }
}

/* M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", 1988: the
   7-digit version. */
static float plain_probit(float p)
{
    const float q = p - 0.5f;
    float r, z;

    if (fabsf(q) <= 0.425f) {
        r = 0.180625f - q * q;
        return q * (((59.109374720f * r + 159.29113202f) * r + 50.434271938f) * r + 3.3871327179f) /
               (((67.187563600f * r + 78.757757664f) * r + 17.895169469f) * r + 1.0f);
    }
    r = sqrtf(-logf(q < 0.0f ? p : 1.0f - p));
    if (r <= 5.0f) {
        r -= 1.6f;
        z = (((0.17023821103f * r + 1.3067284816f) * r + 2.7568153900f) * r + 1.4234372777f) /
            ((0.12021132975f * r + 0.73700164250f) * r + 1.0f);
    } else {
        r -= 5.0f;
        z = (((0.017337203997f * r + 0.42868294337f) * r + 3.0812263860f) * r + 6.6579051150f) /
            ((0.012258202635f * r + 0.24197894225f) * r + 1.0f);
    }
    return q < 0.0f ? -z : z;
}

HD_EXTERN double plain_sobol_paths(size_t paths, unsigned steps, plain_payoff payoff)
{
    const plain_model model = plain_model_of(steps);
    const unsigned dimensions = 2 * steps;
    uint32_t v[BITS * DIMENSIONS], point[DIMENSIONS];
    double sum = 0.0;

    plain_directions(dimensions, v);
    for (unsigned d = 0; d < dimensions; d++)
        point[d] = 0x9e3779b9u * (d + 1);
    for (size_t path = 0; path < paths; path++) {
        const uint32_t *next = v + hd_ctz_u32((uint32_t)(path + 1)) * dimensions;
        plain_assets s = {1.0f, 1.0f, 0.0f};
        for (unsigned k = 0; k < steps; k++)
            plain_step(&model, plain_probit(((float)(point[2 * k] >> 8) + 0.5f) * 0x1p-24f),
                       plain_probit(((float)(point[2 * k + 1] >> 8) + 0.5f) * 0x1p-24f), &s);
        sum += plain_worth(&s, steps, payoff);
        for (unsigned d = 0; d < dimensions; d++)
            point[d] ^= next[d];
    }
    return sum;
}
