/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - the histogram kernels: what differs between element types. */
#include <heddle/kernel.h>

#include "histogram.h"

HD_DEVICE uint32_t hist_word(hd_u32x4 v, unsigned i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/* floor(distance * bins / width). Exact: the reciprocal is too large by less than 2^-64 and the
   distance is below 2^32, so the error is below 2^-32; a quotient that is not an integer is at
   least 2^-32 below the next one. */
HD_DEVICE uint32_t hist_even(const hd__histogram_task *task, uint32_t distance)
{
    const uint64_t low = (uint64_t)distance * (uint32_t)task->reciprocal;
    const uint64_t high = (uint64_t)distance * (uint32_t)(task->reciprocal >> 32);
    return (uint32_t)((high + (low >> 32)) >> 32);
}

/* The row of an integer. distance: the value minus the lowest one, modulo 2^32; values below the
   lowest wrap to more than `reach`. inside: its bin if it is in the range. Selects, no branch: a
   branch would keep the elements live, and the kernel would have too few registers for the loads in
   flight. */
HD_DEVICE uint32_t hist_integer(const hd__histogram_task *task, uint32_t distance, uint32_t inside)
{
    return distance <= task->last ? inside : task->bins + (distance <= task->reach);
}

/* The row of a value of u8. */
HD_DEVICE uint32_t hist_value(const hd__histogram_task *task, uint32_t x)
{
    const uint32_t d = x - task->low;
    return hist_integer(task, d, task->shift < 32 ? d >> task->shift : hist_even(task, d));
}

HD_DEVICE uint32_t hist_u32_shift(const hd__histogram_task *task, uint32_t x)
{
    const uint32_t d = x - task->low;
    return hist_integer(task, d, d >> task->shift);
}

HD_DEVICE uint32_t hist_u32_even(const hd__histogram_task *task, uint32_t x)
{
    const uint32_t d = x - task->low;
    return hist_integer(task, d, hist_even(task, d));
}

/* ---- 64-bit integers ------------------------------------------------------------------------- */

HD_DEVICE uint64_t hist_pair(hd_u32x4 v, unsigned i)
{
    return (uint64_t)hist_word(v, 2 * i + 1) << 32 | hist_word(v, 2 * i);
}

HD_DEVICE uint32_t hist_integer_u64(const hd__histogram_task *task, uint64_t distance,
                                    uint32_t inside)
{
    return distance <= task->last_u64 ? inside : task->bins + (distance <= task->reach_u64);
}

HD_DEVICE uint32_t hist_u64_shift(const hd__histogram_task *task, uint64_t x)
{
    const uint64_t d = x - task->low_u64;
    return hist_integer_u64(task, d, (uint32_t)(d >> task->shift));
}

/* The upper 64 of 192 bits. Exact: the reciprocal is too large by less than 2^-128, so the error is
   below 2^-64; a quotient that is not an integer is at least 2^-64 below the next one. */
HD_DEVICE uint32_t hist_u64_even(const hd__histogram_task *task, uint64_t x)
{
    const uint64_t d = x - task->low_u64;
    const uint64_t carried = hd_mulhi(d, task->reciprocal_low);
    const uint64_t middle = d * task->reciprocal + carried;
    const uint32_t bin = (uint32_t)hd_mulhi(d, task->reciprocal) + (middle < carried);
    return hist_integer_u64(task, d, bin);
}

/* ---- kernels of integers --------------------------------------------------------------------- */

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
#define HIST_ROW(task, x) hist_u32_shift(task, x)
#include "histogram.inc"

#define HIST_KIND u32_even
#define HIST_ELEM uint32_t
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hist_word(v, e)
#define HIST_ROW(task, x) hist_u32_even(task, x)
#include "histogram.inc"

#define HIST_KIND u64_shift
#define HIST_ELEM uint64_t
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hist_pair(v, e)
#define HIST_ROW(task, x) hist_u64_shift(task, x)
#include "histogram.inc"

#define HIST_KIND u64_even
#define HIST_ELEM uint64_t
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hist_pair(v, e)
#define HIST_ROW(task, x) hist_u64_even(task, x)
#include "histogram.inc"

/* ---- floats ---------------------------------------------------------------------------------- */

/* Rounding is monotonic, so every bin is an interval; the last bin also takes values that round up
   to `bins`. NaN fails both comparisons. Selects, no branch, as above. */
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

/* The same with a division, which is exact for bins that begin at integers: with 98 values in two
   bins, the second begins at exactly 49. `unit` keeps the widest ranges from overflowing. */
HD_DEVICE uint32_t hist_real_f64(const hd__histogram_task *task, double x)
{
    const int above = x >= task->low_f64, below_high = x < task->high_f64;
    const double distance = x * task->unit - task->low_units;
    const double scaled = distance * (double)task->bins / task->width_units;
    const uint32_t high = task->bins + 2 - (uint32_t)above;
    const double inside = below_high ? scaled : 0.0;
    const uint32_t bin = hd_min((uint32_t)(above ? inside : 0.0), task->bins - 1);
    return below_high ? (above ? bin : task->bins) : high;
}

#define HIST_KIND f32_wide
#define HIST_ELEM float
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hd_f32_from_bits(hist_word(v, e))
#define HIST_ROW(task, x) hist_real_f64(task, (double)(x))
#include "histogram.inc"

#define HIST_KIND f64
#define HIST_ELEM double
#define HIST_BY_VALUE 0
#define HIST_GET(v, e) hd_f64_from_bits(hist_pair(v, e))
#define HIST_ROW(task, x) hist_real_f64(task, x)
#include "histogram.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__histogram_u8)
HD_INSTANCE(hd__histogram_u32_shift)
HD_INSTANCE(hd__histogram_u32_even)
HD_INSTANCE(hd__histogram_u64_shift)
HD_INSTANCE(hd__histogram_u64_even)
HD_INSTANCE(hd__histogram_f32)
HD_INSTANCE(hd__histogram_f32_wide)
HD_INSTANCE(hd__histogram_f64)
