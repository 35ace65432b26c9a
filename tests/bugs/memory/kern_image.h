/* SPDX-License-Identifier: Apache-2.0 */
/* kern_image.h - declares the kernels of kern_image.c. */
#ifndef HEDDLE_TESTS_BUGS_IMAGE_H
#define HEDDLE_TESTS_BUGS_IMAGE_H

#include <heddle/device/image_types.h>
#include <heddle/kernel_decl.h>

HD_DECLARE(image_exchange, int, hd_image, const uint32_t *, uint32_t *)
HD_DECLARE(image_copy, hd_image, uint32_t *)

#endif
