/* SPDX-License-Identifier: Apache-2.0 */
/* montecarlo.h - the kernels that run paths, as host code sees them. */
#ifndef HEDDLE_KERNELS_MONTECARLO_H
#define HEDDLE_KERNELS_MONTECARLO_H

#include <heddle/kernel_decl.h>
#include <heddle/device/random_kernel.h>

enum { HD__MC_SLOTS = 256, HD__MC_TILES = 16384 };

/* A tile is rows * 256 paths; thread t of a block takes paths t, t + 256, ... of it. Rows depend on
   the number of paths alone: they double up to 256 while there are more than 16384 tiles. */
HD_BOTH uint32_t hd__mc_rows(uint64_t paths)
{
    uint32_t rows = 1;

    while (rows < 256 && paths > (uint64_t)rows * HD__MC_SLOTS * HD__MC_TILES)
        rows *= 2;
    return rows;
}

/* One launch: tiles from `tile` on, one per block. */
typedef struct hd__mc_task {
    uint64_t paths, first; /* paths of the call, and the number of its first path */
    uint32_t tile, rows, steps;
    uint32_t bits; /* bits of the largest path number, for Sobol points */
    float spot, strike, low, high, per_step;
    float drift, volatility, cross, own; /* of one step: 1 + r dt, sigma sqrt(dt), and its parts */
    const float *normals; /* of the launch's first path; NULL: generated in the kernel */
    uint64_t path_stride, step_stride, asset_stride;
    const uint32_t *directions;
    double *sums, *squares; /* one per tile */
    hd_philox_keys keys;
} hd__mc_task;

#define HD__MC_PAYOFFS(X, source)                                                                  \
    X(digital, source)                                                                             \
    X(asian, source)                                                                               \
    X(european, source)                                                                            \
    X(digital_mirrored, source)                                                                    \
    X(asian_mirrored, source)                                                                      \
    X(european_mirrored, source)

#define HD__MC_DECLARE(payoff, source) HD_DECLARE(hd__mc_##source##_##payoff, hd__mc_task)
HD__MC_PAYOFFS(HD__MC_DECLARE, fused)
HD__MC_PAYOFFS(HD__MC_DECLARE, memory)
HD__MC_PAYOFFS(HD__MC_DECLARE, sobol)
#undef HD__MC_DECLARE

/* Arguments: task, number of paths, output. Stores the normals that the fused kernels generate. */
HD_DECLARE(hd__mc_normals, hd__mc_task, uint64_t, float *)
/* Arguments: tiles, sums, squares, output (two doubles). */
HD_DECLARE(hd__mc_finish, uint32_t, const double *, const double *, double *)

#endif
