/* SPDX-License-Identifier: Apache-2.0 */
/* type.h - shared by all readers and writers: element types, statuses, and sizes of texts. */
#ifndef HEDDLE_IO_TYPE_H
#define HEDDLE_IO_TYPE_H

#include <stddef.h>

#define HD__IO_MESSAGE 256 /* bytes of a message, including the NUL */
#define HD__IO_INDEX 1408  /* bytes of a shape or an index as text: 64 axes of 20 digits */
#define HD__IO_MAX_AXES 64

enum {
    HD__IO_ERR_ARGUMENT = -1, /* the options contradict each other or the file */
    HD__IO_ERR_FILE = -2,     /* the file cannot be opened or read */
    HD__IO_ERR_CONTENT = -3,  /* the contents are damaged or not supported */
    HD__IO_ERR_MEMORY = -4
};

typedef enum hd__io_type {
    HD__IO_DEFAULT, /* raw: u8; CSV: f64; npy: as in the header */
    HD__IO_U8,
    HD__IO_U16,
    HD__IO_U32,
    HD__IO_U64,
    HD__IO_I8,
    HD__IO_I16,
    HD__IO_I32,
    HD__IO_I64,
    HD__IO_F16,
    HD__IO_F32,
    HD__IO_F64
} hd__io_type;

size_t hd__io_type_size(hd__io_type type);
const char *hd__io_type_name(hd__io_type type);

#endif
