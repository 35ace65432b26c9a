/* SPDX-License-Identifier: Apache-2.0 */
/* all_to_all.c - exchanges a block between every two ranks. */
#include <stdlib.h>

#include "transfer.h"

/* Ranks send in rotation, so that they do not all send to the same rank first. */
static hd_status in_pairs(hd_mpi *mpi, const char *in, char *out, size_t bytes, hd_stream *stream,
                          const char *call)
{
    const size_t others = (size_t)mpi->size - 1, own = (size_t)mpi->rank * bytes;
    hd_mpi_message *messages = calloc(2 * others + 1, sizeof *messages);
    hd_status status;
    if (!messages)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu messages", 2 * others);
    for (size_t k = 0; k < others; k++) {
        const int to = (int)(((size_t)mpi->rank + k + 1) % (size_t)mpi->size);
        const int from = (int)(((size_t)mpi->rank + others - k) % (size_t)mpi->size);
        messages[2 * k].peer = from;
        messages[2 * k].receive = out + (size_t)from * bytes;
        messages[2 * k].receive_bytes = bytes;
        messages[2 * k + 1].peer = to;
        messages[2 * k + 1].send = in + (size_t)to * bytes;
        messages[2 * k + 1].send_bytes = bytes;
    }
    status = hd_mpi_exchange_begin(mpi, messages, 2 * others, stream);
    if (status >= 0) {
        const hd_status copied = hd_copy_bytes(out + own, in + own, bytes, 1, stream);
        if (copied < 0) /* others wait for these messages; the copy's failure is reported */
            hd__error_mute(1);
        status = hd_mpi_exchange_end(mpi);
        if (copied < 0)
            hd__error_mute(0);
        status = copied < 0 ? copied : status;
    }
    free(messages);
    return status;
}

static hd_status by_mpi(hd_mpi *mpi, const void *in, void *out, size_t bytes, const char *call)
{
    hd_status status;
    hd__mpi_watch_enter(mpi->watch, HD__MPI_ALL_TO_ALL, HD__MPI_EVERYBODY);
    status = hd__mpi_check(
        call, MPI_Alltoall(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, mpi->comm));
    hd__mpi_watch_leave(mpi->watch);
    return status;
}

/* The other ranks wait for this one, so it takes part even after a failure, whose detail is
   kept. */
static hd_status with_others(hd_status before, hd_mpi *mpi, const void *in, void *out, size_t bytes,
                             const char *call)
{
    hd_status status;
    if (before >= 0)
        return by_mpi(mpi, in, out, bytes, call);
    hd__error_mute(1);
    status = by_mpi(mpi, in, out, bytes, call);
    hd__error_mute(0);
    return status;
}

static hd_status collective(hd_mpi *mpi, const void *in, void *out, size_t bytes, hd_stream *stream,
                            const char *call)
{
    const size_t all = bytes * (size_t)mpi->size;
    hd__mpi_transfer *t;
    char *stage = NULL;
    hd_status ready, status;
    if (bytes > HD__MPI_LARGEST)
        return hd__fail(HD_ERR_OVERFLOW, call, "MPI counts a block of %zu bytes with an int",
                        bytes);
    HD_TRY(hd__mpi_transfer_of(mpi, call, &t));
    /* With HEDDLE_MPI_DEVICE=on, MPI's transport may support device memory although its
       collectives, which copy on the host, do not. */
    if (mpi->path == HD_MPI_DEVICE && mpi->aware) {
        ready = hd_stream_synchronize(stream);
        status = with_others(ready, mpi, in, out, bytes, call);
        return ready < 0 ? ready : status;
    }
    HD_TRY(hd__mpi_stage(mpi, 2 * all, &stage));
    ready = hd_copy_blocking_bytes(stage, in, all, 1, stream);
    status = with_others(ready, mpi, stage, stage + all, bytes, call);
    HD_TRY(ready);
    HD_TRY(status);
    HD_TRY(hd_copy_bytes(out, stage + all, all, 1, stream));
    return hd__mpi_stage_used(mpi, stream);
}

hd_status hd_mpi_all_to_all(hd_mpi *mpi, const void *in, void *out, size_t bytes,
                            hd_mpi_algorithm algorithm, hd_stream *stream)
{
    static const char call[] = "hd_mpi_all_to_all";
    if (!mpi || !stream || (bytes && (!in || !out)))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !mpi      ? "mpi"
                        : !stream ? "stream"
                        : !in     ? "in"
                                  : "out");
    if (stream->device != mpi->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the stream is of device %d, the rank has device %d",
                        stream->device, mpi->device);
    if (algorithm != HD_MPI_PAIRS && algorithm != HD_MPI_COLLECTIVE)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)algorithm);
    if (bytes > SIZE_MAX / 2 / (size_t)mpi->size)
        return hd__fail(HD_ERR_OVERFLOW, call, "%d blocks of %zu bytes", mpi->size, bytes);
    return algorithm == HD_MPI_PAIRS ? in_pairs(mpi, in, out, bytes, stream, call)
                                     : collective(mpi, in, out, bytes, stream, call);
}
