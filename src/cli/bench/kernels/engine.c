/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c - minimal kernels for `heddle bench engine`. */
#include <heddle/kernel.h>

#include "bench.h"

/* y = a * x + y without a barrier; any grid. 12 bytes per element. */
HD_KERNEL void engine_axpy_f32(size_t n, float a, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    HD_FOR(i, n)
        y[i] = a * x[i] + y[i];
}
HD_DEFINE(engine_axpy_f32)

/* y = 255 - x, a thread per byte; x may be y. 2 bytes per element. */
HD_KERNEL void engine_invert_u8(size_t n, const uint8_t *x, uint8_t *y)
{
    size_t i = hd_global_x();

    if (i < n)
        y[i] = (uint8_t)(255 - x[i]);
}
HD_DEFINE(engine_invert_u8)

/* Every thread takes part in `rounds` shuffles; out has one element per thread. */
HD_KERNEL void engine_shuffles(unsigned rounds, float *out)
{
    float v = (float)hd_thread_x();
    unsigned i;

    for (i = 0; i < rounds; i++)
        v += hd_shfl_xor(v, 1u << (i & 3u), hd_warp_size()) * 0.5f;
    out[hd_global_x()] = v;
}
HD_DEFINE(engine_shuffles)

/* Every thread takes part in `rounds` block barriers; out has one element per thread. */
HD_KERNEL void engine_barriers(unsigned rounds, float *out)
{
    float v = (float)hd_thread_x();
    unsigned i;

    for (i = 0; i < rounds; i++) {
        v += 1.0f;
        hd_sync_block();
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(engine_barriers)
