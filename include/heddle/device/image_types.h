/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The descriptor of an image, which host code creates (image.h) and kernels take by value
 *  (device/image.h). For headers that host and kernel files share. Plain C11 and C++17.
 */
#ifndef HEDDLE_DEVICE_IMAGE_TYPES_H
#define HEDDLE_DEVICE_IMAGE_TYPES_H

#include <heddle/device/bits.h>

/** @defgroup image_types Descriptors of images
 *  @brief What host code and kernels know about an image; docs/images.md.
 *  @{
 */

/** What lies outside of an image along one axis of n elements; i is the index there. */
typedef enum hd_image_address {
    HD_IMAGE_CLAMP,  /**< The nearest element: index 0 or n - 1. */
    HD_IMAGE_WRAP,   /**< The image repeated: index i modulo n, not negative. */
    HD_IMAGE_MIRROR, /**< The image repeated, every second time reversed: -1 is 0, n is n - 1. */
    HD_IMAGE_BORDER  /**< The border element of the image. */
} hd_image_address;

/** How a float sample is made of elements. */
typedef enum hd_image_filter {
    HD_IMAGE_NEAREST, /**< The element that contains the coordinates. */
    HD_IMAGE_LINEAR   /**< Linear interpolation along every axis: of 2, 4 or 8 elements. */
} hd_image_filter;

/** Limits of images. */
enum {
    HD_IMAGE_EXTENT_MAX = 1 << 27 /**< Greatest width, height, depth and number of layers. */
};

/* hd_image.format */
enum { HD_IMAGE_UNSIGNED_, HD_IMAGE_SIGNED_, HD_IMAGE_FLOAT_ };

/** An image: elements of 1, 2 or 4 channels in linear memory of a device.
 *
 *  Pass it to kernels by value; copies of it refer to the same memory. Element (x, y, z) starts
 *  at byte (z * height + y) * row_pitch + x * element_bytes of data, its channels follow one
 *  another. Members may be read by host code and kernels; only hd_image_create() sets them.
 */
typedef struct hd_image {
    void *data;            /**< Device memory of element (0, 0, 0). */
    size_t row_pitch;      /**< Bytes from a row to the next. */
    uint64_t texture;      /**< The texture unit's object; 0: the unit is not used. */
    uint32_t width;        /**< Elements in x. */
    uint32_t height;       /**< Elements in y; 1 for one-dimensional images. */
    uint32_t depth;        /**< Elements in z, or the number of layers; otherwise 1. */
    uint32_t border[4];    /**< The border element as it would be in memory. */
    int32_t device;        /**< Index of the device that has the memory. */
    uint8_t channels;      /**< 1, 2 or 4. */
    uint8_t channel_bits;  /**< 8, 16 or 32. */
    uint8_t element_bytes; /**< Bytes of an element: 1, 2, 4, 8 or 16. */
    uint8_t format;        /**< Kind of numbers; internal. */
    uint8_t filter;        /**< An #hd_image_filter. */
    uint8_t normalized;    /**< 1: coordinates of samples are from 0 to 1. */
    uint8_t owned;         /**< 1: hd_image_destroy() frees the memory. */
    uint8_t dimensions;    /**< 1, 2 or 3, without layers. */
    uint8_t address[3];    /**< An #hd_image_address for x, y and z. */
    uint8_t layered;       /**< 1: depth is a number of layers. */
} hd_image;

/** @} */

#endif
