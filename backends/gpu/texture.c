/* SPDX-License-Identifier: Apache-2.0 */
/* texture.c - texture objects on the memory of images, for samples by the texture unit. */
#include "gpu.h"

#include <string.h>

/* Whether the unit has what the image needs: rows in linear memory, floats or fractions, repetition
   only of coordinates from 0 to 1, and (as created here) a border of zeros. */
static int has_unit(const hd_image *image)
{
    if (image->dimensions > 2 || image->layered)
        return 0;
    if (image->channel_bits == 32 && image->format != HD_IMAGE_FLOAT_)
        return 0;
    for (int i = 0; i < 2; i++) {
        if (image->address[i] == HD_IMAGE_BORDER)
            for (int channel = 0; channel < 4; channel++)
                if (image->border[channel] != 0)
                    return 0;
        if (image->address[i] == HD_IMAGE_WRAP || image->address[i] == HD_IMAGE_MIRROR)
            if (!image->normalized)
                return 0;
    }
    return 1;
}

static gpu_resource resource_of(const hd_image *image)
{
    const int bits = image->channel_bits;
    gpu_resource resource;

    memset(&resource, 0, sizeof resource);
    resource.resType = GPU(ResourceTypePitch2D);
    resource.res.pitch2D.devPtr = image->data;
    resource.res.pitch2D.width = image->width;
    resource.res.pitch2D.height = image->height;
    resource.res.pitch2D.pitchInBytes = image->row_pitch;
    resource.res.pitch2D.desc.x = bits;
    resource.res.pitch2D.desc.y = image->channels > 1 ? bits : 0;
    resource.res.pitch2D.desc.z = image->channels > 2 ? bits : 0;
    resource.res.pitch2D.desc.w = image->channels > 2 ? bits : 0;
    resource.res.pitch2D.desc.f = image->format == HD_IMAGE_FLOAT_ ? GPU(ChannelFormatKindFloat)
                                  : image->format == HD_IMAGE_SIGNED_
                                      ? GPU(ChannelFormatKindSigned)
                                      : GPU(ChannelFormatKindUnsigned);
    return resource;
}

static gpu_sampler sampler_of(const hd_image *image)
{
    gpu_sampler sampler;

    memset(&sampler, 0, sizeof sampler);
    for (int i = 0; i < 2; i++)
        sampler.addressMode[i] = image->address[i] == HD_IMAGE_WRAP     ? GPU(AddressModeWrap)
                                 : image->address[i] == HD_IMAGE_MIRROR ? GPU(AddressModeMirror)
                                 : image->address[i] == HD_IMAGE_BORDER ? GPU(AddressModeBorder)
                                                                        : GPU(AddressModeClamp);
    sampler.filterMode = image->filter == HD_IMAGE_LINEAR ? GPU(FilterModeLinear)
                                                          : GPU(FilterModePoint);
    sampler.readMode = image->format == HD_IMAGE_FLOAT_ ? GPU(ReadModeElementType)
                                                        : GPU(ReadModeNormalizedFloat);
    sampler.normalizedCoords = image->normalized;
    return sampler;
}

hd_status hdb_texture_create(const char *call, int ordinal, const hd_image *image,
                             uint64_t *texture)
{
    int previous;
    GPU(TextureObject_t) object = 0;
    const gpu_resource resource = resource_of(image);
    const gpu_sampler sampler = sampler_of(image);

    *texture = 0;
    if (!has_unit(image))
        return HD_OK;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    const GPU(Error_t) error = GPU(CreateTextureObject)(&object, &resource, &sampler, NULL);
    status = hd_gpu_answer(error);
    if (status == HD_ERR_ARGUMENT || status == HD_ERR_UNSUPPORTED)
        status = HD_OK; /* no unit, or limits or an alignment that the image does not fit */
    else if (status < 0)
        status = hd_gpu_check(call, error);
    else
        *texture = (uint64_t)(uintptr_t)object;
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_texture_destroy(const char *call, int ordinal, uint64_t texture)
{
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call,
                          GPU(DestroyTextureObject)((GPU(TextureObject_t))(uintptr_t)texture));
    hd_gpu_leave(ordinal, previous);
    return status;
}
