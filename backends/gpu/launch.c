/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - launches, kernel attributes, occupancy, symbols. */
#include "gpu.h"

/* ---- more shared memory than the vendor gives unasked ---------------------------------------- */

enum { OPTED_SLOTS = 1024 };

/* Static and dynamic shared memory count together, so every kernel with dynamic one asks. Kernels
   that have been given the device's maximum already; a collision asks once more. */
static uintptr_t opted[OPTED_SLOTS];

void hd_gpu_launch_reset(void)
{
    for (unsigned i = 0; i < OPTED_SLOTS; i++)
        __atomic_store_n(&opted[i], (uintptr_t)0, __ATOMIC_RELAXED);
}

/* The device is current. */
static hd_status opt_in(const char *call, const hd_kernel *kernel, int ordinal)
{
    uintptr_t key = (uintptr_t)kernel ^ (uintptr_t)ordinal << 56;
    uintptr_t *slot = &opted[(key >> 4 ^ key >> 14 ^ (uintptr_t)ordinal * 61) % OPTED_SLOTS];
    gpu_function_attributes attributes;
    int64_t most = 0;
    if (__atomic_load_n(slot, __ATOMIC_RELAXED) == key)
        return HD_OK;
    hd_status status = hdb_device_get(ordinal, HD_ATTR_SHARED_PER_BLOCK_MAX, &most);
    if (status >= 0)
        status = hd_gpu_check(call, GPU(FuncGetAttributes)(&attributes, hd_gpu_function(kernel)));
    if (status < 0)
        return status;
    int left = (int)most - (int)attributes.sharedSizeBytes;
    status = hd_gpu_check(call, GPU_SetMaxShared(hd_gpu_function(kernel), left));
    if (status >= 0)
        __atomic_store_n(slot, key, __ATOMIC_RELAXED);
    return status;
}

/* ---- launch ---------------------------------------------------------------------------------- */

/* The vendor refused a configuration that is within the device's limits: the kernel needs too much
   of something. Says of what, as far as it can be known. */
static hd_status explain(const hd_kernel *kernel, const hd_launch_config *config,
                         GPU(Error_t) error)
{
    static const char call[] = "hd_launch";
    gpu_function_attributes attributes;
    hd_status status = hd_gpu_check(call, error);
    int64_t most = 0;
    if (status != HD_ERR_LAUNCH_CONFIG && status != HD_ERR_ARGUMENT)
        return status;
    if (hdb_device_get(config->stream->ordinal, HD_ATTR_SHARED_PER_BLOCK_MAX, &most) < 0 ||
        hd_gpu_check(call, GPU(FuncGetAttributes)(&attributes, hd_gpu_function(kernel))) < 0)
        return hd_gpu_check(call, error);
    unsigned threads = config->block.x * config->block.y * config->block.z;
    if (threads > (unsigned)attributes.maxThreadsPerBlock)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                        "kernel %s: threads per block is %u, its registers and launch bounds "
                        "allow %d (%s)",
                        kernel->name, threads, attributes.maxThreadsPerBlock,
                        GPU(GetErrorName)(error));
    if (attributes.sharedSizeBytes + config->shared_bytes > (size_t)most)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                        "kernel %s: shared memory is %zu static and %zu dynamic bytes, the limit "
                        "%lld (%s)",
                        kernel->name, attributes.sharedSizeBytes, config->shared_bytes,
                        (long long)most, GPU(GetErrorName)(error));
    return hd__fail_native(HD_ERR_LAUNCH_CONFIG, call, (int)error, GPU(GetErrorName)(error),
                           GPU(GetErrorString)(error));
}

static GPU(Error_t) launch(const hd_kernel *kernel, const hd_launch_config *config, void **args)
{
    dim3 grid, block;
    grid.x = config->grid.x;
    grid.y = config->grid.y;
    grid.z = config->grid.z;
    block.x = config->block.x;
    block.y = config->block.y;
    block.z = config->block.z;
    if (config->flags & HD_LAUNCH_COOPERATIVE)
        return GPU(LaunchCooperativeKernel)(hd_gpu_function(kernel), grid, block, args,
                                            GPU_SHARED_SIZE(config->shared_bytes),
                                            hd_gpu_stream(config->stream));
    return GPU(LaunchKernel)(hd_gpu_function(kernel), grid, block, args, config->shared_bytes,
                             hd_gpu_stream(config->stream));
}

hd_status hd_gpu_kernel_ready(const char *call, const hd_kernel *kernel, int ordinal,
                              size_t shared_bytes)
{
    hd_status status = HD_OK;
    if (!(__atomic_load_n(&kernel->module->bound, __ATOMIC_ACQUIRE) >> ordinal & 1))
        status = hd_gpu_bind(call, kernel->module, ordinal);
    if (status >= 0 && shared_bytes > 0)
        status = opt_in(call, kernel, ordinal);
    return status;
}

hd_status hdb_launch(const hd_kernel *kernel, const hd_launch_config *config, void **args)
{
    static const char call[] = "hd_launch";
    int ordinal = config->stream->ordinal, previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_kernel_ready(call, kernel, ordinal, config->shared_bytes);
    if (status >= 0) {
        GPU(Error_t) error = launch(kernel, config, args);
        if (error != GPU(Success))
            status = explain(kernel, config, error);
    }
    hd_gpu_leave(ordinal, previous);
    return status;
}

void hdb_launch_refused(const hd_kernel *kernel, const hd_launch_config *config)
{
    (void)kernel;
    (void)config;
}

/* ---- attributes, occupancy, symbols ---------------------------------------------------------- */

hd_status hdb_kernel_get(const hd_kernel *kernel, int ordinal, hd_kernel_attributes *attributes)
{
    static const char call[] = "hd_kernel_get";
    gpu_function_attributes got;
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(FuncGetAttributes)(&got, hd_gpu_function(kernel)));
    hd_gpu_leave(ordinal, previous);
    if (status < 0)
        return status;
    attributes->registers = (unsigned)got.numRegs;
    attributes->shared_bytes = got.sharedSizeBytes;
    attributes->local_bytes = got.localSizeBytes;
    attributes->constant_bytes = got.constSizeBytes;
    attributes->max_threads = (unsigned)got.maxThreadsPerBlock;
    return HD_OK;
}

hd_status hdb_occupancy(const hd_kernel *kernel, int ordinal, unsigned threads, size_t shared_bytes,
                        unsigned *blocks)
{
    static const char call[] = "hd_occupancy";
    gpu_function_attributes attributes;
    int previous, got = 0;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(FuncGetAttributes)(&attributes, hd_gpu_function(kernel)));
    if (status >= 0 && shared_bytes > 0)
        status = opt_in(call, kernel, ordinal);
    /* CUDA counts blocks with more threads than the launch bounds too, though it starts none. */
    if (status >= 0 && threads <= (unsigned)attributes.maxThreadsPerBlock)
        status = hd_gpu_check(call, GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
                                        &got, hd_gpu_function(kernel), (int)threads, shared_bytes));
    hd_gpu_leave(ordinal, previous);
    if (status >= 0)
        *blocks = (unsigned)got;
    return status;
}

hd_status hdb_symbol_address(const hd_symbol *symbol, int ordinal, void **address)
{
    static const char call[] = "hd_symbol_address";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(GetSymbolAddress)(address, symbol->handle));
    hd_gpu_leave(ordinal, previous);
    return status;
}
