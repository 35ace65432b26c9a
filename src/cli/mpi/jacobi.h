/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - internal interface of `heddle mpi jacobi`. */
#ifndef HEDDLE_CLI_MPI_JACOBI_H
#define HEDDLE_CLI_MPI_JACOBI_H

#include "job.h"

typedef struct mpi_jacobi {
    mpi_job job;
    hd_jacobi problem;
    size_t sweeps, every, norm_count; /* every: norm interval; 0: no norms */
    bool compare, verify;
    unsigned depth; /* sweeps per pass */
    hd_part part;
    void *rows;            /* the rank's rows: the initial field, then the result */
    double *norms;         /* norm_count */
    double seconds, alone; /* on all ranks; on one device, 0 if not measured */
    /* Verification, on rank 0. */
    const char *skipped; /* why it was skipped, or NULL */
    uint64_t wrong_rows, wrong_norms;
} mpi_jacobi;

/* jacobi_check.c: compares the ranks' field and norms with those of one device, on rank 0.
   Collective. */
hd_status mpi_jacobi_check(mpi_jacobi *m);
/* jacobi_print.c: on rank 0. */
/* CLI_DONE, or CLI_FAILED after a line. */
int mpi_jacobi_print(const mpi_jacobi *m);

#endif
