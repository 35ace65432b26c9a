/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - what the parts of `heddle mpi jacobi` share. */
#ifndef HEDDLE_CLI_MPI_JACOBI_H
#define HEDDLE_CLI_MPI_JACOBI_H

#include "job.h"

typedef struct mpi_jacobi {
    mpi_job job;
    hd_jacobi problem;
    size_t sweeps, every, norm_count; /* every 0: no norms */
    bool compare, verify;
    unsigned depth; /* of a pass */
    hd_part part;
    void *rows;            /* of the rank: the field before, then after */
    double *norms;         /* norm_count */
    double seconds, alone; /* of all ranks; of one, 0 where it was not measured */
    /* Verification, on rank 0. */
    const char *skipped; /* why there was none, or NULL */
    uint64_t wrong_rows, wrong_norms;
} mpi_jacobi;

/* jacobi_check.c: the field and norms of one device, on rank 0, against those of the ranks.
   Collective. */
hd_status mpi_jacobi_check(mpi_jacobi *m);
/* jacobi_print.c: on rank 0. */
/* CLI_DONE, or CLI_FAILED after a line. */
int mpi_jacobi_print(const mpi_jacobi *m);

#endif
