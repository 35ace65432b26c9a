/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  What the drivers' calls share: element types, and workspaces.
 */
/** @page drivers Conventions of drivers
 *
 *  @section usable_memory Arrays
 *
 *  "Memory that the stream's device can use" is device or coherent memory of that device, memory of
 *  another device with peer access (which the call enables if it is possible), managed memory, and
 *  page-locked host memory (pinned, mapped or registered). Addresses are multiples of the element
 *  size; multiples of 16 bytes are fastest. The caller owns all arrays; they have to exist until
 *  the work of the call is done.
 *
 *  Calls check that an array lies within its allocation, where the backend knows it. A thread
 *  remembers the last allocations that passed the check until memory is freed.
 *
 *  @section workspaces Workspaces
 *
 *  With an hd_workspace of the size that the driver's _workspace call returns, a call neither
 *  allocates nor synchronises, and may be captured into a graph. With NULL it uses scratch memory
 *  that the stream keeps and grows in stream order; a call that would have to grow it in a capture
 *  fails. Host threads may share a stream in both cases.
 *
 *  @section driver_errors Errors of drivers
 *
 *  Calls of drivers check their arguments before they enqueue anything. They can return, in
 *  addition to the errors that their own documentation lists and to the @ref common_errors :
 *  - HD_ERR_ARGUMENT: a pointer that must not be NULL is NULL, an enum has an unknown value, an
 *    address is not a multiple of its element size;
 *  - HD_ERR_OVERFLOW: n elements have more bytes than there are addresses, or more than the driver
 *    can index;
 *  - HD_ERR_POINTER: pageable host memory, memory of another device without peer access, elements
 *    or results beyond the end of their allocation;
 *  - HD_ERR_WORKSPACE: the workspace is too small or extends beyond its allocation, or scratch
 *    memory would have to grow in a capture;
 *  - HD_ERR_NO_MEMORY: no memory for scratch.
 */
#ifndef HEDDLE_DATA_H
#define HEDDLE_DATA_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup data Elements and workspaces
 *  @brief Element types, one element as a union, and the memory that a driver works in.
 *  @{
 */

/** X(name, C type of an element, bytes, text): the element types. */
#define HD_TYPE_LIST(X)                                                                            \
    /** Unsigned 8-bit integer. */                                                                 \
    X(HD_U8, uint8_t, 1, "u8")                                                                     \
    /** Signed 8-bit integer. */                                                                   \
    X(HD_I8, int8_t, 1, "i8")                                                                      \
    /** Unsigned 16-bit integer. */                                                                \
    X(HD_U16, uint16_t, 2, "u16")                                                                  \
    /** Signed 16-bit integer. */                                                                  \
    X(HD_I16, int16_t, 2, "i16")                                                                   \
    /** Unsigned 32-bit integer. */                                                                \
    X(HD_U32, uint32_t, 4, "u32")                                                                  \
    /** Signed 32-bit integer. */                                                                  \
    X(HD_I32, int32_t, 4, "i32")                                                                   \
    /** Unsigned 64-bit integer. */                                                                \
    X(HD_U64, uint64_t, 8, "u64")                                                                  \
    /** Signed 64-bit integer. */                                                                  \
    X(HD_I64, int64_t, 8, "i64")                                                                   \
    /** IEEE 754 binary16, stored as its bits. */                                                  \
    X(HD_F16, uint16_t, 2, "f16")                                                                  \
    /** IEEE 754 binary32. */                                                                      \
    X(HD_F32, float, 4, "f32")                                                                     \
    /** IEEE 754 binary64. */                                                                      \
    X(HD_F64, double, 8, "f64")                                                                    \
    /** bfloat16, stored as its bits; only for hd_group calls (group.h). */                        \
    X(HD_BF16, uint16_t, 2, "bf16")

/** Element type; the values are those of #HD_TYPE_LIST. */
typedef enum hd_type {
#define HD_TYPE_ENUM_(name, type, bytes, text) name,
    HD_TYPE_LIST(HD_TYPE_ENUM_)
#undef HD_TYPE_ENUM_
        HD_TYPE_COUNT_
} hd_type;

/** Returns the name of an element type.
 *
 *  @param type  The type.
 *  @return Static text such as "f32"; "unknown type" for other values.
 */
const char *hd_type_name(hd_type type);

/** Returns the size of an element.
 *
 *  @param type  The type.
 *  @return Bytes per element; 0 for other values.
 */
size_t hd_type_bytes(hd_type type);

/** One element. The member of the array's type is the one that is used. */
typedef union hd_scalar {
    uint8_t u8;   /**< #HD_U8. */
    int32_t i32;  /**< #HD_I32. */
    uint32_t u32; /**< #HD_U32. */
    int64_t i64;  /**< #HD_I64. */
    uint64_t u64; /**< #HD_U64. */
    float f32;    /**< #HD_F32. */
    double f64;   /**< #HD_F64. */
} hd_scalar;

/** Memory that a driver works in, provided and freed by the caller.
 *
 *  Zero the struct, then set memory and bytes. A workspace serves one stream at a time, and any
 *  driver in turn. It has to exist until the work that uses it is done; in a captured graph, as
 *  long as the graph can be launched.
 */
typedef struct hd_workspace {
    void *memory; /**< Device memory of the stream's device, 256-byte aligned. */
    size_t bytes; /**< Its size in bytes: at least what the driver's _workspace call returns. */
    /** The driver's note of which memory it has prepared; 0 at first. Memory and bytes may be
     *  changed without resetting it. */
    uint64_t prepared;
} hd_workspace;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
