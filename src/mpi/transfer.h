/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.h - an exchange under way: its chunks, and the page-locked memory they pass through. */
#ifndef HEDDLE_MPI_TRANSFER_H
#define HEDDLE_MPI_TRANSFER_H

#include "rank.h"

/* A piece of a message. Staged ones have a place in page-locked memory. */
typedef struct hd__mpi_chunk {
    int peer, tag;
    size_t bytes;
    char *device; /* where it comes from or goes to */
    char *stage;  /* NULL: MPI is given the device pointer */
    hd_event *ready;
    uint64_t said, told; /* its size as this rank and as the other one has it, for the library */
} hd__mpi_chunk;

typedef struct hd__mpi_list {
    hd__mpi_chunk *chunks;
    size_t count, room;
} hd__mpi_list;

struct hd__mpi_transfer {
    hd_stream *stream; /* NULL: no exchange is under way */
    hd__mpi_list sends, receives;
    MPI_Request *requests; /* receives, then sends */
    MPI_Status *statuses;
    int *completed;
    size_t request_room;
    char *stage;
    size_t stage_bytes;
    hd_event **events; /* that the staged sends of an exchange wait for */
    size_t event_count;
    hd_event *landed; /* the last exchange has left the stage */
    int landing;
};

/* What is called of the vendor's library once it is open; as in backend.h. */
typedef struct hd__mpi_library_calls {
    hd_status (*together)(const char *call, int begin);
    hd_status (*run)(const char *call, const hd__ccl_work *work);
} hd__mpi_library_calls;

/* For tests and tuning; 0 lets the driver choose. */
typedef struct hd__mpi_force {
    const hd__mpi_library_calls *library; /* stands in; its communicator is the hd_mpi */
    size_t chunk_bytes;                   /* of staged messages, the same on every rank */
    int fail_rank;      /* of Jacobi sweeps: this rank fails in pass number fail_pass, from 1 on */
    unsigned fail_pass; /* 0: none does */
} hd__mpi_force;
extern hd__mpi_force hd__mpi_forced;

/* At least so much page-locked memory, which nothing uses any more. */
hd_status hd__mpi_stage(hd_mpi *mpi, size_t bytes, char **stage);
/* Work of the stream up to now uses the stage. */
hd_status hd__mpi_stage_used(hd_mpi *mpi, hd_stream *stream);
/* Instead of an exchange with these messages, by a rank that has failed: what the others send is
   taken, and they get nothing, by which they know. Ranks that are gone themselves are left out. */
void hd__mpi_exchange_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count);
/* The state, made on first use. */
hd_status hd__mpi_transfer_of(hd_mpi *mpi, const char *call, hd__mpi_transfer **transfer);

/* ---- by the vendor's library (library.c) ---- */

/* Collective; gives all ranks the same status. */
hd_status hd__mpi_library_open(hd_mpi *mpi, const char *file, const char *call);
void hd__mpi_library_close(hd_mpi *mpi);
/* The end of an exchange, and what a rank that has failed does instead of one. */
hd_status hd__mpi_library_finish(hd_mpi *mpi, const char *call);
void hd__mpi_library_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count);

#endif
