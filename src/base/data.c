/* SPDX-License-Identifier: Apache-2.0 */
/* data.c - element types: names and sizes. */
#include <heddle/data.h>

#define TYPE_NAME(name, type, bytes, text) text,
static const char *const type_names[] = {HD_TYPE_LIST(TYPE_NAME)};
#define TYPE_BYTES(name, type, bytes, text) bytes,
static const unsigned char type_bytes[] = {HD_TYPE_LIST(TYPE_BYTES)};

const char *hd_type_name(hd_type type)
{
    return (int)type >= 0 && type < HD_TYPE_COUNT_ ? type_names[type] : "unknown type";
}

size_t hd_type_bytes(hd_type type)
{
    return (int)type >= 0 && type < HD_TYPE_COUNT_ ? type_bytes[type] : 0;
}
