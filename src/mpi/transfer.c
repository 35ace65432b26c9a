/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c - state that exchanges keep: the stage, events, lists of chunks. */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

hd__mpi_force hd__mpi_forced;

hd_status hd__mpi_transfer_of(hd_mpi *mpi, const char *call, hd__mpi_transfer **transfer)
{
    if (!mpi->transfer) {
        hd__mpi_transfer *made = calloc(1, sizeof *made);
        if (!made)
            return hd__fail(HD_ERR_NO_MEMORY, call, "no memory");
        const hd_status status = hd_event_create(mpi->device, 0, &made->landed);
        if (status < 0) {
            free(made);
            return status;
        }
        mpi->transfer = made;
    }
    *transfer = mpi->transfer;
    return HD_OK;
}

/* Copies of the last exchange may still read the stage, in stream order. */
static hd_status wait_for_stage(hd__mpi_transfer *transfer)
{
    if (!transfer->landing)
        return HD_OK;
    transfer->landing = 0;
    return hd_event_synchronize(transfer->landed);
}

hd_status hd__mpi_stage(hd_mpi *mpi, size_t bytes, char **stage)
{
    hd__mpi_transfer *transfer = mpi->transfer;
    HD_TRY(wait_for_stage(transfer));
    if (bytes > transfer->stage_bytes) {
        void *made = NULL;
        HD_TRY(hd_alloc_bytes(&made, bytes, 1, HD_MEM_PINNED, mpi->device));
        memset(made, 0, bytes);
        (void)hd_free(transfer->stage);
        transfer->stage = made;
        transfer->stage_bytes = bytes;
    }
    *stage = transfer->stage;
    return HD_OK;
}

hd_status hd__mpi_stage_used(hd_mpi *mpi, hd_stream *stream)
{
    HD_TRY(hd_event_record(mpi->transfer->landed, stream));
    mpi->transfer->landing = 1;
    return HD_OK;
}

void hd__mpi_transfer_free(hd_mpi *mpi)
{
    hd__mpi_transfer *transfer = mpi->transfer;
    if (!transfer)
        return;
    (void)wait_for_stage(transfer);
    for (size_t i = 0; i < transfer->event_count; i++)
        (void)hd_event_destroy(transfer->events[i]);
    (void)hd_event_destroy(transfer->landed);
    (void)hd_free(transfer->stage);
    free(transfer->events);
    free(transfer->sends.chunks);
    free(transfer->receives.chunks);
    free(transfer->met_sends.chunks);
    free(transfer->met_receives.chunks);
    free(transfer->met_requests);
    free(transfer->requests);
    free(transfer->completed);
    free(transfer->statuses);
    free(transfer);
    mpi->transfer = NULL;
}
