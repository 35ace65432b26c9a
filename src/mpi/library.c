/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - messages through the vendor's library (NCCL, RCCL). It has neither tags nor lengths,
   and a kernel that waits for a message that never arrives waits forever: so a message is enqueued
   only if its size is the same on both ranks (meet.c). */
#include "runtime/runtime.h"
#include "transfer.h"

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

/* ---- messages -------------------------------------------------------------------------------- */

/* Messages between two ranks match in the order in which each rank enqueues them. */
static hd_status enqueue(hd_mpi *mpi, const hd__mpi_list *list, int sends, const char *call)
{
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
        if (chunk->agreed)
            HD_TRY(calls()->run(call, &work));
    }
    return HD_OK;
}

/* Enqueues the messages on which both sides agree. The first call connects the ranks, and waits for
   them. */
static hd_status enqueue_all(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd_status status = calls()->together(call, 1);

    if (status < 0)
        return status;
    status = enqueue(mpi, &t->met_sends, 1, call);
    if (status >= 0)
        status = enqueue(mpi, &t->met_receives, 0, call);
    if (status >= 0)
        return calls()->together(call, 0);
    hd__error_mute(1);
    (void)calls()->together(call, 0);
    hd__error_mute(0);
    return status;
}

/* After a failure, whose detail is kept. */
static hd_status end_quietly(hd_stream *stream)
{
    hd__error_mute(1);
    const hd_status status = hd_stream_synchronize(stream);
    hd__error_mute(0);
    return status;
}

/* Waits for the stream, as on the other paths; also after a failure, when part of the messages may
   be in progress. The watch reports ranks that are late. */
hd_status hd__mpi_library_finish(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    const hd__mpi_list *first = t->met_receives.count ? &t->met_receives : &t->met_sends;
    hd_status met, status, waited;

    if (mpi->library_failed)
        return hd__fail(HD_ERR_STATE, call, "the library of collectives has failed before");
    if (first->count == 0)
        return HD_OK;
    met = hd__mpi_meet(mpi, call);
    hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, first->chunks[0].peer);
    if (met < 0)
        hd__error_mute(1);
    status = enqueue_all(mpi, call);
    mpi->library_failed = status < 0;
    status = met < 0 ? met : status;
    waited = status < 0 ? end_quietly(t->stream) : hd_stream_synchronize(t->stream);
    if (met < 0)
        hd__error_mute(0);
    hd__mpi_watch_leave(mpi->watch);
    return status < 0 ? status : waited;
}
