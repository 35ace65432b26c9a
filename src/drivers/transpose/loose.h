/* SPDX-License-Identifier: Apache-2.0 */
/* loose.h - matrices with unaligned rows, or few rows: kernels/transpose/loose.inc. */
#ifndef HEDDLE_DRIVERS_TRANSPOSE_LOOSE_H
#define HEDDLE_DRIVERS_TRANSPOSE_LOOSE_H

#include "kernels/transpose/transpose.h"

/* Whether the loose kernels transpose a matrix out of place, with elements of `size` bytes, on a
   device with `units` compute units. Extents are not 0. */
int hd__transpose_is_loose(const hd__transpose_task *task, size_t size, unsigned units);

/* Fills task->loose. tile_bytes: of a tile; 0: as the matrix and the device suggest. */
void hd__transpose_loosen(hd__transpose_task *task, size_t size, unsigned units, size_t tile_bytes);

#endif
