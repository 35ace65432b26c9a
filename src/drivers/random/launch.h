/* SPDX-License-Identifier: Apache-2.0 */
/* launch.h - internal interface of the drivers of random numbers. */
#ifndef HEDDLE_DRIVERS_RANDOM_LAUNCH_H
#define HEDDLE_DRIVERS_RANDOM_LAUNCH_H

#include <heddle/random.h>

/* Checks stream and generator, and that elements offset to offset + n - 1 are below `limit`. */
hd_status hd__random_check(const char *call, const hd_random *from, size_t n, uint64_t limit,
                           hd_stream *stream);
/* Checks that `out` has room for n elements of `size` bytes. */
hd_status hd__random_array(const char *call, void *out, size_t n, size_t size, hd_stream *stream,
                           void **usable);
/* Bytes of the direction numbers of `dimensions` dimensions; enqueues them into `rows`. */
size_t hd__sobol_bytes(unsigned dimensions);
hd_status hd__sobol_prepare(unsigned dimensions, hd_sobol_kind kind, const hd_random *from,
                            uint32_t *rows, hd_stream *stream);

#endif
