/* SPDX-License-Identifier: Apache-2.0 */
/* operation.c - launches, copies, fills and host functions: what is queued, and how it is done. */
#include "observe.h"

#include <stdio.h>
#include <string.h>

static hd_status no_memory(const char *call)
{
    return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for the operation");
}

/* ---- launches -------------------------------------------------------------------------------- */

static hd_status launch_check(const hd_kernel *kernel, const hd_launch_config *config)
{
    size_t blocks = (size_t)config->grid.x * config->grid.y * config->grid.z;
    size_t threads = (size_t)config->block.x * config->block.y * config->block.z, resident;

    if (kernel->module->checked != HD_CPU_CHECK)
        return hd__fail(
            HD_ERR_UNSUPPORTED, "hd_launch",
            "kernel %s was not compiled for the %s engine, which this library has: "
            "heddle_add_kernels and pkg-config --variable=kernel_compile heddle know how",
            kernel->name, HD_CPU_CHECK ? "checking" : "fast");
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
    (void)kernel;
    (void)config;
    hd_check_lint_refused(kernel, config);
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
        op->refs = 1;
        hd_cpu_op_release(op);
        return no_memory("hd_launch");
    }
    op->launch->op = op;
    return hd_cpu_enqueue(op);
}

/* ---- copies and fills ------------------------------------------------------------------------ */

typedef enum range_use { READS, WRITES, FILLS } range_use;

/* What the first and the last byte of plain host memory are tried with. */
typedef struct trial {
    const char *first, *last;
    range_use use;
} trial;

__attribute__((no_sanitize("address", "thread"))) static void try_byte(const char *at,
                                                                       range_use use)
{
    if (use == READS)
        (void)*(const volatile char *)at;
    else
        (void)__atomic_fetch_or((char *)(uintptr_t)at, 0, __ATOMIC_RELAXED);
}

static void try_range(void *argument)
{
    const trial *t = argument;

    try_byte(t->first, t->use);
    try_byte(t->last, t->use);
}

/* Whether there is memory. A hole in the middle is found by the copy itself. */
static hd_status host_check(const char *call, const void *pointer, size_t bytes, range_use use)
{
    trial t = {pointer, (const char *)pointer + (bytes - 1), use};
    const void *fault;

    if (use == FILLS)
        return hd__fail(HD_ERR_POINTER, call,
                        "%p is not memory that a device can fill: use memset for plain host "
                        "memory, or allocate with hd_alloc_kind",
                        pointer);
    if (hd_cpu_guarded(try_range, &t, &fault))
        return HD_OK;
    return hd__fail(HD_ERR_POINTER, call, "%zu bytes at %p cannot be %s: there is no such memory",
                    bytes, pointer, use == READS ? "read" : "written");
}

/* Device memory has to be alive, all of it. Without peer access the copy goes through here anyway:
   that is what staging amounts to on one machine. */
static hd_status range_check(const char *call, const void *pointer, size_t bytes, range_use use)
{
    hd_status status = hd_cpu_ready(call);
    hd_cpu_allocation found;
    int where;

    if (status < 0)
        return status;
    where = hd_cpu_memory_find(pointer, &found);
    if (where == 0)
        return host_check(call, pointer, bytes, use);
    if (where < 0)
        return hd__fail(HD_ERR_POINTER, call, "%p lies in device memory, but in no allocation",
                        pointer);
    if (bytes > found.bytes - (size_t)((const char *)pointer - (char *)found.base))
        return hd__fail(HD_ERR_POINTER, call,
                        "%zu bytes at %p leave the allocation of %zu bytes at %p", bytes, pointer,
                        found.bytes, found.base);
    return HD_OK;
}

static size_t extent_of(size_t pitch, size_t row_bytes, size_t rows)
{
    return pitch * (rows - 1) + row_bytes;
}

hd_status hdb_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                      size_t row_bytes, size_t rows, hd_stream *stream)
{
    hd_status status = range_check("hd_copy", to, extent_of(to_pitch, row_bytes, rows), WRITES);
    hd_cpu_op *op;

    if (status >= 0)
        status = range_check("hd_copy", from, extent_of(from_pitch, row_bytes, rows), READS);
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
    hd_status status = range_check("hd_fill_bytes", to, size * count, FILLS);
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

hd_status hd_cpu_transfer_check(const char *call, const hd_cpu_op *op)
{
    hd_status status;

    if (op->kind == HD_CPU_OP_FILL)
        return range_check(call, op->to, op->row_bytes * op->rows, FILLS);
    status = range_check(call, op->to, extent_of(op->to_pitch, op->row_bytes, op->rows), WRITES);
    return status < 0 ? status
                      : range_check(call, op->from,
                                    extent_of(op->from_pitch, op->row_bytes, op->rows), READS);
}

static void copy_rows(const hd_cpu_op *op)
{
    for (size_t row = 0; row < op->rows; row++)
        memmove((char *)op->to + row * op->to_pitch, (const char *)op->from + row * op->from_pitch,
                op->row_bytes);
}

static int on_device(const void *pointer, hd_cpu_allocation *found)
{
    return hd_cpu_memory_find(pointer, found) == 1 &&
           (found->kind == HD_MEM_DEVICE || found->kind == HD_MEM_COHERENT);
}

/* What a link does that is configured to be broken: every 1000th byte arrives changed. */
static void copy_spoil(const hd_cpu_op *op)
{
    const hd_cpu_config *config = hd_cpu_config_get();
    hd_cpu_allocation to, from;

    if (!on_device(op->to, &to) || !on_device(op->from, &from) ||
        !config->broken[to.device][from.device])
        return;
    for (size_t i = 0; i < op->row_bytes; i += 1000)
        ((unsigned char *)op->to)[i] ^= 0x10;
}

static void fill(const hd_cpu_op *op)
{
    if (op->row_bytes == 1) {
        memset(op->to, (int)(op->value & 0xff), op->rows);
        return;
    }
    for (size_t i = 0; i < op->rows; i++) {
        uint16_t half = (uint16_t)op->value;

        if (op->row_bytes == 2)
            memcpy((char *)op->to + 2 * i, &half, 2);
        else
            memcpy((char *)op->to + 4 * i, &op->value, 4);
    }
}

static void move(void *argument)
{
    const hd_cpu_op *op = argument;

    if (op->kind == HD_CPU_OP_FILL)
        fill(op);
    else
        copy_rows(op);
    if (op->kind == HD_CPU_OP_COPY && hd_cpu_config_get()->any_broken)
        copy_spoil(op);
}

/* Memory that is gone by now, or has holes: the operation ends, its device has the error. */
static void move_guarded(hd_cpu_op *op)
{
    char text[HD_CPU_TEXT];
    const void *fault;

    if (hd_cpu_guarded(move, op, &fault))
        return;
    (void)snprintf(
        text, sizeof text, "a %s of %zu rows of %zu bytes to %p: there is no memory at %p",
        op->kind == HD_CPU_OP_FILL ? "fill" : "copy", op->rows, op->row_bytes, op->to, fault);
    hd_cpu_device_leave_error(op->stream->device, HD_ERR_POINTER, text);
}

void hd_cpu_op_execute(hd_cpu_op *op)
{
    if (!hd_check_executes(op))
        return;
    if (op->kind == HD_CPU_OP_FUNCTION)
        op->function(op->argument);
    else
        move_guarded(op);
}

/* ---- the rest -------------------------------------------------------------------------------- */

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
        hd_check_bad_free(pointer);
        return hd__fail(HD_ERR_POINTER, "hd_free_async", "%p is not the start of an allocation",
                        pointer);
    }
    op = hd_cpu_op_make(HD_CPU_OP_FREE, stream);
    if (!op)
        return no_memory("hd_free_async");
    op->to = pointer;
    return hd_cpu_enqueue(op);
}
