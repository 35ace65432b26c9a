/* SPDX-License-Identifier: Apache-2.0 */
/* unit_kernels.h - declares the kernels that the tests of the host runtime launch. */
#ifndef HEDDLE_TESTS_UNIT_KERNELS_H
#define HEDDLE_TESTS_UNIT_KERNELS_H

#include <heddle/kernel_decl.h>

HD_DECLARE(unit_set, size_t, int *, int)
HD_DECLARE(unit_add, size_t, const int *, int *, int)
HD_DECLARE(unit_spin, int *, long)
HD_DECLARE(unit_poke, int *)
HD_DECLARE(unit_wait_for, const unsigned *, unsigned)
HD_DECLARE(unit_raise, unsigned *, unsigned)
HD_DECLARE(unit_shared, int *)
HD_DECLARE(unit_narrow, int *)
HD_DECLARE(unit_mix, unsigned *, const unsigned *, unsigned, unsigned, unsigned)
HD_DECLARE(unit_nothing)
HD_DECLARE(unit_meet, unsigned *, unsigned *, unsigned *)
HD_DECLARE(unit_insist, const int *, int)
HD_DECLARE(unit_crowd, unsigned *, unsigned *, unsigned)
HD_DECLARE(unit_look, const unsigned *, unsigned *)

#endif
