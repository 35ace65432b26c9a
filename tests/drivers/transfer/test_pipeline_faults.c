/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy
   test_pipeline_faults.c - what goes wrong in a pipeline: the first status comes back, what was
   delivered is whole, nothing is left behind, and the pipeline runs again. */
#include <heddle/pipeline.h>

#include "pipeline_rig.h"
#include "unit/child.h"

enum { N = 10000, CHUNK = 1000 };

static const hd_memory_kind kinds[] = {HD_MEM_UNKNOWN, HD_MEM_PINNED};

static hd_pipeline *make(hd_pipeline_order order)
{
    hd_pipeline_options options = {0};
    hd_pipeline *p = NULL;

    options.order = order;
    options.streams = 3;
    options.chunk = CHUNK;
    options.copies = 1;
    CHECK_STATUS(hd_pipeline_create(&options, &p), HD_OK);
    return p;
}

/* After a failure: the same pipeline passes the rig's data whole. */
static void runs_again(hd_pipeline *p, pipeline_rig *rig)
{
    hd_pipeline_report report;

    rig->fail_at = SIZE_MAX;
    rig_fill(rig, 77);
    CHECK_STATUS(hd_pipeline_run(p, &rig->job, &report), HD_OK);
    CHECK_EQ_SIZE(report.units, rig->n);
    rig_check(rig, rig->n, "after a failure");
}

/* ---- the work fails -------------------------------------------------------------------------- */

TEST(work_that_fails)
{
    for (int k = 0; k < 2; k++)
        for (int order = HD_PIPELINE_DEPTH; order < HD_PIPELINE_ORDER_COUNT_; order++)
            for (size_t at = 0; at < 10; at += 3)
                for (int launch = 0; launch < 2; launch++) {
                    hd_pipeline *p = make((hd_pipeline_order)order);
                    hd_pipeline_report report;
                    pipeline_rig rig;
                    rig_make(&rig, N, kinds[k]);
                    rig.fail_at = at;
                    rig.fail_status = HD_ERR_FORMAT;
                    rig.launch_nothing = launch;
                    CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report),
                                 launch ? HD_ERR_LAUNCH_CONFIG : HD_ERR_FORMAT);
                    CHECK_EQ_I64(hd_error_last()->status,
                                 launch ? HD_ERR_LAUNCH_CONFIG : HD_ERR_FORMAT);
                    CHECK_EQ_SIZE(rig.chunks, at + 1);
                    CHECK_EQ_SIZE(report.chunks, at);
                    CHECK_EQ_SIZE(report.units, at * CHUNK);
                    rig_check(&rig, report.units, "before a failure");
                    runs_again(p, &rig);
                    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
                    rig_free(&rig);
                }
}

static hd_status refuse_work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    return hd_launch(pipeline_refuse, hd_launch_1d(chunk->count, 64, stream), chunk->count,
                     chunk->first, (const uint32_t *)chunk->in[0], (uint32_t *)chunk->out[0],
                     *(uint32_t *)state);
}

/* A kernel that fails is seen by the first wait after it: not all before it need be delivered. */
TEST(kernel_that_fails)
{
    for (int order = HD_PIPELINE_DEPTH; order < HD_PIPELINE_ORDER_COUNT_; order++)
        for (uint32_t bad = 0; bad < N; bad += 4321) {
            uint32_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
            const hd_pipeline_input in = {x, 4, 1, NULL, NULL};
            const hd_pipeline_output out = {y, 4, 1, NULL, NULL};
            uint32_t culprit = bad;
            const hd_pipeline_job job = {&in, 1, &out, 1, N, 0, refuse_work, &culprit};
            hd_pipeline *p = make((hd_pipeline_order)order);
            hd_pipeline_report report;
            size_t wrong = 0;
            for (uint32_t i = 0; i < N; i++)
                x[i] = 5 * i;
            CHECK_STATUS(hd_pipeline_run(p, &job, &report), HD_ERR_ASSERT);
            CHECK(strstr(hd_error_last()->message, "pipeline_refuse") != NULL);
            CHECK(report.units <= bad);
            for (uint32_t i = 0; i < report.units; i++)
                wrong += y[i] != 5 * i + 1;
            CHECK_EQ_SIZE(wrong, 0);
            culprit = UINT32_MAX;
            CHECK_STATUS(hd_pipeline_run(p, &job, &report), HD_OK);
            CHECK_EQ_SIZE(report.units, N);
            CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
            free(x);
            free(y);
        }
}

typedef struct host_failure {
    pipeline_rig *rig;
    size_t fail_at;
    hd_status given;
} host_failure;

static hd_status give_status(void *argument)
{
    return *(hd_status *)argument;
}

static hd_status work_on_host(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    static hd_status good = HD_OK;
    host_failure *f = state;

    HD_TRY(rig_work(f->rig, chunk, stream));
    return hd_stream_host_try(stream, give_status, chunk->index == f->fail_at ? &f->given : &good);
}

/* A host function in the work that fails: its status comes back, once. */
TEST(host_function_that_fails)
{
    for (int order = HD_PIPELINE_DEPTH; order < HD_PIPELINE_ORDER_COUNT_; order++)
        for (size_t at = 0; at < 10; at += 4) {
            hd_pipeline *p = make((hd_pipeline_order)order);
            hd_pipeline_report report;
            pipeline_rig rig;
            rig_make(&rig, N, kinds[at % 2]);
            host_failure failure = {&rig, at, HD_ERR_FORMAT};
            rig.job.work = work_on_host;
            rig.job.state = &failure;
            CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_ERR_FORMAT);
            CHECK(report.units <= at * CHUNK);
            rig_check(&rig, report.units, "before a host function that fails");
            failure.fail_at = SIZE_MAX;
            runs_again(p, &rig);
            CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
            rig_free(&rig);
        }
}

/* ---- functions fail -------------------------------------------------------------------------- */

typedef struct counter {
    size_t units, end, fail_at;
    uint32_t *seen;
} counter;

static hd_status count_up(void *state, void *buffer, size_t capacity, size_t *units)
{
    counter *c = state;

    if (c->units >= c->fail_at)
        return HD_ERR_IO;
    *units = c->end - c->units < capacity ? c->end - c->units : capacity;
    for (size_t i = 0; i < *units; i++)
        ((uint32_t *)buffer)[i] = (uint32_t)(c->units + i);
    c->units += *units;
    return HD_OK;
}

static hd_status take_down(void *state, const void *buffer, size_t units)
{
    counter *c = state;

    if (c->units >= c->fail_at)
        return HD_ERR_IO;
    memcpy(c->seen + c->units, buffer, units * sizeof *c->seen);
    c->units += units;
    return HD_OK;
}

static void run_counters(hd_pipeline *p, counter *from, counter *to, hd_status expected)
{
    uint32_t none = UINT32_MAX;
    const hd_pipeline_input in = {NULL, 4, 1, count_up, from};
    const hd_pipeline_output out = {NULL, 4, 1, take_down, to};
    const hd_pipeline_job job = {&in, 1, &out, 1, HD_PIPELINE_UNBOUNDED, 0, refuse_work, &none};
    hd_pipeline_report report;
    size_t wrong = 0;

    CHECK_STATUS(hd_pipeline_run(p, &job, &report), expected);
    if (expected != HD_OK)
        CHECK(strstr(hd_error_last()->message, "function failed at chunk") != NULL);
    CHECK_EQ_SIZE(report.units, to->units);
    for (size_t i = 0; i < to->units; i++)
        wrong += to->seen[i] != i + 1;
    CHECK_EQ_SIZE(wrong, 0);
}

TEST(functions_that_fail)
{
    uint32_t *seen = malloc(N * sizeof *seen);

    for (int order = HD_PIPELINE_DEPTH; order < HD_PIPELINE_ORDER_COUNT_; order++)
        for (size_t at = 0; at < N; at += 3000) {
            hd_pipeline *p = make((hd_pipeline_order)order);
            counter from = {0, N, at, NULL}, to = {0, 0, SIZE_MAX, seen};
            run_counters(p, &from, &to, HD_ERR_IO);
            CHECK_EQ_SIZE(to.units, at);
            from = (counter){0, N, SIZE_MAX, NULL};
            to = (counter){0, 0, at, seen};
            run_counters(p, &from, &to, HD_ERR_IO);
            CHECK_EQ_SIZE(to.units, at);
            from = (counter){0, N, SIZE_MAX, NULL};
            to = (counter){0, 0, SIZE_MAX, seen};
            run_counters(p, &from, &to, HD_OK);
            CHECK_EQ_SIZE(to.units, N);
            CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
        }
    free(seen);
}

TEST(inputs_that_end_at_different_units)
{
    counter a = {0, 5000, SIZE_MAX, NULL}, b = {0, 4000, SIZE_MAX, NULL};
    uint32_t *y = malloc(N * sizeof *y), none = UINT32_MAX;
    const hd_pipeline_input in[2] = {{NULL, 4, 1, count_up, &a}, {NULL, 4, 1, count_up, &b}};
    const hd_pipeline_output out = {y, 4, 1, NULL, NULL};
    const hd_pipeline_job job = {in, 2, &out, 1, N, 0, refuse_work, &none};
    hd_pipeline *p = make(HD_PIPELINE_ENGINE);
    hd_pipeline_report report;

    CHECK_STATUS(hd_pipeline_run(p, &job, &report), HD_ERR_ARGUMENT);
    CHECK_EQ_SIZE(report.units, 4000);
    for (uint32_t i = 0; i < 4000; i++)
        if (!CHECK_EQ_U64(y[i], i + 1))
            break;
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    free(y);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t free_memory_of_device(void)
{
    size_t bytes = 0;

    CHECK_STATUS(hd_device_memory(0, &bytes, NULL), HD_OK);
    return bytes;
}

TEST(nothing_is_left_after_failures)
{
    const int exact = strcmp(hd_backend_name(), "cpu") == 0;
    pipeline_rig rig;
    size_t before;

    rig_make(&rig, N, HD_MEM_UNKNOWN);
    before = free_memory_of_device();
    for (size_t at = 0; at < 20; at++) {
        hd_pipeline *p = make(HD_PIPELINE_ENGINE);
        rig_fill(&rig, at);
        rig.fail_at = at;
        rig.fail_status = HD_ERR_STATE;
        CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), at < 10 ? HD_ERR_STATE : HD_OK);
        CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
        if (exact)
            CHECK_EQ_SIZE(free_memory_of_device(), before);
    }
    rig_free(&rig);
}

TEST(memory_that_is_not_there)
{
    hd_pipeline_report report;
    hd_pipeline_options options = {0};
    pipeline_rig rig;
    uint32_t *gone;
    hd_pipeline *p;

    rig_make(&rig, N, HD_MEM_PINNED);
    /* an output that is smaller than its units */
    p = make(HD_PIPELINE_DEPTH);
    rig.job.units = 2 * N;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_ERR_POINTER);
    CHECK_EQ_SIZE(report.units, 0);
    /* one whose memory is gone */
    rig.job.units = N;
    REQUIRE(hd_alloc(&gone, N, 0) == HD_OK);
    REQUIRE(hd_free(gone) == HD_OK);
    rig.in[0].data = gone;
    if (strcmp(hd_backend_name(), "cpu") == 0) /* elsewhere it passes for host memory */
        CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_ERR_POINTER);
    rig.in[0].data = rig.memory[RIG_A];
    runs_again(p, &rig);
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    /* buffers that no device has */
    options.chunk = (size_t)1 << 55;
    options.copies = 1;
    rig.job.units = (size_t)1 << 56;
    rig.in[0].data = rig.in[1].data = NULL;
    rig.in[0].read = rig.in[1].read = count_up;
    rig.out[0].data = rig.out[1].data = NULL;
    rig.out[0].write = rig.out[1].write = take_down;
    REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_ERR_NO_MEMORY);
    CHECK_EQ_SIZE(report.units, 0);
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    rig_free(&rig);
}

/* ---- misuse ---------------------------------------------------------------------------------- */

TEST(misuse_is_refused)
{
    const hd_pipeline_options bad_order = {.order = (hd_pipeline_order)9};
    const hd_pipeline_options bad_streams = {.streams = 5000};
    const hd_pipeline_options bad_copies = {.copy_streams = 9};
    const hd_pipeline_options bad_device = {.device = 999};
    hd_pipeline *p = NULL;
    pipeline_rig rig;

    CHECK_STATUS(hd_pipeline_create(&bad_order, &p), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_pipeline_create(&bad_streams, &p), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_pipeline_create(&bad_copies, &p), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_pipeline_create(&bad_device, &p), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_pipeline_create(NULL, NULL), HD_ERR_ARGUMENT);
    CHECK(p == NULL);
    CHECK_STATUS(hd_pipeline_destroy(NULL), HD_OK);
    rig_make(&rig, 100, HD_MEM_UNKNOWN);
    p = make(HD_PIPELINE_AUTO);
    CHECK_STATUS(hd_pipeline_run(p, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_pipeline_run(NULL, &rig.job, NULL), HD_ERR_ARGUMENT);
    rig.job.units = HD_PIPELINE_UNBOUNDED;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_ERR_ARGUMENT);
    rig.job.units = SIZE_MAX / 3;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_ERR_OVERFLOW);
    rig.job.units = 0;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_OK);
    CHECK_EQ_SIZE(rig.chunks, 0);
    rig.job.units = 100;
    rig.in[1].bytes = 0;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_ERR_ARGUMENT);
    rig.in[1].bytes = 1;
    rig.out[1].data = NULL;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_ERR_ARGUMENT);
    rig.out[1].data = rig.memory[RIG_Y];
    rig.job.work = NULL;
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_ERR_ARGUMENT);
    rig.job.work = rig_work;
    runs_again(p, &rig);
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    rig_free(&rig);
}

TEST_MAIN
