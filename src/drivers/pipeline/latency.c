/* SPDX-License-Identifier: Apache-2.0 */
/* latency.c - a histogram of latencies in fixed memory: classes 2 % apart, from 100 ns to a
   minute. */
#include "run.h"

#include <math.h>
#include <time.h>

static const double lowest = 1e-7, ratio = 1.02;

double hd__pipe_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hd__pipe_latency_add(hd__pipe_latency *latency, double seconds)
{
    const double class = seconds > lowest ? log(seconds / lowest) / log(ratio) : 0.0;
    latency->classes[class < HD__PIPE_CLASSES - 1 ? (size_t) class : HD__PIPE_CLASSES - 1]++;
    if (latency->count++ == 0)
        latency->least = latency->most = seconds;
    latency->least = seconds < latency->least ? seconds : latency->least;
    latency->most = seconds > latency->most ? seconds : latency->most;
}

double hd__pipe_latency_at(const hd__pipe_latency *latency, double part)
{
    const double wanted = part * (double)latency->count;
    size_t seen = 0, class = 0;
    if (latency->count == 0)
        return 0.0;
    while (class < HD__PIPE_CLASSES - 1 && (double)(seen += latency->classes[class]) < wanted)
        class ++;
    const double seconds = lowest * pow(ratio, (double)class + 0.5);
    return seconds < latency->least  ? latency->least
           : seconds > latency->most ? latency->most
                                     : seconds;
}
