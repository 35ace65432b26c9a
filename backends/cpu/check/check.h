/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - the checking engine: what its files share. What the rest of the CPU engine tells it
   stands in observer.h and ../observe.h.

   Every access of a kernel comes here through the compiler's instrumentation for threads
   (-fsanitize=thread, whose hooks hooks.c defines). All memory that kernels may use lies in one
   region of addresses; each 4-byte granule of it has a cell of 16 bytes in the shadow, its last
   write and read, and as much again that few need, its last atomic and another read. An access is
   compared with the cell: two accesses of which one writes race unless one is known to come before
   the other, through program order, barriers, release and acquire, or the order of streams. What
   was observed decides, not what went wrong: one run finds the race whatever the timing.

   One cell is enough as long as accesses take whole granules. Where threads use bytes or halves of
   a granule, one mark would push out that of a neighbour: there the granule is split, and each of
   its bytes has a cell of its own in a second shadow, until a write of all four bytes joins them.

   What cells hold is a mark: the thread, the bytes, and the number of an epoch, which stands for
   all accesses of a block at one place and one tick (epoch.c). Marks alone show most accesses to
   be in order: the hooks see that (access/quick.h); access/race.c looks at the others.

   One worker runs all blocks. It holds hd_check_lock while threads of a block run; copies and
   fills take it too, so no cell is touched by two OS threads at once. */
#ifndef HEDDLE_CPU_CHECK_H
#define HEDDLE_CPU_CHECK_H

#include "check/finding.h"
#include "check/observer.h"
#include "check/shadow.h"

/* ---- operations: launches, copies, fills, frees (order/) ------------------------------------- */

enum { HD_CHECK_RAISES = 8 };

/* What came before an operation: for each stream (by number) how many of its operations. */
typedef struct hd_check_clock {
    uint32_t *at;
    unsigned count;
} hd_check_clock;

struct hd_check_op {
    uint32_t serial; /* of its first block; a copy has one */
    uint32_t blocks;
    unsigned number; /* of all operations, from 1 */
    unsigned stream, index;
    int device;
    hd_check_clock before;  /* operations that are done when this begins */
    hd_check_clock learned; /* that were before kernels whose releases its blocks have read */
    hd_check_clock read;    /* of these only the reads are known to be over when this begins */
    hd_check_clock seen;    /* that were before kernels of whose atomics its blocks saw any value */
    uint32_t seen_last;     /* of these kernels, the serial of the last one */
    uint32_t floor;         /* every operation with a lower serial is among them */
    uint32_t epoch_floor;   /* so is what every epoch with a lower number belongs to */
    uint32_t first_epoch;   /* no epoch of the operation has a lower number */
    int begun;
    int strayed;             /* a finding names an address that it may not use */
    const hd_kernel *kernel; /* NULL: not a launch */
    const char *what;        /* "hd_launch", "hd_copy", ... */
    hd_dim3 grid, block;
    size_t shared_bytes;
    int sized;                        /* by what the device has */
    uintptr_t raise[HD_CHECK_RAISES]; /* places where a thread was held up (hold.c) */
    unsigned raise_count;
    uintptr_t stack[HD_CHECK_STACK]; /* of the call that enqueued it: 0 behind the last */
    int done;
    uintptr_t dead_from, dead_bytes; /* stack of the host thread that was not in use then */
    struct hd_check_op *next, *next_learner;
};

/* The operation of a record; NULL where it came before everything that can still run. */
hd_check_op *hd_check_op_of(uint32_t serial);
/* Operations enqueued until now. */
unsigned hd_check_op_count(void);
/* `first` is over before `second` begins. */
int hd_check_op_before(const hd_check_op *first, const hd_check_op *second);
/* The reads that the operation of a record made are over before `op` begins. */
int hd_check_read_before(uint32_t serial, const hd_check_op *op);
/* How many have been enqueued: the number of the last one. */
unsigned hd_check_operations(void);
/* The host has not seen the end of every operation. */
extern int hd_check_pending;
/* The host has seen the end of the operation, or sees it now. Any thread of the host's. */
int hd_check_host_knows(const hd_check_op *op);
void hd_check_host_learns(const hd_check_op *op);

/* ---- the thread that runs (rules/block.c) ---------------------------------------------------- */

enum {
    HD_CHECK_LANES = 64,
    HD_CHECK_BELOW = 4096 /* bytes in front of a block's shared memory that belong to nobody */
};

typedef struct hd_check_ref { /* knowledge: what releases at one address had published */
    struct hd_check_variable *variable;
    uint32_t from, to; /* of its releases */
    uint32_t serial;   /* the block that acquired */
    uint16_t scope;    /* with this scope */
    int16_t device;    /* on this device */
} hd_check_ref;

typedef struct hd_check_knowledge {
    hd_check_ref *refs;
    unsigned count, room;
    int all; /* too much to remember: everything is taken as known */
} hd_check_knowledge;

/* Where threads of a block can meet, by number: all of them, a warp, lanes of a warp. */
enum {
    HD_CHECK_OF_BLOCK,
    HD_CHECK_OF_WARP,
    HD_CHECK_OF_LANES = HD_CHECK_OF_WARP + HD_CPU_MAX_WARPS,
    HD_CHECK_MEETINGS = HD_CHECK_OF_LANES + HD_CPU_MAX_WARPS * HD_CHECK_LANES
};

/* One per warp of the block that runs. */
typedef struct hd_check_warp {
    uint32_t synced; /* accesses of its lanes with a lower tick are ordered */
    uint32_t *pairs; /* [lane][lane]: lane knows what lane did before the tick; NULL: nothing */
    hd_check_knowledge knows;
} hd_check_warp;

/* The checker's part of a resident block. */
typedef struct hd_check_block {
    hd_check_op *op;
    uint32_t serial, tick;
    uint32_t synced;       /* accesses of the block with a lower tick are ordered */
    uint64_t suspensions;  /* of its threads, until now */
    int taught;            /* some knowledge below is not empty */
    int sampled;           /* profile.c looks at the block; it says so in ..._block_begins */
    uintptr_t glimpsed[4]; /* addresses at which another block's atomics were read without order */
    unsigned glimpses;
    void (*again)(const hd_cpu_block *view, unsigned linear); /* of the kernel's file */
    uintptr_t entry; /* where frames of the kernel begin, in bytes from the top of a stack */
    uint64_t calls[HD_CHECK_MEETINGS]; /* calls.c: of the first thread that has come there */
    unsigned failures;                 /* threads that left by a failed assertion */
    uint64_t failed[HD_CPU_MAX_WARPS]; /* these, by lane; not set while there are none */
    struct hd_check_unwritten { /* reads of unwritten memory, reported at the end of the block */
        uintptr_t address, pc;  /* unless they turn out to be one side of a race */
        unsigned thread;
        int shared;
    } unwritten[8];
    unsigned unwritten_count;
    hd_check_knowledge knows, seen; /* seen: by relaxed reads of any thread before a barrier */
    hd_check_warp warp[HD_CPU_MAX_WARPS];
    struct hd_check_lane {
        hd_check_knowledge knows, seen;           /* seen: by relaxed reads, known after a fence */
        uint32_t fence, fence_synced, fence_warp; /* ticks at its last fence; 0: none */
        unsigned fence_scope;
    } lane[HD_CPU_MAX_THREADS];
    uint16_t order[HD_CPU_MAX_THREADS]; /* in which threads start */
} hd_check_block;

/* Memory that the running block may use: an allocation, a shared array. */
typedef struct hd_check_range {
    uintptr_t from, bytes;
    int written;  /* all of it counts as written: not plain device memory */
    int constant; /* kernels may not write it */
} hd_check_range;

enum { HD_CHECK_RANGES = 4 };

/* What the hooks need of the running thread; `block` is NULL while none runs. */
typedef struct hd_check_now {
    /* Two marks of a cell that has no epoch from these on: of operations that are over. */
    HD_ALIGN(16) uint32_t over[4];
    uint64_t when;      /* hd_check_when; 0: the hooks are to judge no access */
    uint32_t epoch_now; /* later epochs are of this block and tick */
    hd_cpu_resident *block;
    hd_check_block *check;
    unsigned linear, warp, lane;
    uintptr_t stack, stack_bytes;          /* the thread's own; 0 bytes while none runs */
    uintptr_t view, view_bytes;            /* the engine's part of the block, which kernels read */
    uintptr_t shared, shared_bytes;        /* shared memory of the block */
    uintptr_t cells;                       /* plus 4 * address: the cell of an aligned address */
    uintptr_t byte_cells;                  /* plus 16 * address: that of one byte */
    hd_check_range range[HD_CHECK_RANGES]; /* that an access may lie in, as far as known by now */
    unsigned next_range;
    uint32_t floor; /* of the operation that runs */
    unsigned scope; /* of the atomic that runs: hd_check_scope */
    int sampled;    /* profile.c looks at this block */
} hd_check_now;

extern _Thread_local hd_check_now hd_check_me
    __attribute__((tls_model("initial-exec"))); /* of the worker */
extern hd_check_now *hd_check_running; /* hd_check_me of the worker, while it runs a block */
extern pthread_mutex_t hd_check_lock;
/* Of the order of operations: held for moments only, and under any other lock. */
extern pthread_mutex_t hd_check_order_lock;

/* The next accesses may lie in it too. */
const hd_check_range *hd_check_range_add(hd_check_range range);
/* Sets the order in which the block's threads start (policy.c). */
void hd_check_order_threads(hd_cpu_resident *block, hd_check_block *b);
/* The running block's next tick. */
uint32_t hd_check_tick(hd_check_block *block);

/* ---- epochs (epoch.c, access/epoch_make.c); under hd_check_lock ------------------------------ */

typedef struct hd_check_epoch {
    uint32_t serial, tick, place;
} hd_check_epoch;

enum { HD_CHECK_EPOCHS = 1 << 26, HD_CHECK_RECENT = 1 << 10 };

extern hd_check_epoch *hd_check_epochs; /* epoch e at e % HD_CHECK_EPOCHS */
extern uint32_t hd_check_epochs_begin;  /* nobody asks for lower numbers */
extern uint32_t hd_check_epochs_end;    /* the next number */

/* Epochs of running blocks, found by place; and the memory that an access there lay in last. */
typedef struct hd_check_recent {
    uintptr_t pc;
    uint64_t when; /* hd_check_when */
    uint32_t epoch;
    uint32_t need;        /* of meta, in the last write: what it must not have, or must (INIT) */
    uintptr_t from, last; /* an access there begins at most `last` bytes behind `from` */
} hd_check_recent;
extern hd_check_recent hd_check_recents[HD_CHECK_RECENT];

static inline unsigned hd_check_recent_slot(uintptr_t pc)
{
    return (unsigned)(pc ^ pc >> 10) % HD_CHECK_RECENT;
}

uint32_t hd_check_epoch_make(uint32_t serial, uint32_t tick, uint32_t place);
static inline uint64_t hd_check_when(const hd_check_block *block)
{
    return (uint64_t)block->serial << 32 | block->tick;
}

/* Of the block at its tick. */
hd_check_recent *hd_check_recent_at(const hd_check_block *block, uintptr_t pc);
/* The access there, of so many bytes, does. */
static inline void hd_check_recent_lies_in(hd_check_recent *recent, const hd_check_range *range,
                                           size_t bytes)
{
    recent->from = range->from;
    recent->last = range->bytes - bytes;
    recent->need = HD_CHECK_RARE | (range->written ? 0 : HD_CHECK_INIT);
}

/* What the operation that runs need not ask about: epochs with a lower number. */
void hd_check_over(uint32_t epoch_floor);
/* The operation begins: its epochs come from now on. */
void hd_check_epoch_floor(hd_check_op *op);
/* Nobody asks for epochs with a lower number any more (0: for any). */
void hd_check_epochs_drop(uint32_t below);
/* serial 0: nobody, or so long ago that nobody knows. */
hd_check_record hd_check_record_of(hd_check_mark mark);

/* ---- accesses (access/race.c, transfer.c), called by the hooks ------------------------------- */

/* What an access does with what was there before. */
typedef enum hd_check_use {
    HD_CHECK_READS_WRITES,
    HD_CHECK_READS_ONLY,  /* an atomic */
    HD_CHECK_WRITES_ONLY, /* an atomic */
    HD_CHECK_COPIES       /* a read of a whole struct: of padding, too, that nobody writes */
} hd_check_use;

void hd_check_kernel_access(uintptr_t address, size_t bytes, hd_check_access kind, unsigned scope,
                            hd_check_use use, uintptr_t pc);
/* A copy, fill or free accesses the bytes as operation `op`. */
void hd_check_range_access(hd_check_op *op, uintptr_t address, size_t bytes, hd_check_access kind);
/* The block ends: reports its remaining reads of unwritten memory. */
void hd_check_report_unwritten(hd_cpu_resident *block);
/* The record is ordered before what the running thread does now. */
int hd_check_known(const hd_check_record *record);
/* The static array, or the dynamic part, of the block that holds all the bytes; NULL: none. */
const hd_check_range *hd_check_shared_usable(const hd_cpu_resident *block, uintptr_t address,
                                             size_t bytes);

/* ---- release and acquire (order/synchronize.c, knowledge.c, variable.c) ---------------------- */

typedef enum hd_check_scope { HD_CHECK_BLOCK, HD_CHECK_DEVICE, HD_CHECK_SYSTEM } hd_check_scope;

/* An atomic access of the running thread at the address reads, before it is recorded, and writes,
   after that; `order` is a memory order of C11. replaces: a store, no update. */
void hd_check_reads_variable(uintptr_t address, int order, unsigned scope);
void hd_check_writes_variable(uintptr_t address, int order, unsigned scope, int replaces);
/* The running thread has seen the end of a wait at the address, with acquire. */
void hd_check_acquire(uintptr_t address, unsigned scope);
void hd_check_fence(unsigned scope);
int hd_check_knows(const hd_check_record *record);
/* A block of the operation sees what the block with that serial has stored. */
void hd_check_sees(hd_check_op *op, uint32_t serial);
/* The running block has read something of another block's that looks like a flag, without order. */
int hd_check_saw_flag(void);
void hd_check_merge(hd_check_knowledge *into, const hd_check_knowledge *from);
void hd_check_unlearn(hd_check_knowledge *knows);
/* The block ends; what streams put behind its kernel comes after what it has learned. */
void hd_check_hand_over(hd_check_block *block);
void hd_check_variables_drop(void);

/* ---- memory (allocations.c, access/usable.c) ------------------------------------------------- */

typedef struct hd_check_allocation {
    uintptr_t base;
    size_t bytes;
    hd_memory_kind kind;
    int device;
    int freed;
    const char *name; /* of a symbol, NULL: an allocation */
    int constant;     /* a symbol that kernels do not write */
    uintptr_t stack[HD_CHECK_STACK], freed_stack[HD_CHECK_STACK];
    uint32_t used_by[8]; /* serials of the last operations that used it */
} hd_check_allocation;

/* The allocation, live or freed, that holds the address or lies nearest to it; NULL: none near. */
const hd_check_allocation *hd_check_allocation_at(uintptr_t address);
/* For the running thread: a live allocation that holds all the bytes and that its device may use;
   else reports why not and gives NULL. */
const hd_check_range *hd_check_usable(uintptr_t address, size_t bytes, hd_check_access kind,
                                      uintptr_t pc);

/* The live allocation or symbol with the lowest base above `base`; NULL: none. */
const hd_check_allocation *hd_check_live_after(uintptr_t base);
/* Some host memory is registered. */
int hd_check_any_registered(void);
/* Host memory outside the region that kernels may use: registered. */
int hd_check_mapped(uintptr_t address, size_t bytes);
/* Operation `op` uses the allocation that the address lies in, if any. 0: it is freed, which is
   reported. */
int hd_check_used(const hd_check_op *op, uintptr_t address, const char *verb);
/* Freed, or asked to be. */
int hd_check_free_due(const hd_check_allocation *allocation);
extern unsigned hd_check_memory_version; /* changes with every allocation, free, change of peers */
void hd_check_leaks(void);               /* at the end of the program */

/* ---- host code (host.c) ---------------------------------------------------------------------- */

/* A copy or fill is enqueued; the host has seen the end of some operations. */
void hd_check_transfer_begins(const hd_cpu_op *op);
void hd_check_transfers_end(void);
/* Instrumented host code accesses the bytes, atomically. */
void hd_check_host_atomic(uintptr_t address, size_t bytes, int reads, int writes, uintptr_t pc);
/* Instrumented host code accesses the bytes. */
void hd_check_host_access(uintptr_t address, size_t bytes, int writes, uintptr_t pc);

/* ---- barriers (collective.c) ----------------------------------------------------------------- */

/* The threads of the block that have not returned have met. */
void hd_check_left_out(hd_cpu_resident *block);

/* From where the running thread has called the function in which it meets others, as a hash; 0:
   unknown. first: that of the first of them, or 0. Called by hd_check_first and hd_check_diverged:
   it leaves out its own frame and theirs. */
uint64_t hd_check_calls(uint64_t first);

/* ---- loops that poll (polling.c, hold.c, rules/block.c) ------------------------------------- */

/* The running thread is about to write atomically: others may have to come first. */
extern void (*hd_check_raises)(uintptr_t address, uintptr_t pc); /* hold.c */
void hd_check_hold_start(void);
void hd_check_trace_start(void);
/* A thread is held up before it writes there. */
int hd_check_held_raise(uintptr_t address);
/* Holds the running thread up until the bytes have changed, or nobody else can go on; 1: they have
   changed. */
int hd_check_hold_poll(uintptr_t address, size_t bytes);
enum { HD_CHECK_CONTENT = 64 }; /* bytes of an access that are looked at */
/* A hash of [from, to), mixed with another one; of the first bytes of an access. */
uint64_t hd_check_bytes_hash(uint64_t hash, uintptr_t from, uintptr_t to);
uint64_t hd_check_content(uintptr_t address, size_t bytes);

/* How an access looks at memory. */
typedef enum hd_check_look {
    HD_CHECK_LOOKS,
    HD_CHECK_LOOKS_ATOMICALLY,
    HD_CHECK_LOOKS_TO_SWAP /* as to take a lock */
} hd_check_look;

/* All accesses of the running thread go to hd_check_trace_access too; 0: no. The thread of stall.c
   sets it, the worker sets it back. */
extern int hd_check_traces;
static inline int hd_check_traced(void)
{
    return __atomic_load_n(&hd_check_traces, __ATOMIC_RELAXED);
}
extern void (*hd_check_trace_access)(uintptr_t address, size_t bytes, hd_check_look how,
                                     uintptr_t pc); /* polling.c */
/* The block ends. */
void hd_check_trace_ends(hd_cpu_resident *block);
/* Behind calls that leave something else on the stack each time, which the next frames there would
   show: clears it. */
void hd_check_trace_wipe(void);
static inline void hd_check_trace_clean(void)
{
    if (hd_check_traced())
        hd_check_trace_wipe();
}

/* The hooks are to judge no access of the block that runs, whichever it is. By any thread. */
void hd_check_divert(void);

/* ---- lints (lint.c) -------------------------------------------------------------------------- */

void hd_check_lint_launch(const hd_check_op *op);
/* A lane calls with a mask that does not name it. */
void hd_check_lint_mask(const hd_cpu_resident *block, unsigned linear, uint64_t mask,
                        const hd_cpu_place *place);

/* ---- profile (profile.c) --------------------------------------------------------------------- */

void hd_check_profile_block_begins(hd_cpu_resident *block);
void hd_check_profile_block_ends(hd_cpu_resident *block);
/* The threads of a warp, or of the whole block (~0u), have met. */
void hd_check_profile_meets(hd_cpu_resident *block, unsigned warp);
void hd_check_profile_access(uintptr_t address, size_t bytes, hd_check_access kind, int shared,
                             uintptr_t pc);
void hd_check_profile_branch(uintptr_t pc);

/* ---- launches at the other warp size (replay.c) ---------------------------------------------- */

/* In the child process that replays a launch: reports nothing. */
extern int hd_check_replaying;

/* ---- configuration --------------------------------------------------------------------------- */

typedef struct hd_check_config {
    uint64_t seed;        /* HEDDLE_CHECK_SEED, 0: natural order */
    int strict;           /* HEDDLE_CHECK_STRICT: portability and performance count too */
    int profile;          /* HEDDLE_CHECK_PROFILE: enum below */
    int library;          /* HEDDLE_CHECK_LIBRARY: heddle's own kernels are judged by speed, too */
    unsigned replay;      /* HEDDLE_CHECK_REPLAY: launches per kernel replayed */
    const char *report;   /* HEDDLE_CHECK_REPORT: file for JSON lines */
    const char *suppress; /* HEDDLE_CHECK_SUPPRESS */
    unsigned limit;       /* HEDDLE_CHECK_LIMIT: findings printed at most, 0: all */
} hd_check_config;

enum { HD_CHECK_SOME_BLOCKS, HD_CHECK_ALL_BLOCKS, HD_CHECK_NO_BLOCK }; /* that it looks at */

extern hd_check_config hd_check_options;

#endif
