/* SPDX-License-Identifier: Apache-2.0 */
/* heddle.h - the host API: devices, memory, copies, streams, events, launches. C11 and C++17.

   Every call returns hd_status. Outputs are set only on success. Nothing prints or aborts; detail
   of the last error is thread-local (hd_error_last). There is no current device: streams and events
   carry theirs, allocations name it. Counts and sizes are size_t; a count of 0 is an ordinary input
   and moves nothing.

   Threads. Any host threads may make calls at the same time:
   - devices, memory, pools, peer access, traces: also about the same one;
   - streams and events, default streams too: also on the same one. Calls on one stream are queued
     one after the other, in an order that the program does not know unless it orders its threads;
     hd_stream_wait waits for the last record of the event that was queued before it;
   - hd_graph, hd_graph_exec, and the objects of drivers (plans, matchers, pipelines, solvers,
     halos): one thread at a time uses one, unless its header says more;
   - hd_group: one thread at a time, or one for each rank (group.h).
   The exception is the end of an object: when one is destroyed, memory is freed by hd_free or a
   device is reset, no other thread is in a call that uses it, and none uses it afterwards. A handle
   that is destroyed twice is HD_ERR_ARGUMENT; using it in other calls is not found, except by
   HEDDLE_SELF_CHECK and the checking engine.

   After fork, the child of a process that has called heddle may only start another program (exec):
   devices, threads, and locks that other threads held at that moment stay with the parent. If
   nothing was called before the fork, both may use heddle. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <heddle/kernel_decl.h>
#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_VERSION_MAJOR 0
#define HD_VERSION_MINOR 1
#define HD_VERSION_PATCH 0

typedef struct hd_event hd_event;

/* "0.1.0" */
const char *hd_version(void);
/* "cpu", "cuda" or "hip": the backend this library was built with. */
const char *hd_backend_name(void);

/* ---- devices -------------------------------------------------------------------------------- */

/* Number of devices that this process may see (0 is success). Visibility variables of the vendor
   apply; HEDDLE_DEVICES=1,0 selects and reorders among them for every backend. */
hd_status hd_device_count(int *count);

/* X(name, text): integer properties of a device, asked one at a time. */
#define HD_DEVICE_ATTRIBUTE_LIST(X)                                                                \
    X(HD_ATTR_WARP_SIZE, "lanes in a warp")                                                        \
    X(HD_ATTR_COMPUTE_UNITS, "multiprocessors or compute units")                                   \
    X(HD_ATTR_MAX_THREADS_PER_BLOCK, "threads in a block at most")                                 \
    X(HD_ATTR_MAX_THREADS_PER_UNIT, "resident threads per compute unit")                           \
    X(HD_ATTR_MAX_BLOCK_X, "block extent x at most")                                               \
    X(HD_ATTR_MAX_BLOCK_Y, "block extent y at most")                                               \
    X(HD_ATTR_MAX_BLOCK_Z, "block extent z at most")                                               \
    X(HD_ATTR_MAX_GRID_X, "grid extent x at most")                                                 \
    X(HD_ATTR_MAX_GRID_Y, "grid extent y at most")                                                 \
    X(HD_ATTR_MAX_GRID_Z, "grid extent z at most")                                                 \
    X(HD_ATTR_SHARED_PER_BLOCK, "bytes of shared memory per block without opting in")              \
    X(HD_ATTR_SHARED_PER_BLOCK_MAX, "bytes of shared memory per block at most")                    \
    X(HD_ATTR_SHARED_PER_UNIT, "bytes of shared memory per compute unit")                          \
    X(HD_ATTR_CONSTANT_BYTES, "bytes of constant memory")                                          \
    X(HD_ATTR_REGISTERS_PER_BLOCK, "registers per block")                                          \
    X(HD_ATTR_L2_BYTES, "bytes of L2 cache")                                                       \
    X(HD_ATTR_MEMORY_BYTES, "bytes of device memory")                                              \
    X(HD_ATTR_MEMORY_BUS_BITS, "width of the memory bus in bits")                                  \
    X(HD_ATTR_MEMORY_CLOCK_KHZ, "memory clock in kHz")                                             \
    X(HD_ATTR_CLOCK_KHZ, "core clock in kHz")                                                      \
    X(HD_ATTR_ASYNC_ENGINES, "copy engines")                                                       \
    X(HD_ATTR_CONCURRENT_KERNELS, "kernels of several streams run at once (0/1)")                  \
    X(HD_ATTR_COOPERATIVE_LAUNCH, "cooperative launch (0/1)")                                      \
    X(HD_ATTR_MANAGED_MEMORY, "managed memory (0/1)")                                              \
    X(HD_ATTR_CONCURRENT_MANAGED, "managed memory used by host and device at once (0/1)")          \
    X(HD_ATTR_MEMORY_POOLS, "stream-ordered pools (0/1)")                                          \
    X(HD_ATTR_MAPPED_HOST, "host memory can be mapped (0/1)")                                      \
    X(HD_ATTR_ECC, "error-correcting memory on (0/1)")                                             \
    X(HD_ATTR_INTEGRATED, "shares memory with the host (0/1)")                                     \
    X(HD_ATTR_EXCLUSIVE, "compute mode: 0 shared, 1 exclusive, 2 prohibited")                      \
    X(HD_ATTR_ARCH_MAJOR, "architecture, major")                                                   \
    X(HD_ATTR_ARCH_MINOR, "architecture, minor")                                                   \
    X(HD_ATTR_STREAM_PRIORITY_LEAST, "least stream priority")                                      \
    X(HD_ATTR_STREAM_PRIORITY_GREATEST, "greatest stream priority (numerically smallest)")

typedef enum hd_device_attribute {
#define HD_ATTRIBUTE_ENUM_(name, text) name,
    HD_DEVICE_ATTRIBUTE_LIST(HD_ATTRIBUTE_ENUM_)
#undef HD_ATTRIBUTE_ENUM_
        HD_ATTR_COUNT_
} hd_device_attribute;

hd_status hd_device_get(int device, hd_device_attribute attribute, int64_t *value);
/* Text of at most size bytes, terminated: product name; PCI bus id ("0000:3b:00.0", on the CPU
   "cpu:0"); architecture as its compiler names it ("sm_90", "gfx90a", "x86_64"). */
hd_status hd_device_name(int device, char *text, size_t size);
hd_status hd_device_bus_id(int device, char *text, size_t size);
hd_status hd_device_arch(int device, char *text, size_t size);
/* Bytes of device memory free and in all; either output may be NULL. */
hd_status hd_device_memory(int device, size_t *free_bytes, size_t *total_bytes);
/* Picks a device: "0" (index), "0000:3b:00.0" (bus id), "fastest" (most compute units x clock),
   "free" (first that accepts work; HD_ERR_DEVICE_BUSY when every one is taken exclusively).
   NULL or "" means HEDDLE_DEVICE from the environment, else "0". */
hd_status hd_device_select(const char *what, int *device);
/* Most calls of this thread will concern the device: it becomes the thread's current device of the
   vendor's runtime, so that they need not switch to it and back, which costs about 1 us a launch.
   No call of heddle means something else for it; the vendor's own calls by this thread do. */
hd_status hd_device_bind_thread(int device);
/* Waits for all work of the device and reports what went wrong in it. */
hd_status hd_device_synchronize(int device);
/* HD_OK, or HD_ERR_DEVICE_LOST after a kernel faulted. Does not wait. */
hd_status hd_device_state(int device);
/* Frees everything the process has on the device and, where the vendor allows it, makes a lost
   device usable again. Handles and pointers of the device are invalid afterwards. */
hd_status hd_device_reset(int device);
/* Bytes of the buffer that hd_printf in kernels writes to; set before the first launch. */
hd_status hd_device_set_printf_bytes(int device, size_t bytes);
hd_status hd_device_printf_bytes(int device, size_t *bytes);

/* ---- peer access ---------------------------------------------------------------------------- */

/* *can is 1 where kernels and copies on `device` can reach memory of `peer` directly. */
hd_status hd_peer_possible(int device, int peer, int *can);
/* Lets `device` reach memory of `peer`. Enabling twice is success. HD_ERR_NO_PEER if impossible, if
   HEDDLE_P2P=off, or if hd_peer_connect (peer.h) found that the link does not carry its pattern. */
hd_status hd_peer_enable(int device, int peer);
hd_status hd_peer_disable(int device, int peer);

/* ---- memory --------------------------------------------------------------------------------- */

typedef enum hd_memory_kind {
    HD_MEM_DEVICE,   /* device memory, fastest for kernels of that device */
    HD_MEM_PINNED,   /* page-locked host memory: fast, truly asynchronous copies */
    HD_MEM_MAPPED,   /* page-locked host memory that kernels read and write in place */
    HD_MEM_MANAGED,  /* one pointer for host and device, pages move on demand */
    HD_MEM_COHERENT, /* fine-grained device memory: for flags and atomics between devices; the host
                        reaches it by copies (a flag that the host polls in place is MAPPED) */
    HD_MEM_UNKNOWN   /* hd_pointer_get only: ordinary host memory, or not known to the backend */
} hd_memory_kind;

/* Allocates count * size bytes, at least 256-byte aligned for device kinds. count 0 gives NULL.
   `device` owns the memory (for pinned and mapped: the device it is meant for).
   HD_ERR_NO_MEMORY, HD_ERR_OVERFLOW, HD_ERR_DEVICE_INDEX. */
hd_status hd_alloc_bytes(void **pointer, size_t count, size_t size, hd_memory_kind kind,
                         int device);
/* float *x; hd_alloc(&x, n, device): device memory for n elements. */
#define hd_alloc(pointer, count, device)                                                           \
    hd_alloc_bytes((void **)(void *)(pointer), (count), sizeof **(pointer), HD_MEM_DEVICE, (device))
#define hd_alloc_kind(pointer, count, kind, device)                                                \
    hd_alloc_bytes((void **)(void *)(pointer), (count), sizeof **(pointer), (kind), (device))
/* Frees memory of any kind; waits for the device's work that may use it. NULL is success. */
hd_status hd_free(void *pointer);

/* Stream-ordered: usable by later work of the stream, taken back after earlier work of it. */
hd_status hd_alloc_async_bytes(void **pointer, size_t count, size_t size, hd_stream *stream);
#define hd_alloc_async(pointer, count, stream)                                                     \
    hd_alloc_async_bytes((void **)(void *)(pointer), (count), sizeof **(pointer), (stream))
hd_status hd_free_async(void *pointer, hd_stream *stream);
/* Bytes that the device's stream-ordered pool holds and uses; either output may be NULL. Trim gives
   all but keep_bytes back. */
hd_status hd_pool_usage(int device, size_t *reserved_bytes, size_t *used_bytes);
hd_status hd_pool_trim(int device, size_t keep_bytes);
/* The most that the pool ever held and used at one time since the last hd_pool_peak_reset (or the
   first allocation); either output may be NULL. */
hd_status hd_pool_peak(int device, size_t *reserved_bytes, size_t *used_bytes);
hd_status hd_pool_peak_reset(int device);

/* Page-locks host memory that the caller owns, and takes the lock back. */
hd_status hd_host_register(void *pointer, size_t bytes, int device);
hd_status hd_host_unregister(void *pointer);
/* The address under which kernels of `device` reach mapped or registered host memory. */
hd_status hd_host_device_pointer(void **device_pointer, void *host_pointer, int device);

typedef struct hd_pointer_info {
    hd_memory_kind kind;
    int device;   /* owner, -1 for plain host memory */
    void *base;   /* start of the allocation, NULL where the backend does not know it */
    size_t bytes; /* size of the allocation, 0 where the backend does not know it */
} hd_pointer_info;
/* What the backend knows of an address; plain host memory is success with HD_MEM_UNKNOWN. */
hd_status hd_pointer_get(const void *pointer, hd_pointer_info *info);

typedef enum hd_advice {
    HD_ADVISE_READ_MOSTLY,
    HD_ADVISE_UNSET_READ_MOSTLY,
    HD_ADVISE_PREFER_DEVICE,
    HD_ADVISE_PREFER_HOST,
    HD_ADVISE_ACCESSED_BY,
    HD_ADVISE_UNSET_ACCESSED_BY
} hd_advice;
/* Managed memory: moves pages to `device` (HD_DEVICE_HOST: to the host) in stream order. */
enum { HD_DEVICE_HOST = -1 };
hd_status hd_prefetch(const void *pointer, size_t bytes, int device, hd_stream *stream);
hd_status hd_advise(const void *pointer, size_t bytes, hd_advice advice, int device);

/* ---- copies and fills ----------------------------------------------------------------------- */

/* Copies count * size bytes in stream order; the direction follows from the pointers. Returns
   before the copy is done unless plain (pageable) host memory takes part: small copies from it
   return once the source may be reused, copies to it may wait for completion. HD_ERR_POINTER for
   device memory that was freed or is shorter and, on the CPU, for host addresses at which there is
   no memory. */
hd_status hd_copy_bytes(void *to, const void *from, size_t count, size_t size, hd_stream *stream);
/* Typed: both pointers point to the same type, which gives the element size. */
#define hd_copy(to, from, count, stream)                                                           \
    hd_copy_bytes((to), (from), (count), sizeof *(1 ? (from) : (to)), (stream))
/* The same, done when it returns; ordered after earlier work of `stream`. */
hd_status hd_copy_blocking_bytes(void *to, const void *from, size_t count, size_t size,
                                 hd_stream *stream);
#define hd_copy_blocking(to, from, count, stream)                                                  \
    hd_copy_blocking_bytes((to), (from), (count), sizeof *(1 ? (from) : (to)), (stream))
/* `rows` rows of `row_bytes`; rows start `pitch` bytes apart on each side. */
hd_status hd_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t row_bytes, size_t rows, hd_stream *stream);
/* From memory of one device to memory of another. Works with and without peer access (the vendor
   stages it). Ordered on `stream`, which may belong to either device. */
hd_status hd_copy_peer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                       hd_stream *stream);
/* Sets `count` elements of 1, 2 or 4 bytes to the low bytes of `value`, in memory of any kind that
   a device can reach. HD_ERR_POINTER for plain host memory, as on every GPU: use memset. */
hd_status hd_fill_bytes(void *to, uint32_t value, size_t size, size_t count, hd_stream *stream);
#define hd_fill_zero(to, count, stream)                                                            \
    hd_fill_bytes((to), 0, 1, hd_bytes((count), sizeof *(to)), (stream))
/* count * size, SIZE_MAX where that overflows (which every call then refuses). */
static inline HD_UNUSED_ size_t hd_bytes(size_t count, size_t size)
{
    return size && count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

/* ---- streams -------------------------------------------------------------------------------- */

enum {
    HD_STREAM_DEFAULT = 0,     /* synchronises with the legacy default stream */
    HD_STREAM_NON_BLOCKING = 1 /* does not */
};
/* Creates a stream on `device`. The caller destroys it. The first stream of a device loads the code
   of every kernel of the process there, because a vendor that loads a kernel late may wait for
   kernels that run, which may wait for the late one. */
hd_status hd_stream_create(int device, hd_stream **stream);
/* priority: between HD_ATTR_STREAM_PRIORITY_GREATEST and _LEAST, 0 is normal; clamped. */
hd_status hd_stream_create_with(int device, unsigned flags, int priority, hd_stream **stream);
/* Waits for nothing: work already enqueued still runs. NULL is success; HD_ERR_ARGUMENT for a
   stream that was destroyed before. */
hd_status hd_stream_destroy(hd_stream *stream);
typedef enum hd_default_stream { HD_DEFAULT_LEGACY, HD_DEFAULT_PER_THREAD } hd_default_stream;
/* The device's default stream: one that synchronises with others, or one per host thread.
   Borrowed: the legacy one lives until the device is reset, a per-thread one until its thread ends;
   destroying either is HD_ERR_ARGUMENT. */
hd_status hd_stream_default(int device, hd_default_stream which, hd_stream **stream);
hd_status hd_stream_device(const hd_stream *stream, int *device);
/* Waits until all work of the stream is done; reports what went wrong in it. */
hd_status hd_stream_synchronize(hd_stream *stream);
/* HD_OK when all is done, HD_NOT_READY while work remains, an error if it failed. */
hd_status hd_stream_query(hd_stream *stream);
/* Later work of `stream` waits for what `event` recorded; streams of other devices too. An event
   never recorded does not wait. */
hd_status hd_stream_wait(hd_stream *stream, hd_event *event);
/* Runs function(argument) on a host thread after earlier work of the stream; later work waits for
   it. The function must not call heddle. */
hd_status hd_stream_host_function(hd_stream *stream, void (*function)(void *), void *argument);
/* The same, on a worker thread of heddle's that may call heddle, also to enqueue work on this
   stream (which then runs after the function returned). Later work waits for it. */
hd_status hd_stream_host_task(hd_stream *stream, void (*function)(void *), void *argument);
/* The same for a function that can fail. An error that it returns is reported, with its detail, by
   the next call that waits for the stream's device, once, like the failure of a kernel; later work
   of the stream runs all the same and the device stays usable. */
hd_status hd_stream_host_try(hd_stream *stream, hd_status (*function)(void *), void *argument);

/* ---- events --------------------------------------------------------------------------------- */

enum { HD_EVENT_TIMING = 1 }; /* keeps a time stamp for hd_event_elapsed */
hd_status hd_event_create(int device, unsigned flags, hd_event **event);
/* NULL is success; HD_ERR_ARGUMENT for an event that was destroyed before. */
hd_status hd_event_destroy(hd_event *event);
/* Marks the point after all earlier work of the stream (of the event's device). */
hd_status hd_event_record(hd_event *event, hd_stream *stream);
hd_status hd_event_synchronize(hd_event *event);
hd_status hd_event_query(hd_event *event);
/* Milliseconds between two recorded events of one device, both done. */
hd_status hd_event_elapsed(hd_event *start, hd_event *stop, float *milliseconds);

/* ---- launches and kernels ------------------------------------------------------------------- */

/* One thread per element: ceil(n / block) blocks; n = 0 gives one block, whose threads find nothing
   to do. More than 2^32 - 1 threads cannot be had on every backend: such a launch is refused with
   HD_ERR_LAUNCH_CONFIG; use hd_launch_loop with a kernel that loops (HD_FOR). */
hd_launch_config hd_launch_1d(size_t n, unsigned block, hd_stream *stream);
/* For kernels that loop over n elements: as many blocks as fill the stream's device, and no more
   than ceil(n / block). */
hd_launch_config hd_launch_loop(size_t n, unsigned block, hd_stream *stream);
/* One thread per element of an nx x ny (x nz) field; x is innermost. */
hd_launch_config hd_launch_3d(size_t nx, size_t ny, size_t nz, hd_dim3 block, hd_stream *stream);
/* Everything given. */
hd_launch_config hd_launch_with(hd_dim3 grid, hd_dim3 block, size_t shared_bytes,
                                hd_stream *stream);
static inline HD_UNUSED_ hd_dim3 hd_dim(unsigned x, unsigned y, unsigned z)
{
    hd_dim3 d;
    d.x = x;
    d.y = y;
    d.z = z;
    return d;
}

typedef struct hd_kernel_attributes {
    unsigned registers;    /* per thread; 0 where the backend has none */
    size_t shared_bytes;   /* static, per block; on the CPU what its blocks have used so far */
    size_t local_bytes;    /* spills and local arrays, per thread */
    size_t constant_bytes; /* user's constant memory */
    unsigned max_threads;  /* per block, by the device and the kernel's launch bounds */
} hd_kernel_attributes;
hd_status hd_kernel_get(const hd_kernel *kernel, int device, hd_kernel_attributes *attributes);
/* Blocks of `threads` threads and `shared_bytes` dynamic shared memory resident per unit. */
hd_status hd_occupancy(const hd_kernel *kernel, int device, unsigned threads, size_t shared_bytes,
                       unsigned *blocks);
/* The block size with the most resident threads per unit; a multiple of the warp size. */
hd_status hd_suggest_block(const hd_kernel *kernel, int device, size_t shared_bytes,
                           unsigned *threads);

/* ---- device variables and constants ---------------------------------------------------------- */

/* Copies `bytes` bytes to or from the device's own copy of the symbol, starting at `offset`, in
   stream order. Beyond the symbol's size: HD_ERR_ARGUMENT. */
hd_status hd_symbol_write(const hd_symbol *symbol, size_t offset, const void *from, size_t bytes,
                          hd_stream *stream);
hd_status hd_symbol_read(void *to, const hd_symbol *symbol, size_t offset, size_t bytes,
                         hd_stream *stream);
hd_status hd_symbol_address(const hd_symbol *symbol, int device, void **address);
#define hd_symbol_of(name) (&HD_CAT(name, _symbol))

/* ---- interoperation -------------------------------------------------------------------------- */

/* A stream or event of the vendor's as a handle of heddle's, and back. The vendor's object stays
   the caller's: destroying the handle leaves it alone. On the CPU: HD_ERR_UNSUPPORTED. */
hd_status hd_stream_from_native(int device, void *native, hd_stream **stream);
hd_status hd_stream_native(hd_stream *stream, void **native);
hd_status hd_event_from_native(int device, void *native, hd_event **event);
hd_status hd_event_native(hd_event *event, void **native);
/* The vendor's ordinal of a device, and the device with that ordinal. */
hd_status hd_device_native(int device, int *ordinal);
hd_status hd_device_from_native(int ordinal, int *device);

#ifdef __cplusplus
}
#endif
#endif
