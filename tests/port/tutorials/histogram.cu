// A histogram of letters: atomics in shared memory, then one atomic per bin and block.
#include <cstdio>
#include <cstring>

#define NUM_BINS 26

__global__ void histogram(const char *data, unsigned int *histo, int length)
{
    __shared__ unsigned int histo_s[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        histo_s[bin] = 0u;
    __syncthreads();
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += blockDim.x * gridDim.x) {
        int position = data[i] - 'a';
        if (position >= 0 && position < NUM_BINS)
            atomicAdd(&histo_s[position], 1);
    }
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        if (histo_s[bin] > 0)
            atomicAdd(&(histo[bin]), histo_s[bin]);
}

int main()
{
    char text[] = "the quick brown fox jumps over the lazy dog, and the dog sleeps on";
    const int length = strlen(text);
    unsigned int host[NUM_BINS] = {0}, expected[NUM_BINS] = {0}, *d_histo;
    char *d_text;
    cudaMalloc(&d_text, length);
    cudaMalloc(&d_histo, sizeof(host));
    cudaMemset(d_histo, 0, sizeof(host));
    cudaMemcpy(d_text, text, length, cudaMemcpyHostToDevice);
    histogram<<<3, 32>>>(d_text, d_histo, length);
    cudaMemcpy(host, d_histo, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < length; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            expected[text[i] - 'a']++;
    cudaFree(d_text);
    cudaFree(d_histo);
    printf("histogram %s\n", memcmp(host, expected, sizeof(host)) == 0 ? "PASS" : "FAIL");
}
