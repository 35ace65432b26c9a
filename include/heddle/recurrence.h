/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.h - linear recurrences and running averages of arrays in device memory: scans of
   pairs, with the same bits on every backend. */
#ifndef HEDDLE_RECURRENCE_H
#define HEDDLE_RECURRENCE_H

#include <heddle/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* v[i] = s[i] * v[i-1] + u[i] for i = 0 ... n-1 with v[-1] = *initial, one element in host memory
   (NULL: 0). s, u and v are n elements of HD_F32 or HD_F64 that the stream's device can reach; v
   may be s or u, other overlaps with v are refused. Asynchronous: one launch; workspace, capture
   and errors as hd_scan. Moves 3 n size bytes, and for results that are computed in serial order,
   as below, their elements once more, one result after another.

   Maps x -> s x + u are composed in the order of docs/scan.md, each product and sum rounded (no
   fma), so results differ from a sequential loop's by rounding. v[i] is a sum of products
   s[i] ... s[j+1] u[j]: the error is at most about i - j + 2 log2(i) + 40 units in the last place
   of each. In addition every step may lose what is below the smallest normal number, which later
   factors multiply, as in a loop. Products of consecutive factors may leave the range of the type:
   where that shows in a result, or what they lose may matter, results are computed in serial order,
   by strips of 512 elements (f64: 256), in the worst case all the rest of the array.

   Infinite and NaN elements give what a loop gives. Where elements are finite and a result leaves
   the range, it and those of its strip are a loop's, infinite or NaN from there on; later strips
   have that too, or results that are right again because the value has come back into the range.
   (G. Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990.) */
hd_status hd_recurrence(const void *s, const void *u, size_t n, hd_type type, const void *initial,
                        void *v, hd_workspace *workspace, hd_stream *stream);

/* out[i] = (w[0] x[0] + ... + w[i] x[i]) / (w[0] + ... + w[i]), the running average of x with
   weights w; HD_F32 or HD_F64, out may be x or w. Where the weights add up to 0 the result is that
   of the division; so it is where a sum of w x, also over a part of the array, leaves the range. */
hd_status hd_running_average(const void *x, const void *w, size_t n, hd_type type, void *out,
                             hd_workspace *workspace, hd_stream *stream);

/* Workspace of either. */
hd_status hd_recurrence_workspace(size_t n, hd_type type, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
