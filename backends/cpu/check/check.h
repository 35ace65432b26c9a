/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - the checking engine: declarations shared by its files. observer.h and ../observe.h
   declare the calls that the CPU engine makes to it.

   The compiler's thread instrumentation (-fsanitize=thread, hooks in access/hooks.c) reports every
   access of a kernel. All memory that kernels may use lies in one region of addresses. Each 4-byte
   granule of it has a 16-byte cell in a shadow of the region with its last write and read, and
   another 16 bytes, rarely used, with its last atomic and one more read:

       granule --> cell       last write  | last read
                   rare half  last atomic | other read
                                  |
                         mark, 8 bytes: thread, bytes of the granule, flags, epoch
                                                                               |
                         epoch: accesses of one block (serial) at one tick by one place in the code

   An access is compared with the marks in its cell. Two accesses, one of them a write, race unless
   one happens before the other, by program order, barriers, release and acquire, or stream order:

       block, tick   1          2               operations (order/)
       thread 0      write x |  read y          stream 0   A --- record e
       thread 1      write y |  read x                               \
                          barrier               stream 1           wait e --- B
             tick 1 < synced = 2: ordered       B.before[0] = 1: A happens before B

   A race is found from the order of accesses, not from wrong results: one run finds it regardless
   of timing.

   One cell per granule suffices while accesses cover whole granules. If threads access single bytes
   or halves of a granule, a mark would replace that of a neighbour. Such a granule is split: each
   byte has its own cell in a second shadow, until one write covers all four bytes.

   Marks alone prove most accesses to be ordered, which the hooks test themselves (access/quick.h);
   access/race.c handles the others.

   A single worker runs all blocks. It holds hd_check_lock while threads of a block run; copies and
   fills take the lock too, so that no two OS threads access a cell at once. */
#ifndef HEDDLE_CPU_CHECK_H
#define HEDDLE_CPU_CHECK_H

#include "check/finding.h"
#include "check/observer.h"
#include "check/shadow.h"

/* ---- operations: launches, copies, fills, frees (order/) ------------------------------------- */

enum { HD_CHECK_RAISES = 8 };

/* Vector clock: element s is the number of operations of stream s that are done. */
typedef struct hd_check_clock {
    uint32_t *at;
    unsigned count;
} hd_check_clock;

struct hd_check_op {
    uint32_t serial; /* serial of its first block; a copy has one serial */
    uint32_t blocks;
    unsigned number; /* number among all operations, from 1 */
    unsigned stream, index;
    int device;
    hd_check_clock before;  /* operations that are done when this one begins */
    hd_check_clock learned; /* those before kernels whose releases its blocks have read */
    hd_check_clock read;    /* operations of which only the reads are done when this one begins */
    hd_check_clock seen;    /* those before kernels whose atomics its blocks have read */
    uint32_t seen_last;     /* the last of these kernels, by serial */
    uint32_t floor;         /* every operation with a lower serial is done when this one begins */
    uint32_t epoch_floor;   /* likewise the operations of all lower epochs */
    uint32_t first_epoch;   /* lower bound of the operation's epochs */
    int begun;
    int strayed;             /* a finding reports an address that it may not use */
    const hd_kernel *kernel; /* NULL: not a launch */
    const char *what;        /* "hd_launch", "hd_copy", ... */
    hd_dim3 grid, block;
    size_t shared_bytes;
    int sized;                        /* the program sized it by the device's limits */
    uintptr_t raise[HD_CHECK_RAISES]; /* places where a thread was held (hold.c) */
    unsigned raise_count;
    uintptr_t stack[HD_CHECK_STACK]; /* call stack of the enqueuing call, 0 after the last frame */
    int done;
    uintptr_t dead_from, dead_bytes; /* unused part of the host thread's stack at the call */
    struct hd_check_op *next, *next_learner;
};

/* The operation of a record; NULL: it is done before any operation that can still run. */
hd_check_op *hd_check_op_of(uint32_t serial);
/* Number of operations enqueued so far, which is the number of the last one. Takes no lock. */
unsigned hd_check_op_count(void);
/* Whether `first` is done before `second` begins. */
int hd_check_op_before(const hd_check_op *first, const hd_check_op *second);
/* Whether the reads of the operation with that serial are done before `op` begins. */
int hd_check_read_before(uint32_t serial, const hd_check_op *op);
/* Nonzero while the host has not synchronised with every operation. */
extern int hd_check_pending;
/* Whether the host has synchronised with the operation, or is doing so. Called by any host
   thread. */
int hd_check_host_knows(const hd_check_op *op);
void hd_check_host_learns(const hd_check_op *op);

/* ---- the running thread (rules/block.c) ------------------------------------------------------ */

enum {
    HD_CHECK_LANES = 64,
    HD_CHECK_BELOW = 4096 /* unused bytes before a block's shared memory */
};

typedef struct hd_check_ref { /* knowledge: what was published by releases at one address */
    struct hd_check_variable *variable;
    uint32_t from, to; /* releases [from, to) of the variable */
    uint32_t serial;   /* the acquiring block */
    uint16_t scope;    /* scope of the acquire */
    int16_t device;    /* device of the acquire */
} hd_check_ref;

typedef struct hd_check_knowledge {
    hd_check_ref *refs;
    unsigned count, room;
    int all; /* too much to store: everything counts as known */
} hd_check_knowledge;

/* Groups of threads that can meet, numbered: the whole block, a warp, lanes of a warp. */
enum {
    HD_CHECK_OF_BLOCK,
    HD_CHECK_OF_WARP,
    HD_CHECK_OF_LANES = HD_CHECK_OF_WARP + HD_CPU_MAX_WARPS,
    HD_CHECK_MEETINGS = HD_CHECK_OF_LANES + HD_CPU_MAX_WARPS * HD_CHECK_LANES
};

/* Per warp of the running block. */
typedef struct hd_check_warp {
    uint32_t synced; /* accesses of its lanes at lower ticks are ordered */
    uint32_t *pairs; /* [lane a][lane b]: a has synchronised with b up to this tick; NULL: none */
    hd_check_knowledge knows;
} hd_check_warp;

/* The checker's state of a resident block. */
typedef struct hd_check_block {
    hd_check_op *op;
    uint32_t serial, tick;
    uint32_t synced;       /* accesses of the block at lower ticks are ordered */
    uint64_t suspensions;  /* number of suspensions of its threads so far */
    int taught;            /* some knowledge below is not empty */
    int sampled;           /* set by hd_check_profile_block_begins: profiled */
    uintptr_t glimpsed[4]; /* addresses of other blocks' atomics that were read without acquire */
    unsigned glimpses;
    void (*again)(const hd_cpu_block *view, unsigned linear); /* sets the file's thread variables */
    uintptr_t entry; /* offset of the kernel's first frame from the top of a stack */
    uint64_t calls[HD_CHECK_MEETINGS]; /* calls.c: call path of the first thread to arrive */
    unsigned failures;                 /* threads that left by a failed assertion */
    uint64_t failed[HD_CPU_MAX_WARPS]; /* those threads, by lane; valid if failures > 0 */
    struct hd_check_unwritten { /* reads of uninitialised memory, reported at the end of the */
        uintptr_t address, pc;  /* block unless one side of a race explains them */
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
    uint16_t order[HD_CPU_MAX_THREADS]; /* start order of the threads */
} hd_check_block;

/* Memory that the running block may use: an allocation or a shared array. */
typedef struct hd_check_range {
    uintptr_t from, bytes;
    int written;  /* counts as fully initialised: not plain device memory */
    int constant; /* kernels may not write it */
} hd_check_range;

enum { HD_CHECK_RANGES = 4 };

/* State of the running thread that the hooks use; `block` is NULL while no thread runs. */
typedef struct hd_check_now {
    /* Epochs below these belong to finished operations; compared with the two marks of a cell. */
    HD_ALIGN(16) uint32_t over[4];
    uint64_t when;      /* hd_check_when; 0: the hooks must take the slow path */
    uint32_t epoch_now; /* epochs from this one on belong to the current block and tick */
    hd_cpu_resident *block;
    hd_check_block *check;
    unsigned linear, warp, lane;
    uintptr_t stack, stack_bytes;          /* the thread's stack; 0 bytes while no thread runs */
    uintptr_t view, view_bytes;            /* the engine's part of the block, which kernels read */
    uintptr_t shared, shared_bytes;        /* shared memory of the block */
    uintptr_t cells;                       /* plus 4 * address: cell of an aligned address */
    uintptr_t byte_cells;                  /* plus 16 * address: cell of a byte */
    hd_check_range range[HD_CHECK_RANGES]; /* cache of ranges that accesses may use */
    unsigned next_range;
    uint32_t floor; /* of the running operation */
    unsigned scope; /* hd_check_scope of the running atomic */
    int sampled;    /* the profile samples this block */
} hd_check_now;

extern _Thread_local hd_check_now hd_check_me
    __attribute__((tls_model("initial-exec"))); /* the worker's */
extern hd_check_now *hd_check_running;          /* the worker's hd_check_me while it runs a block */
extern pthread_mutex_t hd_check_lock;
/* Guards the order of operations. Held only briefly; may be taken while holding any other lock. */
extern pthread_mutex_t hd_check_order_lock;

/* Caches a range for the next accesses. */
const hd_check_range *hd_check_range_add(hd_check_range range);
/* Sets the start order of the block's threads (policy.c). */
void hd_check_order_threads(hd_cpu_resident *block, hd_check_block *b);
/* Advances the running block's tick and returns it. */
uint32_t hd_check_tick(hd_check_block *block);

/* ---- epochs (epoch.c, access/epoch_make.c); under hd_check_lock ------------------------------ */

typedef struct hd_check_epoch {
    uint32_t serial, tick, place;
} hd_check_epoch;

enum { HD_CHECK_EPOCHS = 1 << 26, HD_CHECK_RECENT = 1 << 10 };

extern hd_check_epoch *hd_check_epochs; /* epoch e at e % HD_CHECK_EPOCHS */
extern uint32_t hd_check_epochs_begin;  /* lower numbers are no longer needed */
extern uint32_t hd_check_epochs_end;    /* the next number */

/* Cache of epochs by place in the code, and of the range that the place accessed last. */
typedef struct hd_check_recent {
    uintptr_t pc;
    uint64_t when; /* hd_check_when */
    uint32_t epoch;
    uint32_t need;        /* flags of the last write: INIT bits must be set, others clear */
    uintptr_t from, last; /* accesses there start at most `last` bytes after `from` */
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

/* The entry of the place, for the block's current tick. */
hd_check_recent *hd_check_recent_at(const hd_check_block *block, uintptr_t pc);
/* The place accesses `bytes` bytes at a time in this range. */
static inline void hd_check_recent_lies_in(hd_check_recent *recent, const hd_check_range *range,
                                           size_t bytes)
{
    recent->from = range->from;
    recent->last = range->bytes - bytes;
    recent->need = HD_CHECK_RARE | (range->written ? 0 : HD_CHECK_INIT);
}

/* Sets the epoch floor of the running operation: accesses of lower epochs are done before it and
   need no comparison. */
void hd_check_over(uint32_t epoch_floor);
/* An operation begins: sets the floor of its epochs. */
void hd_check_epoch_floor(hd_check_op *op);
/* Frees epochs below this number, which are no longer needed (0: all). */
void hd_check_epochs_drop(uint32_t below);
/* serial 0: no access, or too old to be known. */
hd_check_record hd_check_record_of(hd_check_mark mark);

/* ---- accesses (access/race.c, transfer.c), called by the hooks ------------------------------- */

/* What an access does with the old contents. */
typedef enum hd_check_use {
    HD_CHECK_READS_WRITES,
    HD_CHECK_READS_ONLY,  /* an atomic */
    HD_CHECK_WRITES_ONLY, /* an atomic */
    HD_CHECK_COPIES,      /* a read of a whole struct, including padding, which is never written */
    HD_CHECK_FILLS        /* a write of a whole struct: like COPIES at any address */
} hd_check_use;

void hd_check_kernel_access(uintptr_t address, size_t bytes, hd_check_access kind, unsigned scope,
                            hd_check_use use, uintptr_t pc);
/* A copy, fill or free accesses the bytes as operation `op`. */
void hd_check_range_access(hd_check_op *op, uintptr_t address, size_t bytes, hd_check_access kind);
/* The block ends: reports its remaining reads of uninitialised memory. */
void hd_check_report_unwritten(hd_cpu_resident *block);
/* Whether the record happens before the running thread's next action. */
int hd_check_known(const hd_check_record *record);
/* The block's static array or dynamic shared memory that contains all the bytes; NULL: none. */
const hd_check_range *hd_check_shared_usable(const hd_cpu_resident *block, uintptr_t address,
                                             size_t bytes);

/* ---- release and acquire (order/synchronize.c, knowledge.c, variable.c) ---------------------- */

typedef enum hd_check_scope { HD_CHECK_BLOCK, HD_CHECK_DEVICE, HD_CHECK_SYSTEM } hd_check_scope;

/* An atomic access by the running thread: called for its read part before the access is recorded,
   for its write part afterwards; `order` is a C11 memory order. replaces: a store, not a
   read-modify-write. */
void hd_check_reads_variable(uintptr_t address, int order, unsigned scope);
void hd_check_writes_variable(uintptr_t address, int order, unsigned scope, int replaces);
/* The running thread has finished a wait at the address, with acquire semantics. */
void hd_check_acquire(uintptr_t address, unsigned scope);
void hd_check_fence(unsigned scope);
int hd_check_knows(const hd_check_record *record);
/* A block of the operation reads a value stored by the block with that serial. */
void hd_check_sees(hd_check_op *op, uint32_t serial);
/* Whether the running block has read, without acquire, an atomic of another block that looks like a
   flag. */
int hd_check_saw_flag(void);
void hd_check_merge(hd_check_knowledge *into, const hd_check_knowledge *from);
void hd_check_unlearn(hd_check_knowledge *knows);
/* The block ends: operations ordered after its kernel by streams inherit its knowledge. */
void hd_check_hand_over(hd_check_block *block);
void hd_check_variables_drop(void);

/* ---- memory (allocations.c, access/usable.c) ------------------------------------------------- */

typedef struct hd_check_allocation {
    uintptr_t base;
    size_t bytes;
    hd_memory_kind kind;
    int device;
    int freed;
    const char *name; /* name of a symbol; NULL: an allocation */
    int constant;     /* a symbol that kernels cannot write */
    uintptr_t stack[HD_CHECK_STACK], freed_stack[HD_CHECK_STACK];
    uint32_t used_by[8]; /* serials of the last operations that used it */
} hd_check_allocation;

/* The allocation, live or freed, that contains the address or is nearest to it; NULL: none near. */
const hd_check_allocation *hd_check_allocation_at(uintptr_t address);
/* For the running thread: the live allocation that contains all the bytes and that its device may
   access; otherwise reports why not and returns NULL. */
const hd_check_range *hd_check_usable(uintptr_t address, size_t bytes, hd_check_access kind,
                                      uintptr_t pc);

/* The live allocation or symbol with the lowest base above `base`; NULL: none. */
const hd_check_allocation *hd_check_live_after(uintptr_t base);
/* Whether any host memory is registered. */
int hd_check_any_registered(void);
/* Whether the bytes are registered host memory outside the region, which kernels may use. */
int hd_check_mapped(uintptr_t address, size_t bytes);
/* Records that `op` uses the allocation at the address, if any. 0: already freed, which is
   reported. */
int hd_check_used(const hd_check_op *op, uintptr_t address, const char *verb);
/* Freed, or its free is requested. */
int hd_check_free_due(const hd_check_allocation *allocation);
extern unsigned hd_check_memory_version; /* changes with every allocation, free, change of peers */
void hd_check_leaks(void);               /* at the end of the program */

/* ---- host code (host.c) ---------------------------------------------------------------------- */

/* A copy or fill is enqueued; the host has synchronised with some operations. */
void hd_check_transfer_begins(const hd_cpu_op *op);
void hd_check_transfers_end(void);
/* Instrumented host code accesses the bytes atomically. */
void hd_check_host_atomic(uintptr_t address, size_t bytes, int reads, int writes, uintptr_t pc);
/* Instrumented host code accesses the bytes. */
void hd_check_host_access(uintptr_t address, size_t bytes, int writes, uintptr_t pc);

/* ---- barriers (collective.c) ----------------------------------------------------------------- */

/* The threads of the block that have not returned have met: checks for missing ones. */
void hd_check_left_out(hd_cpu_resident *block);

/* Hash of the running thread's call path to the function in which it meets others; 0: unknown.
   first: the hash of the first thread to arrive, or 0. Called by hd_check_first and
   hd_check_diverged: skips its own frame and theirs. */
uint64_t hd_check_calls(uint64_t first);

/* ---- loops that poll (polling.c, hold.c, rules/block.c) ------------------------------------- */

/* The running thread is about to write atomically: other threads may be run first. */
extern void (*hd_check_raises)(uintptr_t address, uintptr_t pc); /* hold.c */
void hd_check_hold_start(void);
void hd_check_trace_start(void);
/* Whether a thread is held before a write to this address. */
int hd_check_held_raise(uintptr_t address);
/* Holds the running thread until the bytes have changed (returns 1) or no other thread can continue
   (returns 0 unless they changed). */
int hd_check_hold_poll(uintptr_t address, size_t bytes);
enum { HD_CHECK_CONTENT = 64 }; /* maximum bytes of an access that are hashed */
/* Hash of [from, to) combined with `hash`; hash of the first bytes of an access. */
uint64_t hd_check_bytes_hash(uint64_t hash, uintptr_t from, uintptr_t to);
uint64_t hd_check_content(uintptr_t address, size_t bytes);

/* How an access reads memory. */
typedef enum hd_check_look {
    HD_CHECK_LOOKS,
    HD_CHECK_LOOKS_ATOMICALLY,
    HD_CHECK_LOOKS_TO_SWAP /* compare and swap, e.g. to take a lock */
} hd_check_look;

/* Nonzero: all accesses of the running thread are also passed to hd_check_trace_access. Set by the
   thread of stall.c, cleared by the worker. */
extern int hd_check_traces;
static inline int hd_check_traced(void)
{
    return __atomic_load_n(&hd_check_traces, __ATOMIC_RELAXED);
}
extern void (*hd_check_trace_access)(uintptr_t address, size_t bytes, hd_check_look how,
                                     uintptr_t pc); /* polling.c */
/* The block ends. */
void hd_check_trace_ends(hd_cpu_resident *block);
/* Clears the stack below the caller: calls leave different values there each time, which would
   appear in later frames. */
void hd_check_trace_wipe(void);
static inline void hd_check_trace_clean(void)
{
    if (hd_check_traced())
        hd_check_trace_wipe();
}

/* Makes the hooks of the running block take the slow path. Called by any thread. */
void hd_check_divert(void);

/* ---- lints (lint.c) -------------------------------------------------------------------------- */

void hd_check_lint_launch(const hd_check_op *op);
/* A lane calls a collective with a mask that does not include it: reports a mask with an empty
   upper half. */
void hd_check_lint_mask(const hd_cpu_resident *block, unsigned linear, uint64_t mask,
                        const hd_cpu_place *place);

/* ---- profile (profile.c) --------------------------------------------------------------------- */

void hd_check_profile_block_begins(hd_cpu_resident *block);
void hd_check_profile_block_ends(hd_cpu_resident *block);
/* The threads of a warp, or of the whole block (warp = ~0u), have met. */
void hd_check_profile_meets(hd_cpu_resident *block, unsigned warp);
void hd_check_profile_access(uintptr_t address, size_t bytes, hd_check_access kind, int shared,
                             uintptr_t pc);
void hd_check_profile_branch(uintptr_t pc);

/* ---- launches at the other warp size (replay.c) ---------------------------------------------- */

/* Set in the child process that replays a launch: reports nothing. */
extern int hd_check_replaying;

/* ---- configuration --------------------------------------------------------------------------- */

typedef struct hd_check_config {
    uint64_t seed;        /* HEDDLE_CHECK_SEED; 0: natural order */
    int strict;           /* HEDDLE_CHECK_STRICT: portability and performance findings fail too */
    int profile;          /* HEDDLE_CHECK_PROFILE: see the enum below */
    int library;          /* HEDDLE_CHECK_LIBRARY: also judge heddle's kernels by performance */
    unsigned replay;      /* HEDDLE_CHECK_REPLAY: number of launches to replay per kernel */
    const char *report;   /* HEDDLE_CHECK_REPORT: file for JSON lines */
    const char *suppress; /* HEDDLE_CHECK_SUPPRESS */
    unsigned limit;       /* HEDDLE_CHECK_LIMIT: maximum number of printed findings, 0: no limit */
} hd_check_config;

enum { HD_CHECK_SOME_BLOCKS, HD_CHECK_ALL_BLOCKS, HD_CHECK_NO_BLOCK }; /* blocks to sample */

extern hd_check_config hd_check_options;

#endif
