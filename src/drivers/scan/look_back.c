/* SPDX-License-Identifier: Apache-2.0 */
/* look_back.c - memory for the state of a look-back. The state must be 0 once and maintains itself
   from then on: state used by a larger launch also serves a smaller one. So state comes in sizes of
   powers of two, and preparing one size prepares all smaller ones, unless the driver keeps its own
   data behind a smaller one. */
#include "look_back.h"

#include "runtime/backend.h"
#include "runtime/runtime.h"
#include "drivers/scratch.h"

enum { SMALLEST = 4096 };

uint32_t hd__look_back_force_blocks;

/* The power of two that holds the state: SMALLEST << result. */
static unsigned size_of(uint32_t tiles, unsigned pieces)
{
    const size_t bytes = hd_look_back_bytes(tiles ? tiles : 1, pieces);
    unsigned size = 0;
    while ((size_t)SMALLEST << size < bytes)
        size++;
    return size;
}

size_t hd__look_back_workspace(uint32_t tiles, unsigned pieces, size_t more)
{
    return ((size_t)SMALLEST << size_of(tiles, pieces)) + more;
}

hd_status hd__look_back_memory(const char *call, uint32_t tiles, unsigned pieces, size_t more,
                               const hd__look_back_marks marks, hd_workspace *workspace,
                               hd_stream *stream, hd_look_back *look, void **own)
{
    const unsigned size = size_of(tiles, pieces);
    const size_t bytes = (size_t)SMALLEST << size;
    void *memory = NULL;
    HD_TRY(hd__scratch_sized(call, bytes + more, bytes, marks + size,
                             more ? 1 : HD__LOOK_BACK_SIZES - size, workspace, stream, &memory));
    look->state = memory;
    look->tiles = look->draws = tiles;
    look->lines = hd_look_back_lines(tiles, pieces);
    if (own)
        *own = (char *)memory + bytes;
    return HD_OK;
}

uint32_t hd__look_back_persistent(uint32_t tiles, size_t stage_bytes, unsigned per_unit,
                                  hd_stream *stream)
{
    const hd__device *device = hd__device_at(stream->device);
    const uint32_t resident = per_unit * device->units;
    const size_t bytes = stage_bytes + 4096; /* plus static and reserved shared memory */
    size_t most = 0;
    if (hd__shared_max("hd_scan", stream->device, &most) < 0 || bytes > most)
        return tiles;
    if (hd__look_back_force_blocks)
        return tiles < hd__look_back_force_blocks ? tiles : hd__look_back_force_blocks;
    return tiles <= resident || device->unit_shared / per_unit < bytes ? tiles : resident;
}

uint32_t hd__look_back_blocks(uint32_t tiles, size_t stage_bytes, unsigned per_unit,
                              hd_stream *stream)
{
    if (HD_SERIAL_THREADS && !hd__look_back_force_blocks)
        return tiles;
    return hd__look_back_persistent(tiles, stage_bytes, per_unit, stream);
}
