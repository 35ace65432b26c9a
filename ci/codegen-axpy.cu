// SPDX-License-Identifier: Apache-2.0
// codegen-axpy.cu - axpy written without heddle: heddle's axpy must compile to the same cost.
extern "C" __global__ void plain_axpy_f32(size_t n, float a, const float *__restrict__ x,
                                          float *__restrict__ y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a * x[i] + y[i];
}
