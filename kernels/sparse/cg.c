/* SPDX-License-Identifier: Apache-2.0 */
/* cg.c - conjugate gradients: vector kernels of both types, and scalar kernels. */
#include <heddle/kernel.h>

#include "cg.h"

/* Sums of a tile, one per plane; unused ones stay 0. */
typedef struct cg_sums {
    double plane[HD__CG_PLANES];
} cg_sums;

HD_DEVICE cg_sums cg_nothing(void)
{
    cg_sums s;
    for (unsigned k = 0; k < HD__CG_PLANES; k++)
        s.plane[k] = 0;
    return s;
}

#if HD_SERIAL_THREADS
HD_DEVICE double cg_tree(double *slots)
{
    for (unsigned left = HD__CG_SLOTS / 2; left > 0; left /= 2)
        for (unsigned c = 0; c < left; c++)
            slots[c] = slots[2 * c] + slots[2 * c + 1];
    return slots[0];
}
#endif

/* Stores the sum of the block's tile on every device that this one exchanges with. */
HD_DEVICE void cg_store(const hd__cg_task *task, unsigned plane, double sum)
{
    const size_t at = (size_t)plane * task->tiles + task->first_tile + hd_block_x();
    for (unsigned k = hd_thread_x(); k < task->to_count; k += hd_block_dim_x())
        task->to[k][at] = sum;
}

#define CG_T float
#define CG_TYPE f32
#include "cg.inc"
#undef CG_T
#undef CG_TYPE

#define CG_T double
#define CG_TYPE f64
#include "cg.inc"
#undef CG_T
#undef CG_TYPE

/* ---- scalars: one block reduces the tiles' sums of a plane
   ------------------------------------------- */

/* Block-wide: the dot product of a plane, in all threads. */
HD_DEVICE double cg_whole(const hd__cg_task *task, unsigned plane)
{
    const double *sums = task->sums + (size_t)plane * task->tiles;
#if HD_SERIAL_THREADS
    if (hd_block_threads() == 1) {
        double slots[HD__CG_SLOTS] = {0};
        for (uint32_t i = 0; i < task->tiles; i++)
            slots[i % HD__CG_SLOTS] += sums[i];
        return cg_tree(slots);
    }
#endif
    double sum = 0;
    for (uint32_t i = hd_thread_x(); i < task->tiles; i += HD__CG_SLOTS)
        sum += sums[i];
    return hd_block_sum(sum);
}

HD_DEVICE uint32_t cg_verdict(const hd__cg_state *state)
{
    if (state->rr - state->rr != 0 || state->bb - state->bb != 0)
        return HD__CG_NOT_FINITE;
    if (state->rr <= state->least * state->scale)
        return HD__CG_CONVERGED;
    return hd_sqrt(state->rr) <= state->tolerance * hd_sqrt(state->scale) ? HD__CG_CONVERGED
                                                                          : HD__CG_RUNNING;
}

/* After r = b - A x. Launch of the three scalar kernels: one block of 256 threads, or of one. */
HD_KERNEL HD_MAX_THREADS(HD__CG_SLOTS) void hd__cg_scalars_begin(HD_GRID_CONST hd__cg_task task)
{
    const double bb = cg_whole(&task, HD__CG_PLANE_PQ);
    const double rz = cg_whole(&task, HD__CG_PLANE_RZ);
    const double rr = cg_whole(&task, HD__CG_PLANE_RR);
    if (hd_thread_x() == 0) {
        task.state->bb = bb;
        if (bb > 0 || task.state->scale == 0)
            task.state->scale = bb > 0 ? bb : rr;
        task.state->rz = rz;
        task.state->rr = rr;
        task.state->beta = 0;
        task.state->iterations = 0;
        task.state->stop = cg_verdict(task.state);
    }
}
HD_DEFINE(hd__cg_scalars_begin)

HD_KERNEL HD_MAX_THREADS(HD__CG_SLOTS) void hd__cg_scalars_alpha(HD_GRID_CONST hd__cg_task task)
{
    const uint32_t stop = task.state->stop;
    const double pq = stop ? 0 : cg_whole(&task, HD__CG_PLANE_PQ);
    if (hd_thread_x() == 0 && !stop) {
        task.state->pq = pq;
        task.state->alpha = task.state->rz / pq;
        if (pq - pq != 0)
            task.state->stop = HD__CG_NOT_FINITE;
        else if (!(pq > 0))
            task.state->stop = HD__CG_INDEFINITE;
    }
}
HD_DEFINE(hd__cg_scalars_alpha)

HD_KERNEL HD_MAX_THREADS(HD__CG_SLOTS) void hd__cg_scalars_beta(HD_GRID_CONST hd__cg_task task)
{
    const uint32_t stop = task.state->stop;
    const double rz = stop ? 0 : cg_whole(&task, HD__CG_PLANE_RZ);
    const double rr = stop ? 0 : cg_whole(&task, HD__CG_PLANE_RR);
    if (hd_thread_x() == 0 && !stop) {
        task.state->beta = rz / task.state->rz;
        task.state->rz = rz;
        task.state->rr = rr;
        task.state->iterations++;
        task.state->stop = cg_verdict(task.state);
    }
}
HD_DEFINE(hd__cg_scalars_beta)

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__cg_begin_f32)
HD_INSTANCE(hd__cg_dot_f32)
HD_INSTANCE(hd__cg_update_f32)
HD_INSTANCE(hd__cg_direction_f32)
HD_INSTANCE(hd__cg_pack_f32)
HD_INSTANCE(hd__cg_begin_f64)
HD_INSTANCE(hd__cg_dot_f64)
HD_INSTANCE(hd__cg_update_f64)
HD_INSTANCE(hd__cg_direction_f64)
HD_INSTANCE(hd__cg_pack_f64)
