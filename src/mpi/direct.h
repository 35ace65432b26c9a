/* SPDX-License-Identifier: Apache-2.0 */
/* direct.h - messages between ranks that reach each other's devices, through a landing: memory on
   the receiver's device, in which every rank of its node has its own slots.

     sender's device          landing of the receiver        receiver's device
     message  -- copy or put -->  slot 0 .. 3  -- copy or take -->  message
         \--------- MPI or word: the data is there --------->/
         /<-------- MPI: the slot is free -------------------\

   Messages that fit in a slot are short: the sender's device puts them there, each followed by a
   word; the receiver's device waits for the words and copies the messages to their destination.
   Longer messages go in pieces: the sender copies one into the next slot and announces it, and the
   receiver copies it on and reports that the slot is free. These acknowledgements go through MPI;
   so does whether short messages have been put, so that no device waits for one that does not
   arrive. All slots are free when an exchange begins. */
#ifndef HEDDLE_MPI_DIRECT_H
#define HEDDLE_MPI_DIRECT_H

#include "shmem.h"
#include "transfer.h"

enum { HD__MPI_SLOTS = 4, HD__MPI_SHORT = HD__SHMEM_MAX /* messages at once */ };

/* Progress of a flow. */
typedef enum hd__mpi_stage_of {
    HD__MPI_MEETS,  /* comparing sizes */
    HD__MPI_WAITS,  /* short: not yet enqueued */
    HD__MPI_SHORTS, /* short: enqueued */
    HD__MPI_PIECES,
    HD__MPI_DONE
} hd__mpi_stage_of;

/* All messages in one direction between this rank and another. */
typedef struct hd__mpi_flow {
    hd__mpi_stage_of stage;
    size_t first, count; /* range in the list of messages */
    unsigned agreed;     /* messages whose size is the same on both ranks */
    size_t message, at;  /* next message, and the offset in it */
    size_t piece;        /* maximum bytes of a piece */
    uint64_t pieces;     /* short messages together count as one */
    uint64_t copied;     /* pieces enqueued: into a slot or out of it */
    uint64_t announced;  /* pieces reported to the other rank: sent, or copied out of their slot */
    uint64_t acknowledged; /* pieces that the other rank has reported */
    uint64_t turn;         /* value of the words of short messages, the same on both sides */
    int failed;            /* pieces are announced as NO_PIECE */
    uint64_t launch;       /* short: launch number that the host waits for in hd__shmem_done */
    hd_event *done[HD__MPI_SLOTS]; /* pieces */
    MPI_Request sending[HD__MPI_SLOTS], receiving;
    uint64_t outgoing[HD__MPI_SLOTS], incoming;
} hd__mpi_flow;

struct hd__mpi_direct {
    hd__symmetric landing; /* [node-local rank][slot], then [node-local rank][word] */
    size_t slot;           /* bytes of a slot: limit for a piece */
    size_t words_at;
    size_t max_short;           /* limit for short messages, in bytes; 0: no short messages */
    unsigned char *reach;       /* [rank]: messages are exchanged directly */
    hd__mpi_flow *flows;        /* [rank][receives, sends] */
    hd__shmem_done *done;       /* progress of short messages: the host's address */
    hd__shmem_done *done_there; /* and the device's */
    uint64_t launches;
    hd_stream *out;         /* copies into the landings of others */
    hd_event *before;       /* recorded on the caller's stream; pieces wait for it */
    hd_event *emptied;      /* recorded when the last exchange has emptied this rank's landing */
    int fills;              /* it may not have been emptied yet */
    char why[HD__MPI_NOTE]; /* why the last rank of the node was rejected */
};

/* Collective; all ranks get the same status. If peers were not requested, that is HD_OK, and
   mpi->direct is NULL if no two ranks reach each other. */
hd_status hd__mpi_direct_open(hd_mpi *mpi, const char *call);
void hd__mpi_direct_close(hd_mpi *mpi); /* collective */
/* 1: messages between this rank and `peer` are exchanged directly. */
int hd__mpi_reaches(const hd_mpi *mpi, int peer);
/* Offset of a slot for pieces of rank `from` in a landing; index of a word. */
size_t hd__mpi_slot_at(const hd_mpi *mpi, int from, uint64_t slot);
size_t hd__mpi_word_of(const hd_mpi *mpi, int from, size_t word);

/* The two halves of an exchange: begin sends sizes (transfer.h), finish moves the data. */
hd_status hd__mpi_direct_begin(hd_mpi *mpi, hd_stream *stream);
hd_status hd__mpi_direct_finish(hd_mpi *mpi, const char *call);

/* ---- short messages (direct_short.c) ---- */

/* Bytes of a slot that a message takes. */
size_t hd__mpi_short_room(size_t bytes);
/* Whether `agreed` messages, which take `room` bytes of a slot together, go as short ones. */
int hd__mpi_is_short(const hd_mpi *mpi, size_t agreed, size_t room);
/* Flows, sends or receives, that are enqueued together: at most HD__MPI_SHORT messages. */
typedef struct hd__mpi_shorts {
    int peers[HD__MPI_SHORT];
    unsigned count, messages;
} hd__mpi_shorts;

/* Enqueues both in one launch; *launch is its number. HD_NOT_READY: the receives were not enqueued
   yet. */
hd_status hd__mpi_short_begin(hd_mpi *mpi, const hd__mpi_shorts *sends,
                              const hd__mpi_shorts *receives, uint64_t *launch, const char *call);
/* 1: the device has completed that launch. */
int hd__mpi_short_is_done(const hd_mpi *mpi, uint64_t launch, int sends);
/* Releases the device from waiting for messages of a rank that has failed. */
hd_status hd__mpi_short_release(hd_mpi *mpi, int peer);

#endif
