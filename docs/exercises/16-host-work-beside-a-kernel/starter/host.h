/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host side: it prepares chunks and uses results while the device works. */
#ifndef EXERCISE_HOST_H
#define EXERCISE_HOST_H

#include <stddef.h>
#include <stdint.h>

/* In main.c: writes the n elements of a chunk. */
void prepare(size_t chunk, size_t n, uint32_t *x);

/* In main.c: the sum of n results. */
uint64_t total_of(size_t n, const uint32_t *y);

/* totals[c] = the sum of the results for chunk c, of n elements. */
void process(size_t chunks, size_t n, uint64_t *totals);

#endif
