/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - a stencil over several devices: halos through the host, by transfers, and beside the
   computation. */
#include <heddle/peer.h>

#include "host.h"
#include "kernel.h"

/* Computes `rows` rows of a part from row `first` on, in the step that reads field[from]. */
static hd_status step(const part *p, hd_stream *stream, int from, size_t first, size_t rows)
{
    const hd_launch_config config = hd_launch_3d(NX, rows, 1, hd_dim(64, 4, 1), stream);

    return hd_launch(step_rows, config, rows, p->field[from] + first * NX,
                     p->field[1 - from] + first * NX);
}

hd_status run_through_host(plate *p)
{
    for (int s = 0; s < STEPS; s++) {
        const int to = 1 - s % 2;

        for (int i = 0; i < p->count; i++)
            HD_TRY(step(&p->parts[i], p->parts[i].stream, s % 2, 1, p->parts[i].ny));
        for (int i = 0; i < p->count; i++) { /* the first and the last row of each part */
            const part *q = &p->parts[i];

            HD_TRY(hd_copy_blocking(q->host, q->field[to] + NX, NX, q->stream));
            HD_TRY(hd_copy_blocking(q->host + NX, q->field[to] + q->ny * NX, NX, q->stream));
        }
        for (int i = 0; i + 1 < p->count; i++) { /* across the cut between i and i + 1 */
            const part *above = &p->parts[i], *below = &p->parts[i + 1];

            HD_TRY(hd_copy_blocking(below->field[to], above->host + NX, NX, below->stream));
            HD_TRY(hd_copy_blocking(above->field[to] + (above->ny + 1) * NX, below->host, NX,
                                    above->stream));
        }
    }
    for (int i = 0; i < p->count; i++)
        HD_TRY(hd_stream_synchronize(p->parts[i].stream));
    return HD_OK;
}

/* Sends the first and last row of part i, in field[to], to its neighbours, and records `sent`. */
static hd_status send_edges(const plate *p, int i, int to, hd_stream *stream)
{
    const part *q = &p->parts[i];
    const size_t bytes = NX * sizeof(float);

    if (i > 0) {
        const part *above = &p->parts[i - 1];

        HD_TRY(hd_transfer(above->field[to] + (above->ny + 1) * NX, above->device,
                           q->field[to] + NX, q->device, bytes, stream));
    }
    if (i + 1 < p->count) {
        const part *below = &p->parts[i + 1];

        HD_TRY(hd_transfer(below->field[to], below->device, q->field[to] + q->ny * NX, q->device,
                           bytes, stream));
    }
    return hd_event_record(q->sent, stream);
}

/* Makes a stream of part i wait until its neighbours have sent. */
static hd_status wait_for_halos(const plate *p, int i, hd_stream *stream)
{
    if (i > 0)
        HD_TRY(hd_stream_wait(stream, p->parts[i - 1].sent));
    if (i + 1 < p->count)
        HD_TRY(hd_stream_wait(stream, p->parts[i + 1].sent));
    return HD_OK;
}

hd_status run_by_transfers(plate *p)
{
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < p->count; i++) {
            const part *q = &p->parts[i];

            HD_TRY(step(q, q->stream, s % 2, 1, q->ny));
            HD_TRY(send_edges(p, i, s % 2, q->stream));
        }
        /* After all records of this step. The wait also protects the halos: a row that arrives in
           the next step overwrites what the neighbour's last step read, and that step came before
           the neighbour's record. */
        for (int i = 0; i < p->count; i++)
            HD_TRY(wait_for_halos(p, i, p->parts[i].stream));
    }
    for (int i = 0; i < p->count; i++)
        HD_TRY(hd_stream_synchronize(p->parts[i].stream));
    return HD_OK;
}

/* Enqueues a step of part i: edges and their transfers on one stream, the rest on the other. */
static hd_status overlapped_step(const plate *p, int i, int from)
{
    const part *q = &p->parts[i];

    HD_TRY(step(q, q->edges, from, 1, 1));
    HD_TRY(step(q, q->edges, from, q->ny, 1));
    HD_TRY(hd_event_record(q->edged, q->edges));
    HD_TRY(step(q, q->stream, from, 2, q->ny - 2));
    HD_TRY(hd_event_record(q->interior, q->stream));
    return send_edges(p, i, 1 - from, q->edges);
}

hd_status run_overlapped(plate *p)
{
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < p->count; i++)
            HD_TRY(overlapped_step(p, i, s % 2));
        for (int i = 0; i < p->count; i++) {
            const part *q = &p->parts[i];

            /* The rows between read the edge rows and overwrite rows that the edges have read. They
               do not wait for the transfers. */
            HD_TRY(hd_stream_wait(q->stream, q->edged));
            /* The edges read the rows beside them, overwrite rows that the rows between have read,
               and need the halos. */
            HD_TRY(hd_stream_wait(q->edges, q->interior));
            HD_TRY(wait_for_halos(p, i, q->edges));
        }
    }
    for (int i = 0; i < p->count; i++) {
        HD_TRY(hd_stream_synchronize(p->parts[i].stream));
        HD_TRY(hd_stream_synchronize(p->parts[i].edges));
    }
    return HD_OK;
}
