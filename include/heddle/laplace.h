/* SPDX-License-Identifier: Apache-2.0 */
/* laplace.h - Jacobi sweeps over 2-D and 3-D fields and solvers of Laplace's equation from them,
   with the same bits on every backend. */
#ifndef HEDDLE_LAPLACE_H
#define HEDDLE_LAPLACE_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is at a side of the field. FIXED: the outermost cells of that side keep their values
   (Dirichlet). PERIODIC: the neighbour is the cell at the other end; both sides of an axis are, or
   none. MIRROR: the neighbour beyond has the value of the cell itself (no flow, Neumann). HALO, in
   2-D: the cells beyond lie in memory before and behind the field's own, where somebody else, who
   has that part of a larger field, puts them (heddle/halo.h): they are read, not written. */
typedef enum hd_side { HD_SIDE_FIXED, HD_SIDE_PERIODIC, HD_SIDE_MIRROR, HD_SIDE_HALO } hd_side;

/* A field and what to do with it. Zero the struct, then set what is not 0. Cell (x, y, z) of a
   field is its element z * plane + y * pitch + x; what lies between rows is neither read nor
   written. */
typedef struct hd_jacobi {
    hd_type type;      /* HD_F32 or HD_F64 */
    size_t nx, ny, nz; /* extents, below 2^31 - 1024; nz is of 3-D alone */
    size_t pitch;      /* elements from a row to the next; 0: nx */
    size_t plane;      /* 3-D: elements from a plane to the next; 0: ny * pitch */
    hd_side sides[6];  /* low x, high x, low y, high y, low z, high z */
    /* 2-D: device memory, ny rows of nx bytes, held_pitch (0: nx) apart, or NULL. Cells whose byte
       is not 0 keep their values. */
    const uint8_t *held;
    size_t held_pitch;
    /* 2-D: cells that lie in memory beyond every side that is a halo, at least `sweeps`, of
       `field`, of `other` and of `held`; 16 or more are fastest. Rows beyond are as long as the
       others, with what is beyond their ends: corners count where sweeps > 1. */
    size_t halo;
    /* With halos: no more than one pass can make, since what is beyond is as old as the field. */
    size_t sweeps;
    /* Sweeps of one pass over memory, at most; 0: what is fastest. Kernels exist for 1, 2, 4
       and, in 2-D f32, 8; in 3-D for 1 and 2; with `held` for 1 and 4: a pass has the largest of
       these that depth and the sweeps left allow. */
    unsigned depth;
    double *norms; /* device memory for one norm per sweep, or NULL */
} hd_jacobi;

/* Bytes of a workspace for a problem; 0 without norms. */
hd_status hd_jacobi2d_workspace(const hd_jacobi *problem, size_t *bytes);
hd_status hd_jacobi3d_workspace(const hd_jacobi *problem, size_t *bytes);

/* Makes problem->sweeps Jacobi sweeps of a field that is in `field`. `other` is a second field of
   the same layout, whose contents do not matter; both are device memory aligned to an element (16
   bytes, and rows that are multiples of 16 bytes apart, are fastest), and they do not overlap.
   *result is the one of the two that holds the last sweep; the other one is left with some earlier
   sweep.

   A sweep gives every cell that is not held
     2-D: ((north + west) + (south + east)) * 0.25
     3-D: ((((west + east) + (north + south)) + back) + front) * (1 / 6, rounded to the type)
   of the values before it; north and back are the neighbours with the lower index in y and z. Each
   operation is rounded once; bits depend on neither depth, launch shape nor warp size.

   norms[s] is the 2-norm of what sweep s changed: sqrt of the sum of (new - old)^2 over all cells,
   which is the norm of the residual of Laplace's equation before that sweep. Squares and short sums
   are in the field's type, the rest in f64, in an order that depends on the extents alone: see
   docs/laplace.md. Without cells norms are 0.

   Asynchronous on `stream`: one launch per pass, and one more with norms. With a workspace it
   neither allocates nor synchronises and may be captured; NULL takes scratch that the stream keeps.
   Reads and writes each cell once per pass: 2 * size bytes.

   HD_ERR_ARGUMENT (types that are not floats, sides that are periodic at one end only, pitches
   too small, fields that overlap), HD_ERR_OVERFLOW, HD_ERR_UNSUPPORTED (held in 3-D),
   HD_ERR_POINTER, HD_ERR_WORKSPACE. Method: C. G. J. Jacobi, 1845; several sweeps per pass:
   wavefront blocking after D. Wonnacott (2000) and A. Nguyen et al., "3.5-D blocking" (SC 2010). */
hd_status hd_jacobi2d(const hd_jacobi *problem, void *field, void *other, void **result,
                      hd_workspace *workspace, hd_stream *stream);
hd_status hd_jacobi3d(const hd_jacobi *problem, void *field, void *other, void **result,
                      hd_workspace *workspace, hd_stream *stream);

/* What a solver did. */
typedef struct hd_laplace_report {
    void *result;   /* which of the two fields holds the solution */
    size_t sweeps;  /* that were made */
    double norm;    /* of the last sweep's change */
    int converged;  /* norm <= tolerance */
    unsigned depth; /* sweeps of the deepest pass over memory */
} hd_laplace_report;

/* Sweeps in groups of `group` (0: 64) until the last sweep of a group changed the field by no more
   than `tolerance` in the 2-norm, or problem->sweeps were made. problem->norms is device memory for
   `group` (or 64) doubles. Waits for the stream after each group. Further arguments and errors as
   above; HD_ERR_ARGUMENT also where tolerance is negative or NaN. */
hd_status hd_laplace2d(const hd_jacobi *problem, double tolerance, size_t group, void *field,
                       void *other, hd_laplace_report *report, hd_workspace *workspace,
                       hd_stream *stream);
hd_status hd_laplace3d(const hd_jacobi *problem, double tolerance, size_t group, void *field,
                       void *other, hd_laplace_report *report, hd_workspace *workspace,
                       hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
