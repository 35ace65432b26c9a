/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h - the objects of the CPU engine: workers, launches, resident blocks, configuration.

   A worker is an OS thread that runs blocks. It holds resident blocks: started, not finished. A
   resident block stays with its worker; its threads are fibers once they have blocked. A launch is
   shared by all workers, each of which has a visit in it. */
#ifndef HEDDLE_CPU_CORE_ENGINE_H
#define HEDDLE_CPU_CORE_ENGINE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include "runtime/backend.h"
#include "fiber/switch.h"

enum {
    HD_CPU_RESIDENT = 32,           /* blocks of one launch that a worker holds at most */
    HD_CPU_RESIDENT_THREADS = 8192, /* and their threads */
    HD_CPU_MAX_WARPS = HD_CPU_MAX_THREADS / 32,
    HD_CPU_MAX_ARRAYS = 4096, /* static shared arrays in the program */
    HD_CPU_ARENA = 32 << 20,  /* bytes for them; dynamic shared memory follows */
    HD_CPU_MAX_WORKERS = 256,
    HD_CPU_SHARED = 48 << 10, /* bytes of shared memory per block that may be taken as given */
    HD_CPU_SHARED_MAX =
        64 << 10, /* at most, unless HEDDLE_CPU_SHARED says so: the smallest GPUs' */
    HD_CPU_SHARED_MOST = 256 << 10, /* that it can say: the largest GPUs' */
    HD_CPU_TEXT = 1024,             /* of an error */
    HD_CPU_PRIORITY_GREATEST = -3   /* of a stream; 0 is the least */
};

typedef struct hd_cpu_worker hd_cpu_worker;
typedef struct hd_cpu_launch hd_cpu_launch;
typedef struct hd_cpu_resident hd_cpu_resident;
typedef struct hd_cpu_op hd_cpu_op;

/* ---- configuration (config.c) ---------------------------------------------------------------- */

typedef struct hd_cpu_config {
    hd_status status; /* an environment variable that cannot be used */
    char text[512];
    unsigned warp_size;
    unsigned cpus; /* that the process may use */
    unsigned workers;
    int devices;
    size_t memory;   /* bytes per device */
    size_t shared;   /* bytes per block at most */
    size_t stack;    /* bytes per thread that blocks */
    double watchdog; /* seconds, 0: off */
    int lazy;
    uint64_t seed;
    unsigned char peers[HD_CPU_MAX_DEVICES][HD_CPU_MAX_DEVICES];
    /* Pairs between which direct copies spoil what they carry. */
    unsigned char broken[HD_CPU_MAX_DEVICES][HD_CPU_MAX_DEVICES];
    int any_broken;
} hd_cpu_config;

/* Reads the environment once. */
const hd_cpu_config *hd_cpu_config_get(void);
/* HD_OK, or the detail of a variable that cannot be used; starts the engine on first use. */
hd_status hd_cpu_ready(const char *call);

/* ---- warps and resident blocks (block.c, collective.c, wait.c) ------------------------------- */

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
#if HD_CPU_CHECK
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
    unsigned rests; /* under the checker: so many rounds of the worker go by before it goes on */
    int touched;    /* warps are set up: a thread has blocked */
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

/* Where every fiber begins: runs threads of the worker's running block, for ever. */
void hd_cpu_fiber_main(void);
/* What to switch to so that the block goes on. If it cannot, its state says so. */
void *hd_cpu_block_resume(hd_cpu_resident *block);
/* Sets the block up for block number `index` of its launch, and for the number after the last. */
void hd_cpu_block_begin(hd_cpu_resident *block, size_t index);
void hd_cpu_block_follow(hd_cpu_resident *block);
/* Takes the stacks of its threads back. */
void hd_cpu_block_abandon(hd_cpu_resident *block);
/* Gives the whole block up, from one of its threads: back to the worker. */
void hd_cpu_block_leave(hd_cpu_resident *block) __attribute__((noreturn));
/* Ends the thread that runs. */
void hd_cpu_block_end_thread(hd_cpu_resident *block, unsigned linear) __attribute__((noreturn));
/* The running fiber belongs to thread `linear` from now on; before, threads just passed on it. */
void hd_cpu_block_claim(hd_cpu_resident *block, unsigned linear);
/* Threads [from, to) have returned. */
void hd_cpu_block_exited(hd_cpu_resident *block, unsigned from, unsigned to);

/* Checks open groups and the barrier of a block after threads returned. */
void hd_cpu_collectives_recheck(hd_cpu_resident *block, unsigned first_warp, unsigned last_warp);
/* Marks parked threads whose wait is over as ready; how many. While its other threads still run a
   block's waits do not give up: it would keep its worker from the blocks that they are for. */
unsigned hd_cpu_waits_poll(hd_cpu_resident *block, int may_give_up);
/* One fold of whole warps or blocks: kind as in HD_CPU_FOLD_KIND; n values, those present by bit.
   Results to out[0 .. n), of a block sum, minimum or maximum to out[0] alone. */
void hd_cpu_fold(unsigned kind, const uint64_t *value, const uint64_t *present, unsigned n,
                 unsigned width, uint64_t *out);

/* Why a block cannot go on, as text; appended to text[size]. */
void hd_cpu_describe(const hd_cpu_resident *block, char *text, size_t size);
/* HD_ERR_STATE if lanes of one warp wait for each other in different collectives. */
hd_status hd_cpu_stuck_status(const hd_cpu_resident *block);

/* ---- stacks and shared memory (stack.c, shared.c) -------------------------------------------- */

/* NULL: no address space for another stack. */
hd_cpu_fiber *hd_cpu_fiber_make(hd_cpu_worker *worker);
static inline hd_cpu_fiber *hd_cpu_fiber_take(hd_cpu_worker *worker);
static inline void hd_cpu_fiber_release(hd_cpu_worker *worker, hd_cpu_fiber *fiber);
/* The address lies in a guard page: a stack overflowed. */
int hd_cpu_stack_guards(const hd_cpu_worker *worker, const void *address);
/* NULL: no memory. */
hd_cpu_resident *hd_cpu_resident_make(hd_cpu_worker *worker);
/* The static array at the address of a block's shared memory, or the one before it; NULL: none. */
const hd_cpu_array *hd_cpu_array_at(const hd_cpu_resident *block, uintptr_t address);
/* The one at the start of shared memory; NULL: there is none. */
const hd_cpu_array *hd_cpu_array_first(void);

/* ---- kernels (kernel.c) ---------------------------------------------------------------------- */

/* Threads in a block of the kernel at most. */
unsigned hd_cpu_max_threads(const hd_kernel *kernel);
/* Code of the kernel's file waits for what is outside the launch. */
int hd_cpu_kernel_waits(const hd_kernel *kernel);
/* A block of the kernel has used so many bytes of static shared arrays. */
void hd_cpu_static_used(const hd_kernel *kernel, size_t bytes);

/* ---- launches and workers (launch.c, worker.c) ----------------------------------------------- */

/* One worker's part in a launch. */
typedef struct hd_cpu_visit {
    hd_cpu_launch *launch;
    struct hd_cpu_visit *next;
    size_t at, end; /* blocks it has claimed and not started */
    size_t done;    /* finished, not yet reported */
    unsigned residents;
    int awake, full;
} HD_ALIGN(64) hd_cpu_visit;

struct hd_cpu_launch {
    size_t bytes; /* of memory that it is in */
    const hd_kernel *kernel;
    hd_cpu_entry *entry;
    void **args;
    hd_dim3 grid, block;
    unsigned threads;
    int device;
    int priority; /* of its stream: smaller goes first */
    size_t shared_bytes;
    size_t blocks, chunk;
    unsigned residents; /* that one worker may hold */
    hd_cpu_op *op;
    hd_cpu_worker *host; /* the worker in whose place the host thread will run blocks; NULL: none */
    hd_cpu_launch *next_active; /* has blocks that nobody claimed */
    hd_cpu_launch *next_flight; /* is not finished */
    int refs;
    hd_status status; /* what went wrong, under the lock */
    char text[HD_CPU_TEXT];
    size_t next HD_ALIGN(64);      /* first block that nobody claimed */
    size_t remaining HD_ALIGN(64); /* blocks not finished */
    int failed;
    int awake;            /* visits with something to run */
    int full;             /* visits with no room for another block */
    int polled;           /* failed because of a loop that polls: nobody else is to blame */
    hd_cpu_visit visit[]; /* per worker */
};

struct hd_cpu_worker {
    hd_cpu_fiber main; /* the OS thread's own stack */
    hd_cpu_fiber gone; /* where a stack that is given up saves itself */
    hd_cpu_fiber *free_fibers;
    hd_cpu_fiber *free_unguarded; /* taken when no others are left */
    hd_cpu_resident *running;
    hd_cpu_resident *parked;
    hd_cpu_resident *free_residents;
    hd_cpu_visit *visits;
    unsigned id;
    uint64_t serial;
    uint64_t work_seen;
    int urgent_seen;
    int look; /* there may be a launch to enter */
    int asleep, spins;
    int idle; /* its thread spins and touches nothing else of it */
    int lent; /* a host thread does its work */
    uint64_t progress_seen;
    double look_time, idle_seconds; /* the watchdog's: last look, and what it saw since then */
    struct hd_cpu_stacks *stacks;
    void *handler_stack;  /* for signals */
    volatile int inside;  /* on a thread's stack, not on its own */
    volatile int polling; /* looks at addresses that parked threads wait on, from its own stack */
    sigjmp_buf poll;
    volatile int fault; /* signal that a thread of the running block got */
    void *volatile fault_address;
    void *volatile fault_pc; /* of SIGTRAP: a loop that polls the address */
    pthread_t runner;        /* whoever does its work just now */
    uint64_t stall_serial;   /* of the block that it ran at the last look of stall.c */
    unsigned stalls;         /* looks for which it has been the same */
    volatile int trace_ends; /* if the thread polls, its block is given up */
    uint64_t polls;          /* serial of a block of which a trace has shown it */
    pthread_cond_t wake;
    pthread_t thread;
} HD_ALIGN(64);

static inline hd_cpu_fiber *hd_cpu_fiber_take(hd_cpu_worker *worker)
{
    hd_cpu_fiber *fiber = worker->free_fibers;

    if (!fiber)
        return hd_cpu_fiber_make(worker);
    worker->free_fibers = fiber->next;
    return fiber;
}

static inline void hd_cpu_fiber_release(hd_cpu_worker *worker, hd_cpu_fiber *fiber)
{
    hd_cpu_fiber **list = fiber->guarded ? &worker->free_fibers : &worker->free_unguarded;

    fiber->next = *list;
    *list = fiber;
}

/* What all threads of the process share. `lock` guards streams, operations, lists of launches. */
typedef struct hd_cpu_engine {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an operation finished or came to wait */
    int host_waiters;       /* threads in `changed` */
    hd_cpu_launch *active, **active_end;
    hd_cpu_launch *flight;
    unsigned workers;
    hd_cpu_worker *worker[HD_CPU_MAX_WORKERS];
    int spinners;                   /* idle workers that are not asleep */
    int urgent;                     /* launches ever activated with a priority */
    size_t queued;                  /* operations in streams */
    int executing;                  /* host threads that run a copy or a host function */
    pthread_cond_t watch;           /* of the thread of stall.c */
    int watch_sleeps;               /* until a launch wakes it */
    uint64_t work HD_ALIGN(64);     /* launches ever activated */
    uint64_t progress HD_ALIGN(64); /* changes whenever anything moves */
} hd_cpu_engine;

extern hd_cpu_engine hd_cpu;
extern _Thread_local hd_cpu_worker *hd_cpu_self; /* NULL on threads of the user's */

void hd_cpu_workers_start(void);
/* Blocks of so many threads that a worker may hold of one launch. */
unsigned hd_cpu_residents(unsigned threads);
/* Room for the launch of a kernel; arguments are copied. NULL: no memory. */
hd_cpu_launch *hd_cpu_launch_make(const hd_kernel *kernel, const hd_launch_config *config,
                                  void **args, int device);
/* Hands it to the workers. Under the lock. */
void hd_cpu_launch_activate(hd_cpu_launch *launch);
/* Begins the worker's visits in launches that it has not seen yet; 0 if there are none. */
int hd_cpu_launches_enter(hd_cpu_worker *worker);
/* Puts the launch into the worker's list. Under the lock, except by the worker itself. */
void hd_cpu_visit_begin(hd_cpu_worker *worker, hd_cpu_launch *launch);
/* Workers for whom there is a block that nobody has claimed. Under the lock. */
unsigned hd_cpu_workers_wanted(void);
/* A launch with a priority has come that the worker has not seen yet. */
int hd_cpu_urgent_waits(const hd_cpu_worker *worker);
/* Once through the worker's parked blocks, then a new one; 0 if nothing could run. */
int hd_cpu_worker_step(hd_cpu_worker *worker);
/* The worker does not count any more as one that spins. */
void hd_cpu_spin_end(hd_cpu_worker *worker);
/* Every block that could start has started, and those that run wait for something outside. */
int hd_cpu_launch_waits(const hd_cpu_launch *launch);
/* Ends the launch: blocks not started are dropped, waiting ones abandoned. The first reason stays;
   text of later calls for the same launch is appended where there is room. Takes the lock. */
void hd_cpu_launch_fail(hd_cpu_launch *launch, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hd_cpu_launch_fail_locked(hd_cpu_launch *launch, hd_status status, const char *text);
/* Drops one reference. */
void hd_cpu_launch_release(hd_cpu_launch *launch);
/* The next block of the chunk that the resident's worker has claimed; 0 if there is none. */
int hd_cpu_visit_next(hd_cpu_resident *block);

/* ---- host threads that run blocks (borrow.c); with the lock ---------------------------------- */

/* A worker that sleeps, for the calling thread to do its work in a launch to be activated next;
   NULL: none, or the launch may wait for something outside, and the thread could not come back. */
hd_cpu_worker *hd_cpu_borrow(hd_cpu_launch *launch);
/* Runs blocks of the launch, without the lock, until no more can start or a launch with a priority
   has come. */
void hd_cpu_serve(hd_cpu_worker *worker, hd_cpu_launch *launch);
void hd_cpu_give_back(hd_cpu_worker *worker);

/* ---- faults and the watchdog (worker/fault.c, watchdog.c) ------------------------------------ */

void hd_cpu_signals_install(void);
void hd_cpu_signals_thread(hd_cpu_worker *worker); /* its stack for handlers */
void hd_cpu_signals_host(void); /* of a host thread that will run blocks, until it ends */
/* hd_cpu_waits_poll from the worker's own stack; -1 if an address is not there any more, which
   hd_cpu_fault_report tells. */
int hd_cpu_waits_poll_guarded(hd_cpu_worker *worker, hd_cpu_resident *block);
/* work(argument) on a host thread; 0 if it touched an address that is not there, *fault. */
int hd_cpu_guarded(void (*work)(void *), void *argument, const void **fault);
/* A signal caught while the worker ran a thread: reports it. */
void hd_cpu_fault_report(hd_cpu_worker *worker, hd_cpu_resident *block);
/* Called by a worker that has parked blocks and nothing to do. */
void hd_cpu_watchdog(hd_cpu_worker *worker);

/* What a host thread that waits for a stream has seen of it. */
typedef struct hd_cpu_patience {
    uint64_t progress;
    int seconds; /* since that changed, while nothing was under way */
} hd_cpu_patience;
enum { HD_CPU_LOOK_SECONDS = 1 };
/* Called every HD_CPU_LOOK_SECONDS by a host thread that waits for a stream. With the lock. */
void hd_cpu_watchdog_streams(hd_cpu_patience *patience);

/* ---- loops that poll (stall.c, step.c) ------------------------------------------------------- */

void hd_cpu_watch_start(void);
/* A launch has become active. Under the lock. */
void hd_cpu_watch_wake(void);
/* The launch fails: a thread of the block polls the address in a loop at `place`. */
void hd_cpu_poll_fail(hd_cpu_resident *block, const void *address, const char *place);
/* The same for what a trace has shown, as worker->fault tells. */
void hd_cpu_poll_report(hd_cpu_worker *worker, hd_cpu_resident *block);

/* ---- streams (stream.c, drive.c) ------------------------------------------------------------- */

/* A launch finished: its operation is done. Takes the lock. */
void hd_cpu_op_launched(hd_cpu_launch *launch);
/* With the lock: does an operation that no background thread could be had for; 0 if there is
   none. */
int hd_cpu_stand_in(void);
/* With the lock: heads of streams that wait for an event give up, with HD_ERR_DEADLOCK for their
   device. */
void hd_cpu_waits_give_up(double seconds);
/* Waits until every stream of the device is empty. */
void hd_cpu_device_drain(int device);
/* Drops what the device's streams have not begun and ends its launches. */
void hd_cpu_device_cancel(int device);

/* ---- devices and memory (device.c, heap.c, memory.c, symbol.c) ------------------------------- */

/* Leaves an error of a kernel for the next synchronising call on the device; the first stays. */
void hd_cpu_device_leave_error(int device, hd_status status, const char *text);
int hd_cpu_device_lost(int device);

/* An allocation as hd_pointer_get sees it. */
typedef struct hd_cpu_allocation {
    void *base;
    size_t bytes;
    hd_memory_kind kind;
    int device;
} hd_cpu_allocation;

void hd_cpu_memory_start(void);
/* 1: inside a live allocation or registered host memory; 0: plain host memory; -1: inside a range
   of a device, but not in an allocation. */
int hd_cpu_memory_find(const void *pointer, hd_cpu_allocation *found);
void hd_cpu_memory_reset(int device);
/* At once, by an operation or by hd_free (NULL); the pointer is known to be good. */
void hd_cpu_memory_free(void *pointer, const hd_cpu_op *by);
void hd_cpu_symbols_reset(int device);
/* 1: inside a device's copy of a symbol, which is device memory without a base; else 0. */
int hd_cpu_symbol_find(const void *pointer, hd_cpu_allocation *found);

double hd_cpu_now(void); /* seconds, monotonic */

#endif
