/* SPDX-License-Identifier: Apache-2.0 */
/* cg.h - conjugate gradients: types shared by host code and kernels. */
#ifndef HEDDLE_KERNELS_SPARSE_CG_H
#define HEDDLE_KERNELS_SPARSE_CG_H

#include <heddle/kernel_decl.h>

/* Dot products are cut into tiles, which depend on the length of the whole vector alone. A tile has
   256 partial sums, slot s adding elements s, s + 256, ...; these are reduced in a tree with
   ascending strides. The tiles' sums are reduced in the same order. */
enum {
    HD__CG_SLOTS = 256, /* slots of a tile, and threads of a block */
    HD__CG_LEAST_TILE = 256,
    HD__CG_MAX_TILES = 4096
};

/* Planes of tile sums, one per dot product. */
enum { HD__CG_PLANE_PQ, HD__CG_PLANE_RZ, HD__CG_PLANE_RR, HD__CG_PLANES };

enum {
    HD__CG_RUNNING,
    HD__CG_CONVERGED,
    HD__CG_INDEFINITE,
    HD__CG_NOT_FINITE,
    HD__CG_TOO_SMALL /* set by the host only: b is not 0, but its sum of squares is */
};

/* Relative r . r that counts as 0, per vector type. Below it the terms lose all digits, and p . A p
   may come out as 0 or less though the matrix is positive definite; x has stopped changing by then.
   */
#define HD__CG_LEAST_F64 1e-280
#define HD__CG_LEAST_F32 1e-30

/* The scalars of the method. Every device computes its own copy; all copies have the same bits. */
typedef struct hd__cg_state {
    double rz, pq, alpha, beta;
    double rr;        /* r . r */
    double bb;        /* b . b */
    double scale;     /* bb, or the first rr if bb is 0 */
    double tolerance; /* on |r|, relative to the root of scale */
    double least;     /* HD__CG_LEAST_... of the type */
    uint32_t iterations;
    uint32_t stop; /* HD__CG_RUNNING, or the reason to stop */
} hd__cg_state;

/* A device's rows of all vectors. */
typedef struct hd__cg_task {
    hd__cg_state *state;
    void *x, *r, *p, *q;
    const void *b;
    const void *inverse; /* inverse of the diagonal; NULL: no preconditioner */
    double *const *to;   /* tile sums of this device and of those that it stores to */
    double *sums;        /* this device's copy, [plane][tile of the whole vector] */
    uint32_t to_count;
    uint32_t rows;
    uint32_t tile;       /* elements */
    uint32_t first_tile; /* index in the whole vector of this device's first tile */
    uint32_t tiles;      /* of the whole */
} hd__cg_task;

/* Elements that another device needs: entries `first` and up of the list are stored at `to`. */
typedef struct hd__cg_segment {
    void *to;
    uint32_t first;
    uint32_t count;
} hd__cg_segment;

typedef struct hd__cg_pack_task {
    const hd__cg_state *state; /* NULL: runs unconditionally */
    const void *from;
    const int32_t *index;
    const hd__cg_segment *segments;
    uint32_t segment_count;
    uint32_t count;
} hd__cg_pack_task;

#define HD__CG_DECLARE(type)                                                                       \
    HD_DECLARE(hd__cg_begin_##type, hd__cg_task)                                                   \
    HD_DECLARE(hd__cg_dot_##type, hd__cg_task)                                                     \
    HD_DECLARE(hd__cg_update_##type, hd__cg_task)                                                  \
    HD_DECLARE(hd__cg_direction_##type, hd__cg_task)                                               \
    HD_DECLARE(hd__cg_pack_##type, hd__cg_pack_task)
HD__CG_DECLARE(f32)
HD__CG_DECLARE(f64)
#undef HD__CG_DECLARE
HD_DECLARE(hd__cg_scalars_begin, hd__cg_task)
HD_DECLARE(hd__cg_scalars_alpha, hd__cg_task)
HD_DECLARE(hd__cg_scalars_beta, hd__cg_task)

#endif
