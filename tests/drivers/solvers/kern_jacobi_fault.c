/* SPDX-License-Identifier: Apache-2.0 */
/* kern_jacobi_fault.c - kernels that fail: of the tests of Jacobi runs and conjugate gradients. */
#include <heddle/kernel.h>

#include "kern_jacobi_fault.h"

HD_KERNEL void jacobi_fault(unsigned threads)
{
    hd_assert(hd_block_threads() == threads);
}
HD_DEFINE(jacobi_fault)

HD_KERNEL void jacobi_poke(int *x)
{
    x[hd_global_x()] = 1;
}
HD_DEFINE(jacobi_poke)
