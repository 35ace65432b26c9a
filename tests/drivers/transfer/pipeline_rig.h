/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline_rig.h - two inputs and two outputs of different element size, in memory of any kind,
   that tests pass through a pipeline and compare with the host's own arithmetic. */
#ifndef HEDDLE_TESTS_PIPELINE_RIG_H
#define HEDDLE_TESTS_PIPELINE_RIG_H

#include <heddle/pipeline.h>

#include "arrays.h"
#include "pipeline_kernels.h"

enum { RIG_A, RIG_B, RIG_X, RIG_Y, RIG_ARRAYS };

static const size_t rig_unit[RIG_ARRAYS] = {4, 3, 8, 4};

typedef struct pipeline_rig {
    size_t n;
    hd_memory_kind kind; /* HD_MEM_UNKNOWN: pageable */
    unsigned char *memory[RIG_ARRAYS];
    hd_pipeline_input in[2];
    hd_pipeline_output out[2];
    hd_pipeline_job job;
    /* how the work is disturbed */
    size_t fail_at; /* chunk at which the work fails with fail_status; SIZE_MAX: none */
    hd_status fail_status;
    int launch_nothing; /* a launch with no threads instead */
    /* what was seen */
    size_t chunks, next;
} pipeline_rig;

TEST_UNUSED static hd_status rig_work(void *state, const hd_pipeline_chunk *chunk,
                                      hd_stream *stream)
{
    pipeline_rig *rig = state;

    if (chunk->index != rig->chunks || chunk->first != rig->next || chunk->count == 0)
        test_fail(__FILE__, __LINE__, "chunk %zu begins at %zu, expected %zu at %zu", chunk->index,
                  chunk->first, rig->chunks, rig->next);
    rig->chunks++;
    rig->next += chunk->count;
    if (chunk->index == rig->fail_at && !rig->launch_nothing)
        return rig->fail_status;
    if (chunk->index == rig->fail_at)
        return hd_launch(pipeline_add, hd_launch_with(hd_dim(1, 1, 1), hd_dim(0, 1, 1), 0, stream),
                         chunk->count, (const uint32_t *)chunk->in[0], (uint32_t *)chunk->in[0],
                         0u);
    return hd_launch(pipeline_mix, hd_launch_loop(chunk->count, 128, stream), chunk->count,
                     chunk->first, (const uint32_t *)chunk->in[0], (const uint8_t *)chunk->in[1],
                     (uint64_t *)chunk->out[0], (uint16_t *)chunk->out[1]);
}

TEST_UNUSED static void rig_fill(pipeline_rig *rig, uint64_t seed)
{
    test_fill(rig->memory[RIG_A], rig->n, HD_U32, VALUES_RANDOM, seed);
    test_fill(rig->memory[RIG_B], 3 * rig->n, HD_U8, VALUES_RANDOM, seed + 1);
    memset(rig->memory[RIG_X], ARRAY_POISON, rig_unit[RIG_X] * rig->n);
    memset(rig->memory[RIG_Y], ARRAY_POISON, rig_unit[RIG_Y] * rig->n);
    rig->chunks = rig->next = 0;
}

TEST_UNUSED static void rig_make(pipeline_rig *rig, size_t n, hd_memory_kind kind)
{
    memset(rig, 0, sizeof *rig);
    rig->n = n;
    rig->kind = kind;
    rig->fail_at = SIZE_MAX;
    for (int i = 0; i < RIG_ARRAYS; i++) {
        if (kind == HD_MEM_UNKNOWN)
            rig->memory[i] = malloc(n * rig_unit[i] + 1);
        else
            CHECK_STATUS(hd_alloc_bytes((void **)&rig->memory[i], n + 1, rig_unit[i], kind, 0),
                         HD_OK);
    }
    rig->in[0] = (hd_pipeline_input){rig->memory[RIG_A], 4, 0, NULL, NULL};
    rig->in[1] = (hd_pipeline_input){rig->memory[RIG_B], 1, 3, NULL, NULL};
    rig->out[0] = (hd_pipeline_output){rig->memory[RIG_X], 8, 1, NULL, NULL};
    rig->out[1] = (hd_pipeline_output){rig->memory[RIG_Y], 2, 2, NULL, NULL};
    rig->job = (hd_pipeline_job){rig->in, 2, rig->out, 2, n, 0, rig_work, rig};
    rig_fill(rig, n + (size_t)kind);
}

TEST_UNUSED static void rig_free(pipeline_rig *rig)
{
    for (int i = 0; i < RIG_ARRAYS; i++) {
        if (rig->kind == HD_MEM_UNKNOWN)
            free(rig->memory[i]);
        else
            CHECK_STATUS(hd_free(rig->memory[i]), HD_OK);
    }
}

/* What units 0 to n - 1 give, and that nothing beyond `untouched` was written. */
TEST_UNUSED static void rig_check(const pipeline_rig *rig, size_t n, const char *what)
{
    const unsigned char *b = rig->memory[RIG_B];

    for (size_t i = 0; i < n; i++) {
        uint32_t a;
        uint64_t x, wanted;
        uint16_t y[2], wanted_y[2];

        memcpy(&a, rig->memory[RIG_A] + 4 * i, sizeof a);
        memcpy(&x, rig->memory[RIG_X] + 8 * i, sizeof x);
        memcpy(y, rig->memory[RIG_Y] + 4 * i, sizeof y);
        wanted = (uint64_t)a * 3 + 7 * (uint64_t)i + b[3 * i] + b[3 * i + 1] + b[3 * i + 2];
        wanted_y[0] = (uint16_t)(a / 65536);
        wanted_y[1] = (uint16_t)(5 * b[3 * i] + b[3 * i + 2]);
        if (x == wanted && y[0] == wanted_y[0] && y[1] == wanted_y[1])
            continue;
        test_fail(__FILE__, __LINE__,
                  "%s: unit %zu of %zu: %" PRIu64 " %u %u, expected %" PRIu64 " %u %u", what, i,
                  rig->n, x, y[0], y[1], wanted, wanted_y[0], wanted_y[1]);
        return;
    }
}

#endif
