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

/* The row of an integer whose bin is `inside` if it has one. A choice without a branch: with the
   elements kept for a second look the kernel has too few registers for the loads in flight. */
HD_DEVICE uint32_t hist_integer(const hd__histogram_task *task, uint32_t x, uint32_t inside)
{
    return x - task->low <= task->last ? inside : task->bins + (x >= task->low);
}

/* The row of a value of u8. */
HD_DEVICE uint32_t hist_value(const hd__histogram_task *task, uint32_t x)
{
    const uint32_t d = x - task->low;
    return hist_integer(task, x, task->shift < 32 ? d >> task->shift : hist_even(task, d));
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
#define HIST_ROW(task, x) hist_integer(task, x, ((x) - (task)->low) >> (task)->shift)
#include "histogram.inc"

#define HIST_KIND u32_even
#define HIST_ELEM uint32_t
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hist_word(v, e)
#define HIST_ROW(task, x) hist_integer(task, x, hist_even(task, (x) - (task)->low))
#include "histogram.inc"

/* Rounding keeps order, so every bin is an interval; the last one also takes what rounds up to
   `bins`. What is not a number is neither below `high` nor at or above `low`. Choices without a
   branch here too. */
HD_DEVICE uint32_t hist_real(const hd__histogram_task *task, float x)
{
    const int above = x >= task->low_f32;
    const float scaled = (x - task->low_f32) * task->scale;
    const uint32_t high = task->bins + 2 - (uint32_t)above;
    const float inside = x < task->high_f32 ? scaled : 0.0f;
    const uint32_t bin = hd_min((uint32_t)(above ? inside : 0.0f), task->bins - 1);
    return x < task->high_f32 ? (above ? bin : task->bins) : high;
}

#define HIST_KIND f32
#define HIST_ELEM float
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hd_f32_from_bits(hist_word(v, e))
#define HIST_ROW(task, x) hist_real(task, x)
#include "histogram.inc"
