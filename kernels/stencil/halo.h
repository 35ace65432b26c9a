/* SPDX-License-Identifier: Apache-2.0 */
/* halo.h (kernels) - cells of a field's edge that are stored in the halos of other fields, which
   may be other devices'. */
#ifndef HEDDLE_KERNELS_STENCIL_HALO_H
#define HEDDLE_KERNELS_STENCIL_HALO_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { HD__HALO_MAX = 8, HD__HALO_THREADS = 256 };

/* A message: a rectangle of bytes. A row is cut into windows of `window` bytes, aligned in `to`;
   the first and the last window may lie partly outside the row. A tile has 2^wide windows of each
   of HD__HALO_THREADS / 2^wide rows. */
typedef struct hd__halo_rows {
    const unsigned char *from;
    unsigned char *to;
    size_t from_pitch, to_pitch; /* bytes */
    size_t row_bytes, rows;
    uint32_t
        unit; /* 1, 2, 4, 8 or 16: alignment of begin and end of every row, in `from` and `to` */
    uint32_t window; /* 16 if rows of `from` and `to` are congruent modulo 16, else unit */
    uint32_t wide;
    uint32_t across; /* tiles per row */
    uint32_t end;    /* number of tiles of the messages up to this one */
} hd__halo_rows;

typedef struct hd__halo_messages {
    hd__halo_rows message[HD__HALO_MAX];
    uint32_t count;
    uint32_t tiles; /* of all messages */
} hd__halo_messages;

HD_DECLARE(hd__halo_store, hd__halo_messages)

#endif
