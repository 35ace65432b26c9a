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
    uint64_t said, told; /* its size as this rank and as the other one has it, where they meet */
} hd__mpi_chunk;

typedef struct hd__mpi_list {
    hd__mpi_chunk *chunks;
    size_t count, room;
} hd__mpi_list;

struct hd__mpi_transfer {
    hd_stream *stream;                    /* NULL: no exchange is under way */
    hd__mpi_list sends, receives;         /* chunks that MPI carries */
    hd__mpi_list met_sends, met_receives; /* whole messages that something else does */
    MPI_Request *met_requests;            /* two of each: receives, then sends */
    size_t met_room;
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
    size_t chunk_bytes; /* of staged messages and of such to peers, the same on every rank */
    unsigned apart;     /* ranks that differ in one of these bits do not reach each other */
    int fail_put;       /* 1 + rank: what it would put as short messages is not enqueued */
    int garbles;        /* 1 + rank: what it and its peers write to each other comes otherwise: */
    int garble;    /* 0: what is copied, 1: what is put, 2: the word; 3: what it copies alone */
    int fail_rank; /* of Jacobi sweeps: this rank fails in pass number fail_pass, from 1 on */
    unsigned fail_pass; /* 0: none does */
    int fail_stream;    /* it does so in stream order, before its rows go */
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

/* ---- messages that both ranks know of (meet.c) ---- */

/* Messages to and from this rank are such. */
int hd__mpi_meets(const hd_mpi *mpi, int peer);
/* Sorts them by rank and tag. Those of which both sides have the same size keep it in `told`, the
   others have 0 there; the first failure. */
hd_status hd__mpi_meet(hd_mpi *mpi, const char *call);
/* The same in parts: begin for all; then for some of the sends or receives, which have come when
   end does not wait. */
void hd__mpi_meet_begin(hd_mpi *mpi);
int hd__mpi_meet_has_come(hd_mpi *mpi, int sends, size_t first, size_t count);
hd_status hd__mpi_meet_end(hd_mpi *mpi, int sends, size_t first, size_t count, const char *call);
/* By a rank that has failed, instead: it says that it has none. */
void hd__mpi_meet_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count);

/* ---- by the vendor's library (library.c) ---- */

/* Collective; gives all ranks the same status. */
hd_status hd__mpi_library_open(hd_mpi *mpi, const char *file, const char *call);
void hd__mpi_library_close(hd_mpi *mpi);
/* The end of an exchange. */
hd_status hd__mpi_library_finish(hd_mpi *mpi, const char *call);

#endif
