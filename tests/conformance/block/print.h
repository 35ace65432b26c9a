/* SPDX-License-Identifier: Apache-2.0 */
/* print.h - declares the kernels of kern_print.c. */
#ifndef HEDDLE_TESTS_PRINT_H
#define HEDDLE_TESTS_PRINT_H

#include <heddle/kernel_decl.h>

HD_DECLARE(say, int, double)
/* Threads whose global id is `culprit` assert; the others count. */
HD_DECLARE(assert_at, size_t, unsigned *)
HD_DECLARE(assert_beside_barriers, unsigned, unsigned *)
HD_DECLARE(count_threads, unsigned *)
HD_DECLARE(self_checked, int, unsigned *)

#endif
