/* SPDX-License-Identifier: Apache-2.0 */
/* handle.c - the set of live handles, an open-addressing hash table of addresses, so that
   destroying a handle twice is an error instead of a crash. Memory of destroyed handles is kept for
   a while: if an address were reused immediately, the second destroy would affect another
   handle. */
#include "backend.h"

#include <pthread.h>
#include <stdlib.h>

/* Self-checking builds check every use of a handle, and keep enough destroyed ones. */
enum { ROOM_FIRST = 256, KEPT = HD__HANDLES_CHECKED ? 4096 : 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void **slots; /* NULL: free */
static size_t room, used;
static void *kept[KEPT];
static size_t kept_at;

static size_t slot_of(const void *handle)
{
    return (size_t)(((uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) &
           (room - 1);
}

/* The slot of the handle, or the free one for it. */
static size_t find(const void *handle)
{
    size_t at = slot_of(handle);

    while (slots[at] && slots[at] != handle)
        at = (at + 1) & (room - 1);
    return at;
}

/* Keeps the table at most half full. 0: out of memory. */
static int grow(void)
{
    void **old = slots, **more;
    const size_t old_room = room;

    if (2 * (used + 1) <= room)
        return 1;
    more = calloc(room ? 2 * room : ROOM_FIRST, sizeof *more);
    if (!more)
        return 0;
    slots = more;
    room = room ? 2 * room : ROOM_FIRST;
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            slots[find(old[i])] = old[i];
    free(old);
    return 1;
}

void *hd__handle_make(size_t bytes)
{
    void *made = calloc(1, bytes);
    int good = 0;

    if (!made)
        return NULL;
    (void)pthread_mutex_lock(&lock);
    good = grow();
    if (good) {
        slots[find(made)] = made;
        used++;
    }
    (void)pthread_mutex_unlock(&lock);
    if (!good)
        free(made);
    return good ? made : NULL;
}

/* With the lock held. Reinserts the handles after it in the same run of slots. */
static void take_out(size_t at)
{
    slots[at] = NULL;
    used--;
    for (at = (at + 1) & (room - 1); slots[at]; at = (at + 1) & (room - 1)) {
        void *moved = slots[at];

        slots[at] = NULL;
        slots[find(moved)] = moved;
    }
}

static hd_status refuse(const char *call, const void *handle, const char *what)
{
    hdb_handle_refused(call, handle, what);
    return hd__fail(HD_ERR_ARGUMENT, call,
                    "%p is not a live %s: destroyed before, or never created", handle, what);
}

hd_status hd__handle_claim(const char *call, const void *handle, const char *what)
{
    int alive = 0;

    (void)pthread_mutex_lock(&lock);
    if (room) {
        const size_t at = find(handle);

        alive = slots[at] != NULL;
        if (alive)
            take_out(at);
    }
    (void)pthread_mutex_unlock(&lock);
    return alive ? HD_OK : refuse(call, handle, what);
}

hd_status hd__handle_use(const char *call, const void *handle, const char *what)
{
    int alive;

    (void)pthread_mutex_lock(&lock);
    alive = room && slots[find(handle)];
    (void)pthread_mutex_unlock(&lock);
    return alive ? HD_OK : refuse(call, handle, what);
}

void hd__handle_free(void *handle)
{
    void *oldest;

    (void)pthread_mutex_lock(&lock);
    oldest = kept[kept_at];
    kept[kept_at] = handle;
    kept_at = (kept_at + 1) % KEPT;
    (void)pthread_mutex_unlock(&lock);
    free(oldest);
}

void hd__handle_drop(void *handle)
{
    if (!handle)
        return;
    (void)pthread_mutex_lock(&lock);
    take_out(find(handle));
    (void)pthread_mutex_unlock(&lock);
    free(handle);
}
