/* SPDX-License-Identifier: Apache-2.0 */
/* coalescing.h - the kernels of `heddle lab coalescing`: reads in a chosen pattern. */
#ifndef HEDDLE_CLI_LAB_KERNELS_COALESCING_H
#define HEDDLE_CLI_LAB_KERNELS_COALESCING_H

#include <heddle/kernel_decl.h>

/* Every thread reads COALESCING_LOADS elements. The i-th read of warp w is the warp's request
   w + i * warps; request r covers the elements offset + [r * span, (r + 1) * span). In it a lane
   reads element (factor * lane mod warp size) * stride, or coalescing_scatter() if scattered. */
enum { COALESCING_LOADS = 4, COALESCING_BLOCK = 128 };
typedef struct coalescing_reads {
    size_t warps, span;
    uint32_t offset, stride;
    uint32_t factor; /* 1: in order; another odd number: a permutation; 0: one element for all */
    uint32_t scattered;
} coalescing_reads;

/* The combined elements go to *out only if they are not 0, which keeps the reads from being removed
   by the compiler. The memory holds elements of 4, 8 and 16 bytes. */
HD_DECLARE(coalescing_4, coalescing_reads, const void *, uint32_t *)
HD_DECLARE(coalescing_8, coalescing_reads, const void *, uint32_t *)
HD_DECLARE(coalescing_16, coalescing_reads, const void *, uint32_t *)

/* Element that a lane reads within a span of a power of two. */
HD_BOTH uint32_t coalescing_scatter(uint32_t request, uint32_t lane, uint32_t span)
{
    uint32_t x = (request * 64u + lane) * 2654435761u;

    x ^= x >> 15;
    x *= 2246822519u;
    return (x ^ x >> 13) & (span - 1);
}

#endif
