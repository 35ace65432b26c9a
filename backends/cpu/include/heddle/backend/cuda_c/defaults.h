/* SPDX-License-Identifier: Apache-2.0 */
/* defaults.h (CPU) - default arguments in C: a macro appends them to its arguments. The next one
   takes what it needs, and drops the rest: defaults that were not needed. */
#ifndef HEDDLE_BACKEND_CUDA_C_DEFAULTS_H
#define HEDDLE_BACKEND_CUDA_C_DEFAULTS_H

#include <heddle/detail/arguments.h>

/* HD_PORT_REST_(n, rest...): 0. If the rest is more than the n arguments that were appended, the
   name of an undeclared variable that says so. */
#define HD_PORT_REST_(n, ...)                                                                      \
    HD_CAT(HD_PORT_REST_, n)                                                                       \
    (__VA_ARGS__, HD_PORT_FITS_, HD_PORT_FITS_, HD_PORT_FITS_, HD_PORT_FITS_, ~)
#define HD_PORT_REST_1(a, b, ...) HD_CAT(heddle_too_many_arguments_, b)
#define HD_PORT_REST_2(a, b, c, ...) HD_CAT(heddle_too_many_arguments_, c)
#define HD_PORT_REST_3(a, b, c, d, ...) HD_CAT(heddle_too_many_arguments_, d)
#define HD_PORT_REST_4(a, b, c, d, e, ...) HD_CAT(heddle_too_many_arguments_, e)
#define heddle_too_many_arguments_HD_PORT_FITS_ 0

#endif
