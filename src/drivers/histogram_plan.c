/* SPDX-License-Identifier: Apache-2.0 */
/* histogram_plan.c - how bins become rows, and how many blocks of which shape count them. */
#include "histogram_plan.h"

#include <math.h>

#include "runtime/backend.h"
#include "runtime/runtime.h"

unsigned hd__histogram_force_threads;

enum {
    SMALL_BYTES = 1 << 16, /* of input: one block, which needs no fills */
    BLOCK_ELEMENTS = 8192,
    SERIAL_BLOCKS = 64, /* more than workers, so that none waits long for the last */
    COUNTER_BITS = 31   /* a block has fewer elements than its counters hold */
};

/* ---- bins ------------------------------------------------------------------------------------ */

/* floor(count * 2^64 / values) + 1, for count < values <= 2^32: the quotient 32 bits at a time. */
static uint64_t reciprocal(uint64_t count, uint64_t values)
{
    const uint64_t high = (count << 32) / values, rest = (count << 32) % values;
    return (high << 32 | (rest << 32) / values) + 1;
}

static hd_status map_integers(const char *call, hd_type type, const hd_bins *bins,
                              hd__histogram_plan *plan)
{
    const double most = type == HD_U8 ? 0x1p8 : 0x1p32;
    const double width = bins->high - bins->low;
    hd__histogram_task *task = &plan->task;
    if (bins->low < 0 || bins->high > most || floor(bins->low) < bins->low ||
        floor(bins->high) < bins->high)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the range %g to %g of %s is not made of whole numbers from 0 to %.0f",
                        bins->low, bins->high, hd_type_name(type), most);
    if ((double)bins->count > width)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu bins are more than the %.0f values of %s",
                        bins->count, width, hd_type_name(type));
    const uint64_t values = (uint64_t)width, count = bins->count;
    const uint64_t each = values / count;
    task->low = (uint32_t)bins->low;
    task->last = (uint32_t)(values - 1);
    task->shift = UINT32_MAX;
    if (values % count == 0 && (each & (each - 1)) == 0)
        for (task->shift = 0; each >> task->shift != 1;)
            task->shift++;
    else
        task->reciprocal = reciprocal(count, values);
    plan->kernel = type == HD_U8      ? &hd__histogram_u8_kernel
                   : task->shift < 32 ? &hd__histogram_u32_shift_kernel
                                      : &hd__histogram_u32_even_kernel;
    return HD_OK;
}

static hd_status map_real(const char *call, const hd_bins *bins, hd__histogram_plan *plan)
{
    const float low = (float)bins->low, high = (float)bins->high;
    const float scale = (float)((double)bins->count / ((double)high - (double)low));
    if (!isfinite(low) || !isfinite(high) || !isfinite(high - low))
        return hd__fail(HD_ERR_ARGUMENT, call, "the range %g to %g is wider than f32 is", bins->low,
                        bins->high);
    if (!(low < high) || !isfinite(scale))
        return hd__fail(HD_ERR_ARGUMENT, call, "the range %.17g to %.17g is too narrow for f32",
                        bins->low, bins->high);
    plan->task.low_f32 = low;
    plan->task.high_f32 = high;
    plan->task.scale = scale;
    plan->kernel = &hd__histogram_f32_kernel;
    return HD_OK;
}

hd_status hd__histogram_map(const char *call, size_t n, hd_type type, const hd_bins *bins,
                            hd__histogram_plan *plan)
{
    const hd__histogram_plan none = {0};
    if (type != HD_U8 && type != HD_U32 && type != HD_F32)
        return hd__fail(HD_ERR_ARGUMENT, call, "elements are u8, u32 or f32, not %s",
                        hd_type_name(type));
    if (!bins)
        return hd__fail(HD_ERR_ARGUMENT, call, "bins is NULL");
    if (bins->count < 1 || bins->count > HD_HISTOGRAM_MAX_BINS)
        return hd__fail(HD_ERR_ARGUMENT, call, "there can be 1 to %d bins, not %zu",
                        HD_HISTOGRAM_MAX_BINS, bins->count);
    if (!(bins->low < bins->high))
        return hd__fail(HD_ERR_ARGUMENT, call, "the range %g to %g is empty", bins->low,
                        bins->high);
    if (n > SIZE_MAX / 2 / hd_type_bytes(type))
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory", n,
                        hd_type_bytes(type));
    *plan = none;
    plan->task.count = n;
    plan->task.bins = (uint32_t)bins->count;
    plan->task.rows = type == HD_U8 ? HD__HISTOGRAM_U8_ROWS
                                    : (uint32_t)bins->count + HD__HISTOGRAM_OUTSIDE;
    return type == HD_F32 ? map_real(call, bins, plan) : map_integers(call, type, bins, plan);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static size_t least_blocks(size_t n)
{
    return (n >> COUNTER_BITS) + 1;
}

int hd__histogram_serial(size_t n, hd__histogram_plan *plan)
{
    hd__histogram_task *task = &plan->task;
    size_t words = task->rows, blocks;
    if (!HD_SERIAL_THREADS || hd__histogram_force_threads)
        return 0;
    /* Bins that fill the nearest cache are hit twice in a row too seldom. */
    task->copy_bits = task->rows <= 1024 ? HD__HISTOGRAM_SERIAL_COPY_BITS : 0;
    words <<= task->copy_bits;
    /* Setting words to 0 and adding them up is to be a small part of the work, which bytes are less
       of. */
    blocks = n / (plan->kernel == &hd__histogram_u8_kernel ? 128 : 32) / words;
    blocks = blocks > SERIAL_BLOCKS ? SERIAL_BLOCKS : blocks;
    blocks = blocks < least_blocks(n) ? least_blocks(n) : blocks;
    task->parts = 1;
    task->part_rows = task->rows;
    plan->threads = 1;
    plan->blocks = (unsigned)blocks;
    plan->workspace_bytes = blocks * words * sizeof(uint32_t);
    return 1;
}

/* As many copies of each row as leave room for three blocks on a unit. */
static void choose_copies(size_t limit, size_t unit, hd__histogram_plan *plan)
{
    hd__histogram_task *task = &plan->task;
    const int by_value = plan->kernel == &hd__histogram_u8_kernel;
    const size_t extra = by_value ? (task->bins + HD__HISTOGRAM_OUTSIDE) * sizeof(uint32_t) : 0;
    const size_t room = unit / 3 < limit ? unit / 3 - unit / 128 : limit;
    size_t bytes;
    task->parts = (uint32_t)((task->rows * sizeof(uint32_t) + limit - 1) / limit);
    task->part_rows = (task->rows + task->parts - 1) / task->parts;
    bytes = task->part_rows * sizeof(uint32_t);
    while (task->copy_bits < HD__HISTOGRAM_COPY_BITS &&
           (by_value || bytes << (task->copy_bits + 1) <= room))
        task->copy_bits++;
    plan->shared_bytes = (bytes << task->copy_bits) + extra;
}

/* Enough blocks to fill the device, but none that has fewer elements than are worth its atomics. */
static size_t choose_shares(size_t n, size_t size, size_t resident, const hd__histogram_plan *plan)
{
    const size_t least = plan->task.part_rows > BLOCK_ELEMENTS ? plan->task.part_rows
                                                               : BLOCK_ELEMENTS;
    size_t shares = resident / plan->task.parts;
    if (n * size <= SMALL_BYTES || n < 2 * least)
        return least_blocks(n);
    if (shares > n / least)
        shares = n / least;
    if (shares < least_blocks(n))
        shares = least_blocks(n);
    return shares;
}

hd_status hd__histogram_shape(size_t n, hd_type type, int device, hd__histogram_plan *plan)
{
    const hd__device *entry = hd__device_at(device);
    int64_t unit = 0;
    size_t most = 0;
    unsigned resident = 0;
    HD_TRY(hd_device_get(device, HD_ATTR_SHARED_PER_UNIT, &unit));
    HD_TRY(hd__shared_most("hd_histogram", device, &most));
    choose_copies(most, (size_t)unit, plan);
    plan->threads = plan->shared_bytes > (size_t)unit / 3 ? HD__HISTOGRAM_THREADS
                                                          : HD__HISTOGRAM_THREADS / 2;
    if (hd__histogram_force_threads)
        plan->threads = hd__histogram_force_threads;
    HD_TRY(hd_occupancy(plan->kernel, device, plan->threads, plan->shared_bytes, &resident));
    plan->blocks = plan->task.parts * (unsigned)choose_shares(n, hd_type_bytes(type),
                                                              (size_t)resident * entry->units,
                                                              plan);
    return HD_OK;
}
