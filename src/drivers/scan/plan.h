/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what the drivers of scans share: the checks of arrays, and launching a scan kernel
   over them. */
#ifndef HEDDLE_DRIVERS_SCAN_PLAN_H
#define HEDDLE_DRIVERS_SCAN_PLAN_H

#include <heddle/scan.h>

#include "drivers/array.h"
#include "look_back.h"

/* For tests: 0 lets the driver choose blocks of one thread or of HD_SCAN_THREADS; else the latter,
   on the CPU too; and so many blocks at most, which take tile after tile where a block has the
   shared memory for it. */
extern unsigned hd__scan_force_threads;

/* One array of a call. */
typedef struct hd__scan_array {
    const char *what;
    const void *pointer;
    size_t size; /* of an element */
} hd__scan_array;

/* Tiles of n elements of `size` bytes with values of `value_bytes`; HD_ERR_OVERFLOW. */
hd_status hd__scan_tiles(const char *call, size_t n, size_t size, size_t value_bytes,
                         uint32_t *tiles);
/* Checks that the device can use n elements of `array`; gives its address there, and clears
   *aligned where that is no multiple of 16 bytes. */
hd_status hd__scan_array_usable(const char *call, const hd__scan_array *array, size_t n,
                                hd_stream *stream, const void **usable, uint32_t *aligned);
/* HD_ERR_ARGUMENT where n elements of `out` overlap those of `in`; the very same memory is allowed
   with `in_place`. */
hd_status hd__scan_overlap(const char *call, const hd__scan_array *in, const hd__scan_array *out,
                           size_t n, int in_place);
/* Pieces of the look-back's values, and with `repairs` (task.repairs) those of the last result of a
   tile, whose lines follow. */
unsigned hd__scan_pieces(size_t size, size_t value_bytes, uint32_t repairs);
/* Bytes that a scan with task.repairs needs beside the state of the look-back. */
size_t hd__scan_repair_bytes(uint32_t tiles);
/* Launches the kernel over task->count elements, at least 1, in tiles of hd_scan_tile(size,
   value_bytes); fills in the rest of the task. */
hd_status hd__scan_launch(const char *call, const hd_kernel *kernel, hd_scan_task *task,
                          size_t size, size_t value_bytes, size_t bytes_moved,
                          hd_workspace *workspace, hd_stream *stream);

/* Element `initial` of a scan, or what stands for it; type and op are checked. */
void hd__scan_first(hd_type type, hd_reduce_op op, hd_scan_kind kind, const void *initial,
                    void *first);

/* One of the variants for comparison; all is checked but whether it exists. `task` has no look. */
hd_status hd__scan_variant(hd_scan_algorithm algorithm, const hd_scan_task *task, hd_type type,
                           hd_reduce_op op, hd_workspace *workspace, hd_stream *stream);
/* Bytes that a variant works in. */
size_t hd__scan_variant_bytes(hd_scan_algorithm algorithm, size_t n, hd_type type);

#endif
