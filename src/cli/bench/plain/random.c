/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - Philox, three stateful generators, Box-Muller, Poisson counts, and paths of two assets
   in plain C. */
#include <heddle/kernel.h>

#include "paths.h"

HD_EXTERN void plain_bits_u32(size_t n, uint64_t seed, uint32_t *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    for (size_t i = 0; i < n; i += 4) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 4);
        out[i] = w.x;
        out[i + 1] = w.y;
        out[i + 2] = w.z;
        out[i + 3] = w.w;
    }
}

HD_EXTERN void plain_uniform_f32(size_t n, uint64_t seed, float *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    for (size_t i = 0; i < n; i += 4) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 4);
        out[i] = hd_uniform_f32(w.x);
        out[i + 1] = hd_uniform_f32(w.y);
        out[i + 2] = hd_uniform_f32(w.z);
        out[i + 3] = hd_uniform_f32(w.w);
    }
}

HD_EXTERN void plain_uniform_f64(size_t n, uint64_t seed, double *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    for (size_t i = 0; i < n; i += 2) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 2);
        out[i] = hd_uniform_f64(hd_random_u64(w.x, w.y));
        out[i + 1] = hd_uniform_f64(hd_random_u64(w.z, w.w));
    }
}

/* The numbers of one generator, in order. */
HD_EXTERN void plain_mrg32k3a_f32(size_t n, uint64_t seed, float *out)
{
    hd_mrg32k3a g = hd_mrg32k3a_make((uint32_t)seed);

    for (size_t i = 0; i < n; i++)
        out[i] = hd_uniform_f32(hd_mrg32k3a_next(&g));
}

HD_EXTERN void plain_xorwow_f32(size_t n, uint64_t seed, float *out)
{
    hd_xorwow g = hd_xorwow_make(seed, 0, 0);

    for (size_t i = 0; i < n; i++)
        out[i] = hd_uniform_f32(hd_xorwow_next(&g));
}

static void plain_turn(uint32_t *state)
{
    const unsigned far = HD_MT_WORDS - HD_MT_SHIFT;
    unsigned i;

    for (i = 0; i < far; i++)
        state[i] = hd__mt_twist(state[i], state[i + 1], state[i + HD_MT_SHIFT]);
    for (; i < HD_MT_WORDS - 1; i++)
        state[i] = hd__mt_twist(state[i], state[i + 1], state[i - far]);
    state[i] = hd__mt_twist(state[i], state[0], state[i - far]);
}

HD_EXTERN void plain_mt19937_f32(size_t n, uint64_t seed, float *out)
{
    uint32_t state[HD_MT_WORDS];

    hd__mt_seed(state, (uint32_t)seed);
    for (size_t i = 0; i < n; i += HD_MT_WORDS) {
        const size_t left = n - i < HD_MT_WORDS ? n - i : (size_t)HD_MT_WORDS;
        plain_turn(state);
        for (size_t k = 0; k < left; k++)
            out[i + k] = hd_uniform_f32(hd__mt_temper(state[k]));
    }
}

/* Table lookup by the upper 12 bits of a word, then a linear search: H. C. Chen, Y. Asau, 1974. The
   same counts as heddle's. */
HD_EXTERN void plain_poisson_u32(size_t n, uint64_t seed, double mean, uint32_t *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);
    const hd_poisson p = hd_poisson_make(mean);
    uint32_t above[HD_POISSON_CELLS + 1], start[4096];

    for (uint32_t k = 0; k <= p.cells; k++)
        above[k] = k < p.cells ? (uint32_t)(p.below[k] >> 32) : UINT32_MAX;
    for (uint32_t c = 0, k = 0; c < 4096; c++) {
        while (k < p.cells && above[k] < c << 20)
            k++;
        start[c] = k;
    }
    for (size_t i = 0; i < n; i += 4) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 4);
        const uint32_t words[4] = {w.x, w.y, w.z, w.w};
        for (unsigned j = 0; j < 4; j++) {
            uint32_t k = start[words[j] >> 20];
            while (above[k] < words[j])
                k++;
            if (above[k] == words[j]) /* 32 more bits break the tie */
                out[i + j] = hd__poisson_count(seed, 0, i + j, &p, p.below, words[j]);
            else
                out[i + j] = p.first + k;
        }
    }
}

static void plain_pair(uint32_t a, uint32_t b, float *x, float *y)
{
    const float r = sqrtf(-2.0f * logf(((float)a + 0.5f) * 0x1p-32f));
    const float angle = (float)b * (6.2831853f * 0x1p-32f);

    *x = r * cosf(angle);
    *y = r * sinf(angle);
}

HD_EXTERN void plain_normal_f32(size_t n, uint64_t seed, float *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    for (size_t i = 0; i < n; i += 4) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 4);
        plain_pair(w.x, w.y, &out[i], &out[i + 1]);
        plain_pair(w.z, w.w, &out[i + 2], &out[i + 3]);
    }
}

HD_EXTERN void plain_lognormal_f32(size_t n, uint64_t seed, float *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    for (size_t i = 0; i < n; i += 4) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 4);
        float z[4];
        plain_pair(w.x, w.y, &z[0], &z[1]);
        plain_pair(w.z, w.w, &z[2], &z[3]);
        for (unsigned k = 0; k < 4; k++)
            out[i + k] = expf(z[k]);
    }
}

HD_EXTERN void plain_normal_f64(size_t n, uint64_t seed, double *out)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    for (size_t i = 0; i < n; i += 2) {
        const hd_u32x4 w = hd_philox_block(&keys, 0, i / 2);
        const double u = ((double)hd_random_u64(w.x, w.y) + 0.5) * 0x1p-64;
        const double r = sqrt(-2.0 * log(u));
        const double angle = (double)hd_random_u64(w.z, w.w) * (6.283185307179586 * 0x1p-64);
        out[i] = r * cos(angle);
        out[i + 1] = r * sin(angle);
    }
}

HD_EXTERN double plain_paths(size_t paths, unsigned steps, uint64_t seed, plain_payoff payoff)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);
    const plain_model model = plain_model_of(steps);
    double sum = 0.0;

    for (size_t path = 0; path < paths; path++) {
        plain_assets s = {1.0f, 1.0f, 0.0f};
        for (unsigned k = 0; k < steps; k += 2) {
            const hd_u32x4 w = hd_philox_block(&keys, path, k / 2);
            float z[4];
            plain_pair(w.x, w.y, &z[0], &z[1]);
            plain_pair(w.z, w.w, &z[2], &z[3]);
            plain_step(&model, z[0], z[1], &s);
            plain_step(&model, z[2], z[3], &s);
        }
        sum += plain_worth(&s, steps, payoff);
    }
    return sum;
}
