/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - the memory of an experiment, freed when its lab is closed. */
#include <assert.h>
#include <stdlib.h>

#include <heddle/heddle.h>

#include "cli/app/words.h"
#include "lab.h"

hd_status lab_alloc_kind_bytes(lab *l, void **pointer_out, size_t count, size_t size,
                               hd_memory_kind kind)
{
    assert(l->memory_count < LAB_MEMORY_MAX);
    HD_TRY(hd_alloc_bytes(pointer_out, count, size, kind, l->job.device));
    l->memory[l->memory_count++] = *pointer_out;
    return HD_OK;
}

hd_status lab_alloc_bytes(lab *l, void **pointer_out, size_t count, size_t size)
{
    return lab_alloc_kind_bytes(l, pointer_out, count, size, HD_MEM_DEVICE);
}

hd_status lab_alloc_host_bytes(lab *l, void **pointer_out, size_t count, size_t size)
{
    assert(l->host_count < LAB_MEMORY_MAX);
    *pointer_out = malloc(count * size);
    if (!*pointer_out)
        return cli_no_memory("%zu bytes on the host", count * size);
    l->host_memory[l->host_count++] = *pointer_out;
    return HD_OK;
}

void lab_free(lab *l)
{
    for (size_t i = 0; i < l->memory_count; i++)
        hd_free(l->memory[i]);
    for (size_t i = 0; i < l->host_count; i++)
        free(l->host_memory[i]);
}
