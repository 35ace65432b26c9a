/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.c - the ranks of a communicator as the PEs of the vendor's SHMEM, which a process
   initialises once and finalises in MPI_Finalize. Without SHMEM, memory is mapped (mapped.c). */
#include <stdlib.h>
#include <string.h>

#include "mpi/mapped.h"
#include "runtime/runtime.h"

/* ---- begin and end --------------------------------------------------------------------------- */

static int end(MPI_Comm comm, int key, void *attribute, void *extra)
{
    (void)comm;
    (void)key;
    (void)attribute;
    (void)extra;
    hdb_shmem_end();
    return MPI_SUCCESS;
}

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF. */
static hd_status end_with_mpi(const char *call)
{
    static int key = MPI_KEYVAL_INVALID;

    if (key != MPI_KEYVAL_INVALID)
        return HD_OK;
    HD_TRY(hd__mpi_check(call, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &key, NULL)));
    return hd__mpi_check(call, MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
}

/* *begun: all ranks have initialised SHMEM. An initialised rank would never join the initialisation
   of the others. */
static hd_status compare_begun(const hd_mpi *mpi, const char *call, int *begun)
{
    unsigned char id[HDB_SHMEM_ID];
    int pe = 0, count = 0, own[2], any[2] = {0, 0};

    hdb_shmem_place(&pe, &count, id);
    own[0] = count > 0;
    own[1] = count == 0;
    HD_TRY(hd__mpi_check(call, MPI_Allreduce(own, any, 2, MPI_INT, MPI_MAX, mpi->comm)));
    if (any[0] && any[1])
        return hd__fail(HD_ERR_UNSUPPORTED, call, "SHMEM has begun on some of these ranks alone");
    *begun = any[0];
    return HD_OK;
}

/* Collective; uses the id that rank 0 creates. */
static hd_status begin(hd_mpi *mpi, int ordinal, const char *call)
{
    unsigned char id[HDB_SHMEM_ID] = {0};
    int begun = 0;
    hd_status status;

    HD_TRY(hd_mpi_agree(mpi, compare_begun(mpi, call, &begun)));
    if (begun)
        return HD_OK;
    HD_TRY(hd_mpi_agree(mpi, mpi->rank ? HD_OK : hdb_shmem_identify(call, id)));
    HD_TRY(hd__mpi_check(call, MPI_Bcast(id, HDB_SHMEM_ID, MPI_BYTE, 0, mpi->comm)));
    hd__mpi_watch_enter(mpi->watch, HD__MPI_JOIN, HD__MPI_EVERYBODY);
    status = hdb_shmem_begin(call, id, ordinal, mpi->size, mpi->rank);
    hd__mpi_watch_leave(mpi->watch);
    if (status >= 0)
        status = end_with_mpi(call);
    return hd_mpi_agree(mpi, status);
}

/* Requires that the PEs are exactly the ranks of this communicator. */
static hd_status find_pes(hd_mpi *mpi, const char *call)
{
    unsigned char id[HDB_SHMEM_ID], first[HDB_SHMEM_ID];
    int own = 0, count = 0;

    hdb_shmem_place(&own, &count, id);
    memcpy(first, id, sizeof first);
    HD_TRY(hd__mpi_check(call, MPI_Bcast(first, HDB_SHMEM_ID, MPI_BYTE, 0, mpi->comm)));
    if (count != mpi->size || memcmp(first, id, sizeof id) != 0)
        return hd__fail(HD_ERR_UNSUPPORTED, call,
                        "SHMEM has %d PEs and the communicator %d ranks: they are to be the same",
                        count, mpi->size);
    mpi->pes = calloc((size_t)mpi->size, sizeof *mpi->pes);
    if (!mpi->pes)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list of %d PEs", mpi->size);
    mpi->pes[mpi->rank] = own;
    return HD_OK;
}

hd_status hd__shmem_open(hd_mpi *mpi, const char *file, const char *call)
{
    const int ordinal = hd__device_at(mpi->device)->ordinal;
    hd_status status = hdb_shmem_ready(call, file, ordinal);

    if (status >= 0)
        status = hd__mpi_check_devices(mpi, call, "SHMEM");
    HD_TRY(hd_mpi_agree(mpi, status));
    HD_TRY(begin(mpi, ordinal, call));
    HD_TRY(hd_mpi_agree(mpi, find_pes(mpi, call)));
    return hd__mpi_check(call,
                         MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, mpi->pes, 1, MPI_INT, mpi->comm));
}

/* ---- memory ---------------------------------------------------------------------------------- */

hd_status hd__shmem_alloc(hd_mpi *mpi, size_t bytes, const char *call, hd__symmetric *made)
{
    void *memory = NULL;
    hd_status status;

    if (!mpi->shmem)
        return hd__mapped_alloc(mpi, bytes, call, made);
    hd__mpi_watch_enter(mpi->watch, HD__MPI_JOIN, HD__MPI_EVERYBODY);
    status = hdb_shmem_alloc(call, bytes, &memory);
    hd__mpi_watch_leave(mpi->watch);
    HD_TRY(hd_mpi_agree(mpi, status)); /* memory of other ranks is kept: freeing it is collective */
    made->memory = memory;
    return HD_OK;
}

void hd__shmem_free(hd_mpi *mpi, hd__symmetric *memory)
{
    if (!memory->memory)
        return;
    hd__mpi_watch_enter(mpi->watch, HD__MPI_LEAVE, HD__MPI_EVERYBODY);
    if (mpi->shmem)
        hdb_shmem_free(memory->memory);
    else
        hd__mapped_free(mpi, memory);
    hd__mpi_watch_leave(mpi->watch);
    *memory = (hd__symmetric){NULL, NULL, NULL};
}

/* ---- puts ------------------------------------------------------------------------------------ */

static uint64_t *word(const hd__symmetric *signals, size_t signal)
{
    return (uint64_t *)signals->memory + signal;
}

static hd_status send_one(const hd_mpi *mpi, const hd__shmem_put *put, const char *call,
                          hd_stream *stream)
{
    return hdb_shmem_put(call, mpi->pes[put->rank],
                         put->bytes ? (char *)put->to->memory + put->at : NULL, put->from,
                         put->bytes, word(put->signals, put->signal), put->value, stream);
}

hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *puts, unsigned count, const char *call,
                         hd_stream *stream)
{
    hd_status status = HD_OK;

    if (!mpi->shmem)
        return hd__mapped_send(puts, count, call, stream);
    for (unsigned i = 0; i < count; i++) {
        const hd_status sent = send_one(mpi, &puts[i], call, stream);
        status = status < 0 ? status : sent;
    }
    return status;
}

hd_status hd__shmem_wait(hd_mpi *mpi, const hd__shmem_word *words, unsigned count, const char *call,
                         hd_stream *stream)
{
    if (!mpi->shmem)
        return hd__mapped_wait(words, count, call, stream);
    for (unsigned i = 0; i < count; i++)
        HD_TRY(
            hdb_shmem_wait(call, word(words[i].signals, words[i].signal), words[i].value, stream));
    return HD_OK;
}

hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream)
{
    return mpi->shmem ? hdb_shmem_quiet(call, stream) : HD_OK; /* kernels complete their stores */
}

hd_status hd__shmem_exchange(hd_mpi *mpi, const hd__shmem_work *work, const char *call,
                             hd_stream *stream)
{
    (void)mpi;
    return hd__mapped_exchange(work, call, stream);
}
