/* SPDX-License-Identifier: Apache-2.0 */
/* plain_random.c - Philox, Box and Muller, and paths of two assets in plain C. */
#include <heddle/kernel.h>
#include <heddle/random_kernel.h>

#include "plain_random.h"

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

HD_EXTERN double plain_paths(size_t paths, unsigned steps, uint64_t seed)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);
    const float dt = 1.0f / (float)steps, sigma = 0.1f * sqrtf(dt), drift = 1.0f + 0.05f * dt;
    double sum = 0.0;

    for (size_t path = 0; path < paths; path++) {
        float a = 1.0f, b = 1.0f;
        for (unsigned k = 0; k < steps; k += 2) {
            const hd_u32x4 w = hd_philox_block(&keys, path, k / 2);
            float z[4];
            plain_pair(w.x, w.y, &z[0], &z[1]);
            plain_pair(w.z, w.w, &z[2], &z[3]);
            for (int i = 0; i < 4; i += 2) {
                a *= drift + sigma * z[i];
                b *= drift + sigma * (0.5f * z[i] + 0.8660254f * z[i + 1]);
            }
        }
        sum += a >= 0.9f && a <= 1.1f && b >= 0.9f && b <= 1.1f ? 1.0 : 0.0;
    }
    return sum;
}
