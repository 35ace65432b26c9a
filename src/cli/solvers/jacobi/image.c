/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - the field of `heddle jacobi` as a picture. */
#include "jacobi.h"

#include "cli/draw/heat.h"

static double value(const void *field, size_t x, size_t y)
{
    const jacobi_run *run = field;
    const size_t at = y * run->problem.nx + x;

    return run->problem.type == HD_F32 ? (double)((const float *)run->field)[at]
                                       : ((const double *)run->field)[at];
}

int jacobi_image(const jacobi_run *run)
{
    const hd__heat heat = {run->problem.nx, run->problem.ny, value, run};
    char message[HD__IO_MESSAGE];

    return hd__heat_write(&heat, run->png, message) != 0
               ? cli_failed(run->arguments->command, "%s", message)
               : CLI_DONE;
}
