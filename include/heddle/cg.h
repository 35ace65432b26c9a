/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Conjugate gradients over one or several devices: symmetric positive definite systems with a
 *  sparse matrix, with the same bits for any number of devices.
 */
#ifndef HEDDLE_CG_H
#define HEDDLE_CG_H

#include <heddle/group.h>
#include <heddle/sparse.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup cg Conjugate gradients
 *  @brief Sparse systems over one or several devices; docs/conjugate-gradient.md.
 *  @{
 */

/** X(name, text, what): the preconditioners, by which the residual is multiplied. */
#define HD_CG_PRECONDITIONER_LIST(X)                                                               \
    /** The inverse of the diagonal. */                                                            \
    X(HD_CG_JACOBI, "jacobi", "the inverse of the diagonal (default)")                             \
    /** No preconditioner. */                                                                      \
    X(HD_CG_NONE, "none", "nothing")

/** The values are those of #HD_CG_PRECONDITIONER_LIST. */
typedef enum hd_cg_preconditioner {
#define HD_CG_ENUM_(name, text, what) name,
    HD_CG_PRECONDITIONER_LIST(HD_CG_ENUM_)
#undef HD_CG_ENUM_
        HD_CG_PRECONDITIONER_COUNT_
} hd_cg_preconditioner;

/** X(name, text, what): how the operations of an iteration are issued to the devices. */
#define HD_CG_ISSUE_LIST(X)                                                                        \
    /** A graph over all devices, launched repeatedly. */                                          \
    X(HD_CG_GRAPH, "graph", "a graph over all devices, launched again and again (default)")        \
    /** Call by call. */                                                                           \
    X(HD_CG_STREAMS, "streams", "call by call")

/** The values are those of #HD_CG_ISSUE_LIST. */
typedef enum hd_cg_issue {
#define HD_CG_ENUM_(name, text, what) name,
    HD_CG_ISSUE_LIST(HD_CG_ENUM_)
#undef HD_CG_ENUM_
        HD_CG_ISSUE_COUNT_
} hd_cg_issue;

/** X(name, text, what): how sums of tiles are distributed to all devices. */
#define HD_CG_SUMS_LIST(X)                                                                         \
    /** Kernels store them on every peer; events order the devices. */                             \
    X(HD_CG_EVENTS, "events", "kernels store them at every peer, events tell (default)")           \
    /** An all-reduce of a group, with zeros for tiles of other devices. */                        \
    X(HD_CG_GROUP, "group", "an all-reduce of the group, zeros where tiles are others'")

/** The values are those of #HD_CG_SUMS_LIST. */
typedef enum hd_cg_sums {
#define HD_CG_ENUM_(name, text, what) name,
    HD_CG_SUMS_LIST(HD_CG_ENUM_)
#undef HD_CG_ENUM_
        HD_CG_SUMS_COUNT_
} hd_cg_sums;

/** Options of hd_cg_create(). Zero the struct for the defaults, then set what is not 0. */
typedef struct hd_cg_options {
    hd_cg_preconditioner preconditioner; /**< Preconditioner. */
    hd_cg_issue issue;                   /**< How operations are issued. */
    hd_cg_sums sums;                     /**< How sums are distributed; not used with one device. */
    unsigned look;                       /**< Iterations between two checks by the host; 0: 16. */
} hd_cg_options;

/** A matrix distributed over devices, and the vectors that go with it. One host thread at a time.
 *  */
typedef struct hd_cg hd_cg;

/** What one device has. */
typedef struct hd_cg_share {
    int device;           /**< Index of the device. */
    size_t first_row,     /**< Its first row. */
        rows;             /**< Number of its rows. */
    size_t entries;       /**< Number of its entries. */
    size_t halo;          /**< Elements of a direction that it needs and other devices own. */
    size_t boundary_rows; /**< Rows that need them. */
    unsigned neighbours;  /**< Devices that own them. */
    unsigned staged;      /**< Devices, of all, that it reaches through host memory only. */
} hd_cg_share;

/** What hd_cg_solve() did. */
typedef struct hd_cg_report {
    size_t iterations;    /**< Iterations made. */
    size_t restarts;      /**< Restarts from b - A x computed anew. */
    int converged;        /**< 1: the true residual is within the tolerance too. */
    double residual;      /**< |r| / |b| of the residual that the iteration carries; if b is 0,
                               relative to |A x| of the guess. */
    double true_residual; /**< The same of b - A x, computed anew at the end. */
    double norm;          /**< |b|. */
    double seconds;       /**< Time of iterations and restarts, on the host's clock. */
} hd_cg_report;

/** Distributes a matrix over devices in blocks of rows of about equal work, cut at tiles
 *  (hd_cg_tile()). Waits for the devices. The caller destroys the solver.
 *
 *  Allocates the matrix and 7 vectors on the devices, and connects every pair (hd_peer_connect()).
 *
 *  @param devices  count different devices.
 *  @param count    1 to 1024.
 *  @param matrix   Square matrix in host memory; read only during the call.
 *  @param options  Options; NULL: the defaults.
 *  @param solver   Receives the solver.
 *  @retval HD_ERR_ARGUMENT  The matrix is not square or hd_csr_check() refuses it; a device is
 *                           listed twice.
 *  @retval HD_ERR_SINGULAR  #HD_CG_JACOBI: an element of the diagonal is not above 0; the message
 *                           names the row.
 *  @retval HD_ERR_OVERFLOW  As hd_csr_check(), or a device sends more than 2^32 elements.
 *  @retval HD_ERR_NO_PEER   HEDDLE_P2P=on and a pair has no peer access.
 *  @return Also HD_ERR_NO_MEMORY and the @ref common_errors.
 */
hd_status hd_cg_create(const int *devices, unsigned count, const hd_csr *matrix,
                       const hd_cg_options *options, hd_cg **solver);

/** Destroys a solver.
 *
 *  @param solver  The solver; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_cg_destroy(hd_cg *solver);

/** Returns the number of devices of a solver.
 *
 *  @param solver  The solver.
 *  @return The number; 0 for NULL.
 */
unsigned hd_cg_count(const hd_cg *solver);

/** Returns what one device of a solver has.
 *
 *  @param solver  The solver.
 *  @param rank    Position of the device in the list of hd_cg_create().
 *  @param share   Receives the answer.
 *  @return HD_OK, or HD_ERR_ARGUMENT if there is no such rank.
 */
hd_status hd_cg_share_get(const hd_cg *solver, unsigned rank, hd_cg_share *share);

/** Returns the elements of a tile of a vector.
 *
 *  @param n  Elements of the vector.
 *  @return A power of two; depends on n only.
 */
size_t hd_cg_tile(size_t n);

/** Solves A x = b. Waits for the solution.
 *
 *  Ends when |b - A x| <= tolerance |b| in the 2-norm (if b is 0: tolerance times that of the
 *  guess), or after `iterations`. The residual that the iteration carries drifts away from b - A x.
 *  When it alone is small enough, the method restarts from b - A x, until a restart no longer
 *  halves that because rounding in the matrix's type does not allow it; then the call returns HD_OK
 *  with report->converged 0, as it does after the last iteration.
 *
 *  Each iteration: the product with the matrix, for which elements of other devices arrive while
 *  rows that need none are computed, and two dot products, whose sums of tiles go to all devices,
 *  which combine them in the same order. The host checks every options.look iterations; devices
 *  that are done earlier do nothing until then. Dot products are computed in f64, vectors and the
 *  product with the matrix in the matrix's type. For the order of additions see hd_spmv() and
 *  docs/conjugate-gradient.md; x and the report have the same bits for any number of devices and
 *  any paths between them. Moves 13 elements per row and iteration besides the product (11 without
 *  preconditioner).
 *
 *  Source: M. Hestenes and E. Stiefel, J. Res. Natl. Bur. Stand. 49, 409 (1952), with the diagonal
 *  as preconditioner (Y. Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1).
 *
 *  @param solver      The solver.
 *  @param b           Right-hand side: host memory, one element of the matrix's type per row.
 *  @param x           Initial guess; receives the last iterate, also if the method broke down. Host
 *                     memory.
 *  @param tolerance   Relative tolerance, 0 or more.
 *  @param iterations  Maximum number of iterations.
 *  @param report      Receives what was done; also set with HD_ERR_SINGULAR and HD_ERR_OVERFLOW.
 *  @retval HD_ERR_ARGUMENT  A pointer is NULL, or the tolerance is negative or NaN.
 *  @retval HD_ERR_SINGULAR  p . A p is not above 0, so A is not positive definite; the message has
 *                           value and iteration.
 *  @retval HD_ERR_OVERFLOW  |b|^2 or the residual is not finite, or |b|^2 is 0 though b is not.
 *  @retval HD_ERR_STATE     A device failed in an earlier call: only hd_cg_destroy() is allowed.
 *  @return Also the error of a device; the work of all other devices has ended by then.
 */
hd_status hd_cg_solve(hd_cg *solver, const void *b, void *x, double tolerance, size_t iterations,
                      hd_cg_report *report);

/** Returns the name of a preconditioner.
 *
 *  @param preconditioner  The value.
 *  @return Static text such as "jacobi".
 */
const char *hd_cg_preconditioner_name(hd_cg_preconditioner preconditioner);

/** Returns the name of a way to issue operations.
 *
 *  @param issue  The value.
 *  @return Static text such as "graph".
 */
const char *hd_cg_issue_name(hd_cg_issue issue);

/** Returns the name of a way to distribute sums.
 *
 *  @param sums  The value.
 *  @return Static text such as "events".
 */
const char *hd_cg_sums_name(hd_cg_sums sums);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
