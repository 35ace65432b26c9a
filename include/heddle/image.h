/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Images: arrays of one, two or three dimensions, and layers of them, that kernels read at
 *  coordinates outside and between elements. Host side; kernels include <heddle/device/image.h>.
 */
#ifndef HEDDLE_IMAGE_H
#define HEDDLE_IMAGE_H

#include <heddle/data.h>
#include <heddle/device/image_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup image Images
 *  @brief Creating images, and copying to and from them. docs/images.md explains coordinates and
 *  filters.
 *  @{
 */

/** Flags of hd_image_config. */
enum {
    HD_IMAGE_NORMALIZED = 1, /**< Coordinates of samples are from 0 to 1 along every axis. */
    /** Float samples may come from the device's texture unit, which filters with weights of 8 bits:
     *  results differ between devices. Devices and images for which there is no unit use heddle's
     *  own arithmetic; hd_image.texture is then 0. */
    HD_IMAGE_HARDWARE = 2
};

/** What hd_image_create() makes: set by hd_image_1d() and the like, then changed as needed. */
typedef struct hd_image_config {
    hd_type type;        /**< Type of a channel: #HD_U8, #HD_I8, #HD_U16, #HD_I16, #HD_U32, #HD_I32,
                       #HD_F16 or #HD_F32. */
    unsigned channels;   /**< Channels of an element: 1, 2 or 4. */
    unsigned dimensions; /**< 1, 2 or 3. */
    int layered;         /**< Nonzero: depth is the number of layers. */
    size_t width;        /**< Elements in x. */
    size_t height;       /**< Elements in y; 1 for one-dimensional images. */
    size_t depth;        /**< Elements in z, or the number of layers; otherwise 1. */
    hd_image_filter filter;      /**< Filter of float samples; first #HD_IMAGE_NEAREST. */
    hd_image_address address[3]; /**< For x, y and z; first #HD_IMAGE_CLAMP. */
    unsigned flags;              /**< #HD_IMAGE_NORMALIZED, #HD_IMAGE_HARDWARE; first 0. */
    const void *border; /**< Host memory: the border element, `channels` numbers of the type. First
                             NULL: zeros. */
    void *memory;       /**< Device memory for the elements, which the caller keeps and frees. First
                             NULL: memory that the image owns. */
    size_t row_pitch;   /**< Bytes from a row of memory to the next. First 0: rows without gaps. Not
                             used if memory is NULL. */
} hd_image_config;

/** Returns the configuration of a one-dimensional image: nearest filter, clamped, coordinates in
 *  elements.
 *
 *  @param type      Type of a channel.
 *  @param channels  Channels of an element: 1, 2 or 4.
 *  @param width     Number of elements.
 *  @return The configuration; hd_image_create() checks it.
 */
hd_image_config hd_image_1d(hd_type type, unsigned channels, size_t width);

/** Returns the configuration of a two-dimensional image, as hd_image_1d().
 *
 *  @param type      Type of a channel.
 *  @param channels  Channels of an element: 1, 2 or 4.
 *  @param width     Elements in x.
 *  @param height    Elements in y.
 *  @return The configuration.
 */
hd_image_config hd_image_2d(hd_type type, unsigned channels, size_t width, size_t height);

/** Returns the configuration of a three-dimensional image, as hd_image_1d().
 *
 *  @param type      Type of a channel.
 *  @param channels  Channels of an element: 1, 2 or 4.
 *  @param width     Elements in x.
 *  @param height    Elements in y.
 *  @param depth     Elements in z.
 *  @return The configuration.
 */
hd_image_config hd_image_3d(hd_type type, unsigned channels, size_t width, size_t height,
                            size_t depth);

/** Returns the configuration of layers of one-dimensional images, as hd_image_1d().
 *
 *  @param type      Type of a channel.
 *  @param channels  Channels of an element: 1, 2 or 4.
 *  @param width     Elements of a layer.
 *  @param layers    Number of layers.
 *  @return The configuration.
 */
hd_image_config hd_image_1d_layered(hd_type type, unsigned channels, size_t width, size_t layers);

/** Returns the configuration of layers of two-dimensional images, as hd_image_1d().
 *
 *  @param type      Type of a channel.
 *  @param channels  Channels of an element: 1, 2 or 4.
 *  @param width     Elements of a layer in x.
 *  @param height    Elements of a layer in y.
 *  @param layers    Number of layers.
 *  @return The configuration.
 */
hd_image_config hd_image_2d_layered(hd_type type, unsigned channels, size_t width, size_t height,
                                    size_t layers);

/** Creates an image.
 *
 *  Memory that the image owns has rows that start at multiples of 256 bytes; its contents are
 *  undefined. Given memory has to start at a multiple of the bytes of an element, as has every row.
 *  Several images may use the same memory, e.g. to sample it with both filters.
 *
 *  @param image   Receives the image; hd_image_destroy() releases it.
 *  @param config  What to create.
 *  @param device  Index of the device that has the memory, and whose kernels use the image.
 *  @retval HD_ERR_ARGUMENT     image or config is NULL; an extent is 0 or exceeds
 *                              #HD_IMAGE_EXTENT_MAX; a value or combination that the members of
 *                              hd_image_config do not allow; given memory or its row pitch is not
 *                              aligned; a row pitch shorter than a row.
 *  @retval HD_ERR_UNSUPPORTED  Elements of 64 bits or bfloat16; a linear filter of 32-bit integers.
 *  @retval HD_ERR_OVERFLOW     The elements have more bytes than there are addresses.
 *  @retval HD_ERR_POINTER      Given memory is not memory of a device, or is too short.
 *  @retval HD_ERR_NO_MEMORY    There is not enough memory.
 *  @return Also the @ref common_errors.
 */
hd_status hd_image_create(hd_image *image, const hd_image_config *config, int device);

/** Releases an image, and its memory if it owns it; waits for work of the device that may use it.
 *
 *  @param image  The image, which becomes zeros. NULL, and an image of zeros, are success. Copies
 *                of it must not be used or destroyed afterwards.
 *  @return HD_OK or an error of hd_free().
 */
hd_status hd_image_destroy(hd_image *image);

/** Copies all elements to an image in stream order. Returns and fails as hd_copy_2d().
 *
 *  Moves the bytes of the elements once.
 *
 *  @param image   The image.
 *  @param from    Host or device memory: rows without gaps, one after another, then slices or
 *                 layers.
 *  @param stream  Stream of the image's device.
 *  @retval HD_ERR_ARGUMENT  A pointer is NULL, the image was not created or is destroyed, or the
 *                           stream is of another device.
 *  @return Also as hd_copy_2d().
 */
hd_status hd_image_copy_from(const hd_image *image, const void *from, hd_stream *stream);

/** Copies all elements of an image in stream order. Returns and fails as hd_copy_2d().
 *
 *  @param to      Host or device memory for rows without gaps, one after another, then slices or
 *                 layers.
 *  @param image   The image.
 *  @param stream  Stream of the image's device.
 *  @retval HD_ERR_ARGUMENT  As hd_image_copy_from().
 *  @return Also as hd_copy_2d().
 */
hd_status hd_image_copy_to(void *to, const hd_image *image, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
