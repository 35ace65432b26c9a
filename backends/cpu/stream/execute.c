/* SPDX-License-Identifier: Apache-2.0 */
/* execute.c - executes copies, fills and host functions, and checks their memory. */
#include "stream/stream.h"

#include <stdio.h>
#include <string.h>

#include "core/device_error.h"
#include "memory/allocations.h"
#include "observe.h"
#include "worker/worker.h"

/* ---- validity of memory ---------------------------------------------------------------------- */

/* The accesses that test the first and last byte of plain host memory. */
typedef struct trial {
    const char *first, *last;
    hd_cpu_range_use use;
} trial;

__attribute__((no_sanitize("address", "thread"))) static void try_byte(const char *at,
                                                                       hd_cpu_range_use use)
{
    if (use == HD_CPU_READS)
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

/* Whether the memory exists. The copy itself detects unmapped pages in between. */
static hd_status host_check(const char *call, const void *pointer, size_t bytes,
                            hd_cpu_range_use use)
{
    trial t = {pointer, (const char *)pointer + (bytes - 1), use};
    const void *fault;

    if (use == HD_CPU_FILLS)
        return hd__fail(HD_ERR_POINTER, call,
                        "%p is not memory that a device can fill: use memset for plain host "
                        "memory, or allocate with hd_alloc_kind",
                        pointer);
    if (hd_cpu_guarded(try_range, &t, &fault))
        return HD_OK;
    return hd__fail(HD_ERR_POINTER, call, "%zu bytes at %p cannot be %s: there is no such memory",
                    bytes, pointer, use == HD_CPU_READS ? "read" : "written");
}

/* All of the device memory must be alive. Copies without peer access are also executed here: on one
   machine that amounts to staging. */
hd_status hd_cpu_range_check(const char *call, const void *pointer, size_t bytes,
                             hd_cpu_range_use use)
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
        return hd__fail(HD_ERR_POINTER, call, "%p lies in device memory outside every allocation",
                        pointer);
    if (bytes > found.bytes - (size_t)((const char *)pointer - (char *)found.base))
        return hd__fail(HD_ERR_POINTER, call,
                        "%zu bytes at %p leave the allocation of %zu bytes at %p", bytes, pointer,
                        found.bytes, found.base);
    return HD_OK;
}

hd_status hd_cpu_transfer_check(const char *call, const hd_cpu_op *op)
{
    hd_status status;

    if (op->kind == HD_CPU_OP_FILL)
        return hd_cpu_range_check(call, op->to, op->row_bytes * op->rows, HD_CPU_FILLS);
    status = hd_cpu_range_check(
        call, op->to, hd_cpu_extent_of(op->to_pitch, op->row_bytes, op->rows), HD_CPU_WRITES);
    return status < 0
               ? status
               : hd_cpu_range_check(call, op->from,
                                    hd_cpu_extent_of(op->from_pitch, op->row_bytes, op->rows),
                                    HD_CPU_READS);
}

/* ---- execution ------------------------------------------------------------------------------- */

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

/* A link configured as broken: every 1000th byte of each row of a copy arrives corrupted. */
static void copy_spoil(const hd_cpu_op *op)
{
    const hd_cpu_config *config = hd_cpu_config_get();
    hd_cpu_allocation to, from;

    if (!on_device(op->to, &to) || !on_device(op->from, &from) ||
        !config->broken[to.device][from.device])
        return;
    for (size_t row = 0; row < op->rows; row++)
        for (size_t i = 0; i < op->row_bytes; i += 1000)
            ((unsigned char *)op->to)[row * op->to_pitch + i] ^= 0x10;
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

/* If memory is gone by now or has unmapped pages, the operation ends and its device gets the
   error. */
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
    if (!HD_OBSERVE_OR(1, op.may_run(op)))
        return;
    if (op->kind == HD_CPU_OP_FUNCTION)
        op->function(op->argument);
    else
        move_guarded(op);
}
