/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - launches the variants of kernels/variants/reduce.h; the variant that folds block
   partials on the host is implemented here. */
#include "drivers/reduce/plan.h"

#include "kernels/variants/reduce.h"
#include "runtime/backend.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

typedef struct variant_kernels {
    hd_type type;
    int op;
    const hd_kernel *begin, *tree, *shuffle, *atomic, *lock, *fold;
} variant_kernels;

/* Names of types and operations in kernel names. */
enum {
    TYPE_i32 = HD_I32,
    TYPE_f32 = HD_F32,
    TYPE_f64 = HD_F64,
    OP_sum = HD_SUM,
    OP_min = HD_MIN,
    OP_max = HD_MAX
};
#define VARIANT(op, type)                                                                          \
    {(hd_type)TYPE_##type,                                                                         \
     OP_##op,                                                                                      \
     &hd__reduce_begin_##op##_##type##_kernel,                                                     \
     &hd__reduce_tree_##op##_##type##_kernel,                                                      \
     &hd__reduce_shuffle_##op##_##type##_kernel,                                                   \
     &hd__reduce_atomic_##op##_##type##_kernel,                                                    \
     &hd__reduce_lock_##op##_##type##_kernel,                                                      \
     &hd__reduce_fold_##op##_##type##_kernel},
static const variant_kernels variants[] = {HD__REDUCE_VARIANT_LIST(VARIANT)};

static const variant_kernels *find(hd_type type, int op)
{
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (variants[i].type == type && variants[i].op == op)
            return &variants[i];
    return NULL;
}

static hd_status launch(const hd_kernel *kernel, const hd__reduce_task *task, unsigned blocks,
                        unsigned threads, hd_stream *stream)
{
    hd__reduce_task copy = *task;
    void *args[] = {&copy};
    return hd_launch_kernel(kernel,
                            hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(threads, 1, 1), 0, stream),
                            args, __FILE__, __LINE__);
}

/* ---- partials folded on the host: 256 columns, then a tree ----------------------------------- */

/* A partial, in 16 bytes. */
typedef union host_partial {
    int64_t i64;
    float f32;
    double f64;
    unsigned char bytes[HD__REDUCE_PARTIAL_BYTES];
} host_partial;

#define HOST_EXTREME(type, bits)                                                                   \
    static type lower_##bits(type a, type b)                                                       \
    {                                                                                              \
        if (isnan(a) || isnan(b))                                                                  \
            return (type)NAN;                                                                      \
        if (a < b || b < a)                                                                        \
            return a < b ? a : b;                                                                  \
        return signbit(a) ? a : b;                                                                 \
    }
HOST_EXTREME(float, f32)
HOST_EXTREME(double, f64)

static host_partial join_i64(host_partial a, host_partial b, int op)
{
    if (op == HD_SUM)
        a.i64 += b.i64;
    else if (op == HD_MIN ? b.i64 < a.i64 : b.i64 > a.i64)
        a.i64 = b.i64;
    return a;
}

static host_partial join_f32(host_partial a, host_partial b, int op)
{
    a.f32 = op == HD_SUM   ? a.f32 + b.f32
            : op == HD_MIN ? lower_f32(a.f32, b.f32)
                           : -lower_f32(-a.f32, -b.f32);
    return a;
}

static host_partial join_f64(host_partial a, host_partial b, int op)
{
    a.f64 = op == HD_SUM   ? a.f64 + b.f64
            : op == HD_MIN ? lower_f64(a.f64, b.f64)
                           : -lower_f64(-a.f64, -b.f64);
    return a;
}

static host_partial join(host_partial a, host_partial b, hd_type type, int op)
{
    return type == HD_I32   ? join_i64(a, b, op)
           : type == HD_F32 ? join_f32(a, b, op)
                            : join_f64(a, b, op);
}

/* Folds columns of partials in place, then the tree; empty columns take no part. */
static host_partial host_fold(host_partial *partials, size_t total, hd_type type, int op)
{
    size_t columns = total < HD__REDUCE_SLOTS ? total : HD__REDUCE_SLOTS;
    for (size_t i = HD__REDUCE_SLOTS; i < total; i++)
        partials[i % HD__REDUCE_SLOTS] = join(partials[i % HD__REDUCE_SLOTS], partials[i], type,
                                              op);
    for (size_t stride = 1; stride < columns; stride *= 2)
        for (size_t c = 0; c + stride < columns; c += 2 * stride)
            partials[c] = join(partials[c], partials[c + stride], type, op);
    if (type == HD_F32 && isnan(partials[0].f32))
        partials[0].f32 = NAN;
    if (type == HD_F64 && isnan(partials[0].f64))
        partials[0].f64 = (double)NAN;
    return partials[0];
}

/* The same in the default floating-point mode, whatever the caller's mode is. */
static host_partial host_fold_default(host_partial *partials, size_t total, hd_type type, int op)
{
    fenv_t callers;
    host_partial result;
    (void)feholdexcept(&callers);
    (void)fesetenv(FE_DFL_ENV);
    result = host_fold(partials, total, type, op);
    (void)fesetenv(&callers);
    return result;
}

static hd_status on_host(const variant_kernels *kernels, const hd__reduce_task *task,
                         hd_stream *stream)
{
    host_partial *partials = malloc(task->total * sizeof *partials);
    host_partial result;
    hd_status status;
    if (!partials)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_reduce", "no memory for %u partials", task->total);
    HD_GOTO(status, done, launch(kernels->tree, task, task->tiles, HD__REDUCE_SLOTS, stream));
    HD_GOTO(
        status, done,
        hd_copy_blocking_bytes(partials, task->partials, task->total, sizeof *partials, stream));
    result = host_fold_default(partials, task->total, kernels->type, kernels->op);
    status = hd_copy_blocking_bytes(task->out, &result, 1, kernels->type == HD_F32 ? 4 : 8, stream);
done:
    free(partials);
    return status;
}

/* ---- the others ------------------------------------------------------------------------------ */

/* Blocks reduce tiles; a second launch of one block folds their partials. */
static hd_status two_launches(const hd_kernel *tiles, const hd_kernel *fold,
                              const hd__reduce_task *task, hd_stream *stream)
{
    HD_TRY(launch(tiles, task, task->tiles, HD__REDUCE_SLOTS, stream));
    return launch(fold, task, 1, HD__REDUCE_SLOTS, stream);
}

/* Blocks update one result atomically, in any order. */
static hd_status one_value(const hd_kernel *tiles, const variant_kernels *kernels,
                           const hd__reduce_task *task, hd_stream *stream)
{
    hd__reduce_task fold = *task;
    fold.total = 1;
    HD_TRY(launch(kernels->begin, task, 1, 1, stream));
    HD_TRY(launch(tiles, task, task->tiles, HD__REDUCE_SLOTS, stream));
    return launch(kernels->fold, &fold, 1, HD__REDUCE_SLOTS, stream);
}

hd_status hd__reduce_variant(hd_reduce_algorithm algorithm, const hd__reduce_task *task,
                             hd_type type, int op, hd_stream *stream)
{
    const variant_kernels *kernels = find(type, op);
    if (!kernels)
        return hd__fail(HD_ERR_UNSUPPORTED, "hd_reduce",
                        "only sum, min and max of i32, f32 and f64 have variants, not %s of %s",
                        hd_reduce_op_name((hd_reduce_op)op), hd_type_name(type));
    switch (algorithm) {
    case HD_REDUCE_TREE:
        return two_launches(kernels->tree, kernels->fold, task, stream);
    case HD_REDUCE_SHUFFLE:
        return two_launches(kernels->shuffle, kernels->fold, task, stream);
    case HD_REDUCE_HOST:
        return on_host(kernels, task, stream);
    case HD_REDUCE_ATOMIC:
        return one_value(kernels->atomic, kernels, task, stream);
    case HD_REDUCE_LOCK:
        return one_value(kernels->lock, kernels, task, stream);
    default:
        return hd__fail(HD_ERR_ARGUMENT, "hd_reduce", "unknown variant %d", (int)algorithm);
    }
}
