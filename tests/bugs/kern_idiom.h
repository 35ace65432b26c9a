/* SPDX-License-Identifier: Apache-2.0 */
/* kern_idiom.h - declares the kernels of kern_idiom.c. */
#ifndef HEDDLE_TESTS_BUGS_IDIOM_H
#define HEDDLE_TESTS_BUGS_IDIOM_H

#include "zoo_kernel.h"

ZOO_KERNEL(idiom_unrolled)
ZOO_KERNEL(idiom_broadcast)
ZOO_KERNEL(idiom_matmul)
ZOO_KERNEL(idiom_halo)
ZOO_KERNEL(idiom_flush)
ZOO_KERNEL_SCRATCH(idiom_slots)
ZOO_KERNEL_SCRATCH(idiom_reverse)
ZOO_KERNEL(idiom_chunks)
ZOO_KERNEL(idiom_bitonic)
ZOO_KERNEL_SCRATCH(idiom_in_place)
ZOO_KERNEL(idiom_digits)
ZOO_KERNEL_SCRATCH(idiom_compact)
ZOO_KERNEL(idiom_rows)
ZOO_KERNEL(idiom_padding)
ZOO_KERNEL(idiom_fields)
ZOO_KERNEL(idiom_flags)
ZOO_KERNEL_SCRATCH(idiom_words)
ZOO_KERNEL(idiom_prefetch)
ZOO_KERNEL(idiom_vector)
ZOO_KERNEL(idiom_max)
ZOO_KERNEL_SCRATCH(idiom_queue)
ZOO_KERNEL(idiom_sums)

#endif
