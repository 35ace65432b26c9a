/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - hd_reduce, hd_reduce_with, hd_dot: check the arguments and launch one kernel. */
#include "plan.h"

#include "runtime/backend.h"

hd_status hd_reduce_workspace(size_t n, hd_type type, hd_reduce_op op, size_t *bytes)
{
    static const char call[] = "hd_reduce_workspace";
    hd__reduce_plan plan;
    HD_TRY(hd__reduce_check(call, type, (int)op));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    HD_TRY(hd__reduce_split(call, n, type, &plan));
    *bytes = plan.workspace_bytes;
    return HD_OK;
}

hd_status hd_reduce_tile(size_t n, hd_type type, size_t *elements)
{
    static const char call[] = "hd_reduce_tile";
    hd__reduce_plan plan;
    HD_TRY(hd__reduce_check(call, type, HD_SUM));
    if (!elements)
        return hd__fail(HD_ERR_ARGUMENT, call, "elements is NULL");
    HD_TRY(hd__reduce_split(call, n, type, &plan));
    *elements = plan.tile;
    return HD_OK;
}

/* What to run: a variant, or the driver's own kernel in the shape of a tuned choice. */
typedef struct strategy {
    hd_reduce_algorithm algorithm;
    hd__tune_choice choice;
} strategy;

static hd_status launch(strategy how, hd__reduce_task *task, hd_type type, int op,
                        hd_stream *stream)
{
    return how.algorithm == HD_REDUCE_AUTO
               ? hd__reduce_launch_as(how.choice, task, type, op, stream)
               : hd__reduce_variant(how.algorithm, task, type, op, stream);
}

/* Gives the task its workspace and launches it; holds the stream's scratch meanwhile. */
static hd_status launch_in(const char *call, strategy how, hd__reduce_task *task, size_t bytes,
                           hd_type type, int op, hd_workspace *workspace, hd_stream *stream)
{
    void *memory = NULL;
    hd_status status;
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__reduce_memory(call, bytes, workspace, stream, &memory);
    if (status >= 0) {
        task->ticket = (uint32_t *)memory;
        task->partials = (char *)memory + HD__REDUCE_HEADER_BYTES;
        status = launch(how, task, type, op, stream);
    }
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

/* For the variant that waits for the device: it must not hold the stream's scratch while it waits,
   so without a workspace it allocates memory. */
static hd_status launch_and_wait(const char *call, hd__reduce_task *task, size_t bytes,
                                 hd_type type, int op, hd_workspace *workspace, hd_stream *stream)
{
    void *memory = NULL;
    hd_status status, later = HD_OK;
    if (workspace) {
        (void)pthread_mutex_lock(&stream->scratch_lock);
        status = hd__reduce_memory(call, bytes, workspace, stream, &memory);
        (void)pthread_mutex_unlock(&stream->scratch_lock);
    } else {
        status = hd_alloc_async_bytes(&memory, bytes, 1, stream);
    }
    if (status < 0)
        return status;
    task->partials = (char *)memory + HD__REDUCE_HEADER_BYTES;
    status = hd__reduce_variant(HD_REDUCE_HOST, task, type, op, stream);
    if (!workspace)
        later = hd_free_async(memory, stream);
    return status < 0 ? status : later;
}

/* Inputs x and y; y only for a dot product. */
static hd_status reduce(const char *call, hd_reduce_algorithm algorithm, const void *x,
                        const void *y, size_t n, hd_type type, int op, void *out,
                        hd_workspace *workspace, hd_stream *stream)
{
    hd__reduce_task task = {0};
    hd__reduce_plan plan;
    strategy how = {algorithm, {{0}}};
    size_t bytes;
    void *usable;

    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(hd__reduce_check(call, type, op));
    HD_TRY(hd__reduce_split(call, n, type, &plan));
    HD_TRY(hd__array_usable(call, "out", out, hd__reduce_result_bytes(type, op), 16, stream,
                            &task.out));
    if (n == 0)
        return hd__reduce_nothing(call, type, op, task.out, stream);
    bytes = n * hd_type_bytes(type);
    HD_TRY(hd__array_usable(call, "in", x, bytes, hd_type_bytes(type), stream, &usable));
    task.in = usable;
    if (op == HD__REDUCE_DOT) {
        HD_TRY(hd__array_usable(call, "y", y, bytes, hd_type_bytes(type), stream, &usable));
        task.in2 = usable;
    }
    task.count = n;
    task.tile = plan.tile;
    task.tiles = task.total = (uint32_t)plan.tiles;
    if (algorithm == HD_REDUCE_HOST)
        return launch_and_wait(call, &task, plan.workspace_bytes, type, op, workspace, stream);
    how.choice = hd__reduce_choice(n, type, op, stream);
    if (workspace || algorithm != HD_REDUCE_AUTO || !hd__reduce_one_block(how.choice, plan.tiles))
        return launch_in(call, how, &task, plan.workspace_bytes, type, op, workspace, stream);
    return launch(how, &task, type, op, stream);
}

hd_status hd_reduce(const void *in, size_t n, hd_type type, hd_reduce_op op, void *out,
                    hd_workspace *workspace, hd_stream *stream)
{
    return hd_reduce_with(HD_REDUCE_AUTO, in, n, type, op, out, workspace, stream);
}

hd_status hd_reduce_with(hd_reduce_algorithm algorithm, const void *in, size_t n, hd_type type,
                         hd_reduce_op op, void *out, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_reduce";
    if ((int)algorithm < 0 || algorithm >= HD_REDUCE_ALGORITHM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)algorithm);
    if ((int)op < 0 || op >= HD_REDUCE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown reduction %d", (int)op);
    return reduce(call, algorithm, in, NULL, n, type, (int)op, out, workspace, stream);
}

hd_status hd_dot(const void *x, const void *y, size_t n, hd_type type, void *out,
                 hd_workspace *workspace, hd_stream *stream)
{
    return reduce("hd_dot", HD_REDUCE_AUTO, x, y, n, type, HD__REDUCE_DOT, out, workspace, stream);
}
