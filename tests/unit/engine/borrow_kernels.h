/* SPDX-License-Identifier: Apache-2.0 */
/* borrow_kernels.h - declares the kernels of kern_borrow.c. */
#ifndef HEDDLE_TESTS_BORROW_KERNELS_H
#define HEDDLE_TESTS_BORROW_KERNELS_H

#include <heddle/kernel_decl.h>

enum { BORROW_THREADS = 64 };

HD_DECLARE(borrow_work, unsigned, unsigned *)
HD_DECLARE(borrow_sum, const unsigned *, unsigned, unsigned *)
HD_DECLARE(borrow_hold, unsigned, unsigned, unsigned *)
HD_DECLARE(borrow_float_sum, const float *, unsigned, float *)
HD_DECLARE(borrow_store, unsigned *, unsigned)
HD_DECLARE(borrow_divide, int *, int)
HD_DECLARE(borrow_deep, unsigned *, unsigned)
HD_DECLARE(borrow_rounds, unsigned *, unsigned *, unsigned, unsigned *)
HD_DECLARE(borrow_wait, const unsigned *, unsigned)

#endif
