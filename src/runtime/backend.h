/* SPDX-License-Identifier: Apache-2.0 */
/* backend.h - the functions that a backend implements for the runtime. For backend authors.

   The runtime has checked arguments before it calls: output pointers are not NULL, devices are in
   range (and are the backend's own ordinals), counts are not 0 and do not overflow, a stream
   belongs to the device that it names. A backend returns a status and records the detail with
   hd__fail or hd__fail_native. Each call preserves the caller's current device. */
#ifndef HEDDLE_BACKEND_H
#define HEDDLE_BACKEND_H

#include <heddle/image.h>
#include <heddle/peer.h>
#include <heddle/reduce.h>

#include <pthread.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Handles that callers destroy (handle.c). make: zeroed; NULL: out of memory. claim: called by the
   destroy function; HD_ERR_ARGUMENT unless the handle is alive, which it no longer is afterwards.
   free: called after claim. drop: both, for a handle that was never returned to a caller. `what`:
   "stream". */
void *hd__handle_make(size_t bytes);
hd_status hd__handle_claim(const char *call, const void *handle, const char *what);
void hd__handle_free(void *handle);
void hd__handle_drop(void *handle); /* NULL is success */
/* Self-checking builds check every use: HD_ERR_ARGUMENT if the handle is not alive. */
#if (defined(HEDDLE_SELF_CHECK) && HEDDLE_SELF_CHECK) || (defined(HD_CPU_CHECK) && HD_CPU_CHECK)
#define HD__HANDLES_CHECKED 1
#else
#define HD__HANDLES_CHECKED 0
#endif
hd_status hd__handle_use(const char *call, const void *handle, const char *what);

/* Handles of the runtime; `native` is the backend's own object. */
struct hd_stream {
    int device;  /* index as the user counts */
    int ordinal; /* index as the backend counts */
    unsigned flags;
    int borrowed;    /* the native object is not owned */
    int builtin;     /* a default stream: hd_stream_destroy refuses it */
    unsigned number; /* hd_stream_number */
    void *native;
    void *scratch; /* per-stream scratch of the drivers, grown on demand; hd__stream_scratch */
    size_t scratch_bytes;
    const void *scratch_note; /* identifies the driver that used the scratch last */
    int scratch_grows;        /* hdb_alloc_async is allocating the scratch */
    /* Held from requesting the scratch until the work that uses it is enqueued, because host
       threads may share a stream. Never held while waiting for the device. */
    pthread_mutex_t scratch_lock;
};
struct hd_event {
    int device;
    int ordinal;
    unsigned flags;
    int borrowed;
    int recorded;
    void *native;
};

const char *hdb_name(void);
/* A call received a handle that is not alive: for backends that report it in more detail. */
void hdb_handle_refused(const char *call, const void *handle, const char *what);
hd_status hdb_device_count(int *count);
hd_status hdb_device_get(int ordinal, hd_device_attribute attribute, int64_t *value);
hd_status hdb_device_name(int ordinal, char *text, size_t size);
hd_status hdb_device_bus_id(int ordinal, char *text, size_t size);
hd_status hdb_device_arch(int ordinal, char *text, size_t size);
/* The version of the vendor's driver, as it counts; 0 if there is none. */
hd_status hdb_driver_version(int *version);
hd_status hdb_device_memory(int ordinal, size_t *free_bytes, size_t *total_bytes);
hd_status hdb_device_probe(int ordinal); /* HD_OK if it accepts work, else HD_ERR_DEVICE_BUSY */
hd_status hdb_device_bind_thread(int ordinal);
hd_status hdb_device_synchronize(int ordinal);
hd_status hdb_device_reset(int ordinal);
hd_status hdb_device_set_printf_bytes(int ordinal, size_t bytes);
hd_status hdb_device_printf_bytes(int ordinal, size_t *bytes);
/* An assertion or fault that the device's kernels have left: HD_OK, HD_ERR_ASSERT (reported once,
   then cleared), HD_ERR_DEADLOCK (once), HD_ERR_ILLEGAL_ADDRESS (the device is then lost). Does not
   wait. */
hd_status hdb_device_pending_error(int ordinal);

hd_status hdb_peer_possible(int ordinal, int peer, int *can);
hd_status hdb_peer_enable(int ordinal, int peer);
hd_status hdb_peer_disable(int ordinal, int peer);
/* Sets what the vendor reports about the link: link (HD_LINK_UNKNOWN: the runtime consults the
   system's device tree), link_name, link_count, atomics, rank. */
hd_status hdb_peer_link(int ordinal, int peer, hd_peer_info *info);

hd_status hdb_alloc(int ordinal, hd_memory_kind kind, size_t bytes, void **pointer);
hd_status hdb_free(void *pointer);
/* For the checker: the memory is internal to heddle and kept for reuse. */
void hdb_memory_keep(const void *pointer);
hd_status hdb_alloc_async(hd_stream *stream, size_t bytes, void **pointer);
hd_status hdb_free_async(hd_stream *stream, void *pointer);
hd_status hdb_pool_usage(int ordinal, size_t *reserved_bytes, size_t *used_bytes);
hd_status hdb_pool_trim(int ordinal, size_t keep_bytes);
hd_status hdb_pool_peak(int ordinal, size_t *reserved_bytes, size_t *used_bytes);
hd_status hdb_pool_peak_reset(int ordinal);
hd_status hdb_host_register(int ordinal, void *pointer, size_t bytes);
hd_status hdb_host_unregister(void *pointer);
hd_status hdb_host_device_pointer(int ordinal, void *host, void **device);
hd_status hdb_pointer_get(const void *pointer, hd_pointer_info *info); /* info->device: ordinal */
hd_status hdb_prefetch(const void *pointer, size_t bytes, int ordinal, hd_stream *stream);
hd_status hdb_advise(const void *pointer, size_t bytes, hd_advice advice, int ordinal);

hd_status hdb_copy(void *to, const void *from, size_t bytes, hd_stream *stream);
hd_status hdb_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                      size_t row_bytes, size_t rows, hd_stream *stream);
hd_status hdb_copy_peer(void *to, int to_ordinal, const void *from, int from_ordinal, size_t bytes,
                        hd_stream *stream);
hd_status hdb_fill(void *to, uint32_t value, size_t size, size_t count, hd_stream *stream);

/* An object of the texture unit for an image of one or two dimensions without layers; *texture is 0
   if there is no unit for it, which is not an error. */
hd_status hdb_texture_create(const char *call, int ordinal, const hd_image *image,
                             uint64_t *texture);
hd_status hdb_texture_destroy(const char *call, int ordinal, uint64_t texture);

hd_status hdb_stream_create(int ordinal, unsigned flags, int priority, void **native);
hd_status hdb_stream_destroy(hd_stream *stream);
hd_status hdb_stream_default(int ordinal, hd_default_stream which, void **native);
/* The calling thread ends, and with it its default stream of the device. */
void hdb_stream_default_ends(int ordinal, void *native);
hd_status hdb_stream_synchronize(hd_stream *stream);
hd_status hdb_stream_query(hd_stream *stream);
/* Does not wait if event->recorded is not set. */
hd_status hdb_stream_wait(hd_stream *stream, hd_event *event);
hd_status hdb_stream_host_function(hd_stream *stream, void (*function)(void *), void *argument);
/* *capturing is 1 while the stream records a graph. */
hd_status hdb_stream_capturing(hd_stream *stream, int *capturing);

/* Changes which calls the calling thread may make while it captures, for calls that are not part of
   the capture: *mode is HD__CAPTURE_RELAXED, and receives the value to pass when restoring. */
enum { HD__CAPTURE_RELAXED = -1 };
void hdb_capture_relax(int *mode);
/* Capture by the calling thread. hdb_capture_end ends it even if it fails. *id is the same for all
   streams of a capture and distinct from other captures; 0 for a stream that is not captured. */
hd_status hdb_capture_begin(hd_stream *stream);
hd_status hdb_capture_end(hd_stream *stream, void **graph);
hd_status hdb_capture_id(hd_stream *stream, uint64_t *id);

hd_status hdb_event_create(int ordinal, unsigned flags, void **native);
hd_status hdb_event_destroy(hd_event *event);
hd_status hdb_event_record(hd_event *event, hd_stream *stream);
hd_status hdb_event_synchronize(hd_event *event);
hd_status hdb_event_query(hd_event *event);
hd_status hdb_event_elapsed(hd_event *start, hd_event *stop, float *milliseconds);
/* For the trace. Records the event now, on an internal stream; *seconds is the same time on
   CLOCK_MONOTONIC. Waits briefly, for the device's clock only. */
hd_status hdb_event_clock(hd_event *event, double *seconds);
/* Like hdb_event_elapsed, but does not count as synchronisation (for the checker). HD_NOT_READY
   until the event is done. */
hd_status hdb_event_since(hd_event *base, hd_event *event, double *milliseconds);
/* Ranges of the vendor's profiler; no effect without one. */
void hdb_range_push(const char *text);
void hdb_range_pop(void);
void hdb_range_mark(const char *text);

/* For the checker, before each launch by the calling thread and before it adds a kernel node to a
   graph: the program does not use the stack below `frame`. sized: it has queried the shared memory
   limit, or a driver has sized this launch by it. */
void hdb_launch_called(const void *frame, int sized);
/* The configuration is within the device's limits, the stream not NULL. */
hd_status hdb_launch(const hd_kernel *kernel, const hd_launch_config *config, void **args);
/* The configuration exceeds the limits, and the launch is refused: for backends that report it in
   more detail. */
void hdb_launch_refused(const hd_kernel *kernel, const hd_launch_config *config);
hd_status hdb_kernel_get(const hd_kernel *kernel, int ordinal, hd_kernel_attributes *attributes);
hd_status hdb_occupancy(const hd_kernel *kernel, int ordinal, unsigned threads, size_t shared_bytes,
                        unsigned *blocks);
hd_status hdb_symbol_address(const hd_symbol *symbol, int ordinal, void **address);

/* ---- graphs ---- */

typedef enum hd__node_kind {
    HD__NODE_KERNEL,
    HD__NODE_COPY,
    HD__NODE_FILL,
    HD__NODE_HOST,
    HD__NODE_RECORD,
    HD__NODE_WAIT,
    HD__NODE_JOIN
} hd__node_kind;

/* The work of a node; members of other kinds are not set. */
typedef struct hd__node_work {
    const char *call; /* public function */
    hd__node_kind kind;
    int ordinal;
    const hd_kernel *kernel; /* kernel nodes: the configuration is within the device's limits */
    const hd_launch_config *config;
    void **args;
    void *to; /* copy, fill */
    const void *from;
    size_t bytes; /* copy */
    uint32_t value;
    size_t size, count; /* fill */
    void (*function)(void *);
    void *argument;
    hd_event *event;
} hd__node_work;

/* Graphs, nodes and executable graphs are objects of the backend. Nodes belong to the given graph;
   graphs have no cycles. A graph is not updated or launched by other threads during a launch call,
   but may be destroyed while it runs. */
hd_status hdb_graph_create(int ordinal, void **graph);
hd_status hdb_graph_destroy(void *graph);
hd_status hdb_graph_add(void *graph, const hd__node_work *work, void *const *after, size_t count,
                        void **node);
hd_status hdb_graph_depend(void *graph, void *node, void *after);
hd_status hdb_graph_size(void *graph, size_t *nodes);
hd_status hdb_graph_instantiate(int ordinal, void *graph, void **exec);
hd_status hdb_graph_launch(void *exec, hd_stream *stream);
hd_status hdb_graph_set_kernel(void *exec, void *node, const hd__node_work *work);
/* HD_ERR_STATE if nodes or edges differ. */
hd_status hdb_graph_update(int ordinal, void *exec, void *graph);
hd_status hdb_graph_exec_destroy(void *exec);

/* ---- the vendor's collectives library ---- */

typedef enum hd__ccl_kind {
    HD__CCL_ALL_REDUCE,
    HD__CCL_REDUCE,
    HD__CCL_REDUCE_SCATTER,
    HD__CCL_ALL_GATHER,
    HD__CCL_BROADCAST,
    HD__CCL_SEND,
    HD__CCL_RECEIVE
} hd__ccl_kind;

typedef struct hd__ccl_work {
    hd__ccl_kind kind;
    void *communicator; /* communicator of the stream's device */
    const void *in;
    void *out;
    size_t n; /* as the library counts: elements of one rank's part, if there are parts */
    hd_type type;
    hd_reduce_op op;
    int peer; /* peer or root */
    hd_stream *stream;
} hd__ccl_work;

/* Loads the library (file NULL: by its usual name) and creates a communicator for each device.
   HD_ERR_UNSUPPORTED if there is no library. */
hd_status hdb_ccl_open(const char *call, const char *file, const int *ordinals, unsigned count,
                       void **communicators);
/* Likewise for ranks in separate processes. One process creates the id and passes it to the others;
   then all join collectively, each with its device. With id NULL the library is only loaded. */
enum { HDB_CCL_ID = 128 };
hd_status hdb_ccl_identify(const char *call, const char *file, void *id);
hd_status hdb_ccl_join(const char *call, const void *id, int ordinal, unsigned count, unsigned rank,
                       void **communicator);
void hdb_ccl_close(void *communicator, int aborted); /* NULL is success */
/* 1 if the library supports arithmetic on the type. Bytes, HD_U8, can always be moved. */
int hdb_ccl_has(hd_type type);
/* Operations enqueued between begin and end start together, so that one thread can drive all
   ranks. */
hd_status hdb_ccl_together(const char *call, int begin);
hd_status hdb_ccl_run(const char *call, const hd__ccl_work *work);

/* ---- device memory of other processes on the node ---- */

/* The name with which another process opens memory from hdb_alloc, as a whole, on its own device.
   It must be closed there before it is freed here. HD_ERR_UNSUPPORTED on the CPU; other errors if
   the devices cannot access each other, or the system does not allow sharing. */
enum { HDB_SHARE_NAME = 64 };
hd_status hdb_share_name(const char *call, int ordinal, void *memory, void *name);
hd_status hdb_share_open(const char *call, int ordinal, const void *name, void **memory);
void hdb_share_close(int ordinal, void *memory); /* NULL is success */

/* ---- SHMEM, GPUs only: one-sided puts into memory of other processes ---- */

/* A process is a PE of one SHMEM from begin to end, on one device.
     ready     loads the library (file NULL: by its usual name) and reports why this process could
               not begin on that device: HD_ERR_UNSUPPORTED, HD_ERR_STATE (begun on another device,
               or ended)
     identify  by one process: creates the id that all pass to begin
     begin     collective; no effect if it was called before
     place     this PE, the number of PEs (0: before begin), and the id passed to begin */
enum { HDB_SHMEM_ID = 128 };
hd_status hdb_shmem_ready(const char *call, const char *file, int ordinal);
hd_status hdb_shmem_identify(const char *call, void *id);
hd_status hdb_shmem_begin(const char *call, const void *id, int ordinal, int count, int rank);
void hdb_shmem_place(int *pe, int *count, void *id);
void hdb_shmem_end(void); /* collective */
/* Collective over all PEs, with the same size; zeroed, aligned like memory from hdb_alloc. Other
   PEs may put into it once all have returned. HD_ERR_NO_MEMORY. */
hd_status hdb_shmem_alloc(const char *call, size_t bytes, void **memory);
void hdb_shmem_free(void *memory); /* collective */
/* In stream order. put: copies bytes, then sets the signal, in symmetric memory of a PE, at the
   addresses of this process's own copy; 0 bytes: only the signal. wait: until the own signal is at
   least `value`. quiet: until all puts are complete at their destination. */
hd_status hdb_shmem_put(const char *call, int pe, void *to, const void *from, size_t bytes,
                        uint64_t *signal, uint64_t value, hd_stream *stream);
hd_status hdb_shmem_wait(const char *call, uint64_t *signal, uint64_t value, hd_stream *stream);
hd_status hdb_shmem_quiet(const char *call, hd_stream *stream);

hd_status hdb_native_supported(void); /* HD_OK on GPUs, HD_ERR_UNSUPPORTED on the CPU */

/* For drivers: a counter that grows with every call after which an address may refer to something
   else (memory freed or unregistered, peer access revoked, a device reset), when the call begins
   and again when it is done, because lookups by other threads in between are invalid too. A cached
   property of an address is valid while the counter is unchanged. */
unsigned hd__memory_epoch(void);
void hd__memory_changed(void);

/* For drivers: scratch memory of the stream, at least `bytes`, kept until the stream is destroyed;
   grows in stream order. Contents are preserved unless it grew, which *grew reports. The caller
   holds the stream's scratch_lock. */
hd_status hd__stream_scratch(hd_stream *stream, size_t bytes, void **scratch, int *grew);

#ifdef __cplusplus
}
#endif
#endif
