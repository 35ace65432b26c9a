/* SPDX-License-Identifier: Apache-2.0 */
/* halo.h (kernels) - cells of a field's edge that are stored in the halos of other fields, which
   may be other devices'. */
#ifndef HEDDLE_KERNELS_STENCIL_HALO_H
#define HEDDLE_KERNELS_STENCIL_HALO_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { HD__HALO_MOST = 8, HD__HALO_THREADS = 256 };

/* A rectangle of bytes. A row is cut into windows of `window` bytes, which begin at multiples of it
   in `to`; the first and the last window of a row may be partly beside it. A tile has 2^wide
   windows of each of HD__HALO_THREADS / 2^wide rows. */
typedef struct hd__halo_rows {
    const unsigned char *from;
    unsigned char *to;
    size_t from_pitch, to_pitch; /* bytes */
    size_t row_bytes, rows;
    uint32_t unit;   /* 1, 2, 4, 8 or 16: every row's begin, here and there, and end */
    uint32_t window; /* 16, where rows here and there are alike modulo 16; else unit */
    uint32_t wide;
    uint32_t across; /* tiles beside each other */
    uint32_t end;    /* tiles of the messages up to this one */
} hd__halo_rows;

typedef struct hd__halo_messages {
    hd__halo_rows message[HD__HALO_MOST];
    uint32_t count;
    uint32_t tiles; /* of all */
} hd__halo_messages;

HD_DECLARE(hd__halo_store, hd__halo_messages)

#endif
