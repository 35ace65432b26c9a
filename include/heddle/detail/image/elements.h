/* SPDX-License-Identifier: Apache-2.0 */
/* elements.h - the elements of an image: where they are, their bits, channels and numbers; included
   by device/image.h. All functions are HD_SITED: findings of the checker name the caller's line. */
#ifndef HEDDLE_DETAIL_IMAGE_ELEMENTS_H
#define HEDDLE_DETAIL_IMAGE_ELEMENTS_H

#include <heddle/device/half.h>
#include <heddle/device/image_types.h>
#include <heddle/device/order.h>
#include <heddle/device/vector.h>

/* The CPU engine passes a kernel its own copy of the image for each thread. Without this, gcc takes
   the copy apart and puts it together again from its parts, which takes several times as long as a
   read (loads of what narrower stores have just written). */
HD_SITED const hd_image *hd_image_whole_(const hd_image *image)
{
#if HD_SERIAL_THREADS
    __asm__("" : "+r"(image));
#endif
    return image;
}

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

HD_SITED void *hd_image_at_(const hd_image *image, int32_t x, int32_t y, int32_t z)
{
    const size_t row = (size_t)z * image->height + (size_t)y;

    return (char *)image->data + row * image->row_pitch + (size_t)x * image->element_bytes;
}

/* Where an element is; NULL, for an index of -1: the border. */
HD_SITED const void *hd_image_find_(const hd_image *image, int32_t x, int32_t y, int32_t z)
{
    return (x | y | z) < 0 ? NULL : hd_image_at_(image, x, y, z);
}

/* The bits of `count` elements, then zeros. One decision about their size for all, and all loads
   one after another. */
HD_SITED void hd_image_load_(const hd_image *image, int count, const void *const *at,
                             hd_u32x4 *bits)
{
    switch (image->element_bytes) {
    case 1:
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            const uint8_t *byte = (const uint8_t *)at[i];
            bits[i] = hd_u32x4_make(byte ? *byte : image->border[0], 0, 0, 0);
        }
        break;
    case 2:
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            const hd_image_half_ *half = (const hd_image_half_ *)at[i];
            bits[i] = hd_u32x4_make(half ? *half : image->border[0], 0, 0, 0);
        }
        break;
    case 4:
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            const hd_image_word_ *word = (const hd_image_word_ *)at[i];
            bits[i] = hd_u32x4_make(word ? *word : image->border[0], 0, 0, 0);
        }
        break;
    case 8:
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            hd_image_pair_ pair = {image->border[0], image->border[1]};
            if (at[i])
                pair = *(const hd_image_pair_ *)at[i];
            bits[i] = hd_u32x4_make(pair.x, pair.y, 0, 0);
        }
        break;
    default:
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            hd_image_quad_ quad = {image->border[0], image->border[1], image->border[2],
                                   image->border[3]};
            if (at[i])
                quad = *(const hd_image_quad_ *)at[i];
            bits[i] = hd_u32x4_make(quad.x, quad.y, quad.z, quad.w);
        }
        break;
    }
}

HD_SITED hd_u32x4 hd_image_load_one_(const hd_image *image, int32_t x, int32_t y, int32_t z)
{
    const void *at = hd_image_find_(image, x, y, z);
    hd_u32x4 bits;

    hd_image_load_(image, 1, &at, &bits);
    return bits;
}

/* Stores the low bits of the channels as an element; nothing outside of the image. */
HD_SITED void hd_image_store_(const hd_image *image, int32_t x, int32_t y, int32_t z, hd_u32x4 c)
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
HD_SITED hd_u32x4 hd_image_channels_(const hd_image *image, hd_u32x4 bits)
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
HD_SITED float hd_image_unit_(const hd_image *image)
{
    if (image->format == HD_IMAGE_FLOAT_ || image->channel_bits == 32)
        return 1.0f;
    return (float)((1u << (image->channel_bits - (image->format == HD_IMAGE_SIGNED_))) - 1u);
}

/* The number of an integer channel in multiples of 1 / hd_image_unit_. The least integer of 8 and
   16 bits counts as the one above it, so that numbers are symmetric. */
HD_SITED float hd_image_signed_number_(uint32_t channel, float least)
{
    const float x = (float)(int32_t)channel;

    return x < least ? least : x;
}

HD_SITED float hd_image_half_number_(uint32_t channel)
{
    return hd_f16_to_f32(hd_f16_from_bits((uint16_t)channel));
}

/* The numbers of `count` elements; one decision about their type for all. */
HD_SITED void hd_image_numbers_(const hd_image *image, int count, const hd_u32x4 *bits,
                                hd_f32x4 *numbers)
{
    if (image->format == HD_IMAGE_FLOAT_ && image->channel_bits == 32) {
        HD_UNROLL
        for (int i = 0; i < count; i++)
            numbers[i] = hd_f32x4_make(hd_f32_from_bits(bits[i].x), hd_f32_from_bits(bits[i].y),
                                       hd_f32_from_bits(bits[i].z), hd_f32_from_bits(bits[i].w));
    } else if (image->format == HD_IMAGE_FLOAT_) {
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            const hd_u32x4 c = hd_image_channels_(image, bits[i]);
            numbers[i] = hd_f32x4_make(hd_image_half_number_(c.x), hd_image_half_number_(c.y),
                                       hd_image_half_number_(c.z), hd_image_half_number_(c.w));
        }
    } else if (image->format == HD_IMAGE_UNSIGNED_) {
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            const hd_u32x4 c = hd_image_channels_(image, bits[i]);
            numbers[i] = hd_f32x4_make((float)c.x, (float)c.y, (float)c.z, (float)c.w);
        }
    } else {
        const float least = image->channel_bits == 32 ? -0x1p31f : -hd_image_unit_(image);
        HD_UNROLL
        for (int i = 0; i < count; i++) {
            const hd_u32x4 c = hd_image_channels_(image, bits[i]);
            numbers[i] = hd_f32x4_make(
                hd_image_signed_number_(c.x, least), hd_image_signed_number_(c.y, least),
                hd_image_signed_number_(c.z, least), hd_image_signed_number_(c.w, least));
        }
    }
}

HD_SITED hd_f32x4 hd_image_fractions_(const hd_image *image, hd_f32x4 numbers)
{
    const float unit = hd_image_unit_(image);

    return unit != 1.0f ? hd_f32x4_div(numbers, hd_f32x4_set(unit)) : numbers;
}

/* To nearest, ties to even, for 0 <= x < 2^32: the adder rounds. */
HD_SITED uint32_t hd_image_round_(float x)
{
    return (uint32_t)(x < 0x1p23f ? (x + 0x1p23f) - 0x1p23f : x);
}

/* The channel that stands for a float. */
HD_SITED uint32_t hd_image_code_(const hd_image *image, float x)
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

#endif
