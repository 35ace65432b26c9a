/* SPDX-License-Identifier: Apache-2.0 */
/* content.c - hash of memory, to detect changes. */
#include "check/check.h"
#include "worker/cycle.h"

#include <string.h>

uint64_t hd_check_bytes_hash(uint64_t hash, uintptr_t from, uintptr_t to)
{
    uint64_t word;

    for (; from + sizeof word <= to; from += sizeof word) {
        memcpy(&word, (const void *)from, sizeof word);
        hash = hd_cpu_cycle_mix(hash, word);
    }
    if (from < to) {
        word = 0;
        memcpy(&word, (const void *)from, to - from);
        hash = hd_cpu_cycle_mix(hash, word);
    }
    return hash;
}

uint64_t hd_check_content(uintptr_t address, size_t bytes)
{
    return hd_check_bytes_hash(0, address,
                               address + (bytes < HD_CHECK_CONTENT ? bytes : HD_CHECK_CONTENT));
}
