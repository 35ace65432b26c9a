/* SPDX-License-Identifier: Apache-2.0 */
/* kern_wave.h - declares the kernels of kern_wave.c. */
#ifndef HEDDLE_TESTS_BUGS_WAVE_H
#define HEDDLE_TESTS_BUGS_WAVE_H

#include "zoo_kernel.h"

ZOO_KERNEL(wave_half)
ZOO_KERNEL(wave_last)
ZOO_KERNEL(wave_leader)
ZOO_KERNEL(wave_order)
ZOO_KERNEL(wave_slots)
ZOO_KERNEL(wave_votes)
ZOO_KERNEL(wave_rank)
ZOO_KERNEL(wave_array)
ZOO_KERNEL(wave_array_fixed)

#endif
