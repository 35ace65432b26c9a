/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c - the host side of kernels/peer/peer.c. */
#include "pattern.h"

#include "kernels/peer/peer.h"

uint32_t hd__pattern_word(uint32_t seed, uint64_t i)
{
    return hd__peer_word(seed, i);
}

hd_status hd__pattern_write(size_t words, uint32_t seed, uint32_t *to, hd_stream *stream)
{
    return hd_launch(hd__peer_write, hd_launch_loop(words, HD__PEER_THREADS, stream), words, seed,
                     to);
}

hd_status hd__pattern_compare(size_t words, uint32_t seed, const uint32_t *from, uint32_t *wrong,
                              hd_stream *stream)
{
    return hd_launch(hd__peer_compare, hd_launch_loop(words, HD__PEER_THREADS, stream), words, seed,
                     from, wrong);
}
