/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_draw.c - a timeline as SVG. Spans narrower than a pixel are drawn together, so that the
   picture of a long trace stays small. */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/draw/svg.h"
#include "cli/app/output.h"

enum { LANES = 8, ROWS_MAX = 160, LABEL = 64 };
static const double width = 1160, left = 150, right = 80, top = 64, lane_height = 18, gap = 7;
static const double text_size = 11, narrow = 0.5, letter = 6.2;
static const char dark[] = "#303030", faint[] = "#f2f2f2";

typedef struct row {
    char label[LABEL];
    int device;
    cli_engine engine; /* CLI_NONE: of a stream or a thread */
    unsigned stream, thread;
    unsigned lanes;
    double y, busy;
} row;

/* A rectangle that may still grow: what follows is too narrow to be seen alone. */
typedef struct pending {
    double begin, end;
    const hd_trace_span *span;
    size_t count;
} pending;

typedef struct picture {
    const cli_timeline *timeline;
    hd__svg svg;
    hd__svg_axis axis;
    row rows[ROWS_MAX];
    size_t row_count;
    double first, last; /* seconds */
} picture;

static const char *colour_of(hd_trace_kind kind)
{
    static const char *const colours[HD_TRACE_KINDS_] = {
        "#4878a8", "#e08030", "#80b0a0", "#9070b0", "#b0b0b0", "#a0a860", "#58a058",
        "#308048", "#c0609c", "#e8d8b0", "#c8c8c8", "#d0b8e8", "#000000"};

    return colours[kind];
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int is_host(const hd_trace_span *s)
{
    return s->kind == HD_TRACE_RANGE || (s->kind == HD_TRACE_CALL && strstr(s->name, "sync")) ||
           (s->kind == HD_TRACE_CALL && strstr(s->name, "wait"));
}

static int belongs(const row *r, const hd_trace_span *s)
{
    if (r->engine != CLI_NONE)
        return s->stream && s->device == r->device && cli_engine_of(s->kind) == r->engine;
    if (r->stream)
        return s->stream == r->stream;
    return !s->stream && s->thread == r->thread && is_host(s);
}

static row *add_row(picture *p, int device, cli_engine engine, unsigned stream, unsigned thread)
{
    row *r = &p->rows[p->row_count];

    if (p->row_count == ROWS_MAX)
        return NULL;
    p->row_count++;
    memset(r, 0, sizeof *r);
    r->device = device;
    r->engine = engine;
    r->stream = stream;
    r->thread = thread;
    r->lanes = 1;
    if (engine != CLI_NONE)
        snprintf(r->label, sizeof r->label, "device %d: %s", device, cli_engine_name(engine));
    else if (stream)
        snprintf(r->label, sizeof r->label, "stream %u", stream);
    else
        snprintf(r->label, sizeof r->label, "host thread %u", thread);
    return r;
}

static int have_row(const picture *p, int device, unsigned stream, unsigned thread)
{
    for (size_t i = 0; i < p->row_count; i++)
        if (p->rows[i].device == device && p->rows[i].stream == stream &&
            p->rows[i].thread == thread)
            return 1;
    return 0;
}

/* Engines as they were found, then streams, then threads, by number. */
static int by_number(const void *a, const void *b)
{
    const row *x = a, *y = b;

    if ((x->engine == CLI_NONE) != (y->engine == CLI_NONE))
        return x->engine == CLI_NONE ? 1 : -1;
    if (x->engine != CLI_NONE)
        return x->device != y->device ? x->device - y->device : (int)x->engine - (int)y->engine;
    if ((x->stream == 0) != (y->stream == 0))
        return x->stream == 0 ? 1 : -1;
    return x->stream != y->stream ? (x->stream > y->stream) - (x->stream < y->stream)
                                  : (x->thread > y->thread) - (x->thread < y->thread);
}

static void find_rows(picture *p)
{
    const cli_timeline *t = p->timeline;

    for (size_t i = 0; i < t->count; i++)
        if (t->spans[i].stream && !have_row(p, t->spans[i].device, 0, 0))
            for (int e = 0; e < CLI_ENGINES; e++)
                add_row(p, t->spans[i].device, (cli_engine)e, 0, 0);
    for (size_t i = 0; i < t->count && t->streams; i++)
        if (t->spans[i].stream && !have_row(p, -1, t->spans[i].stream, 0))
            add_row(p, -1, CLI_NONE, t->spans[i].stream, 0);
    for (size_t i = 0; i < t->count && t->streams; i++)
        if (is_host(&t->spans[i]) && !have_row(p, -1, 0, t->spans[i].thread))
            add_row(p, -1, CLI_NONE, 0, t->spans[i].thread);
    qsort(p->rows, p->row_count, sizeof p->rows[0], by_number);
}

/* ---- spans of a row -------------------------------------------------------------------------- */

static void times_of(const row *r, const hd_trace_span *s, double engine_free, double *begin,
                     double *end)
{
    *begin = s->stream ? s->begin : s->asked;
    *end = s->stream ? s->end : s->left;
    /* A copy waits for its engine; its stream had come to it before. */
    if ((r->engine == CLI_COPY_IN || r->engine == CLI_COPY_OUT) && *begin < engine_free)
        *begin = engine_free < *end ? engine_free : *end;
}

static size_t lane_for(double free_at[LANES], double begin)
{
    size_t best = 0;

    for (size_t i = 0; i < LANES; i++) {
        if (free_at[i] <= begin + 1e-9)
            return i;
        if (free_at[i] < free_at[best])
            best = i;
    }
    return best;
}

static void about_text(const pending *rect, double scale, const char *unit, char text[256])
{
    const hd_trace_span *s = rect->span;
    char bytes[CLI_NUMBER], more[64] = "", time[CLI_NUMBER];

    cli_text_bytes((double)s->bytes, bytes);
    cli_text_seconds(rect->end - rect->begin, time);
    if (strcmp(unit, "time / ms") != 0)
        snprintf(time, sizeof time, "%g", (rect->end - rect->begin) * scale);
    if (s->kind == HD_TRACE_KERNEL && s->grid.x)
        snprintf(more, sizeof more, ", %ux%ux%u blocks of %u threads", s->grid.x, s->grid.y,
                 s->grid.z, s->block.x * s->block.y * s->block.z);
    else if (s->bytes)
        snprintf(more, sizeof more, ", %s", bytes);
    if (rect->count > 1)
        snprintf(text, 256, "%zu operations, the first: %s, %s", rect->count, s->name, time);
    else
        snprintf(text, 256, "%s, stream %u, %s from %g%s", s->name, s->stream, time,
                 rect->begin * scale, more);
}

static void flush_rect(picture *p, double y, pending *rect)
{
    double x0, x1;
    char about[256];

    if (!rect->count)
        return;
    x0 = hd__svg_at(&p->axis, (rect->begin - p->first) * p->timeline->scale);
    x1 = hd__svg_at(&p->axis, (rect->end - p->first) * p->timeline->scale);
    about_text(rect, p->timeline->scale, p->timeline->unit, about);
    hd__svg_rect(&p->svg, x0, y, x1 - x0 > narrow ? x1 - x0 : narrow, lane_height - 2,
                 colour_of(rect->span->kind), about);
    if (rect->count == 1 && x1 - x0 > letter * (double)strlen(rect->span->name) + 4)
        hd__svg_text(&p->svg, (x0 + x1) / 2, y + lane_height - 6, text_size, HD__SVG_MIDDLE,
                     "#ffffff", rect->span->name);
    rect->count = 0;
}

static void put_rect(picture *p, double y, pending *rect, const hd_trace_span *s, double begin,
                     double end)
{
    double pixel = (p->last - p->first) / (p->axis.end - p->axis.begin);

    if (rect->count && begin - rect->end < narrow * pixel && end - begin < narrow * pixel &&
        s->kind == rect->span->kind) {
        rect->end = end > rect->end ? end : rect->end;
        rect->count++;
        return;
    }
    flush_rect(p, y, rect);
    rect->begin = begin;
    rect->end = end;
    rect->span = s;
    rect->count = 1;
}

/* Finds how many lanes a row needs, or draws it. */
static void walk_row(picture *p, row *r, int drawing)
{
    double free_at[LANES], engine_free = -1e300, begin, end;
    pending rects[LANES] = {{0, 0, NULL, 0}};
    const cli_timeline *t = p->timeline;

    for (size_t lane = 0; lane < LANES; lane++)
        free_at[lane] = -1e300;
    for (size_t i = 0; i < t->count; i++) {
        size_t lane;

        if (!belongs(r, &t->spans[i]))
            continue;
        times_of(r, &t->spans[i], engine_free, &begin, &end);
        engine_free = end > engine_free ? end : engine_free;
        lane = lane_for(free_at, begin);
        free_at[lane] = end;
        r->lanes = lane + 1 > r->lanes ? (unsigned)lane + 1 : r->lanes;
        if (drawing)
            put_rect(p, r->y + (double)lane * lane_height, &rects[lane], &t->spans[i], begin, end);
    }
    for (size_t lane = 0; lane < LANES && drawing; lane++)
        flush_rect(p, r->y + (double)lane * lane_height, &rects[lane]);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static void draw_row(picture *p, row *r)
{
    double height = r->lanes * lane_height, busy, whole = p->last - p->first;
    char text[32];

    hd__svg_text(&p->svg, left - 8, r->y + height / 2 + 3, text_size, HD__SVG_END, dark, r->label);
    walk_row(p, r, 1);
    if (r->engine == CLI_NONE || whole <= 0)
        return;
    busy = cli_timeline_busy(p->timeline->spans, p->timeline->count, r->device, r->engine);
    snprintf(text, sizeof text, "%.0f %% busy", 100 * busy / whole);
    hd__svg_text(&p->svg, width - right + 8, r->y + height / 2 + 3, text_size, HD__SVG_START, dark,
                 text);
}

static void draw_legend(picture *p)
{
    unsigned seen = 0;
    double x = left;

    for (size_t i = 0; i < p->timeline->count; i++)
        if (p->timeline->spans[i].stream || is_host(&p->timeline->spans[i]))
            seen |= 1u << p->timeline->spans[i].kind;
    for (unsigned kind = 0; kind < HD_TRACE_MARK; kind++) {
        const char *name = kind == HD_TRACE_CALL ? "host waits"
                                                 : hd_trace_kind_name((hd_trace_kind)kind);

        if (!(seen >> kind & 1))
            continue;
        hd__svg_rect(&p->svg, x, 38, 12, 12, colour_of((hd_trace_kind)kind), NULL);
        hd__svg_text(&p->svg, x + 16, 48, text_size, HD__SVG_START, dark, name);
        x += 30 + letter * (double)strlen(name);
    }
}

/* From the first beginning to the last end of what is drawn. */
static void find_ends(picture *p)
{
    p->first = 1e300;
    p->last = -1e300;
    for (size_t i = 0; i < p->timeline->count; i++) {
        const hd_trace_span *s = &p->timeline->spans[i];

        if (!s->stream && !is_host(s))
            continue;
        p->first = fmin(p->first, s->stream ? s->begin : s->asked);
        p->last = fmax(p->last, s->stream ? s->end : s->left);
    }
    if (p->last < p->first)
        p->first = p->last = 0;
}

int cli_timeline_draw(const cli_timeline *timeline, const char *path, char *message)
{
    picture *p = calloc(1, sizeof *p);
    double y = top;
    int status;

    if (!p) {
        snprintf(message, HD__IO_MESSAGE, "no memory for the picture");
        return -1;
    }
    p->timeline = timeline;
    find_rows(p);
    find_ends(p);
    for (size_t i = 0; i < p->row_count; i++) {
        if (i > 0 && p->rows[i].engine == CLI_NONE && p->rows[i - 1].engine != CLI_NONE)
            y += 2 * gap;
        p->rows[i].y = y;
        walk_row(p, &p->rows[i], 0);
        y += p->rows[i].lanes * lane_height + gap;
    }
    p->axis = (hd__svg_axis){0, (p->last - p->first) * timeline->scale, left, width - right, 0};
    hd__svg_open(&p->svg, width, y + 48);
    hd__svg_text(&p->svg, left, 24, 15, HD__SVG_START, dark, timeline->title);
    draw_legend(p);
    for (size_t i = 0; i < p->row_count; i++)
        hd__svg_rect(&p->svg, left, p->rows[i].y - 1, width - left - right,
                     p->rows[i].lanes * lane_height, faint, NULL);
    hd__svg_axis_x(&p->svg, &p->axis, &(hd__svg_axis){0, 1, y, top - 4, 0}, timeline->unit);
    for (size_t i = 0; i < p->row_count; i++)
        draw_row(p, &p->rows[i]);
    status = hd__svg_close(&p->svg, path, message);
    free(p);
    return status < 0 ? -1 : 0;
}
