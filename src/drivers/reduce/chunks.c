/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.c - several reductions of an array that arrives in chunks: chunks leave the partials of
   their tiles on the device, and the end folds them. */
#include "plan.h"

#include "runtime/backend.h"

#include <stdlib.h>
#include <string.h>

struct hd_reduce_chunks {
    size_t n;
    size_t done;
    hd_type type;
    int device;
    hd__reduce_plan plan;
    void *partials; /* of operation i: from tile i * plan.tiles on; NULL if n is 0 */
    void *results;  /* 16 bytes per operation */
    size_t op_count;
    hd_reduce_op ops[]; /* op_count */
};

static void *partials_of(const hd_reduce_chunks *chunks, size_t op)
{
    return (char *)chunks->partials + op * chunks->plan.tiles * HD__REDUCE_PARTIAL_BYTES;
}

static hd_status begin_check(const char *call, size_t n, hd_type type, const hd_reduce_op *ops,
                             size_t op_count, const hd_stream *stream, hd_reduce_chunks **chunks)
{
    if (!stream || !chunks || (op_count && !ops))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !stream   ? "stream"
                        : !chunks ? "chunks"
                                  : "ops");
    if (op_count == 0 || op_count > HD_REDUCE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu operations; 1 to %d are possible", op_count,
                        (int)HD_REDUCE_COUNT_);
    HD_TRY(hd__reduce_check(call, type, HD_SUM));
    for (size_t i = 0; i < op_count; i++) {
        const hd_reduce_op op = ops[i];
        if ((int)op < 0 || op >= HD_REDUCE_COUNT_)
            return hd__fail(HD_ERR_ARGUMENT, call, "unknown reduction %d", (int)op);
        if (n == 0 && (op == HD_MIN || op == HD_MAX || op == HD_ARGMIN || op == HD_ARGMAX))
            return hd__fail(HD_ERR_ARGUMENT, call, "an empty array has no %s",
                            hd_reduce_op_name(op));
    }
    return HD_OK;
}

hd_status hd_reduce_chunks_begin(size_t n, hd_type type, const hd_reduce_op *ops, size_t op_count,
                                 hd_stream *stream, hd_reduce_chunks **chunks)
{
    static const char call[] = "hd_reduce_chunks_begin";
    hd__reduce_plan plan;
    hd_status status;
    HD_TRY(begin_check(call, n, type, ops, op_count, stream, chunks));
    HD_TRY(hd__reduce_split(call, n, type, &plan));
    hd_reduce_chunks *made = hd__handle_make(sizeof *made + op_count * sizeof *ops);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu operations", op_count);
    made->n = n;
    made->type = type;
    made->device = stream->device;
    made->plan = plan;
    made->op_count = op_count;
    memcpy(made->ops, ops, op_count * sizeof *ops);
    HD_GOTO(status, fail,
            hd_alloc_bytes(&made->results, op_count, 16, HD_MEM_DEVICE, stream->device));
    HD_GOTO(status, fail,
            hd_alloc_bytes(&made->partials, op_count * plan.tiles, HD__REDUCE_PARTIAL_BYTES,
                           HD_MEM_DEVICE, stream->device));
    *chunks = made;
    return HD_OK;
fail:
    (void)hd_reduce_chunks_destroy(made);
    return status;
}

static hd_status add_check(const char *call, const hd_reduce_chunks *chunks, size_t count,
                           const hd_stream *stream)
{
    if (!chunks || !stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", chunks ? "stream" : "chunks");
    if (stream->device != chunks->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the stream is of device %d, the chunks of %d",
                        stream->device, chunks->device);
    if (count > chunks->n - chunks->done)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu elements are too many: %zu of %zu are missing",
                        count, chunks->n - chunks->done, chunks->n);
    if (count % chunks->plan.tile != 0 && chunks->done + count != chunks->n)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu elements are not a multiple of the tile, %zu",
                        count, chunks->plan.tile);
    return HD_OK;
}

hd_status hd_reduce_chunks_add(hd_reduce_chunks *chunks, const void *in, size_t count,
                               hd_stream *stream)
{
    static const char call[] = "hd_reduce_chunks_add";
    hd__reduce_task task = {0};
    void *usable;
    HD_TRY(add_check(call, chunks, count, stream));
    if (count == 0)
        return HD_OK;
    const size_t size = hd_type_bytes(chunks->type);
    HD_TRY(hd__array_usable(call, "in", in, count * size, size, stream, &usable));
    task.in = usable;
    task.count = count;
    task.tile = chunks->plan.tile;
    task.first_index = chunks->done;
    task.first_tile = (uint32_t)(chunks->done / chunks->plan.tile);
    task.tiles = (uint32_t)(count / chunks->plan.tile + (count % chunks->plan.tile != 0));
    task.total = (uint32_t)chunks->plan.tiles;
    for (size_t i = 0; i < chunks->op_count; i++) {
        task.partials = partials_of(chunks, i);
        HD_TRY(hd__reduce_launch(&task, chunks->type, (int)chunks->ops[i], stream));
    }
    chunks->done += count;
    return HD_OK;
}

/* Folds the partials of operation i into its result. */
static hd_status fold(const hd_reduce_chunks *chunks, size_t i, hd_stream *stream)
{
    hd__reduce_task task = {0};
    void *out = (char *)chunks->results + 16 * i;
    if (chunks->n == 0)
        return hd__reduce_nothing("hd_reduce_chunks_end", chunks->type, (int)chunks->ops[i], out,
                                  stream);
    task.total = (uint32_t)chunks->plan.tiles;
    task.partials = partials_of(chunks, i);
    task.out = out;
    return hd__reduce_launch(&task, chunks->type, (int)chunks->ops[i], stream);
}

hd_status hd_reduce_chunks_end(hd_reduce_chunks *chunks, void *const *results, hd_stream *stream)
{
    static const char call[] = "hd_reduce_chunks_end";
    unsigned char got[HD_REDUCE_COUNT_ * 16];
    HD_TRY(add_check(call, chunks, 0, stream));
    if (!results)
        return hd__fail(HD_ERR_ARGUMENT, call, "results is NULL");
    for (size_t i = 0; i < chunks->op_count; i++)
        if (!results[i])
            return hd__fail(HD_ERR_ARGUMENT, call, "results[%zu] is NULL", i);
    if (chunks->done < chunks->n)
        return hd__fail(HD_ERR_STATE, call, "%zu of %zu elements were added", chunks->done,
                        chunks->n);
    for (size_t i = 0; i < chunks->op_count; i++)
        HD_TRY(fold(chunks, i, stream));
    HD_TRY(hd_copy_blocking_bytes(got, chunks->results, chunks->op_count, 16, stream));
    for (size_t i = 0; i < chunks->op_count; i++) {
        hd_result result;
        size_t bytes;
        HD_TRY(hd_reduce_result(chunks->type, chunks->ops[i], &result, &bytes));
        memcpy(results[i], got + 16 * i, bytes);
    }
    return HD_OK;
}

hd_status hd_reduce_chunks_destroy(hd_reduce_chunks *chunks)
{
    HD__RELEASING;
    hd_status status, later;
    if (!chunks)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_reduce_chunks_destroy", chunks, "reduction in chunks"));
    status = hd_free(chunks->partials);
    later = hd_free(chunks->results);
    hd__handle_free(chunks);
    return status < 0 ? status : later;
}
