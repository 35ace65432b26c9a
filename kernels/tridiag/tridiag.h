/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.h - the kernels that solve tridiagonal systems, as host code sees them. The order of
   operations that they follow is in docs/tridiagonal.md.

   Systems are interleaved in groups of `width`: row i of system s is element (s / width * rows + i)
   * width + s % width of each array. width 1: one system after another. */
#ifndef HEDDLE_KERNELS_TRIDIAG_H
#define HEDDLE_KERNELS_TRIDIAG_H

#include <heddle/kernel_decl.h>

enum {
    HD__TRIDIAG_SHORT_BYTES = 32,  /* short chunk, width 1, one array: 8 f32 or 4 f64 rows */
    HD__TRIDIAG_MAX_SHORT = 512,   /* maximum short chunks of a system in one block */
    HD__TRIDIAG_LONG_ROWS = 16,    /* rows of a long chunk, for other widths */
    HD__TRIDIAG_STRIP_LEAST = 512, /* serial: bytes of a row in a thread's strip */
    HD__TRIDIAG_STRIP_MAX = 4096,
    HD__TRIDIAG_COLUMN_BYTES = 128, /* serial: bytes of a row in a column that keeps all rows */
    HD__TRIDIAG_COLUMN_CHUNKS = 11, /* serial: maximum chunks of it in shared memory */
    HD__TRIDIAG_MAX_LONG = 16,      /* maximum long chunks in one block; blocks of a team */
    HD__TRIDIAG_EXCHANGED = 13,     /* elements that a block of a team publishes per system */
    HD__TRIDIAG_SHUFFLE = 32,       /* maximum rows of a cyclic reduction by shuffles */
    HD__TRIDIAG_BLOCK = 256,        /* threads: reduce, substitute, shuffle, thomas */
    HD__TRIDIAG_BUFFERS = 6         /* arrays in shared memory of a cyclic reduction */
};

/* One launch. */
typedef struct hd__tridiag_task {
    const void *a, *b, *c, *d; /* left of the diagonal, diagonal, right of it, right-hand side */
    void *x;                   /* may be d (or a, b, c) */
    void *smaller[4];          /* a, b, c, d of the system of chunk ends; its solution is in d */
    uint64_t *singular;        /* lowest index of a singular system */
    size_t systems, width, rows;
    size_t chunks;     /* of a system */
    size_t tiles;      /* reduce, substitute: blocks per group or system; lanes: blocks per group */
    unsigned lanes;    /* neighbouring systems of a block; chunks, shuffle: threads of a system */
    unsigned members;  /* team: blocks of a team */
    unsigned abreast;  /* team: teams whose blocks are interleaved in launch order */
    unsigned resident; /* lanes, team: blocks that run at once */
    uint32_t *ticket;  /* team: 0 before and after */
    uint32_t *arrived; /* team: per strip, 0 before */
    void *exchange;    /* team: HD__TRIDIAG_EXCHANGED * lanes elements per block */
    unsigned aligned; /* width 1, and every chunk of every array starts at a multiple of 16 bytes */
} hd__tridiag_task;

/* Dynamic shared memory of the kernel `lanes` with `threads` threads: kept rows of its chunks, then
   the buffers of the cyclic reduction. The kernel `shared` needs only the buffers. */
HD_BOTH size_t hd__tridiag_kept_bytes(size_t threads, size_t element_bytes)
{
    return 3 * (HD__TRIDIAG_LONG_ROWS - 1) * threads * element_bytes;
}

HD_BOTH size_t hd__tridiag_buffer_bytes(size_t threads, size_t element_bytes)
{
    return HD__TRIDIAG_BUFFERS * threads * element_bytes;
}

/* The same where one thread takes whole systems of `chunks` chunks. */
HD_BOTH size_t hd__tridiag_column_bytes(size_t chunks)
{
    const size_t most = HD__TRIDIAG_COLUMN_CHUNKS, kept = chunks < most ? chunks : most;
    return 3 * (HD__TRIDIAG_LONG_ROWS - 1) * kept * HD__TRIDIAG_COLUMN_BYTES;
}

/* Additional bytes of the kernel `team`, after those: a row of chunk ends per thread. */
HD_BOTH size_t hd__tridiag_ends_bytes(size_t threads, size_t element_bytes)
{
    return 4 * threads * element_bytes;
}

/* X(kernel, type). Whole systems, memory accessed once:
     warp        width 1, at most 32 short chunks: registers and shuffles
     block       width 1, at most 512 short chunks: registers and shared memory
     lanes       any width, at most 16 long chunks: neighbouring systems share a block
     team        any width, at most 256 long chunks: several blocks with 16 chunks of each system
   In two passes, any length, short chunks for width 1 and long ones else:
     reduce      chunks to the system of their ends      substitute   and back
   Plain algorithms:
     shuffle     cyclic reduction, at most 32 rows       shared       the same, at most 1024 rows
     thomas      a thread per system */
#define HD__TRIDIAG_TYPES(X, kernel) X(kernel, f32) X(kernel, f64)
#define HD__TRIDIAG_KERNEL_LIST(X)                                                                 \
    HD__TRIDIAG_TYPES(X, warp)                                                                     \
    HD__TRIDIAG_TYPES(X, block)                                                                    \
    HD__TRIDIAG_TYPES(X, lanes)                                                                    \
    HD__TRIDIAG_TYPES(X, team)                                                                     \
    HD__TRIDIAG_TYPES(X, reduce_short)                                                             \
    HD__TRIDIAG_TYPES(X, reduce_long)                                                              \
    HD__TRIDIAG_TYPES(X, substitute_short)                                                         \
    HD__TRIDIAG_TYPES(X, substitute_long)                                                          \
    HD__TRIDIAG_TYPES(X, shuffle)                                                                  \
    HD__TRIDIAG_TYPES(X, shared)                                                                   \
    HD__TRIDIAG_TYPES(X, thomas)

#define HD__TRIDIAG_DECLARE(kernel, type)                                                          \
    HD_DECLARE(hd__tridiag_##kernel##_##type, hd__tridiag_task)
HD__TRIDIAG_KERNEL_LIST(HD__TRIDIAG_DECLARE)
#undef HD__TRIDIAG_DECLARE

#endif
