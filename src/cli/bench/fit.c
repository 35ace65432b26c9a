/* SPDX-License-Identifier: Apache-2.0 */
/* fit.c - fits a line through times of several sizes. */
#include "fit.h"

#include <math.h>

/* Weighted sums over measurements of x = bytes and t = seconds; weight 1 / t^2. */
typedef struct sums {
    double w, wx, wxx, wt, wxt;
} sums;

static sums sums_of(const size_t *bytes, const double *seconds, size_t count)
{
    sums s = {0, 0, 0, 0, 0};

    for (size_t i = 0; i < count; i++) {
        const double x = (double)bytes[i], t = seconds[i], weight = 1 / (t * t);
        s.w += weight;
        s.wx += weight * x;
        s.wxx += weight * x * x;
        s.wt += weight * t;
        s.wxt += weight * x * t;
    }
    return s;
}

/* Student's t that lines without a slope exceed with probability 5 %, two-sided. */
static double t_of(size_t freedom)
{
    static const double quantiles[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    const size_t last = sizeof quantiles / sizeof *quantiles;

    return quantiles[(freedom < last ? freedom : last) - 1];
}

/* Whether a slope, fitted with a latency or through 0, is significant, given `squares`, the sum of
   squared relative errors. */
static bool is_certain(const sums *s, size_t count, bool through_zero, double slope, double squares)
{
    const size_t freedom = count - (through_zero ? 1 : 2);
    const double variance = squares / (double)freedom;
    const double spread = through_zero ? 1 / s->wxx : s->w / (s->w * s->wxx - s->wx * s->wx);

    return variance <= 0.25 && slope > t_of(freedom) * sqrt(variance * spread);
}

cli_fit cli_fit_of(const size_t *bytes, const double *seconds, size_t count)
{
    const sums s = sums_of(bytes, seconds, count);
    double slope = count > 1 ? (s.w * s.wxt - s.wx * s.wt) / (s.w * s.wxx - s.wx * s.wx)
                             : s.wxt / s.wxx;
    double squares = 0;
    cli_fit fit = {0, 0, 0, false};

    fit.latency = count > 1 ? (s.wt - slope * s.wx) / s.w : 0;
    const bool through_zero = fit.latency < 0;
    if (through_zero) {
        fit.latency = 0;
        slope = s.wxt / s.wxx;
    }
    fit.rate = slope > 0 ? 1 / slope : 0;
    for (size_t i = 0; i < count; i++) {
        const double error = fabs((fit.latency + slope * (double)bytes[i]) / seconds[i] - 1);
        fit.worst = error > fit.worst ? error : fit.worst;
        squares += error * error;
    }
    fit.holds = count >= CLI_FIT_LEAST && fit.rate > 0 && isfinite(fit.rate) &&
                is_certain(&s, count, through_zero, slope, squares);
    return fit;
}
