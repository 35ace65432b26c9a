/* SPDX-License-Identifier: Apache-2.0 */
/* halo_store.c - splits the messages of a part into tiles for the kernel that stores them. */
#include "halo_store.h"

#include "runtime/backend.h"

/* Shorter rows would consist mostly of the partial windows at their ends. */
enum { WORD = 16, LONG_ROW = 64 };

/* The largest power of two, up to 16, that divides addresses, pitches and lengths. */
static uint32_t unit_of(const hd__halo_rows *r)
{
    const uintptr_t begins = (uintptr_t)r->from | (uintptr_t)r->to | r->row_bytes;
    const uintptr_t all = begins | (r->rows > 1 ? r->from_pitch | r->to_pitch : 0);
    uint32_t unit = WORD;
    while (all & (unit - 1))
        unit /= 2;
    return unit;
}

static uint32_t window_of(const hd__halo_rows *r)
{
    const uintptr_t begins = (uintptr_t)r->from ^ (uintptr_t)r->to;
    const uintptr_t differ = begins | (r->rows > 1 ? r->from_pitch ^ r->to_pitch : 0);
    return r->row_bytes >= LONG_ROW && (differ & (WORD - 1)) == 0 ? WORD : r->unit;
}

hd_status hd__halo_messages_add(const char *call, hd__halo_messages *messages, hd__halo_rows rows)
{
    hd__halo_rows *r = &messages->message[messages->count];
    size_t windows, across, down;
    *r = rows;
    if (r->row_bytes == r->from_pitch && r->row_bytes == r->to_pitch) {
        r->row_bytes *= r->rows;
        r->rows = 1;
    }
    r->unit = unit_of(r);
    r->window = window_of(r);
    /* A row may begin at the last unit of its first window. */
    windows = (r->row_bytes + (r->window - r->unit) + r->window - 1) / r->window;
    for (r->wide = 0; (1u << r->wide) < HD__HALO_THREADS && (1u << r->wide) < windows;)
        r->wide++;
    across = (windows + (1u << r->wide) - 1) >> r->wide;
    down = (r->rows + (HD__HALO_THREADS >> r->wide) - 1) / (HD__HALO_THREADS >> r->wide);
    if (across > INT32_MAX || down > (INT32_MAX - messages->tiles) / across)
        return hd__fail(HD_ERR_OVERFLOW, call, "more than %d tiles of cells are sent", INT32_MAX);
    r->across = (uint32_t)across;
    messages->tiles += (uint32_t)(across * down);
    r->end = messages->tiles;
    messages->count++;
    return HD_OK;
}

hd_status hd__halo_messages_store(const hd__halo_messages *messages, hd_stream *stream)
{
    const size_t threads = (size_t)messages->tiles * HD__HALO_THREADS;
    if (messages->count == 0)
        return HD_OK;
    return hd_launch(hd__halo_store, hd_launch_loop(threads, HD__HALO_THREADS, stream), *messages);
}
