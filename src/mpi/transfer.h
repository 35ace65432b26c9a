/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.h - an exchange in progress: its chunks, and the pinned memory that they pass
   through. */
#ifndef HEDDLE_MPI_TRANSFER_H
#define HEDDLE_MPI_TRANSFER_H

#include "rank.h"

/* A chunk of a message. Staged chunks have a place in pinned memory. */
typedef struct hd__mpi_chunk {
    int peer, tag;
    size_t bytes;
    char *device; /* source or destination on the device */
    char *stage;  /* NULL: MPI gets the device pointer */
    hd_event *ready;
    uint64_t own_bytes, agreed; /* handshake: the size on this rank, and on the other one */
} hd__mpi_chunk;

typedef struct hd__mpi_list {
    hd__mpi_chunk *chunks;
    size_t count, room;
} hd__mpi_list;

struct hd__mpi_transfer {
    hd_stream *stream;                    /* NULL: no exchange in progress */
    hd__mpi_list sends, receives;         /* chunks that MPI carries */
    hd__mpi_list met_sends, met_receives; /* whole messages that MPI does not carry */
    MPI_Request *met_requests;            /* two per message: receives, then sends */
    size_t met_room;
    MPI_Request *requests; /* receives, then sends */
    MPI_Status *statuses;
    int *completed;
    size_t request_room;
    char *stage;
    size_t stage_bytes;
    hd_event **events; /* recorded after the copies of staged sends */
    size_t event_count;
    hd_event *landed; /* recorded after the last exchange's copies from the stage */
    int landing;
};

/* Calls of the vendor's library once it is open; as in backend.h. */
typedef struct hd__mpi_library_calls {
    hd_status (*together)(const char *call, int begin);
    hd_status (*run)(const char *call, const hd__ccl_work *work);
} hd__mpi_library_calls;

/* For tests and tuning; 0 lets the driver choose. */
typedef struct hd__mpi_force {
    const hd__mpi_library_calls *library; /* replaces the library; its communicator is the hd_mpi */
    size_t chunk_bytes; /* for staged messages and for peers, the same on every rank */
    unsigned apart;     /* ranks that differ in one of these bits do not reach each other */
    int fail_put;       /* 1 + rank: its short messages are not enqueued */
    int garbles;        /* 1 + rank: data between it and its peers is corrupted: */
    int garble;         /* 0: copies, 1: puts, 2: words; 3: only its own copies */
    int fail_rank;      /* Jacobi: this rank fails in pass fail_pass, counted from 1 */
    unsigned fail_pass; /* 0: none */
    int fail_stream;    /* it fails in stream order, before its rows are sent */
} hd__mpi_force;
extern hd__mpi_force hd__mpi_forced;

/* At least `bytes` bytes of pinned memory that nothing uses any more. */
hd_status hd__mpi_stage(hd_mpi *mpi, size_t bytes, char **stage);
/* Records that work of the stream up to now uses the stage. */
hd_status hd__mpi_stage_used(hd_mpi *mpi, hd_stream *stream);
/* Replaces an exchange with these messages on a rank that has failed: receives what the others
   send, and sends them empty messages, which announce the failure. Ranks that have failed
   themselves are skipped. */
void hd__mpi_exchange_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count);
/* Returns the state; creates it on first use. */
hd_status hd__mpi_transfer_of(hd_mpi *mpi, const char *call, hd__mpi_transfer **transfer);

/* ---- handshake of both ranks (meet.c) ---- */

/* Whether messages between this rank and `peer` need the handshake. */
int hd__mpi_meets(const hd_mpi *mpi, int peer);
/* Sorts the messages by rank and tag. If both sides have the same size, `agreed` is that size,
   otherwise 0; returns the first failure. */
hd_status hd__mpi_meet(hd_mpi *mpi, const char *call);
/* The same in steps: begin for all; then end for some of the sends or receives; has_come: end would
   not wait. */
void hd__mpi_meet_begin(hd_mpi *mpi);
int hd__mpi_meet_has_come(hd_mpi *mpi, int sends, size_t first, size_t count);
hd_status hd__mpi_meet_end(hd_mpi *mpi, int sends, size_t first, size_t count, const char *call);
/* On a rank that has failed, instead: tells the others that it has no messages. */
void hd__mpi_meet_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count);

/* ---- the vendor's library (library.c) ---- */

/* Collective; gives all ranks the same status. */
hd_status hd__mpi_library_open(hd_mpi *mpi, const char *file, const char *call);
void hd__mpi_library_close(hd_mpi *mpi);
/* Completes an exchange. */
hd_status hd__mpi_library_finish(hd_mpi *mpi, const char *call);

#endif
