/* SPDX-License-Identifier: Apache-2.0 */
/* agree.c - a failure of one rank becomes the failure of all, with the name of the one. */
#include <stdio.h>
#include <string.h>

#include "rank.h"

enum { TEXT = 512 };

hd_status hd__mpi_check(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return HD_OK;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        (void)snprintf(text, sizeof text, "code %d", code);
    return hd__fail(HD_ERR_BACKEND, call, "MPI: %.300s", text);
}

typedef struct failure {
    int status;
    char text[TEXT];
} failure;

/* What the failing rank has to say, on every rank. */
static hd_status spread(hd_mpi *mpi, hd_status mine, int from)
{
    static const char call[] = "hd_mpi_agree";
    const char *failed = hd_error_last()->call;
    failure told = {.status = mine};
    (void)snprintf(told.text, sizeof told.text, "%s: %.400s", failed[0] ? failed : "a call",
                   hd_error_last()->message);
    HD_TRY(hd__mpi_check(call, MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, from, mpi->comm)));
    return hd__fail((hd_status)told.status, call, "rank %d on %s: %s", from, mpi->places[from].host,
                    told.text);
}

/* 0: no failure; 1: one that another rank's brought about; 2: one of its own. */
static int blame(const hd_mpi *mpi, hd_status mine)
{
    return mine >= 0 ? 0 : memchr(mpi->gone, 1, (size_t)mpi->size) ? 1 : 2;
}

hd_status hd_mpi_agree(hd_mpi *mpi, hd_status mine)
{
    static const char call[] = "hd_mpi_agree";
    struct {
        int blame, rank;
    } own, worst = {0, 0};
    hd_status status;
    if (!mpi)
        return hd__fail(HD_ERR_ARGUMENT, call, "mpi is NULL");
    own.blame = -blame(mpi, mine);
    own.rank = mpi->rank;
    hd__mpi_watch_enter(mpi->watch, HD__MPI_AGREE, HD__MPI_EVERYBODY);
    status = hd__mpi_check(call, MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MINLOC, mpi->comm));
    if (status >= 0 && worst.blame)
        status = spread(mpi, mine, worst.rank);
    hd__mpi_watch_leave(mpi->watch);
    return status;
}
