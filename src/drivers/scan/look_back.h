/* SPDX-License-Identifier: Apache-2.0 */
/* look_back.h - memory for the state of heddle/device/look_back.h, from a workspace or a stream's
   scratch. */
#ifndef HEDDLE_DRIVERS_SCAN_LOOK_BACK_H
#define HEDDLE_DRIVERS_SCAN_LOOK_BACK_H

#include <heddle/data.h>
#include <heddle/device/look_back.h>

/* Sizes of a state: powers of two bytes. The mark of a driver has a byte for each. */
enum { HD__LOOK_BACK_SIZES = 36 };
typedef char hd__look_back_marks[HD__LOOK_BACK_SIZES];

/* Bytes of workspace for a look-back over `tiles` tiles (values of `pieces` 32-bit words) and
   `more` bytes for the driver. */
size_t hd__look_back_workspace(uint32_t tiles, unsigned pieces, size_t more);
/* Provides that memory and fills in *look for a launch over `tiles` tiles, at least 1. *own: the
   driver's bytes, behind the state, 256-byte aligned (own is NULL if more is 0). `marks` is a
   static array of the driver's. The caller holds stream->scratch_lock, as for hd__scratch. */
hd_status hd__look_back_memory(const char *call, uint32_t tiles, unsigned pieces, size_t more,
                               const hd__look_back_marks marks, hd_workspace *workspace,
                               hd_stream *stream, hd_look_back *look, void **own);

/* Number of blocks, if a block that processes several tiles stages stage_bytes in dynamic shared
   memory: one per tile, or, with many tiles and enough shared memory, as many as are resident,
   `per_unit` per compute unit. */
uint32_t hd__look_back_blocks(uint32_t tiles, size_t stage_bytes, unsigned per_unit,
                              hd_stream *stream);
/* The same also if threads run one after another; hd__look_back_blocks then has a block per
   tile. */
uint32_t hd__look_back_persistent(uint32_t tiles, size_t stage_bytes, unsigned per_unit,
                                  hd_stream *stream);
/* For tests: limit on the number of blocks, each of which then processes several tiles; 0: the
   driver chooses. */
extern uint32_t hd__look_back_force_blocks;

#endif
