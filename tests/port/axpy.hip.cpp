/* SPDX-License-Identifier: Apache-2.0 */
// HIP's names.
#include <hip/hip_runtime.h>
#include <cstdio>

__global__ void axpy(float a, const float *x, float *y, int n)
{
    int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
    if (i < n)
        y[i] += a * x[i];
}

int main()
{
    const int n = 300;
    float x[n], y[n], *dx, *dy;
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    if (hipMalloc(&dx, sizeof x) != hipSuccess || hipMalloc(&dy, sizeof y) != hipSuccess)
        return 1;
    hipMemcpy(dx, x, sizeof x, hipMemcpyHostToDevice);
    hipMemcpy(dy, y, sizeof y, hipMemcpyHostToDevice);
    hipLaunchKernelGGL(axpy, dim3((n + 63) / 64), dim3(64), 0, 0, 2.0f, dx, dy, n);
    hipMemcpy(y, dy, sizeof y, hipMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += y[i] != 1.0f + 2.0f * i;
    hipFree(dx);
    hipFree(dy);
    printf("axpy %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
