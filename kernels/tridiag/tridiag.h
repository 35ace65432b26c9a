/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.h - the kernels that solve tridiagonal systems, as host code sees them. The order of
   operations that they follow is in docs/tridiagonal.md.

   Systems stand in groups of `width`: row i of system s is element
   (s / width * rows + i) * width + s % width of each array. width 1: system after system. */
#ifndef HEDDLE_KERNELS_TRIDIAG_H
#define HEDDLE_KERNELS_TRIDIAG_H

#include <heddle/kernel_decl.h>

enum {
    HD__TRIDIAG_SHORT_BYTES = 32,  /* a chunk of width 1, of one array: 8 f32 or 4 f64 rows */
    HD__TRIDIAG_MOST_SHORT = 512,  /* chunks of a system that one block takes */
    HD__TRIDIAG_LONG_ROWS = 16,    /* a chunk of other widths */
    HD__TRIDIAG_STRIP_LEAST = 512, /* bytes of a row, of the systems that one thread takes */
    HD__TRIDIAG_STRIP_MOST = 4096,
    HD__TRIDIAG_COLUMN_BYTES = 128, /* of a row, where it has all rows of the systems */
    HD__TRIDIAG_COLUMN_CHUNKS = 11, /* of which it then keeps in shared memory, at most */
    HD__TRIDIAG_MOST_LONG = 16,     /* chunks of a system that one block takes; blocks of a team */
    HD__TRIDIAG_EXCHANGED = 13,     /* elements that a block of a team publishes per system */
    HD__TRIDIAG_SHUFFLE = 32,       /* rows of a cyclic reduction by shuffles, at most */
    HD__TRIDIAG_BLOCK = 256,        /* threads: reduce, substitute, shuffle, thomas */
    HD__TRIDIAG_BUFFERS = 6         /* arrays of shared memory that a cyclic reduction works in */
};

/* One launch. */
typedef struct hd__tridiag_task {
    const void *a, *b, *c, *d; /* left of the diagonal, diagonal, right of it, right-hand side */
    void *x;                   /* may be d (or a, b, c) */
    void *smaller[4];          /* a, b, c, d of the system of chunk ends; its solution is in d */
    uint64_t *singular;        /* lowest index of a system that cannot be solved */
    size_t systems, width, rows;
    size_t chunks;     /* of a system */
    size_t tiles;      /* reduce, substitute: blocks of a group or system; lanes: of a group */
    unsigned lanes;    /* neighbouring systems of a block; chunks, shuffle: threads of a system */
    unsigned members;  /* team: blocks of a team */
    unsigned abreast;  /* team: teams whose blocks are interleaved in launch order */
    unsigned resident; /* lanes, team: blocks that run at once */
    uint32_t *ticket;  /* team: 0 before and after */
    uint32_t *arrived; /* team: per strip, 0 before */
    void *exchange;    /* team: HD__TRIDIAG_EXCHANGED * lanes elements per block */
    unsigned aligned; /* width 1, and every chunk of every array starts at a multiple of 16 bytes */
} hd__tridiag_task;

/* Dynamic shared memory of `threads` threads of the kernel `lanes`: what its chunks keep, then the
   buffers of the cyclic reduction, which is all that the kernel `shared` needs. */
HD_BOTH size_t hd__tridiag_kept_bytes(size_t threads, size_t element_bytes)
{
    return 3 * (HD__TRIDIAG_LONG_ROWS - 1) * threads * element_bytes;
}

HD_BOTH size_t hd__tridiag_buffer_bytes(size_t threads, size_t element_bytes)
{
    return HD__TRIDIAG_BUFFERS * threads * element_bytes;
}

/* Of the kernel `lanes` where one thread takes whole systems of so many chunks. */
HD_BOTH size_t hd__tridiag_column_bytes(size_t chunks)
{
    const size_t most = HD__TRIDIAG_COLUMN_CHUNKS, kept = chunks < most ? chunks : most;
    return 3 * (HD__TRIDIAG_LONG_ROWS - 1) * kept * HD__TRIDIAG_COLUMN_BYTES;
}

/* What the kernel `team` needs behind those: a row of chunk ends per thread. */
HD_BOTH size_t hd__tridiag_ends_bytes(size_t threads, size_t element_bytes)
{
    return 4 * threads * element_bytes;
}

/* X(kernel, type). Whole systems, memory touched once:
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
