/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an input: a file, a pipe, or a block of memory, behind one sequential interface. */
#ifndef HEDDLE_IO_BYTES_H
#define HEDDLE_IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"

#define HD__BYTES_UNKNOWN UINT64_MAX

typedef struct hd__bytes {
    char name[HD__IO_NAME]; /* printable, for messages */
    int fd;                 /* -1 for memory */
    bool owned;             /* fd is closed by hd__bytes_close */
    bool regular;           /* size is known and the input can be rewound */
    const unsigned char *memory;
    uint64_t size;     /* from the origin to the end; HD__BYTES_UNKNOWN for a pipe */
    uint64_t origin;   /* file offset of the first byte: standard input may be advanced */
    uint64_t position; /* of the next byte, relative to origin */
    unsigned char peeked[8];
    size_t peeked_count; /* bytes at the end of `peeked` that are still to be read */
    size_t peeked_end;
} hd__bytes;

/* Opens a path; "-" is standard input. Fails for directories. */
int hd__bytes_open(const char *path, hd__bytes *bytes_out, char *message);
void hd__bytes_open_memory(const void *data, size_t size, const char *name, hd__bytes *bytes_out);
void hd__bytes_close(hd__bytes *bytes);

/* Reads size bytes; fewer only at the end of the input. */
int hd__bytes_read(hd__bytes *bytes, void *buffer, size_t size, size_t *got_out, char *message);

/* Returns the first bytes, at most 8, without consuming them. Call before any read. */
int hd__bytes_peek(hd__bytes *bytes, void *buffer, size_t size, size_t *got_out, char *message);

/* Seeks to a position relative to origin; only if the input is regular. */
int hd__bytes_seek(hd__bytes *bytes, uint64_t position, char *message);

#endif
