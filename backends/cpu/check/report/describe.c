/* SPDX-License-Identifier: Apache-2.0 */
/* describe.c - describes an address in the user's terms: a shared array, a kernel argument, an
   allocation and where it was made, a device variable. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends ", byte 12" of the object, or the distance from it. */
static void put_offset(hd_check_text *text, uintptr_t address, uintptr_t base, size_t bytes)
{
    if (address < base)
        hd_check_put(text, ", %zu bytes before it", (size_t)(base - address));
    else if (address - base < bytes)
        hd_check_put(text, ", byte %zu", (size_t)(address - base));
    else if (address - base == bytes)
        hd_check_put(text, ", just past its end");
    else
        hd_check_put(text, ", %zu bytes past its end", (size_t)(address - base - bytes));
}

/* ---- shared memory --------------------------------------------------------------------------- */

static uintptr_t array_base(const hd_cpu_resident *block, const hd_cpu_array *array)
{
    return (uintptr_t)block->arena + array->offset;
}

/* The array that contains the address, or the nearest one. */
static const hd_cpu_array *array_near(const hd_cpu_resident *block, uintptr_t address)
{
    const hd_cpu_array *before = hd_cpu_array_at(block, address), *after;
    size_t behind;

    if (!before)
        return hd_cpu_array_first();
    behind = address - array_base(block, before);
    if (behind < before->bytes)
        return before;
    behind -= before->bytes;
    after = hd_cpu_array_at(block, address + behind);
    return after && array_base(block, after) > address ? after : before;
}

static int describe_shared(hd_check_text *text, const hd_cpu_resident *block, uintptr_t address)
{
    const hd_cpu_array *array;
    uintptr_t dynamic;

    if (!block)
        return 0;
    dynamic = (uintptr_t)block->view.dynamic;
    if (address < (uintptr_t)block->arena - HD_CHECK_BELOW ||
        address >= dynamic + HD_CPU_SHARED_MAX)
        return 0;
    array = address < dynamic ? array_near(block, address) : NULL;
    if (array) {
        hd_check_put(text, "shared array %s (%zu bytes)", array->name, array->bytes);
        put_offset(text, address, array_base(block, array), array->bytes);
    } else {
        hd_check_put(text, "dynamic shared memory (%zu bytes)", block->launch->shared_bytes);
        put_offset(text, address, dynamic, block->launch->shared_bytes);
    }
    return 1;
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* The type of argument `index` in "size_t, float, const float *"; returns its length, 0: none. */
static size_t argument_type(const char *signature, unsigned index, const char **type)
{
    const char *begin = signature, *at = signature;
    unsigned number = 0, depth = 0;

    for (;; at++) {
        if (*at == '(' || *at == '[')
            depth++;
        else if (*at == ')' || *at == ']')
            depth--;
        if (*at && (*at != ',' || depth))
            continue;
        if (number++ == index)
            break;
        if (!*at)
            return 0;
        begin = at + 1;
    }
    begin += strspn(begin, " ");
    *type = begin;
    return begin < at ? (size_t)(at - begin) : 0;
}

/* Appends the launch argument that points into the allocation. */
static void put_argument(hd_check_text *text, const hd_cpu_launch *launch,
                         const hd_check_allocation *a)
{
    for (unsigned i = 0; launch && launch->kernel && i < launch->kernel->arg_count; i++) {
        const char *type;
        size_t length;
        uintptr_t value;

        if (launch->kernel->arg_sizes[i] != sizeof value)
            continue;
        memcpy(&value, launch->args[i], sizeof value);
        if (value < a->base || value - a->base > a->bytes)
            continue;
        length = argument_type(launch->kernel->signature, i, &type);
        if (!memchr(type, '*', length))
            continue;
        hd_check_put(text, "argument %u (%.*s) of the kernel, ", i + 1, (int)length, type);
        return;
    }
}

static const char *kind_name(hd_memory_kind kind)
{
    switch (kind) {
    case HD_MEM_DEVICE:
    case HD_MEM_COHERENT:
        return "device memory";
    case HD_MEM_MANAGED:
        return "managed memory";
    default:
        return "host memory";
    }
}

static void put_made(hd_check_text *text, const char *what, const uintptr_t stack[HD_CHECK_STACK])
{
    hd_check_where where = hd_check_where_stack(stack);

    if (where.file && where.line)
        hd_check_put(text, ", %s at %s:%d", what, where.file, where.line);
}

static void describe_allocation(hd_check_text *text, const hd_cpu_launch *launch,
                                const hd_check_allocation *a, uintptr_t address)
{
    if (a->name) {
        hd_check_put(text, "%s %s (%zu bytes)", a->constant ? "constant" : "device variable",
                     a->name, a->bytes);
        put_offset(text, address, a->base, a->bytes);
        return;
    }
    put_argument(text, launch, a);
    hd_check_put(text, "%s%s (%zu bytes)", a->freed ? "freed " : "", kind_name(a->kind), a->bytes);
    put_offset(text, address, a->base, a->bytes);
    put_made(text, "allocated", a->stack);
    if (a->freed)
        put_made(text, "freed", a->freed_stack);
}

void hd_check_describe_of(const hd_cpu_resident *block, uintptr_t address, char *text, size_t size)
{
    const hd_check_allocation *allocation;
    hd_check_text made = {NULL, 0, 0};

    if (!describe_shared(&made, block, address)) {
        allocation = hd_check_allocation_at(address);
        if (allocation)
            describe_allocation(&made, block ? block->launch : NULL, allocation, address);
        else
            hd_check_put(&made, "address %#lx", (unsigned long)address);
    }
    (void)snprintf(text, size, "%s", made.data ? made.data : "");
    free(made.data);
}

void hd_check_describe(uintptr_t address, char *text, size_t size)
{
    hd_check_describe_of(hd_check_me.block, address, text, size);
}
