/* SPDX-License-Identifier: Apache-2.0 */
/* feed.c - all chunks of a run. One thread loads and issues them; with functions or pageable memory
   a second thread delivers, so that a result never waits for the next input. */
#include "run.h"

/* ---- delivering ------------------------------------------------------------------------------ */

static void *deliver_all(void *argument)
{
    hd__pipe_run *run = argument;
    int stop = 0;
    while (!stop) {
        (void)pthread_mutex_lock(&run->lock);
        while (run->retired == run->issued && !run->over)
            (void)pthread_cond_wait(&run->moved, &run->lock);
        stop = run->retired == run->issued;
        (void)pthread_mutex_unlock(&run->lock);
        if (stop)
            break;
        const hd_status status = hd__pipe_retire(run);
        if (status < 0) {
            (void)hd__pipe_fail(run, status);
            stop = 1;
        }
    }
    return NULL;
}

void hd__pipe_start(hd__pipe_run *run)
{
    if (run->threaded && pthread_create(&run->thread, NULL, deliver_all, run) != 0)
        run->threaded = 0;
}

/* ---- issuing --------------------------------------------------------------------------------- */

typedef hd_status step(hd__pipe_run *run, hd__pipe_slot *slot);

/* Executes a step for `count` chunks from `first` on; returns how many succeeded. */
static size_t each(hd__pipe_run *run, step *what, size_t first, size_t count, hd_status *failed)
{
    for (size_t i = 0; i < count; i++) {
        const hd_status status = what(run, &run->p->slots[(first + i) % run->buffers]);
        if (status < 0) {
            *failed = hd__pipe_fail(run, status);
            return i;
        }
    }
    return count;
}

static size_t load_chunks(hd__pipe_run *run, size_t most, size_t wanted, hd_status *failed)
{
    size_t ready = 0;
    while (ready < most && !run->ended && run->next < run->limit) {
        const size_t left = run->limit - run->next;
        const size_t planned = hd__pipe_next(&run->plan, run->loaded - run->planned, left);
        hd__pipe_slot *slot;
        hd_status status = hd__pipe_load(run, wanted && wanted < left ? wanted : planned, &slot);
        if (status >= 0 && slot)
            status = hd__pipe_copy_in(run, slot);
        if (status < 0) {
            *failed = hd__pipe_fail(run, status);
            break;
        }
        ready += slot != NULL;
    }
    return ready;
}

hd_status hd__pipe_issue(hd__pipe_run *run, size_t most, size_t wanted)
{
    const size_t first = run->loaded;
    hd_status failed = HD_OK;
    size_t good = load_chunks(run, most, wanted, &failed);
    good = each(run, hd__pipe_work, first, good, &failed);
    good = each(run, hd__pipe_copy_out, first, good, &failed);
    (void)pthread_mutex_lock(&run->lock);
    run->issued += good;
    (void)pthread_cond_broadcast(&run->moved);
    (void)pthread_mutex_unlock(&run->lock);
    return failed;
}

hd_status hd__pipe_feed(hd__pipe_run *run)
{
    const size_t width = run->order != HD_PIPELINE_BREADTH ? 1
                         : run->streams < run->buffers     ? run->streams
                                                           : run->buffers;
    while (!run->ended && run->next < run->limit)
        HD_TRY(hd__pipe_issue(run, width, 0));
    return HD_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void await_idle(hd__pipe_run *run, hd_stream *stream)
{
    const hd_status status = stream ? hd_stream_synchronize(stream) : HD_OK;
    if (status < 0)
        (void)hd__pipe_fail(run, status);
}

hd_status hd__pipe_finish(hd__pipe_run *run)
{
    const hd_pipeline *p = run->p;
    if (run->threaded) {
        (void)pthread_mutex_lock(&run->lock);
        run->over = 1;
        (void)pthread_cond_broadcast(&run->moved);
        (void)pthread_mutex_unlock(&run->lock);
        (void)pthread_join(run->thread, NULL);
    }
    while (!run->threaded && run->retired < run->issued) {
        const hd_status status = hd__pipe_retire(run);
        if (status < 0) {
            (void)hd__pipe_fail(run, status);
            break;
        }
    }
    for (unsigned i = 0; i < p->stream_count; i++)
        await_idle(run, p->streams[i]);
    for (unsigned i = 0; i < HD__PIPE_COPY_STREAMS; i++) {
        await_idle(run, p->in[i]);
        await_idle(run, p->out[i]);
    }
    return run->status;
}
