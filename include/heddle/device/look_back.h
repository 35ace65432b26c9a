/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The state of a decoupled look-back: the values that the blocks of one launch publish so that
 *  block (or tile) t obtains the combination of tiles 0 ... t-1 in a single pass. For host and
 *  kernels; detail/look_back_ticket.h and look_back.inc have the kernels' code.
 *
 *  Tiles are numbered in the order in which their blocks start (a ticket), so that a block waits
 *  only for blocks that are already running: any scheduler makes progress. Values are stored in
 *  64-bit words, 32 bits of value below a mark that means "written". Each word is stored and loaded
 *  in one access, so that no fence is needed. The association is fixed, so that sums of floats have
 *  the same bits every time: with groups of 32 tiles and bunches of 32 groups, tile
 *  t = 1024 b + 32 g + j gets
 *
 *    (C(b) + scan32 of the totals of groups 0 ... g-1 of its bunch) + scan32 of tiles 0 ... j-1
 *
 *  where scan32 is a Hillis-Steele scan over 32 places with ascending strides, a group's total is
 *  the scan of all 32, C(0) is given and C(b+1) = C(b) + scan32 of all groups of bunch b. A tile
 *  reads at most 62 words and C(b), or some more if it adds up the last groups itself, all at once.
 *  The original method (D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
 *  Look-back", NVIDIA NVR-2016-002, 2016) reads a chain of windows instead, with an association
 *  that depends on timing.
 *
 *  The state need not be cleared between launches: launches alternate between two halves of it,
 *  each block clears some words that the previous launch used, and the last ticket determines what
 *  the next launch must clear. A launch in a captured graph can therefore be replayed.
 */
#ifndef HEDDLE_DEVICE_LOOK_BACK_H
#define HEDDLE_DEVICE_LOOK_BACK_H

#include <heddle/kernel_decl.h>

/** @defgroup look_back Look-back
 *  @brief State of a decoupled look-back; host and kernels.
 *  @{
 */

/** Layout of the state. */
enum {
    HD_LOOK_BACK_WIDTH = 32,                          /**< Tiles per group, and groups per bunch. */
    HD_LOOK_BACK_LINE_BYTES = 8 * HD_LOOK_BACK_WIDTH, /**< A line: a word per place. */
    HD_LOOK_BACK_HEADER_BYTES = 256 /**< The header before the lines, with the ticket. */
};

/** Argument of one launch. */
typedef struct hd_look_back {
    uint64_t *state; /**< The state, 256-byte aligned; all 0 before the first launch. */
    uint32_t tiles;  /**< Number of tiles. */
    uint32_t draws;  /**< Tickets that all blocks take together; identifies the last one. */
    uint32_t lines;  /**< Lines of one half: hd_look_back_lines(). */
} hd_look_back;

/** Returns the lines that a launch uses: first those of the tiles, then of groups, then of bunches.
 *
 *  @param tiles   Number of tiles.
 *  @param pieces  Size of a value in units of 32 bits.
 *  @return Number of lines of one half.
 */
HD_BOTH uint32_t hd_look_back_lines(uint32_t tiles, unsigned pieces)
{
    const uint32_t groups = tiles / HD_LOOK_BACK_WIDTH + (tiles % HD_LOOK_BACK_WIDTH != 0);
    const uint32_t bunches = groups / HD_LOOK_BACK_WIDTH + (groups % HD_LOOK_BACK_WIDTH != 0);
    const uint32_t ends = bunches / HD_LOOK_BACK_WIDTH + 1;
    return (groups + bunches + ends) * pieces;
}

/** Returns the size of the state for a launch.
 *
 *  @param tiles   Number of tiles.
 *  @param pieces  Size of a value in units of 32 bits.
 *  @return Bytes: about 16.5 per tile and piece.
 */
HD_BOTH size_t hd_look_back_bytes(uint32_t tiles, unsigned pieces)
{
    return HD_LOOK_BACK_HEADER_BYTES +
           (size_t)2 * HD_LOOK_BACK_LINE_BYTES * hd_look_back_lines(tiles, pieces);
}

/** @} */

#endif
