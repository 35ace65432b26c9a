/* SPDX-License-Identifier: Apache-2.0 */
/* submit.c - the backend's calls for launches, copies, fills, host functions and frees. */
#include <heddle/backend/cuda_copy.h>

#include "launch/kernel.h"
#include "memory/allocations.h"
#include "observe.h"
#include "stream/stream.h"

static hd_status no_memory(const char *call)
{
    return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for the operation");
}

/* ---- launches -------------------------------------------------------------------------------- */

static hd_status launch_check(const hd_kernel *kernel, const hd_launch_config *config)
{
    size_t blocks = (size_t)config->grid.x * config->grid.y * config->grid.z;
    size_t threads = (size_t)config->block.x * config->block.y * config->block.z, resident;

    if (kernel->module->checked != HD_OBSERVED)
        return hd__fail(
            HD_ERR_UNSUPPORTED, "hd_launch",
            "kernel %s was not compiled for the %s engine, which this library has: "
            "heddle_add_kernels and pkg-config --variable=kernel_compile heddle know how",
            kernel->name, HD_OBSERVED ? "checking" : "fast");
    if (!threads || threads > HD_CPU_MAX_THREADS || !blocks)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, "hd_launch", "a block has at most %d threads",
                        HD_CPU_MAX_THREADS);
    if (threads > hd_cpu_max_threads(kernel)) {
        hdb_launch_refused(kernel, config);
        return hd__fail(HD_ERR_LAUNCH_CONFIG, "hd_launch",
                        "kernel %s: threads per block is %zu, its launch bounds allow %u",
                        kernel->name, threads, hd_cpu_max_threads(kernel));
    }
    resident = (size_t)hd_cpu.workers * hd_cpu_residents((unsigned)threads);
    if (config->flags & HD_LAUNCH_COOPERATIVE && blocks > resident)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, "hd_launch",
                        "a cooperative launch of %zu blocks; %zu can be resident", blocks,
                        resident);
    return HD_OK;
}

void hdb_launch_refused(const hd_kernel *kernel, const hd_launch_config *config)
{
    HD_OBSERVE(op.launch_refused(kernel, config));
}

void hdb_launch_called(const void *frame, int sized)
{
    HD_OBSERVE(op.launch_called(frame, sized));
}

hd_status hdb_launch(const hd_kernel *kernel, const hd_launch_config *config, void **args)
{
    hd_status status = hd_cpu_ready("hd_launch");
    hd_cpu_op *op;

    if (status >= 0)
        status = launch_check(kernel, config);
    if (status < 0)
        return status;
    op = hd_cpu_op_make(HD_CPU_OP_LAUNCH, config->stream);
    if (!op)
        return no_memory("hd_launch");
    op->launch = hd_cpu_launch_make(kernel, config, args, config->stream->ordinal);
    if (!op->launch) {
        hd_cpu_op_drop(op);
        return no_memory("hd_launch");
    }
    op->launch->op = op;
    return hd_cpu_enqueue(op);
}

/* ---- copies and fills ------------------------------------------------------------------------ */

hd_status hdb_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                      size_t row_bytes, size_t rows, hd_stream *stream)
{
    hd_status status = hd_cpu_range_check(
        "hd_copy", to, hd_cpu_extent_of(to_pitch, row_bytes, rows), HD_CPU_WRITES);
    hd_cpu_op *op;

    if (status >= 0)
        status = hd_cpu_range_check("hd_copy", from, hd_cpu_extent_of(from_pitch, row_bytes, rows),
                                    HD_CPU_READS);
    if (status < 0)
        return status;
    op = hd_cpu_op_make(HD_CPU_OP_COPY, stream);
    if (!op)
        return no_memory("hd_copy");
    op->to = to;
    op->from = from;
    op->to_pitch = to_pitch;
    op->from_pitch = from_pitch;
    op->row_bytes = row_bytes;
    op->rows = rows;
    return hd_cpu_enqueue(op);
}

hd_status hd_cpu_copy_captured(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t row_bytes, size_t rows, hd_stream *stream)
{
    return hdb_copy_2d(to, to_pitch, from, from_pitch, row_bytes, rows, stream);
}

hd_status hdb_copy(void *to, const void *from, size_t bytes, hd_stream *stream)
{
    return hdb_copy_2d(to, bytes, from, bytes, bytes, 1, stream);
}

hd_status hdb_copy_peer(void *to, int to_ordinal, const void *from, int from_ordinal, size_t bytes,
                        hd_stream *stream)
{
    (void)to_ordinal;
    (void)from_ordinal;
    return hdb_copy(to, from, bytes, stream);
}

hd_status hdb_fill(void *to, uint32_t value, size_t size, size_t count, hd_stream *stream)
{
    hd_status status = hd_cpu_range_check("hd_fill_bytes", to, size * count, HD_CPU_FILLS);
    hd_cpu_op *op;

    if (status < 0)
        return status;
    op = hd_cpu_op_make(HD_CPU_OP_FILL, stream);
    if (!op)
        return no_memory("hd_fill_bytes");
    op->to = to;
    op->value = value;
    op->row_bytes = size;
    op->rows = count;
    return hd_cpu_enqueue(op);
}

/* ---- functions and frees --------------------------------------------------------------------- */

hd_status hdb_stream_host_function(hd_stream *stream, void (*function)(void *), void *argument)
{
    hd_status status = hd_cpu_ready("hd_stream_host_function");
    hd_cpu_op *op;

    if (status < 0)
        return status;
    op = hd_cpu_op_make(HD_CPU_OP_FUNCTION, stream);
    if (!op)
        return no_memory("hd_stream_host_function");
    op->function = function;
    op->argument = argument;
    return hd_cpu_enqueue(op);
}

hd_status hdb_free_async(hd_stream *stream, void *pointer)
{
    hd_status status = hd_cpu_ready("hd_free_async");
    hd_cpu_allocation found;
    hd_cpu_op *op;

    if (status < 0)
        return status;
    if (hd_cpu_memory_find(pointer, &found) != 1 || found.base != pointer) {
        HD_OBSERVE(memory.freeing(pointer, HD_FREE_REFUSED));
        return hd__fail(HD_ERR_POINTER, "hd_free_async", "%p is not the start of an allocation",
                        pointer);
    }
    op = hd_cpu_op_make(HD_CPU_OP_FREE, stream);
    if (!op)
        return no_memory("hd_free_async");
    op->to = pointer;
    return hd_cpu_enqueue(op);
}
