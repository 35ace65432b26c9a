/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - arrays of random numbers: checks the arguments and launches one kernel. */
#include <heddle/random.h>

#include <math.h>

#include "drivers/array.h"
#include "kernels/random/random.h"
#include "launch.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

#define RANDOM_NAME_(name, text, what) text,
static const char *const names[] = {HD_RANDOM_LIST(RANDOM_NAME_)};
#undef RANDOM_NAME_

const char *hd_random_name(hd_random_generator generator)
{
    return (int)generator >= 0 && generator < HD_RANDOM_COUNT_ ? names[generator]
                                                               : "unknown generator";
}

/* First kernel of each distribution, in the order of HD__RANDOM_DISTRIBUTIONS; `type` selects
   one. */
enum { BITS = 0, UNIFORM = 2, NORMAL = 4, LOGNORMAL = 6, KERNELS = 8 };

#define KERNEL_ROW_(what)                                                                          \
    {&hd__random_philox_##what##_kernel, &hd__random_mrg32k3a_##what##_kernel,                     \
     &hd__random_xorwow_##what##_kernel, &hd__random_mt19937_##what##_kernel},
static const hd_kernel *const kernels[KERNELS][HD_RANDOM_COUNT_] = {
    HD__RANDOM_DISTRIBUTIONS(KERNEL_ROW_)};
#undef KERNEL_ROW_

hd_status hd__random_check(const char *call, const hd_random *from, size_t n, uint64_t limit,
                           hd_stream *stream)
{
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    if (!from)
        return hd__fail(HD_ERR_ARGUMENT, call, "from is NULL");
    if ((int)from->generator < 0 || from->generator >= HD_RANDOM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown generator %d", (int)from->generator);
    if (from->offset > limit || n > limit - from->offset)
        return hd__fail(HD_ERR_OVERFLOW, call, "a stream ends at element %llu",
                        (unsigned long long)limit);
    return HD_OK;
}

hd_status hd__random_array(const char *call, void *out, size_t n, size_t size, hd_stream *stream,
                           void **usable)
{
    if (n > SIZE_MAX / 2 / size)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory", n,
                        size);
    return hd__array_usable(call, "out", out, n * size, size, stream, usable);
}

/* MRG32k3a's stream: six seeds from Philox, streams 2^127 apart, rounds of 65536 lanes, each 2^76
   from the next; this call begins in round `round`. */
static hd__random_mrg mrg_of(uint64_t seed, uint64_t subsequence, uint64_t round)
{
    const hd_u32x4 p = hd_random_block(seed, 0, 0), q = hd_random_block(seed, 0, 1);
    hd_mrg32k3a_jump jump = hd_mrg32k3a_step();
    hd__random_mrg mrg;

    mrg.first.a[0] = p.x % (HD_MRG_M2 - 1) + 1;
    mrg.first.a[1] = p.y % (HD_MRG_M2 - 1) + 1;
    mrg.first.a[2] = p.z % (HD_MRG_M2 - 1) + 1;
    mrg.first.b[0] = p.w % (HD_MRG_M2 - 1) + 1;
    mrg.first.b[1] = q.x % (HD_MRG_M2 - 1) + 1;
    mrg.first.b[2] = q.y % (HD_MRG_M2 - 1) + 1;
    hd_mrg32k3a_skip(&mrg.first, subsequence, 127);
    hd_mrg32k3a_skip(&mrg.first, round, 2);
    for (unsigned k = 0; k < 76; k++)
        jump = hd_mrg32k3a_twice(jump);
    for (unsigned k = 0; k < HD__RANDOM_LANE_BITS; k++) {
        mrg.lanes[k] = jump;
        jump = hd_mrg32k3a_twice(jump);
    }
    return mrg;
}

/* Arguments of a launch in addition to its task. */
typedef union extra {
    hd__random_mrg mrg;
    hd_poisson poisson;
} extra;

/* Launches up to four times as many blocks as are resident: they end at different times, which
   keeps memory busy. Blocks that first build tables: only as many as are resident, or as there are
   workers. */
static hd_launch_config loop_of(uint64_t blocks, int tables, hd_stream *stream)
{
    const hd_launch_config once = hd_launch_loop((size_t)blocks, HD__RANDOM_THREADS, stream);
    const uint64_t all = (blocks + HD__RANDOM_THREADS - 1) / HD__RANDOM_THREADS;
    const unsigned units = (unsigned)hd__device_at(stream->device)->units;
    hd_launch_config shape = once;

    if (HD_SERIAL_THREADS) {
        shape.block.x = 1;
        shape.grid.x = tables && units < once.grid.x ? units : once.grid.x;
    } else if (!tables)
        shape.grid.x = all < 4 * (uint64_t)once.grid.x ? (unsigned)all : 4 * once.grid.x;
    return shape;
}

static hd_status shape_of(const hd_kernel *kernel, hd_random_generator generator, uint64_t blocks,
                          hd_stream *stream, hd_launch_config *shape)
{
    const unsigned lanes = blocks < HD__RANDOM_LANES ? (unsigned)blocks : HD__RANDOM_LANES;
    int64_t warp = 1;

    if (HD_SERIAL_THREADS || generator == HD_PHILOX) {
        *shape = loop_of(blocks, kernel == &hd__random_poisson_table_kernel, stream);
    } else if (generator == HD_MT19937) {
        HD_TRY(hd_device_get(stream->device, HD_ATTR_WARP_SIZE, &warp));
        *shape = hd_launch_with(hd_dim(HD__MT_LANES, 1, 1), hd_dim((unsigned)warp, 1, 1), 0,
                                stream);
    } else {
        *shape = hd_launch_1d(lanes, HD__RANDOM_THREADS, stream);
    }
    return HD_OK;
}

static hd_status launch(const hd_kernel *kernel, hd_random_generator generator, extra *more,
                        hd__random_task *task, hd_stream *stream)
{
    void *args[] = {task, more};
    hd_launch_config shape;

    HD_TRY(shape_of(kernel, generator, task->blocks, stream, &shape));
    if (generator == HD_MRG32K3A)
        more->mrg = mrg_of(task->seed, task->subsequence, task->block / HD__RANDOM_LANES);
    return hd_launch_kernel(kernel, shape, args, __FILE__, __LINE__);
}

/* Elements [0, n), in launches within which only the lower 31 bits of block numbers differ. */
static hd_status fill(const hd_kernel *kernel, extra *more, hd__random_task *task,
                      const hd_random *from, size_t size, hd_stream *stream)
{
    const uint64_t per_block = 16 / size;
    uint64_t left = task->n;

    task->block = from->offset / per_block;
    task->head = (uint32_t)(from->offset % per_block);
    task->seed = from->seed;
    task->subsequence = from->subsequence;
    task->keys = hd_philox_keys_of(from->seed);
    while (left > 0) {
        const uint64_t half = (task->block | INT32_MAX) - task->block; /* blocks after this one */
        const uint64_t all = (left + task->head - 1) / per_block;

        task->blocks = (all < half ? all : half) + 1;
        task->n = task->blocks * per_block - task->head;
        if (task->n > left)
            task->n = left;
        task->wide = ((uintptr_t)task->out - task->head * size) % 16 == 0;
        HD_TRY(launch(kernel, from->generator, more, task, stream));
        task->out = (char *)task->out + task->n * size;
        left -= task->n;
        task->block += task->blocks;
        task->head = 0;
    }
    return HD_OK;
}

/* `wide` is the distribution's 8-byte type, `narrow` its 4-byte type. */
static hd_status run(const char *call, int distribution, void *out, size_t n, hd_type type,
                     hd_type narrow, hd_type wide, double mean, double deviation,
                     const hd_random *from, hd_stream *stream)
{
    hd__random_task task = {0};
    extra more;

    HD_TRY(hd__random_check(call, from, n, UINT64_MAX, stream));
    if (type != narrow && type != wide)
        return hd__fail(HD_ERR_ARGUMENT, call, "type is neither %s nor %s", hd_type_name(narrow),
                        hd_type_name(wide));
    if (!isfinite(mean) || !isfinite(deviation) || deviation < 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "mean %g, deviation %g", mean, deviation);
    if (n == 0)
        return HD_OK;
    HD_TRY(hd__random_array(call, out, n, hd_type_bytes(type), stream, &task.out));
    task.n = n;
    task.mean = mean;
    task.deviation = deviation;
    task.mean32 = (float)mean;
    task.deviation32 = (float)deviation;
    return fill(kernels[distribution + (type == wide)][from->generator], &more, &task, from,
                hd_type_bytes(type), stream);
}

hd_status hd_random_fill_bits(void *out, size_t n, hd_type type, const hd_random *from,
                              hd_stream *stream)
{
    return run("hd_random_fill_bits", BITS, out, n, type, HD_U32, HD_U64, 0, 0, from, stream);
}

hd_status hd_random_fill_uniform(void *out, size_t n, hd_type type, const hd_random *from,
                                 hd_stream *stream)
{
    return run("hd_random_fill_uniform", UNIFORM, out, n, type, HD_F32, HD_F64, 0, 0, from, stream);
}

hd_status hd_random_fill_normal(void *out, size_t n, hd_type type, double mean, double deviation,
                                const hd_random *from, hd_stream *stream)
{
    return run("hd_random_fill_normal", NORMAL, out, n, type, HD_F32, HD_F64, mean, deviation, from,
               stream);
}

hd_status hd_random_fill_lognormal(void *out, size_t n, hd_type type, double mean, double deviation,
                                   const hd_random *from, hd_stream *stream)
{
    return run("hd_random_fill_lognormal", LOGNORMAL, out, n, type, HD_F32, HD_F64, mean, deviation,
               from, stream);
}

hd_status hd_random_fill_poisson(uint32_t *out, size_t n, double mean, const hd_random *from,
                                 hd_stream *stream)
{
    static const char call[] = "hd_random_fill_poisson";
    hd__random_task task = {0};
    extra more;

    HD_TRY(hd__random_check(call, from, n, (uint64_t)1 << 48, stream));
    if (from->generator != HD_PHILOX)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "Poisson counts come from philox, not from %s",
                        hd_random_name(from->generator));
    if (!(mean >= 0 && mean <= 0x1p30))
        return hd__fail(HD_ERR_ARGUMENT, call, "mean %g is not between 0 and 2^30", mean);
    if (n == 0)
        return HD_OK;
    HD_TRY(hd__random_array(call, out, n, sizeof *out, stream, &task.out));
    task.n = n;
    more.poisson = hd_poisson_make(mean);
    if (!more.poisson.rejects)
        return fill(&hd__random_poisson_table_kernel, &more, &task, from, sizeof *out, stream);
    return hd_launch(hd__random_poisson, hd_launch_loop(n, HD__RANDOM_THREADS, stream), from->seed,
                     from->subsequence, from->offset, n, more.poisson, (uint32_t *)task.out);
}
