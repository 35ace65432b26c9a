/* SPDX-License-Identifier: Apache-2.0 */
/* direct.h - messages between ranks that reach one another's devices, through a landing: memory of
   the receiver's device, in which every rank of its node has slots of its own.

   Messages that fit in a slot are short: the sender's device puts them there, and a word for each
   behind them; the receiver's waits for the words, and takes them to where they belong. Others go
   in pieces: the sender copies one into the next slot, says so, and the receiver copies it on and
   says that the slot is free. What is said goes through MPI, also that short messages have been
   put, or have not: no device waits for what does not come. An exchange begins with all slots
   free. */
#ifndef HEDDLE_MPI_DIRECT_H
#define HEDDLE_MPI_DIRECT_H

#include "shmem.h"
#include "transfer.h"

enum { HD__MPI_SLOTS = 4, HD__MPI_SHORT = HD__SHMEM_MOST /* messages at once */ };

/* Where a flow is. */
typedef enum hd__mpi_stage_of {
    HD__MPI_MEETS,  /* sizes are compared */
    HD__MPI_WAITS,  /* short: not enqueued yet */
    HD__MPI_SHORTS, /* short: enqueued */
    HD__MPI_PIECES,
    HD__MPI_DONE
} hd__mpi_stage_of;

/* All messages one way between this rank and another one. */
typedef struct hd__mpi_flow {
    hd__mpi_stage_of stage;
    size_t first, count; /* of the list's messages */
    unsigned agreed;     /* of these, messages that both ranks have */
    size_t message, at;  /* what comes next, and where in it */
    size_t piece;        /* bytes, at most */
    uint64_t pieces;     /* short messages are one */
    uint64_t copied;     /* enqueued: into a slot or out of it */
    uint64_t told;       /* said to the other rank: a piece is there, or its slot is free */
    uint64_t heard;      /* said by it */
    uint64_t turn;       /* value of the words of short messages, the same on both sides */
    int failed;          /* pieces are said to be none */
    uint64_t launch;     /* short: what the host waits for in hd__shmem_done */
    hd_event *done[HD__MPI_SLOTS]; /* pieces */
    MPI_Request saying[HD__MPI_SLOTS], hearing;
    uint64_t said[HD__MPI_SLOTS], hears;
} hd__mpi_flow;

struct hd__mpi_direct {
    hd__symmetric landing; /* [node-local rank][slot], then [node-local rank][word] */
    size_t slot;           /* bytes, of a piece at most */
    size_t words_at;
    size_t most_short;          /* bytes of short messages; 0: there are none */
    unsigned char *reach;       /* [rank]: messages go this way */
    hd__mpi_flow *flows;        /* [rank][receives, sends] */
    hd__shmem_done *done;       /* of short messages, as the host has it */
    hd__shmem_done *done_there; /* as the device has it */
    uint64_t launches;
    hd_stream *out;         /* copies into landings of others */
    hd_event *before;       /* what pieces come behind */
    hd_event *emptied;      /* the own landing, by the last exchange, */
    int fills;              /* which may not have come so far */
    char why[HD__MPI_NOTE]; /* the last doubt about a rank of the node */
};

/* Collective; gives all ranks the same status. Where peers were not asked for, it is HD_OK, with
   mpi->direct NULL where no two ranks reach each other. */
hd_status hd__mpi_direct_open(hd_mpi *mpi, const char *call);
void hd__mpi_direct_close(hd_mpi *mpi); /* collective */
/* 1: messages between this rank and `peer` go this way. */
int hd__mpi_reaches(const hd_mpi *mpi, int peer);
/* Where a slot for pieces of rank `from` lies in a landing, and the number of a word. */
size_t hd__mpi_slot_at(const hd_mpi *mpi, int from, uint64_t slot);
size_t hd__mpi_word_of(const hd_mpi *mpi, int from, size_t word);

/* Both halves of an exchange: messages that meet (transfer.h). */
hd_status hd__mpi_direct_begin(hd_mpi *mpi, hd_stream *stream);
hd_status hd__mpi_direct_finish(hd_mpi *mpi, const char *call);

/* ---- short messages (direct_short.c) ---- */

/* What a message takes of a slot. */
size_t hd__mpi_short_room(size_t bytes);
/* Of messages that both ranks have: how many, and what room they take. */
int hd__mpi_is_short(const hd_mpi *mpi, size_t agreed, size_t room);
/* Flows, sends or receives, that are enqueued together: no more than HD__MPI_SHORT messages. */
typedef struct hd__mpi_shorts {
    int peers[HD__MPI_SHORT];
    unsigned count, messages;
} hd__mpi_shorts;

/* Enqueues some of each in one launch, of which *launch is the number; HD_NOT_READY: what is
   received not yet. */
hd_status hd__mpi_short_begin(hd_mpi *mpi, const hd__mpi_shorts *sends,
                              const hd__mpi_shorts *receives, uint64_t *launch, const char *call);
/* 1: the device has done that. */
int hd__mpi_short_is_done(const hd_mpi *mpi, uint64_t launch, int sends);
/* The device goes on without what does not come. */
hd_status hd__mpi_short_release(hd_mpi *mpi, int peer);

#endif
