/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - internal interface of the scan drivers: checks of arrays, and launches of scan
   kernels. */
#ifndef HEDDLE_DRIVERS_SCAN_PLAN_H
#define HEDDLE_DRIVERS_SCAN_PLAN_H

#include <heddle/scan.h>

#include "drivers/array.h"
#include "look_back.h"

/* For tests: HD_SCAN_THREADS threads per block, on the CPU too, and a limit on blocks, which take
   tile after tile if a block has the shared memory for it; 0: the driver chooses. */
extern unsigned hd__scan_force_threads;

/* One array of a call. */
typedef struct hd__scan_array {
    const char *what;
    const void *pointer;
    size_t size; /* bytes per element */
} hd__scan_array;

/* Number of tiles for n elements of `size` bytes and values of `value_bytes`; HD_ERR_OVERFLOW. */
hd_status hd__scan_tiles(const char *call, size_t n, size_t size, size_t value_bytes,
                         uint32_t *tiles);
/* Checks that the device can use n elements of `array` and returns the device's address; clears
   *aligned unless that is a multiple of 16 bytes. */
hd_status hd__scan_array_usable(const char *call, const hd__scan_array *array, size_t n,
                                hd_stream *stream, const void **usable, uint32_t *aligned);
/* HD_ERR_ARGUMENT if n elements of `out` overlap those of `in`; with `in_place` the two may be
   identical. */
hd_status hd__scan_overlap(const char *call, const hd__scan_array *in, const hd__scan_array *out,
                           size_t n, int in_place);
/* Bytes that a scan with task.repairs needs in addition to the state of the look-back. */
size_t hd__scan_repair_bytes(uint32_t tiles);
/* Launches the kernel over task->count elements, at least 1, in tiles of hd_scan_tile(size,
   value_bytes); completes the task. type: the hd_type by which a tuned choice is found, or
   HD__SCAN_OWN. */
enum { HD__SCAN_OWN = -1 };
hd_status hd__scan_launch(const char *call, const hd_kernel *kernel, hd_scan_task *task, int type,
                          size_t size, size_t value_bytes, size_t bytes_moved,
                          hd_workspace *workspace, hd_stream *stream);

/* The initial element of a scan, or its default. type and op must have been checked. */
void hd__scan_first(hd_type type, hd_reduce_op op, hd_scan_kind kind, const void *initial,
                    void *first);

/* A variant for comparison. Everything must have been checked except whether it exists. The task
   needs no look-back state. */
hd_status hd__scan_variant(hd_scan_algorithm algorithm, const hd_scan_task *task, hd_type type,
                           hd_reduce_op op, hd_workspace *workspace, hd_stream *stream);
/* Bytes of workspace of a variant. */
size_t hd__scan_variant_bytes(hd_scan_algorithm algorithm, size_t n, hd_type type);

#endif
