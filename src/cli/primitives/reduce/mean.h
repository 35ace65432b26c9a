/* SPDX-License-Identifier: Apache-2.0 */
/* mean.h - the mean of integers. */
#ifndef HEDDLE_CLI_PRIMITIVES_REDUCE_MEAN_H
#define HEDDLE_CLI_PRIMITIVES_REDUCE_MEAN_H

#include <heddle/reduce.h>

/* The double nearest to sum / count, ties to even: the exact quotient, rounded once. The count is
   not 0. */
double cli_mean(hd_i128 sum, uint64_t count);

#endif
