/* SPDX-License-Identifier: Apache-2.0 */
/* wait_kernels.h - what a rank does in the stand-in for the library: it waits for the others. */
#ifndef HEDDLE_TESTS_GROUP_WAIT_KERNELS_H
#define HEDDLE_TESTS_GROUP_WAIT_KERNELS_H

#include <heddle/kernel_decl.h>

/* One thread; ends when *busy is 0. */
HD_DECLARE(group_wait, const uint32_t *)

#endif
