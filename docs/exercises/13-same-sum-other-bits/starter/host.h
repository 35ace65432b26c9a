/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host's part of a sum. */
#ifndef EXERCISE_HOST_H
#define EXERCISE_HOST_H

#include <stddef.h>

/* The sum of x[n], in host memory, by so many devices. */
float sum(const float *x, size_t n, int devices);

#endif
