/* SPDX-License-Identifier: Apache-2.0 */
/* cg.h - conjugate gradients over one or several devices: symmetric positive definite systems with
   a sparse matrix, with the same bits for any number of devices. */
#ifndef HEDDLE_CG_H
#define HEDDLE_CG_H

#include <heddle/group.h>
#include <heddle/sparse.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text, what): what the residual is multiplied by before it becomes a direction. */
#define HD_CG_PRECONDITIONER_LIST(X)                                                               \
    X(HD_CG_JACOBI, "jacobi", "the inverse of the diagonal (default)")                             \
    X(HD_CG_NONE, "none", "nothing")

typedef enum hd_cg_preconditioner {
#define HD_CG_ENUM_(name, text, what) name,
    HD_CG_PRECONDITIONER_LIST(HD_CG_ENUM_)
#undef HD_CG_ENUM_
        HD_CG_PRECONDITIONER_COUNT_
} hd_cg_preconditioner;

/* X(name, text, what): how the operations of an iteration get to the devices. */
#define HD_CG_ISSUE_LIST(X)                                                                        \
    X(HD_CG_GRAPH, "graph", "a graph over all devices, launched again and again (default)")        \
    X(HD_CG_STREAMS, "streams", "call by call")

typedef enum hd_cg_issue {
#define HD_CG_ENUM_(name, text, what) name,
    HD_CG_ISSUE_LIST(HD_CG_ENUM_)
#undef HD_CG_ENUM_
        HD_CG_ISSUE_COUNT_
} hd_cg_issue;

/* X(name, text, what): how sums of tiles get to all devices. */
#define HD_CG_SUMS_LIST(X)                                                                         \
    X(HD_CG_EVENTS, "events", "kernels store them at every peer, events tell (default)")           \
    X(HD_CG_GROUP, "group", "an all-reduce of the group, zeros where tiles are others'")

typedef enum hd_cg_sums {
#define HD_CG_ENUM_(name, text, what) name,
    HD_CG_SUMS_LIST(HD_CG_ENUM_)
#undef HD_CG_ENUM_
        HD_CG_SUMS_COUNT_
} hd_cg_sums;

/* Zero the struct for the defaults, then set what is not 0. */
typedef struct hd_cg_options {
    hd_cg_preconditioner preconditioner;
    hd_cg_issue issue;
    hd_cg_sums sums; /* of one device there is nothing to tell */
    unsigned look;   /* iterations between two looks of the host; 0: 16 */
} hd_cg_options;

/* A matrix shared out over devices, and the vectors that go with it. */
typedef struct hd_cg hd_cg;

/* What one device has. */
typedef struct hd_cg_share {
    int device;
    size_t first_row, rows;
    size_t entries;
    size_t halo;          /* elements of a direction that others own */
    size_t boundary_rows; /* that need them */
    unsigned neighbours;  /* devices that own them */
    unsigned staged;      /* devices of all that it reaches through host memory alone */
} hd_cg_share;

typedef struct hd_cg_report {
    size_t iterations;
    size_t restarts;      /* from b - A x computed anew */
    int converged;        /* the true residual too is within the tolerance */
    double residual;      /* |r| / |b|, r as the iteration carries it; b 0: / |A x| of the guess */
    double true_residual; /* the same of b - A x, computed anew at the end */
    double norm;          /* |b| */
    double seconds;       /* of iterations and restarts, on the host's clock */
} hd_cg_report;

/* Shares `matrix` (square, host memory, read during the call alone) out over `count` devices, each
   at most once: blocks of rows of about equal work, cut at tiles (hd_cg_tile). Allocates on the
   devices the matrix and 7 vectors, connects every pair (hd_peer_connect), and waits for the
   devices. `options` may be NULL. The caller destroys *solver. One host thread at a time uses it.
   HD_ERR_ARGUMENT (also what hd_csr_check finds), HD_ERR_SINGULAR: an element of the diagonal is
   not above 0, with the row (Jacobi); HD_ERR_NO_MEMORY, HD_ERR_NO_PEER (HEDDLE_P2P=on). */
hd_status hd_cg_create(const int *devices, unsigned count, const hd_csr *matrix,
                       const hd_cg_options *options, hd_cg **solver);
/* NULL is success. */
hd_status hd_cg_destroy(hd_cg *solver);

unsigned hd_cg_count(const hd_cg *solver);
hd_status hd_cg_share_get(const hd_cg *solver, unsigned rank, hd_cg_share *share);
/* Elements of a tile of a vector of n: a power of two, a function of n alone. */
size_t hd_cg_tile(size_t n);

/* Solves A x = b. `b` and `x` are host memory, a number per row in the matrix's type; x holds the
   first guess and gets the last iterate, also where the method broke down. Ends when |b - A x| <=
   tolerance |b| in the 2-norm (where b is 0: tolerance times that of the first guess), or after
   `iterations`. The residual that the iteration carries drifts away from b - A x: where it alone is
   small enough the method begins again from b - A x, until that no longer halves it, because
   rounding in the matrix's type lets it fall no further; then the call ends with HD_OK and
   report->converged 0, as where iterations ran out. Waits.

   Each iteration: the product with the matrix, for which elements that other devices own arrive
   while rows that need none are done; two dot products, whose sums of tiles go to all devices,
   which fold them alike; the host looks every options.look iterations, and devices that are done
   early do nothing until then. Products of dot products are made and added in f64; vectors and the
   matrix's product are in the matrix's type. Order of additions: hd_spmv, and
   docs/conjugate-gradient.md; x and the report have the same bits for any number of devices and any
   paths between them.

   Bytes per row and iteration beside the product: 13 elements (11 without preconditioner).
   HD_ERR_ARGUMENT; HD_ERR_SINGULAR: p . A p is not above 0, so A is not positive definite, with
   value and iteration; HD_ERR_OVERFLOW: |b|^2 or the residual is no finite number, or |b|^2 is 0
   though b is not. Where either of the two ended it the report is set too. Errors of a device: the
   work of all others has ended when the call returns, and after it only hd_cg_destroy is allowed
   (HD_ERR_STATE).
   Method: M. Hestenes and E. Stiefel, J. Res. Natl. Bur. Stand. 49, 409 (1952), with the diagonal
   as preconditioner (Y. Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1). */
hd_status hd_cg_solve(hd_cg *solver, const void *b, void *x, double tolerance, size_t iterations,
                      hd_cg_report *report);

const char *hd_cg_preconditioner_name(hd_cg_preconditioner preconditioner);
const char *hd_cg_issue_name(hd_cg_issue issue);
const char *hd_cg_sums_name(hd_cg_sums sums);

#ifdef __cplusplus
}
#endif
#endif
