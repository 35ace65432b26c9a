/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - a resident block: one that has started and is not finished, with its warps, its threads
   and their stacks. */
#ifndef HEDDLE_CPU_BLOCK_BLOCK_H
#define HEDDLE_CPU_BLOCK_BLOCK_H

#include "launch/launch.h"
#include "observe.h"

enum {
    HD_CPU_MAX_WARPS = HD_CPU_MAX_THREADS / 32,
    HD_CPU_MAX_ARRAYS = 4096, /* static shared arrays in the program */
    HD_CPU_ARENA = 32 << 20   /* bytes for them; dynamic shared memory follows */
};

/* Some lanes of a warp that meet in a collective with a mask. */
typedef struct hd_cpu_group {
    uint64_t arrived, mask;
    const hd_cpu_place *place;
    unsigned kind;
} hd_cpu_group;

/* One cache line. */
typedef struct hd_cpu_warp {
    uint64_t exist;            /* lanes that have not returned, started or not */
    uint64_t ready;            /* lanes with a stack that may go on */
    uint64_t arrived;          /* lanes in the collective of the whole warp */
    const hd_cpu_place *place; /* of that collective */
    unsigned kind;
    uint64_t waiting; /* lanes parked in hd_wait_* */
    uint64_t open;    /* slots of group[][] in use */
} HD_ALIGN(64) hd_cpu_warp;

typedef struct hd_cpu_waiter {
    const void *address;
    uint64_t value, seen;
    const hd_cpu_place *place;
    double until; /* of hd_cpu_now, when it gives up */
    unsigned how;
} hd_cpu_waiter;

typedef enum hd_cpu_state {
    HD_CPU_RUNS,
    HD_CPU_PARKED, /* every thread that is left waits, at least one of them in hd_wait_* */
    HD_CPU_STUCK,  /* every thread that is left waits for another one of the block */
    HD_CPU_DONE,
    HD_CPU_BROKEN /* failed; never goes on */
} hd_cpu_state;

struct hd_cpu_resident {
    hd_cpu_block view; /* first: kernels know this part */
#if HD_OBSERVED
    struct hd_check_block *check;
#endif
    hd_cpu_worker *worker;
    hd_cpu_launch *launch;
    hd_cpu_resident *next;
    hd_cpu_state state;
    unsigned threads, warps, shift, lane_mask;
    uint64_t all_lanes;    /* of a whole warp */
    int running;           /* the thread that runs and has blocked before; -1: threads pass on */
    hd_cpu_fiber *passing; /* this stack */
    unsigned next_start;   /* the first thread not started yet */
    unsigned alive, waiting;
    unsigned ready_warps;
    unsigned defer_rounds; /* of its worker, until it goes on: by the schedule of the checker */
    int touched;           /* warps are set up: a thread has blocked */
    unsigned barrier_arrived, barrier_kind;
    uint64_t barrier_sum;
    const hd_cpu_place *barrier_place;
    unsigned char *arena;                 /* static shared arrays */
    size_t static_bytes;                  /* of them used by this block */
    void *sp[HD_CPU_MAX_THREADS];         /* of threads that are suspended */
    hd_cpu_fiber *of[HD_CPU_MAX_THREADS]; /* stacks of threads that have blocked */
    uint64_t value[HD_CPU_MAX_THREADS];
    uint8_t from[HD_CPU_MAX_THREADS];
    hd_cpu_waiter wait[HD_CPU_MAX_THREADS];
    uint64_t array_serial[HD_CPU_MAX_ARRAYS]; /* the block that last used the array here */
    hd_cpu_warp warp[HD_CPU_MAX_WARPS];
    hd_cpu_group group[HD_CPU_MAX_WARPS][64]; /* found by the lowest lane, then the next free one */
};

/* Where a suspended thread saves its stack, and what brings it back. */
#if HD_CPU_SWITCH_WRAPPED
#define HD_CPU_SAVE(block, linear) (&(block)->of[linear]->sp)
#define HD_CPU_LOAD(block, linear) ((void *)(block)->of[linear])
#else
#define HD_CPU_SAVE(block, linear) (&(block)->sp[linear])
#define HD_CPU_LOAD(block, linear) ((block)->sp[linear])
#endif

static inline hd_cpu_resident *hd_cpu_resident_of(const hd_cpu_block *view)
{
    return (hd_cpu_resident *)(uintptr_t)view;
}

/* ---- running it (block.c) -------------------------------------------------------------------- */

/* Where every fiber begins: runs threads of its worker's current block in an endless
   loop. */
void hd_cpu_fiber_main(void);
/* What to switch to so that the block goes on. If it cannot, its state says so. */
void *hd_cpu_block_resume(hd_cpu_resident *block);
/* Sets the block up for block number `index` of its launch. */
void hd_cpu_block_begin(hd_cpu_resident *block, size_t index);
/* Takes the stacks of its threads back. */
void hd_cpu_block_abandon(hd_cpu_resident *block);
/* Ends the thread that runs. */
void hd_cpu_block_end_thread(hd_cpu_resident *block, unsigned linear) __attribute__((noreturn));

/* ---- its threads (lanes.c, collective.c, poll.c) --------------------------------------------- */

/* Gives the whole block up, from one of its threads: back to the worker. */
void hd_cpu_block_leave(hd_cpu_resident *block) __attribute__((noreturn));
/* The running fiber belongs to thread `linear` from now on; before, threads just passed on it. */
void hd_cpu_block_claim(hd_cpu_resident *block, unsigned linear);
/* Threads [from, to) have returned: open groups and the barrier may be complete by that. */
void hd_cpu_block_exited(hd_cpu_resident *block, unsigned from, unsigned to);
/* Marks parked threads whose wait is over as ready; how many. While its other threads still run a
   block's waits do not give up: it would keep its worker from the blocks that they are for. */
unsigned hd_cpu_waits_poll(hd_cpu_resident *block, int may_give_up);
/* The checker holds back a thread of the block, which could go on otherwise. */
int hd_cpu_any_held(const hd_cpu_resident *block);
/* How long hd_try_wait_* waits at most, in seconds. */
extern const double hd_cpu_try_seconds;
/* One fold of whole warps or blocks: kind as in HD_CPU_FOLD_KIND; n values, those present by bit.
   Results to out[0 .. n), of a block sum, minimum or maximum to out[0] alone. */
void hd_cpu_fold(unsigned kind, const uint64_t *value, const uint64_t *present, unsigned n,
                 unsigned width, uint64_t *out);

/* ---- why it cannot go on (wait.c) ------------------------------------------------------------ */

/* As text; appended to text[size]. */
void hd_cpu_describe(const hd_cpu_resident *block, char *text, size_t size);
/* HD_ERR_STATE if lanes of one warp wait for each other in different collectives. */
hd_status hd_cpu_stuck_status(const hd_cpu_resident *block);
/* The launch fails: a thread of the block polls the address in a loop at `place`. */
void hd_cpu_poll_fail(hd_cpu_resident *block, const void *address, const char *place);

/* ---- its memory (shared.c) ------------------------------------------------------------------- */

/* NULL: no memory. */
hd_cpu_resident *hd_cpu_resident_make(hd_cpu_worker *worker);
/* The static array at the address of a block's shared memory, or the one before it; NULL: none. */
const hd_cpu_array *hd_cpu_array_at(const hd_cpu_resident *block, uintptr_t address);
/* The one at the start of shared memory; NULL: there is none. */
const hd_cpu_array *hd_cpu_array_first(void);

#endif
