/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy
   test_pipeline.c - arrays and streams of data through a device in chunks: every kind of memory,
   order, split and length, against the host. */
#include <heddle/pipeline.h>

#include <pthread.h>
#include <unistd.h>

#include "pipeline_rig.h"

static const hd_memory_kind kinds[] = {HD_MEM_UNKNOWN, HD_MEM_PINNED, HD_MEM_MAPPED,
                                       HD_MEM_MANAGED};

static void run_once(const hd_pipeline_options *options, pipeline_rig *rig)
{
    hd_pipeline *p;
    hd_pipeline_report report;
    char what[160];

    snprintf(what, sizeof what, "kind %d %s chunk %zu streams %u buffers %u copies %d",
             (int)rig->kind, hd_pipeline_order_name(options->order), options->chunk,
             options->streams, options->buffers, options->copies);
    rig_fill(rig, options->chunk + options->streams);
    REQUIRE(hd_pipeline_create(options, &p) == HD_OK);
    if (!CHECK_STATUS(hd_pipeline_run(p, &rig->job, &report), HD_OK))
        test_note("%s: %s", what, hd_error_last()->message);
    CHECK_EQ_SIZE(report.units, rig->n);
    CHECK_EQ_SIZE(report.chunks, rig->chunks);
    if (options->chunk)
        CHECK_EQ_SIZE(rig->chunks, (rig->n + options->chunk - 1) / options->chunk);
    rig_check(rig, rig->n, what);
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

TEST(every_kind_of_memory_order_and_split)
{
    static const size_t sizes[] = {1, 2, 63, 1009, 4096, 12289};
    static const unsigned streams[] = {0, 1, 2, 3, 8};
    const size_t size_count = test_watched(6, 4);
    unsigned turn = 0;

    for (size_t s = 0; s < size_count; s++)
        for (size_t k = 0; k < 4; k++) {
            const size_t n = sizes[s], chunks[] = {n, n / 2 + 1, n / 7 + 1, n / 40 + 1, 2 * n};
            pipeline_rig rig;
            rig_make(&rig, n, kinds[k]);
            for (int order = 0; order < HD_PIPELINE_ORDER_COUNT_; order++)
                for (size_t c = 0; c < 5; c++, turn++) {
                    hd_pipeline_options options = {0};
                    options.order = (hd_pipeline_order)order;
                    options.chunk = chunks[c];
                    options.streams = streams[turn % 5];
                    options.buffers = turn % 3 == 0 ? turn % 4 + 1 : 0;
                    options.copies = (int)(turn / 2 % 2);
                    options.threads = turn % 4;
                    options.copy_streams = turn % 3;
                    run_once(&options, &rig);
                }
            rig_free(&rig);
        }
}

TEST(runs_of_one_pipeline_follow_each_other)
{
    static const size_t sizes[] = {5000, 5000, 100, 7001, 7001, 3};
    hd_pipeline_options options = {0};
    hd_pipeline *p;

    options.copies = 1;
    options.chunk = 700;
    REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
    for (size_t i = 0; i < 6; i++) {
        pipeline_rig rig;
        rig_make(&rig, sizes[i], kinds[i % 4]);
        CHECK_STATUS(hd_pipeline_run(p, &rig.job, NULL), HD_OK);
        rig_check(&rig, sizes[i], "runs in a row");
        rig_free(&rig);
    }
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
}

TEST(granules_are_kept)
{
    hd_pipeline_options options = {0};
    pipeline_rig rig;

    rig_make(&rig, 1000, HD_MEM_PINNED);
    rig.job.granule = 64;
    options.copies = 1;
    for (size_t chunk = 1; chunk < 200; chunk += 33) {
        hd_pipeline_report report;
        hd_pipeline *p;
        rig_fill(&rig, chunk);
        options.chunk = chunk;
        REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
        CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_OK);
        CHECK_EQ_SIZE(report.chunk, chunk < 64 ? 64 : chunk / 64 * 64);
        rig_check(&rig, 1000, "granules");
        CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    }
    rig_free(&rig);
}

TEST(another_device)
{
    int count = 0;

    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 2)
        SKIP("one device");
    for (size_t k = 0; k < 4; k++)
        for (int copies = 0; copies < 2; copies++) {
            hd_pipeline_options options = {0};
            pipeline_rig rig;
            rig_make(&rig, 5003, kinds[k]);
            options.device = count - 1;
            options.copies = copies;
            options.chunk = 600;
            run_once(&options, &rig);
            rig_free(&rig);
        }
}

typedef struct addition {
    uint32_t more;
    size_t chunks;
} addition;

static hd_status add_work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    addition *a = state;
    a->chunks++;
    return hd_launch(pipeline_add, hd_launch_loop(chunk->count, 64, stream), chunk->count,
                     (const uint32_t *)chunk->in[0], (uint32_t *)chunk->out[0], a->more);
}

/* The output is the input, for every kind of memory. */
TEST(in_place)
{
    enum { N = 10007 };
    for (size_t k = 0; k < 4; k++)
        for (int copies = 0; copies < 2; copies++) {
            hd_pipeline_options options = {0};
            addition add = {5, 0};
            hd_pipeline *p;
            uint32_t *x = malloc(N * sizeof *x);
            int wrong = 0;
            if (kinds[k] != HD_MEM_UNKNOWN) {
                free(x);
                REQUIRE(hd_alloc_kind(&x, N, kinds[k], 0) == HD_OK);
            }
            const hd_pipeline_input in = {x, 4, 1, NULL, NULL};
            const hd_pipeline_output out = {x, 4, 1, NULL, NULL};
            const hd_pipeline_job job = {&in, 1, &out, 1, N, 0, add_work, &add};
            for (uint32_t i = 0; i < N; i++)
                x[i] = i * i;
            options.copies = copies;
            options.chunk = 999;
            REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
            CHECK_STATUS(hd_pipeline_run(p, &job, NULL), HD_OK);
            CHECK_EQ_SIZE(add.chunks, 11);
            for (uint32_t i = 0; i < N; i++)
                wrong += x[i] != i * i + 5;
            CHECK_EQ_I64(wrong, 0);
            CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
            if (kinds[k] == HD_MEM_UNKNOWN)
                free(x);
            else
                CHECK_STATUS(hd_free(x), HD_OK);
        }
}

/* ---- functions ------------------------------------------------------------------------------- */

typedef struct tape {
    size_t at, end, step; /* units; a read or write moves at most step, in turn 1, 2, ... */
    size_t turn;
    size_t fail_at; /* unit */
    uint32_t *seen;
    int out_of_order;
} tape;

static hd_status tape_read(void *state, void *buffer, size_t capacity, size_t *units)
{
    tape *t = state;
    uint32_t *to = buffer;
    size_t n = ++t->turn % t->step + 1;

    if (t->at >= t->fail_at)
        return HD_ERR_IO;
    n = n < capacity ? n : capacity;
    n = n < t->end - t->at ? n : t->end - t->at;
    for (size_t i = 0; i < n; i++)
        to[i] = (uint32_t)((t->at + i) * 2654435761u);
    t->at += n;
    *units = n;
    return HD_OK;
}

static hd_status tape_write(void *state, const void *buffer, size_t units)
{
    tape *t = state;

    if (t->at + units > t->fail_at)
        return HD_ERR_IO;
    memcpy(t->seen + t->at, buffer, units * sizeof *t->seen);
    t->at += units;
    return HD_OK;
}

static void check_tape(const tape *to, size_t n)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        wrong += to->seen[i] != (uint32_t)(i * 2654435761u) + 9;
    CHECK_EQ_SIZE(wrong, 0);
}

TEST(functions_without_an_end_known)
{
    enum { N = 30011 };
    uint32_t *seen = malloc(N * sizeof *seen);

    for (int copies = 0; copies < 2; copies++)
        for (int order = 0; order < HD_PIPELINE_ORDER_COUNT_; order++)
            for (size_t granule = 1; granule < 40; granule += 30) {
                hd_pipeline_options options = {0};
                addition add = {9, 0};
                tape from = {0, N, 500, 0, SIZE_MAX, NULL, 0}, to = {0, 0, 0, 0, SIZE_MAX, seen, 0};
                const hd_pipeline_input in = {NULL, 4, 1, tape_read, &from};
                const hd_pipeline_output out = {NULL, 4, 1, tape_write, &to};
                const hd_pipeline_job job = {&in,     1,        &out, 1, HD_PIPELINE_UNBOUNDED,
                                             granule, add_work, &add};
                hd_pipeline_report report;
                hd_pipeline *p;
                memset(seen, 0, N * sizeof *seen);
                options.copies = copies;
                options.order = (hd_pipeline_order)order;
                options.streams = 3;
                options.chunk = 700;
                REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
                CHECK_STATUS(hd_pipeline_run(p, &job, &report), HD_OK);
                CHECK_EQ_SIZE(report.units, N);
                CHECK_EQ_SIZE(to.at, N);
                CHECK_EQ_SIZE(report.chunks, add.chunks);
                CHECK(report.chunks >= N / 700);
                CHECK(report.latency_min > 0 && report.latency_min <= report.latency_median);
                CHECK(report.latency_median <= report.latency_p99);
                CHECK(report.latency_p99 <= report.latency_max);
                CHECK(report.latency_max <= report.seconds);
                check_tape(&to, N);
                CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
            }
    free(seen);
}

/* A producer that waits for each result before it gives the next unit: a result must not wait for
   more input. */
typedef struct dialogue {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t asked, answered, end;
} dialogue;

static hd_status dialogue_read(void *state, void *buffer, size_t capacity, size_t *units)
{
    dialogue *d = state;

    (void)capacity;
    (void)pthread_mutex_lock(&d->lock);
    while (d->answered < d->asked)
        (void)pthread_cond_wait(&d->moved, &d->lock);
    *(uint32_t *)buffer = (uint32_t)d->asked;
    *units = d->asked < d->end;
    d->asked += *units;
    (void)pthread_mutex_unlock(&d->lock);
    return HD_OK;
}

static hd_status dialogue_write(void *state, const void *buffer, size_t units)
{
    dialogue *d = state;

    (void)pthread_mutex_lock(&d->lock);
    CHECK_EQ_SIZE(units, 1);
    CHECK_EQ_U64(*(const uint32_t *)buffer, d->answered + 1);
    d->answered++;
    (void)pthread_cond_broadcast(&d->moved);
    (void)pthread_mutex_unlock(&d->lock);
    return HD_OK;
}

TEST(a_result_does_not_wait_for_more_input)
{
    dialogue d = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 50};
    addition add = {1, 0};
    const hd_pipeline_input in = {NULL, 4, 1, dialogue_read, &d};
    const hd_pipeline_output out = {NULL, 4, 1, dialogue_write, &d};
    const hd_pipeline_job job = {&in, 1, &out, 1, HD_PIPELINE_UNBOUNDED, 0, add_work, &add};
    hd_pipeline *p;

    REQUIRE(hd_pipeline_create(NULL, &p) == HD_OK);
    CHECK_STATUS(hd_pipeline_run(p, &job, NULL), HD_OK);
    CHECK_EQ_SIZE(d.answered, 50);
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *run_alone(void *argument)
{
    const size_t which = *(size_t *)argument;
    hd_pipeline_options options = {0};
    pipeline_rig rig;

    rig_make(&rig, 3000 + 100 * which, kinds[which % 4]);
    options.copies = 1;
    options.order = (hd_pipeline_order)(which % HD_PIPELINE_ORDER_COUNT_);
    for (size_t i = 0; i < 5; i++) {
        options.chunk = 100 + 37 * which + 50 * i;
        run_once(&options, &rig);
    }
    rig_free(&rig);
    return NULL;
}

TEST(pipelines_of_several_threads)
{
    pthread_t threads[8];
    size_t which[8];

    for (size_t i = 0; i < 8; i++) {
        which[i] = i;
        REQUIRE(pthread_create(&threads[i], NULL, run_alone, &which[i]) == 0);
    }
    for (size_t i = 0; i < 8; i++)
        (void)pthread_join(threads[i], NULL);
}

/* ---- stress ---------------------------------------------------------------------------------- */

/* Chunks of 10 units: two copies in, a kernel, two copies out and the events between them. */
static void *run_long(void *argument)
{
    const size_t which = *(size_t *)argument, n = test_watched(12500, 500);
    hd_pipeline_options options = {0};
    pipeline_rig rig;

    rig_make(&rig, n, kinds[which % 4]);
    options.copies = 1;
    options.chunk = 10;
    options.streams = 1 + (unsigned)which % 3;
    options.order = (hd_pipeline_order)(which / 2 % HD_PIPELINE_ORDER_COUNT_);
    run_once(&options, &rig);
    rig_free(&rig);
    return NULL;
}

/* Eight threads, 10^4 chunks and so 10^5 operations in all: nothing is lost or left. */
TEST(eight_threads_and_many_operations)
{
    size_t before = 0, after = 0, which[8];
    pthread_t threads[8];

    CHECK_STATUS(hd_device_memory(0, &before, NULL), HD_OK);
    for (size_t i = 0; i < 8; i++) {
        which[i] = i;
        REQUIRE(pthread_create(&threads[i], NULL, run_long, &which[i]) == 0);
    }
    for (size_t i = 0; i < 8; i++)
        (void)pthread_join(threads[i], NULL);
    CHECK_STATUS(hd_device_memory(0, &after, NULL), HD_OK);
    if (strcmp(hd_backend_name(), "cpu") == 0)
        CHECK_EQ_SIZE(after, before);
}

TEST_MAIN
