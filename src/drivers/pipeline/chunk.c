/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.c - one chunk: from host memory or a function into a slot, to the device, through the work,
   and back. The host reuses a slot only after it has delivered the slot's last chunk, so no work on
   the device ever waits for a buffer. */
#include "run.h"

#include <stdio.h>

static const char call[] = "hd_pipeline_run";

/* The status that a function of the caller's returned; an error detail is added if it set none. */
static hd_status called(hd_status status, const char *what, size_t index)
{
    if (status < 0 && hd_error_last()->status != status)
        return hd__fail(status, call, "the %s function failed at chunk %zu", what, index);
    return status < 0 ? status : HD_OK;
}

static hd_status mark(hd__pipe_run *run, int i, hd_stream *stream)
{
    return run->marking ? hd_event_record(run->p->marks[i], stream) : HD_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

static hd_status deliver(hd__pipe_run *run, const hd__pipe_slot *slot)
{
    const hd_pipeline_chunk *chunk = &slot->chunk;
    for (size_t i = run->inputs; i < run->count; i++) {
        const hd__pipe_array *a = &run->arrays[i];
        if (a->write)
            HD_TRY(
                called(a->write(a->state, slot->pinned[i], chunk->count), "write", chunk->index));
        else if (a->staged)
            hd__copy_pool_copy(run->p->pool, a->host + chunk->first * a->unit, slot->pinned[i],
                               chunk->count * a->unit);
    }
    return HD_OK;
}

hd_status hd__pipe_retire(hd__pipe_run *run)
{
    const hd__pipe_slot *slot = &run->p->slots[run->retired % run->buffers];
    HD_TRY(hd_event_synchronize(slot->done));
    const double began = hd__pipe_now();
    HD_TRY(deliver(run, slot));
    const double ended = hd__pipe_now();
    hd__pipe_latency_add(&run->latency, ended - slot->born);
    (void)pthread_mutex_lock(&run->lock);
    run->stage_out = ended - began;
    run->units += slot->chunk.count;
    run->retired++;
    (void)pthread_cond_broadcast(&run->moved);
    (void)pthread_mutex_unlock(&run->lock);
    return HD_OK;
}

hd_status hd__pipe_fail(hd__pipe_run *run, hd_status status)
{
    const hd_error *last = hd_error_last();
    (void)pthread_mutex_lock(&run->lock);
    if (run->status == HD_OK) {
        run->status = status;
        run->error = *last;
        (void)snprintf(run->message, sizeof run->message, "%s", last->message);
    }
    (void)pthread_cond_broadcast(&run->moved);
    (void)pthread_mutex_unlock(&run->lock);
    return status;
}

hd_status hd__pipe_await(hd__pipe_run *run, size_t retired)
{
    hd_status status;
    while (!run->threaded && run->retired < retired) {
        status = hd__pipe_retire(run);
        if (status < 0)
            return hd__pipe_fail(run, status);
    }
    (void)pthread_mutex_lock(&run->lock);
    while (run->retired < retired && run->status == HD_OK)
        (void)pthread_cond_wait(&run->moved, &run->lock);
    status = run->status;
    (void)pthread_mutex_unlock(&run->lock);
    return status;
}

/* ---- input ----------------------------------------------------------------------------------- */

/* Waits until the last chunk of the next slot is delivered. */
static hd_status await_slot(hd__pipe_run *run)
{
    if (run->loaded < run->buffers)
        return HD_OK;
    return hd__pipe_await(run, run->loaded - run->buffers + 1);
}

/* Reads until there are `wanted` units, a multiple of the granule, or the input ends. */
static hd_status read_units(hd__pipe_run *run, hd__pipe_array *a, char *to, size_t wanted,
                            size_t granule, size_t *got)
{
    size_t count = 0, more;
    do {
        more = 0;
        HD_TRY(called(a->read(a->state, to + count * a->unit, wanted - count, &more), "read",
                      run->loaded));
        if (more > wanted - count)
            return hd__fail(HD_ERR_ARGUMENT, call,
                            "a read function gave %zu units, wanted were %zu", more,
                            wanted - count);
        count += more;
    } while (more > 0 && count < wanted && count % granule != 0);
    *got = count;
    return HD_OK;
}

/* The first reading function determines the number of units of the chunk; the others must match
   it. */
static hd_status read_inputs(hd__pipe_run *run, hd__pipe_slot *slot, size_t *count)
{
    int decided = 0;
    for (size_t i = 0; i < run->inputs; i++) {
        hd__pipe_array *a = &run->arrays[i];
        size_t got = 0;
        if (!a->read)
            continue;
        HD_TRY(read_units(run, a, slot->pinned[i], *count, decided ? *count : run->plan.granule,
                          &got));
        if (decided && got < *count)
            return hd__fail(HD_ERR_ARGUMENT, call, "input %zu ends at unit %zu, another goes on", i,
                            run->next + got);
        *count = got;
        decided = 1;
        if (got == 0) {
            run->ended = 1;
            return HD_OK;
        }
    }
    return HD_OK;
}

static void show_arrays(hd__pipe_run *run, hd__pipe_slot *slot)
{
    const size_t first = slot->chunk.first;
    for (size_t i = 0; i < run->count; i++) {
        const hd__pipe_array *a = &run->arrays[i];
        if (i < run->inputs && a->staged && a->host)
            hd__copy_pool_copy(run->p->pool, slot->pinned[i], a->host + first * a->unit,
                               slot->chunk.count * a->unit);
        slot->shown[i] = a->direct ? a->direct + first * a->unit : slot->device[i];
    }
}

hd_status hd__pipe_load(hd__pipe_run *run, size_t wanted, hd__pipe_slot **slot)
{
    hd_pipeline *p = run->p;
    hd__pipe_slot *s = &p->slots[run->loaded % run->buffers];
    size_t count = wanted;
    *slot = NULL;
    HD_TRY(await_slot(run));
    HD_TRY(read_inputs(run, s, &count));
    if (count == 0)
        return HD_OK;
    s->chunk.index = run->loaded;
    s->chunk.first = run->next;
    s->chunk.count = count;
    s->stream = p->streams[run->loaded % run->streams];
    s->born = hd__pipe_now();
    show_arrays(run, s);
    run->stage_in = hd__pipe_now() - s->born;
    run->next += count;
    run->loaded++;
    *slot = s;
    return HD_OK;
}

/* ---- the device ------------------------------------------------------------------------------ */

/* Prefetches managed memory to the device before the kernels that use it, and back after them. */
static hd_status move_pages(hd__pipe_run *run, const hd__pipe_slot *slot, size_t i, int device,
                            hd_stream *stream)
{
    const hd__pipe_array *a = &run->arrays[i];
    if (!a->managed || !run->p->prefetches)
        return HD_OK;
    return hd_prefetch(slot->shown[i], slot->chunk.count * a->unit, device, stream);
}

hd_status hd__pipe_copy_in(hd__pipe_run *run, hd__pipe_slot *slot)
{
    const int apart = run->order == HD_PIPELINE_ENGINE && run->copies_in;
    hd_stream *stream = apart ? run->p->in[slot->chunk.index % run->copy_streams] : slot->stream;
    HD_TRY(mark(run, 0, stream));
    for (size_t i = 0; i < run->count; i++) {
        const hd__pipe_array *a = &run->arrays[i];
        HD_TRY(move_pages(run, slot, i, run->p->options.device, stream));
        if (i >= run->inputs || !a->buffered)
            continue;
        const void *from = a->staged ? slot->pinned[i] : a->host + slot->chunk.first * a->unit;
        HD_TRY(hd_copy_bytes(slot->device[i], from, slot->chunk.count, a->unit, stream));
    }
    HD_TRY(mark(run, 1, stream));
    if (!apart)
        return HD_OK;
    HD_TRY(hd_event_record(slot->loaded, stream));
    return hd_stream_wait(slot->stream, slot->loaded);
}

hd_status hd__pipe_work(hd__pipe_run *run, hd__pipe_slot *slot)
{
    HD_TRY(mark(run, 2, slot->stream));
    HD_TRY(called(run->job->work(run->job->state, &slot->chunk, slot->stream), "work",
                  slot->chunk.index));
    return mark(run, 3, slot->stream);
}

hd_status hd__pipe_copy_out(hd__pipe_run *run, hd__pipe_slot *slot)
{
    hd_stream *stream = slot->stream;
    if (run->order == HD_PIPELINE_ENGINE && run->copies_out) {
        stream = run->p->out[slot->chunk.index % run->copy_streams];
        HD_TRY(hd_event_record(slot->computed, slot->stream));
        HD_TRY(hd_stream_wait(stream, slot->computed));
    }
    HD_TRY(mark(run, 4, stream));
    for (size_t i = run->inputs; i < run->count; i++) {
        const hd__pipe_array *a = &run->arrays[i];
        if (a->buffered) {
            void *to = a->staged ? slot->pinned[i] : a->host + slot->chunk.first * a->unit;
            HD_TRY(hd_copy_bytes(to, slot->device[i], slot->chunk.count, a->unit, stream));
        }
        HD_TRY(move_pages(run, slot, i, HD_DEVICE_HOST, stream));
    }
    HD_TRY(mark(run, 5, stream));
    return hd_event_record(slot->done, stream);
}
