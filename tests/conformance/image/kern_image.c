/* SPDX-License-Identifier: Apache-2.0 */
/* kern_image.c - reads, samples and writes of images, for every shape and type of results. */
#include <heddle/kernel.h>

#include <heddle/device/image.h>

#include "image_kernels.h"

#define S f32
#define T float
#include "image.inc"
#define S f32x4
#define T hd_f32x4
#include "image.inc"
#define S u32
#define T uint32_t
#include "image.inc"
#define S u32x4
#define T hd_u32x4
#include "image.inc"
#define S i32
#define T int32_t
#include "image.inc"
#define S i32x4
#define T hd_i32x4
#include "image.inc"
