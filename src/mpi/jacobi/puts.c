/* SPDX-License-Identifier: Apache-2.0 */
/* puts.c - halo rows through symmetric memory: each rank puts its outermost rows into its
   neighbours' halo rows, followed by the exchange's number, and then waits for its neighbours'
   numbers. Everything is ordered by stream `edge`: on GPUs the host runs a few exchanges ahead.

     rank r       [ halo | first rows  ...  last rows | halo ]
                                                 |        ^
                               last rows, number v        | first rows, number
     rank r + 1                               [ halo | first rows  ...  last rows | halo ]

   A number consists of the count of failed runs and the count of exchanges. A rank puts a number
   only after it has received the one of the previous exchange, so its neighbour has seen the one
   before that: two words per message, used alternately, are enough, and puts need no order among
   each other. A rank that has failed puts a number larger than any of the run. */
#include "jacobi.h"

static const char call[] = "hd_mpi_jacobi_run";

static uint64_t number_of(const hd__mpi_puts *p, uint64_t exchange)
{
    return (uint64_t)p->failures << 48 | exchange;
}

/* ---- open, close ----------------------------------------------------------------------------- */

/* Finds where the neighbour stores the rows of message `i`, and the message's number in its
   list. */
static hd_status find_target(hd_mpi_jacobi *j, unsigned i)
{
    const hd_halo_message *own = &j->plan[i];
    hd_halo_message theirs[HD_HALO_MESSAGES];
    unsigned count = 0;

    HD_TRY(hd_halo_plan(&j->domain, own->part, j->depth, 0, theirs, &count));
    for (unsigned k = 0; k < count; k++)
        if (theirs[k].part == (unsigned)j->mpi->rank && theirs[k].opposite == own->tag) {
            j->puts.target[i] = (hd__mpi_target){k, theirs[k].receive_y};
            return HD_OK;
        }
    return hd__fail(HD_ERR_STATE, "hd_mpi_jacobi_create", "rank %u expects no message from %d",
                    own->part, j->mpi->rank);
}

/* Each rank maps memory on its own, unlike with the vendor's SHMEM, so it must be checked. */
static hd_status check_reach(const hd_mpi_jacobi *j)
{
    const hd__symmetric *all[] = {&j->field[0], &j->field[1], &j->puts.signals};

    for (unsigned i = 0; i < j->message_count && !j->mpi->shmem; i++)
        for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
            if (!all[k]->of_rank[j->plan[i].part])
                return hd__fail(HD_ERR_BACKEND, "hd_mpi_jacobi_create",
                                "memory of rank %u cannot be mapped", j->plan[i].part);
    return HD_OK;
}

hd_status hd__mpi_puts_open(hd_mpi_jacobi *j)
{
    const size_t words = (size_t)HD_HALO_MESSAGES * HD__MPI_TURNS;
    hd__mpi_puts *p = &j->puts;
    hd_status status = HD_OK;

    for (unsigned i = 0; i < j->message_count && status >= 0; i++)
        status = find_target(j, i);
    for (unsigned i = 0; i < HD__MPI_AHEAD && status >= 0; i++)
        status = hd_event_create(j->mpi->device, 0, &p->done[i]);
    HD_TRY(hd_mpi_agree(j->mpi, status));
    HD_TRY(hd__shmem_alloc(j->mpi, words * sizeof(uint64_t), "hd_mpi_jacobi_create", &p->signals));
    return hd_mpi_agree(j->mpi, check_reach(j));
}

void hd__mpi_puts_close(hd_mpi_jacobi *j)
{
    for (unsigned i = 0; i < HD__MPI_AHEAD; i++)
        (void)hd_event_destroy(j->puts.done[i]);
    hd__shmem_free(j->mpi, &j->puts.signals);
}

/* ---- an exchange ----------------------------------------------------------------------------- */

static size_t signal_of(unsigned message, uint64_t exchange)
{
    return (size_t)message * HD__MPI_TURNS + exchange % HD__MPI_TURNS;
}

/* A field has the same offset in symmetric memory on all ranks. */
static hd__shmem_put rows_of(const hd_mpi_jacobi *j, unsigned i, unsigned turn)
{
    const hd__mpi_puts *p = &j->puts;
    const size_t row = j->pitch * j->element;
    const size_t to_row = (size_t)(HD__MPI_ROWS_BEYOND + p->target[i].receive_y);

    return (hd__shmem_put){.rank = (int)j->plan[i].part,
                           .to = &j->field[turn],
                           .at = to_row * row,
                           .from = j->messages[i].send,
                           .bytes = j->messages[i].send_bytes,
                           .signals = &p->signals,
                           .signal = signal_of(p->target[i].message, p->exchanges),
                           .value = number_of(p, p->exchanges)};
}

static hd_status put_rows(const hd_mpi_jacobi *j, unsigned turn)
{
    hd__shmem_put rows[HD_HALO_MESSAGES];

    for (unsigned i = 0; i < j->message_count; i++)
        rows[i] = rows_of(j, i, turn);
    return hd__shmem_send(j->mpi, rows, j->message_count, call, j->edge);
}

static hd_status wait_for_rows(const hd_mpi_jacobi *j)
{
    const hd__mpi_puts *p = &j->puts;
    hd__shmem_word words[HD_HALO_MESSAGES];

    for (unsigned i = 0; i < j->message_count; i++)
        words[i] = (hd__shmem_word){.rank = (int)j->plan[i].part,
                                    .signals = &p->signals,
                                    .signal = signal_of(i, p->exchanges),
                                    .value = number_of(p, p->exchanges)};
    return hd__shmem_wait(j->mpi, words, j->message_count, call, j->edge);
}

/* Limits how far the host runs ahead of the stream. */
static hd_status keep_pace(hd__mpi_puts *p, hd_stream *stream)
{
    hd_event *event = p->done[p->exchanges % HD__MPI_AHEAD];

    HD_TRY(hd_event_synchronize(event));
    return hd_event_record(event, stream);
}

hd_status hd__mpi_puts_exchange(hd_mpi_jacobi *j, unsigned turn)
{
    hd__mpi_puts *p = &j->puts;
    hd_status status;

    p->exchanges++;
    status = put_rows(j, turn);
    if (status >= 0)
        status = wait_for_rows(j);
    hd__mpi_watch_enter(j->mpi->watch, HD__MPI_EXCHANGE, HD__MPI_EVERYBODY);
    if (status >= 0)
        status = keep_pace(p, j->edge);
    hd__mpi_watch_leave(j->mpi->watch);
    if (status < 0) /* here, because there may be no next pass */
        hd__mpi_puts_farewell(j);
    return status;
}

hd_status hd__mpi_puts_join(hd_mpi_jacobi *j)
{
    return hd__shmem_quiet(j->mpi, call, j->edge);
}

/* ---- failures -------------------------------------------------------------------------------- */

void hd__mpi_puts_farewell(hd_mpi_jacobi *j)
{
    const hd__mpi_puts *p = &j->puts;
    hd__shmem_put words[HD_HALO_MESSAGES];

    (void)hd__shmem_quiet(j->mpi, call, j->edge);
    for (unsigned turn = 0; turn < HD__MPI_TURNS; turn++) {
        for (unsigned i = 0; i < j->message_count; i++)
            words[i] = (hd__shmem_put){.rank = (int)j->plan[i].part,
                                       .signals = &p->signals,
                                       .signal = signal_of(p->target[i].message, turn),
                                       .value = number_of(p, HD__MPI_LAST_EXCHANGE)};
        (void)hd__shmem_send(j->mpi, words, j->message_count, call, j->edge);
    }
}

void hd__mpi_puts_failed(hd_mpi_jacobi *j)
{
    j->puts.failures++;
    j->puts.exchanges = 0;
}
