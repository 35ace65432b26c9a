/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  A 2-D field cut into parts for several devices or processes. Plain host arithmetic: no memory,
 *  no device, the same result wherever it is computed. docs/several-devices.md
 */
#ifndef HEDDLE_DOMAIN_H
#define HEDDLE_DOMAIN_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup domain Domain decomposition
 *  @brief Cutting a 2-D field into parts, and finding their neighbours.
 *  @{
 */

/** A field of nx columns and ny rows, cut into tiles_x * tiles_y parts.
 *
 *  Part i is tile (i % tiles_x, i / tiles_x); stripes of rows have tiles_x = 1. Zero the struct,
 *  then set what is not 0.
 */
typedef struct hd_domain {
    size_t nx,        /**< Columns, 1 to 2^31 - 1025. */
        ny;           /**< Rows, 1 to 2^31 - 1025. */
    unsigned tiles_x, /**< Parts along x; 0: 1. */
        tiles_y;      /**< Parts along y; 0: 1. */
    size_t align_x,   /**< Parts begin at columns that are multiples of this; 0: 1. The last part
                           along x has the remainder. */
        align_y;      /**< Parts begin at rows that are multiples of this; 0: 1. The last part along
                           y has the remainder. */
    int periodic_x,   /**< 1: the first column follows the last. */
        periodic_y;   /**< 1: the first row follows the last. */
} hd_domain;

/** A part: cells (x ... x + nx - 1, y ... y + ny - 1) of the field. */
typedef struct hd_part {
    unsigned index, /**< Number of the part. */
        tile_x,     /**< Its position among the parts along x. */
        tile_y;     /**< Its position among the parts along y. */
    size_t x,       /**< First column. */
        y,          /**< First row. */
        nx,         /**< Number of columns. */
        ny;         /**< Number of rows. */
    /** neighbours[1 + dy][1 + dx] is the part at that side or corner, -1 if there is none. With
     *  periodic sides that may be the part itself, or one part in several positions. [1][1] is the
     *  part itself. */
    int neighbours[3][3];
} hd_part;

/** Sets tiles_x and tiles_y for a number of parts, with the fewest cells along the cuts. Cells of
 *  columns count twice, because they are not contiguous.
 *
 *  @param domain  The field; all other members are set by the caller.
 *  @param parts   Number of parts, at least 1.
 *  @return HD_OK, or HD_ERR_ARGUMENT if the extents allow no such cut.
 */
hd_status hd_domain_tile(hd_domain *domain, unsigned parts);

/** Returns a part of a field.
 *
 *  Extents, in multiples of the alignment, differ by at most one between parts; earlier parts have
 *  the larger ones.
 *
 *  @param domain  The field.
 *  @param index   Number of the part.
 *  @param part    Receives the part.
 *  @retval HD_ERR_ARGUMENT  There is no such part, or an axis has more parts than multiples of its
 *                           alignment.
 *  @retval HD_ERR_OVERFLOW  An extent is not 1 to 2^31 - 1025.
 */
hd_status hd_domain_part(const hd_domain *domain, unsigned index, hd_part *part);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
