/* SPDX-License-Identifier: Apache-2.0 */
/* select_before.h - what the tiles before a tile have selected, by the look-back of look_back.h. */
#ifndef HEDDLE_KERNELS_SELECT_BEFORE_H
#define HEDDLE_KERNELS_SELECT_BEFORE_H

#include <heddle/kernel.h>

#include "select.h"

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _select_u32)
#define HD_LOOK_BACK_T uint32_t
#define HD_LOOK_BACK_JOIN(a, b) ((a) + (b))
#include <heddle/look_back.inc>

/* Elements selected, and 1 + the index of the last of them in the array (0: none). */
#define SELECT_RUNS u32
#define SELECT_WORD uint32_t
#include "select_before.inc"

#define SELECT_RUNS u64
#define SELECT_WORD uint64_t
#include "select_before.inc"

typedef select_runs_u64 select_runs;

/* What precedes the tile that has `own`, by all lanes of one warp (see look_back.inc). Where tiles
   write what others have read, a tile's reads come before what it publishes, and its writes after
   what it sees. */
HD_DEVICE select_runs select_before(const hd__select_task *task, hd_look_back_turn turn,
                                    select_runs own, int lengths)
{
    select_runs before = {0, 0};
    if (task->look.tiles == 1)
        return before;
    if (task->in_place)
        hd_fence_device();
    if (!task->narrow) {
        before = hd_look_back_select_runs_u64(&task->look, turn, before, own);
    } else if (lengths) {
        const select_runs_u32 none = {0, 0};
        select_runs_u32 few;
        few.count = (uint32_t)own.count;
        few.last = (uint32_t)own.last;
        few = hd_look_back_select_runs_u32(&task->look, turn, none, few);
        before.count = few.count;
        before.last = few.last;
    } else {
        before.count = hd_look_back_select_u32(&task->look, turn, 0, (uint32_t)own.count);
    }
    if (task->in_place)
        hd_fence_device();
    return before;
}

#endif
