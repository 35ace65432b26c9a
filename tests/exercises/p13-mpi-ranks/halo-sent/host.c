/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - a stencil over ranks: halos by MPI, by an exchange of device memory, and beside the
   computation. */
#include "host.h"
#include "kernel.h"

/* Computes `rows` rows from row `first` on, in the step that reads field[from]. */
static hd_status step(const part *p, hd_stream *stream, int from, size_t first, size_t rows)
{
    const hd_launch_config config = hd_launch_3d(NX, rows, 1, hd_dim(64, 4, 1), stream);

    return hd_launch(step_rows, config, rows, p->field[from] + first * NX,
                     p->field[1 - from] + first * NX);
}

/* The first and the last row of field[to] go to the neighbours, and theirs come into the halos.
   MPI_PROC_NULL takes part in nothing, so that the ends of the field need no case of their own. */
static hd_status swap_rows(const part *p, int to)
{
    const int above = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL;
    const int below = p->rank + 1 < p->ranks ? p->rank + 1 : MPI_PROC_NULL;
    float *first = p->host, *last = p->host + NX;
    float *from_above = p->host + 2 * NX, *from_below = p->host + 3 * NX;

    HD_TRY(hd_copy_blocking(first, p->field[to] + NX, NX, p->stream));
    HD_TRY(hd_copy_blocking(last, p->field[to] + p->ny * NX, NX, p->stream));
    MPI_Sendrecv(first, NX, MPI_FLOAT, above, 0, from_below, NX, MPI_FLOAT, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, NX, MPI_FLOAT, below, 1, from_above, NX, MPI_FLOAT, above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (above != MPI_PROC_NULL)
        HD_TRY(hd_copy_blocking(p->field[to], from_above, NX, p->stream));
    if (below != MPI_PROC_NULL)
        HD_TRY(hd_copy_blocking(p->field[to] + (p->ny + 1) * NX, from_below, NX, p->stream));
    return HD_OK;
}

hd_status run_through_mpi(part *p)
{
    for (int s = 0; s < STEPS; s++) {
        HD_TRY(step(p, p->stream, s % 2, 1, p->ny));
        HD_TRY(swap_rows(p, 1 - s % 2));
    }
    return hd_stream_synchronize(p->stream);
}

/* The messages of an exchange of field[to]; returns their number. */
static size_t rows_to_exchange(const part *p, int to, hd_mpi_message messages[2])
{
    const size_t bytes = NX * sizeof(float);
    size_t count = 0;

    if (p->rank > 0)
        messages[count++] = (hd_mpi_message){.peer = p->rank - 1,
                                             .send = p->field[to],
                                             .send_bytes = bytes,
                                             .receive = p->field[to],
                                             .receive_bytes = bytes};
    if (p->rank + 1 < p->ranks)
        messages[count++] = (hd_mpi_message){.peer = p->rank + 1,
                                             .send = p->field[to] + (p->ny + 1) * NX,
                                             .send_bytes = bytes,
                                             .receive = p->field[to] + (p->ny + 1) * NX,
                                             .receive_bytes = bytes};
    return count;
}

hd_status run_by_exchange(part *p)
{
    hd_mpi_message messages[2];

    for (int s = 0; s < STEPS; s++) {
        HD_TRY(step(p, p->stream, s % 2, 1, p->ny));
        HD_TRY(
            hd_mpi_exchange(p->mpi, messages, rows_to_exchange(p, 1 - s % 2, messages), p->stream));
    }
    return hd_stream_synchronize(p->stream);
}

hd_status run_overlapped(part *p)
{
    hd_mpi_message messages[2];

    for (int s = 0; s < STEPS; s++) {
        const size_t count = rows_to_exchange(p, 1 - s % 2, messages);

        HD_TRY(step(p, p->edges, s % 2, 1, 1));
        HD_TRY(step(p, p->edges, s % 2, p->ny, 1));
        HD_TRY(hd_event_record(p->edged, p->edges));
        HD_TRY(step(p, p->stream, s % 2, 2, p->ny - 2)); /* before the host waits for neighbours */
        HD_TRY(hd_event_record(p->interior, p->stream));
        HD_TRY(hd_mpi_exchange(p->mpi, messages, count, p->edges));
        /* In the next step each stream reads rows that the other one has written, and overwrites
           rows that the other one has read. */
        HD_TRY(hd_stream_wait(p->stream, p->edged));
        HD_TRY(hd_stream_wait(p->edges, p->interior));
    }
    HD_TRY(hd_stream_synchronize(p->edges));
    return hd_stream_synchronize(p->stream);
}
