/* SPDX-License-Identifier: Apache-2.0 */
/* adi_field.h - fields from files for `heddle adi`, and ADI steps in plain C. */
#ifndef HEDDLE_CLI_SOLVERS_ADI_FIELD_H
#define HEDDLE_CLI_SOLVERS_ADI_FIELD_H

#include <heddle/adi.h>

#include "cli/input/array.h"

/* Reads --field and sets the grid to its shape; does nothing without --field. CLI_DONE, or another
   exit status after a line. The caller calls cli_array_free. */
int adi_field_read(const cli_arguments *arguments, hd_adi_grid *grid, cli_array *given);
/* The largest difference between `result` and `steps` steps from `given`, computed in f64 by
   Thomas's algorithm line by line. *largest: largest magnitude in `given`. 0, or -1 without
   memory. */
int adi_field_error(const hd_adi_grid *grid, size_t steps, const void *given, const void *result,
                    double *error, double *largest);

#endif
