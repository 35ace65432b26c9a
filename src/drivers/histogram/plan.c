/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - the number and shape of the blocks that count rows. */
#include "plan.h"

#include "runtime/backend.h"
#include "runtime/runtime.h"

unsigned hd__histogram_force_threads;

enum {
    SMALL_BYTES = 1 << 16, /* smaller inputs take one block, which needs no fills */
    BLOCK_ELEMENTS = 8192,
    SERIAL_BLOCKS = 64, /* more than workers, to balance the load */
    COUNTER_BITS = 31   /* a block has fewer elements, so that its counters do not overflow */
};

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
    /* Copies do not pay off if the rows alone fill the L1 cache. */
    task->copy_bits = task->rows <= 1024 ? HD__HISTOGRAM_SERIAL_COPY_BITS : 0;
    words <<= task->copy_bits;
    /* Clearing and summing counters should be a small part of the work; bytes are cheaper to count
       than wider elements. */
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

/* As many copies of each row as leave shared memory for three blocks per compute unit. */
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

/* Enough blocks to fill the device, but none with too few elements to be worth its atomics. */
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
    HD_TRY(hd__shared_max("hd_histogram", device, &most));
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
