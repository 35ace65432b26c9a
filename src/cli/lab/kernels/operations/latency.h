/* SPDX-License-Identifier: Apache-2.0 */
/* latency.h - the kernels of `heddle lab latency`: dependent loads, dependent atomics, one
   increment. */
#ifndef HEDDLE_CLI_LAB_KERNELS_OPERATIONS_LATENCY_H
#define HEDDLE_CLI_LAB_KERNELS_OPERATIONS_LATENCY_H

#include <heddle/kernel_decl.h>

/* 2^bits elements of LATENCY_WORDS words each, one per cache line. The first word of an element is
   the number of the element that follows it in one cycle through all of them, in random order. */
enum { LATENCY_WORDS = 32, LATENCY_BLOCK = 256, LATENCY_LANES = 64 };

/* The place of the cycle's element `index`: a one-to-one mapping of [0, 2^bits). Both steps can be
   undone: an odd factor modulo 2^bits, and an xor of the upper half of the bits into the lower. */
HD_BOTH uint32_t latency_place(uint32_t index, uint32_t bits)
{
    const uint32_t mask = ((uint32_t)1 << bits) - 1;
    unsigned round;

    for (round = 0; round < 3; round++) {
        index = (index * 2654435769u + 40503u) & mask;
        index ^= index >> (bits + 1) / 2;
    }
    return index;
}

/* Links the elements. One thread per element. */
HD_DECLARE(latency_link, uint32_t *, uint32_t)
/* One thread follows `steps` links from element *at, which becomes the last one. If visits is not
   NULL, visits[e] is incremented for every element e that the thread comes to. */
HD_DECLARE(latency_chase, const uint32_t *, uint32_t, uint32_t *, uint32_t *)

/* Each lane of one warp adds 1 to words[lane * stride] `turns` times, each time after the one
   before has returned. `zero` is 0, unknown to the compiler. latency_atomic_shared does so in
   shared memory, stride 0 or 1, and stores sum i in words[i]. */
HD_DECLARE(latency_atomic, uint32_t *, uint32_t, uint32_t, uint32_t)
HD_DECLARE(latency_atomic_shared, uint32_t *, uint32_t, uint32_t, uint32_t)

/* Increments *count. One thread. */
HD_DECLARE(latency_count, uint32_t *)

#endif
