/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host functions of this practical, which host.c defines. */
#ifndef MPI_RANKS_HOST_H
#define MPI_RANKS_HOST_H

#include <heddle/mpi.h>

#include "kernel.h"

enum { STEPS = 6 };

/* This rank's stripe of the field, on its device: rows 1 to ny are its own. Rows 0 and ny + 1 are
   halos, which are copies of rows of rank - 1 and rank + 1, or boundary rows at the ends of the
   field, which nobody changes. */
typedef struct part {
    hd_mpi *mpi;
    int rank, ranks;
    size_t ny;          /* at least 3 */
    float *field[2];    /* device memory, (ny + 2) * NX each: step s reads field[s % 2] */
    float *host;        /* page-locked host memory, 4 * NX: for four rows */
    hd_stream *stream;  /* like everything below, on the rank's device */
    hd_stream *edges;   /* a second stream */
    hd_event *edged;    /* for run_overlapped to record */
    hd_event *interior; /* the same */
} part;

/* STEPS steps, called on every rank; on return all work of this rank is done, and field[STEPS % 2]
   holds its rows of the result. Before the first step, field[0] and field[1] both hold the initial
   field with all halos.

   With MPI calls on host memory: after a step the two outer rows are copied to host memory and sent
   to the neighbours, and the rows received are copied into the halos. */
hd_status run_through_mpi(part *p);

/* With hd_mpi_exchange on device memory, in stream order. */
hd_status run_by_exchange(part *p);

/* Each part first computes its first and last row on the stream `edges`, and exchanges them while
   it computes the rows between on `stream`. */
hd_status run_overlapped(part *p);

#endif
