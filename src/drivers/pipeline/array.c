/* SPDX-License-Identifier: Apache-2.0 */
/* array.c - how each array of a pipeline reaches the device, and the buffers for those that are not
   used in place. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "hd_pipeline_run";

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Whether kernels can use the array's memory in place, at *direct; otherwise it is copied. */
static int in_place(const hd__pipe_run *run, hd__pipe_array *a, const hd_pointer_info *info)
{
    const hd_pipeline *p = run->p;
    const int device = p->options.device;
    void *usable = NULL;
    if (p->options.copies)
        return 0;
    if (info->kind == HD_MEM_DEVICE || info->kind == HD_MEM_COHERENT)
        a->direct = info->device == device ? a->host : NULL;
    if (info->kind == HD_MEM_MANAGED) {
        a->direct = a->host;
        a->managed = 1;
    }
    if (info->kind == HD_MEM_UNKNOWN && p->integrated)
        a->registered = hd_host_register(a->host, a->unit * run->job->units, device) >= 0;
    if (info->kind == HD_MEM_MAPPED || a->registered ||
        (info->kind == HD_MEM_PINNED && p->integrated))
        if (hd_host_device_pointer(&usable, a->host, device) >= 0)
            a->direct = usable;
    return a->direct != NULL;
}

static hd_status take_memory(hd__pipe_run *run, hd__pipe_array *a, const char *what, size_t i)
{
    const size_t bytes = a->unit * run->job->units;
    hd_pointer_info info;
    HD_TRY(hd_pointer_get(a->host, &info));
    if (info.base && bytes > info.bytes - (size_t)(a->host - (char *)info.base))
        return hd__fail(HD_ERR_POINTER, call, "%s %zu: %zu bytes leave the allocation of %zu bytes",
                        what, i, bytes, info.bytes);
    if (in_place(run, a, &info))
        return HD_OK;
    a->buffered = 1;
    a->staged = info.kind == HD_MEM_UNKNOWN;
    return HD_OK;
}

static hd_status take(hd__pipe_run *run, hd__pipe_array *a, const char *what, size_t i)
{
    const size_t units = run->job->units;
    if (a->unit == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s %zu: elements of 0 bytes", what, i);
    if (a->unit == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%s %zu: a unit does not fit in memory", what, i);
    if (!a->host && !a->read && !a->write)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s %zu has neither data nor function", what, i);
    if (a->host && units == HD_PIPELINE_UNBOUNDED)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s %zu: an array is not unbounded", what, i);
    if (a->host && hd_bytes(units, a->unit) == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%s %zu: %zu units do not fit in memory", what, i,
                        units);
    if (a->host)
        return take_memory(run, a, what, i);
    a->staged = 1;
    a->buffered = !run->p->integrated || run->p->options.copies;
    return HD_OK;
}

hd_status hd__pipe_arrays_take(hd__pipe_run *run)
{
    const hd_pipeline_job *job = run->job;
    for (size_t i = 0; i < run->count; i++) {
        hd__pipe_array *a = &run->arrays[i];
        const int is_input = i < run->inputs;
        const size_t at = is_input ? i : i - run->inputs;
        if (is_input) {
            const hd_pipeline_input *in = &job->inputs[at];
            a->unit = hd_bytes(in->bytes, in->elements ? in->elements : 1);
            a->host = (char *)(uintptr_t)in->data;
            a->read = in->data ? NULL : in->read;
            a->state = in->state;
        } else {
            const hd_pipeline_output *out = &job->outputs[at];
            a->unit = hd_bytes(out->bytes, out->elements ? out->elements : 1);
            a->host = out->data;
            a->write = out->data ? NULL : out->write;
            a->state = out->state;
        }
        HD_TRY(take(run, a, is_input ? "input" : "output", at));
        run->copies_in |= (is_input && a->buffered) || a->managed;
        run->copies_out |= !is_input && (a->buffered || a->managed);
        run->threaded |= a->read || (!is_input && a->staged);
    }
    return HD_OK;
}

void hd__pipe_arrays_leave(hd__pipe_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->arrays[i].registered)
            (void)hd_host_unregister(run->arrays[i].host);
}

/* ---- streams --------------------------------------------------------------------------------- */

hd_status hd__pipe_streams_make(hd__pipe_run *run)
{
    hd_pipeline *p = run->p;
    const hd_pipeline_options *o = &p->options;
    if (p->stream_count < run->streams) {
        hd_stream **grown = realloc(p->streams, run->streams * sizeof(hd_stream *));
        if (!grown)
            return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u streams", run->streams);
        p->streams = grown;
    }
    while (p->stream_count < run->streams) {
        HD_TRY(hd_stream_create_with(o->device, o->stream_flags, 0, &p->streams[p->stream_count]));
        p->stream_count++;
    }
    if (run->order != HD_PIPELINE_ENGINE)
        return HD_OK;
    for (unsigned i = 0; i < run->copy_streams; i++) {
        if (!p->in[i])
            HD_TRY(hd_stream_create_with(o->device, o->stream_flags, 0, &p->in[i]));
        if (!p->out[i])
            HD_TRY(hd_stream_create_with(o->device, o->stream_flags, 0, &p->out[i]));
    }
    return HD_OK;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static hd_status free_memory(void *pointer, hd_status before)
{
    const hd_status status = hd_free(pointer);
    return before < 0 ? before : status;
}

hd_status hd__pipe_slots_free(hd_pipeline *p)
{
    hd_status status = HD_OK;
    for (unsigned s = 0; s < p->slot_count; s++) {
        hd__pipe_slot *slot = &p->slots[s];
        for (size_t i = 0; slot->shown && i < p->layout_count; i++) {
            if (p->layout[i].buffered)
                status = free_memory(slot->device[i], status);
            status = free_memory(slot->pinned[i], status);
        }
        (void)hd_event_destroy(slot->loaded);
        (void)hd_event_destroy(slot->computed);
        (void)hd_event_destroy(slot->done);
        free(slot->shown);
    }
    free(p->slots);
    free(p->layout);
    p->slots = NULL;
    p->layout = NULL;
    p->slot_count = 0;
    p->layout_count = p->layout_inputs = p->slot_units = 0;
    p->plan_work = NULL;
    return status;
}

/* Buffers of one array. If it is staged but not buffered, kernels use the pinned buffer. */
static hd_status make_buffers(hd_pipeline *p, hd__pipe_slot *slot, size_t i, size_t units)
{
    const hd__pipe_array *a = &p->layout[i];
    const int device = p->options.device;
    if (a->staged)
        HD_TRY(hd_alloc_bytes(&slot->pinned[i], units, a->unit,
                              a->buffered ? HD_MEM_PINNED : HD_MEM_MAPPED, device));
    if (a->buffered)
        return hd_alloc_bytes(&slot->device[i], units, a->unit, HD_MEM_DEVICE, device);
    return a->staged ? hd_host_device_pointer(&slot->device[i], slot->pinned[i], device) : HD_OK;
}

static hd_status make_slot(hd_pipeline *p, hd__pipe_slot *slot, size_t units)
{
    const size_t count = p->layout_count;
    slot->shown = calloc(3 * count + 1, sizeof(void *));
    if (!slot->shown)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu arrays", count);
    slot->device = slot->shown + count;
    slot->pinned = slot->device + count;
    slot->chunk.in = slot->shown;
    slot->chunk.out = slot->shown + p->layout_inputs;
    HD_TRY(hd_event_create(p->options.device, 0, &slot->loaded));
    HD_TRY(hd_event_create(p->options.device, 0, &slot->computed));
    HD_TRY(hd_event_create(p->options.device, 0, &slot->done));
    for (size_t i = 0; i < count; i++)
        HD_TRY(make_buffers(p, slot, i, units));
    return HD_OK;
}

int hd__pipe_layout_fits(const hd__pipe_run *run)
{
    const hd_pipeline *p = run->p;
    if (!p->slots || p->layout_count != run->count || p->layout_inputs != run->inputs)
        return 0;
    for (size_t i = 0; i < run->count; i++)
        if (p->layout[i].unit != run->arrays[i].unit ||
            p->layout[i].staged != run->arrays[i].staged ||
            p->layout[i].buffered != run->arrays[i].buffered)
            return 0;
    return 1;
}

hd_status hd__pipe_slots_make(hd__pipe_run *run, size_t units)
{
    hd_pipeline *p = run->p;
    const double began = hd__pipe_now();
    hd_status status;
    if (hd__pipe_layout_fits(run) && p->slot_units >= units && p->slot_count >= run->buffers)
        return HD_OK;
    HD_TRY(hd__pipe_slots_free(p));
    p->slots = calloc(run->buffers, sizeof *p->slots);
    p->layout = calloc(run->count + 1, sizeof *p->layout);
    if (!p->slots || !p->layout) {
        (void)hd__pipe_slots_free(p);
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u buffers", run->buffers);
    }
    memcpy(p->layout, run->arrays, run->count * sizeof *p->layout);
    p->layout_count = run->count;
    p->layout_inputs = run->inputs;
    for (; p->slot_count < run->buffers; p->slot_count++) {
        status = make_slot(p, &p->slots[p->slot_count], units);
        if (status < 0) {
            p->slot_count++; /* counted even if incomplete, so that it is freed */
            (void)hd__pipe_slots_free(p);
            return status;
        }
    }
    p->slot_units = units;
    p->slot_seconds = hd__pipe_now() - began;
    return HD_OK;
}
