/* SPDX-License-Identifier: Apache-2.0 */
/* bins.h - the bins of `heddle histogram`: limits in the elements' own type. */
#ifndef HEDDLE_CLI_PRIMITIVES_HISTOGRAM_BINS_H
#define HEDDLE_CLI_PRIMITIVES_HISTOGRAM_BINS_H

#include <heddle/histogram.h>

#include "cli/input/array.h"
#include "cli/app/output.h"

__extension__ typedef __int128 histogram_whole; /* any 64-bit value, or the largest plus 1 */

/* `count` bins over [low, high). `reals` for floats, `wholes` for integers. Closed: the last bin
   includes the largest float of the type, above which there is none. */
typedef struct histogram_bins {
    hd_type type;
    size_t count;
    struct {
        histogram_whole low, high;
    } wholes;
    struct {
        double low, high;
        bool closed;
    } reals;
} histogram_bins;

/* Bins of the array's type from --low, --high and --bins: by default from its smallest element to
   just above the largest (for u8, 256 values). An array without data (of a file that is counted
   while it is read) has no default. CLI_DONE, or an exit status after a line. */
int histogram_bins_read(const cli_arguments *arguments, const cli_array *array,
                        histogram_bins *bins_out);

/* hd_histogram or hd_histogram_closed with these bins and u64 counts. */
hd_status histogram_bins_count(const histogram_bins *bins, const void *in, size_t n,
                               uint64_t *counts, uint64_t *outside, hd_stream *stream);
/* Reference, independent of the library: the bin of element i of `data`, or `count` + 0, 1, 2 for
   below, above, NaN. */
size_t histogram_bins_place(const histogram_bins *bins, const void *data, size_t i);

/* The lower edge of a bin; for bin `count`, the upper edge of the last. Integers in full, floats
   with as many digits as distinguish them from their neighbours. */
void histogram_bins_edge(const histogram_bins *bins, size_t bin, char text[CLI_NUMBER]);

#endif
