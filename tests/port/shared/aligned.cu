// Shared variables with alignments of their own, in functions, templates and outside of functions.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

struct __align__(256) Wide {
    int value;
};

__shared__ __align__(512) float of_file[5];

__device__ unsigned beyond(const void *address, unsigned alignment)
{
    return (unsigned)((uintptr_t)address % alignment);
}

template <int N> __device__ unsigned in_template()
{
    __shared__ char odd[N % 7 + 1];
    alignas(N) __shared__ double numbers[3];
    odd[0] = 1;
    numbers[2] = odd[0];
    return beyond(numbers, N) + (unsigned)(sizeof numbers - 3 * sizeof(double));
}

__global__ void addresses(unsigned *out)
{
    extern __shared__ __align__(1024) unsigned char dynamic[];
    __shared__ char three[3];
    __shared__ __align__(128) int tile[3][5];
    __shared__ char five[5];
    __shared__ __attribute__((aligned(1024))) unsigned char page[7];
    __shared__ Wide wide[2];
    __shared__ __align__(4) double smaller; // than that of its type

    if (threadIdx.x != 0)
        return;
    three[2] = five[4] = 1;
    tile[2][4] = three[2];
    page[6] = five[4];
    wide[1].value = tile[2][4];
    smaller = wide[1].value;
    of_file[4] = (float)smaller;
    dynamic[99] = page[6];
    unsigned *mine = out + 8 * blockIdx.x;
    mine[0] = beyond(dynamic, 1024);
    mine[1] = beyond(tile, 128);
    mine[2] = beyond(page, 1024);
    mine[3] = beyond(&wide[1], 256);
    mine[4] = beyond(&smaller, 8);
    mine[5] = beyond(of_file, 512);
    mine[6] = in_template<64>() + in_template<128>() + in_template<1024>();
    mine[7] = (unsigned)(sizeof tile + sizeof page + sizeof wide + sizeof of_file) + dynamic[99] +
              (unsigned)of_file[4];
}

int main()
{
    const int blocks = 5;
    unsigned out[8 * blocks], *d_out, wrong = 0;
    cudaMalloc(&d_out, sizeof out);
    addresses<<<blocks, 40, 100>>>(d_out);
    wrong += cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < 8 * blocks; i++)
        wrong += out[i] != (i % 8 < 7 ? 0u : 60u + 7u + 512u + 20u + 2u);
    cudaFree(d_out);
    printf("aligned %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
