/* SPDX-License-Identifier: Apache-2.0 */
/* kern_words.c - words with a tag between two blocks, waits that give up. */
#include <heddle/kernel.h>

#include "words.h"

HD_DEVICE hd_u32x4 receive(const hd_u32x4 *slot, uint32_t tag)
{
    hd_u32x4 words = hd_peek_words_system(slot);
    while (!hd_words_tagged(words, tag))
        words = hd_try_receive_words_system(slot, tag);
    return words;
}

/* Thread t of block 0 and thread t of block 1 send a pair to and fro; each adds to what it got. */
HD_KERNEL void words_ping(void *slots, uint64_t *out, unsigned rounds)
{
    const unsigned threads = hd_block_threads(), t = hd_thread_linear(), me = hd_block_x();
    hd_u32x4 *mine = (hd_u32x4 *)slots + me * threads + t;
    hd_u32x4 *theirs = (hd_u32x4 *)slots + (1 - me) * threads + t;
    uint32_t a = t, b = ~t;

    for (uint32_t round = 1; round <= rounds; round++) {
        if (me == round % 2) {
            hd_send_words_system(theirs, a + round, b * 3u, round);
        } else {
            const hd_u32x4 words = receive(mine, round);
            a = words.x;
            b = words.z;
        }
    }
    out[me * threads + t] = (uint64_t)b << 32 | a;
}
HD_DEFINE(words_ping)

/* What unit `unit` of line `line` carries in a round: never the same twice. */
HD_DEVICE hd_u32x2 unit_of(unsigned line, unsigned unit, uint32_t round)
{
    hd_u32x2 words;
    words.x = round;
    words.y = (line * 16 + unit) * 2654435761u + round;
    return words;
}

HD_DEVICE void send_lines(void *to, unsigned line, int is_there, uint32_t round)
{
    hd_line_part part;
    for (unsigned i = 0; i < HD_LINE_PART; i++)
        part.unit[i] = unit_of(line, hd_line_unit(i), round);
    hd_send_line_system((char *)to + (size_t)line * HD_LINE_BYTES, is_there, part, round);
}

HD_DEVICE unsigned wrong_units(hd_line_part part, unsigned line, uint32_t round)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < HD_LINE_PART; i++) {
        const unsigned unit = hd_line_unit(i);
        const hd_u32x2 expected = unit_of(line, unit, round);
        wrong += unit < HD_LINE_UNITS &&
                 (part.unit[i].x != expected.x || part.unit[i].y != expected.y);
    }
    return wrong;
}

/* Each thread has a place in line l and in line l + n of n * 2, of which only `used` are sent: who
   sees the tag of a round has the whole line of that round. */
HD_KERNEL void lines_ping(void *to_first, void *to_second, unsigned first, unsigned rounds,
                          unsigned used, uint32_t *out)
{
    const unsigned me = first + hd_block_x(), t = hd_thread_linear();
    const unsigned line = t / HD_LINE_LANES, lines = hd_block_threads() / HD_LINE_LANES;
    const unsigned which = (line < used) | (unsigned)(line + lines < used) << 1;
    const void *from[2];
    hd_line_part part[2];
    unsigned wrong = 0;

    for (unsigned i = 0; i < 2; i++)
        from[i] = (const char *)(me ? to_second : to_first) +
                  (size_t)(line + i * lines) * HD_LINE_BYTES;
    for (uint32_t round = 1; round <= rounds; round++) {
        if (me == round % 2) {
            send_lines(me ? to_first : to_second, line, which & 1, round);
            send_lines(me ? to_first : to_second, line + lines, (which & 2) != 0, round);
        } else {
            while (!hd_try_receive_lines_system(from, which, 2, round, 0, part))
                continue;
            wrong += which & 1 ? wrong_units(part[0], line, round) : 0;
            wrong += which >> 1 ? wrong_units(part[1], line + lines, round) : 0;
        }
    }
    out[2 * (hd_block_x() * hd_block_threads() + t)] = wrong;
    out[2 * (hd_block_x() * hd_block_threads() + t) + 1] = rounds;
}
HD_DEFINE(lines_ping)

HD_KERNEL void words_try(const uint64_t *flag, uint64_t *out)
{
    out[0] = hd_try_wait_ge_system(flag, 5u);
    out[1] = hd_try_wait_ge_system(flag, 99u);
    out[2] = hd_try_wait_eq_system(flag, 7u);
    out[3] = hd_try_wait_eq_system(flag, 8u);
}
HD_DEFINE(words_try)
