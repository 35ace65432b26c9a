/* SPDX-License-Identifier: Apache-2.0 */
/* kern_memory.h - declares the kernels of kern_memory.c. */
#ifndef HEDDLE_TESTS_BUGS_MEMORY_H
#define HEDDLE_TESTS_BUGS_MEMORY_H

#include "zoo_kernel.h"

/* A row with what is needed to walk over it. */
typedef struct memory_row {
    const uint32_t *from;
    size_t count;
} memory_row;

HD_DECLARE(memory_copy, const uint32_t *, uint32_t *)
HD_DECLARE(memory_look, const uint32_t *, uint32_t *)
HD_DECLARE(memory_copy_row, memory_row, uint32_t *)
HD_DECLARE(memory_bytes, const uint8_t *, uint32_t *)
HD_DECLARE(memory_wide, const uint32_t *, uint32_t *)
HD_DECLARE(memory_wait, uint32_t *, const uint32_t *, uint32_t *)
HD_DECLARE(memory_count, uint32_t *)
HD_DECLARE(memory_count_system, uint32_t *)
HD_DECLARE(memory_set, uint32_t *, uint32_t)
HD_DECLARE(memory_tell, uint32_t *, uint32_t *)
HD_DECLARE(memory_announce, uint32_t *, int)
HD_DECLARE(memory_await, const uint32_t *)
ZOO_KERNEL(uninit_shared)
ZOO_KERNEL(uninit_part)

#endif
