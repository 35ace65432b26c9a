/* SPDX-License-Identifier: Apache-2.0 */
/* topology_draw.c - devices on a circle, a line for each pair: its colour is the link's class, thin
   where transfers are staged. */
#include "topology.h"

#include <math.h>

#include "../io/svg.h"

enum { WIDTH = 640, HEIGHT = 560, RADIUS = 190, LEGEND = 520 };

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
    *y = HEIGHT / 2.0 - 30 + RADIUS * sin(angle);
}

static void draw_pair(hd__svg *svg, const topology *t, unsigned i, unsigned j)
{
    const hd_peer_info *pair = topology_pair(t, i, j);
    const double thick = pair->path == HD_PATH_DIRECT ? 4 : 1.2;
    double x0, y0, x1, y1;

    place(t, i, &x0, &y0);
    place(t, j, &x1, &y1);
    hd__svg_line(svg, x0, y0, x1, y1, colour_of(pair->link), thick);
    if (pair->link_name[0]) /* off the middle, where lines cross */
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
    hd__svg_text(svg, x, y < HEIGHT / 2.0 - 31 ? y - 28 : y + 36, 11, HD__SVG_MIDDLE, "#444444",
                 t->device[i].bus_id);
}

/* The classes that occur. */
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

int topology_draw(const topology *t, const char *path)
{
    char message[HD__IO_MESSAGE];
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, HEIGHT);
    for (unsigned i = 0; i < t->devices.count; i++)
        for (unsigned j = i + 1; j < t->devices.count; j++)
            draw_pair(&svg, t, i, j);
    for (unsigned i = 0; i < t->devices.count; i++)
        draw_device(&svg, t, i);
    draw_legend(&svg, t);
    if (hd__svg_close(&svg, path, message) != 0)
        return cli_failed(t->arguments->command, "%s", message);
    return CLI_DONE;
}
