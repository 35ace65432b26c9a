/* SPDX-License-Identifier: Apache-2.0 */
/* replacements.h - the kernels of the example, for host files and for their kernel files. */
#ifndef REPLACEMENTS_H
#define REPLACEMENTS_H

#include <heddle/device/image_types.h>
#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum {
    FINE = 64,  /* points of a refined cell: one thread each */
    GROUP = 4,  /* blocks that work together */
    TILE = 256, /* elements of a tile: one thread each */
    EDGE = 16   /* edge of a tile of a matrix product, in elements and in threads */
};

/* A value that a kernel reports to the host. */
typedef struct record {
    uint32_t index;
    float value;
} record;

/* lists.c */
HD_DECLARE(list_cells, size_t, const float *, float, uint32_t *, unsigned *)
HD_DECLARE(refine_cells, const uint32_t *, const unsigned *, const float *, float *)
HD_DECLARE(count_divisors, size_t, const uint32_t *, uint32_t *)
HD_DECLARE(list_divisors, size_t, const uint32_t *, const uint32_t *, uint32_t *)
HD_DECLARE(report_negative, size_t, const float *, record *, unsigned, unsigned *)

/* tiles.c */
HD_DECLARE(group_sums, const float *, float *, unsigned *, float *)
HD_DECLARE(tile_products, size_t, const float *, float *)
HD_DECLARE(multiply, size_t, const hd_f16 *, const hd_f16 *, float *)

/* images.c */
HD_DECLARE(invert, hd_image)
HD_DECLARE(enlarge, hd_image, int, int, float *)
HD_DECLARE(unpack, size_t, const uint32_t *, uint32_t *, uint32_t *)

#endif
