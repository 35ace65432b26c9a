/* SPDX-License-Identifier: Apache-2.0 */
/* adi.h - the kernels of an alternating direction implicit step, as host code sees them. */
#ifndef HEDDLE_KERNELS_ADI_H
#define HEDDLE_KERNELS_ADI_H

#include <heddle/kernel_decl.h>

/* X(type, C type): set fills n elements with a value; change makes what a step adds explicitly of a
   field of nx * ny * nz points, x innermost; add adds it. */
#define HD__ADI_LIST(X) X(f32, float) X(f64, double)
#define HD__ADI_DECLARE(type, T)                                                                   \
    HD_DECLARE(hd__adi_set_##type, size_t, T, T *)                                                 \
    HD_DECLARE(hd__adi_change_##type, size_t, size_t, size_t, T, const T *, T *)                   \
    HD_DECLARE(hd__adi_add_##type, size_t, const T *, T *)
HD__ADI_LIST(HD__ADI_DECLARE)
#undef HD__ADI_DECLARE

#endif
