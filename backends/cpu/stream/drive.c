/* SPDX-License-Identifier: Apache-2.0 */
/* drive.c - waiting for streams, and lazy mode: operations run only when a host call needs them. A
   seeded choice decides whether only the needed operations run, or any valid order of all streams.
   A program with missing synchronisation then computes wrong results. */
#include "stream/stream.h"

#include <errno.h>
#include <time.h>

#include "core/relax.h"
#include "observe.h"
#include "worker/worker.h"

enum { SPINS = 2000, SPINS_OF_YIELD = 100 };

static uint64_t chosen(void)
{
    static uint64_t state;

    if (!state)
        state = hd_cpu_config_get()->seed * 0x9e3779b97f4a7c15u + 0x853c49e6748fea9bu;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

/* Launches are usually short: spins for a moment before the thread sleeps. */
static void spin(const hd_cpu_op *op)
{
    for (unsigned i = 1; i < SPINS; i++) {
        if (__atomic_load_n(&op->done, __ATOMIC_ACQUIRE) || hd_cpu_launch_waits(op->launch))
            return;
        if (i % SPINS_OF_YIELD)
            hd_cpu_relax();
        else if (hd_cpu_yield())
            return;
    }
}

void hd_cpu_launch_await(hd_cpu_op *op)
{
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    spin(op);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu.host_waiters++;
    while (!op->done && !hd_cpu_launch_waits(op->launch))
        (void)pthread_cond_wait(&hd_cpu.changed, &hd_cpu.lock);
    hd_cpu.host_waiters--;
}

/* ---- lazy mode ------------------------------------------------------------------------------- */

/* The operation to run next so that the stream's head can begin; NULL if it is running. Recurses
   only to operations enqueued before the head, so it terminates. */
static hd_cpu_op *needed(hd_cpu_stream *stream)
{
    hd_cpu_op *op = stream->first;
    hd_cpu_stream *recorder;

    if (!op || stream->running)
        return NULL;
    if (hd_cpu_op_ready(op))
        return op;
    for (hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s != stream && s->device == stream->device && s->blocking && stream->blocking &&
            (s->legacy || stream->legacy) && s->first && s->first->sequence < op->sequence)
            return needed(s);
    if (op->kind != HD_CPU_OP_WAIT || !op->mark || op->mark->done)
        return NULL;
    recorder = op->mark->stream;
    return recorder->first && recorder->first->sequence < op->sequence ? needed(recorder) : NULL;
}

static hd_cpu_op *any_ready(int functions)
{
    hd_cpu_op *pick = NULL;
    unsigned seen = 0;

    for (hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s->first && (functions || s->first->kind != HD_CPU_OP_FUNCTION) &&
            hd_cpu_op_ready(s->first) && chosen() % ++seen == 0)
            pick = s->first;
    return pick;
}

static void perform(hd_cpu_op *op)
{
    op->refs++;
    if (op->kind >= HD_CPU_OP_COPY && op->kind <= HD_CPU_OP_FUNCTION) {
        hd_cpu_op_perform(op);
    } else if (!hd_cpu_op_begin(op)) {
        hd_cpu_launch_await(op);
    }
    hd_cpu_op_release(op);
}

static int drive(hd_cpu_stream *stream, int any_order)
{
    hd_cpu_op *op = stream && !any_order ? needed(stream) : NULL;

    if (!op)
        op = any_ready(1);
    if (!op)
        return 0;
    perform(op);
    return 1;
}

int hd_cpu_drive(hd_cpu_stream *stream)
{
    return drive(stream, chosen() % 2);
}

void hd_cpu_drive_for_host(void)
{
    hd_cpu_op *op;

    if (!hd_cpu_config_get()->lazy)
        return;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    while ((op = any_ready(0)))
        perform(op);
    hd_cpu_call_runners(); /* a function may want a lock that the caller holds */
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

/* ---- when nothing advances ------------------------------------------------------------------- */

enum { LOOK_SECONDS = 1 };

/* Observations of a host thread that waits for a stream. */
typedef struct patience {
    uint64_t progress;
    int seconds; /* seconds without progress while nothing was running */
} patience;

/* Watchdog for streams that wait for each other; called every LOOK_SECONDS. Workers handle waits of
   parked blocks, so launches in flight are left to them. */
static void watch(patience *p)
{
    double limit = hd_cpu_config_get()->watchdog;
    uint64_t progress = __atomic_load_n(&hd_cpu.progress, __ATOMIC_ACQUIRE);

    if (progress != p->progress || hd_cpu.flight || hd_cpu_somebody_works()) {
        *p = (patience){progress, 0};
        return;
    }
    p->seconds += LOOK_SECONDS;
    if (hd_cpu_stand_in() || limit <= 0 || p->seconds < limit)
        return;
    hd_cpu_waits_give_up(limit);
    p->seconds = 0;
}

/* 1: no operation has changed for LOOK_SECONDS. */
static int wait_a_moment(void)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_SECONDS;
    return pthread_cond_timedwait(&hd_cpu.changed, &hd_cpu.lock, &until) == ETIMEDOUT;
}

void hd_cpu_wait_until(hd_cpu_condition *holds, const void *argument, hd_cpu_stream *stream)
{
    int lazy = hd_cpu_config_get()->lazy, any_order = lazy && chosen() % 2, late;
    patience seen = {0, 0};

    while (!holds(argument)) {
        if (lazy && drive(stream, any_order))
            continue;
        hd_cpu.host_waiters++;
        late = wait_a_moment();
        hd_cpu.host_waiters--;
        if (late)
            watch(&seen);
    }
}

/* ---- whole devices and streams --------------------------------------------------------------- */

static int stream_empty(const void *stream)
{
    return !((const hd_cpu_stream *)stream)->first;
}

static int op_done(const void *op)
{
    return ((const hd_cpu_op *)op)->done;
}

static hd_cpu_stream *busy_stream(int device)
{
    for (hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s->device == device && s->first)
            return s;
    return NULL;
}

void hd_cpu_device_drain(int device)
{
    hd_cpu_stream *stream;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    while ((stream = busy_stream(device))) {
        hd_cpu_op *op = stream->first;

        op->refs++;
        hd_cpu_wait_until(op_done, op, stream);
        hd_cpu_op_release(op);
    }
    HD_OBSERVE(op.joined(NULL, NULL, device));
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

void hd_cpu_device_cancel(int device)
{
    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (hd_cpu_launch *launch = hd_cpu.flight; launch; launch = launch->next_flight)
        if (launch->device == device && launch->status == HD_OK)
            hd_cpu_launch_fail_locked(launch, HD_ERR_STATE, "the device was reset");
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

hd_status hdb_stream_synchronize(hd_stream *handle)
{
    hd_cpu_stream *stream = handle->native;
    hd_status status = hd_cpu_ready("hd_stream_synchronize");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    status = hd_cpu_capture_guard("hd_stream_synchronize", stream);
    if (status >= 0) {
        hd_cpu_wait_until(stream_empty, stream, stream);
        HD_OBSERVE(op.joined(stream, NULL, 0));
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status;
}

hd_status hdb_stream_query(hd_stream *handle)
{
    hd_cpu_stream *stream = handle->native;
    hd_status status = hd_cpu_ready("hd_stream_query");
    int empty;

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    status = hd_cpu_capture_guard("hd_stream_query", stream);
    if (hd_cpu_config_get()->lazy && stream->first)
        (void)hd_cpu_drive(stream);
    empty = !stream->first;
    if (empty)
        HD_OBSERVE(op.joined(stream, NULL, 0));
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status < 0 ? status : empty ? HD_OK : HD_NOT_READY;
}
