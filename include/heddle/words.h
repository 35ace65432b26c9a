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
   protocol of NCCL does the same.) */
#ifndef HEDDLE_WORDS_H
#define HEDDLE_WORDS_H

#include <heddle/kernel.h>
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

#endif
