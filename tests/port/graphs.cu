// A graph that is captured from a stream and launched several times.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(int *data, int n, int add)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = 2 * data[i] + add;
}

__device__ int scale;
__global__ void multiply(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= scale;
}

int main()
{
    const int n = 777, launches = 3;
    int host[n], *data, wrong = 0;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaMalloc(&data, sizeof host);
    for (int i = 0; i < n; i++)
        host[i] = i % 50;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    wrong += cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess;
    for (int k = 1; k <= 2; k++)
        step<<<(n + 63) / 64, 64, 0, stream>>>(data, n, k);
    wrong += cudaStreamEndCapture(stream, &graph) != cudaSuccess;
    wrong += cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
    for (int k = 0; k < launches; k++)
        wrong += cudaGraphLaunch(exec, stream) != cudaSuccess;
    cudaStreamSynchronize(stream);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        int want = i % 50;
        for (int k = 0; k < launches; k++)
            want = 2 * (2 * want + 1) + 2;
        wrong += host[i] != want;
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // Copies from and to pageable memory: each launch uses what is at the address then.
    int rows[3][5], factor = 0;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    wrong += cudaMemcpyAsync(data, host, sizeof host, cudaMemcpyHostToDevice, stream) != cudaSuccess;
    wrong += cudaMemcpyToSymbolAsync(scale, &factor, sizeof factor, 0, cudaMemcpyHostToDevice,
                                     stream) != cudaSuccess;
    multiply<<<(n + 63) / 64, 64, 0, stream>>>(data, n);
    wrong += cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, stream) != cudaSuccess;
    wrong += cudaMemcpy2DAsync(rows, sizeof rows[0], data, 7 * sizeof(int), 4 * sizeof(int), 3,
                               cudaMemcpyDeviceToHost, stream) != cudaSuccess;
    cudaStreamEndCapture(stream, &graph);
    wrong += cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
    for (int k = 0; k < launches; k++) {
        factor = 10 + k;
        for (int i = 0; i < n; i++)
            host[i] = i + k;
        wrong += cudaGraphLaunch(exec, stream) != cudaSuccess;
        cudaStreamSynchronize(stream);
        for (int i = 0; i < n; i++)
            wrong += host[i] != (i + k) * (10 + k);
        for (int i = 0; i < 12; i++)
            wrong += rows[i / 4][i % 4] != (i / 4 * 7 + i % 4 + k) * (10 + k);
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(data);
    cudaStreamDestroy(stream);
    printf("graphs %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
