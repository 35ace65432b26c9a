/* SPDX-License-Identifier: Apache-2.0 */
/* small.c - each block sorts its part of the keys by comparison: all keys if they are few,
   otherwise runs, which merge.c merges. */
#include <heddle/kernel.h>

#include "sort.h"

#define SO_NAME_(a, b) a##_##b
#define SO_NAME(a, b) SO_NAME_(a, b)

#define KEYED(name) SO_NAME(name, SO_KEY_BYTES)
#define SO_KEY_BYTES 4
#define SO_KEY uint32_t
#include "keys.inc"
#undef SO_KEY
#undef SO_KEY_BYTES
#define SO_KEY_BYTES 8
#define SO_KEY uint64_t
#include "keys.inc"
#undef SO_KEY
#undef SO_KEY_BYTES
#undef KEYED

enum { SO_ITEMS = HD__SORT_SMALL_ITEMS };

/* A code and the index of its key: no two are equal, which makes the sort stable. */
typedef struct so_placed {
    uint64_t code;
    uint32_t place;
} so_placed;

/* Index of the calling thread's first key; the next ones follow at a warp's stride, for loads and
   stores. */
HD_DEVICE unsigned so_first(void)
{
    return hd_warp() * hd_warp_size() * SO_ITEMS + hd_lane();
}

/* The calling block's part of the arrays. */
HD_DEVICE hd__sort_small_task so_part(hd__sort_small_task task)
{
    const unsigned most = hd_block_threads() * SO_ITEMS, first = hd_block_x() * most;
    task.n = hd_min(task.n - first, most);
    task.keys_in = (const char *)task.keys_in + (size_t)first * task.key_bytes;
    task.keys_out = (char *)task.keys_out + (size_t)first * task.key_bytes;
    if (task.value_bytes) {
        task.values_in = (const char *)task.values_in + (size_t)first * task.value_bytes;
        task.values_out = (char *)task.values_out + (size_t)first * task.value_bytes;
    }
    return task;
}

/* Loads the calling thread's elements of an array of n; indices beyond the end are clamped. No
   branch, so that all loads are in flight. */
#define SO_LOAD(name, type)                                                                        \
    HD_DEVICE void name(const void *from, unsigned n, type *e)                                     \
    {                                                                                              \
        HD_UNROLL                                                                                  \
        for (unsigned u = 0; u < SO_ITEMS; u++)                                                    \
            e[u] = ((const type *)from)[hd_min(so_first() + u * hd_warp_size(), n - 1)];           \
    }
SO_LOAD(so_load_4, uint32_t)
SO_LOAD(so_load_8, uint64_t)
#undef SO_LOAD

/* The codes of the calling thread's elements, as integers of 64 bits. */
#define SO_ENCODE(name, type, load, encode)                                                        \
    HD_DEVICE void name(const hd__sort_small_task *task, uint64_t *code)                           \
    {                                                                                              \
        type key[SO_ITEMS];                                                                        \
        load(task->keys_in, task->n, key);                                                         \
        HD_UNROLL                                                                                  \
        for (unsigned u = 0; u < SO_ITEMS; u++)                                                    \
            code[u] = encode(key[u], &task->order);                                                \
    }
SO_ENCODE(so_codes_4, uint32_t, so_load_4, so_encode_4)
SO_ENCODE(so_codes_8, uint64_t, so_load_8, so_encode_8)
#undef SO_ENCODE

/* The codes, reduced to the bits that decide; all ones beyond the last key. */
HD_DEVICE void so_codes(const hd__sort_small_task *task, unsigned key_bytes, uint64_t *code)
{
    if (key_bytes == 4)
        so_codes_4(task, code);
    else
        so_codes_8(task, code);
    HD_UNROLL
    for (unsigned u = 0; u < SO_ITEMS; u++) {
        code[u] = (code[u] & task->decide) >> task->first_bit;
        if (so_first() + u * hd_warp_size() >= task->n)
            code[u] = ~(uint64_t)0;
    }
}

HD_DEVICE hd_u32x4 so_vector_u32(const uint32_t *code)
{
    hd_u32x4 v;
    v.x = code[0];
    v.y = code[1];
    v.z = code[2];
    v.w = code[3];
    return v;
}

HD_DEVICE hd_u64x2 so_vector_u64(const uint64_t *code)
{
    hd_u64x2 v;
    v.x = code[0];
    v.y = code[1];
    return v;
}

/* Permutes the elements of an array; all are read before one is written. */
#define SO_MOVE(name, type)                                                                        \
    HD_DEVICE void name(const type *from, type *to, const uint32_t *place, unsigned n)             \
    {                                                                                              \
        const unsigned first = so_first();                                                         \
        type moved[SO_ITEMS];                                                                      \
        HD_UNROLL                                                                                  \
        for (unsigned u = 0; u < SO_ITEMS; u++)                                                    \
            moved[u] = from[hd_min(place[u], n - 1)];                                              \
        hd_sync_block();                                                                           \
        HD_UNROLL                                                                                  \
        for (unsigned u = 0; u < SO_ITEMS; u++)                                                    \
            if (first + u * hd_warp_size() < n)                                                    \
                to[first + u * hd_warp_size()] = moved[u];                                         \
    }
SO_MOVE(so_move_4, uint32_t)
SO_MOVE(so_move_8, uint64_t)
#undef SO_MOVE

HD_DEVICE void so_move(unsigned bytes, const void *from, void *to, const uint32_t *place,
                       unsigned n)
{
    if (bytes == 4)
        so_move_4((const uint32_t *)from, (uint32_t *)to, place, n);
    else if (bytes == 8)
        so_move_8((const uint64_t *)from, (uint64_t *)to, place, n);
}

#define SO_KIND u32
#define SO_ELEMENT uint32_t
#define SO_CODE uint32_t
#define SO_MAX HD__SORT_SMALL_KEYS
#define SO_VECTOR hd_u32x4
#define SO_VECTOR_OF(codes) so_vector_u32(codes)
#define SO_LESS(a, b) ((a) < (b))
#define SO_CHOOSE(first, a, b) ((first) ? (a) : (b))
#define SO_SHUFFLED(a, lanes) hd_shfl_xor(a, lanes, hd_warp_size())
#include "small.inc"

#define SO_KIND u64
#define SO_ELEMENT uint64_t
#define SO_CODE uint64_t
#define SO_MAX HD__SORT_SMALL_KEYS
#define SO_VECTOR hd_u64x2
#define SO_VECTOR_OF(codes) so_vector_u64(codes)
#define SO_LESS(a, b) ((a) < (b))
#define SO_CHOOSE(first, a, b) ((first) ? (a) : (b))
#define SO_SHUFFLED(a, lanes) hd_shfl_xor(a, lanes, hd_warp_size())
#include "small.inc"

HD_DEVICE so_placed so_shuffled(so_placed a, unsigned lanes)
{
    a.code = hd_shfl_xor(a.code, lanes, hd_warp_size());
    a.place = hd_shfl_xor(a.place, lanes, hd_warp_size());
    return a;
}

/* Member by member: selecting between two structs would keep both in memory. */
HD_DEVICE so_placed so_choose(int first, so_placed a, so_placed b)
{
    b.code = first ? a.code : b.code;
    b.place = first ? a.place : b.place;
    return b;
}

HD_DEVICE int so_less(so_placed a, so_placed b)
{
    return (a.code < b.code) | ((a.code == b.code) & (a.place < b.place));
}

#define SO_KIND placed
#define SO_PLACED
#define SO_ELEMENT so_placed
#define SO_CODE uint64_t
#define SO_MAX HD__SORT_RUN
#define SO_VECTOR hd_u64x2
#define SO_VECTOR_OF(codes) so_vector_u64(codes)
#define SO_LESS(a, b) so_less(a, b)
#define SO_CHOOSE(first, a, b) so_choose(first, a, b)
#define SO_SHUFFLED(a, lanes) so_shuffled(a, lanes)
#include "small.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__sort_small_u32)
HD_INSTANCE(hd__sort_small_u64)
HD_INSTANCE(hd__sort_small_placed)
