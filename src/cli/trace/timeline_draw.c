/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_draw.c - draws a timeline as SVG, zoomed to the busiest part of the trace. Kernels are
   coloured by name, other operations by kind. Spans narrower than a pixel are merged, which keeps
   the picture of a long trace small. */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/draw/svg.h"
#include "cli/app/output.h"
#include "window.h"

enum { LANES = 8, ROWS_MAX = 160, LABEL = 64, NAMES = 8 };
static const double width = 1160, left = 150, right = 80, top = 52, lane_height = 18, gap = 7;
static const double legend_step = 20;
static const double text_size = 11, narrow = 0.5, letter = 6.2;
static const char dark[] = "#303030", faint[] = "#f2f2f2";

typedef struct row {
    char label[LABEL];
    int device;
    cli_engine engine; /* CLI_NONE: a stream or a thread */
    unsigned stream, thread;
    unsigned lanes;
    double y, busy;
} row;

/* A rectangle that is still open: spans too narrow to be visible are merged into it. */
typedef struct pending {
    double begin, end;
    const hd_trace_span *span;
    size_t count;
} pending;

/* Kernels with the same name. */
typedef struct kernel_name {
    const char *name;
    double seconds;
} kernel_name;

typedef struct picture {
    const cli_timeline *timeline;
    hd__svg svg;
    hd__svg_axis axis;
    row rows[ROWS_MAX];
    size_t row_count;
    kernel_name names[NAMES]; /* those with their own colour, longest total first */
    size_t name_count, names_left;
    cli_window window; /* seconds */
} picture;

static const char *const name_colours[NAMES] = {"#2e7d32", "#c2410c", "#7c3aed", "#be185d",
                                                "#0e7490", "#8a6d1d", "#475569", "#65a30d"};
static const char other_kernels[] = "#9db39d";

static const char *colour_of_kind(hd_trace_kind kind)
{
    static const char *const colours[HD_TRACE_KINDS_] = {
        "#4878a8", "#e0a060", "#80b0a0", "#9c90c0", "#b0b0b0", "#b8b890", other_kernels,
        "#308048", "#c890b0", "#e8d8b0", "#c8c8c8", "#d8c8e8", "#000000"};

    return colours[kind];
}

static const char *colour_of(const picture *p, const hd_trace_span *s)
{
    for (size_t i = 0; i < p->name_count && s->kind == HD_TRACE_KERNEL; i++)
        if (strcmp(p->names[i].name, s->name) == 0)
            return name_colours[i];
    return colour_of_kind(s->kind);
}

static int is_host(const hd_trace_span *s)
{
    return s->kind == HD_TRACE_RANGE || (s->kind == HD_TRACE_CALL && strstr(s->name, "sync")) ||
           (s->kind == HD_TRACE_CALL && strstr(s->name, "wait"));
}

/* Whether a row can show the span. */
static int is_drawn(const hd_trace_span *s)
{
    return s->stream || is_host(s);
}

static double begin_of(const hd_trace_span *s)
{
    return s->stream ? s->begin : s->asked;
}

static double end_of(const hd_trace_span *s)
{
    return s->stream ? s->end : s->left;
}

static int in_window(const picture *p, const hd_trace_span *s)
{
    return end_of(s) >= p->window.begin && begin_of(s) <= p->window.end;
}

/* ---- names of kernels ------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const kernel_name *)a)->name, ((const kernel_name *)b)->name);
}

static int longest_first(const void *a, const void *b)
{
    const double x = ((const kernel_name *)a)->seconds, y = ((const kernel_name *)b)->seconds;

    return (x < y) - (x > y);
}

/* The kernels that take the most time in the window. 0, or -1 without memory. */
static int find_names(picture *p)
{
    const cli_timeline *t = p->timeline;
    kernel_name *all = malloc((t->count + 1) * sizeof *all);
    size_t count = 0, kept = 0;

    if (!all)
        return -1;
    for (size_t i = 0; i < t->count; i++)
        if (t->spans[i].kind == HD_TRACE_KERNEL && in_window(p, &t->spans[i]))
            all[count++] = (kernel_name){t->spans[i].name, t->spans[i].end - t->spans[i].begin};
    qsort(all, count, sizeof *all, by_name);
    for (size_t i = 0; i < count; i++)
        if (kept && strcmp(all[kept - 1].name, all[i].name) == 0)
            all[kept - 1].seconds += all[i].seconds;
        else
            all[kept++] = all[i];
    qsort(all, kept, sizeof *all, longest_first);
    p->name_count = kept < NAMES ? kept : NAMES;
    p->names_left = kept - p->name_count;
    memcpy(p->names, all, p->name_count * sizeof *all);
    free(all);
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

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

/* Engines in order of appearance, then streams, then threads, by number. */
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

    for (size_t i = 0; i < t->count; i++) {
        const hd_trace_span *s = &t->spans[i];

        if (!in_window(p, s))
            continue;
        if (s->stream && !have_row(p, s->device, 0, 0))
            for (int e = 0; e < CLI_ENGINES; e++)
                add_row(p, s->device, (cli_engine)e, 0, 0);
        if (t->streams && s->stream && !have_row(p, -1, s->stream, 0))
            add_row(p, -1, CLI_NONE, s->stream, 0);
        if (t->streams && !s->stream && is_host(s) && !have_row(p, -1, 0, s->thread))
            add_row(p, -1, CLI_NONE, 0, s->thread);
    }
    qsort(p->rows, p->row_count, sizeof p->rows[0], by_number);
}

/* ---- spans of a row -------------------------------------------------------------------------- */

static void times_of(const row *r, const hd_trace_span *s, double engine_free, double *begin,
                     double *end)
{
    *begin = begin_of(s);
    *end = end_of(s);
    /* its stream reached it earlier, but it waited for the copy engine */
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

/* Time since the trace began, in the axis's unit. */
static double time_of(const picture *p, double seconds)
{
    return seconds * p->timeline->scale;
}

static void flush_rect(picture *p, double y, pending *rect)
{
    double x0, x1;
    char about[256];

    if (!rect->count)
        return;
    x0 = fmax(left, hd__svg_at(&p->axis, time_of(p, rect->begin)));
    x1 = fmin(width - right, hd__svg_at(&p->axis, time_of(p, rect->end)));
    about_text(rect, p->timeline->scale, p->timeline->unit, about);
    hd__svg_rect(&p->svg, x0, y, x1 - x0 > narrow ? x1 - x0 : narrow, lane_height - 2,
                 colour_of(p, rect->span), about);
    if (rect->count == 1 && x1 - x0 > letter * (double)strlen(rect->span->name) + 4)
        hd__svg_text(&p->svg, (x0 + x1) / 2, y + lane_height - 6, text_size, HD__SVG_MIDDLE,
                     "#ffffff", rect->span->name);
    rect->count = 0;
}

static void put_rect(picture *p, double y, pending *rect, const hd_trace_span *s, double begin,
                     double end)
{
    double pixel = (p->window.end - p->window.begin) / (p->axis.end - p->axis.begin);

    if (rect->count && begin - rect->end < narrow * pixel && end - begin < narrow * pixel &&
        colour_of(p, s) == colour_of(p, rect->span)) {
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

/* Counts the lanes that a row needs, or draws it. */
static void walk_row(picture *p, row *r, int drawing)
{
    double free_at[LANES], engine_free = -1e300, begin, end;
    pending rects[LANES] = {{0, 0, NULL, 0}};
    const cli_timeline *t = p->timeline;

    for (size_t lane = 0; lane < LANES; lane++)
        free_at[lane] = -1e300;
    for (size_t i = 0; i < t->count; i++) {
        size_t lane;

        if (!belongs(r, &t->spans[i]) || !in_window(p, &t->spans[i]))
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

/* The fraction of the window in which an engine is busy. */
static double busy_part(const picture *p, const row *r)
{
    const double length = p->window.end - p->window.begin;
    double busy = 0, until = p->window.begin;

    for (size_t i = 0; i < p->timeline->count; i++) {
        const hd_trace_span *s = &p->timeline->spans[i];
        const double end = fmin(s->end, p->window.end);

        if (s->device != r->device || cli_engine_of(s->kind) != r->engine || end <= until)
            continue;
        busy += end - fmin(end, fmax(s->begin, until));
        until = end;
    }
    return length > 0 ? busy / length : 0;
}

static void draw_row(picture *p, row *r)
{
    double height = r->lanes * lane_height;
    char text[32];

    hd__svg_text(&p->svg, left - 8, r->y + height / 2 + 3, text_size, HD__SVG_END, dark, r->label);
    walk_row(p, r, 1);
    if (r->engine == CLI_NONE || p->window.end <= p->window.begin)
        return;
    snprintf(text, sizeof text, "%.0f %% busy", 100 * busy_part(p, r));
    hd__svg_text(&p->svg, width - right + 8, r->y + height / 2 + 3, text_size, HD__SVG_START, dark,
                 text);
}

/* Adds an entry to the legend, on a new line if it does not fit. Without a picture, only computes
   its position. */
static void put_legend(hd__svg *svg, double *x, double *y, const char *colour, const char *text)
{
    if (*x > left && *x + hd__svg_legend_width(text) > width) {
        *x = left;
        *y += legend_step;
    }
    if (svg)
        hd__svg_legend(svg, *x, *y, colour, text);
    *x += hd__svg_legend_width(text);
}

/* Kernels by name, then the other kinds that occur. Returns the position of the next line. */
static double draw_legend(const picture *p, hd__svg *svg, double y)
{
    unsigned seen = 0;
    double x = left;
    char text[48];

    for (size_t i = 0; i < p->timeline->count; i++)
        if (is_drawn(&p->timeline->spans[i]) && in_window(p, &p->timeline->spans[i]))
            seen |= 1u << p->timeline->spans[i].kind;
    for (size_t i = 0; i < p->name_count; i++)
        put_legend(svg, &x, &y, name_colours[i], p->names[i].name);
    if (p->names_left) {
        snprintf(text, sizeof text, "%zu other kernel%s", p->names_left,
                 p->names_left == 1 ? "" : "s");
        put_legend(svg, &x, &y, other_kernels, text);
    }
    for (unsigned kind = 0; kind < HD_TRACE_MARK; kind++)
        if ((seen >> kind & 1) && kind != HD_TRACE_KERNEL)
            put_legend(svg, &x, &y, colour_of_kind((hd_trace_kind)kind),
                       kind == HD_TRACE_CALL ? "host waits"
                                             : hd_trace_kind_name((hd_trace_kind)kind));
    return y + legend_step;
}

/* The part of the trace that is shown. */
static cli_window window_of(const cli_timeline *t)
{
    cli_window w = t->whole ? cli_window_whole(t->spans, t->count, is_drawn)
                            : cli_window_busiest(t->spans, t->count, is_drawn);

    if (t->from > t->to)
        return w;
    w.begin = fmax(t->from, 0);
    w.end = fmin(t->to, cli_window_whole(t->spans, t->count, is_drawn).end);
    w.is_part = 1;
    return w.end > w.begin ? w : (cli_window){0, 0, 1};
}

static void draw_title(picture *p)
{
    const cli_window whole = cli_window_whole(p->timeline->spans, p->timeline->count, is_drawn);
    char part[CLI_NUMBER], all[CLI_NUMBER], text[2 * CLI_NUMBER + 64];

    hd__svg_title(&p->svg, left, 28, p->timeline->title);
    if (!p->window.is_part)
        return;
    cli_text_seconds(p->window.end - p->window.begin, part);
    cli_text_seconds(whole.end - whole.begin, all);
    snprintf(text, sizeof text, "%s of %s shown", part, all);
    hd__svg_text(&p->svg, width - right, 28, text_size, HD__SVG_END, dark, text);
}

/* Stacks the rows. Returns the pixel below the last. */
static double place_rows(picture *p)
{
    double y = top;

    for (size_t i = 0; i < p->row_count; i++) {
        if (i > 0 && p->rows[i].engine == CLI_NONE && p->rows[i - 1].engine != CLI_NONE)
            y += 2 * gap;
        p->rows[i].y = y;
        walk_row(p, &p->rows[i], 0);
        y += p->rows[i].lanes * lane_height + gap;
    }
    return y;
}

int cli_timeline_draw(const cli_timeline *timeline, const char *path, char *message)
{
    picture *p = calloc(1, sizeof *p);
    double y;
    int status;

    if (p) {
        p->timeline = timeline;
        p->window = window_of(timeline);
        if (p->window.end < p->window.begin)
            p->window = (cli_window){0, 0, 0};
    }
    if (!p || find_names(p) != 0) {
        free(p);
        snprintf(message, HD__IO_MESSAGE, "no memory for the picture");
        return -1;
    }
    find_rows(p);
    y = place_rows(p);
    p->axis = (hd__svg_axis){.low = time_of(p, p->window.begin),
                             .high = time_of(p, p->window.end),
                             .begin = left,
                             .end = width - right};
    hd__svg_open(&p->svg, width, draw_legend(p, NULL, y + 64) - 4);
    draw_title(p);
    for (size_t i = 0; i < p->row_count; i++)
        hd__svg_rect(&p->svg, left, p->rows[i].y - 1, width - left - right,
                     p->rows[i].lanes * lane_height, faint, NULL);
    hd__svg_axis_x(&p->svg, &p->axis,
                   &(hd__svg_axis){.low = 0, .high = 1, .begin = y, .end = top - 4},
                   timeline->unit);
    for (size_t i = 0; i < p->row_count; i++)
        draw_row(p, &p->rows[i]);
    (void)draw_legend(p, &p->svg, y + 64);
    status = hd__svg_close(&p->svg, path, message);
    free(p);
    return status < 0 ? -1 : 0;
}
