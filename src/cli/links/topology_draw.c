/* SPDX-License-Identifier: Apache-2.0 */
/* topology_draw.c - devices on a circle, a line per pair: its colour is the link's class, thin
   lines are staged. Below, links with atomics, and why pairs have no peer access. */
#include "topology.h"

#include <math.h>
#include <string.h>

#include "cli/draw/svg.h"

enum { WIDTH = 640, HEIGHT = 560, RADIUS = 180, LEGEND = 520 };
/* The list: its first line, line spacing, text height, left edges of lines and of continuation
   lines; characters per line. */
enum {
    LIST = 568,
    LIST_STEP = 17,
    LIST_SIZE = 11,
    LIST_LEFT = 24,
    LIST_INDENT = 40,
    LIST_LINE = 84
};

/* ---- devices and links ----------------------------------------------------------------------- */

static const char *colour_of(hd_link_class link)
{
    static const char *const colours[HD_LINK_COUNT_] = {
        [HD_LINK_SELF] = "#888888",   [HD_LINK_FABRIC] = "#2a8f5a", [HD_LINK_SWITCH] = "#4878a8",
        [HD_LINK_HOST] = "#c08a2e",   [HD_LINK_SYSTEM] = "#b5483c", [HD_LINK_VIRTUAL] = "#7a5aa6",
        [HD_LINK_UNKNOWN] = "#999999"};
    return colours[link];
}

static void place(const topology *t, unsigned i, double *x, double *y)
{
    const double angle = 2 * 3.14159265358979323846 * i / t->devices.count - 1.5707963267948966;

    *x = WIDTH / 2.0 + RADIUS * cos(angle);
    *y = HEIGHT / 2.0 - 20 + RADIUS * sin(angle);
}

static void draw_pair(hd__svg *svg, const topology *t, unsigned i, unsigned j)
{
    const hd_peer_info *pair = topology_pair(t, i, j);
    const double thick = pair->path == HD_PATH_DIRECT ? 4 : 1.2;
    double x0, y0, x1, y1;

    place(t, i, &x0, &y0);
    place(t, j, &x1, &y1);
    hd__svg_line(svg, x0, y0, x1, y1, colour_of(pair->link), thick);
    if (pair->link_name[0]) /* away from the middle, where lines cross */
        hd__svg_text(svg, x0 + 0.36 * (x1 - x0), y0 + 0.36 * (y1 - y0) - 4, 11, HD__SVG_MIDDLE,
                     "#333333", pair->link_name);
}

static void draw_device(hd__svg *svg, const topology *t, unsigned i)
{
    char number[16], about[256];
    double x, y;

    place(t, i, &x, &y);
    (void)snprintf(number, sizeof number, "%d", t->devices.device[i]);
    (void)snprintf(about, sizeof about, "device %s: %s, %s", number, t->device[i].name,
                   t->device[i].bus_id);
    hd__svg_dot(svg, x, y, 22, "#ffffff", NULL);
    hd__svg_dot(svg, x, y, 20, "#dfe7ee", about);
    hd__svg_text(svg, x, y + 6, 18, HD__SVG_MIDDLE, "#111111", number);
    if (fabs(x - WIDTH / 2.0) < 1) /* at the top or bottom */
        hd__svg_text(svg, x, y < HEIGHT / 2.0 - 21 ? y - 28 : y + 36, 11, HD__SVG_MIDDLE, "#444444",
                     t->device[i].bus_id);
    else /* to the side, away from the lines */
        hd__svg_text(svg, x < WIDTH / 2.0 ? x - 26 : x + 26, y + 4, 11,
                     x < WIDTH / 2.0 ? HD__SVG_END : HD__SVG_START, "#444444", t->device[i].bus_id);
}

/* Only classes that occur. */
static void draw_legend(hd__svg *svg, const topology *t)
{
    unsigned seen = 0;
    double x = 24;

    for (unsigned k = 0; k < t->devices.count * t->devices.count; k++)
        seen |= 1u << t->pairs[k].link;
    for (int link = HD_LINK_SELF + 1; link < HD_LINK_COUNT_; link++) {
        if (!(seen >> link & 1))
            continue;
        hd__svg_line(svg, x, LEGEND, x + 28, LEGEND, colour_of((hd_link_class)link), 4);
        hd__svg_text(svg, x + 34, LEGEND + 4, 12, HD__SVG_START, "#333333",
                     hd_link_name((hd_link_class)link));
        x += 110;
    }
    hd__svg_text(svg, 24, LEGEND + 28, 12, HD__SVG_START, "#333333",
                 "thick: direct, thin: staged through host memory");
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Wraps words into lines. Without a picture, lines are only counted. */
typedef struct listing {
    hd__svg *svg;
    unsigned lines;
    int goes_on; /* continues the previous line */
    char line[LIST_LINE + 1];
} listing;

static void line_end(listing *list)
{
    if (list->svg && list->line[0])
        hd__svg_text(list->svg, list->goes_on ? LIST_INDENT : LIST_LEFT,
                     LIST + (double)LIST_STEP * list->lines, LIST_SIZE, HD__SVG_START, "#333333",
                     list->line);
    list->lines += list->line[0] != '\0';
    list->line[0] = '\0';
}

static void put_word(listing *list, const char *word, size_t length)
{
    const size_t used = strlen(list->line);

    if (used && used + 1 + length > LIST_LINE) {
        line_end(list);
        list->goes_on = 1;
        put_word(list, word, length);
        return;
    }
    (void)snprintf(list->line + used, sizeof list->line - used, "%s%.*s", used ? " " : "",
                   (int)length, word);
}

/* Appends the words of a text. */
static void put_text(listing *list, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, " ");
        put_word(list, text, length);
        text += length + strspn(text + length, " ");
    }
}

static void put_pair(listing *list, const topology *t, unsigned i, unsigned j)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%d-%d", t->devices.device[i], t->devices.device[j]);
    put_text(list, text);
}

static void paragraph_end(listing *list)
{
    line_end(list);
    list->goes_on = 0;
}

static int has_atomics(const topology *t, unsigned i, unsigned j)
{
    return topology_pair(t, i, j)->atomics && topology_pair(t, j, i)->atomics;
}

static void list_atomics(listing *list, const topology *t)
{
    const unsigned count = t->devices.count;
    unsigned pairs = 0, with = 0;

    for (unsigned i = 0; i < count; i++)
        for (unsigned j = i + 1; j < count; j++, pairs++)
            with += has_atomics(t, i, j) != 0;
    if (pairs == 0)
        return;
    put_text(list, "atomics over the link:");
    if (with == 0 || with == pairs)
        put_text(list, with ? "all pairs" : "no pair");
    for (unsigned i = 0; i < count && with < pairs; i++)
        for (unsigned j = i + 1; j < count; j++)
            if (has_atomics(t, i, j))
                put_pair(list, t, i, j);
    paragraph_end(list);
}

/* Whether an earlier pair than (i, j) has the same reason. */
static int reason_listed(const topology *t, unsigned i, unsigned j)
{
    const char *reason = topology_pair(t, i, j)->reason;

    for (unsigned a = 0; a <= i; a++)
        for (unsigned b = a + 1; b < (a < i ? t->devices.count : j); b++)
            if (strcmp(topology_pair(t, a, b)->reason, reason) == 0)
                return 1;
    return 0;
}

/* Each reason once, after the pairs that have it. */
static void list_reasons(listing *list, const topology *t)
{
    const unsigned count = t->devices.count;

    for (unsigned i = 0; i < count; i++)
        for (unsigned j = i + 1; j < count; j++) {
            const char *reason = topology_pair(t, i, j)->reason;
            if (!reason[0] || reason_listed(t, i, j))
                continue;
            put_text(list, "staged");
            for (unsigned a = i; a < count; a++)
                for (unsigned b = a + 1; b < count; b++)
                    if (strcmp(topology_pair(t, a, b)->reason, reason) == 0)
                        put_pair(list, t, a, b);
            put_text(list, "because:");
            put_text(list, reason);
            paragraph_end(list);
        }
}

static unsigned draw_list(hd__svg *svg, const topology *t)
{
    listing list = {.svg = svg};

    list_atomics(&list, t);
    list_reasons(&list, t);
    return list.lines;
}

/* ---- the picture ----------------------------------------------------------------------------- */

int topology_draw(const topology *t, const char *path)
{
    char message[HD__IO_MESSAGE], title[80];
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, HEIGHT + (double)LIST_STEP * draw_list(NULL, t));
    (void)snprintf(title, sizeof title, "Links between %u device%s, backend %s", t->devices.count,
                   t->devices.count == 1 ? "" : "s", hd_backend_name());
    hd__svg_title(&svg, LIST_LEFT, 24, title);
    for (unsigned i = 0; i < t->devices.count; i++)
        for (unsigned j = i + 1; j < t->devices.count; j++)
            draw_pair(&svg, t, i, j);
    for (unsigned i = 0; i < t->devices.count; i++)
        draw_device(&svg, t, i);
    draw_legend(&svg, t);
    (void)draw_list(&svg, t);
    if (hd__svg_close(&svg, path, message) != 0)
        return cli_failed(t->arguments->command, "%s", message);
    return CLI_DONE;
}
