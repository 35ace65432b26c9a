/* SPDX-License-Identifier: Apache-2.0 */
/* image_model.h - what reads, samples and writes of images give by the definitions of
   docs/images.md, in binary64 arithmetic, rounded to binary32 where they say so. (Rounding
   a sum, difference, product or quotient of binary32 numbers to binary64 first does not change the
   result: 53 >= 2 * 24 + 2.) */
#ifndef HEDDLE_TESTS_IMAGE_MODEL_H
#define HEDDLE_TESTS_IMAGE_MODEL_H

#include <heddle/image.h>
#include <math.h>

#include "image_kernels.h"
#include "rig.h"

/* An image on the host: elements without gaps. */
typedef struct model_image {
    hd_image_config config;
    int shape;
    unsigned char *elements;
    unsigned char border[16];
} model_image;

TEST_UNUSED static const char *const shape_names[SHAPES] = {"1d", "2d", "3d", "1d_layered",
                                                            "2d_layered"};

TEST_UNUSED static hd_image_config model_config(int shape, hd_type type, unsigned channels,
                                                const size_t extents[3])
{
    switch (shape) {
    case SHAPE_1D:
        return hd_image_1d(type, channels, extents[0]);
    case SHAPE_2D:
        return hd_image_2d(type, channels, extents[0], extents[1]);
    case SHAPE_3D:
        return hd_image_3d(type, channels, extents[0], extents[1], extents[2]);
    case SHAPE_1D_LAYERED:
        return hd_image_1d_layered(type, channels, extents[0], extents[2]);
    default:
        return hd_image_2d_layered(type, channels, extents[0], extents[1], extents[2]);
    }
}

TEST_UNUSED static size_t model_bytes(const hd_image_config *c)
{
    return c->width * c->height * c->depth * c->channels * hd_type_bytes(c->type);
}

/* ---- numbers ---- */

TEST_UNUSED static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);

    if (exponent == 31)
        magnitude = fraction != 0 ? NAN : INFINITY;
    return bits >> 15 ? -magnitude : magnitude;
}

/* A channel as a whole number, floats as their bits. */
TEST_UNUSED static int64_t channel_of(hd_type type, const unsigned char *element, unsigned channel)
{
    const unsigned char *at = element + channel * hd_type_bytes(type);
    uint32_t word;
    uint16_t half;

    memcpy(&half, at, hd_type_bytes(type) == 2 ? 2 : 0);
    memcpy(&word, at, hd_type_bytes(type) == 4 ? 4 : 0);
    switch (type) {
    case HD_U8:
        return at[0];
    case HD_I8:
        return at[0] < 128 ? at[0] : at[0] - 256;
    case HD_U16:
    case HD_F16:
        return half;
    case HD_I16:
        return half < 32768 ? half : half - 65536;
    case HD_I32:
        return word < 2147483648u ? (int64_t)word : (int64_t)word - 4294967296;
    default:
        return word;
    }
}

/* What stands for 1. */
TEST_UNUSED static double unit_of(hd_type type)
{
    return type == HD_U8    ? 255
           : type == HD_I8  ? 127
           : type == HD_U16 ? 65535
           : type == HD_I16 ? 32767
                            : 1;
}

/* The number that filters see: a whole number of units for integers. */
TEST_UNUSED static double number_of(hd_type type, const unsigned char *element, unsigned channel)
{
    const int64_t whole = channel_of(type, element, channel);
    float x;

    if (type == HD_F16)
        return half_value((uint16_t)whole);
    if (type == HD_F32) {
        memcpy(&x, element + channel * sizeof x, sizeof x);
        return (double)x;
    }
    if (type == HD_I8 || type == HD_I16)
        return fmax((double)whole, -unit_of(type));
    return (double)(float)whole;
}

/* ---- elements ---- */

/* The index that stands for i along an axis of n elements; -1: the border. */
TEST_UNUSED static int64_t model_index(int64_t i, size_t n, hd_image_address address)
{
    const double size = (double)n, at = (double)i;

    switch (address) {
    case HD_IMAGE_CLAMP:
        return (int64_t)fmin(fmax(at, 0), size - 1);
    case HD_IMAGE_WRAP:
        return (int64_t)(at - size * floor(at / size));
    case HD_IMAGE_MIRROR: {
        const double period = floor(at / size), within = at - size * period;
        return (int64_t)(fmod(period, 2) == 0 ? within : size - 1 - within);
    }
    default:
        return i >= 0 && at < size ? i : -1;
    }
}

TEST_UNUSED static const unsigned char *model_element(const model_image *m, const int64_t at[3])
{
    const hd_image_config *c = &m->config;
    const int64_t x = model_index(at[0], c->width, c->address[0]);
    const int64_t y = model_index(at[1], c->height, c->address[1]);
    const int64_t z = model_index(at[2], c->depth, c->layered ? HD_IMAGE_CLAMP : c->address[2]);
    const size_t bytes = c->channels * hd_type_bytes(c->type);

    if (x < 0 || y < 0 || z < 0)
        return m->border;
    return m->elements + (((size_t)z * c->height + (size_t)y) * c->width + (size_t)x) * bytes;
}

/* ---- samples ---- */

TEST_UNUSED static float rounded(double x)
{
    return (float)x;
}

/* The coordinate in elements. */
TEST_UNUSED static double model_place(const hd_image_config *c, float x, size_t n)
{
    const float u = c->flags & HD_IMAGE_NORMALIZED ? rounded((double)x * (double)(float)n) : x;

    if (u != u)
        return 0;
    return fmin(fmax((double)u, -0x1p30), 0x1p30);
}

/* Which axes the calls of the shape have, besides x. */
TEST_UNUSED static int has_y(int shape)
{
    return shape == SHAPE_2D || shape == SHAPE_3D || shape == SHAPE_2D_LAYERED;
}

TEST_UNUSED static void nearest_of(const model_image *m, hd_f32x4 at, int64_t index[3])
{
    const hd_image_config *c = &m->config;

    index[0] = (int64_t)floor(model_place(c, at.x, c->width));
    index[1] = has_y(m->shape) ? (int64_t)floor(model_place(c, at.y, c->height)) : 0;
    index[2] = c->layered ? (int64_t)at.w : 0;
    if (m->shape == SHAPE_3D)
        index[2] = (int64_t)floor(model_place(c, at.z, c->depth));
}

TEST_UNUSED static double mix(double a, double b, double weight)
{
    const double difference = (double)rounded(b - a);

    if (weight == 0)
        return a;
    return (double)rounded(a + (double)rounded(weight * difference));
}

/* Numbers of the neighbours: bit 0 of the index is x, bit 1 y, bit 2 z. */
TEST_UNUSED static void neighbours_of(const model_image *m, hd_f32x4 at, unsigned channel,
                                      double values[8], double weights[3])
{
    const hd_image_config *c = &m->config;
    const double places[3] = {model_place(c, at.x, c->width), model_place(c, at.y, c->height),
                              model_place(c, at.z, c->depth)};
    int64_t first[3] = {0, 0, c->layered ? (int64_t)at.w : 0};
    const int axes[3] = {1, has_y(m->shape), m->shape == SHAPE_3D};

    for (int axis = 0; axis < 3; axis++) {
        const double b = (double)rounded(places[axis] - 0.5);
        weights[axis] = 0;
        if (axes[axis]) {
            first[axis] = (int64_t)floor(b);
            weights[axis] = (double)rounded(b - floor(b));
        }
    }
    for (int i = 0; i < 8; i++) {
        const int64_t index[3] = {first[0] + (axes[0] ? i & 1 : 0),
                                  first[1] + (axes[1] ? i >> 1 & 1 : 0),
                                  first[2] + (axes[2] ? i >> 2 & 1 : 0)};
        values[i] = number_of(c->type, model_element(m, index), channel);
    }
}

/* A float sample. *exact is the interpolation without rounding, *largest the largest magnitude of
   what it is made of. */
TEST_UNUSED static float model_sample(const model_image *m, hd_f32x4 at, unsigned channel,
                                      double *exact, double *largest)
{
    const hd_image_config *c = &m->config;
    double v[8], w[3], sum = 0;
    int64_t index[3];

    *exact = *largest = 0;
    if (channel >= c->channels)
        return 0;
    if (c->filter == HD_IMAGE_NEAREST) {
        nearest_of(m, at, index);
        *exact = number_of(c->type, model_element(m, index), channel) / unit_of(c->type);
        *largest = fabs(*exact);
        return rounded(*exact);
    }
    neighbours_of(m, at, channel, v, w);
    for (int i = 0; i < 8; i++) {
        sum += v[i] * (i & 1 ? w[0] : 1 - w[0]) * (i & 2 ? w[1] : 1 - w[1]) *
               (i & 4 ? w[2] : 1 - w[2]);
        *largest = fmax(*largest, fabs(v[i]) / unit_of(c->type));
    }
    *exact = sum / unit_of(c->type);
    for (int i = 0; i < 8; i += 2)
        v[i] = mix(v[i], v[i + 1], w[0]);
    v[0] = mix(v[0], v[2], w[1]);
    v[4] = mix(v[4], v[6], w[1]);
    return rounded(mix(v[0], v[4], w[2]) / unit_of(c->type));
}

TEST_UNUSED static int64_t model_sample_channel(const model_image *m, hd_f32x4 at, unsigned channel)
{
    int64_t index[3];

    nearest_of(m, at, index);
    return channel < m->config.channels
               ? channel_of(m->config.type, model_element(m, index), channel)
               : 0;
}

/* ---- writes ---- */

/* The nearest whole number, of two the even one. */
TEST_UNUSED static double nearest_even(double x)
{
    const double below = floor(x), rest = x - below;

    return rest < 0.5 || (rest == 0.5 && fmod(below, 2) == 0) ? below : below + 1;
}

/* The channel that stands for x, as it is in memory. */
TEST_UNUSED static uint32_t model_code(hd_type type, float x)
{
    const double unit = unit_of(type);
    const int is_signed = type == HD_I8 || type == HD_I16 || type == HD_I32;
    double least = is_signed ? -unit : 0, most = unit, whole;
    uint32_t bits;

    if (type == HD_F32) {
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }
    if (type == HD_F16)
        return hd_f16_bits(hd_f16_from_f32(x));
    if (x != x)
        return 0;
    if (type == HD_U32 || type == HD_I32) {
        least = is_signed ? -2147483648.0 : 0;
        most = is_signed ? 2147483647.0 : 4294967295.0;
        whole = nearest_even((double)x);
    } else {
        const double x_within = fmin(fmax((double)x, is_signed ? -1 : 0), 1);
        whole = nearest_even((double)rounded(x_within * unit));
    }
    whole = fmin(fmax(whole, least), most);
    bits = (uint32_t)(int64_t)whole;
    return hd_type_bytes(type) == 4 ? bits : bits & (hd_type_bytes(type) == 1 ? 0xffu : 0xffffu);
}

#endif
