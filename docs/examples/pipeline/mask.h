/* SPDX-License-Identifier: Apache-2.0 */
/* mask.h - the kernel of the example, for host files and for its kernel file. */
#ifndef PIPELINE_MASK_H
#define PIPELINE_MASK_H

#include <heddle/kernel_decl.h>

/* out[i] = in[i] ^ a byte that follows from the position first + i, for i < n. */
HD_DECLARE(mask_bytes, size_t, uint64_t, const uint8_t *, uint8_t *)

#endif
