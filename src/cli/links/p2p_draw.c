/* SPDX-License-Identifier: Apache-2.0 */
/* p2p_draw.c - one heat map per method with a common colour bar; rows send and columns receive. */
#include "p2p.h"

#include <math.h>

#include "cli/app/output.h"
#include "cli/draw/svg.h"

enum { CELL = 64, LEFT = 64, TOP = 110, GAP = 64, BOTTOM = 40, BAR = 110, LEAST_WIDTH = 420 };

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

static void draw_cell(hd__svg *svg, const p2p *p, int method, unsigned i, unsigned j, double x,
                      double y, double most)
{
    const double rate = rate_of(p, method, p2p_at(p, i, j));
    char colour[8] = "#eeeeee", text[32] = "-", about[96];

    (void)snprintf(about, sizeof about, "%s from %d to %d: no peer access",
                   p2p_method_name((p2p_method)method), p->devices.device[i], p->devices.device[j]);
    if (rate > 0) {
        hd__svg_scale_colour(rate / most, colour);
        (void)snprintf(text, sizeof text, rate < 100 ? "%.1f" : "%.0f", rate);
        (void)snprintf(about, sizeof about, "%s from %d to %d: %s GB/s",
                       p2p_method_name((p2p_method)method), p->devices.device[i],
                       p->devices.device[j], text);
    }
    hd__svg_rect(svg, x, y, CELL - 2, CELL - 2, colour, about);
    hd__svg_text(svg, x + CELL / 2.0, y + CELL / 2.0 + 4, 13, HD__SVG_MIDDLE,
                 rate > 0 ? hd__svg_on_scale(rate / most) : "#222222", text);
}

static void draw_method(hd__svg *svg, const p2p *p, int method, double left, double most)
{
    const double size = (double)CELL * p->devices.count;
    char text[16];

    hd__svg_text(svg, left, TOP - 44, 13, HD__SVG_START, "#222222",
                 p2p_method_name((p2p_method)method));
    hd__svg_text(svg, left + size / 2, TOP - 26, 12, HD__SVG_MIDDLE, "#404040", "to device");
    hd__svg_text_up(svg, left - 30, TOP + size / 2, 12, HD__SVG_MIDDLE, "#404040", "from device");
    for (unsigned i = 0; i < p->devices.count; i++) {
        (void)snprintf(text, sizeof text, "%d", p->devices.device[i]);
        hd__svg_text(svg, left - 14, TOP + CELL * (i + 0.5) + 4, 13, HD__SVG_MIDDLE, "#404040",
                     text);
        hd__svg_text(svg, left + CELL * (i + 0.5), TOP - 8, 13, HD__SVG_MIDDLE, "#404040", text);
        for (unsigned j = 0; j < p->devices.count; j++)
            if (i != j)
                draw_cell(svg, p, method, i, j, left + CELL * j, TOP + CELL * i, most);
    }
}

/* Whether a requested method cannot serve some pair. */
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
    const double size = (double)CELL * p->devices.count, most = fastest(p);
    char message[HD__IO_MESSAGE], title[112], bytes[CLI_NUMBER];
    double left = LEFT;
    unsigned maps = 0;
    hd__svg svg;

    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        maps += p->methods >> m & 1;
    hd__svg_open(&svg, fmax(LEFT + (size + GAP) * maps + BAR - GAP + 30, LEAST_WIDTH),
                 TOP + size + BOTTOM);
    cli_text_size(p2p_largest(p), bytes);
    (void)snprintf(title, sizeof title, "Bandwidth between devices, one way, %s per transfer",
                   bytes);
    hd__svg_title(&svg, LEFT - 40, 28, title);
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        if (p->methods >> m & 1) {
            draw_method(&svg, p, m, left, most);
            left += size + GAP;
        }
    if (most > 0)
        hd__svg_colour_bar(&svg, left - GAP + 30, TOP, size - 2, 0, most, "GB/s");
    if (has_gaps(p))
        hd__svg_text(&svg, LEFT, TOP + size + 24, 12, HD__SVG_START, "#404040",
                     "-: not possible without peer access");
    if (hd__svg_close(&svg, path, message) != 0)
        return cli_failed(p->arguments->command, "%s", message);
    return CLI_DONE;
}
