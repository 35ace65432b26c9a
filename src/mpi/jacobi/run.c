/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - hd_mpi_jacobi_run: passes of sweeps, and the concurrent exchange of rows.

   A pass sweeps the first and the last bands of the stripe on stream `edge` and sends their
   outermost rows; meanwhile stream `main` sweeps the bands between. Each stream waits for the
   other's last pass, which read and wrote adjacent rows. Rows are exchanged by messages, for which
   the host waits, or by puts (puts.c). A rank that fails sends its neighbours an empty message
   instead of its next rows; they forward it with theirs. With puts it ends their waits, and all
   ranks learn of the failure when they next compare their status. */
#include <string.h>

#include "jacobi.h"

typedef struct sweeps {
    size_t at, count, every; /* next sweep; number of sweeps; norm interval, 0: no norms */
    double *norms;
} sweeps;

/* A pass. */
typedef struct step {
    unsigned depth, slot;
    int norms;
} step;

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Sweeps bands `from` to `end` - 1 of the stripe. */
static hd_status sweep(hd_mpi_jacobi *j, const step *s, uint32_t from, uint32_t end,
                       hd_stream *stream)
{
    const size_t y = (size_t)from * j->band;
    const size_t below = end == j->bands ? 0 : j->place.ny - (size_t)end * j->band;
    const size_t offset = y * j->pitch * j->element;
    hd__jacobi2d_task task = {0};
    task.from = j->first[j->turn] + offset;
    task.to = j->first[j->turn ^ 1] + offset;
    task.pitch = (uint32_t)j->pitch;
    task.nx = (uint32_t)j->nx;
    task.ny = (uint32_t)(j->place.ny - below - y);
    task.quads = j->quads;
    task.band = j->band;
    task.bands = end - from;
    task.sweep_sums = (uint32_t)j->sums.stride;
    task.aligned = 1;
    task.partials = (char *)j->sums.partials +
                    (s->slot * j->sums.stride + (uint64_t)from * j->quads) * j->element;
    for (unsigned i = 0; i < 4; i++)
        task.sides[i] = (uint32_t)j->sides[i];
    task.sides[2] = from ? HD_SIDE_HALO : task.sides[2];
    task.sides[3] = below ? HD_SIDE_HALO : task.sides[3];
    if (task.sides[2] == HD_SIDE_HALO)
        task.beyond[2] = (int32_t)(y + (j->sides[2] == HD_SIDE_HALO ? HD__MPI_ROWS_BEYOND : 0));
    if (task.sides[3] == HD_SIDE_HALO)
        task.beyond[3] = (int32_t)(below + (j->sides[3] == HD_SIDE_HALO ? HD__MPI_ROWS_BEYOND : 0));
    return hd__jacobi2d_sweep("hd_mpi_jacobi_run", j->type, s->depth, s->norms ? 'n' : 'p', &task,
                              stream);
}

/* Sweeps the outermost bands, or everything if there is nothing between them. */
static hd_status sweep_edges(hd_mpi_jacobi *j, const step *s)
{
    HD_TRY(hd_stream_wait(j->main, j->edged)); /* of the last pass */
    HD_TRY(hd_stream_wait(j->edge, j->swept)); /* of the last pass */
    if (j->last)
        HD_TRY(sweep(j, s, 0, 1, j->edge));
    HD_TRY(sweep(j, s, j->last, j->bands, j->edge));
    return hd_event_record(j->edged, j->edge);
}

static hd_status sweep_between(hd_mpi_jacobi *j, const step *s)
{
    if (j->last)
        HD_TRY(sweep(j, s, 1, j->last, j->main));
    return hd_event_record(j->swept, j->main);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void aim_messages(hd_mpi_jacobi *j, unsigned turn)
{
    for (unsigned i = 0; i < j->message_count; i++) {
        const ptrdiff_t row = (ptrdiff_t)(j->pitch * j->element);
        j->messages[i].send = j->first[turn] + j->plan[i].send_y * row;
        j->messages[i].receive = j->first[turn] + j->plan[i].receive_y * row;
    }
}

static hd_status alone(hd_mpi_jacobi *j, const step *s)
{
    return sweep(j, s, 0, j->bands, j->main);
}

static hd_status forced_to_fail(void *argument)
{
    (void)argument;
    return hd__fail(HD_ERR_NO_MEMORY, "hd_mpi_jacobi_run", "forced to fail in pass %u",
                    hd__mpi_forced.fail_pass);
}

static hd_status forced_failure(hd_mpi_jacobi *j)
{
    if (hd__mpi_forced.fail_pass != j->passes || hd__mpi_forced.fail_rank != j->mpi->rank ||
        j->passes == 0)
        return HD_OK;
    return hd__mpi_forced.fail_stream ? hd_stream_host_try(j->edge, forced_to_fail, NULL)
                                      : forced_to_fail(NULL);
}

static void farewell(hd_mpi_jacobi *j)
{
    if (j->mpi->puts)
        hd__mpi_puts_farewell(j);
    else
        hd__mpi_exchange_farewell(j->mpi, j->messages, j->message_count);
}

/* Starts the exchange of field `turn`; a rank that has failed before sends farewells. */
static hd_status begin(hd_mpi_jacobi *j, hd_status status, unsigned turn, int *announced)
{
    aim_messages(j, turn);
    if (status >= 0 && !j->mpi->puts)
        status = hd_mpi_exchange_begin(j->mpi, j->messages, j->message_count, j->edge);
    *announced = status < 0;
    if (status < 0)
        farewell(j);
    return status;
}

static hd_status end(hd_mpi_jacobi *j, unsigned turn)
{
    return j->mpi->puts ? hd__mpi_puts_exchange(j, turn) : hd_mpi_exchange_end(j->mpi);
}

/* *announced: this rank has failed and has sent farewells. */
static hd_status pass(hd_mpi_jacobi *j, const step *s, int *announced)
{
    hd_status status, ended;
    j->passes++;
    if (j->mpi->size == 1)
        return alone(j, s);
    status = forced_failure(j);
    if (status >= 0)
        status = sweep_edges(j, s);
    HD_TRY(begin(j, status, j->turn ^ 1, announced));
    status = sweep_between(j, s);
    ended = end(j, j->turn ^ 1);
    return status < 0 ? status : ended;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static double *wanted(const sweeps *s, size_t sweep_number)
{
    return s->every && sweep_number % s->every == 0 ? s->norms + sweep_number / s->every : NULL;
}

static step next_step(const hd_mpi_jacobi *j, const sweeps *s)
{
    step next = {j->depth, j->sums.used, 0};
    while (next.depth > s->count - s->at)
        next.depth /= 2;
    for (unsigned i = 0; i < next.depth; i++)
        next.norms |= wanted(s, s->at + i) != NULL;
    return next;
}

/* Passes until the slots are full, all sweeps are done or, with puts, HD__MPI_PUTS_MAX passes were
   made. After a failure there are no more passes; the neighbours learn of it in place of the next
   one. */
static hd_status batch(hd_mpi_jacobi *j, sweeps *s)
{
    hd_status status = HD_OK;
    int announced = 0;
    for (unsigned passes = 0; s->at < s->count && !announced; passes++) {
        const step next = next_step(j, s);
        if (next.norms && next.slot + next.depth > j->sums.slots)
            break;
        if (j->mpi->puts && passes == HD__MPI_PUTS_MAX)
            break;
        if (status < 0) {
            hd__error_mute(1);
            farewell(j);
            hd__error_mute(0);
            break;
        }
        for (unsigned i = 0; i < next.depth && next.norms; i++)
            j->sums.wanted[next.slot + i] = wanted(s, s->at + i);
        status = pass(j, &next, &announced);
        j->sums.used += next.norms ? next.depth : 0;
        j->turn ^= 1;
        s->at += next.depth;
    }
    return status;
}

/* Waits for both streams; after that, sums and the field are used by `main` only. */
static hd_status join(hd_mpi_jacobi *j)
{
    hd_status status = j->mpi->puts ? hd__mpi_puts_join(j) : HD_OK, edge;
    hd__mpi_watch_enter(j->mpi->watch, HD__MPI_EXCHANGE, HD__MPI_EVERYBODY);
    if (status < 0)
        hd__error_mute(1);
    edge = hd_stream_synchronize(j->edge);
    if (status < 0)
        hd__error_mute(0);
    hd__mpi_watch_leave(j->mpi->watch);
    HD_TRY(status);
    HD_TRY(edge);
    return hd_stream_synchronize(j->main);
}

/* Exchanges the halo rows of the field that was loaded or left by the last run. */
static hd_status first_exchange(hd_mpi_jacobi *j)
{
    int announced = 0;
    if (j->mpi->size > 1) {
        HD_TRY(begin(j, HD_OK, j->turn, &announced));
        HD_TRY(end(j, j->turn));
        HD_TRY(hd_event_record(j->edged, j->edge));
    }
    return hd_event_record(j->swept, j->main);
}

static hd_status check_run(const hd_mpi_jacobi *j, size_t norm_every, const double *norms,
                           size_t count, const char *call)
{
    if (!j)
        return hd__fail(HD_ERR_ARGUMENT, call, "jacobi is NULL");
    if (norm_every && !norms && count)
        return hd__fail(HD_ERR_ARGUMENT, call, "norms is NULL");
    if (!j->loaded)
        return hd__fail(HD_ERR_STATE, call, "there is no field");
    return HD_OK;
}

hd_status hd_mpi_jacobi_run(hd_mpi_jacobi *j, size_t count, size_t norm_every, double *norms)
{
    sweeps s = {0, count, norm_every, norms};
    hd_status status;
    HD_TRY(check_run(j, norm_every, norms, count, "hd_mpi_jacobi_run"));
    j->sums.used = 0;
    memset(j->mpi->gone, 0, (size_t)j->mpi->size);
    /* Without sweeps nothing would wait for these rows before the next exchange overwrites them. */
    status = hd_mpi_agree(j->mpi, count > 0 ? first_exchange(j) : HD_OK);
    while (s.at < s.count && status >= 0) {
        status = batch(j, &s);
        if (status >= 0)
            status = join(j);
        status = hd__mpi_sums_gather(j, status);
    }
    if (status < 0) {
        j->loaded = 0;
        hd__error_mute(1);
        (void)join(j);
        hd__error_mute(0);
        hd__mpi_puts_failed(j);
    }
    return status;
}
