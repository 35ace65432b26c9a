/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - the events that the trace records around operations, and their times on the host's
   clock.

       host's clock   ----- seconds(base) ------------------------------ time of event
       device              base event  --- elapsed ms (32-bit float) --- event

   Each device has a base: an event whose time on the host's clock is known. Vendors report elapsed
   times as 32-bit floats in milliseconds, so the base is moved along with the events. */
#include "trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { EVENTS_MAX = 1 << 16 };
static const double base_follows = 2000.0; /* milliseconds, which a float resolves to 0.1 us */

struct hd__trace_event {
    hd_event event;
    hd__trace_event *next;
};

/* State of a device's clock. */
typedef struct clock_base {
    hd_event event;
    double seconds; /* time of the event on the host's clock */
    int made;
    int refused; /* the clock cannot be read */
    struct clock_base *next;
    hd__trace_event *free;
} clock_base;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static clock_base *bases;
static size_t events;

double hd__trace_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static clock_base *base_find(int device)
{
    for (clock_base *at = bases; at; at = at->next)
        if (at->event.device == device)
            return at;
    clock_base *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->event.device = device;
    made->next = bases;
    bases = made;
    return made;
}

static hd_status native_event(int device, int ordinal, hd_event *event)
{
    event->device = device;
    event->ordinal = ordinal;
    event->flags = HD_EVENT_TIMING;
    return hdb_event_create(ordinal, HD_EVENT_TIMING, &event->native);
}

static void base_make(clock_base *base, int ordinal)
{
    if (base->made || base->refused)
        return;
    base->refused = native_event(base->event.device, ordinal, &base->event) < 0;
    if (base->refused)
        return;
    base->made = hdb_event_clock(&base->event, &base->seconds) >= 0;
    base->refused = !base->made;
    if (base->refused)
        (void)hdb_event_destroy(&base->event);
}

static hd__trace_event *event_make(clock_base *base)
{
    hd__trace_event *made;
    if (events >= EVENTS_MAX || !(made = calloc(1, sizeof *made)))
        return NULL;
    if (native_event(base->event.device, base->event.ordinal, &made->event) < 0) {
        free(made);
        return NULL;
    }
    events++;
    return made;
}

hd__trace_event *hd__trace_event_take(int device, int ordinal)
{
    hd__trace_event *taken = NULL;
    (void)pthread_mutex_lock(&lock);
    clock_base *base = base_find(device);
    if (base)
        base_make(base, ordinal);
    if (base && base->made) {
        taken = base->free;
        if (taken)
            base->free = taken->next;
        else
            taken = event_make(base);
    }
    (void)pthread_mutex_unlock(&lock);
    return taken;
}

void hd__trace_event_give(hd__trace_event *event)
{
    if (!event)
        return;
    (void)pthread_mutex_lock(&lock);
    clock_base *base = base_find(event->event.device); /* created when the event was taken */
    event->next = base->free;
    base->free = event;
    (void)pthread_mutex_unlock(&lock);
}

hd_status hd__trace_event_record(hd__trace_event *event, hd_stream *stream)
{
    return hdb_event_record(&event->event, stream);
}

hd_status hd__trace_event_wait(hd__trace_event *event)
{
    return hdb_event_synchronize(&event->event);
}

hd_status hd__trace_event_time(hd__trace_event *event, double *seconds)
{
    double distance = 0;
    (void)pthread_mutex_lock(&lock);
    clock_base *base = base_find(event->event.device);
    hd_status status = base->made ? hdb_event_since(&base->event, &event->event, &distance)
                                  : HD_ERR_STATE;
    if (status == HD_OK) {
        *seconds = base->seconds + 1e-3 * distance;
        if (distance > base_follows) {
            void *native = base->event.native;
            base->event.native = event->event.native;
            event->event.native = native;
            base->seconds = *seconds;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return status;
}

void hd__trace_clock_forward(hd__trace_event *event, double seconds)
{
    (void)pthread_mutex_lock(&lock);
    base_find(event->event.device)->seconds += seconds;
    (void)pthread_mutex_unlock(&lock);
}

void hd__trace_events_drop(int device)
{
    (void)pthread_mutex_lock(&lock);
    for (clock_base *base = bases; base; base = base->next) {
        if (device >= 0 && base->event.device != device)
            continue;
        while (base->free) {
            hd__trace_event *gone = base->free;
            base->free = gone->next;
            (void)hdb_event_destroy(&gone->event);
            free(gone);
            events--;
        }
        if (base->made)
            (void)hdb_event_destroy(&base->event);
        base->made = base->refused = 0;
    }
    (void)pthread_mutex_unlock(&lock);
}
