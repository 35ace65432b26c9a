/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot.c - draws the rows of an experiment:
 *
 *      title
 *      legend of the series
 *   +------------------------------+
 *   |  _            .              |  bar: predicted, dot: counted
 *   | | |   _      | |             |
 *   +------------------------------+
 *   |  =            =              |  bar: the model's band, dot: measured, dash: published
 *   |       =                      |
 *   +------------------------------+
 *      labels of the rows
 *
 * A panel without values is left out. A dot without a bar has the colour of its series.
 */
#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/draw/svg.h"

enum { LEFT = 84, RIGHT = 30, TOP = 84, PANEL = 230, GAP = 46, WIDTH_MIN = 720 };
enum { BAR = 9, SLOT_GAP = 10, SERIES_MAX = 6, LABELS_LEVEL = 8, LETTER = 7 };

static const char *const dark[] = {"#2a6f97", "#c06020", "#3f7f3f",
                                   "#7a4f8f", "#8a6d1f", "#a03048"};
static const char *const pale[] = {"#bcd5e3", "#edd2be", "#c6dec6",
                                   "#dccfe4", "#e6dcb8", "#e9c4cc"};
static const char text_colour[] = "#404040", dot_colour[] = "#111111";

/* ---- points ---------------------------------------------------------------------------------- */

lab_point lab_point_at(const char *label, const char *series)
{
    lab_point p = {.predicted = LAB_NONE,
                   .counted = LAB_NONE,
                   .measured = LAB_NONE,
                   .least = LAB_NONE,
                   .most = LAB_NONE,
                   .reference = LAB_NONE};

    (void)snprintf(p.label, sizeof p.label, "%s", label);
    (void)snprintf(p.series, sizeof p.series, "%s", series);
    return p;
}

void lab_point_time(lab_point *point, double measured, double least, double most)
{
    point->measured = measured;
    point->least = least;
    point->most = most;
}

void lab_plot_add(lab_plot *plot, const lab_point *point)
{
    if (!plot->path || !point->label[0])
        return;
    if (plot->count == plot->room) {
        const size_t room = plot->room ? 2 * plot->room : 64;
        lab_point *bigger = realloc(plot->points, room * sizeof *bigger);

        if (!bigger) {
            plot->lost = true;
            return;
        }
        plot->points = bigger;
        plot->room = room;
    }
    plot->points[plot->count++] = *point;
}

void lab_plot_free(lab_plot *plot)
{
    free(plot->points);
    plot->points = NULL;
    plot->count = plot->room = 0;
}

/* ---- the place of a point -------------------------------------------------------------------- */

typedef struct places {
    const lab_plot *plot;
    size_t *label;  /* of each point: the index of its label in the order of their first points */
    size_t *series; /* of its series */
    size_t labels, serieses;
    double slot; /* pixels per label */
} places;

static size_t find_place(const lab_plot *plot, size_t point, bool series, size_t *place,
                         size_t *count)
{
    const lab_point *p = plot->points;

    for (size_t i = 0; i < point; i++)
        if (strcmp(series ? p[i].series : p[i].label, series ? p[point].series : p[point].label) ==
            0)
            return place[i];
    return (*count)++;
}

static bool find_places(const lab_plot *plot, places *at)
{
    *at = (places){.plot = plot};
    at->label = calloc(plot->count + 1, sizeof *at->label);
    at->series = calloc(plot->count + 1, sizeof *at->series);
    if (!at->label || !at->series)
        return false;
    for (size_t i = 0; i < plot->count; i++) {
        at->label[i] = find_place(plot, i, false, at->label, &at->labels);
        at->series[i] = find_place(plot, i, true, at->series, &at->serieses);
    }
    at->slot = (double)at->serieses * BAR + SLOT_GAP;
    if (at->slot * (double)at->labels < WIDTH_MIN - LEFT - RIGHT)
        at->slot = (double)(WIDTH_MIN - LEFT - RIGHT) / (double)(at->labels ? at->labels : 1);
    return true;
}

static double width_of(const places *at)
{
    return LEFT + RIGHT + at->slot * (double)at->labels;
}

/* The middle of a point's bar. */
static double across_of(const places *at, size_t point)
{
    const double middle = LEFT + at->slot * ((double)at->label[point] + 0.5);

    return middle + BAR * ((double)at->series[point] - ((double)at->serieses - 1) / 2);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* The values of a point in one of the panels: low and high end of the bar, dot, dash. */
typedef struct values {
    double low, high, dot, dash;
} values;

static values values_of(const lab_point *p, bool times)
{
    if (times)
        return (values){p->least, p->most, p->measured, p->reference};
    return (values){0, p->predicted, p->counted, LAB_NONE};
}

static void extend(double value, double *least, double *most)
{
    if (value <= 0)
        return;
    *least = *most > 0 ? fmin(*least, value) : value;
    *most = fmax(*most, value);
}

/* The vertical axis; false if there is nothing to draw. Ranges above a factor of 16 are
   logarithmic. */
static bool axis_of(const lab_plot *plot, bool times, double top, hd__svg_axis *axis)
{
    double least = 0, most = 0;

    for (size_t i = 0; i < plot->count; i++) {
        const values v = values_of(&plot->points[i], times);

        extend(v.low, &least, &most);
        extend(v.high, &least, &most);
        extend(v.dot, &least, &most);
        extend(v.dash, &least, &most);
    }
    *axis = (hd__svg_axis){.low = 0, .high = 1.08 * most, .begin = top + PANEL, .end = top};
    if (most > 16 * least) {
        axis->log2 = 1;
        axis->low = exp2(floor(log2(least)) - 1);
        axis->high = exp2(ceil(log2(1.02 * most)));
    }
    return most > 0;
}

static double at_least(const hd__svg_axis *axis, double value)
{
    return hd__svg_at(axis, value > axis->low ? value : axis->low);
}

static void draw_point(hd__svg *svg, const places *at, size_t point, bool times,
                       const hd__svg_axis *axis)
{
    const lab_point *p = &at->plot->points[point];
    const values v = values_of(p, times);
    const size_t colour = at->series[point] % SERIES_MAX;
    const double x = across_of(at, point), half = BAR / 2.0 - 0.5;
    char about[128];

    (void)snprintf(about, sizeof about, "%s%s%s", p->label, p->series[0] ? ", " : "", p->series);
    if (v.high > 0) {
        const double high = at_least(axis, v.high), low = at_least(axis, v.low);

        hd__svg_rect(svg, x - half, high, 2 * half, low - high, pale[colour], about);
        hd__svg_line(svg, x - half, high, x + half, high, dark[colour], 2);
        if (v.low > 0)
            hd__svg_line(svg, x - half, low, x + half, low, dark[colour], 2);
    }
    if (v.dash > 0)
        hd__svg_line(svg, x - half - 2, at_least(axis, v.dash), x + half + 2,
                     at_least(axis, v.dash), dot_colour, 1);
    if (v.dot > 0)
        hd__svg_dot(svg, x, at_least(axis, v.dot), 2.5, v.high > 0 ? dot_colour : dark[colour],
                    about);
}

/* Says what the marks of a panel are, of which only those that occur are named. */
static void draw_caption(hd__svg *svg, const lab_plot *plot, bool times, double bottom)
{
    char text[160], dot[64];
    bool bars = false, dots = false, dashes = false;

    for (size_t i = 0; i < plot->count; i++) {
        const values v = values_of(&plot->points[i], times);

        bars |= v.high > 0;
        dots |= v.dot > 0;
        dashes |= v.dash > 0;
    }
    (void)snprintf(dot, sizeof dot, "dot: %s",
                   times           ? "measured"
                   : plot->counted ? plot->counted
                                   : "counted");
    (void)snprintf(text, sizeof text, "%s%s%s%s%s",
                   !bars   ? ""
                   : times ? "bar: from the least to the greatest value that the model allows"
                           : "bar: predicted",
                   bars && dots ? "; " : "", dots ? dot : "", (bars || dots) && dashes ? "; " : "",
                   dashes ? "dash: published" : "");
    hd__svg_text(svg, LEFT, bottom, 11, HD__SVG_START, text_colour, text);
}

static void draw_panel(hd__svg *svg, const places *at, bool times, const hd__svg_axis *axis,
                       const lab_axes *axes)
{
    const hd__svg_axis across = {.begin = LEFT, .end = width_of(at) - RIGHT};

    hd__svg_axis_y(svg, axis, &across, times ? axes->times : axes->counts);
    hd__svg_line(svg, across.begin, axis->begin, across.end, axis->begin, text_colour, 1);
    for (size_t i = 0; i < at->plot->count; i++)
        draw_point(svg, at, i, times, axis);
    draw_caption(svg, at->plot, times, axis->end - 8);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static size_t longest_label(const lab_plot *plot)
{
    size_t longest = 0;

    for (size_t i = 0; i < plot->count; i++)
        if (strlen(plot->points[i].label) > longest)
            longest = strlen(plot->points[i].label);
    return longest;
}

/* Labels of the rows below the last panel, one per slot; turned if they are many. */
static void draw_labels(hd__svg *svg, const places *at, double top, const char *across)
{
    const bool turned = at->labels > LABELS_LEVEL;
    const double below = turned ? LETTER * (double)longest_label(at->plot) + 10 : 18;
    size_t drawn = 0;

    for (size_t i = 0; i < at->plot->count; i++) {
        const double x = LEFT + at->slot * ((double)at->label[i] + 0.5);

        if (at->label[i] < drawn)
            continue;
        drawn++;
        if (turned)
            hd__svg_text_up(svg, x + 4, top + 8, 11, HD__SVG_END, text_colour,
                            at->plot->points[i].label);
        else
            hd__svg_text(svg, x, top + 16, 11, HD__SVG_MIDDLE, text_colour,
                         at->plot->points[i].label);
    }
    hd__svg_text(svg, (LEFT + width_of(at) - RIGHT) / 2, top + below + 14, 12, HD__SVG_MIDDLE,
                 text_colour, across);
}

static void draw_legend(hd__svg *svg, const places *at)
{
    double x = LEFT;
    size_t drawn = 0;

    for (size_t i = 0; i < at->plot->count; i++)
        if (at->series[i] >= drawn && at->plot->points[i].series[0]) {
            x = hd__svg_legend(svg, x, 52, dark[at->series[i] % SERIES_MAX],
                               at->plot->points[i].series);
            drawn = at->series[i] + 1;
        }
}

static void draw(hd__svg *svg, const places *at, const char *title, const lab_axes *axes)
{
    const lab_plot *plot = at->plot;
    hd__svg_axis counts, times;
    const bool counted = axis_of(plot, false, TOP, &counts);
    const bool timed = axis_of(plot, true, TOP + (counted ? PANEL + GAP : 0), &times);
    const double bottom = TOP + (counted ? PANEL : 0) + (timed ? PANEL : 0) +
                          (counted && timed ? GAP : 0);
    const double labels = at->labels > LABELS_LEVEL ? LETTER * (double)longest_label(plot) + 10
                                                    : 18;

    hd__svg_open(svg, width_of(at), bottom + labels + 28);
    hd__svg_title(svg, LEFT, 28, title);
    draw_legend(svg, at);
    if (counted)
        draw_panel(svg, at, false, &counts, axes);
    if (timed)
        draw_panel(svg, at, true, &times, axes);
    draw_labels(svg, at, bottom, axes->across);
}

int lab_plot_write(const lab_plot *plot, const cli_command *command, const char *title,
                   const lab_axes *axes)
{
    char message[HD__IO_MESSAGE];
    int status = CLI_DONE;
    hd__svg svg;
    places at;

    if (!plot->path)
        return CLI_DONE;
    if (plot->lost || !find_places(plot, &at)) {
        status = cli_failed(command, "no memory for the picture");
    } else {
        draw(&svg, &at, title, axes);
        if (hd__svg_close(&svg, plot->path, message) < 0)
            status = cli_failed(command, "%s", message);
    }
    if (!plot->lost) {
        free(at.label);
        free(at.series);
    }
    return status;
}
