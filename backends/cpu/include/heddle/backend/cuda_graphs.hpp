/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_graphs.hpp (CPU) - CUDA's graphs that are captured from a stream, over heddle's. */
#ifndef HEDDLE_BACKEND_CUDA_GRAPHS_HPP
#define HEDDLE_BACKEND_CUDA_GRAPHS_HPP

#include <heddle/graph.h>

#include <heddle/backend/cuda_streams.hpp>

typedef hd_graph *cudaGraph_t;
typedef hd_graph_exec *cudaGraphExec_t;
/* Which other calls are errors meanwhile; heddle allows them. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
HD_PORT_CALL_ cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    return hd_port_done_(hd_stream_capture_begin(hd_port_stream_(stream)));
}
HD_PORT_CALL_ cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    return hd_port_done_(hd_stream_capture_end(hd_port_stream_(stream), graph));
}
/* Of CUDA 11, with an error log of `size` bytes, which stays empty: hd_port_done_ prints errors. */
template <class Node>
HD_PORT_CALL_ cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, Node, char *log,
                                   size_t size)
{
    if (log && size)
        log[0] = '\0';
    return hd_port_done_(hd_graph_instantiate(graph, exec));
}
/* Of CUDA 12. */
HD_PORT_CALL_ cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long = 0)
{
    return hd_port_done_(hd_graph_instantiate(graph, exec));
}
HD_PORT_CALL_ cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return hd_port_done_(hd_graph_launch(exec, hd_port_stream_(stream)));
}
HD_PORT_CALL_ cudaGraphDestroy(cudaGraph_t graph)
{
    return hd_port_done_(hd_graph_destroy(graph));
}
HD_PORT_CALL_ cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return hd_port_done_(hd_graph_exec_destroy(exec));
}

#endif
