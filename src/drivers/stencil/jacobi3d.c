/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi3d.c - one pass over a 3-D field: chooses the kernel and splits the field. */
#include "jacobi_plan.h"
#include "runtime/backend.h"

static const struct {
    const hd_kernel *kernel;
    hd_type type;
    unsigned depth;
    const char *kind;
} kernels[] = {
#define ROW_f32 HD_F32
#define ROW_f64 HD_F64
#define ROW(type, depth, kind)                                                                     \
    {&hd__jacobi3d_##type##_##depth##kind##_kernel, ROW_##type, depth, #kind},
    HD__JACOBI3D_LIST(ROW)
#undef ROW
};

static const hd_kernel *find(hd_type type, unsigned depth, char kind)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i].type == type && kernels[i].depth == depth && kernels[i].kind[0] == kind)
            return kernels[i].kernel;
    return NULL;
}

/* Measured on an H200: with one sweep per pass, blocks do not wait for each other, and many blocks
   of 32 to 64 planes are fastest; with two sweeps, blocks that all end together. */
static uint32_t chunks_of(const hd__jacobi_call *c, unsigned depth, uint64_t tiles, uint64_t slots)
{
    uint64_t chunks = c->extent[2] / 64;
    if (depth > 1 || hd__jacobi_forced.chunks)
        return hd__jacobi_chunks(c->bands, c->band, tiles, slots, 2 * depth);
    if (chunks < 16)
        chunks = 16;
    if (chunks < 2 * slots / tiles)
        chunks = 2 * slots / tiles;
    return chunks < c->bands ? (uint32_t)chunks : c->bands;
}

static hd_status launch_lanes(const hd__jacobi_call *c, const hd_kernel *kernel, unsigned depth,
                              hd__jacobi3d_task *task)
{
    const uint32_t element = (uint32_t)hd_type_bytes(c->problem->type);
    const unsigned threads = hd__jacobi3d_threads(element, depth);
    const size_t shared = hd__jacobi3d_shared(element, depth);
    void *args[] = {task};
    int64_t warp = 0;
    uint64_t slots = 1, tiles_y, tiles;
    HD_TRY(hd_device_get(c->stream->device, HD_ATTR_WARP_SIZE, &warp));
    HD_TRY(hd__jacobi_slots(kernel, threads, shared, c->stream, &slots));
    const uint32_t own_x = hd__jacobi3d_columns(depth, (uint32_t)warp);
    const uint32_t own_y = hd__jacobi3d_rows(element, depth, (uint32_t)warp);
    task->tiles_x = (task->nx + own_x - 1) / own_x;
    tiles_y = (task->ny + own_y - 1) / own_y;
    tiles = task->tiles_x * tiles_y;
    task->chunks = chunks_of(c, depth, tiles, slots);
    if (tiles * task->chunks > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, c->call, "the field has too many cells");
    task->tiles = (uint32_t)tiles;
    return hd_launch_kernel(kernel,
                            hd_launch_with(hd_dim(task->tiles * task->chunks, 1, 1),
                                           hd_dim(threads, 1, 1), shared, c->stream),
                            args, __FILE__, __LINE__);
}

static hd_status launch_serial(const hd__jacobi_call *c, const hd_kernel *kernel,
                               hd__jacobi3d_task *task)
{
    const uint64_t groups = ((uint64_t)task->ny + HD__JACOBI3D_SERIAL - 1) / HD__JACOBI3D_SERIAL;
    void *args[] = {task};
    if (groups * task->bands > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, c->call, "the field has too many cells");
    return hd_launch_kernel(kernel,
                            hd_launch_with(hd_dim((unsigned)(groups * task->bands), 1, 1),
                                           hd_dim(1, 1, 1), 0, c->stream),
                            args, __FILE__, __LINE__);
}

hd_status hd__jacobi3d_pass(const hd__jacobi_call *c, unsigned depth, unsigned turn)
{
    const hd_kernel *kernel = find(c->problem->type, depth, c->norms ? 'n' : 'p');
    hd__jacobi3d_task task = {0};

    task.from = c->field[turn];
    task.to = c->field[turn ^ 1];
    task.partials = c->partials;
    task.plane = c->plane;
    task.band_sums = (size_t)c->extent[1] * c->quads;
    task.sweep_sums = (size_t)c->sweep_sums;
    task.pitch = (uint32_t)c->pitch;
    task.nx = c->extent[0];
    task.ny = c->extent[1];
    task.nz = c->extent[2];
    task.quads = c->quads;
    task.band = c->band;
    task.bands = c->bands;
    task.aligned = c->aligned;
    task.odd = !task.aligned || task.nx % HD__JACOBI_QUAD != 0;
    for (unsigned i = 0; i < 6; i++) {
        task.sides[i] = (uint32_t)c->problem->sides[i];
        task.odd |= c->problem->sides[i] == HD_SIDE_MIRROR;
    }
    return hd__jacobi_lanes() ? launch_lanes(c, kernel, depth, &task)
                              : launch_serial(c, kernel, &task);
}
