/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_block.h - the interface between kernel files and the CPU engine: the state of a block that
   kernels access, and the engine's calls. Only dialect.h and the engine include it. */
#ifndef HEDDLE_BACKEND_CPU_BLOCK_H
#define HEDDLE_BACKEND_CPU_BLOCK_H

#include <heddle/kernel_decl.h>

#ifndef HD_CPU_CHECK
#define HD_CPU_CHECK 0 /* 1: kernels are instrumented for the checking engine */
#endif

enum {
    HD_CPU_MAX_THREADS = 1024, /* threads in a block */
    HD_CPU_MAX_DEVICES = 64,
    HD_CPU_STATIC_SHARED = 48 << 10, /* maximum bytes of static shared arrays per block */
    HD_CPU_CONSTANT = 64 << 10,
    HD_CPU_ALIGN_MAX = 1024 /* of shared arrays and device variables */
};

/* Source location of a collective or a wait. */
typedef struct hd_cpu_place {
    const char *file;
    const char *what;
    int line;
} hd_cpu_place;

typedef struct hd_cpu_thread {
    unsigned x, y, z, linear;
} HD_ALIGN(16) hd_cpu_thread;

/* Dimensions that a kernel file copies to a thread-local variable of its own. Stores through the
   kernel's pointers cannot change that copy; otherwise no loop over threads would vectorise. */
typedef struct hd_cpu_dims {
    hd_dim3 block;
    int device;
    size_t origin_x; /* hd_global_x() of the block's first thread */
    uint64_t serial; /* distinct for every block that starts; never 0 */
    hd_dim3 block_dim;
    unsigned threads;
    hd_dim3 grid_dim;
    unsigned warp_size;
} HD_ALIGN(16) hd_cpu_dims;

/* The part of a resident block that kernel files access. */
typedef struct hd_cpu_block {
    hd_cpu_dims dims;
    unsigned char *dynamic;           /* dynamic shared memory */
    uint64_t total;                   /* result of the last barrier or block operation */
    uint64_t out[HD_CPU_MAX_THREADS]; /* results of a collective, per thread */
} hd_cpu_block;

/* A switch to another fiber: where to save the running stack's pointer, and the one to load; load
   is NULL if the thread continues without a switch. The kernel's own code performs the switch, so
   that calls and returns stay paired and the jump at its end is predicted separately for each call
   site. */
typedef struct hd_cpu_fiber_switch {
    void **save;
    void *load;
} hd_cpu_fiber_switch;

/* Kinds of collectives. For whole-warp and whole-block operations HD_CPU_FOLD is combined with the
   operation, type and width. */
enum {
    HD_CPU_SYNC = 1,
    HD_CPU_SHFL,
    HD_CPU_SHFL_UP,
    HD_CPU_SHFL_DOWN,
    HD_CPU_SHFL_XOR,
    HD_CPU_BROADCAST, /* last of the kinds that move values by lane number */
    HD_CPU_BALLOT,
    HD_CPU_ANY,
    HD_CPU_ALL,
    HD_CPU_MATCH_ANY,
    HD_CPU_MATCH_ALL,
    HD_CPU_COUNT,
    HD_CPU_AND,
    HD_CPU_OR,
    HD_CPU_FOLD = 0x100,
    HD_CPU_WHOLE = 0x200 /* with HD_CPU_FOLD: requires every lane of the warp */
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

/* A wait with a time limit. */
#define HD_CPU_WAIT_TRY 32u
/* Comparison of a wait, and the memory that it reads. */
enum {
    HD_CPU_WAIT_GE = 0,
    HD_CPU_WAIT_EQ = 1,
    HD_CPU_WAIT_NE = 2,
    HD_CPU_WAIT_HOW = 3,
    HD_CPU_WAIT_SIGNED = 4,
    HD_CPU_WAIT_WIDE = 8, /* 64 bits */
    HD_CPU_WAIT_SYSTEM = 16,
    HD_CPU_WAIT_BLOCK = 64, /* stored by the same block; neither bit: by the same device */
    HD_CPU_WAIT_HELD = 128  /* held by the checker, which lets other threads run first */
};

/* A static shared array: one per declaration in the source. The engine assigns its number and its
   fixed offset in the shared memory of every block. */
typedef struct hd_cpu_array {
    const char *name;
    size_t bytes, alignment;
    unsigned number; /* from 1; 0: not assigned yet */
    size_t offset;
} hd_cpu_array;

/* Address of the array in the block that this OS thread is running. */
typedef struct hd_cpu_view {
    uint64_t serial;
    void *data;
} hd_cpu_view;

/* A device variable or constant: one copy per virtual device, created on first use. */
typedef struct hd_cpu_cell {
    const char *name;
    size_t bytes;
    int constant;        /* kernels cannot write it */
    const void *initial; /* contents of a new copy; NULL: zeros */
    void *copy[HD_CPU_MAX_DEVICES];
} hd_cpu_cell;

/* The HD_MAX_THREADS and HD_DEFINE of a kernel file are numbered in source order and linked when
   the program starts. A bound precedes its kernel and does not know its name: it belongs to the
   next HD_DEFINE. */
typedef struct hd_cpu_bound {
    struct hd_cpu_bound *next;
    unsigned order, threads;
} hd_cpu_bound;

/* A place where a thread waits for something outside its launch, in linker section hd_cpu_outside:
   an entry exists only if the waiting code was compiled. */
typedef struct hd_cpu_outside {
    hd_cpu_place place;
    hd_cpu_bound *const *bounds; /* identifies the file */
} hd_cpu_outside;

/* The engine's data about a kernel. */
struct hd_module {
    struct hd_module *next;
    hd_module *const *defined;   /* all kernels of the file */
    hd_cpu_bound *const *bounds; /* all bounds of the file */
    unsigned order;              /* position of HD_DEFINE in the file */
    unsigned max_threads;        /* 0: not determined yet */
    size_t static_bytes;         /* maximum that a block has used of static shared arrays */
    int checked;                 /* the file was compiled for the checking engine */
    int waits;                   /* whether kernels of the file wait: 1 maybe, -1 no, 0 unknown */
    const hd_cpu_outside *outside, *outside_end; /* range of the containing program or library */
};

/* Runs threads [from, to) of the block until one blocks; if none does, continues with the next
   blocks. */
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

/* 1 if every thread of the block has finished without blocking and the block object has become the
   next block, to be run from its first thread. */
int hd_cpu_block_follows(const hd_cpu_block *block);

void hd_cpu_bind_array(const hd_cpu_block *block, hd_cpu_array *array, hd_cpu_view *view);
void *hd_cpu_cell_copy(hd_cpu_cell *cell, int device);

#if HD_CPU_CHECK
/* The program's device variables are ordinary variables (translated programs): kernels may use
   variables of static storage from now on. */
void hd_cpu_check_device_variables(void);
/* Thread `linear` of the block runs from now on. */
void hd_cpu_check_thread(const hd_cpu_block *block, unsigned linear);
/* A stack starts running threads of the block; called by the function that calls the kernel. again:
   sets the kernel file's variables for thread `linear`, which the checker has held. */
void hd_cpu_check_entry(const hd_cpu_block *block,
                        void (*again)(const hd_cpu_block *block, unsigned linear));
/* The thread has returned. 1: no thread of the block has blocked, and thread *linear is to run on
   the same stack. */
int hd_cpu_check_next(const hd_cpu_block *block, unsigned *linear);
/* Scope of the following atomics (0 block, 1 device, 2 system); a fence; the end of a wait at the
   address. */
void hd_cpu_check_scope(unsigned scope);
void hd_cpu_check_fence(unsigned scope);
void hd_cpu_check_acquired(const volatile void *address, unsigned how);
enum { HD_CPU_WIDTH, HD_CPU_DISTANCE, HD_CPU_LANE };
/* Checks an argument of a warp operation, the group width, the lane distance or the source lane of
   a broadcast, and returns it as unsigned. */
unsigned hd_cpu_check_argument(unsigned what, int64_t value, const hd_cpu_place *place);
#endif

/* Nanoseconds, monotonic. */
uint64_t hd_cpu_clock(void);

/* The block whose thread calls; NULL: it is not the thread of a kernel. */
const hd_cpu_block *hd_cpu_running_block(void);
int hd_cpu_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
void hd_cpu_assert_failed(const hd_cpu_block *block, hd_cpu_thread thread, const char *condition,
                          const char *function, const char *file, int line)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
