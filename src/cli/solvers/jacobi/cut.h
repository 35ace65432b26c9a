/* SPDX-License-Identifier: Apache-2.0 */
/* cut.h - how small a field may be, alone and cut over several devices. */
#ifndef HEDDLE_CLI_SOLVERS_JACOBI_CUT_H
#define HEDDLE_CLI_SOLVERS_JACOBI_CUT_H

#include <stddef.h>

/* Columns that a field has at least, two of which are held; columns and rows at most. */
enum { JACOBI_COLUMNS_LEAST = 3, JACOBI_SIDE_MOST = 1 << 30 };

/* Rows of nx cells that `parts` parts, one below the other, have at least: parts begin at bands. */
size_t jacobi_least_rows(size_t nx, unsigned parts);
/* Columns that so many parts side by side have at least. */
size_t jacobi_least_columns(unsigned parts);

#endif
