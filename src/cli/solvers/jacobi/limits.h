/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h - limits on the size of a field, alone and split over several devices. */
#ifndef HEDDLE_CLI_SOLVERS_JACOBI_LIMITS_H
#define HEDDLE_CLI_SOLVERS_JACOBI_LIMITS_H

#include <stddef.h>

/* Minimum number of columns, two of which are held; maximum number of columns and rows. */
enum { JACOBI_COLUMNS_LEAST = 3, JACOBI_SIDE_MAX = 1 << 30 };

/* Minimum number of rows of nx cells for `parts` parts, one below the other: parts begin at
   bands. */
size_t jacobi_least_rows(size_t nx, unsigned parts);
/* Minimum number of columns for `parts` parts side by side. */
size_t jacobi_least_columns(unsigned parts);

#endif
