// Product of matrices in shared tiles, for sizes that are not multiples of the tile.
#include <cstdio>
#include <vector>

#define TILE_WIDTH 16

__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0;
    for (int t = 0; t < (K + TILE_WIDTH - 1) / TILE_WIDTH; ++t) {
        int a = t * TILE_WIDTH + tx, b = t * TILE_WIDTH + ty;
        As[ty][tx] = row < M && a < K ? A[row * K + a] : 0.0f;
        Bs[ty][tx] = b < K && col < N ? B[b * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE_WIDTH; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

int main()
{
    const int M = 37, N = 50, K = 29;
    std::vector<float> a(M * K), b(K * N), c(M * N);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (float)(i % 7) - 3;
    for (size_t i = 0; i < b.size(); i++)
        b[i] = (float)(i % 5) - 2;
    float *d_a, *d_b, *d_c;
    cudaMalloc((void **)&d_a, a.size() * sizeof(float));
    cudaMalloc((void **)&d_b, b.size() * sizeof(float));
    cudaMalloc((void **)&d_c, c.size() * sizeof(float));
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 threads(TILE_WIDTH, TILE_WIDTH);
    dim3 blocks((N + TILE_WIDTH - 1) / TILE_WIDTH, (M + TILE_WIDTH - 1) / TILE_WIDTH);
    matmul<<<blocks, threads>>>(d_a, d_b, d_c, M, N, K);
    cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[i * K + k] * b[k * N + j];
            right = right && sum == c[i * N + j];
        }
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
    printf("matmul %s\n", right ? "PASS" : "FAIL");
}
