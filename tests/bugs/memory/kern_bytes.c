/* SPDX-License-Identifier: Apache-2.0 */
/* kern_bytes.c - blocks of 256 threads that use parts of words: bytes, halves, small members. */
#include <heddle/kernel.h>

#include "kern_bytes.h"

enum { N = 256 };

typedef struct bytes_record {
    uint16_t count;
    uint8_t level, state;
} bytes_record;

typedef union bytes_word {
    uint32_t word;
    uint16_t half[2];
} bytes_word;

typedef struct bytes_fields {
    unsigned kind : 3, level : 13, id : 16;
} bytes_fields;

typedef union bytes_pair {
    uint64_t whole;
    uint32_t word[2];
} bytes_pair;

typedef struct bytes_padded {
    uint8_t tag;
    uint64_t value[3];
    uint16_t last;
} bytes_padded;

/* A thread writes both halves of a word; two threads share one. */
HD_KERNEL void bytes_halves(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x();
    uint16_t *half = (uint16_t *)(void *)scratch + 2 * (bug ? i / 2 : i);

    half[0] = (uint16_t)in[i]; /* BUG bytes_halves */
    half[1] = 0;               /* BUG bytes_halves */
    out[i] = in[i];
}
HD_DEFINE(bytes_halves)

/* All four channels of a pixel, by four threads. */
HD_KERNEL void bytes_pixel(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x();
    uint8_t *pixel = (uint8_t *)(void *)scratch + 4 * (bug ? i / 4 : i);

    for (unsigned channel = 0; channel < 4; channel++)
        pixel[channel] = (uint8_t)(in[i] >> 8 * channel); /* BUG bytes_pixel */
    out[i] = in[i];
}
HD_DEFINE(bytes_pixel)

/* The first byte of each four is read behind the write of its neighbours. */
HD_KERNEL void bytes_first(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint8_t, tile, N);
    unsigned t = hd_thread_x();

    tile[t] = (uint8_t)in[hd_global_x()]; /* BUG bytes_first */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = tile[t / 4 * 4]; /* BUG bytes_first */
}
HD_DEFINE(bytes_first)

/* Words are read by bytes. The first byte of each is set while its thread, in another warp, may
   still read it; the threads of its neighbours have read theirs since. */
HD_KERNEL void bytes_reuse(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, word, N / 4);
    uint8_t *tile = (uint8_t *)word;
    unsigned t = hd_thread_x(), far = (t + N / 2) % N;
    uint32_t v;

    if (t < N / 4)
        word[t] = (in[hd_block_x() * N + t] & 0x7f) * 0x01010101;
    hd_sync_block();
    v = tile[t]; /* BUG bytes_reuse bytes_reader */
    if (!bug)
        hd_sync_block();
    if (far < N / 2 && far % 4 == 0 && (bug != 2 || far == 0))
        tile[far] = 1; /* BUG bytes_reuse bytes_reader */
    hd_sync_block();
    out[hd_global_x()] = v + (t < N / 2 && t % 4 == 0 ? tile[t] : 0);
}
HD_DEFINE(bytes_reuse)

/* Members of a record, of which another block reads the one that was written first. */
HD_KERNEL void bytes_member(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    bytes_record *record = (bytes_record *)(void *)scratch;
    size_t i = hd_global_x(), n = hd_global_size_x();

    record[i].count = (uint16_t)in[i]; /* BUG bytes_member */
    record[i].level = 1;
    record[i].state = 2;
    out[i] = bug ? record[(i + n - N) % n].count : record[i].count; /* BUG bytes_member */
}
HD_DEFINE(bytes_member)

/* One thread writes the halves, another one reads the word. */
HD_KERNEL void bytes_union(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(bytes_word, s, N);
    unsigned t = hd_thread_x();

    s[t].half[0] = (uint16_t)in[hd_global_x()]; /* BUG bytes_union */
    s[t].half[1] = 0;                           /* BUG bytes_union */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = s[N - 1 - t].word; /* BUG bytes_union */
}
HD_DEFINE(bytes_union)

/* Fields of one word, each written by another thread: they read the word and write it back. */
HD_KERNEL void bytes_field(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    bytes_fields *fields = (bytes_fields *)(void *)scratch;
    size_t i = hd_global_x();

    if (i % 2)
        fields[bug ? i / 2 : i].level = in[i] & 0xff; /* BUG bytes_field */
    else
        fields[bug ? i / 2 : i].kind = in[i] & 3; /* BUG bytes_field */
    out[i] = in[i];
}
HD_DEFINE(bytes_field)

/* A value of 64 bits, written as two words. */
HD_KERNEL void bytes_wide(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(bytes_pair, s, N);
    unsigned t = hd_thread_x();

    s[t].word[0] = in[hd_global_x()]; /* BUG bytes_wide */
    s[t].word[1] = 0;                 /* BUG bytes_wide */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = (uint32_t)s[N - 1 - t].whole; /* BUG bytes_wide */
}
HD_DEFINE(bytes_wide)

/* Counters of a byte for each thread, which counts its element four times; two share one. */
HD_KERNEL void bytes_count(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint8_t, bins, 2 * N);
    unsigned t = hd_thread_x(), column = bug ? t / 2 : t;
    uint32_t v = in[hd_global_x()];

    bins[column] = bins[N + column] = 0; /* BUG bytes_count */
    for (unsigned k = 0; k < 4; k++)
        bins[v % 2 * N + column]++; /* BUG bytes_count */
    out[hd_global_x()] = bins[N + t];
}
HD_DEFINE(bytes_count)

/* Pixels of three bytes, each written as four. */
HD_KERNEL void bytes_packed(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x();
    uint8_t *pixel = (uint8_t *)(void *)scratch + 3 * i;

    for (unsigned k = 0; k < (bug ? 4u : 3u); k++)
        pixel[k] = (uint8_t)(in[i] >> 8 * k); /* BUG bytes_packed */
    out[i] = pixel[0];                        /* BUG bytes_packed */
}
HD_DEFINE(bytes_packed)

/* Three of four channels are set, all four are added. */
HD_KERNEL void bytes_unset(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint8_t, tile, 4 * N);
    unsigned t = hd_thread_x(), last = bug ? 3 : 4;
    uint32_t sum = 0;

    for (unsigned k = 0; k < last; k++)
        tile[4 * t + k] = k ? 0 : (uint8_t)in[hd_global_x()];
    hd_sync_block();
    for (unsigned k = 0; k < 4; k++)
        sum += tile[4 * (N - 1 - t) + k]; /* BUG bytes_unset */
    out[hd_global_x()] = sum;
}
HD_DEFINE(bytes_unset)

/* One half of a word is set, all of it is read. */
HD_KERNEL void bytes_half(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(bytes_word, s, N);
    unsigned t = hd_thread_x();

    s[t].half[0] = (uint16_t)in[hd_global_x()];
    if (!bug)
        s[t].half[1] = 0;
    hd_sync_block();
    out[hd_global_x()] = s[N - 1 - t].word; /* BUG bytes_half */
}
HD_DEFINE(bytes_half)

/* Records are copied as a whole, with padding that nobody writes; and values that nobody writes. */
HD_KERNEL void bytes_copied(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(bytes_padded, s, N);
    bytes_padded *to = (bytes_padded *)(void *)scratch;
    unsigned t = hd_thread_x();
    size_t i = hd_global_x();

    s[t].tag = 1;
    for (unsigned k = 0; !bug && k < 3; k++)
        s[t].value[k] = in[i] + k;
    s[t].last = (uint16_t)in[i];
    hd_sync_block();
    to[i] = s[N - 1 - t]; /* BUG bytes_copied */
    out[i] = to[i].last;
}
HD_DEFINE(bytes_copied)

/* Of three warps one reads the first half of a word, one sets the second half, one the first. */
HD_KERNEL void bytes_mapped(int bug, uint16_t *half, uint32_t *out)
{
    unsigned t = hd_thread_x();

    if (t == 0)
        out[0] = half[0]; /* BUG bytes_mapped */
    if (t == 64)
        half[1] = 1;
    if (!bug)
        hd_sync_block();
    if (t == 128)
        half[0] = 2; /* BUG bytes_mapped */
}
HD_DEFINE(bytes_mapped)

/* Difference of a byte and the next one; the last has none. */
HD_KERNEL void bytes_image(int bug, size_t n, const uint8_t *in, uint8_t *out)
{
    size_t i = hd_global_x();

    if (i < n)
        out[i] = (uint8_t)(in[i] - (i + 1 < n || bug ? in[i + 1] : 0)); /* BUG bytes_* */
}
HD_DEFINE(bytes_image)

/* Bytes written by four threads become a word of one. */
HD_KERNEL void bytes_joined(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, word, N / 4);
    uint8_t *tile = (uint8_t *)word;
    unsigned t = hd_thread_x();
    uint32_t v, far;

    tile[t] = (uint8_t)in[hd_global_x()];
    hd_sync_block();
    v = tile[t];
    far = tile[(t + N / 2) % N];
    hd_sync_block();
    if (t < N / 4)
        word[t] = v; /* BUG bytes_joined */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = word[t / 4] + (far >> 7); /* BUG bytes_joined */
}
HD_DEFINE(bytes_joined)

/* Each thread writes a word byte by byte, and another one reads the first byte. */
HD_KERNEL void bytes_loop(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint8_t, tile, 4 * N);
    unsigned t = hd_thread_x();

    HD_NO_UNROLL
    for (unsigned k = 0; k < 4; k++)
        tile[4 * t + k] = (uint8_t)(in[hd_global_x()] + k); /* BUG bytes_loop */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = tile[4 * (t < N / 2 ? t : t - N / 2)]; /* BUG bytes_loop */
}
HD_DEFINE(bytes_loop)

/* Each byte has a reader in another warp, too; what blocks before read does not matter. */
HD_KERNEL void bytes_far(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint8_t, tile, N);
    unsigned t = hd_thread_x();

    tile[t] = (uint8_t)in[hd_global_x()]; /* BUG bytes_far */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = tile[t] + tile[(t + N / 2) % N]; /* BUG bytes_far */
}
HD_DEFINE(bytes_far)
