/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_cut.h - how small a field may be that is cut over several devices. */
#ifndef HEDDLE_CLI_JACOBI_CUT_H
#define HEDDLE_CLI_JACOBI_CUT_H

#include <stddef.h>

/* Rows of nx cells that `parts` parts, one below the other, have at least: parts begin at bands. */
size_t jacobi_least_rows(size_t nx, unsigned parts);
/* Columns that so many parts side by side have at least. */
size_t jacobi_least_columns(unsigned parts);

#endif
