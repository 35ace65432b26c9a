/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c - several host threads, each with its own stream or default stream, at once. */
#include <pthread.h>

#include "conformance/rig.h"
#include "unit_kernels.h"

enum { THREADS = 8, N = 3000 };

typedef struct job {
    int id, device, use_default, wrong;
} job;

/* Launches, copies, events and errors of one thread; counts what is not as it must be. */
static void *work(void *argument)
{
    job *j = argument;
    hd_stream *stream = NULL;
    hd_event *event = NULL;
    int *x = NULL, back[N], round, i;

    if (j->use_default)
        MUST(hd_stream_default(j->device, HD_DEFAULT_PER_THREAD, &stream));
    else
        MUST(hd_stream_create(j->device, &stream));
    MUST(hd_event_create(j->device, HD_EVENT_TIMING, &event));
    for (round = 0; round < (int)rig_size(60, 5); round++) {
        hd_launch_config config = hd_launch_1d(N, 64, stream);
        MUST(hd_alloc(&x, N, j->device));
        MUST(hd_launch(unit_set, config, (size_t)N, x, j->id * 1000));
        MUST(hd_launch(unit_add, config, (size_t)N, (const int *)x, x, round));
        MUST(hd_event_record(event, stream));
        j->wrong += hd_copy_bytes(x, NULL, 4, 4, stream) != HD_ERR_ARGUMENT;
        j->wrong += hd_error_last()->status != HD_ERR_ARGUMENT;
        MUST(hd_copy(back, (const int *)x, N, stream));
        MUST(hd_stream_synchronize(stream));
        MUST(hd_event_synchronize(event));
        for (i = 0; i < N; i++)
            j->wrong += back[i] != j->id * 1000 + round;
        MUST(hd_free(x));
    }
    MUST(hd_event_destroy(event));
    if (!j->use_default)
        MUST(hd_stream_destroy(stream));
    return NULL;
}

static void run_jobs(int use_default)
{
    pthread_t threads[THREADS];
    job jobs[THREADS];
    int i, devices;

    rig_open();
    MUST(hd_device_count(&devices));
    for (i = 0; i < THREADS; i++) {
        jobs[i].id = i;
        jobs[i].device = i % devices;
        jobs[i].use_default = use_default;
        jobs[i].wrong = 0;
        REQUIRE(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ_I64(jobs[i].wrong, 0);
    }
}

TEST(own_streams)
{
    run_jobs(0);
}

TEST(default_streams)
{
    run_jobs(1);
}

TEST_MAIN
