/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - the histogram kernels: what differs between element types. */
#include <heddle/kernel.h>

#include "histogram.h"

HD_DEVICE uint32_t hist_word(hd_u32x4 v, unsigned i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/* floor(distance * bins / width): the reciprocal is too large by less than 2^-64, the distance is
   below 2^32, and a quotient that is not whole misses the next whole number by 2^-32 at least. */
HD_DEVICE uint32_t hist_even(const hd__histogram_task *task, uint32_t distance)
{
    const uint64_t low = (uint64_t)distance * (uint32_t)task->reciprocal;
    const uint64_t high = (uint64_t)distance * (uint32_t)(task->reciprocal >> 32);
    return (uint32_t)((high + (low >> 32)) >> 32);
}

HD_DEVICE uint32_t hist_integer(const hd__histogram_task *task, uint32_t x)
{
    const uint32_t d = x - task->low;
    return hd__histogram_row_of(x, task->low, task->last, task->bins,
                                task->shift < 32 ? d >> task->shift : hist_even(task, d));
}

#define HIST_KIND u8
#define HIST_ELEM uint8_t
#define HIST_BY_VALUE 1
#define HIST_GET(v, e) ((uint8_t)(hist_word(v, (e) / 4) >> (e) % 4 * 8))
#define HIST_ROW(task, x) ((uint32_t)(x))
#include "histogram.inc"

#define HIST_KIND u32_shift
#define HIST_ELEM uint32_t
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hist_word(v, e)
#define HIST_ROW(task, x)                                                                          \
    hd__histogram_row_of(x, (task)->low, (task)->last, (task)->bins,                               \
                         ((x) - (task)->low) >> (task)->shift)
#include "histogram.inc"

#define HIST_KIND u32_even
#define HIST_ELEM uint32_t
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hist_word(v, e)
#define HIST_ROW(task, x)                                                                          \
    hd__histogram_row_of(x, (task)->low, (task)->last, (task)->bins,                               \
                         hist_even(task, (x) - (task)->low))
#include "histogram.inc"

/* Rounding keeps order, so every bin is an interval; the last one also takes what rounds up to
   `bins`. Not a number: neither below `high` nor at or above it. */
HD_DEVICE uint32_t hist_real(const hd__histogram_task *task, float x)
{
    const float at = (x - task->low_f32) * task->scale;
    if (x >= task->low_f32 && x < task->high_f32) {
        const uint32_t bin = (uint32_t)at;
        return bin < task->bins ? bin : task->bins - 1;
    }
    return task->bins + (x >= task->high_f32 ? 1u : x < task->low_f32 ? 0u : 2u);
}

#define HIST_KIND f32
#define HIST_ELEM float
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hd_f32_from_bits(hist_word(v, e))
#define HIST_ROW(task, x) hist_real(task, x)
#include "histogram.inc"
