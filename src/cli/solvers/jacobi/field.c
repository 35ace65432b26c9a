/* SPDX-License-Identifier: Apache-2.0 */
/* field.c - the initial field of the standard multi-device problem. */
#include "field.h"

#include <string.h>

#include <heddle/device/pure_math.h>

void jacobi_field_row(const hd_jacobi *problem, size_t y, void *row)
{
    const double last = problem->ny > 1 ? (double)(problem->ny - 1) : 1;
    double side, other;

    hd_pure_sincospi_f64(2.0 * (double)y / last, &side, &other);
    memset(row, 0, problem->nx * hd_type_bytes(problem->type));
    if (problem->type == HD_F32) {
        ((float *)row)[0] = (float)side;
        ((float *)row)[problem->nx - 1] = (float)side;
    } else {
        ((double *)row)[0] = side;
        ((double *)row)[problem->nx - 1] = side;
    }
}
