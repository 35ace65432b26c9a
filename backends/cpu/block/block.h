/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - a resident block, i.e. one that has started and not finished: its warps, threads and
   stacks. */
#ifndef HEDDLE_CPU_BLOCK_BLOCK_H
#define HEDDLE_CPU_BLOCK_BLOCK_H

#include "launch/launch.h"
#include "observe.h"

enum {
    HD_CPU_MAX_WARPS = HD_CPU_MAX_THREADS / 32,
    HD_CPU_MAX_ARRAYS = 4096, /* static shared arrays in the program */
    HD_CPU_ARENA = 32 << 20   /* bytes of all of them; dynamic shared memory follows */
};

/* Lanes of a warp that meet in a collective with a mask. */
typedef struct hd_cpu_group {
    uint64_t arrived, mask;
    const hd_cpu_place *place;
    unsigned kind;
} hd_cpu_group;

/* One cache line. */
typedef struct hd_cpu_warp {
    uint64_t exist;            /* lanes that have not returned, started or not */
    uint64_t ready;            /* lanes that have a stack and can continue */
    uint64_t arrived;          /* lanes in the collective of the whole warp */
    const hd_cpu_place *place; /* where they called it */
    unsigned kind;
    uint64_t waiting; /* lanes parked in hd_wait_* */
    uint64_t open;    /* slots of group[][] in use */
} HD_ALIGN(64) hd_cpu_warp;

typedef struct hd_cpu_waiter {
    const void *address;
    uint64_t value, seen;
    const hd_cpu_place *place;
    double until; /* deadline in hd_cpu_now() time */
    unsigned how;
} hd_cpu_waiter;

typedef enum hd_cpu_state {
    HD_CPU_RUNS,
    HD_CPU_PARKED, /* every live thread waits, at least one of them in hd_wait_* */
    HD_CPU_STUCK,  /* every live thread waits for another thread of the block */
    HD_CPU_DONE,
    HD_CPU_BROKEN /* failed; never continues */
} hd_cpu_state;

struct hd_cpu_resident {
    hd_cpu_block view; /* first: the part that kernels access */
#if HD_OBSERVED
    struct hd_check_block *check;
#endif
    hd_cpu_worker *worker;
    hd_cpu_launch *launch;
    hd_cpu_resident *next;
    hd_cpu_state state;
    unsigned threads, warps, shift, lane_mask;
    uint64_t all_lanes;    /* mask of a whole warp */
    int running;           /* thread that has blocked before; -1: the loop runs on `passing` */
    hd_cpu_fiber *passing; /* the stack of that loop */
    unsigned next_start;   /* position of the first thread that has not started */
    unsigned alive, waiting;
    unsigned ready_warps;
    unsigned defer_rounds; /* rounds of the worker to skip: the checker's schedule */
    int touched;           /* a thread has blocked: the warps are initialised */
    unsigned barrier_arrived, barrier_kind;
    uint64_t barrier_sum;
    const hd_cpu_place *barrier_place;
    unsigned char *arena;                 /* static shared arrays */
    size_t static_bytes;                  /* bytes of it used by this block */
    void *sp[HD_CPU_MAX_THREADS];         /* saved stack pointers of suspended threads */
    hd_cpu_fiber *of[HD_CPU_MAX_THREADS]; /* stacks of threads that have blocked */
    uint64_t value[HD_CPU_MAX_THREADS];
    uint8_t from[HD_CPU_MAX_THREADS];
    hd_cpu_waiter wait[HD_CPU_MAX_THREADS];
    uint64_t array_serial[HD_CPU_MAX_ARRAYS]; /* block that last used each array here */
    hd_cpu_warp warp[HD_CPU_MAX_WARPS];
    hd_cpu_group group[HD_CPU_MAX_WARPS][64]; /* by lowest lane, or the next free slot */
};

/* Where a suspended thread saves its stack pointer, and the value that resumes it. */
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

/* ---- running a block (block.c) --------------------------------------------------------------- */

/* Entry point of every fiber: runs threads of the worker's current block in an endless loop. */
void hd_cpu_fiber_main(void);
/* The stack to switch to in order to continue the block. If no thread can run, block->state says
   why. */
void *hd_cpu_block_resume(hd_cpu_resident *block);
/* Initialises the block as block number `index` of its launch. */
void hd_cpu_block_begin(hd_cpu_resident *block, size_t index);
/* Reclaims the stacks of its threads. */
void hd_cpu_block_abandon(hd_cpu_resident *block);
/* Ends the running thread. */
void hd_cpu_block_end_thread(hd_cpu_resident *block, unsigned linear) __attribute__((noreturn));

/* ---- threads of a block (lanes.c, collective.c, poll.c) -------------------------------------- */

/* Abandons the whole block from one of its threads: back to the worker. */
void hd_cpu_block_leave(hd_cpu_resident *block) __attribute__((noreturn));
/* The running fiber belongs to thread `linear` from now on; until now the kernel's loop used it for
   thread after thread. */
void hd_cpu_block_claim(hd_cpu_resident *block, unsigned linear);
/* Threads [from, to) have returned, which may complete open groups and the barrier. */
void hd_cpu_block_exited(hd_cpu_resident *block, unsigned from, unsigned to);
/* Marks parked threads whose wait is over as ready; returns their number. Waits do not time out
   (may_give_up 0) while other threads of the block still run: they keep the worker from running the
   blocks that are waited for. */
unsigned hd_cpu_waits_poll(hd_cpu_resident *block, int may_give_up);
/* Whether the checker holds a thread of the block that could continue otherwise. */
int hd_cpu_any_held(const hd_cpu_resident *block);
/* Maximum time that hd_try_wait_* waits, in seconds. */
extern const double hd_cpu_try_seconds;
/* Reduces or scans n values of whole warps or blocks: kind as in HD_CPU_FOLD_KIND; `present` has a
   bit per value that exists. Writes out[0 .. n); a block sum, minimum or maximum only out[0]. */
void hd_cpu_fold(unsigned kind, const uint64_t *value, const uint64_t *present, unsigned n,
                 unsigned width, uint64_t *out);

/* ---- why a block cannot continue (wait.c) ---------------------------------------------------- */

/* Appends a description to text[size]. */
void hd_cpu_describe(const hd_cpu_resident *block, char *text, size_t size);
/* HD_ERR_STATE if lanes of one warp wait for each other in different collectives. */
hd_status hd_cpu_stuck_status(const hd_cpu_resident *block);
/* Fails the launch: a thread of the block polls the address in a loop at `place`. */
void hd_cpu_poll_fail(hd_cpu_resident *block, const void *address, const char *place);

/* ---- memory of a block (shared.c) ------------------------------------------------------------ */

/* NULL: out of memory. */
hd_cpu_resident *hd_cpu_resident_make(hd_cpu_worker *worker);
/* The static array that contains the address of a block's shared memory, or the last one before it;
   NULL: none. */
const hd_cpu_array *hd_cpu_array_at(const hd_cpu_resident *block, uintptr_t address);
/* The array at the start of shared memory; NULL: there is none. */
const hd_cpu_array *hd_cpu_array_first(void);

#endif
