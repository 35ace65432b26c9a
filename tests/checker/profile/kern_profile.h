/* SPDX-License-Identifier: Apache-2.0 */
/* kern_profile.h - declares the kernels of kern_profile.c. */
#ifndef HEDDLE_TESTS_CHECKER_KERN_PROFILE_H
#define HEDDLE_TESTS_CHECKER_KERN_PROFILE_H

#include <heddle/kernel_decl.h>

#define PROFILE_KERNEL(name) HD_DECLARE(name, const float *, float *)
PROFILE_KERNEL(profile_row)
PROFILE_KERNEL(profile_stride)
PROFILE_KERNEL(profile_turns)
PROFILE_KERNEL(profile_rows)
PROFILE_KERNEL(profile_vector)
PROFILE_KERNEL(profile_column)
PROFILE_KERNEL(profile_barrier)

#endif
