/* SPDX-License-Identifier: Apache-2.0 */
/* kern_profile.c - one block of 256 threads, whose accesses are counted by hand in
   test_profile.sh. */
#include <heddle/kernel.h>

#include "kern_profile.h"

enum { N = 256 };

HD_KERNEL void profile_row(const float *in, float *out)
{
    out[hd_thread_x()] = in[hd_thread_x()];
}
HD_DEFINE(profile_row)

/* A sector for each lane. */
HD_KERNEL void profile_stride(const float *in, float *out)
{
    out[hd_thread_x()] = in[8 * hd_thread_x()];
}
HD_DEFINE(profile_stride)

/* Every other lane writes, in turns: in each turn half of the lanes. */
HD_KERNEL void profile_turns(const float *in, float *out)
{
    unsigned t = hd_thread_x();
    float v = in[t];

    for (unsigned k = 0; k < 8; k++) {
        if ((t + k) % 2 == 0)
            out[k * N + t] = v;
    }
}
HD_DEFINE(profile_turns)

/* Rows of different lengths, summed by a thread each; the results lie side by side. */
HD_KERNEL void profile_rows(const float *in, float *out)
{
    unsigned t = hd_thread_x();

    for (unsigned row = 0; row < 2; row++) {
        float sum = 0;

        for (unsigned k = 0; k < t % 8; k++)
            sum += in[k * N + t];
        out[row * N + t] = sum;
    }
}
HD_DEFINE(profile_rows)

/* 16 bytes at a time. */
HD_KERNEL void profile_vector(const float *in, float *out)
{
    const hd_f32x4 *from = (const hd_f32x4 *)(const void *)in;
    hd_f32x4 *to = (hd_f32x4 *)(void *)out;
    hd_f32x4 v = from[hd_thread_x()];

    v.x += 1;
    v.w += v.y;
    to[hd_thread_x()] = v;
}
HD_DEFINE(profile_vector)

/* Writes columns of a tile of 32 by 32 and reads rows. */
HD_KERNEL void profile_column(const float *in, float *out)
{
    HD_SHARED(float, tile, 32 * 32);
    unsigned t = hd_thread_x();

    for (unsigned row = 0; row < 32; row += 8)
        tile[t % 32 * 32 + row + t / 32] = in[t];
    hd_sync_block();
    out[t] = tile[t];
}
HD_DEFINE(profile_column)

/* A tree; below a warp's width fewer and fewer lanes take part. */
HD_KERNEL void profile_barrier(const float *in, float *out)
{
    HD_SHARED(float, s, N);
    unsigned t = hd_thread_x();

    s[t] = in[t];
    for (unsigned stride = N / 2; stride > 0; stride /= 2) {
        hd_sync_block();
        if (t < stride)
            s[t] += s[t + stride];
    }
    if (t == 0)
        out[0] = s[0];
}
HD_DEFINE(profile_barrier)
