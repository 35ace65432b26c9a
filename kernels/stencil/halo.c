/* SPDX-License-Identifier: Apache-2.0 */
/* halo.c - halo exchange: stores the edge cells of a field in the halos of its neighbours.

            device 0                      device 1
       +-------------+-----+         +-----+-------------+
       |  own cells  |halo |         |halo |  own cells  |
       |          a a|b b  |         |  a a|b b          |
       +-------------+-----+         +-----+-------------+
                  |    ^                ^    |
                  |    +----------------|----+       device 1 stores its edge cells b
                  +---------------------+            device 0 stores its edge cells a

   Each such rectangle is a message (halo.h). Stores go directly to the other device's memory. */
#include <heddle/kernel.h>

#include "halo.h"
#include "kernels/group/word16.inc"

#define COPY_AS(T, from, to, bytes)                                                                \
    for (size_t at = 0; at < (bytes); at += sizeof(T))                                             \
        *(T *)(void *)((to) + at) = *(const T *)(const void *)((from) + at);

/* Copies fewer than 16 bytes. */
HD_DEVICE void copy_units(const unsigned char *from, unsigned char *to, size_t bytes, uint32_t unit)
{
    if (unit == 8) {
        COPY_AS(uint64_t, from, to, bytes)
    } else if (unit == 4) {
        COPY_AS(uint32_t, from, to, bytes)
    } else if (unit == 2) {
        COPY_AS(uint16_t, from, to, bytes)
    } else {
        COPY_AS(unsigned char, from, to, bytes)
    }
}

/* Copies the part of a row that lies in a window. */
HD_DEVICE void store_window(const hd__halo_rows *m, size_t row, size_t window)
{
    const unsigned char *from = m->from + row * m->from_pitch;
    unsigned char *to = m->to + row * m->to_pitch;
    const size_t before = (uintptr_t)to &
                          (m->window - 1); /* bytes of the first window before the row */
    const size_t begin = window * m->window, end = begin + m->window;
    const size_t first = begin > before ? begin - before : 0;
    const size_t last = end - before < m->row_bytes ? end - before : m->row_bytes;

    if (first >= last)
        return;
    if (last - first == 16)
        *(hd_u32x4 *)(void *)(to + first) = word_at((const hd_u32x4 *)(const void *)(from + first));
    else
        copy_units(from + first, to + first, last - first, m->unit);
}

/* Copies this thread's window of a tile. */
HD_DEVICE void store_tile(const hd__halo_rows *m, uint32_t tile)
{
    const uint32_t thread = hd_thread_linear(), wide = m->wide;
    const uint32_t x = thread & (((uint32_t)1 << wide) - 1), y = thread >> wide;
    const size_t row = (size_t)(tile / m->across) * (HD__HALO_THREADS >> wide) + y;

    if (row < m->rows)
        store_window(m, row, ((size_t)(tile % m->across) << wide) + x);
}

/* Grid: any, 1-D; blocks of HD__HALO_THREADS. A block stores tiles of all messages, grid-stride; a
   thread stores one window of a tile. Neighbouring threads take neighbouring windows of a row and,
   for narrow columns, of consecutive rows. The launch does not write what it reads. 2 bytes moved
   per byte of the messages. */
HD_KERNEL
HD_MAX_THREADS(HD__HALO_THREADS) void hd__halo_store(HD_GRID_CONST hd__halo_messages messages)
{
    uint32_t i = 0;

    for (uint32_t tile = hd_block_x(); tile < messages.tiles; tile += hd_grid_dim_x()) {
        while (tile >= messages.message[i].end)
            i++;
        store_tile(&messages.message[i], tile - (i ? messages.message[i - 1].end : 0));
    }
}
HD_DEFINE(hd__halo_store)
