// A reversal in static and in dynamic shared memory, two arrays in one dynamic one.
#include <stdio.h>

__global__ void staticReverse(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, tr = n - t - 1;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[tr];
}
__global__ void dynamicReverse(int *d, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x, tr = n - t - 1;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[tr];
}
__global__ void twoArrays(float *f, int nF, char *c, int nC)
{
    extern __shared__ float parts[];
    float *floats = parts;
    char *chars = (char *)&floats[nF];
    int t = threadIdx.x;
    if (t < nF)
        floats[t] = f[t];
    if (t < nC)
        chars[t] = c[t];
    __syncthreads();
    if (t < nF)
        f[t] = floats[nF - 1 - t] + chars[t % nC];
}

int main(void)
{
    const int n = 64, nC = 10;
    int a[n], r[n], d[n], *d_d;
    float f[n], *d_f;
    char c[nC], *d_c;
    bool right = true;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        r[i] = n - i - 1;
        f[i] = 0.5f * i;
    }
    for (int i = 0; i < nC; i++)
        c[i] = i;
    cudaMalloc(&d_d, n * sizeof(int));
    cudaMemcpy(d_d, a, n * sizeof(int), cudaMemcpyHostToDevice);
    staticReverse<<<1, n>>>(d_d, n);
    cudaMemcpy(d, d_d, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        right = right && d[i] == r[i];
    cudaMemcpy(d_d, a, n * sizeof(int), cudaMemcpyHostToDevice);
    dynamicReverse<<<1, n, n * sizeof(int)>>>(d_d, n);
    cudaMemcpy(d, d_d, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        right = right && d[i] == r[i];
    cudaMalloc(&d_f, sizeof f);
    cudaMalloc(&d_c, sizeof c);
    cudaMemcpy(d_f, f, sizeof f, cudaMemcpyHostToDevice);
    cudaMemcpy(d_c, c, sizeof c, cudaMemcpyHostToDevice);
    twoArrays<<<1, n, n * sizeof(float) + nC * sizeof(char)>>>(d_f, n, d_c, nC);
    cudaMemcpy(f, d_f, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        right = right && f[i] == 0.5f * (n - 1 - i) + i % nC;
    cudaFree(d_d);
    cudaFree(d_f);
    cudaFree(d_c);
    printf("dynamic_shared %s\n", right ? "PASS" : "FAIL");
    return 0;
}
