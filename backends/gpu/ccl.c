/* SPDX-License-Identifier: Apache-2.0 */
/* ccl.c - the vendors' libraries of collectives. NCCL and RCCL (2.10 and newer) have the same
   function names, types and constants in their binary interface. Neither headers nor the library
   are therefore needed to build; the library is loaded on first use. */
#include <string.h>

#include "base/library.h"
#include "gpu.h"

typedef struct ncclComm *ccl_comm;
typedef struct ccl_id {
    char bytes[HDB_CCL_ID];
} ccl_id;

/* X(result, name, parameters) */
#define CCL_CALL_LIST(X)                                                                           \
    X(int, CommInitAll, (ccl_comm * comms, int count, const int *devices))                         \
    X(int, GetUniqueId, (ccl_id * id))                                                             \
    X(int, CommInitRank, (ccl_comm * comm, int count, ccl_id id, int rank))                        \
    X(int, CommDestroy, (ccl_comm comm))                                                           \
    X(int, CommAbort, (ccl_comm comm))                                                             \
    X(int, GroupStart, (void))                                                                     \
    X(int, GroupEnd, (void))                                                                       \
    X(const char *, GetErrorString, (int error))                                                   \
    X(int, AllReduce,                                                                              \
      (const void *in, void *out, size_t n, int type, int op, ccl_comm comm, void *stream))        \
    X(int, Reduce,                                                                                 \
      (const void *in, void *out, size_t n, int type, int op, int root, ccl_comm comm,             \
       void *stream))                                                                              \
    X(int, ReduceScatter,                                                                          \
      (const void *in, void *out, size_t n, int type, int op, ccl_comm comm, void *stream))        \
    X(int, AllGather,                                                                              \
      (const void *in, void *out, size_t n, int type, ccl_comm comm, void *stream))                \
    X(int, Broadcast,                                                                              \
      (const void *in, void *out, size_t n, int type, int root, ccl_comm comm, void *stream))      \
    X(int, Send, (const void *in, size_t n, int type, int peer, ccl_comm comm, void *stream))      \
    X(int, Recv, (void *out, size_t n, int type, int peer, ccl_comm comm, void *stream))

#define CCL_MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    CCL_CALL_LIST(CCL_MEMBER)
} ccl;
#define CCL_NAME(result, name, parameters) {"nccl" #name, (void *)&ccl.name},
static const hd__library_name names[] = {CCL_CALL_LIST(CCL_NAME){NULL, NULL}};
static void *library;

static hd_status load(const char *call, const char *file)
{
    static const char *const usual[] = {GPU_COLLECTIVES_LIBRARY, NULL};
    const char *const asked[] = {file, NULL};

    return hd__library_load(call, "the library of collectives", file ? asked : usual, names,
                            &library);
}

static hd_status answer(const char *call, int error)
{
    enum { IN_PROGRESS = 7 };
    if (error == 0 || error == IN_PROGRESS)
        return HD_OK;
    return hd__fail_native(HD_ERR_BACKEND, call, error, "nccl", ccl.GetErrorString(error));
}

hd_status hdb_ccl_identify(const char *call, const char *file, void *id)
{
    HD_TRY(load(call, file));
    return id ? answer(call, ccl.GetUniqueId((ccl_id *)id)) : HD_OK;
}

hd_status hdb_ccl_join(const char *call, const void *id, int ordinal, unsigned count, unsigned rank,
                       void **communicator)
{
    ccl_id copy;
    int previous = 0;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);

    if (status < 0)
        return status;
    memcpy(&copy, id, sizeof copy);
    status = answer(call, ccl.CommInitRank((ccl_comm *)communicator, (int)count, copy, (int)rank));
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_ccl_open(const char *call, const char *file, const int *ordinals, unsigned count,
                       void **communicators)
{
    int previous = 0;
    hd_status status = load(call, file);

    if (status >= 0)
        status = hd_gpu_enter(call, ordinals[0], &previous);
    if (status < 0)
        return status;
    status = answer(call, ccl.CommInitAll((ccl_comm *)communicators, (int)count, ordinals));
    hd_gpu_leave(ordinals[0], previous);
    return status;
}

void hdb_ccl_close(void *communicator, int aborted)
{
    if (communicator)
        (void)(aborted ? ccl.CommAbort((ccl_comm)communicator)
                       : ccl.CommDestroy((ccl_comm)communicator));
}

hd_status hdb_ccl_together(const char *call, int begin)
{
    return answer(call, begin ? ccl.GroupStart() : ccl.GroupEnd());
}

/* -1: the library does not support the type. */
static int type_of(hd_type type)
{
    switch (type) {
    case HD_I8:
        return 0;
    case HD_U8:
        return 1;
    case HD_I32:
        return 2;
    case HD_U32:
        return 3;
    case HD_I64:
        return 4;
    case HD_U64:
        return 5;
    case HD_F16:
        return 6;
    case HD_F32:
        return 7;
    case HD_F64:
        return 8;
    case HD_BF16:
        return 9;
    default:
        return -1;
    }
}

int hdb_ccl_has(hd_type type)
{
    return type_of(type) >= 0;
}

static int run(const hd__ccl_work *w, int type, int op)
{
    ccl_comm comm = (ccl_comm)w->communicator;
    void *stream = w->stream->native;

    switch (w->kind) {
    case HD__CCL_ALL_REDUCE:
        return ccl.AllReduce(w->in, w->out, w->n, type, op, comm, stream);
    case HD__CCL_REDUCE:
        return ccl.Reduce(w->in, w->out, w->n, type, op, w->peer, comm, stream);
    case HD__CCL_REDUCE_SCATTER:
        return ccl.ReduceScatter(w->in, w->out, w->n, type, op, comm, stream);
    case HD__CCL_ALL_GATHER:
        return ccl.AllGather(w->in, w->out, w->n, type, comm, stream);
    case HD__CCL_BROADCAST:
        return ccl.Broadcast(w->in, w->out, w->n, type, w->peer, comm, stream);
    case HD__CCL_SEND:
        return ccl.Send(w->in, w->n, type, w->peer, comm, stream);
    default:
        return ccl.Recv(w->out, w->n, type, w->peer, comm, stream);
    }
}

hd_status hdb_ccl_run(const char *call, const hd__ccl_work *work)
{
    const int type = type_of(work->type);
    const int op = work->op == HD_SUM ? 0 : work->op == HD_PROD ? 1 : work->op == HD_MAX ? 2 : 3;
    int previous = 0;
    hd_status status;

    if (type < 0)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "the library of collectives has no type %s",
                        hd_type_name(work->type));
    status = hd_gpu_enter(call, work->stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = answer(call, run(work, type, op));
    hd_gpu_leave(work->stream->ordinal, previous);
    return status;
}
