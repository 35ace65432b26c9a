/* SPDX-License-Identifier: Apache-2.0 */
/* intensity.c - reads vectors and does a given number of operations with each. Launch: blocks of
   INTENSITY_BLOCK threads, INTENSITY_LOADS vectors per thread; no shared memory. */
#include <heddle/kernel.h>

#include "intensity.h"

HD_DEVICE float word_of(uint32_t bits)
{
    union {
        uint32_t u;
        float f;
    } word;

    word.u = bits;
    return word.f;
}

typedef struct four {
    float x, y, z, w;
} four;

HD_DEVICE void step_once(const intensity_work *work, four *v)
{
    v->x = __builtin_fmaf(v->x, work->a, work->b);
    v->y = __builtin_fmaf(v->y, work->a, work->b);
    v->z = __builtin_fmaf(v->z, work->a, work->b);
    v->w = __builtin_fmaf(v->w, work->a, work->b);
}

/* Steps of 8 operations, most of them in groups of 8 steps, so that counting them costs little. */
HD_DEVICE float many(const intensity_work *work, hd_u32x4 words)
{
    four v;
    uint32_t done = 0;
    unsigned u;

    v.x = word_of(words.x);
    v.y = word_of(words.y);
    v.z = word_of(words.z);
    v.w = word_of(words.w);
    HD_NO_UNROLL
    for (; done + 64 <= work->flops; done += 64) {
        HD_UNROLL
        for (u = 0; u < 8; u++)
            step_once(work, &v);
    }
    HD_NO_UNROLL
    for (; done < work->flops; done += 8)
        step_once(work, &v);
    return (v.x + v.y) + (v.z + v.w);
}

/* The words that take part in no operation are combined as integers, so that all are loaded. */
HD_DEVICE float few(const intensity_work *work, hd_u32x4 v, float sum, uint32_t *rest)
{
    *rest |= v.z | v.w;
    if (work->flops == 1) {
        *rest |= v.y;
        return sum + word_of(v.x);
    }
    sum = __builtin_fmaf(word_of(v.x), work->a, sum);
    if (work->flops == 4)
        return __builtin_fmaf(word_of(v.y), work->a, sum);
    *rest |= v.y;
    return sum;
}

HD_KERNEL void intensity_run(HD_GRID_CONST intensity_work work, const hd_u32x4 *HD_RESTRICT in,
                             float *HD_RESTRICT each, float *HD_RESTRICT out)
{
    size_t first = (size_t)hd_block_x() * INTENSITY_BLOCK * INTENSITY_LOADS + hd_thread_x();
    hd_u32x4 v[INTENSITY_LOADS];
    uint32_t rest = 0;
    float sum = 0;
    unsigned i;

    HD_UNROLL
    for (i = 0; i < INTENSITY_LOADS; i++)
        v[i] = in[first + i * INTENSITY_BLOCK];
    HD_UNROLL
    for (i = 0; i < INTENSITY_LOADS; i++)
        sum = work.flops < 8 ? few(&work, v[i], sum, &rest) : sum + many(&work, v[i]);
    if (each)
        each[hd_global_x()] = sum;
    else if (sum < -1.0f || rest == 1u)
        *out = sum;
}
HD_DEFINE(intensity_run)
