/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - launches the variants of kernels/variants/scan.h; the variant that scans block totals on
   the host waits for them. */
#include "drivers/scan/plan.h"

#include "kernels/variants/scan.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct variant_kernels {
    hd_type type;
    hd_reduce_op op;
    const hd_kernel *step, *block, *add, *finish;
} variant_kernels;

enum {
    TYPE_u32 = HD_I32, /* u32: sums as for i32 */
    TYPE_i32 = HD_I32,
    TYPE_f32 = HD_F32,
    TYPE_f64 = HD_F64,
    OP_sum = HD_SUM,
    OP_min = HD_MIN,
    OP_max = HD_MAX
};
#define VARIANT(op, type, T)                                                                       \
    {(hd_type)TYPE_##type,                                                                         \
     (hd_reduce_op)OP_##op,                                                                        \
     &hd__scan_step_##op##_##type##_kernel,                                                        \
     &hd__scan_block_##op##_##type##_kernel,                                                       \
     &hd__scan_add_##op##_##type##_kernel,                                                         \
     &hd__scan_finish_##op##_##type##_kernel},
static const variant_kernels variants[] = {HD__SCAN_VARIANT_LIST(VARIANT)};

enum { LEVELS = 8 }; /* totals of blocks, of blocks of totals, ... */

static size_t blocks_of(size_t n)
{
    return n / HD__SCAN_BLOCK + (n % HD__SCAN_BLOCK != 0);
}

/* Results before the initial value is applied, and a second copy of them or the levels of
   totals. */
size_t hd__scan_variant_bytes(hd_scan_algorithm algorithm, size_t n, hd_type type)
{
    size_t elements = algorithm == HD_SCAN_HILLIS_STEELE ? 2 * n : n;
    for (size_t m = n; algorithm != HD_SCAN_HILLIS_STEELE && m > 1;) {
        m = blocks_of(m);
        elements += m;
    }
    return (elements + 1) * hd_type_bytes(type);
}

static hd_status launch(const hd_kernel *kernel, size_t n, void **args, hd_stream *stream)
{
    return hd_launch_kernel(kernel,
                            hd_launch_with(hd_dim((unsigned)blocks_of(n), 1, 1),
                                           hd_dim(HD__SCAN_BLOCK, 1, 1), 0, stream),
                            args, __FILE__, __LINE__);
}

/* *s: the half of `memory` that holds the result. */
static hd_status hillis_steele(const variant_kernels *kernels, const hd_scan_task *task,
                               char *memory, void **s, hd_stream *stream)
{
    const void *from = task->in;
    size_t n = task->count, stride = 1;
    int half = 0;
    do {
        void *to = memory + (half ? n * hd_type_bytes(kernels->type) : 0);
        void *args[] = {&n, &stride, &from, &to};
        HD_TRY(launch(kernels->step, n, args, stream));
        from = *s = to;
        half = !half;
        stride *= 2;
    } while (stride < n);
    return HD_OK;
}

/* Scans blocks, then recursively their totals, then adds the totals to the blocks. */
static hd_status by_levels(const variant_kernels *kernels, const hd_scan_task *task, char *memory,
                           hd_stream *stream)
{
    const size_t size = hd_type_bytes(kernels->type);
    void *level[LEVELS] = {memory};
    size_t count[LEVELS] = {task->count};
    int top = 0;
    do {
        const void *from = top == 0 ? task->in : level[top];
        level[top + 1] = (char *)level[top] + count[top] * size;
        count[top + 1] = blocks_of(count[top]);
        void *args[] = {&count[top], &from, &level[top], &level[top + 1]};
        HD_TRY(launch(kernels->block, count[top], args, stream));
        top++;
    } while (count[top] > 1 && top < LEVELS - 1);
    for (int k = top - 2; k >= 0; k--) {
        void *args[] = {&count[k], &level[k + 1], &level[k]};
        HD_TRY(launch(kernels->add, count[k], args, stream));
    }
    return HD_OK;
}

static double lower(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (double)NAN;
    return a < b || (a == b && signbit(a)) ? a : b;
}

/* totals[i] combined with all before it. */
static void scan_on_host(void *totals, size_t count, hd_type type, hd_reduce_op op)
{
    for (size_t i = 1; i < count; i++) {
        if (type == HD_I32) {
            int32_t *t = (int32_t *)totals + i;
            if (op == HD_SUM)
                *t = (int32_t)((uint32_t)t[-1] + (uint32_t)t[0]);
            else if (op == HD_MIN ? t[-1] < t[0] : t[-1] > t[0])
                *t = t[-1];
        } else if (type == HD_F32) {
            float *t = (float *)totals + i;
            const double a = (double)t[-1], b = (double)t[0];
            *t = op == HD_SUM ? t[-1] + t[0] : (float)(op == HD_MIN ? lower(a, b) : -lower(-a, -b));
        } else {
            double *t = (double *)totals + i;
            *t = op == HD_SUM   ? t[-1] + t[0]
                 : op == HD_MIN ? lower(t[-1], t[0])
                                : -lower(-t[-1], -t[0]);
        }
    }
}

static hd_status by_host(const variant_kernels *kernels, const hd_scan_task *task, char *memory,
                         hd_stream *stream)
{
    const size_t size = hd_type_bytes(kernels->type);
    size_t n = task->count, blocks = blocks_of(n);
    const void *from = task->in;
    void *s = memory, *totals = memory + n * size, *host = malloc(blocks * size);
    void *block_args[] = {&n, &from, &s, &totals}, *add_args[] = {&n, &totals, &s};
    hd_status status;
    if (!host)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_scan", "no memory for %zu totals", blocks);
    HD_GOTO(status, done, launch(kernels->block, n, block_args, stream));
    HD_GOTO(status, done, hd_copy_blocking_bytes(host, totals, blocks, size, stream));
    scan_on_host(host, blocks, kernels->type, kernels->op);
    HD_GOTO(status, done, hd_copy_blocking_bytes(totals, host, blocks, size, stream));
    status = launch(kernels->add, n, add_args, stream);
done:
    free(host);
    return status;
}

static hd_status run(const variant_kernels *kernels, hd_scan_algorithm algorithm,
                     const hd_scan_task *task, char *memory, hd_stream *stream)
{
    size_t n = task->count;
    uint32_t inclusive = task->inclusive;
    void *s = memory, *out = task->out, *first = (void *)(uintptr_t)task->first;
    void *args[] = {&n, &inclusive, first, &s, &out};
    if (algorithm == HD_SCAN_HILLIS_STEELE)
        HD_TRY(hillis_steele(kernels, task, memory, &s, stream));
    else if (algorithm == HD_SCAN_SHUFFLE)
        HD_TRY(by_levels(kernels, task, memory, stream));
    else
        HD_TRY(by_host(kernels, task, memory, stream));
    return launch(kernels->finish, n, args, stream);
}

hd_status hd__scan_variant(hd_scan_algorithm algorithm, const hd_scan_task *task, hd_type type,
                           hd_reduce_op op, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_scan", mark;
    const size_t bytes = hd__scan_variant_bytes(algorithm, task->count, type);
    const variant_kernels *kernels = NULL;
    void *memory = NULL;
    hd_status status, later;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (variants[i].type == type && variants[i].op == op)
            kernels = &variants[i];
    if (!kernels)
        return hd__fail(HD_ERR_UNSUPPORTED, call,
                        "only sum, min and max of i32, f32 and f64 have variants, not %s of %s",
                        hd_reduce_op_name(op), hd_type_name(type));
    if (!workspace) { /* the host variant may not hold the scratch that long */
        HD_TRY(hd_alloc_async_bytes(&memory, bytes, 1, stream));
        status = run(kernels, algorithm, task, memory, stream);
        later = hd_free_async(memory, stream);
        return status < 0 ? status : later;
    }
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, bytes, 0, &mark, workspace, stream, &memory);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status < 0 ? status : run(kernels, algorithm, task, memory, stream);
}
