/* SPDX-License-Identifier: Apache-2.0 */
/* bug_wave.c - warps taken for 32 lanes: shapes of the launches and their results. */
#include "kern_wave.h"
#include "zoo.h"

#include <string.h>

enum { N = 128, GRID = 2, ALL = GRID * N };

/* The tree with ascending strides over the block's reciprocals, as bits. */
static uint32_t reciprocals(size_t block)
{
    float v[N];
    uint32_t bits;

    for (size_t t = 0; t < N; t++)
        v[t] = 1.0f / (float)x(block * N + t);
    for (size_t stride = 1; stride < N; stride *= 2) {
        for (size_t t = 0; t < N; t += 2 * stride)
            v[t] += v[t + stride];
    }
    memcpy(&bits, &v[0], sizeof bits);
    return bits;
}

static uint32_t odd(size_t block)
{
    uint32_t count = 0;

    for (size_t i = block * N; i < block * N + N; i++)
        count += x(i) % 2;
    return count;
}

/* The odd element of rank i % 32 among its 32; 0 if there is none. */
static uint32_t packed(size_t i)
{
    size_t rank = 0;

    for (size_t j = i / 32 * 32; j < i / 32 * 32 + 32; j++) {
        if (x(j) % 2 && rank++ == i % 32)
            return x(j);
    }
    return 0;
}

/* BUG wave_half */
RUN(wave_half, wave_half, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
/* BUG wave_last */
RUN(wave_last, wave_last, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
/* BUG wave_leader */
RUN(wave_leader, wave_leader, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
/* BUG wave_order */
RUN(wave_order, wave_order, 1, reciprocals(i), 4 * GRID, N, 0, 0, 4 * GRID)
RUN(wave_slots, wave_slots, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
/* BUG wave_votes */
RUN(wave_votes, wave_votes, 1, odd(i), GRID, N, 0, 0, GRID)
RUN(wave_rank, wave_rank, 1, packed(i), GRID, N, 0, 0, ALL)

static uint32_t turned(size_t i)
{
    return x(31 - i);
}

void run_wave_array(void)
{
    const zoo_shape shape = {1, 64, 0, 0, 32};
    zoo_data data = zoo_begin(shape);

    if (zoo_bug)
        MUST(hd_launch(wave_array, data.config, 1, data.in, data.out));
    else
        MUST(hd_launch(wave_array_fixed, data.config, 0, data.in, data.out));
    zoo_end(&data, turned);
}
