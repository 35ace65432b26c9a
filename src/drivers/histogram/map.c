/* SPDX-License-Identifier: Apache-2.0 */
/* map.c - converts the bins of a call to the form that kernels use: limits of the type, and a
   shift, a reciprocal or a scale. */
#include "plan.h"

#include <float.h>
#include <math.h>

#include "runtime/backend.h"

__extension__ typedef __int128 whole;
__extension__ typedef unsigned __int128 natural;

/* ---- integers -------------------------------------------------------------------------------- */

/* The range of an integer type: its smallest value, and its largest plus 1. */
static whole type_low(hd_type type)
{
    return type == HD_I32 ? INT32_MIN : type == HD_I64 ? INT64_MIN : 0;
}

static whole type_end(hd_type type)
{
    return type_low(type) + ((whole)1 << 8 * hd_type_bytes(type));
}

static void set_bins(hd__histogram_plan *plan, natural values)
{
    hd__histogram_task *task = &plan->task;
    const natural count = task->bins, each = values / count;
    const int wide = plan->kernel == &hd__histogram_u64_even_kernel;

    task->shift = UINT32_MAX;
    if (values % count == 0 && (each & (each - 1)) == 0 && each >> (wide ? 63 : 31) <= 1) {
        for (task->shift = 0; each >> task->shift != 1;)
            task->shift++;
        return;
    }
    /* floor(count * 2^128 / values): count < values <= 2^64, 64 bits at a time */
    const natural high = (count << 64) / values, rest = (count << 64) % values;
    const natural quotient = high << 64 | (rest << 64) / values;
    task->reciprocal = (uint64_t)(wide ? (quotient + 1) >> 64 : high + 1);
    task->reciprocal_low = (uint64_t)(quotient + 1);
}

/* Maps integers; [low, end) is within the range of the type. */
static hd_status map_integers(const char *call, hd_type type, whole low, whole end,
                              hd__histogram_plan *plan)
{
    hd__histogram_task *task = &plan->task;
    const natural values = (natural)(end - low);
    const natural reach = (natural)(type_end(type) - 1 - low);
    const int wide = hd_type_bytes(type) == 8;

    if (task->bins > values)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u bins are more than the %llu values of %s",
                        task->bins, (unsigned long long)values, hd_type_name(type));
    if (wide) {
        task->low_u64 = (uint64_t)low;
        task->last_u64 = (uint64_t)(values - 1);
        task->reach_u64 = (uint64_t)reach;
    } else {
        task->low = (uint32_t)low;
        task->last = (uint32_t)(values - 1);
        task->reach = type == HD_U8 ? UINT32_MAX - task->low : (uint32_t)reach;
    }
    plan->kernel = wide            ? &hd__histogram_u64_even_kernel
                   : type == HD_U8 ? &hd__histogram_u8_kernel
                                   : &hd__histogram_u32_even_kernel;
    set_bins(plan, values);
    if (task->shift != UINT32_MAX && type != HD_U8)
        plan->kernel = wide ? &hd__histogram_u64_shift_kernel : &hd__histogram_u32_shift_kernel;
    return HD_OK;
}

static hd_status map_whole_numbers(const char *call, hd_type type, const hd_bins *bins,
                                   hd__histogram_plan *plan)
{
    const double least = (double)type_low(type), end = (double)type_end(type);

    if (bins->low < least || bins->high > end || floor(bins->low) < bins->low ||
        floor(bins->high) < bins->high)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the bounds of %s bins are whole numbers from %.0f to %.0f, not %.17g and "
                        "%.17g",
                        hd_type_name(type), least, end, bins->low, bins->high);
    return map_integers(call, type, (whole)bins->low, (whole)bins->high, plan);
}

static whole integer_of(hd_type type, const hd_scalar *value)
{
    switch (type) {
    case HD_U8:
        return value->u8;
    case HD_U32:
        return value->u32;
    case HD_I32:
        return value->i32;
    case HD_U64:
        return value->u64;
    default:
        return value->i64;
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* Elements x with low <= x < end are in bins, which divide [low, high). */
typedef struct range {
    double low, high, end;
} range;

static void map_f64(const range *r, hd__histogram_plan *plan)
{
    hd__histogram_task *task = &plan->task;
    const double unit = r->high / 2 - r->low / 2 >= 0x1p999 ? 0x1p-64 : 1.0;

    task->low_f64 = r->low;
    task->high_f64 = r->end;
    task->unit = unit;
    task->low_units = r->low * unit;
    task->width_units = r->high > r->low ? r->high * unit - r->low * unit : 1;
    plan->kernel = &hd__histogram_f64_kernel;
}

/* Computes in f32, unless that overflows or loses bits of the scale. */
static void map_f32(const range *r, hd__histogram_plan *plan)
{
    hd__histogram_task *task = &plan->task;
    const double width = r->high - r->low;
    const float scale = width > 0 ? (float)((double)task->bins / width) : 1;

    if (r->high > (double)FLT_MAX || !isfinite((float)r->high - (float)r->low) ||
        !isnormal(scale)) {
        map_f64(r, plan);
        plan->kernel = &hd__histogram_f32_wide_kernel;
        return;
    }
    task->low_f32 = (float)r->low;
    task->high_f32 = (float)r->end;
    task->scale = scale;
    plan->kernel = &hd__histogram_f32_kernel;
}

static hd_status map_half_open(const char *call, hd_type type, const hd_bins *bins,
                               hd__histogram_plan *plan)
{
    range r = {bins->low, bins->high, bins->high};

    if (type == HD_F32) {
        r.low = (double)(float)r.low;
        r.high = r.high > (double)FLT_MAX && r.high <= 0x1p128 ? 0x1p128 : (double)(float)r.high;
        r.end = r.high; /* f32 rounds 2^128 to infinity: all finite values are below */
    }
    if (!isfinite(r.low) || !isfinite(r.high))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the bounds of %s bins are finite values of the type, not %.17g and %.17g",
                        hd_type_name(type), bins->low, bins->high);
    if (!(r.low < r.high))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the bounds %.17g and %.17g are the same value of %s", bins->low,
                        bins->high, hd_type_name(type));
    if (type == HD_F32)
        map_f32(&r, plan);
    else
        map_f64(&r, plan);
    return HD_OK;
}

static hd_status map_closed(const char *call, hd_type type, const hd_closed_bins *bins,
                            hd__histogram_plan *plan)
{
    const int narrow = type == HD_F32;
    range r = {narrow ? (double)bins->low.f32 : bins->low.f64,
               narrow ? (double)bins->last.f32 : bins->last.f64, 0};

    if (!isfinite(r.low) || !isfinite(r.high) || !(r.low <= r.high))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the range %.17g to %.17g is not one of finite values in ascending order",
                        r.low, r.high);
    r.end = narrow ? (double)nextafterf((float)r.high, INFINITY)
                   : nextafter(r.high, (double)INFINITY);
    if (narrow)
        map_f32(&r, plan);
    else
        map_f64(&r, plan);
    return HD_OK;
}

/* ---- all types ------------------------------------------------------------------------------- */

static hd_status begin(const char *call, size_t n, hd_type type, size_t count,
                       hd__histogram_plan *plan)
{
    const hd__histogram_plan none = {0};

    if (type != HD_U8 && type != HD_U32 && type != HD_I32 && type != HD_U64 && type != HD_I64 &&
        type != HD_F32 && type != HD_F64)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "%s elements are not supported; use u8, u32, i32, u64, i64, f32 or f64",
                        hd_type_name(type));
    if (count < 1 || count > HD_HISTOGRAM_MAX_BINS)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu bins; 1 to %d are supported", count,
                        HD_HISTOGRAM_MAX_BINS);
    if (n > SIZE_MAX / 2 / hd_type_bytes(type))
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory", n,
                        hd_type_bytes(type));
    *plan = none;
    plan->task.count = n;
    plan->task.bins = (uint32_t)count;
    plan->task.rows = type == HD_U8 ? HD__HISTOGRAM_U8_ROWS
                                    : (uint32_t)count + HD__HISTOGRAM_OUTSIDE;
    return HD_OK;
}

hd_status hd__histogram_map(const char *call, size_t n, hd_type type, const hd_bins *bins,
                            hd__histogram_plan *plan)
{
    if (!bins)
        return hd__fail(HD_ERR_ARGUMENT, call, "bins is NULL");
    HD_TRY(begin(call, n, type, bins->count, plan));
    if (!(bins->low < bins->high))
        return hd__fail(HD_ERR_ARGUMENT, call, "the range %.17g to %.17g is empty", bins->low,
                        bins->high);
    return type == HD_F32 || type == HD_F64 ? map_half_open(call, type, bins, plan)
                                            : map_whole_numbers(call, type, bins, plan);
}

hd_status hd__histogram_map_closed(const char *call, size_t n, hd_type type,
                                   const hd_closed_bins *bins, hd__histogram_plan *plan)
{
    if (!bins)
        return hd__fail(HD_ERR_ARGUMENT, call, "bins is NULL");
    HD_TRY(begin(call, n, type, bins->count, plan));
    if (type == HD_F32 || type == HD_F64)
        return map_closed(call, type, bins, plan);
    const whole low = integer_of(type, &bins->low), last = integer_of(type, &bins->last);
    if (low > last)
        return hd__fail(HD_ERR_ARGUMENT, call, "the lowest value is above the last one");
    return map_integers(call, type, low, last + 1, plan);
}
