/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - scans to be tuned: inclusive sums, plain and in up to 64 segments. */
#include <heddle/scan.h>

#include "drivers/tune/problem.h"
#include "kernels/scan/scan.h"
#include "drivers/scan/space.h"

static hd_status prepare(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    const hd_type type = (hd_type)p->type;
    const size_t bytes = n * hd_type_bytes(type);
    HD_TRY(hd__tune_input(p, 0, bytes));
    HD_TRY(hd__tune_numbers(p->in[0], n, type, n, stream));
    if (p->kind == HD__SCAN_KIND_SEGMENTS) {
        HD_TRY(hd__tune_input(p, 1, n));
        HD_TRY(hd_fill_bytes(p->in[1], 0, 1, n, stream));
        for (size_t at = 0, step = n / 64 + 97; at < n; at += step)
            HD_TRY(hd_fill_bytes((char *)p->in[1] + at, 1, 1, 1, stream));
    }
    return hd__tune_output(p, bytes);
}

static hd_status run(hd__tune_problem *p, size_t n, hd_stream *stream)
{
    const hd_type type = (hd_type)p->type;
    if (p->kind == HD__SCAN_KIND_SEGMENTS)
        return hd_scan_segments(p->in[0], p->in[1], HD_U8, n, type, HD_SUM, HD_SCAN_INCLUSIVE, NULL,
                                p->out, NULL, stream);
    return hd_scan(p->in[0], n, type, HD_SUM, HD_SCAN_INCLUSIVE, NULL, p->out, NULL, stream);
}

static int accepts(const hd__tune_problem *p, size_t n, hd__tune_choice choice)
{
    const size_t size = hd_type_bytes((hd_type)p->type);
    const size_t value = p->kind == HD__SCAN_KIND_SEGMENTS ? 2 * size : size;
    const unsigned threads = choice.of[HD__SCAN_KNOB_THREADS];
    if (!HD_SERIAL_THREADS && threads)
        return 0;
    if (HD_SERIAL_THREADS && !threads) /* one thread takes a tile */
        return !choice.of[HD__SCAN_KNOB_BLOCKS] && !choice.of[HD__SCAN_KNOB_CACHE];
    return n > hd_scan_tile(size, value) || !choice.of[HD__SCAN_KNOB_BLOCKS];
}

const hd__tune_family hd__tune_scan = {prepare, run, accepts};
