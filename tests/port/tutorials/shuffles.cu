// A sum of a block: shuffles in each warp, then in the first one. Votes beside it.
#include <cstdio>

__inline__ __device__ int warpReduceSum(int val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__inline__ __device__ int blockReduceSum(int val)
{
    static __shared__ int shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}
__global__ void deviceReduceKernel(int *in, int *out, int *odd, int N)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x)
        sum += in[i];
    unsigned votes = __ballot_sync(0xffffffff, sum & 1);
    if (threadIdx.x % 32 == 0)
        atomicAdd(odd, __popc(votes));
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

int main()
{
    const int N = 5000, threads = 256, blocks = 4;
    int *in, *out, expected = 0, odd = 0;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    out[0] = out[1] = 0;
    for (int i = 0; i < N; i++)
        expected += in[i] = (i * 37) % 19;
    deviceReduceKernel<<<blocks, threads>>>(in, out, out + 1, N);
    cudaDeviceSynchronize();
    for (int t = 0; t < threads * blocks; t++) {
        int sum = 0;
        for (int i = t; i < N; i += threads * blocks)
            sum += in[i];
        odd += sum & 1;
    }
    bool right = out[0] == expected && out[1] == odd;
    cudaFree(in);
    cudaFree(out);
    printf("shuffles %s\n", right ? "PASS" : "FAIL");
}
