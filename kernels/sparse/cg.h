/* SPDX-License-Identifier: Apache-2.0 */
/* cg.h - conjugate gradients: what host and kernels share. */
#ifndef HEDDLE_KERNELS_SPARSE_CG_H
#define HEDDLE_KERNELS_SPARSE_CG_H

#include <heddle/kernel_decl.h>

/* Dot products are cut into tiles, which are a function of the whole length alone: a tile has 256
   sums, slot s that of elements s, s + 256, ..., added in a tree with ascending strides; the tiles'
   sums are added likewise. */
enum {
    HD__CG_SLOTS = 256, /* and threads of a block */
    HD__CG_LEAST_TILE = 256,
    HD__CG_MOST_TILES = 4096
};

/* Sums of tiles, a plane each. */
enum { HD__CG_PLANE_PQ, HD__CG_PLANE_RZ, HD__CG_PLANE_RR, HD__CG_PLANES };

enum {
    HD__CG_RUNNING,
    HD__CG_CONVERGED,
    HD__CG_INDEFINITE,
    HD__CG_NOT_FINITE,
    HD__CG_TOO_SMALL /* of the host alone: b is not 0, its sum of squares is */
};

/* r . r relative to where it began that is as good as 0, by the type of vectors: soon its terms
   have no digits left, and p . A p may come out as 0 or less though the matrix is positive
   definite. By then x does not change any more. */
#define HD__CG_LEAST_F64 1e-280
#define HD__CG_LEAST_F32 1e-30

/* The scalars of the method. Every device has its own, and all have the same bits. */
typedef struct hd__cg_state {
    double rz, pq, alpha, beta;
    double rr;        /* r . r */
    double bb;        /* b . b */
    double scale;     /* bb, where that is 0 the first rr */
    double tolerance; /* on |r|, relative to the root of scale */
    double least;     /* HD__CG_LEAST_ of the type */
    uint32_t iterations;
    uint32_t stop; /* HD__CG_RUNNING, or why there is nothing to do any more */
} hd__cg_state;

/* A device's rows of all vectors. */
typedef struct hd__cg_task {
    hd__cg_state *state;
    void *x, *r, *p, *q;
    const void *b;
    const void *inverse; /* of the diagonal, or NULL: no preconditioner */
    double *const *to;   /* the sums of tiles of this device and of those it stores to */
    double *sums;        /* its own, [plane][tile of the whole] */
    uint32_t to_count;
    uint32_t rows;
    uint32_t tile;       /* elements */
    uint32_t first_tile; /* of this device's tiles in the whole */
    uint32_t tiles;      /* of the whole */
} hd__cg_task;

/* Elements that other devices need: from entry `first` of the list on they go to `to`. */
typedef struct hd__cg_segment {
    void *to;
    uint32_t first;
    uint32_t count;
} hd__cg_segment;

typedef struct hd__cg_pack_task {
    const hd__cg_state *state; /* NULL: whatever it says */
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
