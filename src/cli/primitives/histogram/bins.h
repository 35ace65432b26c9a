/* SPDX-License-Identifier: Apache-2.0 */
/* bins.h - the bins of `heddle histogram`: bounds in the elements' own type. */
#ifndef HEDDLE_CLI_PRIMITIVES_HISTOGRAM_BINS_H
#define HEDDLE_CLI_PRIMITIVES_HISTOGRAM_BINS_H

#include <heddle/histogram.h>

#include "cli/input/array.h"
#include "cli/app/output.h"

__extension__ typedef __int128 histogram_whole; /* any value of 64 bits, and one above the last */

/* `count` bins over [low, high). `reals` is for floats, `wholes` for integers. Closed: the largest
   float of the type, above which there is none, is in the last bin. */
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

/* Bins of the array's type from --low, --high and --bins: by default from its lowest element to
   just above the highest (256 values of u8). An array without data (of a file that is counted while
   it is read) has no lowest element. CLI_DONE, or an exit status after a line. */
int histogram_bins_read(const cli_arguments *arguments, const cli_array *array,
                        histogram_bins *bins_out);

/* hd_histogram or hd_histogram_closed with these bins and counts of u64. */
hd_status histogram_bins_count(const histogram_bins *bins, const void *in, size_t n,
                               uint64_t *counts, uint64_t *outside, hd_stream *stream);
/* Where they say that element i of `data` is counted: a bin, or `count` + 0, 1, 2 for below, above,
   NaN. Computed apart from the library. */
size_t histogram_bins_place(const histogram_bins *bins, const void *data, size_t i);

/* Where a bin begins; bin `count` is where the last one ends. Integers in full, floats with as many
   digits as tell them from their neighbours. */
void histogram_bins_edge(const histogram_bins *bins, size_t bin, char text[CLI_NUMBER]);

#endif
