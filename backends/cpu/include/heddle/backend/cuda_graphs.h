/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_graphs.h (CPU) - CUDA's graphs that are captured from a stream, over heddle's, in C11 and
   C++17. */
#ifndef HEDDLE_BACKEND_CUDA_GRAPHS_H
#define HEDDLE_BACKEND_CUDA_GRAPHS_H

#include <heddle/graph.h>

#include <heddle/backend/cuda_streams.h>

typedef hd_graph *cudaGraph_t;
typedef hd_graph_exec *cudaGraphExec_t;
/* Which other calls are errors meanwhile; heddle allows them. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
typedef enum cudaStreamCaptureMode cudaStreamCaptureMode;
HD_PORT_API_ cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    (void)mode;
    return hd_port_done_(hd_stream_capture_begin(hd_port_stream_(stream)));
}
HD_PORT_API_ cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    return hd_port_done_(hd_stream_capture_end(hd_port_stream_(stream), graph));
}
/* The error log of `size` bytes stays empty: hd_port_done_ prints errors. */
HD_PORT_API_ hd_port_instantiate_(cudaGraphExec_t *exec, cudaGraph_t graph, char *log, size_t size)
{
    if (log && size)
        log[0] = '\0';
    return hd_port_done_(hd_graph_instantiate(graph, exec));
}
HD_PORT_API_ cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return hd_port_done_(hd_graph_launch(exec, hd_port_stream_(stream)));
}
HD_PORT_API_ cudaGraphDestroy(cudaGraph_t graph)
{
    return hd_port_done_(hd_graph_destroy(graph));
}
HD_PORT_API_ cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return hd_port_done_(hd_graph_exec_destroy(exec));
}

#endif
