/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - what may be tuned about scans. Tiles may not: their size fixes the bits. */
#ifndef HEDDLE_DRIVERS_SCAN_SPACE_H
#define HEDDLE_DRIVERS_SCAN_SPACE_H

enum { HD__SCAN_BLOCK_PER_TILE = 99 };

/* X(KNOB, name, meaning, values...): the first value leaves the choice to the driver. */
#define HD__SCAN_SPACE(X)                                                                          \
    X(BLOCKS, "blocks", "persistent blocks per compute unit; 99: a block per tile", 0, 1, 2, 3, 4, \
      HD__SCAN_BLOCK_PER_TILE)                                                                     \
    X(CACHE, "cache", "prefetch: 1 no, 2 yes", 0, 1, 2)                                            \
    X(THREADS, "threads", "CPU engine: 1 for blocks of many threads", 0, 1)
enum { HD__SCAN_KNOB_BLOCKS, HD__SCAN_KNOB_CACHE, HD__SCAN_KNOB_THREADS };

/* Calls that are tuned separately. */
enum { HD__SCAN_KIND_PLAIN, HD__SCAN_KIND_SEGMENTS };
#define HD__SCAN_KINDS "plain", "segments"

#endif
