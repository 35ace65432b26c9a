/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - hd_histogram: checks the arguments and launches one kernel. */
#include "plan.h"

#include "drivers/array.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

static hd_status workspace_of(const char *call, size_t n, hd__histogram_plan *plan, size_t *bytes)
{
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    (void)hd__histogram_serial(n, plan);
    *bytes = plan->workspace_bytes;
    return HD_OK;
}

hd_status hd_histogram_workspace(size_t n, hd_type type, const hd_bins *bins, size_t *bytes)
{
    static const char call[] = "hd_histogram_workspace";
    hd__histogram_plan plan;
    HD_TRY(hd__histogram_map(call, n, type, bins, &plan));
    return workspace_of(call, n, &plan, bytes);
}

hd_status hd_histogram_closed_workspace(size_t n, hd_type type, const hd_closed_bins *bins,
                                        size_t *bytes)
{
    static const char call[] = "hd_histogram_closed_workspace";
    hd__histogram_plan plan;
    HD_TRY(hd__histogram_map_closed(call, n, type, bins, &plan));
    return workspace_of(call, n, &plan, bytes);
}

static hd_status launch(hd__histogram_plan *plan, hd_stream *stream)
{
    void *args[] = {&plan->task};
    return hd_launch_kernel(plan->kernel,
                            hd_launch_with(hd_dim(plan->blocks, 1, 1), hd_dim(plan->threads, 1, 1),
                                           plan->shared_bytes, stream),
                            args, __FILE__, __LINE__);
}

/* Holds the stream's scratch until the kernel is enqueued. */
static hd_status launch_in(const char *call, hd__histogram_plan *plan, hd_workspace *workspace,
                           hd_stream *stream)
{
    static const char mark;
    void *memory = NULL;
    hd_status status;
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, plan->workspace_bytes, 0, &mark, workspace, stream, &memory);
    if (status >= 0) {
        plan->task.scratch = (uint32_t *)memory;
        status = launch(plan, stream);
    }
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

static int overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes && b_bytes && x < y + b_bytes && y < x + a_bytes;
}

/* The device's addresses of the arrays. */
static hd_status find_arrays(const char *call, const void *in, size_t bytes, void *counts,
                             size_t counts_bytes, void *outside, size_t outside_bytes,
                             hd_stream *stream, hd__histogram_plan *plan)
{
    hd__histogram_task *task = &plan->task;
    const size_t size = task->count ? bytes / task->count : 1;
    const size_t count_size = counts_bytes / task->bins;
    void *usable = NULL;
    HD_TRY(
        hd__array_usable(call, "counts", counts, counts_bytes, count_size, stream, &task->counts));
    if (outside)
        HD_TRY(hd__array_usable(call, "outside", outside, outside_bytes, count_size, stream,
                                &task->outside));
    if (bytes)
        HD_TRY(hd__array_usable(call, "in", in, bytes, size, stream, &usable));
    task->in = usable;
    if (overlap(usable, bytes, task->counts, counts_bytes) ||
        overlap(usable, bytes, task->outside, outside ? outside_bytes : 0) ||
        overlap(task->counts, counts_bytes, task->outside, outside ? outside_bytes : 0))
        return hd__fail(HD_ERR_ARGUMENT, call, "in, counts and outside overlap");
    task->head = (16 - (uintptr_t)usable % 16) % 16 / size;
    if (task->head > task->count)
        task->head = task->count;
    task->vectors = (task->count - task->head) * size / 16;
    return HD_OK;
}

static hd_status check(const char *call, size_t n, hd_type count_type, hd_stream *stream)
{
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    if (count_type != HD_U32 && count_type != HD_U64)
        return hd__fail(HD_ERR_ARGUMENT, call, "counts are u32 or u64, not %s",
                        hd_type_name(count_type));
    if (count_type == HD_U32 && n > UINT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "counts of u32 cannot hold %zu elements; use u64",
                        n);
    return HD_OK;
}

/* Counts elements by a plan for their type and bins. */
static hd_status count(const char *call, const void *in, hd_type type, hd__histogram_plan *plan,
                       hd_type count_type, void *counts, void *outside, hd_workspace *workspace,
                       hd_stream *stream)
{
    hd__histogram_task *task = &plan->task;
    const size_t n = task->count, count_size = hd_type_bytes(count_type);
    const size_t counts_bytes = task->bins * count_size;
    const size_t outside_bytes = HD__HISTOGRAM_OUTSIDE * count_size;

    HD_TRY(find_arrays(call, in, n * hd_type_bytes(type), counts, counts_bytes, outside,
                       outside_bytes, stream, plan));
    if (!hd__histogram_serial(n, plan))
        HD_TRY(hd__histogram_shape(n, type, stream->device, plan));
    task->wide = count_type == HD_U64;
    task->store = plan->blocks == task->parts;
    if (!task->store) {
        HD_TRY(hd_fill_bytes(task->counts, 0, 1, counts_bytes, stream));
        if (task->outside)
            HD_TRY(hd_fill_bytes(task->outside, 0, 1, outside_bytes, stream));
    }
    if (plan->workspace_bytes)
        return launch_in(call, plan, workspace, stream);
    return launch(plan, stream);
}

hd_status hd_histogram(const void *in, size_t n, hd_type type, const hd_bins *bins,
                       hd_type count_type, void *counts, void *outside, hd_workspace *workspace,
                       hd_stream *stream)
{
    static const char call[] = "hd_histogram";
    hd__histogram_plan plan;

    HD_TRY(check(call, n, count_type, stream));
    HD_TRY(hd__histogram_map(call, n, type, bins, &plan));
    return count(call, in, type, &plan, count_type, counts, outside, workspace, stream);
}

hd_status hd_histogram_closed(const void *in, size_t n, hd_type type, const hd_closed_bins *bins,
                              hd_type count_type, void *counts, void *outside,
                              hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_histogram_closed";
    hd__histogram_plan plan;

    HD_TRY(check(call, n, count_type, stream));
    HD_TRY(hd__histogram_map_closed(call, n, type, bins, &plan));
    return count(call, in, type, &plan, count_type, counts, outside, workspace, stream);
}
