/* SPDX-License-Identifier: Apache-2.0 */
/* test_pairs.c - every pair of calls that host threads may make at once on handles that they share:
   streams of all kinds, events, pools, peer access, traces, default streams. Each pair runs on two
   threads, which meet before every turn; then all of them run on four, in random order. What the
   calls return is what the header allows, all work ends, and memory holds what was put there.
   labels: threads lazy peers several */
#include <pthread.h>
#include <unistd.h>

#include <heddle/graph.h>
#include <heddle/peer.h>
#include <heddle/reduce.h>
#include <heddle/trace.h>

#include "conformance/rig.h"
#include "unit_kernels.h"

enum { N = 500, EVENTS = 3, MIXED_THREADS = 4, SECONDS_MAX = 500 };
static const uint32_t pattern = 0x5a5a5a5a;

/* What the threads share. Devices 0 and 1 are one where there is one; `other` is used by nothing
   but the reset, and -1 where there is no third one. */
static int devices, second, other;
static hd_stream *streams[3]; /* of device 0, of device 0 and of `second` */
static hd_event *events[EVENTS];
static uint32_t *data[3]; /* of each stream alone: the pattern in every word */
static uint32_t *landing; /* on `second`: where transfers of the first stream go */
static int functions_run, functions_asked;

typedef struct worker {
    uint64_t random;
    uint32_t *own;       /* memory on device 0, and */
    hd_graph_exec *exec; /* a graph that fills it: one thread at a time uses one */
    int wrong;
} worker;

static unsigned draw(worker *w, unsigned below)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->random >> 33) % below;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static hd_status record(worker *w)
{
    return hd_event_record(events[draw(w, EVENTS)], streams[draw(w, 2)]);
}

static hd_status wait_for(worker *w)
{
    return hd_stream_wait(streams[draw(w, 3)], events[draw(w, EVENTS)]);
}

static hd_status event_synchronize(worker *w)
{
    return hd_event_synchronize(events[draw(w, EVENTS)]);
}

/* HD_NOT_READY is no error. */
static hd_status asked(hd_status status)
{
    return status == HD_NOT_READY ? HD_OK : status;
}

static hd_status event_query(worker *w)
{
    return asked(hd_event_query(events[draw(w, EVENTS)]));
}

static hd_status elapsed(worker *w)
{
    float milliseconds;
    unsigned from = draw(w, EVENTS);

    return asked(hd_event_elapsed(events[from], events[draw(w, EVENTS)], &milliseconds));
}

static hd_status stream_query(worker *w)
{
    return asked(hd_stream_query(streams[draw(w, 3)]));
}

static hd_status stream_synchronize(worker *w)
{
    return hd_stream_synchronize(streams[draw(w, 3)]);
}

static hd_status device_synchronize(worker *w)
{
    return hd_device_synchronize(draw(w, 2) ? second : 0);
}

static hd_status fill(worker *w)
{
    unsigned to = draw(w, 3);

    return hd_fill_bytes(data[to], pattern, 4, N, streams[to]);
}

static hd_status copy_out(worker *w)
{
    uint32_t got[N];
    unsigned from = draw(w, 3);

    HD_TRY(hd_copy_blocking(got, data[from], N, streams[from]));
    for (unsigned i = 0; i < N; i++)
        w->wrong += got[i] != pattern;
    return HD_OK;
}

static hd_status launch(worker *w)
{
    unsigned on = draw(w, 2);

    return hd_launch(unit_set, hd_launch_1d(N, 64, streams[on]), (size_t)N, (int *)data[on],
                     (int)pattern);
}

/* Threads of a block meet in it. */
static hd_status reduce(worker *w)
{
    uint64_t *sum = NULL, got = 0;
    unsigned on = draw(w, 2);
    hd_status status = hd_alloc(&sum, 1, 0);

    if (status >= 0)
        status = hd_reduce(data[on], N, HD_U32, HD_SUM, sum, NULL, streams[on]);
    if (status >= 0)
        status = hd_copy_blocking(&got, sum, 1, streams[on]);
    (void)hd_free(sum);
    w->wrong += status >= 0 && got != (uint64_t)N * pattern;
    return status;
}

static hd_status fill_a_piece(hd_stream *stream)
{
    uint32_t *x = NULL;

    HD_TRY(hd_alloc_async(&x, N, stream));
    HD_TRY(hd_fill_bytes(x, 1, 4, N, stream));
    return hd_free_async(x, stream);
}

static hd_status pool(worker *w)
{
    return fill_a_piece(streams[draw(w, 3)]);
}

static hd_status pool_usage(worker *w)
{
    size_t reserved, used;

    (void)w;
    HD_TRY(hd_pool_usage(0, &reserved, &used));
    HD_TRY(hd_pool_peak(0, &reserved, &used));
    HD_TRY(hd_pool_peak_reset(0));
    return hd_pool_trim(0, 0);
}

static hd_status memory(worker *w)
{
    hd_pointer_info info;
    uint32_t *x = NULL;

    HD_TRY(hd_alloc_kind(&x, N, draw(w, 2) ? HD_MEM_PINNED : HD_MEM_DEVICE, 0));
    HD_TRY(hd_pointer_get(x, &info));
    w->wrong += info.base != x && info.base != NULL;
    return hd_free(x);
}

static hd_status page_lock(worker *w)
{
    static const size_t bytes = 1 << 16;
    void *own = NULL;
    hd_status status;

    (void)w;
    if (posix_memalign(&own, 4096, bytes) != 0)
        return HD_OK;
    status = hd_host_register(own, bytes, 0);
    if (status >= 0)
        status = hd_host_unregister(own);
    free(own);
    return status;
}

static hd_status own_handles(worker *w)
{
    hd_stream *stream = NULL;
    hd_event *event = NULL;

    HD_TRY(hd_stream_create_with(0, draw(w, 2), 0, &stream));
    HD_TRY(hd_event_create(0, HD_EVENT_TIMING, &event));
    HD_TRY(hd_stream_wait(stream, events[draw(w, EVENTS)]));
    HD_TRY(fill_a_piece(stream));
    HD_TRY(hd_event_record(event, stream));
    HD_TRY(hd_stream_wait(streams[draw(w, 3)], event));
    HD_TRY(hd_event_destroy(event));
    return hd_stream_destroy(stream);
}

static hd_status default_streams(worker *w)
{
    hd_stream *stream;

    HD_TRY(hd_stream_default(0, draw(w, 2) ? HD_DEFAULT_LEGACY : HD_DEFAULT_PER_THREAD, &stream));
    HD_TRY(fill_a_piece(stream));
    return draw(w, 2) ? hd_stream_synchronize(stream) : HD_OK;
}

static void count(void *argument)
{
    (void)__atomic_fetch_add((int *)argument, 1, __ATOMIC_RELAXED);
}

static hd_status try_count(void *argument)
{
    count(argument);
    return HD_OK;
}

static hd_status functions(worker *w)
{
    hd_stream *stream = streams[draw(w, 3)];

    (void)__atomic_fetch_add(&functions_asked, 3, __ATOMIC_RELAXED);
    HD_TRY(hd_stream_host_function(stream, count, &functions_run));
    HD_TRY(hd_stream_host_task(stream, count, &functions_run));
    return hd_stream_host_try(stream, try_count, &functions_run);
}

static hd_status graph_launch(worker *w)
{
    return hd_graph_launch(w->exec, streams[draw(w, 2)]);
}

static hd_status captured(worker *w)
{
    hd_stream *own = NULL;
    hd_graph *made = NULL;

    HD_TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &own));
    HD_TRY(hd_stream_capture_begin(own));
    HD_TRY(hd_fill_bytes(w->own, pattern, 4, N, own));
    HD_TRY(hd_stream_capture_end(own, &made));
    HD_TRY(hd_graph_destroy(made));
    return hd_stream_destroy(own);
}

/* Access is taken back meanwhile; the transfer finds another way. On GPUs a copy that has begun
   must end first (devices.h). */
static pthread_mutex_t access_in_use = PTHREAD_MUTEX_INITIALIZER;

static hd_status transfer(worker *w)
{
    hd_status status;

    (void)w;
    if (rig_on_cpu())
        return hd_transfer(landing, second, data[0], 0, sizeof(uint32_t) * N, streams[0]);
    (void)pthread_mutex_lock(&access_in_use);
    status = hd_transfer(landing, second, data[0], 0, sizeof(uint32_t) * N, streams[0]);
    if (status >= 0)
        status = hd_stream_synchronize(streams[0]);
    (void)pthread_mutex_unlock(&access_in_use);
    return status;
}

static hd_status peer_on(worker *w)
{
    hd_status status = hd_peer_enable(0, second);

    (void)w;
    return status == HD_ERR_NO_PEER ? HD_OK : status;
}

static hd_status peer_query(worker *w)
{
    hd_peer_info info;
    hd_peer_path path;
    uint64_t bytes;

    (void)w;
    HD_TRY(hd_peer_query(0, second, &info));
    HD_TRY(hd_peer_connect(0, second, &path));
    return hd_peer_staged_bytes(0, second, &bytes);
}

static hd_status peer_off(worker *w)
{
    hd_status status;

    (void)w;
    (void)pthread_mutex_lock(&access_in_use);
    status = hd_peer_disable(0, second);
    (void)pthread_mutex_unlock(&access_in_use);
    HD_TRY(status);
    return hd_peer_trim();
}

/* Another thread may have started or stopped it. */
static hd_status unless_state(hd_status status)
{
    return status == HD_ERR_STATE ? HD_OK : status;
}

static hd_status trace_start(worker *w)
{
    (void)w;
    return unless_state(hd_trace_start(1000));
}

static hd_status trace_stop(worker *w)
{
    size_t spans, dropped;

    (void)w;
    HD_TRY(unless_state(hd_trace_stop()));
    HD_TRY(unless_state(hd_trace_count(&spans, &dropped)));
    return unless_state(hd_trace_write("/dev/null"));
}

static hd_status ranges(worker *w)
{
    (void)w;
    HD_TRY(hd_range_push("pairs"));
    HD_TRY(hd_range_mark("mark"));
    return hd_range_pop();
}

static hd_status attributes(worker *w)
{
    int64_t value;
    char name[64];
    int chosen, n;

    (void)w;
    HD_TRY(hd_device_count(&n));
    HD_TRY(hd_device_get(0, HD_ATTR_WARP_SIZE, &value));
    HD_TRY(hd_device_name(0, name, sizeof name));
    HD_TRY(hd_device_state(0));
    return hd_device_select("0", &chosen);
}

/* A failure here leaves the details of other threads alone. */
static hd_status errors(worker *w)
{
    w->wrong += hd_alloc_bytes(NULL, 1, 1, HD_MEM_DEVICE, 0) != HD_ERR_ARGUMENT;
    w->wrong += hd_error_last()->status != HD_ERR_ARGUMENT;
    return HD_OK;
}

/* Of a device that nothing else uses. Several at once wait for each other. */
static hd_status reset(worker *w)
{
    (void)w;
    return other < 0 ? HD_OK : hd_device_reset(other);
}

/* GPUs refuse to allocate, to free and to wait for a device while one of its streams is captured,
   and the capture is lost (graph.h): there these calls take turns. */
static pthread_mutex_t captures = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *name;
    hd_status (*call)(worker *w);
    int takes_turns;
} calls[] = {
#define CALL(name, takes_turns)                                                                    \
    {                                                                                              \
#name, name, takes_turns                                                                   \
    }
    CALL(record, 0),
    CALL(wait_for, 0),
    CALL(event_synchronize, 0),
    CALL(event_query, 0),
    CALL(elapsed, 0),
    CALL(stream_query, 0),
    CALL(stream_synchronize, 0),
    CALL(device_synchronize, 1),
    CALL(fill, 0),
    CALL(copy_out, 0),
    CALL(launch, 0),
    CALL(reduce, 1),
    CALL(pool, 0),
    CALL(pool_usage, 0),
    CALL(memory, 1),
    CALL(page_lock, 1),
    CALL(own_handles, 0),
    CALL(default_streams, 0),
    CALL(functions, 0),
    CALL(graph_launch, 0),
    CALL(captured, 1),
    CALL(transfer, 0),
    CALL(peer_on, 0),
    CALL(peer_off, 0),
    CALL(trace_start, 0),
    CALL(trace_stop, 0),
    CALL(ranges, 0),
    CALL(attributes, 0),
    CALL(errors, 0),
    CALL(reset, 1),
    CALL(peer_query, 0),
#undef CALL
};
enum { CALLS = sizeof calls / sizeof *calls };

/* ---- the threads ----------------------------------------------------------------------------- */

typedef struct job {
    worker w;
    unsigned call;    /* CALLS: a random one each time */
    unsigned partner; /* for what is printed */
    int turns;
    pthread_barrier_t *barrier; /* NULL: they do not meet */
} job;

static hd_status make(unsigned call, worker *w)
{
    const int takes_turns = calls[call].takes_turns && !rig_on_cpu();
    hd_status status;

    if (takes_turns)
        (void)pthread_mutex_lock(&captures);
    status = calls[call].call(w);
    if (takes_turns)
        (void)pthread_mutex_unlock(&captures);
    return status;
}

static void *run(void *argument)
{
    job *j = argument;

    for (int i = 0; i < j->turns; i++) {
        unsigned call = j->call == CALLS ? draw(&j->w, CALLS) : j->call;

        if (j->barrier)
            (void)pthread_barrier_wait(j->barrier);
        hd_status status = make(call, &j->w);
        if (status != HD_OK) {
            char text[512];

            CHECK_STATUS(status, HD_OK);
            test_note("%s beside %s: %s", calls[call].name,
                      j->partner < CALLS ? calls[j->partner].name : "all others",
                      hd_error_format(text, sizeof text));
        }
    }
    return NULL;
}

static void open_shared(void)
{
    rig_open();
    MUST(hd_device_count(&devices));
    second = devices > 1;
    other = devices > 2 ? 2 : -1;
    for (unsigned i = 0; i < 3; i++)
        MUST(hd_stream_create(i == 2 ? second : 0, &streams[i]));
    for (unsigned i = 0; i < EVENTS; i++) {
        MUST(hd_event_create(0, HD_EVENT_TIMING, &events[i]));
        MUST(hd_event_record(events[i], streams[0]));
    }
    for (unsigned i = 0; i < 3; i++) {
        MUST(hd_alloc(&data[i], N, i == 2 ? second : 0));
        MUST(hd_fill_bytes(data[i], pattern, 4, N, streams[i]));
    }
    MUST(hd_alloc(&landing, N, second));
    MUST(hd_fill_bytes(landing, pattern, 4, N, streams[2]));
    MUST(hd_device_synchronize(0));
    MUST(hd_device_synchronize(second));
    alarm(SECONDS_MAX); /* a hang ends as a failure that names this test */
}

static int count_wrong(const uint32_t *array, hd_stream *stream)
{
    uint32_t got[N];
    int wrong = 0;

    MUST(hd_copy_blocking(got, array, N, stream));
    for (unsigned k = 0; k < N; k++)
        wrong += got[k] != pattern;
    return wrong;
}

static void check_data(void)
{
    for (unsigned i = 0; i < 3; i++)
        MUST(hd_stream_synchronize(streams[i]));
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ_I64(count_wrong(data[i], streams[i]), 0);
    CHECK_EQ_I64(count_wrong(landing, streams[2]), 0);
    CHECK_EQ_I64(functions_run, functions_asked);
}

static void close_shared(void)
{
    (void)hd_trace_stop();
    check_data();
    for (unsigned i = 0; i < 3; i++)
        MUST(hd_stream_destroy(streams[i]));
    for (unsigned i = 0; i < EVENTS; i++)
        MUST(hd_event_destroy(events[i]));
    for (unsigned i = 0; i < 3; i++)
        MUST(hd_free(data[i]));
    MUST(hd_free(landing));
    alarm(0);
}

static void own_graph(worker *w)
{
    hd_graph *graph = NULL;

    MUST(hd_alloc(&w->own, N, 0));
    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_fill_bytes(graph, NULL, 0, NULL, w->own, pattern, 4, N));
    MUST(hd_graph_instantiate(graph, &w->exec));
    MUST(hd_graph_destroy(graph));
}

static void run_jobs(job *jobs, unsigned threads)
{
    pthread_t thread[MIXED_THREADS];

    for (unsigned i = 0; i < threads; i++) {
        own_graph(&jobs[i].w);
        REQUIRE(pthread_create(&thread[i], NULL, run, &jobs[i]) == 0);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        MUST(hd_graph_exec_destroy(jobs[i].w.exec));
        MUST(hd_free(jobs[i].w.own));
        CHECK_EQ_I64(jobs[i].w.wrong, 0);
    }
}

TEST(every_pair)
{
    pthread_barrier_t barrier;
    const int turns = (int)rig_size(12, 3);

    open_shared();
    REQUIRE(pthread_barrier_init(&barrier, NULL, 2) == 0);
    for (unsigned a = 0; a < CALLS; a++)
        for (unsigned b = a; b < CALLS; b++) {
            job jobs[2] = {{{a * CALLS + b, NULL, NULL, 0}, a, b, turns, &barrier},
                           {{b * CALLS + a + 1000000, NULL, NULL, 0}, b, a, turns, &barrier}};

            run_jobs(jobs, 2);
            if (b == CALLS - 1)
                check_data();
        }
    pthread_barrier_destroy(&barrier);
    close_shared();
}

TEST(all_at_once)
{
    const unsigned seeds = (unsigned)rig_size(3, 1);

    open_shared();
    for (unsigned seed = 0; seed < seeds; seed++) {
        job jobs[MIXED_THREADS];

        for (unsigned i = 0; i < MIXED_THREADS; i++)
            jobs[i] = (job){
                {seed * 100 + i, NULL, NULL, 0}, CALLS, CALLS, (int)rig_size(600, 60), NULL};
        run_jobs(jobs, MIXED_THREADS);
        check_data();
    }
    close_shared();
}

/* A wait must not come to stand before the record that it waits for, in one stream. */
static void *record_often(void *turns)
{
    for (int i = 0; i < *(int *)turns; i++)
        MUST(hd_event_record(events[0], streams[0]));
    return NULL;
}

static void *wait_often(void *turns)
{
    for (int i = 0; i < *(int *)turns; i++)
        MUST(hd_stream_wait(streams[0], events[0]));
    return NULL;
}

TEST(record_and_wait_in_one_stream)
{
    int turns = (int)rig_size(20000, 500);

    open_shared();
    for (int round = 0; round < (int)rig_size(20, 2); round++) {
        pthread_t thread[4];

        for (unsigned i = 0; i < 4; i++)
            REQUIRE(pthread_create(&thread[i], NULL, i % 2 ? wait_often : record_often, &turns) ==
                    0);
        for (unsigned i = 0; i < 4; i++)
            pthread_join(thread[i], NULL);
        MUST(hd_stream_synchronize(streams[0]));
    }
    close_shared();
}

TEST_MAIN
