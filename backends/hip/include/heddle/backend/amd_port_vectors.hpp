/* SPDX-License-Identifier: Apache-2.0 */
/* amd_port_vectors.hpp (HIP) - the vector types of CUDA's names. HIP's have operators, which would
   compete with those that a program defines; so these names stand for plain structs from here on.
   The dimensions of a launch derive from HIP's. */
#ifndef HEDDLE_BACKEND_AMD_PORT_VECTORS_HPP
#define HEDDLE_BACKEND_AMD_PORT_VECTORS_HPP

#define char1 hd_port_char1_
#define make_char1 hd_port_make_char1_
#define char2 hd_port_char2_
#define make_char2 hd_port_make_char2_
#define char3 hd_port_char3_
#define make_char3 hd_port_make_char3_
#define char4 hd_port_char4_
#define make_char4 hd_port_make_char4_
#define uchar1 hd_port_uchar1_
#define make_uchar1 hd_port_make_uchar1_
#define uchar2 hd_port_uchar2_
#define make_uchar2 hd_port_make_uchar2_
#define uchar3 hd_port_uchar3_
#define make_uchar3 hd_port_make_uchar3_
#define uchar4 hd_port_uchar4_
#define make_uchar4 hd_port_make_uchar4_
#define short1 hd_port_short1_
#define make_short1 hd_port_make_short1_
#define short2 hd_port_short2_
#define make_short2 hd_port_make_short2_
#define short3 hd_port_short3_
#define make_short3 hd_port_make_short3_
#define short4 hd_port_short4_
#define make_short4 hd_port_make_short4_
#define ushort1 hd_port_ushort1_
#define make_ushort1 hd_port_make_ushort1_
#define ushort2 hd_port_ushort2_
#define make_ushort2 hd_port_make_ushort2_
#define ushort3 hd_port_ushort3_
#define make_ushort3 hd_port_make_ushort3_
#define ushort4 hd_port_ushort4_
#define make_ushort4 hd_port_make_ushort4_
#define int1 hd_port_int1_
#define make_int1 hd_port_make_int1_
#define int2 hd_port_int2_
#define make_int2 hd_port_make_int2_
#define int3 hd_port_int3_
#define make_int3 hd_port_make_int3_
#define int4 hd_port_int4_
#define make_int4 hd_port_make_int4_
#define uint1 hd_port_uint1_
#define make_uint1 hd_port_make_uint1_
#define uint2 hd_port_uint2_
#define make_uint2 hd_port_make_uint2_
#define uint3 hd_port_uint3_
#define make_uint3 hd_port_make_uint3_
#define uint4 hd_port_uint4_
#define make_uint4 hd_port_make_uint4_
#define long1 hd_port_long1_
#define make_long1 hd_port_make_long1_
#define long2 hd_port_long2_
#define make_long2 hd_port_make_long2_
#define long3 hd_port_long3_
#define make_long3 hd_port_make_long3_
#define long4 hd_port_long4_
#define make_long4 hd_port_make_long4_
#define ulong1 hd_port_ulong1_
#define make_ulong1 hd_port_make_ulong1_
#define ulong2 hd_port_ulong2_
#define make_ulong2 hd_port_make_ulong2_
#define ulong3 hd_port_ulong3_
#define make_ulong3 hd_port_make_ulong3_
#define ulong4 hd_port_ulong4_
#define make_ulong4 hd_port_make_ulong4_
#define longlong1 hd_port_longlong1_
#define make_longlong1 hd_port_make_longlong1_
#define longlong2 hd_port_longlong2_
#define make_longlong2 hd_port_make_longlong2_
#define longlong3 hd_port_longlong3_
#define make_longlong3 hd_port_make_longlong3_
#define longlong4 hd_port_longlong4_
#define make_longlong4 hd_port_make_longlong4_
#define ulonglong1 hd_port_ulonglong1_
#define make_ulonglong1 hd_port_make_ulonglong1_
#define ulonglong2 hd_port_ulonglong2_
#define make_ulonglong2 hd_port_make_ulonglong2_
#define ulonglong3 hd_port_ulonglong3_
#define make_ulonglong3 hd_port_make_ulonglong3_
#define ulonglong4 hd_port_ulonglong4_
#define make_ulonglong4 hd_port_make_ulonglong4_
#define float1 hd_port_float1_
#define make_float1 hd_port_make_float1_
#define float2 hd_port_float2_
#define make_float2 hd_port_make_float2_
#define float3 hd_port_float3_
#define make_float3 hd_port_make_float3_
#define float4 hd_port_float4_
#define make_float4 hd_port_make_float4_
#define double1 hd_port_double1_
#define make_double1 hd_port_make_double1_
#define double2 hd_port_double2_
#define make_double2 hd_port_make_double2_
#define double3 hd_port_double3_
#define make_double3 hd_port_make_double3_
#define double4 hd_port_double4_
#define make_double4 hd_port_make_double4_

#define HD_PORT_OWN_DIM3_ 1
#pragma clang force_cuda_host_device begin
#include <heddle/backend/port/vectors.hpp>
struct hd_port_dim3_ : dim3 {
    constexpr hd_port_dim3_(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : dim3(nx, ny, nz)
    {
    }
    constexpr hd_port_dim3_(uint3 v) : dim3(v.x, v.y, v.z)
    {
    }
    constexpr operator uint3() const
    {
        return {x, y, z};
    }
};
#pragma clang force_cuda_host_device end
#define dim3 hd_port_dim3_

#endif
