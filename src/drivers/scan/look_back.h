/* SPDX-License-Identifier: Apache-2.0 */
/* look_back.h - memory for the state of heddle/device/look_back.h, in a workspace or the scratch of
   a stream. */
#ifndef HEDDLE_DRIVERS_SCAN_LOOK_BACK_H
#define HEDDLE_DRIVERS_SCAN_LOOK_BACK_H

#include <heddle/data.h>
#include <heddle/device/look_back.h>

/* State is had in powers of two of bytes, the mark of a driver has a byte for each. */
enum { HD__LOOK_BACK_SIZES = 36 };
typedef char hd__look_back_marks[HD__LOOK_BACK_SIZES];

/* Bytes of workspace for a look-back over tiles (values of `pieces` times 32 bits), and `more`
   bytes for the driver itself. */
size_t hd__look_back_workspace(uint32_t tiles, unsigned pieces, size_t more);
/* Takes that memory and fills in *look for a launch over `tiles` tiles, at least 1. The driver's
   own bytes follow the state at *own, 256-byte aligned (own is NULL where more is 0). `marks` is a
   static array of the driver's. The caller holds stream->scratch_lock, as for hd__scratch. */
hd_status hd__look_back_memory(const char *call, uint32_t tiles, unsigned pieces, size_t more,
                               const hd__look_back_marks marks, hd_workspace *workspace,
                               hd_stream *stream, hd_look_back *look, void **own);

/* Blocks for tiles of which a block stages stage_bytes in dynamic shared memory if it takes tile
   after tile: one for each tile, or where there are many and a unit's shared memory is enough, as
   many as are resident, `per_unit` each. */
uint32_t hd__look_back_blocks(uint32_t tiles, size_t stage_bytes, unsigned per_unit,
                              hd_stream *stream);
/* Tests: so many blocks for any number of tiles above it, one each below; 0: as above. */
extern uint32_t hd__look_back_force_blocks;

#endif
