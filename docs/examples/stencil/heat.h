/* SPDX-License-Identifier: Apache-2.0 */
/* heat.h - the kernel of the example, for host files and for its kernel file. */
#ifndef STENCIL_HEAT_H
#define STENCIL_HEAT_H

#include <heddle/kernel_decl.h>

/* One explicit step of the heat equation: to = from + c * (the four neighbours - 4 * from), for ny
   rows of nx cells, `pitch` elements apart. Rows -1 and ny of `from` are read: halo or boundary.
   The first and last column are boundary and keep their values. */
HD_DECLARE(heat_f32, size_t, size_t, size_t, float, const float *, float *)

#endif
