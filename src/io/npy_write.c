/* SPDX-License-Identifier: Apache-2.0 */
/* npy_write.c - writes arrays as .npy files: a header of one line, padded so that the data is
   64-byte aligned, and the elements. */
#include "npy_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "base/replace.h"

enum { PREFIX_BYTES = 10, ALIGNMENT = 64, HEADER_MAX = 2048 };

/* NumPy's name of a type: "<f4". Single bytes have no byte order. */
static void type_text(hd__io_type type, char text[8])
{
    const char *name = hd__io_type_name(type); /* "f32" */
    size_t size = hd__io_type_size(type);

    snprintf(text, 8, "%c%c%zu", size == 1 ? '|' : '<', name[0], size);
}

/* Makes the header, a multiple of ALIGNMENT bytes; returns its size, 0 if it does not fit. */
static size_t make_header(hd__io_type type, size_t axes, const uint64_t *shape,
                          char header[HEADER_MAX])
{
    char descr[8], *at = header + PREFIX_BYTES, *end = header + HEADER_MAX - ALIGNMENT;
    size_t used, whole;

    type_text(type, descr);
    at += snprintf(at, (size_t)(end - at), "{'descr': '%s', 'fortran_order': False, 'shape': (",
                   descr);
    for (size_t i = 0; i < axes && at < end; i++)
        at += snprintf(at, (size_t)(end - at), "%llu%s", (unsigned long long)shape[i],
                       axes == 1      ? ","
                       : i + 1 < axes ? ", "
                                      : "");
    if (at < end)
        at += snprintf(at, (size_t)(end - at), "), }");
    if (at >= end)
        return 0;
    used = (size_t)(at - header) + 1;
    whole = (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(at, ' ', whole - used);
    header[whole - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((whole - PREFIX_BYTES) & 0xff);
    header[9] = (char)((whole - PREFIX_BYTES) >> 8);
    return whole;
}

typedef struct npy_parts {
    const char *header;
    size_t header_bytes;
    const void *data;
    size_t bytes;
} npy_parts;

static int write_parts(FILE *stream, void *state)
{
    const npy_parts *p = state;

    return fwrite(p->header, 1, p->header_bytes, stream) != p->header_bytes ||
                   (p->bytes && fwrite(p->data, 1, p->bytes, stream) != p->bytes)
               ? -1
               : 0;
}

int hd__npy_write(const char *path, hd__io_type type, size_t axes, const uint64_t *shape,
                  const void *data, char message[HD__IO_MESSAGE])
{
    char header[HEADER_MAX], name[HD__IO_NAME];
    size_t header_bytes = make_header(type, axes, shape, header), bytes = hd__io_type_size(type);
    npy_parts parts;

    hd__io_printable_path(path, name, sizeof name);
    for (size_t i = 0; i < axes; i++)
        if (__builtin_mul_overflow(bytes, shape[i], &bytes))
            header_bytes = 0;
    if (header_bytes == 0)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, name, "no shape that a file can have");
    parts = (npy_parts){header, header_bytes, data, bytes};
    if (hd__replace_file(path, write_parts, &parts) != 0)
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s",
                           errno ? strerror(errno) : "write error");
    return 0;
}
