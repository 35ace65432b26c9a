/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h (kernels) - data patterns to test whether a link transfers data correctly. */
#ifndef HEDDLE_KERNELS_PEER_H
#define HEDDLE_KERNELS_PEER_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { HD__PEER_THREADS = 256 };

/* Word i of the pattern of a seed: every bit of it changes with i and with the seed (the finaliser
   of MurmurHash3). */
HD_BOTH uint32_t hd__peer_word(uint32_t seed, uint64_t i)
{
    uint32_t x = (uint32_t)i ^ (uint32_t)(i >> 32) * 0x9e3779b9u ^ seed * 0x85ebca6bu;

    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

HD_DECLARE(hd__peer_write, size_t, uint32_t, uint32_t *)
HD_DECLARE(hd__peer_compare, size_t, uint32_t, const uint32_t *, uint32_t *)

#endif
