/* SPDX-License-Identifier: Apache-2.0 */
/* count.c - digit histograms of all passes of a radix sort, in one kernel. */
#include <heddle/kernel.h>

#include "sort.h"

#define SO_NAME_(a, b) a##_##b
#define SO_NAME(a, b) SO_NAME_(a, b)
#define KEYED(name) SO_NAME(name, SO_KEY_BYTES)

#define SO_SUM uint64_t
#define SO_SCAN so_scan_wide
#include "scan.inc"
#undef SO_SUM
#undef SO_SCAN

/* Exclusive scan of a pass's counts: where each digit begins. Thread t has digit t. Sets the counts
   back to 0. */
HD_DEVICE void so_begins(const hd__sort_count_task *task, unsigned pass)
{
    const unsigned t = hd_thread_x();
    uint64_t *count = task->counts + pass * HD__SORT_BINS + t;
    const uint64_t v = t < HD__SORT_BINS ? hd_load_relaxed(count) : 0;
    const uint64_t begin = so_scan_wide(v);
    if (t < HD__SORT_BINS) {
        task->begins[pass * HD__SORT_BINS + t] = begin;
        hd_store_relaxed(count, (uint64_t)0);
    }
    hd_sync_block();
}

#if HD_SERIAL_THREADS
HD_DEVICE void so_begins_serial(const hd__sort_count_task *task)
{
    for (unsigned pass = 0; pass < task->passes; pass++) {
        uint64_t begin = 0;
        for (unsigned i = pass * HD__SORT_BINS; i < (pass + 1) * HD__SORT_BINS; i++) {
            task->begins[i] = begin;
            begin += hd_load_relaxed(&task->counts[i]);
            hd_store_relaxed(&task->counts[i], (uint64_t)0);
        }
    }
}
#endif

#define SO_KEY_BYTES 4
#define SO_KEY uint32_t
#include "count.inc"
#undef SO_KEY_BYTES
#undef SO_KEY
#define SO_KEY_BYTES 8
#define SO_KEY uint64_t
#include "count.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__sort_count_4)
HD_INSTANCE(hd__sort_count_8)
