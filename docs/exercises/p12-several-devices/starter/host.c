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
        for (int i = 0; i < p->count; i++)
            HD_TRY(step(&p->parts[i], p->parts[i].stream, s % 2, 1, p->parts[i].ny));
        /* Your part: which two rows of a part leave, and which two arrive? Of which field? */
    }
    for (int i = 0; i < p->count; i++)
        HD_TRY(hd_stream_synchronize(p->parts[i].stream));
    return HD_OK;
}

hd_status run_by_transfers(plate *p)
{
    /* Your part: as before, with hd_transfer. What has to wait for a row that comes from another
       device? */
    (void)p;
    return HD_OK;
}

hd_status run_overlapped(plate *p)
{
    /* Your part. Draw first which rows a kernel reads and writes, on both streams, in two steps. */
    (void)p;
    return HD_OK;
}
