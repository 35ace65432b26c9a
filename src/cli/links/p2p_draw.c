/* SPDX-License-Identifier: Apache-2.0 */
/* p2p_draw.c - a heat map for each method: rows send, columns receive. */
#include "p2p.h"

#include "cli/draw/svg.h"

enum { CELL = 64, LEFT = 60, TOP = 70, GAP = 40 };

static double rate_of(const p2p *p, int method, size_t pair)
{
    const double seconds = p->series[method][pair].seconds[p->size_count - 1];

    return seconds > 0 ? 1e-9 * (double)p2p_largest(p) / seconds : 0;
}

static double fastest(const p2p *p)
{
    double most = 0;

    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        for (size_t k = 0; k < (size_t)p->devices.count * p->devices.count; k++)
            most = rate_of(p, m, k) > most ? rate_of(p, m, k) : most;
    return most;
}

/* White to dark green. */
static void colour_of(double part, char text[8])
{
    const int red = (int)(245 - 210 * part), green = (int)(248 - 130 * part);

    (void)snprintf(text, 8, "#%02x%02x%02x", red, green, (int)(245 - 165 * part));
}

static void draw_cell(hd__svg *svg, const p2p *p, int method, unsigned i, unsigned j, double x,
                      double y, double most)
{
    const double rate = rate_of(p, method, p2p_at(p, i, j));
    char colour[8] = "#eeeeee", text[32] = "-", about[96];

    (void)snprintf(about, sizeof about, "%s from %d to %d: no peer access",
                   p2p_method_name((p2p_method)method), p->devices.device[i], p->devices.device[j]);
    if (rate > 0) {
        colour_of(rate / most, colour);
        (void)snprintf(text, sizeof text, rate < 100 ? "%.1f" : "%.0f", rate);
        (void)snprintf(about, sizeof about, "%s from %d to %d: %s GB/s",
                       p2p_method_name((p2p_method)method), p->devices.device[i],
                       p->devices.device[j], text);
    }
    hd__svg_rect(svg, x, y, CELL - 2, CELL - 2, colour, about);
    hd__svg_text(svg, x + CELL / 2.0, y + CELL / 2.0 + 4, 13, HD__SVG_MIDDLE,
                 rate > 0.6 * most ? "#ffffff" : "#222222", text);
}

static void draw_method(hd__svg *svg, const p2p *p, int method, double left, double most)
{
    char text[96];

    (void)snprintf(text, sizeof text, "%s, one way, GB/s", p2p_method_name((p2p_method)method));
    hd__svg_text(svg, left, TOP - 34, 15, HD__SVG_START, "#111111", text);
    for (unsigned i = 0; i < p->devices.count; i++) {
        (void)snprintf(text, sizeof text, "%d", p->devices.device[i]);
        hd__svg_text(svg, left - 14, TOP + CELL * (i + 0.5) + 4, 13, HD__SVG_MIDDLE, "#444444",
                     text);
        hd__svg_text(svg, left + CELL * (i + 0.5), TOP - 8, 13, HD__SVG_MIDDLE, "#444444", text);
        for (unsigned j = 0; j < p->devices.count; j++)
            if (i != j)
                draw_cell(svg, p, method, i, j, left + CELL * j, TOP + CELL * i, most);
    }
}

/* Whether a method that was asked for has a pair that it cannot serve. */
static bool has_gaps(const p2p *p)
{
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        for (unsigned i = 0; i < p->devices.count; i++)
            for (unsigned j = 0; j < p->devices.count; j++)
                if (i != j && p->methods >> m & 1 && !p->series[m][p2p_at(p, i, j)].measured)
                    return true;
    return false;
}

int p2p_draw(const p2p *p, const char *path)
{
    const double wide = CELL * p->devices.count + GAP, most = fastest(p);
    char message[HD__IO_MESSAGE];
    double left = LEFT;
    unsigned maps = 0;
    hd__svg svg;

    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        maps += p->methods >> m & 1;
    hd__svg_open(&svg, LEFT + wide * maps, TOP + CELL * p->devices.count + GAP);
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        if (p->methods >> m & 1) {
            draw_method(&svg, p, m, left, most);
            left += wide;
        }
    hd__svg_text(&svg, LEFT, TOP + CELL * p->devices.count + 24, 12, HD__SVG_START, "#333333",
                 has_gaps(p) ? "rows send, columns receive; -: no peer access"
                             : "rows send, columns receive");
    if (hd__svg_close(&svg, path, message) != 0)
        return cli_failed(p->arguments->command, "%s", message);
    return CLI_DONE;
}
