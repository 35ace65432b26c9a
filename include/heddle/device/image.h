/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Images in kernels: reads, samples and writes of the images that hd_image_create() makes
 *  (<heddle/image.h>). Kernel files include this header after kernel.h. docs/images.md defines
 *  coordinates, address modes and the arithmetic of filters. `image` is the address of a kernel's
 *  parameter HD_GRID_CONST hd_image, or of a copy of it.
 *
 *  For each result type T of f32, f32x4, u32, u32x4, i32, i32x4 and each shape of the image,
 *  calls.inc defines
 *    hd_image_read_1d_T(image, x), _2d_T(image, x, y), _3d_T(image, x, y, z),
 *      _1d_layered_T(image, x, layer), _2d_layered_T(image, x, y, layer): the element at integer
 *      coordinates, which the address modes bring into the image;
 *    hd_image_sample_1d_T(image, x), ... with float coordinates: f32 and f32x4 by the filter of the
 *      image, integers the nearest element;
 *    hd_image_write_1d_T(image, x, value), ...: stores an element; nothing outside of the image.
 *  A layer is brought into the image by clamping. T without x4 is the first channel; writes set the
 *  others to 0. Channels that an element does not have are read as 0 and not written.
 *
 *  f32, f32x4: 8- and 16-bit integers stand for fractions, unsigned ones from 0 to 1, signed ones
 *  from -1 to 1; 32-bit integers for themselves. Writes clamp, and round to nearest, ties to even;
 *  NaN becomes 0. u32, u32x4, i32, i32x4: integers for themselves, and floats for their bits;
 *  writes store the low bits.
 *
 *  Cost of a read or a write: one access of an element. Of a sample with the linear filter: 2, 4 or
 *  8 of them, and 3 floating-point operations per pair and channel. Accesses are ordinary ones:
 *  a read of an element that another thread of the launch writes has to be ordered after it.
 */
#ifndef HEDDLE_DEVICE_IMAGE_H
#define HEDDLE_DEVICE_IMAGE_H

#include <heddle/detail/image/elements.h>

/* 1 in device code if the backend has hd_prim_texture_(object, x, y), four floats. */
#ifndef HD_NATIVE_TEXTURE_
#define HD_NATIVE_TEXTURE_ 0
#endif

/* ---- coordinates ---- */

/* The index of the element that index i of an axis with n elements stands for; -1: the border. */
HD_SITED int32_t hd_image_index_(int32_t i, uint32_t n, unsigned address)
{
    const int32_t end = (int32_t)n;
    int32_t period;

    if (i >= 0 && i < end)
        return i;
    if (address == HD_IMAGE_CLAMP)
        return i < 0 ? 0 : end - 1;
    if (address == HD_IMAGE_BORDER)
        return -1;
    period = address == HD_IMAGE_WRAP ? end : 2 * end;
    i %= period;
    i = i < 0 ? i + period : i;
    return i < end ? i : period - 1 - i;
}

HD_SITED int32_t hd_image_layer_(const hd_image *image, int32_t layer)
{
    return hd_image_index_(layer, image->depth, HD_IMAGE_CLAMP);
}

/* A coordinate in elements: NaN counts as 0, and what is beyond 2^30 as 2^30. */
HD_SITED float hd_image_elements_(const hd_image *image, float x, uint32_t n)
{
    if (image->normalized)
        x *= (float)n;
    if (x != x)
        return 0.0f;
    x = x < -0x1p30f ? -0x1p30f : x;
    return x > 0x1p30f ? 0x1p30f : x;
}

/* For |x| <= 2^30. */
HD_SITED int32_t hd_image_floor_(float x)
{
    const int32_t i = (int32_t)x;

    return (float)i > x ? i - 1 : i;
}

HD_SITED int32_t hd_image_nearest_(const hd_image *image, int axis, uint32_t n, float x)
{
    return hd_image_index_(hd_image_floor_(hd_image_elements_(image, x, n)), n,
                           image->address[axis]);
}

/* Two neighbours along an axis, and the weight of the second one. */
typedef struct hd_image_pair_of_ {
    int32_t first, second;
    float weight;
} hd_image_pair_of_;

HD_SITED hd_image_pair_of_ hd_image_neighbours_(const hd_image *image, int axis, uint32_t n,
                                                float x)
{
    const float b = hd_image_elements_(image, x, n) - 0.5f;
    const int32_t i = hd_image_floor_(b);
    hd_image_pair_of_ pair;

    pair.first = hd_image_index_(i, n, image->address[axis]);
    pair.second = hd_image_index_(i + 1, n, image->address[axis]);
    pair.weight = b - (float)i;
    return pair;
}

/* ---- filters ---- */

/* a + weight * (b - a), every operation rounded; a itself, whatever b is, for the weight 0. */
HD_SITED hd_f32x4 hd_image_mix_(hd_f32x4 a, hd_f32x4 b, float weight)
{
    if (weight == 0.0f)
        return a;
    return hd_f32x4_add(a, hd_f32x4_mul(hd_f32x4_set(weight), hd_f32x4_sub(b, a)));
}

/* Neighbour i of the 2, 4 or 8: bit 0 is the one along x, bit 1 along y, bit 2 along z. */
HD_SITED hd_f32x4 hd_image_linear_(const hd_image *image, int dimensions, float x, float y, float z,
                                   int32_t layer)
{
    const int count = 1 << dimensions;
    const hd_image_pair_of_ along_x = hd_image_neighbours_(image, 0, image->width, x);
    hd_image_pair_of_ along_y = {0, 0, 0.0f}, along_z = {0, 0, 0.0f};
    const void *at[8];
    hd_u32x4 bits[8];
    hd_f32x4 v[8];

    along_z.first = layer;
    if (dimensions > 1)
        along_y = hd_image_neighbours_(image, 1, image->height, y);
    if (dimensions > 2)
        along_z = hd_image_neighbours_(image, 2, image->depth, z);
    HD_UNROLL
    for (int i = 0; i < count; i++)
        at[i] = hd_image_find_(image, i & 1 ? along_x.second : along_x.first,
                               i & 2 ? along_y.second : along_y.first,
                               i & 4 ? along_z.second : along_z.first);
    hd_image_load_(image, count, at, bits);
    hd_image_numbers_(image, count, bits, v);
    HD_UNROLL
    for (int i = 0; i < count; i += 2)
        v[i] = hd_image_mix_(v[i], v[i + 1], along_x.weight);
    HD_UNROLL
    for (int i = 0; i + 2 < count; i += 4)
        v[i] = hd_image_mix_(v[i], v[i + 2], along_y.weight);
    return dimensions > 2 ? hd_image_mix_(v[0], v[4], along_z.weight) : v[0];
}

/* ---- what calls.inc is made of; z is used if there are three dimensions, otherwise the
   layer ---- */

HD_SITED hd_u32x4 hd_image_read_bits_(const hd_image *image, int dimensions, int32_t x, int32_t y,
                                      int32_t z, int32_t layer)
{
    x = hd_image_index_(x, image->width, image->address[0]);
    y = dimensions > 1 ? hd_image_index_(y, image->height, image->address[1]) : 0;
    z = dimensions > 2 ? hd_image_index_(z, image->depth, image->address[2])
                       : hd_image_layer_(image, layer);
    return hd_image_load_one_(image, x, y, z);
}

HD_SITED hd_u32x4 hd_image_sample_bits_(const hd_image *image, int dimensions, float x, float y,
                                        float z, int32_t layer)
{
    const int32_t i = hd_image_nearest_(image, 0, image->width, x);
    const int32_t j = dimensions > 1 ? hd_image_nearest_(image, 1, image->height, y) : 0;
    const int32_t k = dimensions > 2 ? hd_image_nearest_(image, 2, image->depth, z)
                                     : hd_image_layer_(image, layer);

    return hd_image_load_one_(image, i, j, k);
}

HD_SITED hd_u32x4 hd_image_read_channels_(const hd_image *image, int dimensions, int32_t x,
                                          int32_t y, int32_t z, int32_t layer)
{
    return hd_image_channels_(image, hd_image_read_bits_(image, dimensions, x, y, z, layer));
}

HD_SITED hd_u32x4 hd_image_sample_channels_(const hd_image *image, int dimensions, float x, float y,
                                            float z, int32_t layer)
{
    return hd_image_channels_(image, hd_image_sample_bits_(image, dimensions, x, y, z, layer));
}

HD_SITED void hd_image_write_channels_(const hd_image *image, int32_t x, int32_t y, int32_t z,
                                       hd_u32x4 channels)
{
    hd_image_store_(image, x, y, z, channels);
}

HD_SITED hd_f32x4 hd_image_read_floats_(const hd_image *image, int dimensions, int32_t x, int32_t y,
                                        int32_t z, int32_t layer)
{
    const hd_u32x4 bits = hd_image_read_bits_(image, dimensions, x, y, z, layer);
    hd_f32x4 numbers;

    hd_image_numbers_(image, 1, &bits, &numbers);
    return hd_image_fractions_(image, numbers);
}

HD_SITED hd_f32x4 hd_image_sample_floats_(const hd_image *image, int dimensions, float x, float y,
                                          float z, int32_t layer)
{
    hd_f32x4 numbers;

#if HD_NATIVE_TEXTURE_
    if (image->texture != 0 && dimensions == image->dimensions) {
        const hd_f32x4 v = hd_prim_texture_(image->texture, x, dimensions > 1 ? y : 0.5f);
        return hd_f32x4_make(v.x, image->channels > 1 ? v.y : 0.0f,
                             image->channels > 2 ? v.z : 0.0f, image->channels > 2 ? v.w : 0.0f);
    }
#endif
    if (image->filter == HD_IMAGE_LINEAR) {
        numbers = hd_image_linear_(image, dimensions, x, y, z, hd_image_layer_(image, layer));
    } else {
        const hd_u32x4 bits = hd_image_sample_bits_(image, dimensions, x, y, z, layer);
        hd_image_numbers_(image, 1, &bits, &numbers);
    }
    return hd_image_fractions_(image, numbers);
}

HD_SITED void hd_image_write_floats_(const hd_image *image, int32_t x, int32_t y, int32_t z,
                                     hd_f32x4 v)
{
    hd_image_store_(image, x, y, z,
                    hd_u32x4_make(hd_image_code_(image, v.x), hd_image_code_(image, v.y),
                                  hd_image_code_(image, v.z), hd_image_code_(image, v.w)));
}

/* For calls.inc:
     HD_IMAGE_S_                 suffix of the functions
     HD_IMAGE_T_                 type of results and values
     HD_IMAGE_KIND_              floats or channels: which of the functions above
     HD_IMAGE_PICK_(four)        four channels as a T
     HD_IMAGE_SPREAD_(value)     a T as four channels */
#define HD_IMAGE_CAT__(a, b) a##b
#define HD_IMAGE_CAT_(a, b) HD_IMAGE_CAT__(a, b)
#define HD_IMAGE_NAME_(call) HD_IMAGE_CAT_(hd_image_##call##_, HD_IMAGE_S_)
#define HD_IMAGE_CORE_(call) HD_IMAGE_CAT_(HD_IMAGE_CAT_(hd_image_##call##_, HD_IMAGE_KIND_), _)

#define HD_IMAGE_S_ f32
#define HD_IMAGE_T_ float
#define HD_IMAGE_KIND_ floats
#define HD_IMAGE_PICK_(four) (four).x
#define HD_IMAGE_SPREAD_(value) hd_f32x4_make(value, 0.0f, 0.0f, 0.0f)
#include <heddle/detail/image/calls.inc>

#define HD_IMAGE_S_ f32x4
#define HD_IMAGE_T_ hd_f32x4
#define HD_IMAGE_KIND_ floats
#define HD_IMAGE_PICK_(four) (four)
#define HD_IMAGE_SPREAD_(value) (value)
#include <heddle/detail/image/calls.inc>

#define HD_IMAGE_S_ u32
#define HD_IMAGE_T_ uint32_t
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) (four).x
#define HD_IMAGE_SPREAD_(value) hd_u32x4_make(value, 0, 0, 0)
#include <heddle/detail/image/calls.inc>

#define HD_IMAGE_S_ u32x4
#define HD_IMAGE_T_ hd_u32x4
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) (four)
#define HD_IMAGE_SPREAD_(value) (value)
#include <heddle/detail/image/calls.inc>

#define HD_IMAGE_S_ i32
#define HD_IMAGE_T_ int32_t
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) (int32_t)(four).x
#define HD_IMAGE_SPREAD_(value) hd_u32x4_make((uint32_t)(value), 0, 0, 0)
#include <heddle/detail/image/calls.inc>

HD_SITED hd_i32x4 hd_image_signed_(hd_u32x4 v)
{
    return hd_i32x4_make((int32_t)v.x, (int32_t)v.y, (int32_t)v.z, (int32_t)v.w);
}

HD_SITED hd_u32x4 hd_image_unsigned_(hd_i32x4 v)
{
    return hd_u32x4_make((uint32_t)v.x, (uint32_t)v.y, (uint32_t)v.z, (uint32_t)v.w);
}

#define HD_IMAGE_S_ i32x4
#define HD_IMAGE_T_ hd_i32x4
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) hd_image_signed_(four)
#define HD_IMAGE_SPREAD_(value) hd_image_unsigned_(value)
#include <heddle/detail/image/calls.inc>

#endif
