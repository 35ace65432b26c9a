/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - splits reductions into tiles and launches their kernels. */
#include "plan.h"

#include "drivers/reduce/space.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

unsigned hd__reduce_force_groups;

/* Rows in the order of hd_reduce_op, then dot; columns in the order of hd_type. */
#define KERNELS(op)                                                                                \
    {                                                                                              \
        &hd__reduce_##op##_u8_kernel, &hd__reduce_##op##_i8_kernel, &hd__reduce_##op##_u16_kernel, \
            &hd__reduce_##op##_i16_kernel, &hd__reduce_##op##_u32_kernel,                          \
            &hd__reduce_##op##_i32_kernel, &hd__reduce_##op##_u64_kernel,                          \
            &hd__reduce_##op##_i64_kernel, &hd__reduce_##op##_f16_kernel,                          \
            &hd__reduce_##op##_f32_kernel, &hd__reduce_##op##_f64_kernel                           \
    }
static const hd_kernel *const kernels[HD__REDUCE_KERNEL_OPS][HD_TYPE_COUNT_] = {
    KERNELS(sum), KERNELS(prod),  KERNELS(extreme), KERNELS(extreme), KERNELS(arg),
    KERNELS(arg), KERNELS(norm1), KERNELS(norm2),   KERNELS(norminf), KERNELS(dot)};

hd_status hd__reduce_check(const char *call, hd_type type, int op)
{
    if ((int)type < 0 || type >= HD_TYPE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown element type %d", (int)type);
    if (type == HD_BF16)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "elements of type bf16");
    if (op < 0 || op >= HD__REDUCE_KERNEL_OPS)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown reduction %d", op);
    return HD_OK;
}

hd_status hd__reduce_split(const char *call, size_t n, hd_type type, hd__reduce_plan *plan)
{
    const size_t size = hd_type_bytes(type);
    if (n > SIZE_MAX / 2 / size)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory", n,
                        size);
    const uint64_t rows = hd__reduce_rows((uint64_t)n * size);
    if (rows > (uint64_t)INT32_MAX / HD__REDUCE_ROW_BYTES)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes are too many", n, size);
    plan->tile = (size_t)rows * HD__REDUCE_ROW_BYTES / size;
    plan->tiles = n / plan->tile + (n % plan->tile != 0);
    if (plan->tiles == 0)
        plan->tiles = 1;
    plan->workspace_bytes = HD__REDUCE_HEADER_BYTES + plan->tiles * HD__REDUCE_PARTIAL_BYTES;
    return HD_OK;
}

/* Groups of 256 threads per block, one tile each; 0 if a block is one thread. Up to four tiles fit
   in one block. */
static unsigned groups_for(hd__tune_choice choice, size_t tiles)
{
    if (hd__reduce_force_groups)
        return hd__reduce_force_groups;
    if (choice.of[HD__REDUCE_KNOB_GROUPS])
        return choice.of[HD__REDUCE_KNOB_GROUPS];
    if (HD_SERIAL_THREADS)
        return 0;
    return tiles == 2 ? 2 : tiles == 3 || tiles == 4 ? 4 : 1;
}

int hd__reduce_one_block(hd__tune_choice choice, size_t tiles)
{
    const unsigned groups = groups_for(choice, tiles);
    return tiles <= (groups ? groups : 1);
}

hd__tune_choice hd__reduce_choice(size_t n, hd_type type, int op, const hd_stream *stream)
{
    const unsigned kind = op == HD__REDUCE_DOT                 ? HD__REDUCE_KIND_DOT
                          : op == HD_ARGMIN || op == HD_ARGMAX ? HD__REDUCE_KIND_ARG
                                                               : HD__REDUCE_KIND_VALUE;
    return hd__tune_choose(HD__TUNE_REDUCE, kind, (unsigned)type, n, stream->device);
}

hd_status hd__reduce_launch(hd__reduce_task *task, hd_type type, int op, hd_stream *stream)
{
    return hd__reduce_launch_as(hd__reduce_choice(task->count, type, op, stream), task, type, op,
                                stream);
}

hd_status hd__reduce_launch_as(hd__tune_choice choice, hd__reduce_task *task, hd_type type, int op,
                               hd_stream *stream)
{
    const unsigned groups = groups_for(choice, task->tiles);
    const unsigned per_block = groups ? groups : 1;
    const unsigned blocks = task->tiles ? (task->tiles + per_block - 1) / per_block : 1;
    const unsigned threads = groups ? groups * HD__REDUCE_SLOTS : 1;
    void *args[] = {task};

    task->aligned = (((uintptr_t)task->in | (uintptr_t)task->in2) & 15) == 0;
    task->cached = task->count <= hd__device_at(stream->device)->cache_bytes / hd_type_bytes(type);
    if (choice.of[HD__REDUCE_KNOB_CACHE])
        task->cached = choice.of[HD__REDUCE_KNOB_CACHE] == 1;
    task->flip = op == HD_MAX || op == HD_ARGMAX || op == HD_NORM_INF ? UINT32_MAX : 0;
    return hd_launch_kernel(kernels[op][type],
                            hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(threads, 1, 1), 0, stream),
                            args, __FILE__, __LINE__);
}

hd_status hd__reduce_memory(const char *call, size_t bytes, hd_workspace *workspace,
                            hd_stream *stream, void **memory)
{
    static const char mark;
    return hd__scratch(call, bytes, HD__REDUCE_HEADER_BYTES, &mark, workspace, stream, memory);
}

size_t hd__reduce_result_bytes(hd_type type, int op)
{
    hd_result result;
    size_t bytes = 16;
    /* Dot products of 32-bit integers have 64-bit results. */
    if (op == HD__REDUCE_DOT && (type == HD_U32 || type == HD_I32))
        return sizeof(hd_i128);
    (void)hd_reduce_result(type, op == HD__REDUCE_DOT ? HD_SUM : (hd_reduce_op)op, &result, &bytes);
    return bytes;
}

hd_status hd__reduce_nothing(const char *call, hd_type type, int op, void *out, hd_stream *stream)
{
    hd_result result = HD_RESULT_F64;
    size_t bytes;
    if (op == HD_MIN || op == HD_MAX || op == HD_ARGMIN || op == HD_ARGMAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "an empty array has no %s",
                        hd_reduce_op_name((hd_reduce_op)op));
    HD_TRY(hd_fill_bytes(out, 0, 1, hd__reduce_result_bytes(type, op), stream));
    if (op != HD_PROD)
        return HD_OK;
    HD_TRY(hd_reduce_result(type, HD_PROD, &result, &bytes));
    /* An empty product is 1: writes the one 32-bit word that is not 0. */
    if (result == HD_RESULT_F32)
        return hd_fill_bytes(out, 0x3f800000u, 4, 1, stream);
    if (result == HD_RESULT_F64)
        return hd_fill_bytes((char *)out + 4, 0x3ff00000u, 4, 1, stream);
    return hd_fill_bytes(out, 1, 4, 1, stream);
}
