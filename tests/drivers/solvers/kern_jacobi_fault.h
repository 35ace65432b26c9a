/* SPDX-License-Identifier: Apache-2.0 */
/* kern_jacobi_fault.h - kernels of kern_jacobi_fault.c. */
#ifndef KERN_JACOBI_FAULT_H
#define KERN_JACOBI_FAULT_H

#include <heddle/heddle.h>

HD_DECLARE(jacobi_fault, unsigned)
HD_DECLARE(jacobi_poke, int *)

#endif
