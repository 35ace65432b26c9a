/* SPDX-License-Identifier: Apache-2.0 */
/* launches_other.c - a kernel, its launch, and the host thread's state in a second file. */
#include "launches.h"

HD_PORT_KERNEL(add_one_other, int *, int)
__global__ void add_one_other(int *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        x[i] += 1;
}
HD_PORT_DEFINE(add_one_other)

const int other_value = 17;

void launch_other(int *x, int n)
{
    HD_PORT_LAUNCH((add_one_other), (n + 63) / 64, 64)(x, n);
}

void fail_other(void)
{
    (void)cudaSetDevice(1000);
}

int device_of_other(void)
{
    int device = -1;

    (void)cudaGetDevice(&device);
    return device;
}
