/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - the Jacobi kernels as host code sees them. The order of operations that they all
   follow is in docs/laplace.md. */
#ifndef HEDDLE_KERNELS_STENCIL_JACOBI_H
#define HEDDLE_KERNELS_STENCIL_JACOBI_H

#include <heddle/kernel_decl.h>

/* Columns are grouped in quads, four columns that begin at a multiple of 4; rows (planes in 3-D) in
   bands. Each column quad has one partial sum of the norm per band. */
enum {
    HD__JACOBI_QUAD = 4,
    HD__JACOBI_SEGMENT =
        1024, /* serial: cells of a row per iteration; their changes stay in the cache */
    HD__JACOBI_AHEAD = 8192,  /* serial, 2-D: prefetch distance in bytes */
    HD__JACOBI_LINE = 64,     /* bytes of a cache line */
    HD__JACOBI_THREADS = 128, /* threads of a block in 2-D */
    HD__JACOBI_MIN_BAND = 16,
    HD__JACOBI_MAX_DEPTH = 8,      /* maximum sweeps of a pass */
    HD__JACOBI_HEADER_BYTES = 256, /* header of a workspace, with the tickets */
    HD__JACOBI_SLOTS = 256,        /* threads that reduce a tile of partial sums */
    HD__JACOBI_TILE = 4096,        /* partial sums that a block reduces */
    HD__JACOBI3D_ROWS = 2,         /* rows per thread in passes of two sweeps */
    HD__JACOBI3D_SERIAL = 16       /* rows of a block of one thread */
};

/* Rows after its last one that a strip in 2-D may read, including rows read ahead. */
#define HD__JACOBI_REACH 12

/* Boundary condition of a side; the values of hd_side. */
enum { HD__JACOBI_FIXED = 0, HD__JACOBI_PERIODIC = 1, HD__JACOBI_MIRROR = 2, HD__JACOBI_HALO = 3 };

/* One pass over a 2-D field. A unit of work, computed by one warp, is a strip of columns in some
   bands. Plain units touch no side: plain_strips strips from the second on, times plain_chunks
   shares of bands plain_first to plain_end - 1. Edge units are numbered before them: the other
   strips in edge_chunks shares of all bands, and the bands above and below the plain
   ones, one unit each. A side that is a halo needs no edge bands, because its rows are read like
   inner rows. */
typedef struct hd__jacobi2d_task {
    const void *from;
    void *to;
    const uint8_t *held; /* or NULL */
    void *partials;      /* [sweep of the pass][band][quad] */
    uint32_t pitch;      /* elements between rows, in both fields */
    uint32_t held_pitch;
    uint32_t nx, ny;
    uint32_t quads; /* partial sums between bands */
    uint32_t band;  /* rows; a power of two */
    uint32_t bands;
    uint32_t sweep_sums;  /* partial sums between sweeps */
    uint32_t whole_bands; /* bands that are cut into shares; the last share also has the rest */
    uint32_t strips;
    uint32_t plain_strips; /* 0: no plain units, all strips are edge strips */
    uint32_t plain_chunks;
    uint32_t plain_first; /* 0 or 1 */
    uint32_t plain_end;
    uint32_t edge_chunks;
    uint32_t aligned; /* rows of both fields are aligned to 16 bytes */
    uint32_t sides[4];
    int32_t beyond[4]; /* halo cells in memory beyond each side; 0 if it is no halo */
} hd__jacobi2d_task;

/* Passes over a stripe of a 2-D field whose other stripes are on other devices. Side 0 is at low y,
   side 1 at high y; a side without a neighbour has share 0.
   Words count the passes since the stripes were filled. At a linked side a pass waits until the
   neighbour has announced `made` passes: then the neighbour has read what this pass overwrites, and
   stored what this pass reads. When all warps that touch a side have stored, the last one announces
   the pass. It may be delayed before the announcement while other warps begin the next pass.
   Announcements therefore alternate between HD__JACOBI_TURNS words: a word is used again only after
   a pass of the neighbour that waited for its previous value. */
enum { HD__JACOBI_TURNS = 2 };
/* More than the number of passes: a word with this value releases every wait. */
#define HD__JACOBI_FAR ((uint64_t)1 << 62)

typedef struct hd__jacobi2d_linked {
    hd__jacobi2d_task task; /* of the first pass; the next pass swaps from and to */
    /* [turn][side]: address that row 0 of this stripe has in the neighbour's `to`, with its pitch;
       turn is the parity of the pass in this launch */
    void *shared[2][2];
    uint32_t shared_pitch[2];
    uint32_t share[2]; /* rows that the neighbour needs: its halo */
    uint64_t *arrived
        [2]; /* on this device: words that the neighbour announces in, [pass % HD__JACOBI_TURNS] */
    uint64_t *announce[2]; /* the neighbours' words */
    uint64_t *released;    /* on this device: not 0 if it must announce HD__JACOBI_FAR */
    uint32_t *done;   /* counters, 0 before: [side], reset; several passes: [share of the rows] */
    uint32_t *ticket; /* several passes: 0 before */
    uint64_t made;    /* passes before this launch */
    uint32_t passes;  /* of this launch; 0: one, with static assignment of units */
    uint32_t chunks;  /* several passes: shares of the rows of all strips */
} hd__jacobi2d_linked;

/* One pass over a 3-D field: a block has a tile of columns and rows in a chunk of whole bands. */
typedef struct hd__jacobi3d_task {
    const void *from;
    void *to;
    void *partials;    /* [sweep of the pass][band][row][quad] */
    size_t plane;      /* elements between planes, in both fields */
    size_t band_sums;  /* ny * quads: partial sums of a band */
    size_t sweep_sums; /* partial sums of all bands */
    uint32_t pitch;    /* elements between rows */
    uint32_t nx, ny, nz;
    uint32_t quads;
    uint32_t band; /* planes; a power of two */
    uint32_t bands;
    uint32_t tiles_x;
    uint32_t tiles; /* tiles of a chunk */
    uint32_t chunks;
    uint32_t aligned; /* rows of both fields are aligned to 16 bytes */
    uint32_t odd;     /* a side may cut a quad, or quads are not aligned, or a side mirrors */
    uint32_t sides[6];
} hd__jacobi3d_task;

/* Reduces partial sums to norms; those of sweep s are s * count to (s + 1) * count - 1. */
typedef struct hd__jacobi_fold_task {
    const void *partials;
    double *tiles;     /* [sweep][tile] */
    uint32_t *tickets; /* one per sweep, 0 before and after */
    double *norms;
    uint64_t count;
    uint32_t tile_count;
} hd__jacobi_fold_task;

/* Reduces tiles of a field's partial sums that are distributed over devices: `count` sums in order,
   from the first one of a tile on; first own ones, then those of other devices (`tail`). Grid:
   (tiles, sweeps). */
typedef struct hd__jacobi_tiles_task {
    const void *own, *tail;
    uint64_t own_count, own_stride, tail_stride; /* strides: partial sums between sweeps */
    uint64_t count;
    double *tiles; /* [sweep][tile] */
} hd__jacobi_tiles_task;

/* Rows of a band in 2-D. Short bands let many warps share a small field. Depends on the field
   alone, like everything that determines the order of a sum. */
HD_BOTH uint32_t hd__jacobi2d_band(uint64_t cells)
{
    return cells > (uint64_t)1 << 25 ? 64 : cells > (uint64_t)1 << 21 ? 32 : HD__JACOBI_MIN_BAND;
}

/* Planes of a band in 3-D. */
HD_BOTH uint32_t hd__jacobi3d_band(uint64_t cells)
{
    return cells > (uint64_t)1 << 26 ? 32 : cells > (uint64_t)1 << 22 ? 16 : 8;
}

/* Threads of a block in 3-D, rows and columns that it stores, and bytes of its shared memory: two
   rows per warp and stage, double-buffered; none for a single sweep. */
HD_BOTH uint32_t hd__jacobi3d_threads(uint32_t element, uint32_t depth)
{
    return element == 8 ? 256 : depth == 1 ? 384 : 512;
}
HD_BOTH uint32_t hd__jacobi3d_rows(uint32_t element, uint32_t depth, uint32_t warp)
{
    const uint32_t warps = hd__jacobi3d_threads(element, depth) / warp;
    return depth == 1 ? warps : warps * HD__JACOBI3D_ROWS - 2 * depth;
}
HD_BOTH uint32_t hd__jacobi3d_columns(uint32_t depth, uint32_t warp)
{
    return (warp - (depth == 1 ? 0 : 2)) * HD__JACOBI_QUAD;
}
HD_BOTH uint32_t hd__jacobi3d_shared(uint32_t element, uint32_t depth)
{
    const uint32_t lines = depth == 1 ? 0 : 2 * depth * 2;
    return lines * hd__jacobi3d_threads(element, depth) * HD__JACOBI_QUAD * element;
}

/* Columns at each end of a strip that are invalid after a pass of `depth` sweeps. */
HD_BOTH uint32_t hd__jacobi_margin(uint32_t depth)
{
    return depth == 1 ? 0 : (depth + HD__JACOBI_QUAD - 1) / HD__JACOBI_QUAD * HD__JACOBI_QUAD;
}

/* X(type, depth, kind): kinds: n with norms, p without, h with held cells (and norms). */
#define HD__JACOBI2D_LIST(X)                                                                       \
    X(f32, 1, n)                                                                                   \
    X(f32, 2, n)                                                                                   \
    X(f32, 4, n)                                                                                   \
    X(f32, 8, n)                                                                                   \
    X(f32, 1, p)                                                                                   \
    X(f32, 2, p)                                                                                   \
    X(f32, 4, p)                                                                                   \
    X(f32, 8, p)                                                                                   \
    X(f32, 1, h)                                                                                   \
    X(f32, 4, h)                                                                                   \
    X(f64, 1, n)                                                                                   \
    X(f64, 2, n)                                                                                   \
    X(f64, 4, n)                                                                                   \
    X(f64, 1, p)                                                                                   \
    X(f64, 2, p)                                                                                   \
    X(f64, 4, p)                                                                                   \
    X(f64, 1, h)                                                                                   \
    X(f64, 4, h)

#define HD__JACOBI_DECLARE(type, depth, kind)                                                      \
    HD_DECLARE(hd__jacobi2d_##type##_##depth##kind, hd__jacobi2d_task)
HD__JACOBI2D_LIST(HD__JACOBI_DECLARE)
#undef HD__JACOBI_DECLARE

/* The same for linked passes: x with norms, y without. */
#define HD__JACOBI2D_LINKED_LIST(X)                                                                \
    X(f32, 1, x)                                                                                   \
    X(f32, 2, x)                                                                                   \
    X(f32, 4, x)                                                                                   \
    X(f32, 8, x)                                                                                   \
    X(f32, 1, y)                                                                                   \
    X(f32, 2, y)                                                                                   \
    X(f32, 4, y)                                                                                   \
    X(f32, 8, y)                                                                                   \
    X(f64, 1, x)                                                                                   \
    X(f64, 2, x)                                                                                   \
    X(f64, 4, x)                                                                                   \
    X(f64, 1, y)                                                                                   \
    X(f64, 2, y)                                                                                   \
    X(f64, 4, y)

#define HD__JACOBI_DECLARE(type, depth, kind)                                                      \
    HD_DECLARE(hd__jacobi2d_##type##_##depth##kind, hd__jacobi2d_linked)
HD__JACOBI2D_LINKED_LIST(HD__JACOBI_DECLARE)
#undef HD__JACOBI_DECLARE

#define HD__JACOBI3D_LIST(X)                                                                       \
    X(f32, 1, n)                                                                                   \
    X(f32, 2, n)                                                                                   \
    X(f32, 1, p)                                                                                   \
    X(f32, 2, p)                                                                                   \
    X(f64, 1, n)                                                                                   \
    X(f64, 2, n)                                                                                   \
    X(f64, 1, p)                                                                                   \
    X(f64, 2, p)

#define HD__JACOBI_DECLARE(type, depth, kind)                                                      \
    HD_DECLARE(hd__jacobi3d_##type##_##depth##kind, hd__jacobi3d_task)
HD__JACOBI3D_LIST(HD__JACOBI_DECLARE)
#undef HD__JACOBI_DECLARE
HD_DECLARE(hd__jacobi_fold_f32, hd__jacobi_fold_task)
HD_DECLARE(hd__jacobi_fold_f64, hd__jacobi_fold_task)
HD_DECLARE(hd__jacobi_tiles_f32, hd__jacobi_tiles_task)
HD_DECLARE(hd__jacobi_tiles_f64, hd__jacobi_tiles_task)

#endif
