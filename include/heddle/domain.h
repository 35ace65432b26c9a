/* SPDX-License-Identifier: Apache-2.0 */
/* domain.h - a 2-D field cut into parts for several devices or processes. Plain arithmetic: no
   memory, no device, the same for everybody who asks. docs/several-devices.md */
#ifndef HEDDLE_DOMAIN_H
#define HEDDLE_DOMAIN_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* nx columns and ny rows in tiles_x * tiles_y parts. Part number i is tile (i % tiles_x,
   i / tiles_x): stripes of rows have tiles_x = 1. Zero the struct, then set what is not 0. */
typedef struct hd_domain {
    size_t nx, ny;             /* extents, 1 to 2^31 - 1025 */
    unsigned tiles_x, tiles_y; /* 0: 1 */
    /* Parts begin at multiples of these, 0: 1. The last of an axis has the rest. */
    size_t align_x, align_y;
    int periodic_x, periodic_y; /* 1: beyond the last cell comes the first */
} hd_domain;

/* A part: cells (x .. x + nx - 1, y .. y + ny - 1) of the field. */
typedef struct hd_part {
    unsigned index, tile_x, tile_y;
    size_t x, y, nx, ny;
    /* neighbours[1 + dy][1 + dx] is the part that lies there, -1 where nothing does. With periodic
       sides that may be the part itself, or one part in several places. [1][1] is the part. */
    int neighbours[3][3];
} hd_part;

/* Sets tiles_x and tiles_y so that there are `parts` parts with the fewest cells beside cuts, cells
   of columns counted twice because they do not lie together. The rest of *domain is set by the
   caller. HD_ERR_ARGUMENT where the extents do not allow any. */
hd_status hd_domain_tile(hd_domain *domain, unsigned parts);
/* Part number `index`. Extents in multiples of the alignment differ by at most one between parts,
   the earlier ones have the longer share. HD_ERR_ARGUMENT (no such part, more parts than an axis
   has multiples of its alignment), HD_ERR_OVERFLOW. */
hd_status hd_domain_part(const hd_domain *domain, unsigned index, hd_part *part);

#ifdef __cplusplus
}
#endif
#endif
