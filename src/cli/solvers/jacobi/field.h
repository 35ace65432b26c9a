/* SPDX-License-Identifier: Apache-2.0 */
/* field.h - the initial field of `heddle jacobi` and `heddle mpi jacobi`: 0, left and right columns
   held at sin(2 pi row / (ny - 1)), computed with heddle's own sine, so that bits are the same on
   every backend. */
#ifndef HEDDLE_CLI_SOLVERS_JACOBI_FIELD_H
#define HEDDLE_CLI_SOLVERS_JACOBI_FIELD_H

#include <heddle/laplace.h>

/* Defaults: rows, columns and sweeps. */
enum {
    JACOBI_SIDE_GPU = 16384,
    JACOBI_SIDE_CPU = 1024,
    JACOBI_SWEEPS_GPU = 1000,
    JACOBI_SWEEPS_CPU = 200
};

/* Row y of the problem's ny rows: problem->nx elements of its type. */
void jacobi_field_row(const hd_jacobi *problem, size_t y, void *row);

#endif
