/* SPDX-License-Identifier: Apache-2.0 */
/* managed.h - the kernel of `heddle lab managed`. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_MANAGED_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_MANAGED_H

#include <heddle/kernel_decl.h>

/* Adds 1 to each of n words. */
HD_DECLARE(managed_add, size_t, uint32_t *)

#endif
