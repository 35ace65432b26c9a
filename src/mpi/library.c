/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - messages by the vendor's library (NCCL, RCCL). It has neither tags nor lengths, and a
   kernel that waits for a message which never comes waits for ever: so the two ranks of a message
   tell each other its size through MPI first, and enqueue it where they agree. */
#include <stdlib.h>

#include "runtime/runtime.h"
#include "transfer.h"

enum { ANSWER = 1024 }; /* added to the tag by the rank that receives */

static const hd__mpi_library_calls *calls(void)
{
    static const hd__mpi_library_calls vendors = {hdb_ccl_together, hdb_ccl_run};

    return hd__mpi_forced.library ? hd__mpi_forced.library : &vendors;
}

/* ---- open, close ----------------------------------------------------------------------------- */

hd_status hd__mpi_library_open(hd_mpi *mpi, const char *file, const char *call)
{
    const int ordinal = hd__device_at(mpi->device)->ordinal;
    unsigned char id[HDB_CCL_ID] = {0};
    hd_status status;

    if (hd__mpi_forced.library) {
        mpi->library = mpi;
        return HD_OK;
    }
    status = hdb_ccl_identify(call, file, NULL);
    if (status >= 0)
        status = hd__mpi_check_devices(mpi, call, "the library of collectives");
    if (status >= 0 && mpi->rank == 0)
        status = hdb_ccl_identify(call, file, id);
    HD_TRY(hd_mpi_agree(mpi, status));
    HD_TRY(hd__mpi_check(call, MPI_Bcast(id, (int)sizeof id, MPI_BYTE, 0, mpi->comm)));
    hd__mpi_watch_enter(mpi->watch, HD__MPI_JOIN, HD__MPI_EVERYBODY);
    status = hdb_ccl_join(call, id, ordinal, (unsigned)mpi->size, (unsigned)mpi->rank,
                          &mpi->library);
    hd__mpi_watch_leave(mpi->watch);
    return hd_mpi_agree(mpi, status);
}

void hd__mpi_library_close(hd_mpi *mpi)
{
    if (mpi->library != mpi)
        hdb_ccl_close(mpi->library, mpi->library_failed);
    mpi->library = NULL;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Two requests: what the other rank says, and what this one does (`bytes` 0: nothing). */
static void talk(const hd_mpi *mpi, hd__mpi_chunk *chunk, int sends, int bytes,
                 MPI_Request *requests)
{
    const int own = sends ? chunk->tag : chunk->tag + ANSWER;
    const int other = sends ? chunk->tag + ANSWER : chunk->tag;

    requests[0] = requests[1] = MPI_REQUEST_NULL;
    chunk->said = chunk->bytes;
    chunk->told = 0;
    (void)MPI_Irecv(&chunk->told, (int)sizeof chunk->told, MPI_BYTE, chunk->peer, other, mpi->comm,
                    &requests[0]);
    (void)MPI_Isend(&chunk->said, bytes, MPI_BYTE, chunk->peer, own, mpi->comm, &requests[1]);
}

/* Bytes that the other rank said; -1 where MPI fails, or has refused to begin. */
static int listen(const hd_mpi *mpi, const hd__mpi_chunk *chunk, MPI_Request *requests)
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

/* HD_OK where both ranks have the same size. */
static hd_status compare_sizes(hd_mpi *mpi, const hd__mpi_chunk *chunk, int sends, int heard,
                               const char *call)
{
    if (heard < 0)
        return hd__fail(HD_ERR_BACKEND, call, "MPI: the size of a message %s rank %d with tag %d",
                        sends ? "to" : "from", chunk->peer, chunk->tag);
    if (heard == 0) {
        mpi->gone[chunk->peer] = 1;
        return hd__fail(HD_ERR_STATE, call, "rank %d has failed: it has no message with tag %d",
                        chunk->peer, chunk->tag);
    }
    if (chunk->told == chunk->said)
        return HD_OK;
    return hd__fail(HD_ERR_STATE, call, "rank %d %s %llu bytes with tag %d, this rank %s %llu",
                    chunk->peer, sends ? "expects" : "sends", (unsigned long long)chunk->told,
                    chunk->tag, sends ? "sends" : "expects", (unsigned long long)chunk->said);
}

/* Chunks of which both sides have the same size keep it in `told`, others have 0 there. */
static hd_status meet(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd_status status = HD_OK;

    for (size_t i = 0; i < t->receives.count + t->sends.count; i++) {
        const int sends = i >= t->receives.count;
        talk(mpi, sends ? &t->sends.chunks[i - t->receives.count] : &t->receives.chunks[i], sends,
             (int)sizeof(uint64_t), &t->requests[2 * i]);
    }
    for (size_t i = 0; i < t->receives.count + t->sends.count; i++) {
        const int sends = i >= t->receives.count;
        hd__mpi_chunk *chunk = sends ? &t->sends.chunks[i - t->receives.count]
                                     : &t->receives.chunks[i];
        const hd_status same = compare_sizes(mpi, chunk, sends,
                                             listen(mpi, chunk, &t->requests[2 * i]), call);
        if (same < 0)
            chunk->told = 0;
        status = status < 0 ? status : same;
    }
    return status;
}

/* ---- messages -------------------------------------------------------------------------------- */

static int by_peer_and_tag(const void *a, const void *b)
{
    const hd__mpi_chunk *x = a, *y = b;

    return x->peer != y->peer ? (x->peer > y->peer) - (x->peer < y->peer)
                              : (x->tag > y->tag) - (x->tag < y->tag);
}

/* Messages between the same two ranks match in the order in which each enqueues them: that of their
   tags. */
static hd_status enqueue(hd_mpi *mpi, hd__mpi_list *list, int sends, const char *call)
{
    if (list->count > 0)
        qsort(list->chunks, list->count, sizeof *list->chunks, by_peer_and_tag);
    for (size_t i = 0; i < list->count; i++) {
        const hd__mpi_chunk *chunk = &list->chunks[i];
        const hd__ccl_work work = {.kind = sends ? HD__CCL_SEND : HD__CCL_RECEIVE,
                                   .communicator = mpi->library,
                                   .in = sends ? chunk->device : NULL,
                                   .out = sends ? NULL : chunk->device,
                                   .n = chunk->bytes,
                                   .type = HD_U8,
                                   .peer = chunk->peer,
                                   .stream = mpi->transfer->stream};
        if (chunk->told)
            HD_TRY(calls()->run(call, &work));
    }
    return HD_OK;
}

/* Enqueues what both sides have. The library connects ranks in here, and waits for them. */
static hd_status enqueue_all(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd_status status = calls()->together(call, 1);

    if (status < 0)
        return status;
    status = enqueue(mpi, &t->sends, 1, call);
    if (status >= 0)
        status = enqueue(mpi, &t->receives, 0, call);
    const hd_status ended = calls()->together(call, 0);
    return status < 0 ? status : ended;
}

/* Until the stream has come so far, as on the other paths; also after a failure, when part of it
   may be under way. Who waits too long for a rank is the watch's matter. */
hd_status hd__mpi_library_finish(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    const hd__mpi_list *first = t->receives.count ? &t->receives : &t->sends;
    hd_status met, status, waited;

    if (mpi->library_failed)
        return hd__fail(HD_ERR_STATE, call, "the library of collectives has failed before");
    if (first->count == 0)
        return HD_OK;
    const int peer = first->chunks[0].peer;
    met = meet(mpi, call);
    hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, peer);
    status = enqueue_all(mpi, call);
    mpi->library_failed = status < 0;
    waited = hd_stream_synchronize(t->stream);
    hd__mpi_watch_leave(mpi->watch);
    return met < 0 ? met : status < 0 ? status : waited;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A side of a message of which this rank says that there is none. */
static void decline(const hd_mpi *mpi, int peer, int tag, int sends, size_t bytes,
                    hd__mpi_chunk *chunk, MPI_Request *requests)
{
    *chunk = (hd__mpi_chunk){.peer = peer, .tag = tag, .bytes = bytes};
    if (bytes && !mpi->gone[peer])
        talk(mpi, chunk, sends, 0, requests);
    else
        chunk->bytes = 0;
}

/* All at once: the others may be saying farewell themselves. */
void hd__mpi_library_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count)
{
    hd__mpi_chunk *chunks = calloc(2 * count + 1, sizeof *chunks);
    MPI_Request(*requests)[2] = calloc(2 * count + 1, sizeof *requests);

    for (size_t i = 0; chunks && requests && i < count; i++) {
        const hd_mpi_message *m = &messages[i];
        decline(mpi, m->peer, m->send_tag, 1, m->send_bytes, &chunks[2 * i], requests[2 * i]);
        decline(mpi, m->peer, m->receive_tag, 0, m->receive_bytes, &chunks[2 * i + 1],
                requests[2 * i + 1]);
    }
    for (size_t i = 0; chunks && requests && i < 2 * count; i++)
        if (chunks[i].bytes)
            (void)listen(mpi, &chunks[i], requests[i]);
    free(requests);
    free(chunks);
}
