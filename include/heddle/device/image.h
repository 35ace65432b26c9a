/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Images in kernels: reads, samples and writes of the images that hd_image_create() makes
 *  (<heddle/image.h>). Kernel files include this header after kernel.h. docs/images.md defines
 *  coordinates, address modes and the arithmetic of filters.
 *
 *  For each result type T of f32, f32x4, u32, u32x4, i32, i32x4 and each shape of the image,
 *  image_calls.inc defines
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

#include <heddle/device/half.h>
#include <heddle/device/image_types.h>
#include <heddle/device/vector.h>

/* 1 in device code if the backend has hd_prim_texture_(object, x, y), four floats. */
#ifndef HD_NATIVE_TEXTURE_
#define HD_NATIVE_TEXTURE_ 0
#endif

/* ---- elements in memory ---- */

/* Kernels may also access the memory of an image by pointers of other types. */
typedef uint16_t hd_image_half_ __attribute__((may_alias));
typedef uint32_t hd_image_word_ __attribute__((may_alias));
typedef struct HD_ALIGN(8) hd_image_pair_ {
    uint32_t x, y;
} __attribute__((may_alias)) hd_image_pair_;
typedef struct HD_ALIGN(16) hd_image_quad_ {
    uint32_t x, y, z, w;
} __attribute__((may_alias)) hd_image_quad_;

HD_DEVICE void *hd_image_at_(const hd_image *image, int32_t x, int32_t y, int32_t z)
{
    const size_t row = (size_t)z * image->height + (size_t)y;

    return (char *)image->data + row * image->row_pitch + (size_t)x * image->element_bytes;
}

/* The bits of an element in memory, then zeros; of the border element if an index is -1. */
HD_DEVICE hd_u32x4 hd_image_load_(const hd_image *image, int32_t x, int32_t y, int32_t z)
{
    const void *at;
    hd_u32x4 bits = hd_u32x4_set(0);

    if (x < 0 || y < 0 || z < 0)
        return hd_u32x4_make(image->border[0], image->border[1], image->border[2],
                             image->border[3]);
    at = hd_image_at_(image, x, y, z);
    switch (image->element_bytes) {
    case 1:
        bits.x = *(const uint8_t *)at;
        break;
    case 2:
        bits.x = *(const hd_image_half_ *)at;
        break;
    case 4:
        bits.x = *(const hd_image_word_ *)at;
        break;
    case 8: {
        const hd_image_pair_ pair = *(const hd_image_pair_ *)at;
        bits = hd_u32x4_make(pair.x, pair.y, 0, 0);
        break;
    }
    default: {
        const hd_image_quad_ quad = *(const hd_image_quad_ *)at;
        bits = hd_u32x4_make(quad.x, quad.y, quad.z, quad.w);
        break;
    }
    }
    return bits;
}

/* Stores the low bits of the channels as an element; nothing outside of the image. */
HD_DEVICE void hd_image_store_(const hd_image *image, int32_t x, int32_t y, int32_t z, hd_u32x4 c)
{
    void *at;

    if ((uint32_t)x >= image->width || (uint32_t)y >= image->height || (uint32_t)z >= image->depth)
        return;
    at = hd_image_at_(image, x, y, z);
    if (image->channel_bits == 8)
        c.x = (c.x & 0xffu) | (c.y & 0xffu) << 8 | (c.z & 0xffu) << 16 | c.w << 24;
    else if (image->channel_bits == 16)
        c = hd_u32x4_make((c.x & 0xffffu) | c.y << 16, (c.z & 0xffffu) | c.w << 16, 0, 0);
    switch (image->element_bytes) {
    case 1:
        *(uint8_t *)at = (uint8_t)c.x;
        break;
    case 2:
        *(hd_image_half_ *)at = (uint16_t)c.x;
        break;
    case 4:
        *(hd_image_word_ *)at = c.x;
        break;
    case 8: {
        hd_image_pair_ pair;
        pair.x = c.x;
        pair.y = c.y;
        *(hd_image_pair_ *)at = pair;
        break;
    }
    default: {
        hd_image_quad_ quad;
        quad.x = c.x;
        quad.y = c.y;
        quad.z = c.z;
        quad.w = c.w;
        *(hd_image_quad_ *)at = quad;
        break;
    }
    }
}

/* ---- channels and numbers ---- */

/* An element's channels: integers extended by their sign, floats as their bits. */
HD_DEVICE hd_u32x4 hd_image_channels_(const hd_image *image, hd_u32x4 bits)
{
    const unsigned width = image->channel_bits;
    hd_u32x4 sign;

    if (width == 32)
        return bits;
    if (width == 8)
        bits = hd_u32x4_make(bits.x & 0xffu, bits.x >> 8 & 0xffu, bits.x >> 16 & 0xffu,
                             bits.x >> 24);
    else
        bits = hd_u32x4_make(bits.x & 0xffffu, bits.x >> 16, bits.y & 0xffffu, bits.y >> 16);
    if (image->format != HD_IMAGE_SIGNED_)
        return bits;
    sign = hd_u32x4_set(1u << (width - 1));
    bits = hd_u32x4_make(bits.x ^ sign.x, bits.y ^ sign.y, bits.z ^ sign.z, bits.w ^ sign.w);
    return hd_u32x4_sub(bits, sign);
}

/* The integer that stands for 1; 1 where numbers stand for themselves. */
HD_DEVICE float hd_image_unit_(const hd_image *image)
{
    if (image->format == HD_IMAGE_FLOAT_ || image->channel_bits == 32)
        return 1.0f;
    return (float)((1u << (image->channel_bits - (image->format == HD_IMAGE_SIGNED_))) - 1u);
}

/* The number of a channel in multiples of 1 / hd_image_unit_. The least signed integer counts as
   the one above it, so that numbers are symmetric. */
HD_DEVICE float hd_image_number_(const hd_image *image, uint32_t channel)
{
    if (image->format == HD_IMAGE_UNSIGNED_)
        return (float)channel;
    if (image->format == HD_IMAGE_SIGNED_) {
        const float least = -hd_image_unit_(image), x = (float)(int32_t)channel;

        return image->channel_bits != 32 && x < least ? least : x;
    }
    if (image->channel_bits == 32)
        return hd_f32_from_bits(channel);
    return hd_f16_to_f32(hd_f16_from_bits((uint16_t)channel));
}

HD_DEVICE hd_f32x4 hd_image_numbers_(const hd_image *image, hd_u32x4 bits)
{
    const hd_u32x4 c = hd_image_channels_(image, bits);

    return hd_f32x4_make(hd_image_number_(image, c.x), hd_image_number_(image, c.y),
                         hd_image_number_(image, c.z), hd_image_number_(image, c.w));
}

HD_DEVICE hd_f32x4 hd_image_fractions_(const hd_image *image, hd_f32x4 numbers)
{
    const float unit = hd_image_unit_(image);

    return unit != 1.0f ? hd_f32x4_div(numbers, hd_f32x4_set(unit)) : numbers;
}

/* To nearest, ties to even, for 0 <= x < 2^32: the adder rounds. */
HD_DEVICE uint32_t hd_image_round_(float x)
{
    return (uint32_t)(x < 0x1p23f ? (x + 0x1p23f) - 0x1p23f : x);
}

/* The channel that stands for a float. */
HD_DEVICE uint32_t hd_image_code_(const hd_image *image, float x)
{
    const int is_signed = image->format == HD_IMAGE_SIGNED_, negative = x < 0.0f;
    const float unit = hd_image_unit_(image);
    /* One more than what can be stored, if numbers stand for themselves. */
    const float end = is_signed ? 0x1p31f : 0x1p32f;
    uint32_t magnitude;

    if (image->format == HD_IMAGE_FLOAT_)
        return image->channel_bits == 32 ? hd_f32_bits(x) : hd_f16_bits(hd_f16_from_f32(x));
    if (x != x || (negative && !is_signed))
        return 0;
    x = negative ? -x : x;
    if (unit != 1.0f)
        magnitude = hd_image_round_((x < 1.0f ? x : 1.0f) * unit);
    else if (x >= end)
        magnitude = (is_signed ? 0x7fffffffu : 0xffffffffu) + (uint32_t)negative;
    else
        magnitude = hd_image_round_(x);
    return negative ? 0u - magnitude : magnitude;
}

/* ---- coordinates ---- */

/* The index of the element that index i of an axis with n elements stands for; -1: the border. */
HD_DEVICE int32_t hd_image_index_(int32_t i, uint32_t n, unsigned address)
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

HD_DEVICE int32_t hd_image_layer_(const hd_image *image, int32_t layer)
{
    return hd_image_index_(layer, image->depth, HD_IMAGE_CLAMP);
}

/* A coordinate in elements: NaN counts as 0, and what is beyond 2^30 as 2^30. */
HD_DEVICE float hd_image_elements_(const hd_image *image, float x, uint32_t n)
{
    if (image->normalized)
        x *= (float)n;
    if (x != x)
        return 0.0f;
    x = x < -0x1p30f ? -0x1p30f : x;
    return x > 0x1p30f ? 0x1p30f : x;
}

/* For |x| <= 2^30. */
HD_DEVICE int32_t hd_image_floor_(float x)
{
    const int32_t i = (int32_t)x;

    return (float)i > x ? i - 1 : i;
}

HD_DEVICE int32_t hd_image_nearest_(const hd_image *image, int axis, uint32_t n, float x)
{
    return hd_image_index_(hd_image_floor_(hd_image_elements_(image, x, n)), n,
                           image->address[axis]);
}

/* Two neighbours along an axis, and the weight of the second one. */
typedef struct hd_image_pair_of_ {
    int32_t first, second;
    float weight;
} hd_image_pair_of_;

HD_DEVICE hd_image_pair_of_ hd_image_neighbours_(const hd_image *image, int axis, uint32_t n,
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
HD_DEVICE hd_f32x4 hd_image_mix_(hd_f32x4 a, hd_f32x4 b, float weight)
{
    if (weight == 0.0f)
        return a;
    return hd_f32x4_add(a, hd_f32x4_mul(hd_f32x4_set(weight), hd_f32x4_sub(b, a)));
}

/* The linear filter along x, and along y if there is a y, at index z. All loads come first. */
HD_DEVICE hd_f32x4 hd_image_plane_(const hd_image *image, int dimensions, hd_image_pair_of_ x,
                                   hd_image_pair_of_ y, int32_t z)
{
    const hd_u32x4 a = hd_image_load_(image, x.first, y.first, z);
    const hd_u32x4 b = hd_image_load_(image, x.second, y.first, z);
    hd_u32x4 c = a, d = b;
    hd_f32x4 upper, lower;

    if (dimensions > 1) {
        c = hd_image_load_(image, x.first, y.second, z);
        d = hd_image_load_(image, x.second, y.second, z);
    }
    upper = hd_image_mix_(hd_image_numbers_(image, a), hd_image_numbers_(image, b), x.weight);
    if (dimensions < 2)
        return upper;
    lower = hd_image_mix_(hd_image_numbers_(image, c), hd_image_numbers_(image, d), x.weight);
    return hd_image_mix_(upper, lower, y.weight);
}

HD_DEVICE hd_f32x4 hd_image_linear_(const hd_image *image, int dimensions, float x, float y,
                                    float z, int32_t layer)
{
    const hd_image_pair_of_ along_x = hd_image_neighbours_(image, 0, image->width, x);
    hd_image_pair_of_ along_y = {0, 0, 0.0f}, along_z = {0, 0, 0.0f};
    hd_f32x4 front;

    along_z.first = layer;
    if (dimensions > 1)
        along_y = hd_image_neighbours_(image, 1, image->height, y);
    if (dimensions > 2)
        along_z = hd_image_neighbours_(image, 2, image->depth, z);
    front = hd_image_plane_(image, dimensions, along_x, along_y, along_z.first);
    if (dimensions < 3)
        return front;
    return hd_image_mix_(front,
                         hd_image_plane_(image, dimensions, along_x, along_y, along_z.second),
                         along_z.weight);
}

/* ---- what image_calls.inc is made of; z is used if there are three dimensions, otherwise the
   layer ---- */

HD_DEVICE hd_u32x4 hd_image_read_bits_(const hd_image *image, int dimensions, int32_t x, int32_t y,
                                       int32_t z, int32_t layer)
{
    x = hd_image_index_(x, image->width, image->address[0]);
    y = dimensions > 1 ? hd_image_index_(y, image->height, image->address[1]) : 0;
    z = dimensions > 2 ? hd_image_index_(z, image->depth, image->address[2])
                       : hd_image_layer_(image, layer);
    return hd_image_load_(image, x, y, z);
}

HD_DEVICE hd_u32x4 hd_image_sample_bits_(const hd_image *image, int dimensions, float x, float y,
                                         float z, int32_t layer)
{
    const int32_t i = hd_image_nearest_(image, 0, image->width, x);
    const int32_t j = dimensions > 1 ? hd_image_nearest_(image, 1, image->height, y) : 0;
    const int32_t k = dimensions > 2 ? hd_image_nearest_(image, 2, image->depth, z)
                                     : hd_image_layer_(image, layer);

    return hd_image_load_(image, i, j, k);
}

HD_DEVICE hd_u32x4 hd_image_read_channels_(const hd_image *image, int dimensions, int32_t x,
                                           int32_t y, int32_t z, int32_t layer)
{
    return hd_image_channels_(image, hd_image_read_bits_(image, dimensions, x, y, z, layer));
}

HD_DEVICE hd_u32x4 hd_image_sample_channels_(const hd_image *image, int dimensions, float x,
                                             float y, float z, int32_t layer)
{
    return hd_image_channels_(image, hd_image_sample_bits_(image, dimensions, x, y, z, layer));
}

HD_DEVICE void hd_image_write_channels_(const hd_image *image, int32_t x, int32_t y, int32_t z,
                                        hd_u32x4 channels)
{
    hd_image_store_(image, x, y, z, channels);
}

HD_DEVICE hd_f32x4 hd_image_read_floats_(const hd_image *image, int dimensions, int32_t x,
                                         int32_t y, int32_t z, int32_t layer)
{
    const hd_u32x4 bits = hd_image_read_bits_(image, dimensions, x, y, z, layer);

    return hd_image_fractions_(image, hd_image_numbers_(image, bits));
}

HD_DEVICE hd_f32x4 hd_image_sample_floats_(const hd_image *image, int dimensions, float x, float y,
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
    if (image->filter == HD_IMAGE_LINEAR)
        numbers = hd_image_linear_(image, dimensions, x, y, z, hd_image_layer_(image, layer));
    else
        numbers = hd_image_numbers_(image,
                                    hd_image_sample_bits_(image, dimensions, x, y, z, layer));
    return hd_image_fractions_(image, numbers);
}

HD_DEVICE void hd_image_write_floats_(const hd_image *image, int32_t x, int32_t y, int32_t z,
                                      hd_f32x4 v)
{
    hd_image_store_(image, x, y, z,
                    hd_u32x4_make(hd_image_code_(image, v.x), hd_image_code_(image, v.y),
                                  hd_image_code_(image, v.z), hd_image_code_(image, v.w)));
}

/* For image_calls.inc:
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
#include <heddle/detail/image_calls.inc>

#define HD_IMAGE_S_ f32x4
#define HD_IMAGE_T_ hd_f32x4
#define HD_IMAGE_KIND_ floats
#define HD_IMAGE_PICK_(four) (four)
#define HD_IMAGE_SPREAD_(value) (value)
#include <heddle/detail/image_calls.inc>

#define HD_IMAGE_S_ u32
#define HD_IMAGE_T_ uint32_t
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) (four).x
#define HD_IMAGE_SPREAD_(value) hd_u32x4_make(value, 0, 0, 0)
#include <heddle/detail/image_calls.inc>

#define HD_IMAGE_S_ u32x4
#define HD_IMAGE_T_ hd_u32x4
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) (four)
#define HD_IMAGE_SPREAD_(value) (value)
#include <heddle/detail/image_calls.inc>

#define HD_IMAGE_S_ i32
#define HD_IMAGE_T_ int32_t
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) (int32_t)(four).x
#define HD_IMAGE_SPREAD_(value) hd_u32x4_make((uint32_t)(value), 0, 0, 0)
#include <heddle/detail/image_calls.inc>

HD_DEVICE hd_i32x4 hd_image_signed_(hd_u32x4 v)
{
    return hd_i32x4_make((int32_t)v.x, (int32_t)v.y, (int32_t)v.z, (int32_t)v.w);
}

HD_DEVICE hd_u32x4 hd_image_unsigned_(hd_i32x4 v)
{
    return hd_u32x4_make((uint32_t)v.x, (uint32_t)v.y, (uint32_t)v.z, (uint32_t)v.w);
}

#define HD_IMAGE_S_ i32x4
#define HD_IMAGE_T_ hd_i32x4
#define HD_IMAGE_KIND_ channels
#define HD_IMAGE_PICK_(four) hd_image_signed_(four)
#define HD_IMAGE_SPREAD_(value) hd_image_unsigned_(value)
#include <heddle/detail/image_calls.inc>

#endif
