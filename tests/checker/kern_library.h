/* SPDX-License-Identifier: Apache-2.0 */
/* kern_library.h - declares the kernels of kern_library.c. */
#ifndef HEDDLE_TESTS_CHECKER_LIBRARY_H
#define HEDDLE_TESTS_CHECKER_LIBRARY_H

#include <heddle/kernel_decl.h>

enum { LIBRARY_BLOCK = 256, LIBRARY_STRIDE = 8 };

/* The first argument is 1 for a kernel that is also wrong. */
HD_DECLARE(hd__library_slow, int, const unsigned *, unsigned *)
HD_DECLARE(library_slow, int, const unsigned *, unsigned *)

#endif
