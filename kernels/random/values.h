/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - converts four words of a generator to 16 bytes of elements of each distribution. */
#ifndef HEDDLE_KERNELS_RANDOM_VALUES_H
#define HEDDLE_KERNELS_RANDOM_VALUES_H

#include <heddle/kernel.h>

#include "random.h"
#if HD_SERIAL_THREADS
#include "words.h"
#endif

HD_DEVICE void rnd_bits_u32(const hd__random_task *task, hd_u32x4 w, uint32_t *v)
{
    (void)task;
    v[0] = w.x;
    v[1] = w.y;
    v[2] = w.z;
    v[3] = w.w;
}

HD_DEVICE void rnd_bits_u64(const hd__random_task *task, hd_u32x4 w, uint64_t *v)
{
    (void)task;
    v[0] = hd_random_u64(w.x, w.y);
    v[1] = hd_random_u64(w.z, w.w);
}

/* hd_uniform_f32 and _f64 for loops that the compiler vectorises: vector instructions convert
   signed 32-bit integers, but no 64-bit ones. Both parts of the f64 and their sum are exact. */
HD_DEVICE float rnd_unit_f32(uint32_t word)
{
#if HD_SERIAL_THREADS
    return (float)(int32_t)(word >> 8) * 0x1p-24f;
#else
    return hd_uniform_f32(word);
#endif
}

HD_DEVICE double rnd_unit_f64(uint32_t low, uint32_t high)
{
#if HD_SERIAL_THREADS
    return ((double)(int32_t)(high ^ 0x80000000u) + 0x1p31) * 0x1p-32 +
           (double)(int32_t)(low >> 11) * 0x1p-53;
#else
    return hd_uniform_f64(hd_random_u64(low, high));
#endif
}

HD_DEVICE void rnd_uniform_f32(const hd__random_task *task, hd_u32x4 w, float *v)
{
    (void)task;
    v[0] = rnd_unit_f32(w.x);
    v[1] = rnd_unit_f32(w.y);
    v[2] = rnd_unit_f32(w.z);
    v[3] = rnd_unit_f32(w.w);
}

HD_DEVICE void rnd_uniform_f64(const hd__random_task *task, hd_u32x4 w, double *v)
{
    (void)task;
    v[0] = rnd_unit_f64(w.x, w.y);
    v[1] = rnd_unit_f64(w.z, w.w);
}

HD_DEVICE void rnd_normal_f32(const hd__random_task *task, hd_u32x4 w, float *v)
{
    hd_normal_pair_scaled_f32(w.x, w.y, task->mean32, task->deviation32, &v[0], &v[1]);
    hd_normal_pair_scaled_f32(w.z, w.w, task->mean32, task->deviation32, &v[2], &v[3]);
}

HD_DEVICE void rnd_normal_f64(const hd__random_task *task, hd_u32x4 w, double *v)
{
    hd_normal_pair_f64(hd_random_u64(w.x, w.y), hd_random_u64(w.z, w.w), &v[0], &v[1]);
    v[0] = hd_fma(task->deviation, v[0], task->mean);
    v[1] = hd_fma(task->deviation, v[1], task->mean);
}

HD_DEVICE void rnd_lognormal_f32(const hd__random_task *task, hd_u32x4 w, float *v)
{
    rnd_normal_f32(task, w, v);
#if HD_SERIAL_THREADS /* no branch, also for NaN: the loops are vectorised */
    HD_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t nan = v[k] != v[k] ? 0x7fc00000u : 0u;
        v[k] = hd_f32_from_bits(hd_f32_bits(hd__exp_number_f32(v[k])) | nan);
    }
#else
    if (hd_max(hd_max(hd_abs(v[0]), hd_abs(v[1])), hd_max(hd_abs(v[2]), hd_abs(v[3]))) < 87.0f) {
        HD_UNROLL
        for (unsigned k = 0; k < 4; k++)
            v[k] = hd__exp_normal_f32(v[k]);
        return;
    }
    HD_UNROLL
    for (unsigned k = 0; k < 4; k++)
        v[k] = hd_pure_exp_f32(v[k]);
#endif
}

HD_DEVICE void rnd_lognormal_f64(const hd__random_task *task, hd_u32x4 w, double *v)
{
    rnd_normal_f64(task, w, v);
    v[0] = hd_pure_exp_f64(v[0]);
    v[1] = hd_pure_exp_f64(v[1]);
}

/* 16 bytes at once. */
HD_DEVICE void rnd_store_u32(uint32_t *to, const uint32_t *v)
{
    hd_store_stream((hd_u32x4 *)(void *)to, hd_u32x4_make(v[0], v[1], v[2], v[3]));
}

HD_DEVICE void rnd_store_u64(uint64_t *to, const uint64_t *v)
{
    hd_store_stream((hd_u64x2 *)(void *)to, hd_u64x2_make(v[0], v[1]));
}

HD_DEVICE void rnd_store_f32(float *to, const float *v)
{
    hd_store_stream((hd_f32x4 *)(void *)to, hd_f32x4_make(v[0], v[1], v[2], v[3]));
}

HD_DEVICE void rnd_store_f64(double *to, const double *v)
{
    hd_store_stream((hd_f64x2 *)(void *)to, hd_f64x2_make(v[0], v[1]));
}

#endif
