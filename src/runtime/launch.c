/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - launch configurations, the checks before a launch, the launch. */
#include "runtime/trace/trace.h"

/* Set by hd_launch_1d and hd_launch_3d if the grid is not representable; refused later, when the
   kernel's name is known. */
enum { LAUNCH_TOO_LARGE = 1u << 30, LAUNCH_FLAGS = HD_LAUNCH_COOPERATIVE };

static const char call_name[] = "hd_launch";

/* Blocks of `block` threads for n threads, at least one. */
static size_t blocks_for(size_t n, unsigned block)
{
    if (block == 0 || n == 0)
        return 1;
    return n / block + (n % block != 0);
}

static unsigned extent(size_t n, unsigned block, hd_launch_config *config)
{
    size_t blocks = blocks_for(n, block);
    if (blocks > UINT32_MAX) {
        config->flags |= LAUNCH_TOO_LARGE;
        return UINT32_MAX;
    }
    return (unsigned)blocks;
}

hd_launch_config hd_launch_with(hd_dim3 grid, hd_dim3 block, size_t shared_bytes, hd_stream *stream)
{
    hd_launch_config config = {grid, block, shared_bytes, stream, 0};
    return config;
}

hd_launch_config hd_launch_1d(size_t n, unsigned block, hd_stream *stream)
{
    hd_launch_config config = {{1, 1, 1}, {block, 1, 1}, 0, stream, 0};
    config.grid.x = extent(n, block, &config);
    return config;
}

hd_launch_config hd_launch_loop(size_t n, unsigned block, hd_stream *stream)
{
    hd_launch_config config = {{1, 1, 1}, {block, 1, 1}, 0, stream, 0};
    if (!stream || block == 0)
        return config;
    const hd__device *device = hd__device_at(stream->device);
    size_t per_unit = device->threads_per_unit / block;
    size_t filling = (size_t)device->units * (per_unit ? per_unit : 1);
    size_t blocks = blocks_for(n, block);
    config.grid.x = (unsigned)(blocks < filling ? blocks : filling);
    return config;
}

hd_launch_config hd_launch_3d(size_t nx, size_t ny, size_t nz, hd_dim3 block, hd_stream *stream)
{
    hd_launch_config config = {{1, 1, 1}, block, 0, stream, 0};
    config.grid.x = extent(nx, block.x, &config);
    config.grid.y = extent(ny, block.y, &config);
    config.grid.z = extent(nz, block.z, &config);
    return config;
}

/* ---- checks --------------------------------------------------------------------------------- */

static hd_status refuse(const hd_kernel *kernel, const char *what, uint64_t value, uint64_t limit)
{
    return hd__fail(HD_ERR_LAUNCH_CONFIG, call_name, "kernel %s: %s is %llu, the limit %llu",
                    kernel->name, what, (unsigned long long)value, (unsigned long long)limit);
}

static hd_status refuse_zero(const hd_kernel *kernel, const char *what, hd_dim3 dim)
{
    return hd__fail(HD_ERR_LAUNCH_CONFIG, call_name,
                    "kernel %s: %s %u x %u x %u has an extent of 0", kernel->name, what, dim.x,
                    dim.y, dim.z);
}

/* Reports the limit that the configuration exceeds. Called only if it exceeds one. */
static hd_status explain(const hd_kernel *kernel, const hd_launch_config *config,
                         const hd__device *device)
{
    static const char *const grid_name[3] = {"grid x", "grid y", "grid z"};
    static const char *const block_name[3] = {"block x", "block y", "block z"};
    static const char *const total_name[3] = {"grid x times block x", "grid y times block y",
                                              "grid z times block z"};
    unsigned grid[3] = {config->grid.x, config->grid.y, config->grid.z};
    unsigned block[3] = {config->block.x, config->block.y, config->block.z};
    if (config->flags & LAUNCH_TOO_LARGE)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call_name,
                        "kernel %s: the grid needs more than 4294967295 blocks", kernel->name);
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return refuse_zero(kernel, "grid", config->grid);
    if (block[0] == 0 || block[1] == 0 || block[2] == 0)
        return refuse_zero(kernel, "block", config->block);
    for (int i = 0; i < 3; i++) {
        if (block[i] > device->max_block[i])
            return refuse(kernel, block_name[i], block[i], device->max_block[i]);
        if (grid[i] > device->max_grid[i])
            return refuse(kernel, grid_name[i], grid[i], device->max_grid[i]);
    }
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (threads > device->max_threads)
        return refuse(kernel, "threads per block", threads, device->max_threads);
    for (int i = 0; i < 3; i++)
        if ((uint64_t)grid[i] * block[i] > UINT32_MAX)
            return refuse(kernel, total_name[i], (uint64_t)grid[i] * block[i], UINT32_MAX);
    return refuse(kernel, "dynamic shared memory in bytes", config->shared_bytes,
                  device->max_shared);
}

/* Extents minus one wrap around for 0, so that one comparison tests both ends. */
static int dim_fits(hd_dim3 dim, const unsigned limit[3])
{
    return dim.x - 1 < limit[0] && dim.y - 1 < limit[1] && dim.z - 1 < limit[2];
}

static int config_fits(const hd_launch_config *config, const hd__device *device)
{
    hd_dim3 grid = config->grid, block = config->block;
    return dim_fits(grid, device->max_grid) && dim_fits(block, device->max_block) &&
           (uint64_t)block.x * block.y * block.z <= device->max_threads &&
           (uint64_t)grid.x * block.x <= UINT32_MAX && (uint64_t)grid.y * block.y <= UINT32_MAX &&
           (uint64_t)grid.z * block.z <= UINT32_MAX && config->shared_bytes <= device->max_shared &&
           !(config->flags & LAUNCH_TOO_LARGE);
}

hd_status hd__launch_check(const hd_kernel *kernel, const hd_launch_config *config, int index)
{
    const hd__device *device = hd__device_at(index);
    if (atomic_load_explicit(&device->lost, memory_order_relaxed))
        return hd__lost(call_name, index);
    if (!config_fits(config, device)) {
        hdb_launch_refused(kernel, config);
        return explain(kernel, config, device);
    }
    if (config->flags & ~(unsigned)LAUNCH_FLAGS)
        return hd__fail(HD_ERR_ARGUMENT, call_name, "kernel %s: unknown flags %#x", kernel->name,
                        config->flags);
    return HD_OK;
}

static _Atomic(hd__node_launch *) node_launch;

void hd__on_node_launch(hd__node_launch *hook)
{
    atomic_store_explicit(&node_launch, hook, memory_order_relaxed);
}

static hd_status launch_node(const hd_kernel *kernel, const hd_launch_config *config, void **args)
{
    hd__node_launch *hook = atomic_load_explicit(&node_launch, memory_order_relaxed);
    if (!hook)
        return hd__fail(HD_ERR_ARGUMENT, call_name, "kernel %s: unknown flags %#x", kernel->name,
                        config->flags);
    return hook(kernel, *config, args);
}

static hd_status launch(const hd_kernel *kernel, const hd_launch_config *config, void **args)
{
    if (!kernel)
        return hd__null(call_name, "kernel");
    if (config->flags & HD__LAUNCH_NODE)
        return launch_node(kernel, config, args);
    if (!config->stream)
        return hd__fail(HD_ERR_ARGUMENT, call_name, "kernel %s: the stream is NULL", kernel->name);
    hd_status status = hd__launch_check(kernel, config, config->stream->device);
    if (status < 0)
        return status;
    hd__traced traced;
    hd__trace_begin_launch(&traced, kernel, config);
    status = hdb_launch(kernel, config, args);
    hd__trace_end(&traced, status);
    return status < 0 ? hd__settle(call_name, config->stream->device, status) : status;
}

hd_status hd_launch_kernel(const hd_kernel *kernel, hd_launch_config config, void **args,
                           const char *file, int line)
{
    hdb_launch_called(__builtin_dwarf_cfa(), hd__shared_sized());
    hd_status status = launch(kernel, &config, args);
    return status < 0 ? hd_error_place(status, file, line) : status;
}
