/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Data that carry their own flag, and waits with a time limit. Kernels only; included by kernel.h.
 *
 *  hd_try_wait_ge_system(p, v) and hd_try_wait_eq_system(): like hd_wait_ge_system(), but for at
 *  most about a millisecond; they return the value of *p, acquired if it satisfies the condition. A
 *  loop around them can check for other events in between.
 *
 *  A slot of 16 bytes, 16-byte aligned, carries two words of 32 bits, each beside a tag in the same
 *  eight bytes, which are written and read in one indivisible access: a thread that sees the tag
 *  sees the word. No fence or flag is therefore needed between a sender and a receiver, on the same
 *  device or on another one (the slot is then in HD_MEM_COHERENT or HD_MEM_MAPPED memory). A slot
 *  may be reused, with another tag, once the sender knows by other means that it was read. (As the
 *  "LL" protocol of NCCL.)
 *
 *  A line of 128 bytes, 128-byte aligned, carries 15 units of 8 bytes beside one tag. HD_LINE_LANES
 *  neighbouring lanes of a warp share it, #HD_LINE_PART units each: unit[i] of a lane is unit
 *  hd_line_unit(i) of the line, and lies beside those of its neighbours; unit 15 is the tag. On
 *  GPUs each lane stores 16 bytes, all lanes in one instruction, and loads them likewise. That a
 *  line then arrives whole is observed behaviour of hardware, not guaranteed by a language. On GPUs
 *  lines may therefore be used only if HD_LINES_WHOLE is 1, in memory of the device itself and over
 *  fabrics between devices, not in host memory or over PCIe. (The "LL128" protocol of NCCL relies
 *  on the same.) On the CPU the tag is written last, with release. Tags are not 0, and differ from
 *  the previous one of the line; a line may be reused under the same condition as a slot.
 */
#ifndef HEDDLE_DEVICE_WORDS_H
#define HEDDLE_DEVICE_WORDS_H

#include <heddle/kernel.h>

/** @defgroup words Words with tags
 *  @brief Data that carry their own flag; kernels only.
 *  @{
 */

/** Sizes of lines. */
enum {
    HD_LINE_BYTES = 128,              /**< Bytes of a line. */
    HD_LINE_UNITS = 15,               /**< Units of 8 bytes that it carries. */
    HD_LINE_DATA = 8 * HD_LINE_UNITS, /**< Bytes that it carries. */
    HD_LINE_PART = 16 / HD_LINE_LANES /**< Units of one lane. */
};

/** A lane's part of a line. */
typedef struct hd_line_part {
    hd_u32x2 unit[HD_LINE_PART]; /**< Its units. */
} hd_line_part;

/** Returns the position of this thread among those that share a line.
 *
 *  @return 0 to HD_LINE_LANES - 1.
 */
HD_DEVICE unsigned hd_line_lane(void)
{
    return hd_lane() % HD_LINE_LANES;
}

/** Returns the number in the line of one of this lane's units.
 *
 *  @param i  Number of the unit in the lane's part.
 *  @return Number of the unit in the line.
 */
HD_DEVICE unsigned hd_line_unit(unsigned i)
{
    return i * HD_LINE_LANES + hd_line_lane();
}

/** Returns whether a condition holds for any lane that shares lines. Reached by all lanes of the
 *  warp.
 *
 *  @param p  The condition.
 *  @return Not 0 if p is not 0 for a lane of the warp; p itself if HD_LINE_LANES is 1, when lanes
 *          share no lines.
 */
HD_DEVICE int hd_lines_any(int p)
{
#if HD_LINE_LANES > 1
    return hd_any(p);
#else
    return p;
#endif
}

#if !HD_HAS_POLLING
#include <heddle/backend/words.h>
#endif

/** Sends two words in a slot.
 *
 *  @param slot  The slot.
 *  @param a     First word.
 *  @param b     Second word.
 *  @param tag   The tag.
 */
HD_DEVICE void hd_send_words_system(hd_u32x4 *slot, uint32_t a, uint32_t b, uint32_t tag)
{
    hd_u32x4 words;

    words.x = a;
    words.y = tag;
    words.z = b;
    words.w = tag;
    hd_prim_store_words_(slot, words);
}

/** Returns the current contents of a slot.
 *
 *  @param slot  The slot.
 *  @return x and z are the words, y and w the tags: valid if hd_words_tagged() returns 1.
 */
HD_DEVICE hd_u32x4 hd_peek_words_system(const hd_u32x4 *slot)
{
    return hd_prim_load_words_(slot);
}

/** Returns whether both words have a tag.
 *
 *  @param words  Result of hd_peek_words_system().
 *  @param tag    The tag.
 *  @return 1 or 0.
 */
HD_DEVICE int hd_words_tagged(hd_u32x4 words, uint32_t tag)
{
    return words.y == tag && words.w == tag;
}

/** Waits for words with a tag, for at most about a millisecond.
 *
 *  @param slot  The slot.
 *  @param tag   The tag.
 *  @return Contents of the slot; the caller checks the tags with hd_words_tagged().
 */
HD_DEVICE hd_u32x4 hd_try_receive_words_system(const hd_u32x4 *slot, uint32_t tag)
{
#if HD_HAS_POLLING
    hd_u32x4 words = hd_peek_words_system(slot);

    for (unsigned turn = 0; !hd_words_tagged(words, tag) && turn < HD_GPU_TRY_POLLS_; turn++) {
        hd_prim_pause_(turn);
        words = hd_peek_words_system(slot);
    }
    return words;
#else
    const uint32_t *word = (const uint32_t *)(const void *)slot;

    if (hd_try_wait_eq_system(word + 1, tag) == tag)
        (void)hd_try_wait_eq_system(word + 3, tag);
    return hd_peek_words_system(slot);
#endif
}

#if HD_HAS_POLLING
/** Sends this lane's part of a line. Reached by all lanes of the warp; lanes that share a line pass
 *  equal arguments, except part.
 *
 *  @param line      The line.
 *  @param is_there  Not 0: the line is sent.
 *  @param part      The lane's part.
 *  @param tag       The tag.
 */
HD_DEVICE void hd_send_line_system(void *line, int is_there, hd_line_part part, uint32_t tag)
{
    const int last = hd_line_lane() == HD_LINE_LANES - 1;
    hd_u32x4 words;

    words.x = part.unit[0].x;
    words.y = part.unit[0].y;
    words.z = last ? tag : part.unit[1].x;
    words.w = last ? tag : part.unit[1].y;
    hd_sync_warp();
    if (is_there)
        hd_prim_store_words_((hd_u32x4 *)line + hd_line_lane(), words);
}

/** Waits for several lines, for at most about a millisecond, or longer with a pause.
 *
 *  Reached by all lanes of the warp; lanes that share a line pass equal arguments. Each poll reads
 *  the whole line again: data read together with the tag belong to it.
 *
 *  @param line   count lines.
 *  @param which  Bit i is set if line i is wanted.
 *  @param count  Number of lines, known to the compiler.
 *  @param tag    The tag.
 *  @param pause  Nanoseconds between polls, or 0 for polling suited to short waits.
 *  @param part   Receives the lane's part of each line.
 *  @return 1 if the warp has all of them, and this lane its parts; otherwise 0.
 */
HD_DEVICE int hd_try_receive_lines_system(const void *const *line, unsigned which, unsigned count,
                                          uint32_t tag, unsigned pause, hd_line_part *part)
{
    const int last = hd_line_lane() == HD_LINE_LANES - 1;

    for (unsigned turn = 0;; turn++) {
        int there = 1;
        hd_sync_warp();
        HD_UNROLL
        for (unsigned i = 0; i < count; i++)
            if (which >> i & 1) {
                const hd_u32x4 words = hd_prim_load_words_((const hd_u32x4 *)line[i] +
                                                           hd_line_lane());
                part[i].unit[0].x = words.x;
                part[i].unit[0].y = words.y;
                part[i].unit[1].x = words.z;
                part[i].unit[1].y = words.w;
            }
        HD_UNROLL
        for (unsigned i = 0; i < count; i++)
            if (last && (which >> i & 1))
                there &= part[i].unit[1].x == tag && part[i].unit[1].y == tag;
        if (hd_all(there))
            return 1;
        if (turn == HD_GPU_TRY_POLLS_)
            return 0;
        if (pause)
            hd_prim_sleep_(pause);
        else
            hd_prim_pause_(turn);
    }
}
#endif

/** @} */

#endif
