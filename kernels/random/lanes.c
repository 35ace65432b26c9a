/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.c - arrays filled by generators with a state, 65536 of them side by side. */
#include "values.h"

#if HD_SERIAL_THREADS
#include "lanes_serial.h"
#else
/* The first of the call's blocks that a lane makes. */
HD_DEVICE uint64_t rnd_first(const hd__random_task *task, uint64_t lane)
{
    return (lane - task->block) % HD__RANDOM_LANES;
}
#endif

#define RND_BODY "kernels/random/lanes.inc"
#include "types.inc"
