/* SPDX-License-Identifier: Apache-2.0 */
/* meet.c - handshake before messages that MPI does not carry: the two ranks of each message
   exchange its size through MPI, so that neither enqueues a message that the other does not, nor
   waits for one that will not arrive. */
#include <stdlib.h>

#include "direct.h"

enum { ANSWER = 1024 }; /* added to the tag by the receiving rank */

/* Posts two requests: receives the other rank's size, and sends this rank's (`bytes` 0: no
   message). */
static void talk(const hd_mpi *mpi, hd__mpi_chunk *chunk, int sends, int bytes,
                 MPI_Request *requests)
{
    const int own = sends ? chunk->tag : chunk->tag + ANSWER;
    const int other = sends ? chunk->tag + ANSWER : chunk->tag;

    requests[0] = requests[1] = MPI_REQUEST_NULL;
    chunk->own_bytes = chunk->bytes;
    chunk->agreed = 0;
    (void)MPI_Irecv(&chunk->agreed, (int)sizeof chunk->agreed, MPI_BYTE, chunk->peer, other,
                    mpi->comm, &requests[0]);
    (void)MPI_Isend(&chunk->own_bytes, bytes, MPI_BYTE, chunk->peer, own, mpi->comm, &requests[1]);
}

/* Waits for the other rank's size and returns the bytes received; -1 if MPI fails or could not
   post. */
static int receive_size(const hd_mpi *mpi, const hd__mpi_chunk *chunk, MPI_Request *requests)
{
    const int begun = requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL;
    MPI_Status came;
    int bytes = -1;

    hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, chunk->peer);
    if (MPI_Wait(&requests[0], &came) != MPI_SUCCESS ||
        MPI_Get_count(&came, MPI_BYTE, &bytes) != MPI_SUCCESS)
        bytes = -1;
    if (MPI_Wait(&requests[1], MPI_STATUS_IGNORE) != MPI_SUCCESS)
        bytes = -1;
    hd__mpi_watch_leave(mpi->watch);
    return begun ? bytes : -1;
}

/* HD_OK if both ranks have the same size. */
static hd_status compare_sizes(hd_mpi *mpi, const hd__mpi_chunk *chunk, int sends, int received,
                               const char *call)
{
    if (received < 0)
        return hd__fail(HD_ERR_BACKEND, call, "MPI: the size of a message %s rank %d with tag %d",
                        sends ? "to" : "from", chunk->peer, chunk->tag);
    if (received == 0) {
        mpi->gone[chunk->peer] = HD__MPI_FAREWELL;
        return hd__fail(HD_ERR_STATE, call, "rank %d has failed: it has no message with tag %d",
                        chunk->peer, chunk->tag);
    }
    if (chunk->agreed == chunk->own_bytes)
        return HD_OK;
    return hd__fail(HD_ERR_STATE, call, "rank %d %s %llu bytes with tag %d, this rank %s %llu",
                    chunk->peer, sends ? "expects" : "sends", (unsigned long long)chunk->agreed,
                    chunk->tag, sends ? "sends" : "expects", (unsigned long long)chunk->own_bytes);
}

int hd__mpi_meets(const hd_mpi *mpi, int peer)
{
    return mpi->path == HD_MPI_LIBRARY || hd__mpi_reaches(mpi, peer);
}

static int by_peer_and_tag(const void *a, const void *b)
{
    const hd__mpi_chunk *x = a, *y = b;

    return x->peer != y->peer ? (x->peer > y->peer) - (x->peer < y->peer)
                              : (x->tag > y->tag) - (x->tag < y->tag);
}

static MPI_Request *requests_of(hd__mpi_transfer *t, int sends, size_t i)
{
    return &t->met_requests[2 * (sends ? t->met_receives.count + i : i)];
}

static void talk_of(hd_mpi *mpi, hd__mpi_list *list, int sends)
{
    if (list->count > 0)
        qsort(list->chunks, list->count, sizeof *list->chunks, by_peer_and_tag);
    for (size_t i = 0; i < list->count; i++)
        talk(mpi, &list->chunks[i], sends, (int)sizeof(uint64_t),
             requests_of(mpi->transfer, sends, i));
}

/* Sizes of sends go first: once a rank knows that it may send, it can usually receive as well, and
   enqueues both at once. */
void hd__mpi_meet_begin(hd_mpi *mpi)
{
    talk_of(mpi, &mpi->transfer->met_sends, 1);
    talk_of(mpi, &mpi->transfer->met_receives, 0);
}

hd_status hd__mpi_meet_end(hd_mpi *mpi, int sends, size_t first, size_t count, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd__mpi_list *list = sends ? &t->met_sends : &t->met_receives;
    hd_status status = HD_OK;

    for (size_t i = first; i < first + count; i++) {
        hd__mpi_chunk *chunk = &list->chunks[i];
        const int received = receive_size(mpi, chunk, requests_of(t, sends, i));
        const hd_status same = compare_sizes(mpi, chunk, sends, received, call);
        if (same < 0)
            chunk->agreed = 0;
        status = status < 0 ? status : same;
    }
    return status;
}

int hd__mpi_meet_has_come(hd_mpi *mpi, int sends, size_t first, size_t count)
{
    int come = 1;

    for (size_t i = first; i < first + count && come; i++) {
        MPI_Request *requests = requests_of(mpi->transfer, sends, i);
        for (int k = 0; k < 2 && come; k++)
            if (MPI_Request_get_status(requests[k], &come, MPI_STATUS_IGNORE) != MPI_SUCCESS)
                come = 1; /* hd__mpi_meet_end reports it */
    }
    return come;
}

hd_status hd__mpi_meet(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd_status status, other;

    hd__mpi_meet_begin(mpi);
    status = hd__mpi_meet_end(mpi, 0, 0, t->met_receives.count, call);
    other = hd__mpi_meet_end(mpi, 1, 0, t->met_sends.count, call);
    return status < 0 ? status : other;
}

/* ---- farewell -------------------------------------------------------------------------------- */

/* Tells the other side of a message that this rank has none. */
static void decline(const hd_mpi *mpi, int peer, int tag, int sends, size_t bytes,
                    hd__mpi_chunk *chunk, MPI_Request *requests)
{
    *chunk = (hd__mpi_chunk){.peer = peer, .tag = tag, .bytes = bytes};
    if (bytes && mpi->gone[peer] != HD__MPI_FAREWELL)
        talk(mpi, chunk, sends, 0, requests);
    else
        chunk->bytes = 0;
}

/* All at once: the other ranks may be doing the same. */
void hd__mpi_meet_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count)
{
    hd__mpi_chunk *chunks = calloc(2 * count + 1, sizeof *chunks);
    MPI_Request(*requests)[2] = calloc(2 * count + 1, sizeof *requests);

    for (size_t i = 0; chunks && requests && i < count; i++) {
        const hd_mpi_message *m = &messages[i];
        if (!hd__mpi_meets(mpi, m->peer))
            continue;
        decline(mpi, m->peer, m->send_tag, 1, m->send_bytes, &chunks[2 * i], requests[2 * i]);
        decline(mpi, m->peer, m->receive_tag, 0, m->receive_bytes, &chunks[2 * i + 1],
                requests[2 * i + 1]);
    }
    for (size_t i = 0; chunks && requests && i < 2 * count; i++)
        if (chunks[i].bytes)
            (void)receive_size(mpi, &chunks[i], requests[i]);
    free(requests);
    free(chunks);
}
