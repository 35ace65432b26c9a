/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c - several host threads, each with its own stream or default stream, at once; and
   many, one after the other. labels: threads */
#include <malloc.h>
#include <pthread.h>

#include "conformance/rig.h"
#include "unit_kernels.h"

enum { THREADS = 8, N = 3000 };

#if defined(HD_CPU_CHECK) && HD_CPU_CHECK
enum { CHECKER = 1 };
#else
enum { CHECKER = 0 };
#endif

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

static void *short_life(void *device)
{
    hd_stream *stream = NULL;
    int *x = NULL;

    MUST(hd_stream_default(*(int *)device, HD_DEFAULT_PER_THREAD, &stream));
    MUST(hd_alloc_async(&x, 16, stream));
    MUST(hd_fill_zero(x, 16, stream));
    MUST(hd_free_async(x, stream));
    return NULL;
}

static size_t heap_bytes_after(int threads)
{
    int device = 0;

    for (int i = 0; i < threads; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, short_life, &device) == 0)
            pthread_join(thread, NULL);
    }
    MUST(hd_device_synchronize(device));
    return mallinfo2().uordblks;
}

/* Streams of threads that ended are given back, and all that the threads had. */
TEST(threads_leave_nothing)
{
    enum { MANY = 2000 };
    size_t before, after;

    rig_open();
    if (!rig_on_cpu() || CHECKER)
        SKIP("what a thread costs is the vendor's, or the checker's, affair");
    before = heap_bytes_after(300);
    after = heap_bytes_after(MANY);
    NOTE("%zu bytes after 300 threads, %zu after %d more", before, after, MANY);
    CHECK(after < before + 4 * MANY);
}

TEST_MAIN
