/* SPDX-License-Identifier: Apache-2.0 */
/* type.c - sizes and names of element types. */
#include "type.h"

size_t hd__io_type_size(hd__io_type type)
{
    static const unsigned char sizes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};

    return sizes[type];
}

const char *hd__io_type_name(hd__io_type type)
{
    static const char *const names[] = {"default", "u8",  "u16", "u32", "u64", "i8",
                                        "i16",     "i32", "i64", "f16", "f32", "f64"};

    return names[type];
}
