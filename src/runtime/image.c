/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - images: linear memory with rows at a pitch, and the descriptor that kernels take. */
#include <heddle/image.h>

#include <string.h>

#include "runtime.h"

/* Rows of owned memory: what texture units and wide loads of all vendors need. */
enum { ROW_ALIGNMENT = 256 };

static hd_image_config image_config(hd_type type, unsigned channels, unsigned dimensions)
{
    hd_image_config config;

    memset(&config, 0, sizeof config);
    config.type = type;
    config.channels = channels;
    config.dimensions = dimensions;
    config.height = config.depth = 1;
    config.filter = HD_IMAGE_NEAREST;
    for (int i = 0; i < 3; i++)
        config.address[i] = HD_IMAGE_CLAMP;
    return config;
}

hd_image_config hd_image_1d(hd_type type, unsigned channels, size_t width)
{
    hd_image_config config = image_config(type, channels, 1);

    config.width = width;
    return config;
}

hd_image_config hd_image_2d(hd_type type, unsigned channels, size_t width, size_t height)
{
    hd_image_config config = image_config(type, channels, 2);

    config.width = width;
    config.height = height;
    return config;
}

hd_image_config hd_image_3d(hd_type type, unsigned channels, size_t width, size_t height,
                            size_t depth)
{
    hd_image_config config = image_config(type, channels, 3);

    config.width = width;
    config.height = height;
    config.depth = depth;
    return config;
}

hd_image_config hd_image_1d_layered(hd_type type, unsigned channels, size_t width, size_t layers)
{
    hd_image_config config = hd_image_1d(type, channels, width);

    config.depth = layers;
    config.layered = 1;
    return config;
}

hd_image_config hd_image_2d_layered(hd_type type, unsigned channels, size_t width, size_t height,
                                    size_t layers)
{
    hd_image_config config = hd_image_2d(type, channels, width, height);

    config.depth = layers;
    config.layered = 1;
    return config;
}

/* ---- checks --------------------------------------------------------------------------------- */

/* -1: no type of images. */
static int format_of(hd_type type)
{
    switch (type) {
    case HD_U8:
    case HD_U16:
    case HD_U32:
        return HD_IMAGE_UNSIGNED_;
    case HD_I8:
    case HD_I16:
    case HD_I32:
        return HD_IMAGE_SIGNED_;
    case HD_F16:
    case HD_F32:
        return HD_IMAGE_FLOAT_;
    default:
        return -1;
    }
}

static hd_status check_elements(const char *call, const hd_image_config *config)
{
    if ((int)config->type < 0 || config->type >= HD_TYPE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown element type %d", (int)config->type);
    if (format_of(config->type) < 0)
        return hd__fail(HD_ERR_UNSUPPORTED, call,
                        "images of %s are not supported; use u8, i8, u16, i16, u32, i32, f16 or "
                        "f32",
                        hd_type_name(config->type));
    if (config->channels != 1 && config->channels != 2 && config->channels != 4)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u channels; 1, 2 and 4 are possible",
                        config->channels);
    if (config->filter != HD_IMAGE_NEAREST && config->filter != HD_IMAGE_LINEAR)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown filter %d", (int)config->filter);
    if (config->filter == HD_IMAGE_LINEAR && (config->type == HD_U32 || config->type == HD_I32))
        return hd__fail(HD_ERR_UNSUPPORTED, call,
                        "the linear filter does not support %s; use f32, or HD_IMAGE_NEAREST",
                        hd_type_name(config->type));
    return HD_OK;
}

static hd_status check_extents(const char *call, const hd_image_config *config)
{
    static const char *const names[] = {"width", "height", "depth"};
    const size_t extents[] = {config->width, config->height, config->depth};
    const int layered = config->layered != 0;

    if (config->dimensions < 1 || config->dimensions > 3)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u dimensions; 1, 2 and 3 are possible",
                        config->dimensions);
    if (layered && config->dimensions == 3)
        return hd__fail(HD_ERR_ARGUMENT, call, "layers have 1 or 2 dimensions, not 3");
    for (unsigned i = 0; i < 3; i++) {
        const char *name = layered && i == 2 ? "number of layers" : names[i];
        if (extents[i] == 0 || extents[i] > HD_IMAGE_EXTENT_MAX)
            return hd__fail(HD_ERR_ARGUMENT, call, "the %s is %zu; 1 to %d are possible", name,
                            extents[i], (int)HD_IMAGE_EXTENT_MAX);
        if (i >= config->dimensions && !(layered && i == 2) && extents[i] != 1)
            return hd__fail(HD_ERR_ARGUMENT, call,
                            "the %s of an image of %u dimensions is %zu; it has to be 1", name,
                            config->dimensions, extents[i]);
        if ((int)config->address[i] < 0 || config->address[i] > HD_IMAGE_BORDER)
            return hd__fail(HD_ERR_ARGUMENT, call, "unknown address mode %d",
                            (int)config->address[i]);
    }
    if (config->flags & ~(unsigned)(HD_IMAGE_NORMALIZED | HD_IMAGE_HARDWARE))
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown flags 0x%x", config->flags);
    return HD_OK;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t row_bytes(const hd_image *image)
{
    return (size_t)image->width * image->element_bytes;
}

static size_t rows_of(const hd_image *image)
{
    return (size_t)image->height * image->depth;
}

/* Memory of the caller: a start, a pitch and a length that fit. */
static hd_status use_memory(const char *call, const hd_image_config *config, hd_image *image)
{
    hd_pointer_info info;
    const size_t pitch = config->row_pitch != 0 ? config->row_pitch : row_bytes(image);
    const size_t bytes = hd_bytes(rows_of(image), pitch);

    if ((uintptr_t)config->memory % image->element_bytes != 0 || pitch % image->element_bytes != 0)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "memory and row pitch have to be multiples of an element of %u bytes",
                        image->element_bytes);
    if (pitch < row_bytes(image))
        return hd__fail(HD_ERR_ARGUMENT, call, "a pitch of %zu is less than a row of %zu bytes",
                        pitch, row_bytes(image));
    if (bytes == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu rows of %zu bytes do not fit in memory",
                        rows_of(image), pitch);
    HD_TRY(hd_pointer_get(config->memory, &info));
    if (info.kind == HD_MEM_UNKNOWN)
        return hd__fail(HD_ERR_POINTER, call,
                        "memory is plain host memory, which kernels cannot access");
    if ((info.kind == HD_MEM_DEVICE || info.kind == HD_MEM_COHERENT) &&
        info.device != image->device)
        return hd__fail(HD_ERR_POINTER, call, "memory of device %d for an image of device %d",
                        info.device, image->device);
    if (info.base) {
        const size_t before = (size_t)((char *)config->memory - (char *)info.base);
        const size_t needed = bytes - pitch + row_bytes(image);
        if (needed > info.bytes - before)
            return hd__fail(HD_ERR_POINTER, call,
                            "the image needs %zu bytes; its allocation has %zu left", needed,
                            info.bytes - before);
    }
    image->data = config->memory;
    image->row_pitch = pitch;
    return HD_OK;
}

static hd_status own_memory(const char *call, hd_image *image)
{
    image->row_pitch = (row_bytes(image) + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    if (hd_bytes(rows_of(image), image->row_pitch) == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu rows of %zu bytes do not fit in memory",
                        rows_of(image), image->row_pitch);
    HD_TRY(hd_alloc_bytes(&image->data, rows_of(image), image->row_pitch, HD_MEM_DEVICE,
                          image->device));
    image->owned = 1;
    return HD_OK;
}

/* ---- images --------------------------------------------------------------------------------- */

/* All but memory and texture. */
static void describe(const hd_image_config *config, int device, hd_image *image)
{
    memset(image, 0, sizeof *image);
    image->width = (uint32_t)config->width;
    image->height = (uint32_t)config->height;
    image->depth = (uint32_t)config->depth;
    image->device = device;
    image->channels = (uint8_t)config->channels;
    image->channel_bits = (uint8_t)(8 * hd_type_bytes(config->type));
    image->element_bytes = (uint8_t)(config->channels * hd_type_bytes(config->type));
    image->format = (uint8_t)format_of(config->type);
    image->filter = (uint8_t)config->filter;
    image->normalized = (config->flags & HD_IMAGE_NORMALIZED) != 0;
    image->dimensions = (uint8_t)config->dimensions;
    image->layered = config->layered != 0;
    for (int i = 0; i < 3; i++)
        image->address[i] = (uint8_t)config->address[i];
    if (config->border)
        memcpy(image->border, config->border, image->element_bytes);
}

hd_status hd_image_create(hd_image *image, const hd_image_config *config, int device)
{
    static const char call[] = "hd_image_create";
    hd__device *entry;
    hd_image made;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!image || !config)
        return hd__null(call, image ? "config" : "image");
    HD_TRY(check_elements(call, config));
    HD_TRY(check_extents(call, config));
    describe(config, device, &made);
    HD_TRY(config->memory ? use_memory(call, config, &made) : own_memory(call, &made));
    if (config->flags & HD_IMAGE_HARDWARE) {
        status = hd__settle(call, device,
                            hdb_texture_create(call, entry->ordinal, &made, &made.texture));
        if (status < 0) {
            if (made.owned)
                (void)hd_free(made.data);
            return status;
        }
    }
    *image = made;
    return HD_OK;
}

hd_status hd_image_destroy(hd_image *image)
{
    HD__RELEASING;
    hd__device *entry;
    hd_status status = HD_OK;
    if (!image || !image->data)
        return HD_OK;
    if (image->texture != 0) {
        status = hd__device_find("hd_image_destroy", image->device, &entry);
        if (status >= 0)
            status = hdb_texture_destroy("hd_image_destroy", entry->ordinal, image->texture);
    }
    if (image->owned) {
        const hd_status freed = hd_free(image->data);
        status = status < 0 ? status : freed;
    }
    memset(image, 0, sizeof *image);
    return status;
}

static hd_status copy_check(const char *call, const hd_image *image, const void *array,
                            const hd_stream *stream)
{
    const hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!image || !array)
        return hd__null(call, image ? "the array" : "image");
    if (!image->data)
        return hd__fail(HD_ERR_ARGUMENT, call, "the image was not created, or is destroyed");
    if (stream->device != image->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the stream is of device %d, the image of device %d",
                        stream->device, image->device);
    return HD_OK;
}

hd_status hd_image_copy_from(const hd_image *image, const void *from, hd_stream *stream)
{
    HD_TRY(copy_check("hd_image_copy_from", image, from, stream));
    return hd_copy_2d(image->data, image->row_pitch, from, row_bytes(image), row_bytes(image),
                      rows_of(image), stream);
}

hd_status hd_image_copy_to(void *to, const hd_image *image, hd_stream *stream)
{
    HD_TRY(copy_check("hd_image_copy_to", image, to, stream));
    return hd_copy_2d(to, row_bytes(image), image->data, image->row_pitch, row_bytes(image),
                      rows_of(image), stream);
}
