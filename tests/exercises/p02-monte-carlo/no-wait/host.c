/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - one simulation from the parameters to the price. */
#include <heddle/reduce.h>

#include "host.h"

hd_status simulate(hd_stream *stream, const option *o, uint64_t seed, const simulation *s,
                   float *price)
{
    const hd_launch_config config = hd_launch_1d(s->paths, BLOCK, stream);
    float sum = 0.0f;

    /* In stream order, like a copy: kernels launched afterwards see the new option. */
    HD_TRY(hd_symbol_write(hd_symbol_of(parameters), 0, o, sizeof *o, stream));
    HD_TRY(hd_launch(draw_normals, config, s->paths, seed, s->normals));
    HD_TRY(hd_launch(price_paths, config, s->paths, s->normals, s->payoffs));
    HD_TRY(hd_reduce(s->payoffs, s->paths, HD_F32, HD_SUM, s->sum, NULL, stream));
    HD_TRY(hd_copy(&sum, s->sum, 1, stream));
    *price = sum / (float)s->paths;
    return HD_OK;
}
