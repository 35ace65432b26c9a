/* SPDX-License-Identifier: Apache-2.0 */
/* data.h - what the drivers' calls share: the types of elements, and the memory that a driver works
   in. */
#ifndef HEDDLE_DATA_H
#define HEDDLE_DATA_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, C type of an element, bytes, text) */
#define HD_TYPE_LIST(X)                                                                            \
    X(HD_U8, uint8_t, 1, "u8")                                                                     \
    X(HD_I8, int8_t, 1, "i8")                                                                      \
    X(HD_U16, uint16_t, 2, "u16")                                                                  \
    X(HD_I16, int16_t, 2, "i16")                                                                   \
    X(HD_U32, uint32_t, 4, "u32")                                                                  \
    X(HD_I32, int32_t, 4, "i32")                                                                   \
    X(HD_U64, uint64_t, 8, "u64")                                                                  \
    X(HD_I64, int64_t, 8, "i64")                                                                   \
    X(HD_F16, uint16_t, 2, "f16")                                                                  \
    X(HD_F32, float, 4, "f32")                                                                     \
    X(HD_F64, double, 8, "f64")                                                                    \
    X(HD_BF16, uint16_t, 2, "bf16") /* of groups alone */

typedef enum hd_type {
#define HD_TYPE_ENUM_(name, type, bytes, text) name,
    HD_TYPE_LIST(HD_TYPE_ENUM_)
#undef HD_TYPE_ENUM_
        HD_TYPE_COUNT_
} hd_type;

const char *hd_type_name(hd_type type);
size_t hd_type_bytes(hd_type type);

/* One element; the member of the array's type counts. */
typedef union hd_scalar {
    uint8_t u8;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
} hd_scalar;

/* Memory that a driver works in, given by the caller. Zero the struct, then set memory (device
   memory of the stream's device, 256-byte aligned) and bytes; `prepared` is the driver's: what
   memory it has prepared, so that other memory may be set without more. One workspace serves one
   stream at a time. */
typedef struct hd_workspace {
    void *memory;
    size_t bytes;
    uint64_t prepared;
} hd_workspace;

#ifdef __cplusplus
}
#endif

#endif
