/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Linear recurrences and running averages of arrays in device memory: scans of pairs, with the
 *  same bits on every backend.
 */
#ifndef HEDDLE_RECURRENCE_H
#define HEDDLE_RECURRENCE_H

#include <heddle/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup recurrence Recurrences
 *  @brief Linear recurrences and running averages; docs/scan.md.
 *  @{
 */

/** Computes v[i] = s[i] * v[i-1] + u[i] for i = 0 ... n-1, with v[-1] = *initial. Asynchronous; one
 *  launch.
 *
 *  Moves 3 * n * size bytes, and once more the elements of results that are computed in serial
 *  order (see below), one result after another.
 *
 *  Maps x -> s x + u are composed in the order of docs/scan.md, each product and sum rounded (no
 *  fma), so results differ from a sequential loop's by rounding. v[i] is a sum of products s[i] ...
 *  s[j+1] u[j]; the error is at most about i - j + 2 log2(i) + 40 units in the last place of each.
 *  In addition every step may lose what is below the smallest normal number, which later factors
 *  multiply, as in a loop. Products of consecutive factors may leave the range of the type: if that
 *  shows in a result, or what they lose may matter, results are computed in serial order, by strips
 *  of 512 elements (f64: 256), in the worst case all the rest of the array.
 *
 *  Infinite and NaN elements give what a loop gives. If elements are finite and a result leaves the
 *  range, it and the rest of its strip are a loop's, infinite or NaN from there on; later strips
 *  continue so, or have correct results again because the value came back into the range.
 *
 *  Source: G. Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990.
 *
 *  @param s          n factors, in @ref usable_memory "memory that the stream's device can use".
 *  @param u          n summands.
 *  @param n          Number of elements.
 *  @param type       #HD_F32 or #HD_F64.
 *  @param initial    One element in host memory, read before the call returns; NULL: 0.
 *  @param v          Receives n results; may be s or u, but may not overlap them otherwise.
 *  @param workspace  hd_recurrence_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for overlaps;
 *          HD_ERR_UNSUPPORTED for another type.
 */
hd_status hd_recurrence(const void *s, const void *u, size_t n, hd_type type, const void *initial,
                        void *v, hd_workspace *workspace, hd_stream *stream);

/** Computes the weighted running average out[i] = (w[0] x[0] + ... + w[i] x[i]) / (w[0] + ... +
 *  w[i]). Asynchronous; one launch.
 *
 *  If weights add up to 0, or a sum of w x, also over a part of the array, leaves the range of the
 *  type, the result is that of the division.
 *
 *  @param x          n elements, in memory that the stream's device can use.
 *  @param w          n weights.
 *  @param n          Number of elements.
 *  @param type       #HD_F32 or #HD_F64.
 *  @param out        Receives n results; may be x or w, but may not overlap them otherwise.
 *  @param workspace  hd_recurrence_workspace() bytes, or NULL.
 *  @param stream     Stream.
 *  @return As hd_recurrence().
 */
hd_status hd_running_average(const void *x, const void *w, size_t n, hd_type type, void *out,
                             hd_workspace *workspace, hd_stream *stream);

/** Returns the workspace that hd_recurrence() and hd_running_average() need.
 *
 *  @param n      Number of elements.
 *  @param type   #HD_F32 or #HD_F64.
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for another type, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT.
 */
hd_status hd_recurrence_workspace(size_t n, hd_type type, size_t *bytes);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
