/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c - limits on the size of a field, alone and split over several devices. */
#include "limits.h"

#include "drivers/stencil/jacobi_plan.h"

/* Bands are taller in wider fields. */
size_t jacobi_least_rows(size_t nx, unsigned parts)
{
    size_t rows = 0, least = 1;

    while (rows < least) {
        rows = least;
        least = (parts - 1) * (size_t)hd__jacobi2d_band((uint64_t)nx * rows) + 1;
    }
    return rows;
}

size_t jacobi_least_columns(unsigned parts)
{
    return (parts - 1) * (size_t)HD__JACOBI_QUAD + 1;
}
