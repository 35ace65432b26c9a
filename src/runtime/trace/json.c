/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - a trace in the format of chrome://tracing and Perfetto ("Trace Event Format", JSON
   object form): a process per device with a track per stream, a process for the host with a track
   per thread, and arrows from calls to operations. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "base/utf8.h"

enum { HOST = 0, FIRST_DEVICE = 1, DEVICES_MAX = 256, NAME_MAX_BYTES = 128, KERNELS = 64 };

/* What a kernel needs in blocks of this size. */
typedef struct needs {
    const hd_kernel *kernel; /* NULL: none */
    int device;
    unsigned threads, resident; /* per block; blocks per compute unit */
    size_t shared_bytes;        /* dynamic */
    hd_kernel_attributes attributes;
} needs;

typedef struct writer {
    FILE *out;
    int events;             /* number written so far */
    needs kernels[KERNELS]; /* asked for last, in the slot of the kernel */
} writer;

static const hd_trace_span *span_at(const hd__trace_file *file, size_t i)
{
    return (const hd_trace_span *)(const void *)((const char *)file->spans + i * file->stride);
}

static void quote(writer *w, const char *text)
{
    (void)fputc('"', w->out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = hd__utf8_length(at);

        if (length == 0) /* not UTF-8 */
            (void)fputs("\\ufffd", w->out);
        else if (*at == '"' || *at == '\\')
            (void)fprintf(w->out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            (void)fprintf(w->out, "\\u%04x", *at);
        else
            (void)fwrite(at, 1, length, w->out);
        at += length ? length : 1;
    }
    (void)fputc('"', w->out);
}

/* {"name": ..., "ph": ..., "pid": ..., "tid": ... and the time in microseconds */
static void begin_event(writer *w, const char *name, char phase, int process, unsigned track,
                        double seconds)
{
    (void)fputs(w->events++ ? ",\n{\"name\": " : "\n{\"name\": ", w->out);
    quote(w, name);
    (void)fprintf(w->out, ", \"ph\": \"%c\", \"pid\": %d, \"tid\": %u, \"ts\": %.3f", phase,
                  process, track, 1e6 * seconds);
}

static void metadata(writer *w, const char *what, int process, unsigned track, const char *name)
{
    begin_event(w, what, 'M', process, track, 0);
    (void)fputs(", \"args\": {\"name\": ", w->out);
    quote(w, name);
    (void)fputs("}}", w->out);
}

/* ---- names of processes and tracks ----------------------------------------------------------- */

static void name_device(writer *w, int device)
{
    char name[NAME_MAX_BYTES] = "", text[NAME_MAX_BYTES + 32];
    hd__error_mute(1);
    (void)hd_device_name(device, name, sizeof name);
    hd__error_mute(0);
    (void)snprintf(text, sizeof text, "device %d: %s", device, name);
    metadata(w, "process_name", FIRST_DEVICE + device, 0, text);
}

/* Names the track if span i is the first on it. A bit of `seen` represents a stream or thread. */
static void name_track(writer *w, int process, unsigned track, const char *kind,
                       unsigned char *seen, unsigned most)
{
    char text[48];
    if (track >= most || seen[track])
        return;
    seen[track] = 1;
    (void)snprintf(text, sizeof text, "%s %u", kind, track);
    metadata(w, "thread_name", process, track, text);
}

static void name_all(writer *w, const hd__trace_file *file)
{
    unsigned char devices[DEVICES_MAX] = {0}, *streams, *threads;
    unsigned max_streams = 1, max_threads = 1;
    for (size_t i = 0; i < file->count; i++) {
        const hd_trace_span *s = span_at(file, i);
        max_streams = s->stream >= max_streams ? s->stream + 1 : max_streams;
        max_threads = s->thread >= max_threads ? s->thread + 1 : max_threads;
    }
    streams = calloc(max_streams, 1);
    threads = calloc(max_threads, 1);
    metadata(w, "process_name", HOST, 0, "host");
    for (size_t i = 0; i < file->count && streams && threads; i++) {
        const hd_trace_span *s = span_at(file, i);
        name_track(w, HOST, s->thread, "thread", threads, max_threads);
        if (s->stream)
            name_track(w, FIRST_DEVICE + s->device, s->stream, "stream", streams, max_streams);
        if (s->device >= 0 && s->device < DEVICES_MAX && !devices[s->device]) {
            devices[s->device] = 1;
            name_device(w, s->device);
        }
    }
    free(streams);
    free(threads);
}

/* ---- spans ----------------------------------------------------------------------------------- */

static needs ask(const hd_trace_span *s, unsigned threads)
{
    needs n = {.kernel = s->kernel,
               .device = s->device,
               .threads = threads,
               .shared_bytes = s->shared_bytes};

    hd__error_mute(1);
    if (hd_kernel_get(s->kernel, s->device, &n.attributes) >= 0)
        (void)hd_occupancy(s->kernel, s->device, threads, s->shared_bytes, &n.resident);
    hd__error_mute(0);
    return n;
}

/* Registers, local memory and resident blocks are written if the backend has registers. */
static void write_needs(writer *w, const hd_trace_span *s)
{
    needs *n = &w->kernels[(uintptr_t)s->kernel / sizeof(hd_kernel) % KERNELS];
    const unsigned threads = s->block.x * s->block.y * s->block.z;

    if (n->kernel != s->kernel || n->device != s->device || n->threads != threads ||
        n->shared_bytes != s->shared_bytes)
        *n = ask(s, threads);
    (void)fprintf(w->out, ", \"static_shared_bytes\": %zu", n->attributes.shared_bytes);
    if (n->attributes.registers)
        (void)fprintf(w->out, ", \"registers\": %u, \"local_bytes\": %zu, \"resident_blocks\": %u",
                      n->attributes.registers, n->attributes.local_bytes, n->resident);
}

static void arguments(writer *w, const hd_trace_span *s)
{
    (void)fputs(", \"args\": {\"call\": ", w->out);
    quote(w, s->call);
    if (s->bytes)
        (void)fprintf(w->out, ", \"bytes\": %zu", s->bytes);
    if (s->bytes && s->end > s->begin)
        (void)fprintf(w->out, ", \"GB/s\": %.3f", 1e-9 * (double)s->bytes / (s->end - s->begin));
    if (s->kind == HD_TRACE_KERNEL)
        (void)fprintf(w->out,
                      ", \"grid\": \"%u x %u x %u\", \"block\": \"%u x %u x %u\", "
                      "\"shared_bytes\": %zu",
                      s->grid.x, s->grid.y, s->grid.z, s->block.x, s->block.y, s->block.z,
                      s->shared_bytes);
    if (s->kernel)
        write_needs(w, s);
    if (s->status < 0) {
        (void)fputs(", \"status\": ", w->out);
        quote(w, hd_status_name(s->status));
    }
    (void)fprintf(w->out, "%s}}",
                  s->stream && s->status >= 0 && s->begin > s->end ? ", \"unfinished\": true" : "");
}

static void complete(writer *w, const hd_trace_span *s, const char *name, int process,
                     unsigned track, double begin, double end)
{
    begin_event(w, name, 'X', process, track, begin);
    (void)fprintf(w->out, ", \"dur\": %.3f, \"cat\": ", 1e6 * (end - begin));
    quote(w, process == HOST && s->stream ? "call" : hd_trace_kind_name(s->kind));
    arguments(w, s);
}

/* An arrow from the call to the operation. */
static void arrow(writer *w, const hd_trace_span *s, size_t id)
{
    begin_event(w, "asked", 's', HOST, s->thread, s->asked);
    (void)fprintf(w->out, ", \"cat\": \"asked\", \"id\": %zu}", id);
    begin_event(w, "asked", 'f', FIRST_DEVICE + s->device, s->stream, s->begin);
    (void)fprintf(w->out, ", \"cat\": \"asked\", \"id\": %zu, \"bp\": \"e\"}", id);
}

static void write_span(writer *w, const hd_trace_span *s, size_t id)
{
    if (s->kind == HD_TRACE_MARK) {
        begin_event(w, s->name, 'i', HOST, s->thread, s->asked);
        (void)fputs(", \"s\": \"t\"}", w->out);
        return;
    }
    complete(w, s, s->stream ? s->call : s->name, HOST, s->thread, s->asked, s->left);
    if (!s->stream || s->begin > s->end)
        return;
    complete(w, s, s->name, FIRST_DEVICE + s->device, s->stream, s->begin, s->end);
    arrow(w, s, id);
}

static void write_dropped(writer *w, const hd__trace_file *file)
{
    char text[96];
    const hd_trace_span *last = span_at(file, file->count - 1);
    (void)snprintf(text, sizeof text, "full: %zu operations after this were not recorded",
                   file->dropped);
    begin_event(w, text, 'i', HOST, last->thread, last->left);
    (void)fputs(", \"s\": \"g\"}", w->out);
}

static int write_all(FILE *stream, void *state)
{
    const hd__trace_file *file = state;
    writer w = {.out = stream};
    (void)fprintf(w.out,
                  "{\"displayTimeUnit\": \"ms\",\n\"otherData\": {\"program\": \"heddle %s\", "
                  "\"backend\": \"%s\", \"spans\": %zu, \"dropped\": %zu},\n\"traceEvents\": [",
                  hd_version(), hd_backend_name(), file->count, file->dropped);
    if (file->count)
        name_all(&w, file);
    for (size_t i = 0; i < file->count; i++)
        write_span(&w, span_at(file, i), i + 1);
    if (file->dropped && file->count)
        write_dropped(&w, file);
    (void)fputs("\n]}\n", w.out);
    return ferror(w.out) ? -1 : 0;
}

int hd__trace_json(const char *path, const hd__trace_file *file)
{
    hd__trace_file written = *file;
    return hd__replace_file(path, write_all, &written);
}
