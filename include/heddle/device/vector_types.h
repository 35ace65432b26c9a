/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Short vectors of two, three and four elements, laid out as CUDA's (float4, uchar4, short2 ...).
 *  Host and kernels, C11 and C++17.
 *
 *  Vectors of two and four elements are aligned to their size, at most to 16 bytes, and move in one
 *  load or store. A vector of three elements has no padding and is aligned only to its element, so
 *  that an array of them is dense and each element moves by itself.
 */
#ifndef HEDDLE_DEVICE_VECTOR_TYPES_H
#define HEDDLE_DEVICE_VECTOR_TYPES_H

#include <heddle/device/bits.h>

/** @addtogroup vector
 *  @{
 */

/** Two binary32 elements; 8 bytes, aligned to 8. */
typedef struct HD_ALIGN(8) hd_f32x2 {
    float x, y;
} hd_f32x2;

/** Three binary32 elements; 12 bytes, aligned to 4. */
typedef struct hd_f32x3 {
    float x, y, z;
} hd_f32x3;

/** Four binary32 elements; 16 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_f32x4 {
    float x, y, z, w;
} hd_f32x4;

/** Two binary64 elements; 16 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_f64x2 {
    double x, y;
} hd_f64x2;

/** Three binary64 elements; 24 bytes, aligned to 8. */
typedef struct hd_f64x3 {
    double x, y, z;
} hd_f64x3;

/** Four binary64 elements; 32 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_f64x4 {
    double x, y, z, w;
} hd_f64x4;

/** Two signed 8-bit integers; 2 bytes, aligned to 2. */
typedef struct HD_ALIGN(2) hd_i8x2 {
    int8_t x, y;
} hd_i8x2;

/** Three signed 8-bit integers; 3 bytes, aligned to 1. */
typedef struct hd_i8x3 {
    int8_t x, y, z;
} hd_i8x3;

/** Four signed 8-bit integers; 4 bytes, aligned to 4. */
typedef struct HD_ALIGN(4) hd_i8x4 {
    int8_t x, y, z, w;
} hd_i8x4;

/** Two unsigned 8-bit integers; 2 bytes, aligned to 2. */
typedef struct HD_ALIGN(2) hd_u8x2 {
    uint8_t x, y;
} hd_u8x2;

/** Three unsigned 8-bit integers; 3 bytes, aligned to 1. */
typedef struct hd_u8x3 {
    uint8_t x, y, z;
} hd_u8x3;

/** Four unsigned 8-bit integers; 4 bytes, aligned to 4. */
typedef struct HD_ALIGN(4) hd_u8x4 {
    uint8_t x, y, z, w;
} hd_u8x4;

/** Two signed 16-bit integers; 4 bytes, aligned to 4. */
typedef struct HD_ALIGN(4) hd_i16x2 {
    int16_t x, y;
} hd_i16x2;

/** Three signed 16-bit integers; 6 bytes, aligned to 2. */
typedef struct hd_i16x3 {
    int16_t x, y, z;
} hd_i16x3;

/** Four signed 16-bit integers; 8 bytes, aligned to 8. */
typedef struct HD_ALIGN(8) hd_i16x4 {
    int16_t x, y, z, w;
} hd_i16x4;

/** Two unsigned 16-bit integers; 4 bytes, aligned to 4. */
typedef struct HD_ALIGN(4) hd_u16x2 {
    uint16_t x, y;
} hd_u16x2;

/** Three unsigned 16-bit integers; 6 bytes, aligned to 2. */
typedef struct hd_u16x3 {
    uint16_t x, y, z;
} hd_u16x3;

/** Four unsigned 16-bit integers; 8 bytes, aligned to 8. */
typedef struct HD_ALIGN(8) hd_u16x4 {
    uint16_t x, y, z, w;
} hd_u16x4;

/** Two signed 32-bit integers; 8 bytes, aligned to 8. */
typedef struct HD_ALIGN(8) hd_i32x2 {
    int32_t x, y;
} hd_i32x2;

/** Three signed 32-bit integers; 12 bytes, aligned to 4. */
typedef struct hd_i32x3 {
    int32_t x, y, z;
} hd_i32x3;

/** Four signed 32-bit integers; 16 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_i32x4 {
    int32_t x, y, z, w;
} hd_i32x4;

/** Two unsigned 32-bit integers; 8 bytes, aligned to 8. */
typedef struct HD_ALIGN(8) hd_u32x2 {
    uint32_t x, y;
} hd_u32x2;

/** Three unsigned 32-bit integers; 12 bytes, aligned to 4. */
typedef struct hd_u32x3 {
    uint32_t x, y, z;
} hd_u32x3;

/** Four unsigned 32-bit integers; 16 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_u32x4 {
    uint32_t x, y, z, w;
} hd_u32x4;

/** Two signed 64-bit integers; 16 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_i64x2 {
    int64_t x, y;
} hd_i64x2;

/** Two unsigned 64-bit integers; 16 bytes, aligned to 16. */
typedef struct HD_ALIGN(16) hd_u64x2 {
    uint64_t x, y;
} hd_u64x2;

/** @} */

#endif
