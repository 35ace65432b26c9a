/* SPDX-License-Identifier: Apache-2.0 */
/* adi.h - the kernels of an alternating direction implicit step, as host code sees them. */
#ifndef HEDDLE_KERNELS_TRIDIAG_ADI_H
#define HEDDLE_KERNELS_TRIDIAG_ADI_H

#include "tridiag.h"

/* X(type, C type): set fills n elements with a value; change computes the explicit change of a step
   for a field of nx * ny * nz points, x innermost; add adds it. */
#define HD__ADI_LIST(X) X(f32, float) X(f64, double)
#define HD__ADI_DECLARE(type, T)                                                                   \
    HD_DECLARE(hd__adi_set_##type, size_t, T, T *)                                                 \
    HD_DECLARE(hd__adi_change_##type, size_t, size_t, size_t, T, const T *, T *)                   \
    HD_DECLARE(hd__adi_add_##type, size_t, const T *, T *)
HD__ADI_LIST(HD__ADI_DECLARE)
#undef HD__ADI_DECLARE

#if HD_SERIAL_THREADS
enum {
    HD__ADI_MAX_CHUNKS = HD__TRIDIAG_MAX_SHORT,
    HD__ADI_STRIP_BYTES = 512 /* bytes of a row that one thread processes at a time */
};

/* Lines along one axis: n points `width` apart, cut into chunks as hd_tridiag cuts such systems;
   the system of chunk ends is not cut again. */
typedef struct hd__adi_axis {
    size_t n, width, chunk_rows, chunks;
    size_t parts; /* parts of its lines, one per thread */
    void *table;
} hd__adi_axis;

typedef struct hd__adi_axes {
    hd__adi_axis axis[3];
} hd__adi_axes;

/* Offsets in the table of an axis, which holds the elimination's factors. For row i of chunk k, at
   i * chunks + k: lower, the element left of the diagonal; r, the inverse pivot; a and c, the other
   elements after elimination; front, the chunk's front before the row is inserted. For chunk k:
   end, the right element of its end; end_r, its end's inverse pivot. For each level of the cyclic
   reduction: two elements and the inverse pivot of end k. Last, the pivots' `watch`. */
typedef struct hd__adi_table {
    size_t lower, r, a, c, front, end, end_r, levels, watch, elements;
} hd__adi_table;

HD_BOTH hd__adi_table hd__adi_table_of(const hd__adi_axis *axis)
{
    const size_t rows = axis->chunk_rows * axis->chunks;
    hd__adi_table t;
    t.lower = 0;
    t.r = rows;
    t.a = 2 * rows;
    t.c = 3 * rows;
    t.front = 4 * rows;
    t.end = 5 * rows;
    t.end_r = t.end + axis->chunks;
    t.levels = t.end_r + axis->chunks;
    t.watch = t.levels;
    for (size_t stride = 1; stride < axis->chunks; stride *= 2)
        t.watch += 3 * axis->chunks;
    t.elements = t.watch + 1;
    return t;
}

/* tables: computes those of three axes; change_rows: as change; lines: solves all lines of an axis
   in a field, and adds the solution to another one. */
#define HD__ADI_DECLARE(type, T)                                                                   \
    HD_DECLARE(hd__adi_tables_##type, hd__adi_axes, T, T)                                          \
    HD_DECLARE(hd__adi_change_rows_##type, size_t, size_t, size_t, T, const T *, T *)              \
    HD_DECLARE(hd__adi_lines_##type, hd__adi_axis, T *, T *, uint64_t *)
HD__ADI_LIST(HD__ADI_DECLARE)
#undef HD__ADI_DECLARE
#endif

#endif
