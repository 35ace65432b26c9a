/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - sweeps, one after the other, between two fields. */
#include "host.h"

hd_status solve(hd_stream *stream, int columns, hd_dim3 shape, extents e, int sweeps, float *field,
                float *other, float **result)
{
    (void)other;
    const hd_launch_config config = hd_launch_3d(e.nx, e.ny, columns ? 1 : e.nz, shape, stream);

    for (int s = 0; s < sweeps; s++) {
        HD_TRY(columns ? hd_launch(sweep_columns, config, e, field, field)
                       : hd_launch(sweep_cells, config, e, field, field));
    }
    *result = field;
    return HD_OK;
}
