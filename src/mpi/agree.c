/* SPDX-License-Identifier: Apache-2.0 */
/* agree.c - reports the failure of one rank on all ranks, with its name; checks that values are the
   same on all ranks. */
#include <stdio.h>
#include <string.h>

#include "rank.h"

static const char call[] = "hd_mpi_agree";

hd_status hd__mpi_check(const char *where, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return HD_OK;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        (void)snprintf(text, sizeof text, "code %d", code);
    return hd__fail(HD_ERR_BACKEND, where, "MPI: %.300s", text);
}

typedef struct failure {
    int status;
    char text[HD__MPI_TEXT];
} failure;

/* Describes this rank's failure. A failure that all ranks have agreed on before already names its
   rank. */
static void describe(const hd_mpi *mpi, hd_status mine, failure *message)
{
    const hd_error *last = hd_error_last();
    if (last->call == call && last->status == mine && strcmp(last->message, mpi->agreed) == 0)
        (void)snprintf(message->text, sizeof message->text, "%s", mpi->agreed);
    else
        (void)snprintf(message->text, sizeof message->text, "rank %d on %s: %s: %.400s", mpi->rank,
                       mpi->places[mpi->rank].host, last->call[0] ? last->call : "a call",
                       last->message);
}

/* Broadcasts the failing rank's description to every rank. */
static hd_status spread(hd_mpi *mpi, hd_status mine, int from)
{
    failure message = {.status = mine};
    describe(mpi, mine, &message);
    HD_TRY(
        hd__mpi_check(call, MPI_Bcast(&message, (int)sizeof message, MPI_BYTE, from, mpi->comm)));
    memcpy(mpi->agreed, message.text, sizeof message.text);
    return hd__fail((hd_status)message.status, call, "%s", message.text);
}

/* 0: no failure; 1: a failure caused by that of another rank; 2: a failure of this rank's own. */
static int blame(const hd_mpi *mpi, hd_status mine)
{
    for (int r = 0; r < mpi->size && mine < 0; r++)
        if (mpi->gone[r])
            return 1;
    return mine < 0 ? 2 : 0;
}

hd_status hd_mpi_agree(hd_mpi *mpi, hd_status mine)
{
    struct {
        int blame, rank;
    } own, worst = {0, 0};
    hd_status status;
    if (!mpi)
        return hd__fail(HD_ERR_ARGUMENT, call, "mpi is NULL");
    own.blame = -blame(mpi, mine);
    own.rank = mpi->rank;
    hd__mpi_watch_note(mpi->watch, mine < 0 ? hd_error_last()->message : "");
    hd__mpi_watch_enter(mpi->watch, HD__MPI_AGREE, HD__MPI_EVERYBODY);
    status = hd__mpi_check(call, MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MINLOC, mpi->comm));
    if (status >= 0 && worst.blame)
        status = spread(mpi, mine, worst.rank);
    hd__mpi_watch_leave(mpi->watch);
    return status;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void value_text(const hd__mpi_fact *fact, int64_t value, char text[32])
{
    if (fact->text)
        (void)snprintf(text, 32, "%s", fact->text(value));
    else
        (void)snprintf(text, 32, "%lld", (long long)value);
}

hd_status hd__mpi_compare(const hd_mpi *mpi, const hd__mpi_fact *facts, int count,
                          const char *where)
{
    int64_t first[HD__MPI_FACTS];
    char here[32], there[32];
    hd_status status;
    for (int i = 0; i < count; i++)
        first[i] = facts[i].value;
    hd__mpi_watch_enter(mpi->watch, HD__MPI_AGREE, HD__MPI_EVERYBODY);
    status = hd__mpi_check(where, MPI_Bcast(first, count, MPI_INT64_T, 0, mpi->comm));
    hd__mpi_watch_leave(mpi->watch);
    for (int i = 0; i < count && status >= 0; i++) {
        if (facts[i].value == first[i])
            continue;
        value_text(&facts[i], first[i], there);
        value_text(&facts[i], facts[i].value, here);
        status = hd__fail(HD_ERR_ARGUMENT, where, "%s is %s on rank 0 and %s on rank %d",
                          facts[i].name, there, here, mpi->rank);
    }
    return status;
}
