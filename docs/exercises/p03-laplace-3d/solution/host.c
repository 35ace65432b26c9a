/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - sweeps, one after the other, between two fields. */
#include "host.h"

hd_status solve(hd_stream *stream, int columns, hd_dim3 shape, extents e, int sweeps, float *field,
                float *other, float **result)
{
    const hd_launch_config config = hd_launch_3d(e.nx, e.ny, columns ? 1 : e.nz, shape, stream);

    for (int s = 0; s < sweeps; s++) {
        float *last = field;

        HD_TRY(columns ? hd_launch(sweep_columns, config, e, field, other)
                       : hd_launch(sweep_cells, config, e, field, other));
        /* A sweep in place would mix old and new neighbours. The stream keeps the order: the next
           sweep begins when all blocks of this one have ended. */
        field = other;
        other = last;
    }
    *result = field;
    return HD_OK;
}
