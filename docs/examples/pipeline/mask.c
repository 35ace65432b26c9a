/* SPDX-License-Identifier: Apache-2.0 */
/* mask.c - masks bytes by their positions in the file. Masking twice gives the bytes back. Not a
   cipher: anyone can compute the mask. */
#include <heddle/kernel.h>

#include "mask.h"

/* The last step of splitmix64, a hash of the position. */
HD_DEVICE uint8_t mask_at(uint64_t position)
{
    uint64_t z = (position + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint8_t)(z >> 56);
}

/* The grid shares the bytes out; launch with hd_launch_loop. 2 bytes of traffic per byte. */
HD_KERNEL void mask_bytes(size_t n, uint64_t first, const uint8_t *HD_RESTRICT in,
                          uint8_t *HD_RESTRICT out)
{
    HD_FOR(i, n)
        out[i] = (uint8_t)(in[i] ^ mask_at(first + i));
}
HD_DEFINE(mask_bytes)
