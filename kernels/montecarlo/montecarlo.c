/* SPDX-License-Identifier: Apache-2.0 */
/* montecarlo.c - Monte Carlo paths of two correlated assets: one kernel per payoff and source of
   normals, with and without the antithetic path (`mirrored`). */
#include <heddle/kernel.h>

#include "montecarlo.h"
#include "kernels/random/random.h"
#if HD_SERIAL_THREADS
#include "kernels/random/words.h"
#endif

/* The state of a path after some steps. */
typedef struct mc_state {
    float s1, s2, sum;
} mc_state;

HD_DEVICE mc_state mc_begin(const hd__mc_task *task)
{
    mc_state s;
    s.s1 = s.s2 = task->spot;
    s.sum = 0.0f;
    return s;
}

HD_DEVICE mc_state mc_step(const hd__mc_task *task, mc_state s, float z1, float z2)
{
    s.s1 *= hd_fma(task->volatility, z1, task->drift);
    s.s2 *= hd_fma(task->own, z2, hd_fma(task->cross, z1, task->drift));
    s.sum += s.s1;
    return s;
}

HD_DEVICE float mc_excess(float value, float strike)
{
    return value > strike ? value - strike : 0.0f;
}

HD_DEVICE float mc_digital(const hd__mc_task *task, mc_state s)
{
    return s.s1 >= task->low && s.s1 <= task->high && s.s2 >= task->low && s.s2 <= task->high
               ? 1.0f
               : 0.0f;
}

HD_DEVICE float mc_asian(const hd__mc_task *task, mc_state s)
{
    return mc_excess(s.sum * task->per_step, task->strike);
}

HD_DEVICE float mc_european(const hd__mc_task *task, mc_state s)
{
    return mc_excess(s.s1, task->strike);
}

#if HD_SERIAL_THREADS
/* State of 256 paths and their antithetic paths. */
typedef struct mc_slots {
    float s1[2][HD__MC_SLOTS], s2[2][HD__MC_SLOTS], sum[2][HD__MC_SLOTS];
} mc_slots;

HD_DEVICE void mc_begin_slots(const hd__mc_task *task, mc_slots *s)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned t = 0; t < HD__MC_SLOTS; t++) {
            s->s1[i][t] = s->s2[i][t] = task->spot;
            s->sum[i][t] = 0.0f;
        }
}

/* Normals of 256 paths for up to MC_PART steps; rows 2 i and 2 i + 1 hold step i of the two assets.
   If the normals of a path are contiguous, a part of a path is one cache line. */
enum { MC_PART = 8 };
typedef struct mc_part {
    float z[2 * MC_PART][HD__MC_SLOTS];
} mc_part;

/* Loads steps k to k + steps - 1; z is the first normal of the first path. */
HD_DEVICE void mc_part_load(const hd__mc_task *task, const float *z, uint32_t k, uint32_t steps,
                            mc_part *part)
{
    z += k * task->step_stride;
    if (task->path_stride == 1)
        for (uint32_t i = 0; i < 2 * steps; i++, z += task->asset_stride)
            for (unsigned t = 0; t < HD__MC_SLOTS; t++)
                part->z[i][t] = z[t];
    else
        for (unsigned t = 0; t < HD__MC_SLOTS; t++, z += task->path_stride)
            for (uint32_t i = 0; i < 2 * steps; i++)
                part->z[i][t] = z[i];
}

/* Stores a part, as mc_part_load loads it. */
HD_DEVICE void mc_part_store(const hd__mc_task *task, const mc_part *part, uint32_t k,
                             uint32_t steps, float *z)
{
    z += k * task->step_stride;
    if (task->path_stride == 1)
        for (uint32_t i = 0; i < 2 * steps; i++, z += task->asset_stride)
            for (unsigned t = 0; t < HD__MC_SLOTS; t++)
                z[t] = part->z[i][t];
    else
        for (unsigned t = 0; t < HD__MC_SLOTS; t++, z += task->path_stride)
            for (uint32_t i = 0; i < 2 * steps; i++)
                z[i] = part->z[i][t];
}

/* Generates the normals of two steps: Philox block `pair` of paths `number` to number + 255. */
HD_WIDE void mc_pair(const hd__mc_task *task, uint64_t number, uint32_t pair,
                     float (*HD_RESTRICT z)[HD__MC_SLOTS])
{
    for (unsigned from = 0; from < HD__MC_SLOTS; from += RND_MANY) {
        rnd_words words;

        rnd_words_of_streams(&task->keys, number + from, pair, &words);
        for (unsigned t = 0; t < RND_MANY; t++) {
            hd_normal_pair_f32(words.w[0][t], words.w[1][t], &z[0][from + t], &z[1][from + t]);
            hd_normal_pair_f32(words.w[2][t], words.w[3][t], &z[2][from + t], &z[3][from + t]);
        }
    }
}

/* Generates the normals of step k from Sobol points `index` to index + 255, index below 2^32. */
HD_WIDE void mc_points(const hd__mc_task *task, uint32_t index, uint32_t k,
                       float (*HD_RESTRICT z)[HD__MC_SLOTS])
{
    const uint32_t from = index % HD__SOBOL_PLACES, to = HD__SOBOL_PLACES - from;

    for (unsigned i = 0; i < 2; i++) {
        const uint32_t *row = task->directions + (size_t)(2 * k + i) * HD__SOBOL_ROW;
        const uint32_t low = hd__sobol_word(row, index - from);
        const uint32_t high = hd__sobol_word(row, index + to);
        uint32_t places[HD__SOBOL_PLACES];

        hd__sobol_places(row, places);
        for (unsigned t = 0; t < to; t++)
            z[i][t] = hd__probit_straight_f32(low ^ places[from + t]);
        for (unsigned t = to; t < HD__MC_SLOTS; t++)
            z[i][t] = hd__probit_straight_f32(high ^ places[t - to]);
    }
}
_Static_assert((int)HD__SOBOL_PLACES == (int)HD__MC_SLOTS, "a row of paths is one of points");

/* Stores the normals of the launch's paths p to p + 255. */
HD_WIDE void mc_normals_row(const hd__mc_task *given, uint64_t p, float *HD_RESTRICT out)
{
    const hd__mc_task task = *given;
    const uint64_t number = task.first + p +
                            (uint64_t)task.tile * (uint64_t)task.rows * (uint64_t)HD__MC_SLOTS;

    for (uint32_t k = 0; k < task.steps; k += MC_PART) {
        const uint32_t steps = hd_min(task.steps - k, (uint32_t)MC_PART);
        mc_part part;
        for (uint32_t i = 0; i < steps; i += 2)
            mc_pair(&task, number, (k + i) / 2, &part.z[2 * i]);
        mc_part_store(&task, &part, k, steps, out + p * task.path_stride);
    }
}

/* As hd_block_sum over 256 threads. */
HD_DEVICE double mc_tree(double *v)
{
    for (unsigned stride = 1; stride < HD__MC_SLOTS; stride *= 2)
        for (unsigned t = 0; t < HD__MC_SLOTS; t += 2 * stride)
            v[t] += v[t + stride];
    return v[0];
}
#endif

#define MC_CAT_(a, b, c) a##b##c
#define MC_CAT(a, b, c) MC_CAT_(a, b, c)

#define MC_PAYOFF digital
#include "sources.inc"
#undef MC_PAYOFF
#define MC_PAYOFF asian
#include "sources.inc"
#undef MC_PAYOFF
#define MC_PAYOFF european
#include "sources.inc"

/* Stores the normals that the fused kernels generate: an iteration writes two steps of one path.
   Any launch shape, steps in y; where HD_SERIAL_THREADS is 1, blocks of one thread, for 256 paths
   each. 8 bytes written per path and step. */
HD_KERNEL HD_MAX_THREADS(HD__MC_SLOTS) void hd__mc_normals(HD_GRID_CONST hd__mc_task task,
                                                           uint64_t paths, float *HD_RESTRICT out)
{
    const uint64_t from = task.first +
                          (uint64_t)task.tile * (uint64_t)task.rows * (uint64_t)HD__MC_SLOTS;

#if HD_SERIAL_THREADS
    if (hd_block_threads() == 1) {
        mc_normals_row(&task, (uint64_t)hd_block_x() * HD__MC_SLOTS, out);
        return;
    }
#endif
    HD_FOR2(j, (task.steps + 1) / 2, p, paths) {
        const hd_u32x4 w = hd_philox_block(&task.keys, from + p, j);
        float *to = out + p * task.path_stride + 2 * j * task.step_stride;
        float z1, z2;

        hd_normal_pair_f32(w.x, w.y, &z1, &z2);
        to[0] = z1;
        to[task.asset_stride] = z2;
        if (2 * j + 1 < task.steps) {
            hd_normal_pair_f32(w.z, w.w, &z1, &z2);
            to[task.step_stride] = z1;
            to[task.step_stride + task.asset_stride] = z2;
        }
    }
}
HD_DEFINE(hd__mc_normals)

/* Reduces the sums of all tiles: thread c adds tiles c, c + 256, ..., then a tree over the threads.
   Launch: one block of 256 threads. 16 bytes read per tile. */
HD_KERNEL HD_MAX_THREADS(HD__MC_SLOTS) void hd__mc_finish(uint32_t tiles,
                                                          const double *HD_RESTRICT sums,
                                                          const double *HD_RESTRICT squares,
                                                          double *HD_RESTRICT out)
{
    double sum = 0.0, square = 0.0;

    for (uint32_t i = hd_thread_x(); i < tiles; i += HD__MC_SLOTS) {
        sum += sums[i];
        square += squares[i];
    }
    sum = hd_block_sum(sum);
    square = hd_block_sum(square);
    if (hd_thread_x() == 0) {
        out[0] = sum;
        out[1] = square;
    }
}
HD_DEFINE(hd__mc_finish)

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__mc_fused_digital)
HD_INSTANCE(hd__mc_memory_digital)
HD_INSTANCE(hd__mc_sobol_digital)
HD_INSTANCE(hd__mc_fused_digital_mirrored)
HD_INSTANCE(hd__mc_memory_digital_mirrored)
HD_INSTANCE(hd__mc_sobol_digital_mirrored)
HD_INSTANCE(hd__mc_fused_asian)
HD_INSTANCE(hd__mc_memory_asian)
HD_INSTANCE(hd__mc_sobol_asian)
HD_INSTANCE(hd__mc_fused_asian_mirrored)
HD_INSTANCE(hd__mc_memory_asian_mirrored)
HD_INSTANCE(hd__mc_sobol_asian_mirrored)
HD_INSTANCE(hd__mc_fused_european)
HD_INSTANCE(hd__mc_memory_european)
HD_INSTANCE(hd__mc_sobol_european)
HD_INSTANCE(hd__mc_fused_european_mirrored)
HD_INSTANCE(hd__mc_memory_european_mirrored)
HD_INSTANCE(hd__mc_sobol_european_mirrored)
