/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - the shared memory that an access may use. */
#include "check/check.h"

const hd_check_range *hd_check_shared_usable(const hd_cpu_resident *block, uintptr_t address,
                                             size_t bytes)
{
    uintptr_t from = (uintptr_t)block->view.dynamic;
    size_t room = block->launch->shared_bytes;

    if (address - from >= HD_CPU_SHARED_MAX) {
        const hd_cpu_array *array = hd_cpu_array_at(block, address);

        if (!array || block->array_serial[array->number] != block->view.dims.serial)
            return NULL;
        from = (uintptr_t)block->arena + array->offset;
        room = array->bytes;
    }
    if (address - from >= room || bytes > room - (address - from))
        return NULL;
    return hd_check_range_add((hd_check_range){from, room, 0, 0});
}

void hd_check_shared_begins(void *data, size_t bytes)
{
    hd_check_forget((uintptr_t)data, bytes);
}
