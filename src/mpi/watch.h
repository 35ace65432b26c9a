/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - a thread per rank that checks whether the other ranks are alive, and how long this one
   waits.

   The ranks of a node share a page in which each watch counts its ticks. A rank whose count stands
   still or whose process is gone is dead; a rank that waits longer than the timeout looks up in the
   page which rank is late. In both cases one rank of the node prints a line that names the rank to
   blame, and ends the job with MPI_Abort. Time is measured in ticks, so that a job that was stopped
   and continued as a whole does not count as dead. */
#ifndef HEDDLE_MPI_WATCH_H
#define HEDDLE_MPI_WATCH_H

#include <heddle/mpi.h>

/* X(name, text): operations in which a rank may wait. */
#define HD__MPI_WAIT_LIST(X)                                                                       \
    X(HD__MPI_BUSY, "does work of its own")                                                        \
    X(HD__MPI_EXCHANGE, "exchanges messages")                                                      \
    X(HD__MPI_ALL_TO_ALL, "takes part in an all-to-all")                                           \
    X(HD__MPI_AGREE, "waits for all to agree")                                                     \
    X(HD__MPI_GATHER, "takes part in a gather")                                                    \
    X(HD__MPI_JOIN, "waits for all to join a library or to share memory")                          \
    X(HD__MPI_LEAVE, "waits for all to leave")

typedef enum hd__mpi_wait {
#define HD__MPI_WAIT_ENUM_(name, text) name,
    HD__MPI_WAIT_LIST(HD__MPI_WAIT_ENUM_)
#undef HD__MPI_WAIT_ENUM_
} hd__mpi_wait;

enum { HD__MPI_NOBODY = -1, HD__MPI_EVERYBODY = -2 };

typedef struct hd__mpi_watch hd__mpi_watch;

/* Collective over the ranks of the node; `places` must outlive the watch. *watch may be set even on
   failure: then all ranks must stop theirs. */
hd_status hd__mpi_watch_start(MPI_Comm comm, MPI_Comm node, const hd_mpi_place *places, int size,
                              double timeout, hd__mpi_watch **watch);
/* Collective over the node; NULL is success. */
void hd__mpi_watch_stop(hd__mpi_watch *watch);
void hd__mpi_watch_timeout(hd__mpi_watch *watch, double seconds);
/* From now on this rank waits in `wait`, for rank `peer` or HD__MPI_EVERYBODY. NULL: no watch. */
void hd__mpi_watch_enter(hd__mpi_watch *watch, hd__mpi_wait wait, int peer);
void hd__mpi_watch_leave(hd__mpi_watch *watch);
/* The failure that this rank will wait to agree on: other ranks may be waiting elsewhere, and print
   it if they time out. "": none. */
enum { HD__MPI_NOTE = 256 };
void hd__mpi_watch_note(hd__mpi_watch *watch, const char *failure);

#endif
