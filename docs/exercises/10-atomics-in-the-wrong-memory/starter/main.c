/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - all devices of the machine deposit their particles in one grid, which is in host memory
   that every device reads and writes in place. */
#include "exercise.h"
#include "kernel.h"

enum { PARTICLES = 3000, CELLS = 16, BLOCK = 128, DEVICES_MAX = 8 };

typedef struct share {
    hd_stream *stream;
    uint32_t *cell;
    float *weight;
} share;

static uint32_t cell_of(size_t i)
{
    return (uint32_t)(i * i % 31 % CELLS);
}

/* Multiples of 1/8: their sums are exact in any order, so that a lost one is seen. */
static float weight_of(size_t i)
{
    return (float)(i % 13 + 1) / 8;
}

/* Particles first to end - 1 on one device. Returns before they are done. */
static share start(int device, size_t first, size_t end, float *charge)
{
    size_t n = end - first;
    uint32_t *cell = malloc((n + 1) * sizeof *cell);
    float *weight = malloc((n + 1) * sizeof *weight);
    void *seen;
    share s;

    if (!cell || !weight)
        exit(2);
    for (size_t i = 0; i < n; i++) {
        cell[i] = cell_of(first + i);
        weight[i] = weight_of(first + i);
    }
    TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &s.stream));
    TRY(hd_alloc(&s.cell, n, device));
    TRY(hd_alloc(&s.weight, n, device));
    TRY(hd_copy_blocking(s.cell, cell, n, s.stream));
    TRY(hd_copy_blocking(s.weight, weight, n, s.stream));
    TRY(hd_host_device_pointer(&seen, charge, device));
    TRY(hd_launch(deposit, hd_launch_1d(n, BLOCK, s.stream), n, s.cell, s.weight, (float *)seen));
    free(weight);
    free(cell);
    return s;
}

static void finish(share *s)
{
    TRY(hd_stream_synchronize(s->stream));
    TRY(hd_free(s->weight));
    TRY(hd_free(s->cell));
    TRY(hd_stream_destroy(s->stream));
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, PARTICLES);
    float expected[CELLS] = {0}, *charge;
    share shares[DEVICES_MAX];
    int devices, status = 0;

    TRY(hd_device_count(&devices));
    if (devices > DEVICES_MAX)
        devices = DEVICES_MAX;
    TRY(hd_alloc_kind(&charge, CELLS, HD_MEM_MAPPED, 0));
    memset(charge, 0, CELLS * sizeof *charge);
    for (int d = 0; d < devices; d++)
        shares[d] = start(d, n * (size_t)d / (size_t)devices, n * (size_t)(d + 1) / (size_t)devices,
                          charge);
    for (int d = 0; d < devices; d++)
        finish(&shares[d]);
    for (size_t i = 0; i < n; i++)
        expected[cell_of(i)] += weight_of(i);
    for (int c = 0; c < CELLS && !status; c++)
        if (charge[c] != expected[c])
            status = exercise_wrong("cell %d has charge %g, expected %g", c, (double)charge[c],
                                    (double)expected[c]);
    for (int c = 0; c < CELLS && !status; c++)
        printf("cell %2d: %g\n", c, (double)charge[c]);
    TRY(hd_free(charge));
    return status;
}
