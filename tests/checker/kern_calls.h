/* SPDX-License-Identifier: Apache-2.0 */
/* kern_calls.h - declares the kernel of kern_calls.c. */
#ifndef HEDDLE_TESTS_CHECKER_CALLS_H
#define HEDDLE_TESTS_CHECKER_CALLS_H

#include <heddle/kernel_decl.h>

HD_DECLARE(calls_late, unsigned *, unsigned *)

#endif
