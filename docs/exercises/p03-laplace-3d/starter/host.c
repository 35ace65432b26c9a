/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - sweeps, one after the other, between two fields. */
#include "host.h"

hd_status solve(hd_stream *stream, int columns, hd_dim3 shape, extents e, int sweeps, float *field,
                float *other, float **result)
{
    /* Your part: hd_launch_3d makes the configuration. Each sweep reads what the one before it
       wrote. */
    (void)stream, (void)columns, (void)shape, (void)e, (void)sweeps, (void)other;
    *result = field;
    return HD_OK;
}
