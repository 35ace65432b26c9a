// CUDA with nothing of C++ but what heddle port --c rewrites: also translated to C.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "plain.cuh"

constexpr int threads = 2 * 48, rows = 7;
constexpr float half_pi = 1.57079637f;
enum kind { SUM, LARGEST };
static const int blocks = 5;
__constant__ float weights[rows];
__device__ unsigned finished;

__device__ __forceinline__ float weigh(pair p, int row)
{
    return p.scale * weights[row] + float(p.shift);
}

/* Of each row of the tile, the sum or the largest element. */
static __global__ void rows_of(const float *__restrict__ in, float *out, pair p, kind what)
{
    __shared__ float tile[rows][threads + 1];
    __shared__ int turn;
    if (threadIdx.x == 0)
        turn = blockIdx.x % rows;
    __syncthreads();
    for (int row = 0; row < rows; row++)
        tile[row][threadIdx.x] = weigh(p, row) * in[(blockIdx.x * rows + row) * blockDim.x + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < rows) {
        const int row = (threadIdx.x + turn) % rows;
        float v = tile[row][0];
        for (int i = 1; i < threads; i++)
            v = what == SUM ? v + tile[row][i] : max(v, tile[row][i]);
        out[blockIdx.x * rows + row] = v;
    }
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&finished, 1);
    }
}

/* Sums of warps of 32, and how many lanes have an odd element. */
__global__ void warps_of(const int *in, long long *sums, int *odd)
{
    extern __shared__ int words[];
    const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
    words[threadIdx.x] = in[i];
    __syncthreads();
    int v = words[threadIdx.x];
    const unsigned votes = __ballot_sync(0xffffffff, v & 1);
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) {
        sums[i / 32] = v;
        odd[i / 32] = __popc(votes);
    }
}

/* The functions of C++ have the type of their argument. */
__global__ void types_of(float x, int *bytes, float *values)
{
    bytes[0] = sizeof(sqrt(x));
    bytes[1] = sizeof(abs(-x));
    bytes[2] = sizeof(pow(x, x));
    bytes[3] = sizeof(fmax(x, x));
    bytes[4] = sizeof(sin(1));
    values[0] = sqrt(x) * sqrt(x) - x;
    values[1] = abs(-2.75f);
    values[2] = min(2.5f, 3.0f);
    values[3] = fabs(-x);
}

static int check_rows()
{
    const int n = blocks * rows * threads;
    float *in, *out, got[blocks * rows], factors[rows];
    static float from[blocks * rows * threads];
    pair p = {0.5f, 2};
    unsigned count = 0;
    int wrong = 0;
    dim3 grid(blocks), block;
    block.x = threads;
    for (int i = 0; i < n; i++)
        from[i] = static_cast<float>(i * 7 % 101 - 50) / 4;
    for (int i = 0; i < rows; i++)
        factors[i] = i + 0.25f;
    cudaMalloc((void **)&in, n * sizeof(float));
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, from, n * sizeof(float), cudaMemcpyHostToDevice);
    wrong += cudaMemcpyToSymbol(weights, factors, sizeof factors) != cudaSuccess;
    for (int what = SUM; what <= LARGEST; what++) {
        rows_of<<<grid, block>>>(in, out, p, (kind)what);
        wrong += cudaGetLastError() != cudaSuccess;
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int i = 0; i < blocks * rows; i++) {
            const float w = 0.5f * (i % rows + 0.25f) + 2;
            float want = w * from[i * threads];
            for (int k = 1; k < threads; k++) {
                const float v = w * from[i * threads + k];
                want = what == SUM ? want + v : v > want ? v : want;
            }
            wrong += got[i] != want;
        }
    }
    cudaMemcpyFromSymbol(&count, finished, sizeof count);
    wrong += count != 2 * blocks;
    cudaFree(in);
    cudaFree(out);
    return wrong;
}

static int check_warps()
{
    enum { N = 4 * 128 };
    int *in, *odd, wrong = 0;
    long long *sums;
    float milliseconds = -1;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&odd, N / 32 * sizeof *odd);
    cudaMallocManaged(&sums, N / 32 * sizeof *sums);
    for (int i = 0; i < N; i++)
        in[i] = i * i % 1001;
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    auto begin = std::chrono::steady_clock::now();
    cudaEventRecord(start, stream);
    warps_of<<<N / 128, dim3(128), 128 * sizeof(int), stream>>>(in, sums, odd);
    cudaEventRecord(stop, stream);
    cudaStreamSynchronize(stream);
    auto end = std::chrono::steady_clock::now();
    wrong += cudaEventElapsedTime(&milliseconds, start, stop) != cudaSuccess || milliseconds < 0;
    wrong += std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count() <= 0;
    for (int w = 0; w < N / 32; w++) {
        long long sum = 0;
        int count = 0;
        for (int i = 32 * w; i < 32 * w + 32; i++) {
            sum += i * i % 1001;
            count += i * i % 1001 & 1;
        }
        wrong += sums[w] != sum || odd[w] != count;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(stream);
    cudaFree(in);
    cudaFree(odd);
    cudaFree(sums);
    return wrong;
}

static int check_types()
{
    int *bytes, wrong = 0;
    float *values;
    cudaMallocManaged(&bytes, 5 * sizeof *bytes);
    cudaMallocManaged(&values, 4 * sizeof *values);
    types_of<<<1, 1>>>(2.0f, bytes, values);
    cudaDeviceSynchronize();
    wrong += bytes[0] != 4 || bytes[1] != 4 || bytes[2] != 4 || bytes[3] != 4 || bytes[4] != 8;
    wrong += values[0] != 1.41421354f * 1.41421354f - 2.0f;
    wrong += values[1] != 2.75f || values[2] != 2.5f || values[3] != 2.0f;
    cudaFree(bytes);
    cudaFree(values);
    return wrong;
}

int main()
{
    int *far = nullptr, wrong = 0;
    wrong += check_rows();
    wrong += check_warps();
    wrong += check_types();
    wrong += half_pi < 1.5f || half_pi > 1.6f;
    wrong += cudaMalloc(&far, ~(size_t)0 / 2) != cudaErrorMemoryAllocation || far != nullptr;
    wrong += cudaGetLastError() != cudaErrorMemoryAllocation || cudaGetLastError() != cudaSuccess;
    printf("plain %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
