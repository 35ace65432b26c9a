/* SPDX-License-Identifier: Apache-2.0 */
/* kern_arguments.h - declares the kernels of kern_arguments.c. */
#ifndef HEDDLE_TESTS_CHECKER_ARGUMENTS_H
#define HEDDLE_TESTS_CHECKER_ARGUMENTS_H

#include <heddle/kernel_decl.h>

HD_DECLARE(arguments_width, unsigned *)
HD_DECLARE(arguments_distance, unsigned *)
HD_DECLARE(arguments_lane, unsigned *)
HD_DECLARE(arguments_legal, unsigned *)

#endif
