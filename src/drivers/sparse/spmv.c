/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.c - products of a sparse matrix with vectors: the matrix is split once, then each product is
   one launch. */
#include "spmv_plan.h"

#include <stdlib.h>

#include "drivers/array.h"
#include "runtime/backend.h"

hd__spmv_force hd__spmv_forced;

static size_t round_up(size_t n)
{
    return (n + 255) / 256 * 256;
}

static hd_status launch_kind(const hd_spmv_plan *plan, const hd__spmv_task *task,
                             hd_launch_config config)
{
    if (plan->offset_type == HD_I32)
        return plan->type == HD_F32 ? hd_launch(hd__spmv_i32_f32, config, *task)
                                    : hd_launch(hd__spmv_i32_f64, config, *task);
    return plan->type == HD_F32 ? hd_launch(hd__spmv_i64_f32, config, *task)
                                : hd_launch(hd__spmv_i64_f64, config, *task);
}

hd_status hd__spmv_launch(const hd_spmv_plan *plan, const void *x, void *y, const uint32_t *stop,
                          hd_stream *stream)
{
    const int lanes = !HD_SERIAL_THREADS || hd__spmv_forced.lanes;
    hd__spmv_task task = plan->task;
    if (task.chunks == 0)
        return HD_OK;
    task.x = x;
    task.y = y;
    task.stop = stop;
    return launch_kind(plan, &task,
                       hd_launch_with(hd_dim(task.chunks, 1, 1),
                                      hd_dim(lanes ? HD__SPMV_THREADS : 1, 1, 1), 0, stream));
}

/* Allocates and fills the starts of chunks, tickets and the sums of pieces. */
static hd_status split(hd_spmv_plan *plan, hd_stream *stream)
{
    const size_t chunks = plan->task.chunks;
    const size_t starts = round_up((chunks + 1) * sizeof(uint32_t));
    const size_t entries = round_up((chunks + 1) * sizeof(uint64_t));
    const size_t tickets = round_up(chunks * sizeof(uint32_t));
    const size_t partials = 2 * chunks * hd_type_bytes(plan->type);
    const hd_launch_config config = hd_launch_1d(chunks + 1, 256, stream);
    char *memory;
    if (chunks == 0)
        return HD_OK;
    HD_TRY(hd_alloc_bytes(&plan->memory, starts + 2 * entries + tickets + partials, 1,
                          HD_MEM_DEVICE, stream->device));
    memory = plan->memory;
    plan->task.starts = (uint32_t *)(void *)memory;
    plan->task.entries = (uint64_t *)(void *)(memory + starts);
    plan->task.ends = (uint64_t *)(void *)(memory + starts + entries);
    plan->task.tickets = (uint32_t *)(void *)(memory + starts + 2 * entries);
    plan->task.partials = memory + starts + 2 * entries + tickets;
    HD_TRY(plan->offset_type == HD_I32 ? hd_launch(hd__spmv_split_i32, config, plan->task)
                                       : hd_launch(hd__spmv_split_i64, config, plan->task));
    return hd_stream_synchronize(stream);
}

static hd_status take_matrix(const char *call, const hd_csr *m, hd_stream *stream,
                             hd_spmv_plan *plan)
{
    const size_t places = m->rows + m->entries;
    void *usable = NULL;
    HD_TRY(hd__array_usable(call, "offsets", m->offsets,
                            (m->rows + 1) * hd_type_bytes(m->offset_type),
                            hd_type_bytes(m->offset_type), stream, &usable));
    plan->task.offsets = usable;
    if (m->entries) {
        HD_TRY(hd__array_usable(call, "column", m->column, m->entries * sizeof(int32_t),
                                sizeof(int32_t), stream, &usable));
        plan->task.column = usable;
        HD_TRY(hd__array_usable(call, "value", m->value, m->entries * hd_type_bytes(m->type),
                                hd_type_bytes(m->type), stream, &usable));
        plan->task.value = usable;
    }
    if ((places + HD__SPMV_CHUNK - 1) / HD__SPMV_CHUNK > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "the matrix has too many entries");
    plan->task.rows = (uint32_t)m->rows;
    plan->task.chunks = m->rows ? (uint32_t)((places + HD__SPMV_CHUNK - 1) / HD__SPMV_CHUNK) : 0;
    return HD_OK;
}

hd_status hd__spmv_plan_make(const char *call, const hd_csr *matrix, const int32_t *row_of,
                             size_t result_rows, hd_stream *stream, hd_spmv_plan **plan)
{
    hd_spmv_plan *made;
    hd_status status;
    HD_TRY(hd__csr_shape(call, matrix));
    made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a plan");
    made->offset_type = matrix->offset_type;
    made->type = matrix->type;
    made->columns = matrix->columns;
    made->result_rows = result_rows;
    made->device = stream->device;
    made->task.row_of = row_of;
    HD_GOTO(status, fail, take_matrix(call, matrix, stream, made));
    HD_GOTO(status, fail, split(made, stream));
    *plan = made;
    return HD_OK;
fail:
    (void)hd_free(made->memory);
    hd__handle_drop(made);
    return status;
}

hd_status hd_spmv_plan_create(const hd_csr *matrix, hd_stream *stream, hd_spmv_plan **plan)
{
    static const char call[] = "hd_spmv_plan_create";
    if (!stream || !plan)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", stream ? "plan" : "stream");
    return hd__spmv_plan_make(call, matrix, NULL, matrix ? matrix->rows : 0, stream, plan);
}

hd_status hd_spmv_plan_destroy(hd_spmv_plan *plan)
{
    HD__RELEASING;
    hd_status status;
    if (!plan)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_spmv_plan_destroy", plan, "plan"));
    status = hd_free(plan->memory);
    hd__handle_free(plan);
    return status;
}

hd_status hd_spmv(hd_spmv_plan *plan, const void *x, void *y, hd_stream *stream)
{
    static const char call[] = "hd_spmv";
    void *from = NULL, *to = NULL;
    if (!plan || !stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", plan ? "stream" : "plan");
    if (stream->device != plan->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the plan is of device %d, the stream of %d",
                        plan->device, stream->device);
    if (plan->task.chunks == 0)
        return HD_OK;
    const size_t element = hd_type_bytes(plan->type);
    if (plan->task.column)
        HD_TRY(hd__array_usable(call, "x", x, plan->columns * element, element, stream, &from));
    HD_TRY(hd__array_usable(call, "y", y, plan->result_rows * element, element, stream, &to));
    return hd__spmv_launch(plan, from, to, NULL, stream);
}
