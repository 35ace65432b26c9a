/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - data that travel with the sign that they are there, and waits that give up. For kernel
   files, which include it beside kernel.h.

   hd_try_wait_ge_system(p, v), hd_try_wait_eq_system: like hd_wait_ge_system, but about a
   millisecond at most; they return what *p held, acquired where that does. A loop around them can
   look at something else now and then.

   A slot of 16 bytes, 16-byte aligned, carries two words of 32 bits, each beside a tag in the same
   eight bytes, which are written and read in one indivisible access: who sees the tag sees the
   word. So no fence and no flag is needed between a sender and a receiver, on the same device or
   on another one (the slot lies in HD_MEM_COHERENT or HD_MEM_MAPPED memory then). A slot may be
   used again, with another tag, when the sender knows by other means that it was read. (The "LL"
   protocol of NCCL does the same.)

   A line of 128 bytes, 128-byte aligned, carries 15 units of 8 bytes beside one tag. HD_LINE_LANES
   neighbouring lanes of a warp share it, HD_LINE_PART units each: unit[i] of a lane is unit
   hd_line_unit(i) of the line, and stands beside those of its neighbours; unit 15 is the place of
   the tag. On GPUs each lane stores 16 bytes, all lanes in one instruction, and loads them so too.
   That a line then arrives whole is what hardware was seen to do, not what a language promises:
   lines are for backends where HD_LINES_WHOLE is 1, and there for memory of the device itself and
   for fabrics between devices, not for host memory or PCIe. (The "LL128" protocol of NCCL rests on
   the same.) Elsewhere the tag is written last, with release. Tags are not 0, and differ from the
   one that the line had before; a line may be used again as a slot may. */
#ifndef HEDDLE_DEVICE_WORDS_H
#define HEDDLE_DEVICE_WORDS_H

#include <heddle/kernel.h>

enum {
    HD_LINE_BYTES = 128,
    HD_LINE_UNITS = 15,
    HD_LINE_DATA = 8 * HD_LINE_UNITS, /* bytes */
    HD_LINE_PART = 16 / HD_LINE_LANES
};

typedef struct hd_line_part {
    hd_u32x2 unit[HD_LINE_PART];
} hd_line_part;

/* This thread's place among those that share a line. */
HD_DEVICE unsigned hd_line_lane(void)
{
    return hd_lane() % HD_LINE_LANES;
}

HD_DEVICE unsigned hd_line_unit(unsigned i)
{
    return i * HD_LINE_LANES + hd_line_lane();
}

/* 1 where p is not 0 for a lane of the warp, which all reach; a thread that has whole lines asks
   itself alone. */
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

/* A slot as it is sent: x and z are the words, y and w the tag. */
HD_DEVICE void hd_send_words_system(hd_u32x4 *slot, uint32_t a, uint32_t b, uint32_t tag)
{
    hd_u32x4 words;

    words.x = a;
    words.y = tag;
    words.z = b;
    words.w = tag;
    hd_prim_store_words_(slot, words);
}

/* What the slot holds now; x and z are worth something where hd_words_tagged says so. */
HD_DEVICE hd_u32x4 hd_peek_words_system(const hd_u32x4 *slot)
{
    return hd_prim_load_words_(slot);
}

HD_DEVICE int hd_words_tagged(hd_u32x4 words, uint32_t tag)
{
    return words.y == tag && words.w == tag;
}

/* Waits for words with this tag, about a millisecond at most; the caller looks at the tags. */
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
/* Sends this lane's part where `is_there`. Reached by all lanes of the warp; those that share a
   line agree. */
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

/* Waits for those of `count` lines whose bit in `which` is set, about a millisecond at most, longer
   with a pause of so many nanoseconds between looks (0: as short as is good for short waits): 1
   when the warp has all of them, and this lane its parts. All lanes look at a line anew in each
   turn: what they got together with the tag belongs to it. Reached by all lanes of the warp, those
   that share a line agree; `count` is known to the compiler. */
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

#endif
