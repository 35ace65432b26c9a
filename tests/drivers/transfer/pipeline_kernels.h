/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline_kernels.h - declares the kernels of kern_pipeline.c. */
#ifndef HEDDLE_TESTS_PIPELINE_KERNELS_H
#define HEDDLE_TESTS_PIPELINE_KERNELS_H

#include <heddle/kernel_decl.h>

HD_DECLARE(pipeline_mix, size_t, size_t, const uint32_t *, const uint8_t *, uint64_t *, uint16_t *)
HD_DECLARE(pipeline_add, size_t, const uint32_t *, uint32_t *, uint32_t)
HD_DECLARE(pipeline_refuse, size_t, size_t, const uint32_t *, uint32_t *, uint32_t)

#endif
