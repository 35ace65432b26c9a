/* SPDX-License-Identifier: Apache-2.0 */
/* cycle.h - whether a sequence of events repeats. An event is a hash of the complete state of a
   thread at one point of its code, and of the memory that it reads there. If the same events occur
   twice in a row, the loop can only be ended by another thread that changes that memory. A loop
   that makes progress has a different state in each iteration.

   R. P. Brent, BIT 20, 1980: the event compared with is replaced after twice as many others each
   time. */
#ifndef HEDDLE_CPU_WORKER_CYCLE_H
#define HEDDLE_CPU_WORKER_CYCLE_H

#include <stdint.h>

typedef struct hd_cpu_cycle {
    uint64_t anchor;         /* the event to compare with */
    uint64_t turn, complete; /* hash of the events since then; that of the previous iteration */
    unsigned length, complete_length, limit;
    int begun;
} hd_cpu_cycle;

static inline uint64_t hd_cpu_cycle_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static inline void hd_cpu_cycle_anchor(hd_cpu_cycle *cycle, uint64_t event)
{
    cycle->limit = cycle->begun ? 2 * cycle->limit : cycle->limit ? cycle->limit : 64;
    cycle->begun = 1;
    cycle->anchor = event;
    cycle->turn = 0;
    cycle->length = cycle->complete_length = 0;
}

/* A new cycle is all zeros, except that `limit` may be the maximum expected length of an iteration.
   1: two consecutive iterations were equal. */
static inline int hd_cpu_cycle_closes(hd_cpu_cycle *cycle, uint64_t event)
{
    int same;

    if (!cycle->begun || cycle->length == cycle->limit) {
        hd_cpu_cycle_anchor(cycle, event);
        return 0;
    }
    cycle->turn = hd_cpu_cycle_mix(cycle->turn, event);
    cycle->length++;
    if (event != cycle->anchor)
        return 0;
    same = cycle->length == cycle->complete_length && cycle->turn == cycle->complete;
    cycle->complete = cycle->turn;
    cycle->complete_length = cycle->length;
    cycle->turn = 0;
    cycle->length = 0;
    return same;
}

#endif
