/* SPDX-License-Identifier: Apache-2.0 */
/* kern_random.h - kernels of the tests of random numbers. */
#ifndef HEDDLE_TESTS_DRIVERS_KERN_RANDOM_H
#define HEDDLE_TESTS_DRIVERS_KERN_RANDOM_H

#include <heddle/kernel_decl.h>

/* first bits, how many floats, count of roots that differ from the correctly rounded one */
HD_DECLARE(test_roots, uint32_t, size_t, unsigned *)
/* seed, numbers: what a kernel makes by itself with each generator; n of each in out */
HD_DECLARE(test_generators, uint64_t, size_t, uint32_t *, float *)

#endif
