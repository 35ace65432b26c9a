/* SPDX-License-Identifier: Apache-2.0 */
/* relay.c - copies between devices in two legs through page-locked host memory.

       stream of `from`   fill 0   fill 1   fill 2   fill 3   wait drained[0]   fill 0 ...
                               \ filled[0]  \        \        \
       stream of `to`           drain 0      drain 1  drain 2  drain 3 ...

   A relay belongs to a stream and a direction: one leg runs on that stream, the other one on a
   stream of the other device. Chunks go through the slots of a ring: draining a slot waits for its
   filling, and the next filling waits for the draining. All order is established by events, so that
   a relay can be passed from a destroyed stream to another one immediately. A captured transfer has
   memory of its own, owned by the graph, so that other transfers may run concurrently with the
   graph. */
#include "peer.h"

#include <stdlib.h>

#include "runtime/runtime.h"

enum { SLOTS = 4, SMALL_SLOT = 64 << 10, LARGE_SLOT = 2 << 20, LEAST_CHUNK = 128 << 10 };

typedef struct ring {
    unsigned char *memory; /* SLOTS slots; NULL: not allocated yet */
    size_t slot;           /* bytes per slot */
    unsigned next;         /* slots used; wraps from 2 SLOTS - 1 to SLOTS */
    hd_event *filled[SLOTS], *drained[SLOTS];
} ring;

typedef struct relay {
    const hd_stream *owner; /* NULL: unused */
    int from, to;
    int owner_fills; /* the owner belongs to device `from` */
    hd_stream *other;
    hd_event *begin; /* recorded in the owner if it drains */
    ring small, large;
    pthread_mutex_t lock; /* held while chunks are enqueued */
    struct relay *next;
} relay;

hd__relay_sizes hd__relay_forced;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static relay *relays;
static atomic_int relay_count;

/* ---- rings ----------------------------------------------------------------------------------- */

static void ring_free(ring *r)
{
    for (int i = 0; i < SLOTS; i++) {
        (void)hd_event_destroy(r->filled[i]);
        (void)hd_event_destroy(r->drained[i]);
    }
    (void)hd_free(r->memory);
}

static hd_status events_make(ring *r, int from, int to)
{
    for (int i = 0; i < SLOTS; i++) {
        HD_TRY(hd_event_create(from, 0, &r->filled[i]));
        HD_TRY(hd_event_create(to, 0, &r->drained[i]));
    }
    return HD_OK;
}

static hd_status ring_make(ring *r, size_t slot, int from, int to)
{
    ring made = {NULL, slot, 0, {NULL}, {NULL}};
    hd_status status = hd_alloc_bytes((void **)&made.memory, SLOTS, slot, HD_MEM_PINNED, from);

    if (status >= 0)
        hdb_memory_keep(made.memory);
    if (status >= 0)
        status = events_make(&made, from, to);
    if (status < 0)
        ring_free(&made);
    else
        *r = made;
    return status;
}

/* ---- relays ---------------------------------------------------------------------------------- */

static void relay_free(relay *r)
{
    if (!r)
        return;
    ring_free(&r->small);
    ring_free(&r->large);
    (void)hd_event_destroy(r->begin);
    (void)hd_stream_destroy(r->other);
    (void)pthread_mutex_destroy(&r->lock);
    free(r);
}

static hd_status relay_make(const char *call, const hd_stream *owner, int from, int to, relay **out)
{
    relay *made = calloc(1, sizeof *made);

    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a staged transfer");
    made->owner = owner;
    made->from = from;
    made->to = to;
    made->owner_fills = owner->device == from;
    (void)pthread_mutex_init(&made->lock, NULL);
    hd_status status = hd_stream_create_with(made->owner_fills ? to : from, HD_STREAM_NON_BLOCKING,
                                             0, &made->other);
    if (status >= 0)
        status = hd_event_create(owner->device, 0, &made->begin);
    if (status < 0)
        relay_free(made);
    else
        *out = made;
    return status;
}

/* With the lock held: the stream's own relay, or an unused one. */
static relay *relay_find(const hd_stream *owner, int from, int to)
{
    relay *idle = NULL;

    for (relay *r = relays; r; r = r->next) {
        if (r->from != from || r->to != to || r->owner_fills != (owner->device == from))
            continue;
        if (r->owner == owner)
            return r;
        if (!r->owner)
            idle = r;
    }
    if (idle)
        idle->owner = owner;
    return idle;
}

/* The stream is being destroyed: its relays become available to others. */
static void stream_ends(const hd_stream *stream)
{
    if (atomic_load(&relay_count) == 0)
        return;
    (void)pthread_mutex_lock(&lock);
    for (relay *r = relays; r; r = r->next)
        if (r->owner == stream)
            r->owner = NULL;
    (void)pthread_mutex_unlock(&lock);
}

static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void watch_streams(void)
{
    static hd__stream_hook hook = {stream_ends, NULL};
    hd__on_stream_end(&hook);
}

static hd_status relay_of(const char *call, const hd_stream *owner, int from, int to, relay **out)
{
    (void)pthread_once(&watched, watch_streams);
    (void)pthread_mutex_lock(&lock);
    relay *found = relay_find(owner, from, to);
    (void)pthread_mutex_unlock(&lock);
    if (!found) {
        hd_status status = relay_make(call, owner, from, to, &found);
        if (status < 0)
            return status;
        (void)pthread_mutex_lock(&lock);
        found->next = relays;
        relays = found;
        (void)pthread_mutex_unlock(&lock);
        atomic_fetch_add(&relay_count, 1);
    }
    *out = found;
    return HD_OK;
}

/* Removes the relays for which `gone` is true from the list. */
static relay *relays_take(int (*gone)(const relay *, int), int device)
{
    relay *taken = NULL;

    (void)pthread_mutex_lock(&lock);
    for (relay **link = &relays; *link;) {
        relay *at = *link;
        if (gone(at, device)) {
            *link = at->next;
            at->next = taken;
            taken = at;
            atomic_fetch_sub(&relay_count, 1);
        } else {
            link = &at->next;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return taken;
}

static int is_idle(const relay *r, int device)
{
    (void)device;
    return r->owner == NULL;
}

static int is_of(const relay *r, int device)
{
    return r->from == device || r->to == device;
}

hd_status hd_peer_trim(void)
{
    hd__relay_stock_trim();
    for (relay *r = relays_take(is_idle, -1), *next; r; r = next) {
        next = r->next;
        relay_free(r);
    }
    return HD_OK;
}

/* Resources that the reset left valid are leaked: there is no way to know which they are. */
void hd__relay_device_gone(int device)
{
    for (relay *r = relays_take(is_of, device), *next; r; r = next) {
        next = r->next;
        (void)pthread_mutex_destroy(&r->lock);
        free(r);
    }
    hd__relay_stock_gone(device);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

typedef struct legs {
    hd_stream *fill, *drain;
    int owner_fills;
    hd_event *begin;
} legs;

static hd_status chunk_send(ring *r, const legs *l, unsigned char *to, const unsigned char *from,
                            size_t bytes)
{
    const unsigned i = r->next % SLOTS;
    unsigned char *slot = r->memory + i * r->slot;

    if (r->next >= SLOTS) /* the slot was used before */
        HD_TRY(hd_stream_wait(l->fill, r->drained[i]));
    r->next = r->next < 2 * SLOTS - 1 ? r->next + 1 : SLOTS;
    HD_TRY(hd_copy_bytes(slot, from, bytes, 1, l->fill));
    HD_TRY(hd_event_record(r->filled[i], l->fill));
    HD_TRY(hd_stream_wait(l->drain, r->filled[i]));
    HD_TRY(hd_copy_bytes(to, slot, bytes, 1, l->drain));
    return hd_event_record(r->drained[i], l->drain);
}

/* Quarters keep both links busy; chunks below LEAST_CHUNK would cost more in calls than the overlap
   saves. */
static size_t chunk_bytes(const ring *r, size_t bytes)
{
    size_t chunk = (bytes / 4 + LEAST_CHUNK - 1) / LEAST_CHUNK * LEAST_CHUNK;

    chunk = chunk < LEAST_CHUNK ? LEAST_CHUNK : chunk;
    return chunk < r->slot ? chunk : r->slot;
}

static hd_status chunks_send(ring *r, const legs *l, unsigned char *to, const unsigned char *from,
                             size_t bytes)
{
    const size_t chunk = chunk_bytes(r, bytes);
    unsigned last;

    if (!l->owner_fills) {
        HD_TRY(hd_event_record(l->begin, l->drain));
        HD_TRY(hd_stream_wait(l->fill, l->begin));
    }
    for (size_t at = 0; at < bytes; at += chunk)
        HD_TRY(chunk_send(r, l, to + at, from + at, bytes - at < chunk ? bytes - at : chunk));
    last = (r->next - 1) % SLOTS;
    return l->owner_fills ? hd_stream_wait(l->fill, r->drained[last]) : HD_OK;
}

static legs legs_of(const relay *r, hd_stream *stream)
{
    const legs l = {r->owner_fills ? stream : r->other, r->owner_fills ? r->other : stream,
                    r->owner_fills, r->begin};
    return l;
}

static size_t slot_bytes(size_t bytes)
{
    const size_t small = hd__relay_forced.small_slot ? hd__relay_forced.small_slot : SMALL_SLOT;

    if (bytes <= SLOTS * small)
        return small;
    return hd__relay_forced.large_slot ? hd__relay_forced.large_slot : LARGE_SLOT;
}

static hd_status relay_send(relay *r, void *to, const void *from, size_t bytes, hd_stream *stream)
{
    const size_t slot = slot_bytes(bytes);
    ring *through = bytes <= SLOTS * slot_bytes(1) ? &r->small : &r->large;
    const legs l = legs_of(r, stream);

    if (!through->memory)
        HD_TRY(ring_make(through, slot, r->from, r->to));
    return chunks_send(through, &l, to, from, bytes);
}

/* Captures the transfer into the graph: with slots of its own, and events that become edges. */
static hd_status relay_capture(const char *call, relay *r, void *to, const void *from, size_t bytes,
                               hd_stream *stream)
{
    ring own = {NULL, slot_bytes(bytes), 0, {NULL}, {NULL}};
    const size_t chunk = chunk_bytes(&own, bytes), chunks = (bytes - 1) / chunk + 1;
    const legs l = legs_of(r, stream);
    hd_status status;

    own.slot = chunk < bytes ? chunk : bytes;
    status = hd__relay_stock(call, stream, r->from, own.slot * (chunks < SLOTS ? chunks : SLOTS),
                             &own.memory);
    if (status >= 0)
        status = events_make(&own, r->from, r->to);
    if (status >= 0)
        status = chunks_send(&own, &l, to, from, bytes);
    own.memory = NULL;
    ring_free(&own);
    return status;
}

hd_status hd__relay(const char *call, void *to, int to_device, const void *from, int from_device,
                    size_t bytes, hd_stream *stream)
{
    const int captured = hd__captured(stream);
    int mode = HD__CAPTURE_RELAXED;
    relay *r = NULL;

    if (captured)
        hdb_capture_relax(&mode);
    hd_status status = relay_of(call, stream, from_device, to_device, &r);
    if (status >= 0) {
        (void)pthread_mutex_lock(&r->lock);
        status = captured ? relay_capture(call, r, to, from, bytes, stream)
                          : relay_send(r, to, from, bytes, stream);
        (void)pthread_mutex_unlock(&r->lock);
    }
    if (captured)
        hdb_capture_relax(&mode);
    return status;
}
