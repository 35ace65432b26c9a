/* SPDX-License-Identifier: Apache-2.0 */
/* shmem.c - NVSHMEM (3.0 and newer): symmetric memory is device memory; puts and waits are
   stream-ordered. Its host functions, types and constants are part of its binary interface. Neither
   headers nor the library are therefore needed to build; the library is loaded on first use. */
#include <sched.h>
#include <string.h>

#include "base/library.h"
#include "gpu.h"

enum { WITH_UNIQUE_ID = 1 << 3, IS_INITIALIZED = 2, SIGNAL_SET = 9, NOT_LESS = 5 };

typedef struct unique_id {
    int version;
    char bytes[HDB_SHMEM_ID - sizeof(int)];
} unique_id;

/* Arguments of the initialisation; each struct contains its size. */
typedef struct unique_id_arguments {
    int version;
    unique_id *id;
    int rank, count;
} unique_id_arguments;

typedef struct begin_arguments {
    int version;
    unique_id_arguments unique;
    char reserved[96];
} begin_arguments;

typedef struct begin_attributes {
    int version;
    void *mpi_comm;
    begin_arguments arguments;
} begin_attributes;

#define FIRST_VERSION(type) ((1 << 16) + (int)sizeof(type))

/* X(result, name, parameters) */
#define SHMEM_CALL_LIST(X)                                                                         \
    X(int, nvshmemx_get_uniqueid, (unique_id * id))                                                \
    X(int, nvshmemx_hostlib_init_attr, (unsigned flags, begin_attributes *attributes))             \
    X(void, nvshmemx_hostlib_finalize, (void))                                                     \
    X(int, nvshmemx_init_status, (void))                                                           \
    X(int, nvshmem_my_pe, (void))                                                                  \
    X(int, nvshmem_n_pes, (void))                                                                  \
    X(void *, nvshmem_calloc, (size_t count, size_t size))                                         \
    X(void, nvshmem_free, (void *memory))                                                          \
    X(void, nvshmemx_putmem_signal_on_stream,                                                      \
      (void *to, const void *from, size_t bytes, uint64_t *signal, uint64_t value, int operation,  \
       int pe, void *stream))                                                                      \
    X(void, nvshmemx_signal_op_on_stream,                                                          \
      (uint64_t * signal, uint64_t value, int operation, int pe, void *stream))                    \
    X(void, nvshmemx_signal_wait_until_on_stream,                                                  \
      (uint64_t * signal, int compare, uint64_t value, void *stream))                              \
    X(void, nvshmemx_quiet_on_stream, (void *stream))

#define SHMEM_MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    SHMEM_CALL_LIST(SHMEM_MEMBER)
} shmem;
#define SHMEM_NAME(result, name, parameters) {#name, (void *)&shmem.name},
static const hd__library_name names[] = {SHMEM_CALL_LIST(SHMEM_NAME){NULL, NULL}};
static void *library;
static int begun, begun_on, ended;
static unique_id begun_with;

hd_status hdb_shmem_ready(const char *call, const char *file, int ordinal)
{
    const char *const files[] = {file ? file : "libnvshmem_host.so.3", NULL};

    HD_TRY(hd__library_load(call, "NVSHMEM", files, names, &library));
    if (ended)
        return hd__fail(HD_ERR_STATE, call, "SHMEM has ended in this process");
    if (begun && begun_on != ordinal)
        return hd__fail(HD_ERR_STATE, call, "SHMEM has begun on another device of this process");
    return HD_OK;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static hd_status answer(const char *call, int error, const char *what)
{
    return error ? hd__fail(HD_ERR_BACKEND, call, "NVSHMEM: %s gave %d", what, error) : HD_OK;
}

hd_status hdb_shmem_identify(const char *call, void *id)
{
    unique_id made;

    memset(&made, 0, sizeof made);
    made.version = FIRST_VERSION(unique_id);
    HD_TRY(answer(call, shmem.nvshmemx_get_uniqueid(&made), "nvshmemx_get_uniqueid"));
    memcpy(id, &made, sizeof made);
    return HD_OK;
}

/* NVSHMEM creates a thread that polls continuously, with the CPU affinity of the calling thread. If
   that is a single CPU, as when MPI binds ranks, both threads would alternate in time slices of
   milliseconds. */
static int initialize_anywhere(begin_attributes *attributes)
{
    cpu_set_t own, any;
    const int bound = sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) == 1;
    int error;

    memset(&any, 0xff, sizeof any); /* the system reduces this to the CPUs allowed */
    if (bound)
        (void)sched_setaffinity(0, sizeof any, &any);
    error = shmem.nvshmemx_hostlib_init_attr(WITH_UNIQUE_ID, attributes);
    if (bound)
        (void)sched_setaffinity(0, sizeof own, &own);
    return error;
}

/* For the current device. */
static hd_status initialize(const char *call, begin_attributes *attributes)
{
    /* NVSHMEM waits until the device has a context, and the other PEs wait for NVSHMEM. */
    HD_TRY(hd_gpu_check(call, GPU(Free)(NULL)));
    HD_TRY(answer(call, initialize_anywhere(attributes), "nvshmemx_hostlib_init_attr"));
    if (shmem.nvshmemx_init_status() < IS_INITIALIZED)
        return hd__fail(HD_ERR_BACKEND, call, "NVSHMEM has begun half, and waits for a device");
    return HD_OK;
}

hd_status hdb_shmem_begin(const char *call, const void *id, int ordinal, int count, int rank)
{
    begin_attributes attributes;
    unique_id copy;
    int previous = 0;
    hd_status status = begun ? HD_OK : hd_gpu_enter(call, ordinal, &previous);

    if (begun || status < 0)
        return status;
    memcpy(&copy, id, sizeof copy);
    memset(&attributes, 0, sizeof attributes);
    attributes.version = FIRST_VERSION(begin_attributes);
    attributes.arguments.version = FIRST_VERSION(begin_arguments);
    attributes.arguments.unique.version = FIRST_VERSION(unique_id_arguments);
    attributes.arguments.unique.id = &copy;
    attributes.arguments.unique.rank = rank;
    attributes.arguments.unique.count = count;
    status = initialize(call, &attributes);
    hd_gpu_leave(ordinal, previous);
    begun = status >= 0;
    begun_on = ordinal;
    memcpy(&begun_with, id, sizeof begun_with);
    return status;
}

void hdb_shmem_place(int *pe, int *count, void *id)
{
    *pe = begun ? shmem.nvshmem_my_pe() : 0;
    *count = begun ? shmem.nvshmem_n_pes() : 0;
    memcpy(id, &begun_with, sizeof begun_with);
}

void hdb_shmem_end(void)
{
    int previous = 0;

    if (begun && !ended && hd_gpu_enter("MPI_Finalize", begun_on, &previous) >= 0) {
        shmem.nvshmemx_hostlib_finalize();
        hd_gpu_leave(begun_on, previous);
    }
    ended = begun;
}

/* ---- memory ---------------------------------------------------------------------------------- */

hd_status hdb_shmem_alloc(const char *call, size_t bytes, void **memory)
{
    int previous = 0;
    void *made;

    HD_TRY(hd_gpu_enter(call, begun_on, &previous));
    made = shmem.nvshmem_calloc(bytes ? bytes : 1, 1);
    hd_gpu_leave(begun_on, previous);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call,
                        "NVSHMEM has no %zu bytes of symmetric memory (NVSHMEM_SYMMETRIC_SIZE says "
                        "how many there are, with NVSHMEM_DISABLE_CUDA_VMM=1 all of them at once)",
                        bytes);
    *memory = made;
    return HD_OK;
}

void hdb_shmem_free(void *memory)
{
    int previous = 0;

    if (!memory || hd_gpu_enter("hd_free", begun_on, &previous) < 0)
        return;
    shmem.nvshmem_free(memory);
    hd_gpu_leave(begun_on, previous);
}

/* ---- puts ------------------------------------------------------------------------------------ */

hd_status hdb_shmem_put(const char *call, int pe, void *to, const void *from, size_t bytes,
                        uint64_t *signal, uint64_t value, hd_stream *stream)
{
    int previous = 0;

    HD_TRY(hd_gpu_enter(call, begun_on, &previous));
    if (bytes)
        shmem.nvshmemx_putmem_signal_on_stream(to, from, bytes, signal, value, SIGNAL_SET, pe,
                                               stream->native);
    else
        shmem.nvshmemx_signal_op_on_stream(signal, value, SIGNAL_SET, pe, stream->native);
    hd_gpu_leave(begun_on, previous);
    return HD_OK;
}

hd_status hdb_shmem_wait(const char *call, uint64_t *signal, uint64_t value, hd_stream *stream)
{
    int previous = 0;

    HD_TRY(hd_gpu_enter(call, begun_on, &previous));
    shmem.nvshmemx_signal_wait_until_on_stream(signal, NOT_LESS, value, stream->native);
    hd_gpu_leave(begun_on, previous);
    return HD_OK;
}

hd_status hdb_shmem_quiet(const char *call, hd_stream *stream)
{
    int previous = 0;

    HD_TRY(hd_gpu_enter(call, begun_on, &previous));
    shmem.nvshmemx_quiet_on_stream(stream->native);
    hd_gpu_leave(begun_on, previous);
    return HD_OK;
}
