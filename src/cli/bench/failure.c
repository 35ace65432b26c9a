/* SPDX-License-Identifier: Apache-2.0 */
/* failure.c - reports why a benchmark failed. */
#include <stdarg.h>
#include <stdio.h>

#include "frame.h"

int bench_failed(bench *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(b->clock.message, sizeof b->clock.message, format, args);
    va_end(args);
    return -1;
}

int bench_failed_call(bench *b)
{
    return timing_failed_call(&b->clock);
}
