/* SPDX-License-Identifier: Apache-2.0 */
/* rank.c - hd_mpi_create: chooses the path for messages, the same on all ranks, and the timeout. */
#include "rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "direct.h"
#include "runtime/peer/peer.h"

static const double default_timeout = 60;

/* ---- path and timeout ------------------------------------------------------------------------ */

/* auto, on or off; 0 if the variable is not set. */
static hd_status path_variable(const char *call, hd_mpi_path *path)
{
    const char *text = hd__environment("HEDDLE_MPI_DEVICE");
    *path = HD_MPI_AUTO;
    if (!text || !*text || strcmp(text, "auto") == 0)
        return HD_OK;
    if (strcmp(text, "on") == 0)
        *path = HD_MPI_DEVICE;
    else if (strcmp(text, "off") == 0)
        *path = HD_MPI_STAGED;
    else
        return hd__fail(HD_ERR_ARGUMENT, call, "HEDDLE_MPI_DEVICE=%s is not auto, on or off", text);
    return HD_OK;
}

/* Peers are used if they are requested, and tried if the path is left open. The setting that turns
   off peer access within a process also does so between ranks. */
static hd_status want_peers(const hd_mpi_options *options, hd_mpi_path forced, const char *call,
                            int *wanted)
{
    hd__peer_policy policy;

    HD_TRY(hd__peer_policy_read(call, &policy));
    if (options->path == HD_MPI_PEER && policy == HD__P2P_OFF)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "no path between devices: HEDDLE_P2P=off");
    *wanted = options->path == HD_MPI_PEER
                  ? 2
                  : options->path == HD_MPI_AUTO && forced == HD_MPI_AUTO &&
                        policy != HD__P2P_OFF && hdb_native_supported() >= 0;
    return HD_OK;
}

/* Device memory if every rank's MPI supports it, or if the options or the environment insist. */
static hd_status choose_path(hd_mpi *mpi, const hd_mpi_options *options, const char *call)
{
    hd_mpi_path forced = HD_MPI_AUTO;
    int unable = -1;
    HD_TRY(path_variable(call, &forced));
    for (int r = mpi->size - 1; r >= 0; r--)
        unable = mpi->places[r].device_path ? unable : r;
    mpi->aware = unable < 0;
    mpi->shmem = options->path == HD_MPI_SHMEM;
    HD_TRY(want_peers(options, forced, call, &mpi->peers));
    if ((options->path == HD_MPI_AUTO || mpi->shmem || mpi->peers == 2) && forced != HD_MPI_AUTO) {
        mpi->path = forced;
        (void)snprintf(mpi->reason, sizeof mpi->reason, "HEDDLE_MPI_DEVICE says so");
    } else if (options->path == HD_MPI_STAGED) {
        mpi->path = HD_MPI_STAGED;
        (void)snprintf(mpi->reason, sizeof mpi->reason, "asked for");
    } else if (options->path == HD_MPI_LIBRARY) {
        mpi->path = HD_MPI_LIBRARY;
        (void)snprintf(mpi->reason, sizeof mpi->reason, "asked for");
    } else if (options->path == HD_MPI_DEVICE && unable >= 0 && forced != HD_MPI_DEVICE) {
        return hd__fail(HD_ERR_UNSUPPORTED, call,
                        "MPI of rank %d takes no device memory (HEDDLE_MPI_DEVICE=on insists)",
                        unable);
    } else {
        mpi->path = unable < 0 || options->path == HD_MPI_DEVICE ? HD_MPI_DEVICE : HD_MPI_STAGED;
        if (unable >= 0 && mpi->places[mpi->rank].device_path)
            (void)snprintf(mpi->reason, sizeof mpi->reason, "MPI of rank %d takes no device memory",
                           unable);
    }
    return HD_OK;
}

/* Staged messages are split into chunks, others are not, so all ranks need the same path: if they
   differ, staging, which every MPI supports. The same holds for SHMEM and peers. */
static hd_status agree_on_path(hd_mpi *mpi, const char *call)
{
    const int own[6] = {(int)mpi->path, -(int)mpi->path, mpi->shmem,
                        -mpi->shmem,    mpi->peers,      -mpi->peers};
    int least[6] = {0};
    HD_TRY(hd__mpi_check(call, MPI_Allreduce(own, least, 6, MPI_INT, MPI_MIN, mpi->comm)));
    if (least[0] == -least[1] && least[2] == -least[3] && least[4] == -least[5])
        return HD_OK;
    if (mpi->path != HD_MPI_STAGED || mpi->shmem || mpi->peers)
        (void)snprintf(mpi->reason, sizeof mpi->reason, "ranks have different paths");
    mpi->path = HD_MPI_STAGED;
    mpi->shmem = least[2];
    mpi->peers = least[4];
    return HD_OK;
}

/* The first rank whose backend differs from rank 0's; 0: none. */
static int other_backend(const hd_mpi *mpi)
{
    for (int r = 1; r < mpi->size; r++)
        if (strcmp(mpi->places[r].backend, mpi->places[0].backend) != 0)
            return r;
    return 0;
}

/* Symmetric memory needs the same backend on all ranks. */
static hd_status check_backends(const hd_mpi *mpi, const char *call)
{
    const int r = other_backend(mpi);

    if (r == 0)
        return HD_OK;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "ranks 0 and %d have different backends, %s and %s",
                    r, mpi->places[0].backend, mpi->places[r].backend);
}

/* Peers are tried without a request only for staging: an MPI that supports device memory finds the
   paths within a node itself. */
static int may_look_for_peers(const hd_mpi *mpi)
{
    return mpi->path == HD_MPI_STAGED && mpi->size > 1 && hd__mpi_sharer(mpi) < 0 &&
           other_backend(mpi) == 0;
}

static hd_status open_path(hd_mpi *mpi, const hd_mpi_options *options, const char *call)
{
    if (mpi->shmem || mpi->peers == 2)
        HD_TRY(hd_mpi_agree(mpi, check_backends(mpi, call)));
    if (mpi->shmem) {
        mpi->puts = 1;
        return hd__shmem_open(mpi, options->library, call);
    }
    if (mpi->path == HD_MPI_LIBRARY)
        return hd__mpi_library_open(mpi, options->library, call);
    if (mpi->peers == 2 || (mpi->peers == 1 && may_look_for_peers(mpi)))
        return hd__mpi_direct_open(mpi, call);
    return HD_OK;
}

static hd_status choose_timeout(const hd_mpi_options *options, const char *call, double *seconds)
{
    const char *text = hd__environment("HEDDLE_MPI_TIMEOUT");
    char *end = NULL;
    *seconds = options->timeout != 0 ? options->timeout : default_timeout;
    if (options->timeout != 0 || !text || !*text)
        return HD_OK;
    *seconds = strtod(text, &end);
    if (end == text || *end || *seconds == 0 || *seconds != *seconds)
        return hd__fail(
            HD_ERR_ARGUMENT, call,
            "HEDDLE_MPI_TIMEOUT: '%s' is not a number of seconds other than 0 (below 0: for ever)",
            text);
    return HD_OK;
}

/* ---- create, destroy ------------------------------------------------------------------------- */

static hd_status make_communicators(hd_mpi *mpi, MPI_Comm comm, const char *call)
{
    HD_TRY(hd__mpi_check(call, MPI_Comm_dup(comm, &mpi->comm)));
    (void)MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    HD_TRY(hd__mpi_check(call, MPI_Comm_rank(mpi->comm, &mpi->rank)));
    HD_TRY(hd__mpi_check(call, MPI_Comm_size(mpi->comm, &mpi->size)));
    HD_TRY(hd__mpi_check(call, MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, mpi->rank,
                                                   MPI_INFO_NULL, &mpi->node)));
    (void)MPI_Comm_set_errhandler(mpi->node, MPI_ERRORS_RETURN);
    return HD_OK;
}

/* From here on every rank has the list of places, so that failures can be reported to all. */
static hd_status settle(hd_mpi *mpi, const hd_mpi_options *options, hd_status status,
                        const char *call)
{
    HD_TRY(hd_mpi_agree(mpi, status));
    status = hd__mpi_check_sharing(mpi, options, call);
    if (status >= 0)
        status = choose_path(mpi, options, call);
    if (status >= 0)
        status = choose_timeout(options, call, &mpi->timeout);
    HD_TRY(hd_mpi_agree(mpi, status));
    HD_TRY(agree_on_path(mpi, call));
    HD_TRY(hd_mpi_agree(mpi, hd__mpi_watch_start(mpi->comm, mpi->node, mpi->places, mpi->size,
                                                 mpi->timeout, &mpi->watch)));
    return open_path(mpi, options, call);
}

static void release(hd_mpi *mpi)
{
    HD__RELEASING;
    hd__mpi_library_close(mpi); /* may wait for others */
    hd__mpi_direct_close(mpi);  /* may wait for others */
    hd__mpi_watch_stop(mpi->watch);
    hd__mpi_transfer_free(mpi);
    if (mpi->node != MPI_COMM_NULL)
        (void)MPI_Comm_free(&mpi->node);
    if (mpi->comm != MPI_COMM_NULL)
        (void)MPI_Comm_free(&mpi->comm);
    free(mpi->places);
    free(mpi->gone);
    free(mpi->pes);
}

static hd_status check_call(MPI_Comm comm, const hd_mpi_options *options, hd_mpi **mpi,
                            const char *call)
{
    int begun = 0, ended = 0;
    if (!mpi)
        return hd__fail(HD_ERR_ARGUMENT, call, "mpi is NULL");
    if (MPI_Initialized(&begun) != MPI_SUCCESS || !begun || MPI_Finalized(&ended) != MPI_SUCCESS ||
        ended)
        return hd__fail(HD_ERR_STATE, call, "MPI is not initialised, or was finalised");
    if (comm == MPI_COMM_NULL)
        return hd__fail(HD_ERR_ARGUMENT, call, "comm is MPI_COMM_NULL");
    if ((int)options->path < 0 || options->path > HD_MPI_PEER)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown path %d", (int)options->path);
    return HD_OK;
}

hd_status hd_mpi_create(MPI_Comm comm, const hd_mpi_options *options, hd_mpi **mpi)
{
    static const char call[] = "hd_mpi_create";
    static const hd_mpi_options none;
    const hd_mpi_options *given = options ? options : &none;
    hd_mpi_place own;
    hd_status status, described;
    hd_mpi *made;
    HD_TRY(check_call(comm, given, mpi, call));
    made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory");
    made->comm = made->node = MPI_COMM_NULL;
    status = make_communicators(made, comm, call);
    if (status >= 0) {
        made->places = calloc((size_t)made->size, sizeof *made->places);
        made->gone = calloc((size_t)made->size, 1);
    }
    if (status >= 0 && (!made->places || !made->gone))
        status = hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list of %d ranks", made->size);
    if (status >= 0) {
        described = hd__mpi_describe(made, given, call, &own);
        status = hd__mpi_exchange_places(made, &own, call);
        made->device = own.device;
        if (status >= 0)
            status = settle(made, given, described, call);
    }
    if (status < 0) {
        release(made);
        hd__handle_drop(made);
        return status;
    }
    *mpi = made;
    return HD_OK;
}

hd_status hd_mpi_destroy(hd_mpi *mpi)
{
    HD__RELEASING;
    if (!mpi)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_mpi_destroy", mpi, "hd_mpi"));
    release(mpi);
    hd__handle_free(mpi);
    return HD_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

int hd_mpi_rank(const hd_mpi *mpi)
{
    return mpi->rank;
}

int hd_mpi_size(const hd_mpi *mpi)
{
    return mpi->size;
}

int hd_mpi_device(const hd_mpi *mpi)
{
    return mpi->device;
}

MPI_Comm hd_mpi_comm(const hd_mpi *mpi)
{
    return mpi->comm;
}

const hd_mpi_place *hd_mpi_places(const hd_mpi *mpi)
{
    return mpi->places;
}

hd_mpi_path hd_mpi_path_used(const hd_mpi *mpi, const char **reason)
{
    if (reason)
        *reason = mpi->shmem ? "asked for" : mpi->reason;
    return mpi->shmem ? HD_MPI_SHMEM : mpi->direct ? HD_MPI_PEER : mpi->path;
}

void hd_mpi_set_timeout(hd_mpi *mpi, double seconds)
{
    hd__mpi_watch_timeout(mpi->watch, seconds != 0 ? seconds : mpi->timeout);
}
