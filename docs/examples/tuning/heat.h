/* SPDX-License-Identifier: Apache-2.0 */
/* heat.h - the kernels of the example, for host files and for their kernel file. */
#ifndef TUNING_HEAT_H
#define TUNING_HEAT_H

#include <heddle/kernel_decl.h>

/* One explicit step of the heat equation on a plate of ny rows of nx cells: to = from + c * (the
   four neighbours - 4 * from); cells at the edge keep their values. Two instances: a thread
   computes 1 or 4 cells, below each other. */
HD_DECLARE(heat_1, size_t, size_t, float, const float *, float *)
HD_DECLARE(heat_4, size_t, size_t, float, const float *, float *)

#endif
