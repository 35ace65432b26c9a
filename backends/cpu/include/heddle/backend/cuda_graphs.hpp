/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_graphs.hpp (CPU) - what C++ adds to cuda_graphs.h: the two forms of cudaGraphInstantiate. */
#ifndef HEDDLE_BACKEND_CUDA_GRAPHS_HPP
#define HEDDLE_BACKEND_CUDA_GRAPHS_HPP

#include <heddle/backend/cuda_graphs.h>
#include <heddle/backend/cuda_streams.hpp>

/* Of CUDA 11. */
template <class Node>
HD_PORT_API_ cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, Node, char *log,
                                  size_t size)
{
    return hd_port_instantiate_(exec, graph, log, size);
}
/* Of CUDA 12. */
HD_PORT_API_ cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long = 0)
{
    return hd_port_instantiate_(exec, graph, nullptr, 0);
}

#endif
