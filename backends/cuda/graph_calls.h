/* SPDX-License-Identifier: Apache-2.0 */
/* graph_calls.h - graph calls whose arguments changed between CUDA releases. Used by the CUDA
   backend and by HIP on NVIDIA hardware. */
#ifndef HEDDLE_CUDA_GRAPH_CALLS_H
#define HEDDLE_CUDA_GRAPH_CALLS_H

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <string.h>

static inline cudaError_t hd_cuda_graph_depend(cudaGraph_t graph, cudaGraphNode_t node,
                                               cudaGraphNode_t after)
{
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, &after, &node, NULL, 1);
#else
    return cudaGraphAddDependencies(graph, &after, &node, 1);
#endif
}

static inline cudaError_t hd_cuda_graph_update(cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraphExecUpdateResultInfo why;
    return cudaGraphExecUpdate(exec, graph, &why);
}

/* *id is 0 if the stream is not being captured. */
static inline cudaError_t hd_cuda_capture_id(cudaStream_t stream, uint64_t *id)
{
    enum cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    unsigned long long got = 0;
#if CUDART_VERSION >= 13000
    cudaError_t error = cudaStreamGetCaptureInfo(stream, &state, &got, NULL, NULL, NULL, NULL);
#else
    cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &state, &got, NULL, NULL, NULL);
#endif
    *id = state == cudaStreamCaptureStatusNone ? 0 : got;
    return error;
}

/* Makes the kernel node cooperative: all blocks are resident at once. */
static inline cudaError_t hd_cuda_node_cooperative(cudaGraphNode_t node)
{
    cudaKernelNodeAttrValue value;
    memset(&value, 0, sizeof value);
    value.cooperative = 1;
    return cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeCooperative, &value);
}

#endif
