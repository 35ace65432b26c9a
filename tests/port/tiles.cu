// Shared tiles, dynamic shared memory, constant and device symbols, methods and operators, streams
// and events, a macro that hides a launch, an overloaded kernel.
#include <cstdio>
#include "tiles.cuh"

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ int launches;

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void smooth(const float *in, float *out, int n)
{
    extern __shared__ float line[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
    line[t] = i < n ? in[i] : 0.0f;
    if (threadIdx.x == 0) {
        line[0] = i ? in[i - 1] : 0.0f;
        atomicAdd(&launches, 1);
    }
    if (threadIdx.x == blockDim.x - 1)
        line[t + 1] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = weights[0] * line[t - 1] + weights[1] * line[t] + weights[2] * line[t + 1];
}

__global__ void fill(float3 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        vec v(i, 2 * i, 1);
        v = v + v * 0.5f;
        out[i] = make_float3(v.x, v.dot(vec(0, 1, 1)), v.z);
    }
}
__global__ void fill(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (float)(i % 19);
}

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)

int main()
{
    enum { N = 50, ALL = N * N };
    static float in[ALL], got[ALL];
    static float3 points[ALL];
    float *a, *b, ms = -1, scaled[3] = {0.5f, 0.0f, 0.5f};
    float3 *p;
    int wrong = 0, count = 0;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc(&a, sizeof in);
    cudaMalloc(&b, sizeof in);
    cudaMalloc(&p, sizeof points);
    LAUNCH(fill, (ALL + 63) / 64, 64, a, ALL);
    LAUNCH(fill, (ALL + 63) / 64, 64, p, ALL);
    cudaMemcpy(in, a, sizeof in, cudaMemcpyDeviceToHost);
    cudaMemcpy(points, p, sizeof points, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ALL; i++) {
        wrong += in[i] != (float)(i % 19);
        wrong += points[i].x != 1.5f * i || points[i].y != 3.0f * i + 1.5f || points[i].z != 1.5f;
    }
    dim3 grid((N + 15) / 16, (N + 15) / 16), block(16, 16);
    cudaEventRecord(start, stream);
    transpose<<<grid, block, 0, stream>>>(a, b, N);
    cudaMemcpyAsync(got, b, sizeof got, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(stop, stream);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    wrong += !(ms >= 0);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            wrong += got[y * N + x] != in[x * N + y];
    for (int turn = 0; turn < 2; turn++) {
        smooth<<<(ALL + 99) / 100, 100, 102 * sizeof(float)>>>(a, b, ALL);
        cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
        for (int i = 0; i < ALL; i++) {
            float left = i ? in[i - 1] : 0, right = i + 1 < ALL ? in[i + 1] : 0;
            wrong += got[i] != (turn ? 0.5f * left + 0.0f * in[i] + 0.5f * right
                                     : 0.25f * left + 0.5f * in[i] + 0.25f * right);
        }
        cudaMemcpyToSymbol(weights, scaled, sizeof scaled);
    }
    cudaMemcpyFromSymbol(&count, launches, sizeof count);
    wrong += count != 2 * ((ALL + 99) / 100);
    cudaFree(a);
    cudaFree(b);
    cudaFree(p);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(stream);
    printf("tiles %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
