/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_block.h - what kernel files and the CPU engine share: the block a thread belongs to, and the
   engine's calls. Only dialect.h and the engine include it. */
#ifndef HEDDLE_BACKEND_CPU_BLOCK_H
#define HEDDLE_BACKEND_CPU_BLOCK_H

#include <heddle/kernel_decl.h>

#ifndef HD_CPU_CHECK
#define HD_CPU_CHECK 0 /* 1: kernels are instrumented for the checking engine */
#endif

enum {
    HD_CPU_MAX_THREADS = 1024, /* in a block */
    HD_CPU_MAX_DEVICES = 64,
    HD_CPU_STATIC_SHARED = 48 << 10, /* bytes of static shared arrays per block at most */
    HD_CPU_CONSTANT = 64 << 10
};

/* Where in the source a collective or a wait stands. */
typedef struct hd_cpu_place {
    const char *file;
    const char *what;
    int line;
} hd_cpu_place;

typedef struct hd_cpu_thread {
    unsigned x, y, z, linear;
} HD_ALIGN(16) hd_cpu_thread;

/* What a kernel file copies to its own thread-local variable, where stores through the kernel's
   pointers cannot change it: otherwise no loop over threads would vectorise. */
typedef struct hd_cpu_dims {
    hd_dim3 block;
    int device;
    size_t origin_x; /* hd_global_x() of the block's first thread */
    uint64_t serial; /* a new one for every block that starts; never 0 */
    hd_dim3 block_dim;
    unsigned threads;
    hd_dim3 grid_dim;
    unsigned warp_size;
} HD_ALIGN(16) hd_cpu_dims;

/* The part of a resident block that kernel files read. */
typedef struct hd_cpu_block {
    hd_cpu_dims dims;
    unsigned char *dynamic;           /* dynamic shared memory */
    uint64_t total;                   /* result of the last barrier or block operation */
    uint64_t out[HD_CPU_MAX_THREADS]; /* what a collective hands to each thread */
} hd_cpu_block;

/* A switch to another fiber: where the running one saves its stack, and the stack to load; load is
   NULL if the thread just goes on. The switch itself is called from the kernel's own code, so that
   calls and returns stay paired and the jump at its end is predicted for each place in the
   kernel. */
typedef struct hd_cpu_fiber_switch {
    void **save;
    void *load;
} hd_cpu_fiber_switch;

/* Kinds of collectives. A whole-warp or whole-block operation is HD_CPU_FOLD plus its parts. */
enum {
    HD_CPU_SYNC = 1,
    HD_CPU_SHFL,
    HD_CPU_SHFL_UP,
    HD_CPU_SHFL_DOWN,
    HD_CPU_SHFL_XOR,
    HD_CPU_BROADCAST, /* the last kind that moves values by lane number */
    HD_CPU_BALLOT,
    HD_CPU_ANY,
    HD_CPU_ALL,
    HD_CPU_MATCH_ANY,
    HD_CPU_MATCH_ALL,
    HD_CPU_COUNT,
    HD_CPU_AND,
    HD_CPU_OR,
    HD_CPU_FOLD = 0x100
};
enum {
    HD_CPU_SUM,
    HD_CPU_MIN,
    HD_CPU_MAX,
    HD_CPU_SCAN_SUM,
    HD_CPU_SCAN_MIN,
    HD_CPU_SCAN_MAX,
    HD_CPU_SCAN_BEFORE /* exclusive sum */
};
enum { HD_CPU_F32, HD_CPU_F64, HD_CPU_I32, HD_CPU_U32, HD_CPU_I64, HD_CPU_U64 };
#define HD_CPU_FOLD_KIND(operation, type, width)                                                   \
    ((unsigned)HD_CPU_FOLD | (unsigned)(operation) | (unsigned)(type) << 4 |                       \
     (unsigned)(width) << 16)

/* With the following, of a wait that gives up after a while. */
#define HD_CPU_WAIT_TRY 32u
/* How a wait compares, and what it looks at. */
enum {
    HD_CPU_WAIT_GE = 0,
    HD_CPU_WAIT_EQ = 1,
    HD_CPU_WAIT_NE = 2,
    HD_CPU_WAIT_HOW = 3,
    HD_CPU_WAIT_SIGNED = 4,
    HD_CPU_WAIT_WIDE = 8, /* 64 bits */
    HD_CPU_WAIT_SYSTEM = 16,
    HD_CPU_WAIT_BLOCK = 64, /* for a thread of the same block; neither: of the device */
    HD_CPU_WAIT_HELD = 128  /* for nothing: the checker lets others run first */
};

/* A static shared array: one per declaration in the source; the engine gives it a number and a
   fixed place in the shared memory of every block. */
typedef struct hd_cpu_array {
    const char *name;
    size_t bytes;
    unsigned number; /* from 1; 0: none yet */
    size_t offset;
} hd_cpu_array;

/* Where the array lies in the block that this OS thread runs just now. */
typedef struct hd_cpu_view {
    uint64_t serial;
    void *data;
} hd_cpu_view;

/* A device variable or constant: one copy per virtual device, made on first use, all zero. */
typedef struct hd_cpu_cell {
    const char *name;
    size_t bytes;
    int constant; /* kernels do not write it */
    void *copy[HD_CPU_MAX_DEVICES];
} hd_cpu_cell;

/* HD_MAX_THREADS and HD_DEFINE of one kernel file, numbered in the order of the source and linked
   when the program starts. A bound stands before the name of its kernel, so it cannot say which one
   that is: it belongs to the HD_DEFINE that follows it. */
typedef struct hd_cpu_bound {
    struct hd_cpu_bound *next;
    unsigned order, threads;
} hd_cpu_bound;

/* A place where a thread waits for something outside its launch, in a section of its own
   (hd_cpu_outside): there is one only where the code that waits was compiled. */
typedef struct hd_cpu_outside {
    hd_cpu_place place;
    hd_cpu_bound *const *bounds; /* stands for the file */
} hd_cpu_outside;

/* What the engine keeps of a kernel. */
struct hd_module {
    struct hd_module *next;
    hd_module *const *defined;   /* all of the file */
    hd_cpu_bound *const *bounds; /* all of the file */
    unsigned order;              /* of HD_DEFINE in the file */
    unsigned max_threads;        /* 0: not looked up yet */
    size_t static_bytes;         /* of shared arrays that a block has used, at most */
    int checked;                 /* the file was compiled for the checking engine */
    int waits;                   /* a kernel of the file waits: 1 maybe, -1 no, 0 not known yet */
    const hd_cpu_outside *outside, *outside_end; /* of the program or library it is part of */
};

/* Runs threads [from, to) of the block until one of them blocks; then the blocks that follow. */
typedef void hd_cpu_entry(const hd_cpu_block *block, void *const *args, unsigned from, unsigned to);

#ifdef __cplusplus
extern "C" {
#endif

void hd_cpu_switch(void **save, void *load);

hd_cpu_fiber_switch hd_cpu_arrive_warp(const hd_cpu_block *block, unsigned linear, unsigned kind,
                                       uint64_t bits, unsigned from, const hd_cpu_place *place);
hd_cpu_fiber_switch hd_cpu_arrive_mask(const hd_cpu_block *block, unsigned linear, unsigned kind,
                                       uint64_t bits, unsigned from, const hd_cpu_place *place,
                                       uint64_t mask);
hd_cpu_fiber_switch hd_cpu_arrive_block(const hd_cpu_block *block, unsigned linear, unsigned kind,
                                        uint64_t bits, const hd_cpu_place *place);
hd_cpu_fiber_switch hd_cpu_arrive_wait(const hd_cpu_block *block, unsigned linear,
                                       const void *address, uint64_t value, unsigned how,
                                       const hd_cpu_place *place);

/* 1 if every thread of the block has passed without blocking and the block object now stands for
   the next one, to be run from its first thread. */
int hd_cpu_block_follows(const hd_cpu_block *block);

void hd_cpu_bind_array(const hd_cpu_block *block, hd_cpu_array *array, hd_cpu_view *view);
void *hd_cpu_cell_copy(hd_cpu_cell *cell, int device);

#if HD_CPU_CHECK
/* Thread `linear` of the block runs from here on; the scope of the atomics that follow (0 block, 1
   device, 2 system); a fence; a wait at the address is over. */
void hd_cpu_check_thread(const hd_cpu_block *block, unsigned linear);
/* A stack begins to run threads of the block; by the function that calls the kernel. again: makes
   the variables of the kernel's file those of thread `linear`, which the checker has held up. */
void hd_cpu_check_entry(const hd_cpu_block *block,
                        void (*again)(const hd_cpu_block *block, unsigned linear));
/* The thread has returned. 1: no thread of the block has blocked, and *linear runs on its stack. */
int hd_cpu_check_next(const hd_cpu_block *block, unsigned *linear);
void hd_cpu_check_scope(unsigned scope);
void hd_cpu_check_fence(unsigned scope);
void hd_cpu_check_acquired(const volatile void *address, unsigned how);
enum { HD_CPU_WIDTH, HD_CPU_DISTANCE, HD_CPU_LANE };
/* An argument of a warp operation: the width of its groups, how far lanes look, the lane of a
   broadcast. Gives it back as a number. */
unsigned hd_cpu_check_argument(unsigned what, int64_t value, const hd_cpu_place *place);
#endif

int hd_cpu_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
void hd_cpu_assert_failed(const hd_cpu_block *block, hd_cpu_thread thread, const char *condition,
                          const char *function, const char *file, int line)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
