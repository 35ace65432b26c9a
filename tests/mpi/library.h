/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - stands in for the vendor's library of collectives in messages between ranks, where
   there is none: through MPI and host memory, matched in the order in which they are enqueued. */
#ifndef HEDDLE_TESTS_MPI_LIBRARY_H
#define HEDDLE_TESTS_MPI_LIBRARY_H

#include <stdlib.h>

#include "src/mpi/transfer.h"

enum { LIBRARY_MAX = 1024, LIBRARY_TAG = 5000 };

static struct library_message {
    MPI_Request request;
    void *host, *out;
    size_t bytes;
    hd_stream *stream;
} library_messages[LIBRARY_MAX];
static size_t library_count;
static unsigned library_mismatches; /* of lengths */
static int library_fails;           /* the next message does */
static int library_is_open;         /* between begin and end */

static hd_status library_run(const char *call, const hd__ccl_work *work)
{
    struct library_message *m = &library_messages[library_count];
    const MPI_Comm comm = hd_mpi_comm(work->communicator);

    if (library_fails)
        return hd__fail(HD_ERR_BACKEND, call, "forced to fail");
    if (!library_is_open || library_count == LIBRARY_MAX || work->type != HD_U8 || work->n == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "not for the library of these tests");
    *m = (struct library_message){.host = malloc(work->n),
                                  .out = work->kind == HD__CCL_RECEIVE ? work->out : NULL,
                                  .bytes = work->n,
                                  .stream = work->stream};
    if (!m->host)
        return HD_ERR_NO_MEMORY;
    library_count++;
    if (work->kind == HD__CCL_RECEIVE)
        return hd__mpi_check(call, MPI_Irecv(m->host, (int)m->bytes, MPI_BYTE, work->peer,
                                             LIBRARY_TAG, comm, &m->request));
    HD_TRY(hd_copy_blocking_bytes(m->host, work->in, m->bytes, 1, work->stream));
    return hd__mpi_check(call, MPI_Isend(m->host, (int)m->bytes, MPI_BYTE, work->peer, LIBRARY_TAG,
                                         comm, &m->request));
}

/* A message of another length than was to come would go unnoticed in the real one. */
static hd_status library_together(const char *call, int begin)
{
    hd_status status = HD_OK;

    library_is_open = begin;
    if (begin)
        library_count = 0;
    for (size_t i = 0; i < library_count; i++) {
        struct library_message *m = &library_messages[i];
        MPI_Status came;
        int bytes = 0;
        (void)MPI_Wait(&m->request, &came);
        (void)MPI_Get_count(&came, MPI_BYTE, &bytes);
        library_mismatches += m->out && (size_t)bytes != m->bytes;
        if (m->out && (size_t)bytes != m->bytes)
            status = hd__fail(HD_ERR_BACKEND, call, "%d bytes came instead of %zu", bytes,
                              m->bytes);
        else if (m->out)
            status = hd_copy_blocking_bytes(m->out, m->host, m->bytes, 1, m->stream);
        free(m->host);
    }
    library_count = 0;
    return status;
}

static const hd__mpi_library_calls library_stand_in = {library_together, library_run};

/* 1 where every rank has a device of its own and there is the vendor's library. */
static int library_is_there(void)
{
    const hd_mpi_options options = {.path = HD_MPI_LIBRARY};
    hd_mpi *mpi = NULL;
    const int there = hd_mpi_create(MPI_COMM_WORLD, &options, &mpi) >= 0;

    (void)hd_mpi_destroy(mpi);
    return there;
}

#endif
