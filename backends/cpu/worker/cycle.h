/* SPDX-License-Identifier: Apache-2.0 */
/* cycle.h - whether a sequence of events repeats itself. An event stands for the whole state of a
   thread at one point of its code and for the memory that it looks at there: when the same events
   come twice in a row in the same order, the thread goes round in a circle that only a change of
   that memory by somebody else can end. A loop that makes progress has another state in each turn.

   R. P. Brent, BIT 20, 1980: the event to compare with moves on after twice as many others. */
#ifndef HEDDLE_CPU_WORKER_CYCLE_H
#define HEDDLE_CPU_WORKER_CYCLE_H

#include <stdint.h>

typedef struct hd_cpu_cycle {
    uint64_t anchor;         /* the event that is looked for */
    uint64_t turn, complete; /* hash of the events since then; of the turn before */
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

/* A new cycle starts with all bytes 0, but for the length of a turn that is expected at most in
   `limit`. 1: two turns were the same. */
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
