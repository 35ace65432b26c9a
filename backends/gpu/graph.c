/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - graphs, captures and executable graphs, mapped to the vendor's. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

/* ---- graphs and nodes ------------------------------------------------------------------------ */

hd_status hdb_graph_create(int ordinal, void **graph)
{
    GPU(Graph_t) made = NULL;
    int previous;
    hd_status status = hd_gpu_enter("hd_graph_create", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_graph_create", GPU(GraphCreate)(&made, 0));
    if (status >= 0)
        *graph = (void *)made;
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_graph_destroy(void *graph)
{
    return hd_gpu_check("hd_graph_destroy", GPU(GraphDestroy)((GPU(Graph_t))graph));
}

hd_status hdb_graph_size(void *graph, size_t *nodes)
{
    return hd_gpu_check("hd_graph_node_count",
                        GPU(GraphGetNodes)((GPU(Graph_t))graph, NULL, nodes));
}

hd_status hdb_graph_depend(void *graph, void *node, void *after)
{
    return hd_gpu_check(
        "hd_graph_depend",
        GPU_GraphDepend((GPU(Graph_t))graph, (GPU(GraphNode_t))node, (GPU(GraphNode_t))after));
}

/* The graph and predecessors of a node: the first arguments of the vendor's calls. */
typedef struct place {
    GPU(GraphNode_t) * node;
    GPU(Graph_t) graph;
    const GPU(GraphNode_t) * after;
    size_t count;
} place;

static hd_status kernel_parameters(const hd__node_work *work, gpu_kernel_node *node)
{
    const hd_launch_config *config = work->config;
    hd_status status = hd_gpu_kernel_ready(work->call, work->kernel, work->ordinal,
                                           config->shared_bytes);
    memset((void *)node, 0, sizeof *node);
    node->func = (void *)(uintptr_t)work->kernel->entry;
    node->gridDim.x = config->grid.x;
    node->gridDim.y = config->grid.y;
    node->gridDim.z = config->grid.z;
    node->blockDim.x = config->block.x;
    node->blockDim.y = config->block.y;
    node->blockDim.z = config->block.z;
    node->sharedMemBytes = (unsigned)config->shared_bytes;
    node->kernelParams = work->args;
    return status;
}

static hd_status kernel_answer(const hd__node_work *work, GPU(Error_t) error)
{
    if (error == GPU(Success))
        return HD_OK;
    return hd_gpu_kernel_refused(work->call, work->kernel, work->config, error);
}

static hd_status add_kernel(const hd__node_work *work, const place *at)
{
    gpu_kernel_node node;
    int cooperative = (work->config->flags & HD_LAUNCH_COOPERATIVE) != 0;
    if (cooperative && !GPU_HAS_COOPERATIVE_NODES)
        return hd__fail(HD_ERR_UNSUPPORTED, work->call,
                        "kernel %s: this version of the runtime has no cooperative nodes",
                        work->kernel->name);
    hd_status status = kernel_parameters(work, &node);
    if (status >= 0)
        status = kernel_answer(
            work, GPU(GraphAddKernelNode)(at->node, at->graph, at->after, at->count, &node));
    if (status >= 0 && cooperative)
        status = hd_gpu_check(work->call, GPU_NodeCooperative(*at->node));
    return status == HD_ERR_ARGUMENT ? hd_gpu_restate(HD_ERR_LAUNCH_CONFIG, work->call) : status;
}

static GPU(Error_t) add_fill(const hd__node_work *work, const place *at)
{
    gpu_fill_node node;
    memset((void *)&node, 0, sizeof node);
    node.dst = work->to;
    node.elementSize = (unsigned)work->size;
    node.value = work->value & (uint32_t)(0xffffffffu >> (32 - 8 * work->size));
    node.width = work->count;
    node.height = 1;
    node.pitch = work->size * work->count;
    return GPU(GraphAddMemsetNode)(at->node, at->graph, at->after, at->count, &node);
}

static GPU(Error_t) add_host(const hd__node_work *work, const place *at)
{
    gpu_host_node node;
    memset((void *)&node, 0, sizeof node);
    node.fn = work->function;
    node.userData = work->argument;
    return GPU(GraphAddHostNode)(at->node, at->graph, at->after, at->count, &node);
}

static hd_status add(const hd__node_work *work, const place *at)
{
    GPU(Event_t) event = work->event ? hd_gpu_event(work->event) : NULL;
    GPU(Error_t) error = GPU(Success);
    switch (work->kind) {
    case HD__NODE_KERNEL:
        return add_kernel(work, at);
    case HD__NODE_COPY:
        error = GPU(GraphAddMemcpyNode1D)(at->node, at->graph, at->after, at->count, work->to,
                                          work->from, work->bytes, GPU(MemcpyDefault));
        break;
    case HD__NODE_FILL:
        error = add_fill(work, at);
        break;
    case HD__NODE_HOST:
        error = add_host(work, at);
        break;
    case HD__NODE_RECORD:
        error = GPU(GraphAddEventRecordNode)(at->node, at->graph, at->after, at->count, event);
        break;
    case HD__NODE_WAIT:
        error = GPU(GraphAddEventWaitNode)(at->node, at->graph, at->after, at->count, event);
        break;
    case HD__NODE_JOIN:
        error = GPU(GraphAddEmptyNode)(at->node, at->graph, at->after, at->count);
        break;
    }
    return hd_gpu_check(work->call, error);
}

hd_status hdb_graph_add(void *graph, const hd__node_work *work, void *const *after, size_t count,
                        void **node)
{
    GPU(GraphNode_t) made = NULL;
    GPU(GraphNode_t) *nodes = NULL;
    int previous;
    hd_status status = hd_gpu_enter(work->call, work->ordinal, &previous);
    if (status < 0)
        return status;
    if (count)
        nodes = (GPU(GraphNode_t) *)malloc(count * sizeof *nodes);
    if (count && !nodes)
        status = hd__fail(HD_ERR_NO_MEMORY, work->call, "no memory for a node");
    for (size_t i = 0; nodes && i < count; i++)
        nodes[i] = (GPU(GraphNode_t))after[i];
    if (status >= 0) {
        const place at = {&made, (GPU(Graph_t))graph, nodes, count};
        status = add(work, &at);
    }
    if (status >= 0)
        *node = (void *)made;
    free(nodes);
    hd_gpu_leave(work->ordinal, previous);
    return status;
}

/* ---- executable graphs ----------------------------------------------------------------------- */

/* If the vendor lets launches of one executable overlap, each launch waits for the previous one. */
typedef struct executable {
    GPU(GraphExec_t) native;
    pthread_mutex_t lock;
    GPU(Event_t) done; /* recorded after the last launch; NULL before the first */
    int ordinal;       /* device of the event */
} executable;

static GPU(GraphExec_t) native_of(const void *exec)
{
    return ((const executable *)exec)->native;
}

hd_status hdb_graph_instantiate(int ordinal, void *graph, void **exec)
{
    static const char call[] = "hd_graph_instantiate";
    executable *made = (executable *)calloc(1, sizeof *made);
    int previous;
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for an executable graph");
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status >= 0) {
        status = hd_gpu_check(call, GPU_GraphInstantiate(&made->native, (GPU(Graph_t))graph));
        hd_gpu_leave(ordinal, previous);
    }
    if (status < 0) {
        free(made);
        return status;
    }
    (void)pthread_mutex_init(&made->lock, NULL);
    *exec = made;
    return HD_OK;
}

/* Makes the stream wait for the last launch, and creates an event of its device if there is
   none. */
static GPU(Error_t) behind_last(executable *exec, const hd_stream *stream)
{
    GPU(Error_t) error = GPU(Success);
    if (exec->done)
        error = GPU(StreamWaitEvent)(hd_gpu_stream(stream), exec->done, 0);
    if (error != GPU(Success) || (exec->done && exec->ordinal == stream->ordinal))
        return error;
    GPU(Event_t) other = exec->done;
    error = GPU(EventCreateWithFlags)(&exec->done, GPU(EventDisableTiming));
    if (error != GPU(Success)) {
        exec->done = other;
        return error;
    }
    exec->ordinal = stream->ordinal;
    return other ? GPU(EventDestroy)(other) : error;
}

static GPU(Error_t) launch_in_turn(executable *exec, const hd_stream *stream)
{
    (void)pthread_mutex_lock(&exec->lock);
    GPU(Error_t) error = behind_last(exec, stream);
    if (error == GPU(Success))
        error = GPU(GraphLaunch)(exec->native, hd_gpu_stream(stream));
    if (error == GPU(Success))
        error = GPU(EventRecord)(exec->done, hd_gpu_stream(stream));
    (void)pthread_mutex_unlock(&exec->lock);
    return error;
}

hd_status hdb_graph_launch(void *exec, hd_stream *stream)
{
    static const char call[] = "hd_graph_launch";
    int previous;
    hd_status status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU_GRAPH_LAUNCHES_OVERLAP
                                    ? launch_in_turn((executable *)exec, stream)
                                    : GPU(GraphLaunch)(native_of(exec), hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_graph_set_kernel(void *exec, void *node, const hd__node_work *work)
{
    gpu_kernel_node parameters;
    int previous;
    hd_status status = hd_gpu_enter(work->call, work->ordinal, &previous);
    if (status < 0)
        return status;
    status = kernel_parameters(work, &parameters);
    if (status >= 0)
        status = kernel_answer(work, GPU(GraphExecKernelNodeSetParams)(
                                         native_of(exec), (GPU(GraphNode_t))node, &parameters));
    hd_gpu_leave(work->ordinal, previous);
    return status;
}

hd_status hdb_graph_update(int ordinal, void *exec, void *graph)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_graph_exec_update", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_graph_exec_update",
                          GPU_GraphUpdate(native_of(exec), (GPU(Graph_t))graph));
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_graph_exec_destroy(void *exec)
{
    executable *gone = (executable *)exec;
    GPU(Error_t) error = GPU(GraphExecDestroy)(gone->native);
    GPU(Error_t) also = gone->done ? GPU(EventDestroy)(gone->done) : GPU(Success);
    (void)pthread_mutex_destroy(&gone->lock);
    free(gone);
    return hd_gpu_check("hd_graph_exec_destroy", error != GPU(Success) ? error : also);
}

/* ---- captures -------------------------------------------------------------------------------- */

hd_status hdb_capture_begin(hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_stream_capture_begin", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(
        "hd_stream_capture_begin",
        GPU(StreamBeginCapture)(hd_gpu_stream(stream), GPU(StreamCaptureModeThreadLocal)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_capture_end(hd_stream *stream, void **graph)
{
    static const char name[] = "hd_stream_capture_end";
    GPU(Graph_t) made = NULL;
    int previous;
    hd_status status = hd_gpu_enter(name, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(name, GPU(StreamEndCapture)(hd_gpu_stream(stream), &made));
    if (status >= 0)
        *graph = (void *)made;
    else if (made)
        (void)GPU(GraphDestroy)(made);
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_capture_id(hd_stream *stream, uint64_t *id)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_stream_capture_begin", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_stream_capture_begin", GPU_CaptureId(hd_gpu_stream(stream), id));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_stream_capturing(hd_stream *stream, int *capturing)
{
    static const char name[] = "hd_stream_capturing";
    gpu_capture_status state = GPU(StreamCaptureStatusNone);
    int previous;
    hd_status status = hd_gpu_enter(name, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(name, GPU(StreamIsCapturing)(hd_gpu_stream(stream), &state));
    *capturing = state != GPU(StreamCaptureStatusNone);
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}
