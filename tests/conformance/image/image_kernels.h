/* SPDX-License-Identifier: Apache-2.0 */
/* image_kernels.h - declares the kernels of kern_image.c. */
#ifndef HEDDLE_TESTS_IMAGE_KERNELS_H
#define HEDDLE_TESTS_IMAGE_KERNELS_H

#include <heddle/device/image_types.h>
#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* Which calls a launch makes. */
enum { SHAPE_1D, SHAPE_2D, SHAPE_3D, SHAPE_1D_LAYERED, SHAPE_2D_LAYERED, SHAPES };

/* X(suffix, type): results of reads and samples, values of writes. */
#define IMAGE_LIST(X)                                                                              \
    X(f32, float)                                                                                  \
    X(f32x4, hd_f32x4)                                                                             \
    X(u32, uint32_t)                                                                               \
    X(u32x4, hd_u32x4)                                                                             \
    X(i32, int32_t)                                                                                \
    X(i32x4, hd_i32x4)

/* n coordinates x, y, z and the layer (a whole number); n results or values. */
#define IMAGE_DECLARE(S, T)                                                                        \
    HD_DECLARE(image_read_##S, hd_image, int, size_t, const hd_i32x4 *, T *)                       \
    HD_DECLARE(image_sample_##S, hd_image, int, size_t, const hd_f32x4 *, T *)                     \
    HD_DECLARE(image_write_##S, hd_image, int, size_t, const hd_i32x4 *, const T *)
IMAGE_LIST(IMAGE_DECLARE)

#endif
