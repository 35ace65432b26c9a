/* SPDX-License-Identifier: Apache-2.0 */
/* sobol.c - points of the Sobol sequence. */
#include "kernels/random/random.h"
#include "launch.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

size_t hd__sobol_bytes(unsigned dimensions)
{
    return (size_t)dimensions * HD__SOBOL_ROW * sizeof(uint32_t);
}

hd_status hd__sobol_prepare(unsigned dimensions, hd_sobol_kind kind, const hd_random *from,
                            uint32_t *rows, hd_stream *stream)
{
    const hd_dim3 block = hd_dim(HD_SERIAL_THREADS ? 1 : HD__SOBOL_MAKERS, 1, 1);
    return hd_launch(hd__sobol_directions,
                     hd_launch_with(hd_dim(dimensions, 1, 1), block, 0, stream), dimensions,
                     (uint32_t)(kind == HD_SOBOL_SCRAMBLED), from->seed, from->subsequence, rows);
}

static hd_status check_dimensions(const char *call, unsigned dimensions)
{
    if (dimensions < 1 || dimensions > HD_SOBOL_DIMENSIONS)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u dimensions are not between 1 and %d", dimensions,
                        (int)HD_SOBOL_DIMENSIONS);
    return HD_OK;
}

hd_status hd_random_sobol_workspace(unsigned dimensions, size_t *bytes)
{
    static const char call[] = "hd_random_sobol_workspace";
    HD_TRY(check_dimensions(call, dimensions));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    *bytes = hd__sobol_bytes(dimensions);
    return HD_OK;
}

static hd_status launch(void *out, size_t n, unsigned dimensions, hd_type type, uint32_t first,
                        const uint32_t *rows, hd_stream *stream)
{
    const uint64_t tiles = hd__sobol_tiles(first, n);
    const uint64_t blocks = hd_launch_loop((size_t)tiles * dimensions * HD__RANDOM_THREADS,
                                           HD__RANDOM_THREADS, stream)
                                .grid.x;
    const hd_dim3 block = hd_dim(HD_SERIAL_THREADS ? 1 : HD__RANDOM_THREADS, 1, 1);
    hd_launch_config shape;
    uint32_t stride = 0; /* log2 of the blocks per dimension */

    while ((1u << stride) < tiles && ((uint64_t)dimensions << stride) < 4 * blocks)
        stride++;
    shape = hd_launch_with(hd_dim(1u << stride, dimensions, 1), block, 0, stream);
    return type == HD_F32 ? hd_launch(hd__sobol_f32, shape, first, n, stride, rows, (float *)out)
                          : hd_launch(hd__sobol_f64, shape, first, n, stride, rows, (double *)out);
}

hd_status hd_random_fill_sobol(void *out, size_t n, unsigned dimensions, hd_type type,
                               hd_sobol_kind kind, const hd_random *from, hd_workspace *workspace,
                               hd_stream *stream)
{
    static const char call[] = "hd_random_fill_sobol";
    static const char mark;
    void *usable = NULL, *rows = NULL;
    hd_status status;

    HD_TRY(hd__random_check(call, from, n, (uint64_t)1 << 32, stream));
    HD_TRY(check_dimensions(call, dimensions));
    if (type != HD_F32 && type != HD_F64)
        return hd__fail(HD_ERR_ARGUMENT, call, "type is neither f32 nor f64");
    if (kind != HD_SOBOL_PLAIN && kind != HD_SOBOL_SCRAMBLED)
        return hd__fail(HD_ERR_ARGUMENT, call, "no kind of Sobol sequence has number %d",
                        (int)kind);
    if (n == 0)
        return HD_OK;
    HD_TRY(hd__random_array(call, out, n * dimensions, hd_type_bytes(type), stream, &usable));
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, hd__sobol_bytes(dimensions), 0, &mark, workspace, stream, &rows);
    if (status >= 0)
        status = hd__sobol_prepare(dimensions, kind, from, (uint32_t *)rows, stream);
    if (status >= 0)
        status = launch(usable, n, dimensions, type, (uint32_t)from->offset, (uint32_t *)rows,
                        stream);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}
