/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - the record of calls and operations.

       call begins   event `before` | operation | event `after`  call returns: span appended
                                                                 later: events done, times filled in

   Spans are appended when the call that enqueued an operation returns; the operation's times are
   filled in when its events are done, at the program's next synchronisation or when tracing stops.
   No lock is held while an operation is enqueued, because on the CPU engine that may run it. */
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPANS_USUAL = 1 << 18, PENDING_MANY = 4096, UNREADY_MAX = 32 };
static const size_t no_entry = (size_t)-1;

typedef struct entry {
    hd_trace_span span;
    hd__trace_event *before, *after; /* both until the times are known */
    size_t next;                     /* next entry without times */
    char *own;                       /* the name, if it must be freed */
} entry;

typedef enum state { NOTHING, RECORDING, STOPPING } state;

atomic_int hd__trace_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopped = PTHREAD_COND_INITIALIZER;
static state now_is;
static unsigned session;
static double began;
static entry *entries;
static size_t count, room, most, dropped;
static size_t pending_first, pending_last, pending_count;

/* ---- entries, with the lock held ------------------------------------------------------------- */

static void entries_forget(void)
{
    for (size_t i = 0; i < count; i++)
        free(entries[i].own);
    free(entries);
    entries = NULL;
    count = room = dropped = pending_count = 0;
    pending_first = pending_last = no_entry;
}

/* A new entry; NULL: the maximum number is reached. */
static entry *entry_add(const hd_trace_span *span)
{
    if (count == room && count < most) {
        size_t bigger = room ? 2 * room : 256;
        entry *moved = realloc(entries, bigger * sizeof *moved);
        if (moved) {
            entries = moved;
            room = bigger;
        }
    }
    if (count == room || count == most) {
        dropped++;
        return NULL;
    }
    entry *added = &entries[count++];
    memset(added, 0, sizeof *added);
    added->span = *span;
    added->span.asked -= began;
    added->span.left -= began;
    added->next = no_entry;
    return added;
}

static void pending_add(entry *added)
{
    size_t index = (size_t)(added - entries);
    if (pending_last == no_entry)
        pending_first = index;
    else
        entries[pending_last].next = index;
    pending_last = index;
    pending_count++;
}

/* Fills in the times of an operation if it is done. 0: it is not. */
static int entry_settle(entry *e)
{
    double begin = 0, end = 0;
    hd_status status = hd__trace_event_time(e->after, &end);
    if (status == HD_NOT_READY)
        return 0;
    if (status == HD_OK && hd__trace_event_time(e->before, &begin) == HD_OK) {
        const double early = began + e->span.asked - begin;
        if (early > 0) { /* no operation begins before the call */
            hd__trace_clock_forward(e->before, early);
            begin += early;
            end += early;
        }
        e->span.begin = begin - began;
        e->span.end = end > begin ? end - began : begin - began;
    }
    hd__trace_event_give(e->before);
    hd__trace_event_give(e->after);
    e->before = e->after = NULL;
    return 1;
}

/* Oldest operations first; stops after UNREADY_MAX unfinished ones. */
static void pending_settle(void)
{
    size_t *link = &pending_first, last = no_entry;
    unsigned unready = 0;
    hd__error_mute(1);
    while (*link != no_entry && unready < UNREADY_MAX) {
        entry *e = &entries[*link];
        if (entry_settle(e)) {
            *link = e->next;
            pending_count--;
        } else {
            last = *link;
            link = &e->next;
            unready++;
        }
    }
    if (*link == no_entry)
        pending_last = last;
    hd__error_mute(0);
}

/* ---- recording calls ------------------------------------------------------------------------- */

unsigned hd__trace_session(void)
{
    return __atomic_load_n(&session, __ATOMIC_RELAXED);
}

int hd__trace_is_captured(hd_stream *stream)
{
    int capturing = 0;
    return hdb_stream_capturing(stream, &capturing) < 0 || capturing;
}

void hd__trace_close(hd__traced *t, hd_status status)
{
    int timed = t->after != NULL;
    t->span.left = hd__trace_now();
    t->span.status = status;
    if (timed) {
        hd__error_mute(1);
        /* The wait may have made the stream join a capture. */
        timed = status >= 0 &&
                !(t->span.kind == HD_TRACE_WAIT && hd__trace_is_captured(t->stream)) &&
                hd__trace_event_record(t->after, t->stream) >= 0;
        hd__error_mute(0);
    }
    (void)pthread_mutex_lock(&lock);
    int ours = now_is == RECORDING && t->session == session;
    entry *added = ours ? entry_add(&t->span) : NULL;
    if (added && timed) {
        added->before = t->before;
        added->after = t->after;
        pending_add(added);
    }
    if (ours && pending_count >= PENDING_MANY && pending_count % UNREADY_MAX == 0)
        pending_settle();
    (void)pthread_mutex_unlock(&lock);
    if (!added || !timed) {
        hd__trace_event_give(t->before);
        hd__trace_event_give(t->after);
    }
}

void hd__trace_waited(void)
{
    (void)pthread_mutex_lock(&lock);
    if (now_is == RECORDING)
        pending_settle();
    (void)pthread_mutex_unlock(&lock);
}

void hd__trace_add(const hd_trace_span *span, int own)
{
    (void)pthread_mutex_lock(&lock);
    entry *added = now_is == RECORDING ? entry_add(span) : NULL;
    if (added && own) {
        added->own = strdup(span->name);
        added->span.name = added->own ? added->own : "";
    }
    (void)pthread_mutex_unlock(&lock);
}

/* The device's unfinished operations never end: drops their events. */
void hd__trace_device_gone(int device)
{
    (void)pthread_mutex_lock(&lock);
    while (now_is == STOPPING) /* another thread owns the entries while it stops the trace */
        (void)pthread_cond_wait(&stopped, &lock);
    hd__error_mute(1);
    size_t *link = &pending_first, last = no_entry;
    while (*link != no_entry) {
        entry *e = &entries[*link];
        if (e->span.device != device) {
            last = *link;
            link = &e->next;
            continue;
        }
        if (!entry_settle(e)) {
            hd__trace_event_give(e->before);
            hd__trace_event_give(e->after);
        }
        *link = e->next;
        pending_count--;
    }
    pending_last = last;
    hd__trace_events_drop(device);
    hd__error_mute(0);
    (void)pthread_mutex_unlock(&lock);
}

/* ---- starting and stopping ------------------------------------------------------------------- */

hd_status hd_trace_start(size_t max_spans)
{
    (void)pthread_mutex_lock(&lock);
    int busy = now_is != NOTHING;
    if (!busy) {
        entries_forget();
        most = max_spans ? max_spans : SPANS_USUAL;
        __atomic_fetch_add(&session, 1, __ATOMIC_RELAXED);
        began = hd__trace_now();
        now_is = RECORDING;
        atomic_store(&hd__trace_on, 1);
    }
    (void)pthread_mutex_unlock(&lock);
    return busy ? hd__fail(HD_ERR_STATE, "hd_trace_start", "a trace is being recorded already")
                : HD_OK;
}

static int by_stream_and_end(const void *a, const void *b)
{
    const hd_trace_span *x = &(*(entry *const *)a)->span, *y = &(*(entry *const *)b)->span;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Operations of a stream do not overlap. Threads that share a stream may have recorded their events
   around each other's operations: an operation is made to begin when the previous one has ended. */
static void part_streams(void)
{
    entry **sorted = malloc((count ? count : 1) * sizeof *sorted);
    size_t known = 0;
    for (size_t i = 0; i < count && sorted; i++)
        if (entries[i].span.stream && entries[i].span.begin <= entries[i].span.end)
            sorted[known++] = &entries[i];
    if (sorted)
        qsort(sorted, known, sizeof(entry *), by_stream_and_end);
    for (size_t i = 1; i < known; i++) {
        hd_trace_span *s = &sorted[i]->span;
        const hd_trace_span *before = &sorted[i - 1]->span;
        if (s->stream == before->stream && s->begin < before->end)
            s->begin = before->end;
    }
    free(sorted);
}

/* Only the stopping thread accesses the entries, so that waiting needs no lock. `until`: time on
   the host's clock in seconds after which operations stay unfinished; 0: waits for all. */
static void settle_all(double until)
{
    static const struct timespec moment = {0, 200000};
    hd__error_mute(1);
    for (size_t i = pending_first; i != no_entry; i = entries[i].next) {
        entry *e = &entries[i];
        if (until <= 0)
            (void)hd__trace_event_wait(e->after);
        while (!entry_settle(e)) {
            if (until <= 0 || hd__trace_now() > until) {
                hd__trace_event_give(e->before);
                hd__trace_event_give(e->after);
                break;
            }
            (void)nanosleep(&moment, NULL);
        }
    }
    pending_first = pending_last = no_entry;
    pending_count = 0;
    hd__trace_events_drop(-1);
    hd__error_mute(0);
}

int hd__trace_stop_by(double until)
{
    (void)pthread_mutex_lock(&lock);
    int recording = now_is == RECORDING;
    if (recording) {
        atomic_store(&hd__trace_on, 0);
        now_is = STOPPING;
    }
    (void)pthread_mutex_unlock(&lock);
    if (!recording)
        return 0;
    settle_all(until);
    part_streams();
    (void)pthread_mutex_lock(&lock);
    now_is = NOTHING;
    (void)pthread_cond_broadcast(&stopped);
    (void)pthread_mutex_unlock(&lock);
    return 1;
}

hd_status hd_trace_stop(void)
{
    HD__RELEASING;
    return hd__trace_stop_by(0)
               ? HD_OK
               : hd__fail(HD_ERR_STATE, "hd_trace_stop", "no trace is being recorded");
}

/* ---- reading the record ---------------------------------------------------------------------- */

static hd_status readable(const char *call)
{
    return now_is == NOTHING ? HD_OK : hd__fail(HD_ERR_STATE, call, "the trace was not stopped");
}

hd_status hd_trace_count(size_t *spans, size_t *dropped_spans)
{
    (void)pthread_mutex_lock(&lock);
    hd_status status = readable("hd_trace_count");
    if (status >= 0 && spans)
        *spans = count;
    if (status >= 0 && dropped_spans)
        *dropped_spans = dropped;
    (void)pthread_mutex_unlock(&lock);
    return status;
}

hd_status hd_trace_get(size_t index, hd_trace_span *span)
{
    static const char call[] = "hd_trace_get";
    if (!span)
        return hd__null(call, "span");
    (void)pthread_mutex_lock(&lock);
    hd_status status = readable(call);
    if (status >= 0 && index >= count)
        status = hd__fail(HD_ERR_ARGUMENT, call, "no span %zu: the trace has %zu", index, count);
    if (status >= 0)
        *span = entries[index].span;
    (void)pthread_mutex_unlock(&lock);
    return status;
}

hd_status hd_trace_write(const char *path)
{
    static const char call[] = "hd_trace_write";
    if (!path)
        return hd__null(call, "path");
    (void)pthread_mutex_lock(&lock);
    hd_status status = readable(call);
    hd__trace_file file = {count ? &entries[0].span : NULL, count, sizeof(entry), dropped};
    if (status >= 0 && hd__trace_json(path, &file) != 0)
        status = hd__fail(HD_ERR_IO, call, "%s: %s", path, errno ? strerror(errno) : "write error");
    (void)pthread_mutex_unlock(&lock);
    return status;
}
