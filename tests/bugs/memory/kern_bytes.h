/* SPDX-License-Identifier: Apache-2.0 */
/* kern_bytes.h - declares the kernels of kern_bytes.c. */
#ifndef HEDDLE_TESTS_BUGS_BYTES_H
#define HEDDLE_TESTS_BUGS_BYTES_H

#include "zoo_kernel.h"

ZOO_KERNEL_SCRATCH(bytes_halves)
ZOO_KERNEL_SCRATCH(bytes_pixel)
ZOO_KERNEL(bytes_first)
ZOO_KERNEL(bytes_reuse)
ZOO_KERNEL(bytes_joined)
ZOO_KERNEL(bytes_far)
ZOO_KERNEL(bytes_loop)
ZOO_KERNEL_SCRATCH(bytes_member)
ZOO_KERNEL(bytes_union)
ZOO_KERNEL_SCRATCH(bytes_field)
ZOO_KERNEL(bytes_wide)
ZOO_KERNEL(bytes_count)
ZOO_KERNEL_SCRATCH(bytes_packed)
ZOO_KERNEL(bytes_unset)
ZOO_KERNEL(bytes_half)
ZOO_KERNEL_SCRATCH(bytes_copied)
HD_DECLARE(bytes_mapped, int, uint16_t *, uint32_t *)
HD_DECLARE(bytes_image, int, size_t, const uint8_t *, uint8_t *)

#endif
