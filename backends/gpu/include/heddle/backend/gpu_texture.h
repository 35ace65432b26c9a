/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_texture.h - samples by the texture unit, for device/image.h. Included by gpu_dialect.h. */
#ifndef HEDDLE_BACKEND_GPU_TEXTURE_H
#define HEDDLE_BACKEND_GPU_TEXTURE_H

#ifdef __CUDACC__
typedef cudaTextureObject_t hd_gpu_texture_;
#else
typedef hipTextureObject_t hd_gpu_texture_;
#endif

/* AMD's compute GPUs have no texture unit; the runtime then creates no objects. */
#if defined(__HIP_NO_IMAGE_SUPPORT) && __HIP_NO_IMAGE_SUPPORT
#define HD_NATIVE_TEXTURE_ 0
#else
#define HD_NATIVE_TEXTURE_ 1
HD_DEVICE hd_f32x4 hd_prim_texture_(uint64_t object, float x, float y)
{
    const float4 v = tex2D<float4>((hd_gpu_texture_)object, x, y);

    return hd_f32x4_make(v.x, v.y, v.z, v.w);
}
#endif

#endif
