/* SPDX-License-Identifier: Apache-2.0 */
/* adi_field.h - fields of files for `heddle adi`, and steps of them in plain C. */
#ifndef HEDDLE_CLI_SOLVERS_ADI_FIELD_H
#define HEDDLE_CLI_SOLVERS_ADI_FIELD_H

#include <heddle/adi.h>

#include "cli/input/array.h"

/* Reads --field, whose shape the grid takes; nothing without. CLI_DONE, or another exit status
   after a line. The caller calls cli_array_free. */
int adi_field_read(const cli_arguments *arguments, hd_adi_grid *grid, cli_array *given);
/* The largest difference of `result` from `steps` steps of `given`, taken in f64 by Thomas's
   algorithm line by line. *largest: of the values of `given`. 0, or -1 without memory. */
int adi_field_error(const hd_adi_grid *grid, size_t steps, const void *given, const void *result,
                    double *error, double *largest);

#endif
