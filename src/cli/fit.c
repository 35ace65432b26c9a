/* SPDX-License-Identifier: Apache-2.0 */
/* fit.c - a line through times of several sizes. */
#include "fit.h"

#include <math.h>

cli_fit cli_fit_of(const size_t *bytes, const double *seconds, size_t count)
{
    double w = 0, wx = 0, wxx = 0, wt = 0, wxt = 0;
    cli_fit fit = {0, 0, 0};

    for (size_t i = 0; i < count; i++) {
        const double x = (double)bytes[i], t = seconds[i], weight = 1 / (t * t);
        w += weight;
        wx += weight * x;
        wxx += weight * x * x;
        wt += weight * t;
        wxt += weight * x * t;
    }
    double slope = count > 1 ? (w * wxt - wx * wt) / (w * wxx - wx * wx) : wxt / wxx;
    fit.latency = count > 1 ? (wt - slope * wx) / w : 0;
    if (fit.latency < 0) {
        fit.latency = 0;
        slope = wxt / wxx;
    }
    fit.rate = slope > 0 ? 1 / slope : 0;
    for (size_t i = 0; i < count; i++) {
        const double error = fabs((fit.latency + slope * (double)bytes[i]) / seconds[i] - 1);
        fit.worst = error > fit.worst ? error : fit.worst;
    }
    return fit;
}
