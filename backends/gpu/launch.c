/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - launches, kernel attributes, occupancy, symbols. */
#include <pthread.h>

#include "gpu.h"

/* ---- limits of kernels ----------------------------------------------------------------------- */

enum { ROOM_SLOTS = 1024 };

/* Cache of the maximum dynamic shared memory of kernels per device: the device's limit minus static
   memory. The limit of a kernel with a slot has already been raised that far; after a collision
   this is repeated. Slots are written with the lock held and read without it, checking the key
   before and after. */
static struct {
    uintptr_t key;
    size_t bytes;
} room[ROOM_SLOTS];
static pthread_mutex_t room_lock = PTHREAD_MUTEX_INITIALIZER;

static void room_set(unsigned slot, uintptr_t key, size_t bytes)
{
    (void)pthread_mutex_lock(&room_lock);
    __atomic_store_n(&room[slot].key, (uintptr_t)0, __ATOMIC_RELAXED);
    __atomic_store_n(&room[slot].bytes, bytes, __ATOMIC_RELEASE);
    __atomic_store_n(&room[slot].key, key, __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&room_lock);
}

static int room_get(unsigned slot, uintptr_t key, size_t *bytes)
{
    if (__atomic_load_n(&room[slot].key, __ATOMIC_ACQUIRE) != key)
        return 0;
    *bytes = __atomic_load_n(&room[slot].bytes, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&room[slot].key, __ATOMIC_RELAXED) == key;
}

void hd_gpu_launch_reset(void)
{
    for (unsigned i = 0; i < ROOM_SLOTS; i++)
        room_set(i, 0, 0);
}

/* The device must be current. */
static hd_status shared_room(const char *call, const hd_kernel *kernel, int ordinal, size_t *bytes)
{
    uintptr_t key = (uintptr_t)kernel ^ (uintptr_t)ordinal << 56;
    unsigned slot = (unsigned)((key >> 4 ^ key >> 14 ^ (uintptr_t)ordinal * 61) % ROOM_SLOTS);
    gpu_function_attributes attributes;
    int64_t most = 0;
    if (room_get(slot, key, bytes))
        return HD_OK;
    hd_status status = hdb_device_get(ordinal, HD_ATTR_SHARED_PER_BLOCK_MAX, &most);
    if (status >= 0)
        status = hd_gpu_check(call, GPU(FuncGetAttributes)(&attributes, hd_gpu_function(kernel)));
    if (status < 0)
        return status;
    int left = (int)most - (int)attributes.sharedSizeBytes;
    status = hd_gpu_check(call, GPU_SetMaxShared(hd_gpu_function(kernel), left));
    if (status < 0)
        return status;
    *bytes = (size_t)left;
    room_set(slot, key, *bytes);
    return HD_OK;
}

/* AMD's runtime checks static and dynamic shared memory only separately; beyond the sum the device
   faults. */
static hd_status shared_check(const char *call, const hd_kernel *kernel, int ordinal, size_t bytes)
{
    size_t left = 0;
    int64_t most = 0;
    hd_status status = shared_room(call, kernel, ordinal, &left);
    if (status < 0 || bytes <= left)
        return status;
    status = hdb_device_get(ordinal, HD_ATTR_SHARED_PER_BLOCK_MAX, &most);
    if (status < 0)
        return status;
    return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                    "kernel %s: shared memory is %zu static and %zu dynamic bytes, the limit %lld",
                    kernel->name, (size_t)most - left, bytes, (long long)most);
}

hd_status hd_gpu_kernel_refused(const char *call, const hd_kernel *kernel,
                                const hd_launch_config *config, GPU(Error_t) error)
{
    gpu_function_attributes attributes;
    unsigned threads = config->block.x * config->block.y * config->block.z;
    (void)hd_gpu_answer(error); /* clears the vendor's last error */
    if (hd_gpu_answer(GPU(FuncGetAttributes)(&attributes, hd_gpu_function(kernel))) >= 0 &&
        threads > (unsigned)attributes.maxThreadsPerBlock)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                        "kernel %s: threads per block is %u, its registers and launch bounds "
                        "allow %d (%s)",
                        kernel->name, threads, attributes.maxThreadsPerBlock,
                        GPU(GetErrorName)(error));
    return hd_gpu_check(call, error);
}

/* ---- launch ---------------------------------------------------------------------------------- */

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
        status = shared_check(call, kernel, ordinal, shared_bytes);
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
            status = hd_gpu_kernel_refused(call, kernel, config, error);
        /* The configuration is within the device's limits, but the kernel needs too many
           resources. */
        if (status == HD_ERR_ARGUMENT)
            status = hd__fail_native(HD_ERR_LAUNCH_CONFIG, call, (int)error,
                                     GPU(GetErrorName)(error), GPU(GetErrorString)(error));
    }
    hd_gpu_leave(ordinal, previous);
    return status;
}

void hdb_launch_called(const void *frame, int sized)
{
    (void)frame;
    (void)sized;
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
    size_t room_left = 0;
    int previous, got = 0;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(FuncGetAttributes)(&attributes, hd_gpu_function(kernel)));
    if (status >= 0 && shared_bytes > 0)
        status = shared_room(call, kernel, ordinal, &room_left);
    /* CUDA also counts blocks with more threads than the launch bounds, though it refuses to launch
       them. */
    if (status >= 0 && threads <= (unsigned)attributes.maxThreadsPerBlock &&
        shared_bytes <= room_left)
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
