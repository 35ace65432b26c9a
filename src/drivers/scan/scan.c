/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - hd_scan, hd_scan_segments, hd_scan_own: check the arguments and launch one kernel. */
#include "plan.h"

#include "kernels/scan/scan.h"
#include "runtime/backend.h"

#include <string.h>

/* Kernels of one type: sum, min, max; then the same with head flags. */
typedef struct scan_kernels {
    const hd_kernel *plain[3], *segments[3];
} scan_kernels;

#define KERNELS(sum, type)                                                                         \
    {                                                                                              \
        {&hd__scan_sum_##sum##_kernel, &hd__scan_min_##type##_kernel,                              \
         &hd__scan_max_##type##_kernel},                                                           \
        {                                                                                          \
            &hd__scan_segments_sum_##sum##_kernel, &hd__scan_segments_min_##type##_kernel,         \
                &hd__scan_segments_max_##type##_kernel                                             \
        }                                                                                          \
    }
static const scan_kernels kernels[HD_TYPE_COUNT_] = {
    [HD_I32] = KERNELS(u32, i32), [HD_U32] = KERNELS(u32, u32), [HD_I64] = KERNELS(u64, i64),
    [HD_U64] = KERNELS(u64, u64), [HD_F32] = KERNELS(f32, f32), [HD_F64] = KERNELS(f64, f64)};

static hd_status check(const char *call, hd_type type, hd_reduce_op op, hd_scan_kind kind)
{
    if ((int)type < 0 || type >= HD_TYPE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown element type %d", (int)type);
    if ((int)op < 0 || op >= HD_REDUCE_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown operation %d", (int)op);
    if (kind != HD_SCAN_INCLUSIVE && kind != HD_SCAN_EXCLUSIVE)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown kind of scan %d", (int)kind);
    if (!kernels[type].plain[0])
        return hd__fail(HD_ERR_UNSUPPORTED, call, "%s has no scans: i32 u32 i64 u64 f32 f64 have",
                        hd_type_name(type));
    if (op != HD_SUM && op != HD_MIN && op != HD_MAX)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "%s has no scan: sum, min and max have",
                        hd_reduce_op_name(op));
    return HD_OK;
}

static size_t op_index(hd_reduce_op op)
{
    return op == HD_SUM ? 0 : op == HD_MIN ? 1 : 2;
}

hd_status hd_scan_workspace(hd_scan_algorithm algorithm, size_t n, hd_type type, size_t *bytes)
{
    static const char call[] = "hd_scan_workspace";
    uint32_t tiles = 0;
    if ((int)algorithm < 0 || algorithm >= HD_SCAN_ALGORITHM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)algorithm);
    HD_TRY(check(call, type, HD_SUM, HD_SCAN_INCLUSIVE));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    HD_TRY(hd__scan_tiles(call, n, hd_type_bytes(type), 2 * hd_type_bytes(type), &tiles));
    if (algorithm != HD_SCAN_AUTO)
        *bytes = hd__scan_variant_bytes(algorithm, n, type);
    else /* a segmented value carries a flag as wide as the element */
        *bytes = hd__look_back_workspace(tiles, (unsigned)hd_type_bytes(type) / 2, 0);
    return HD_OK;
}

/* Checks the arrays of a call and sets their addresses in the task. */
static hd_status set_arrays(const char *call, hd_scan_task *task, const hd__scan_array *in,
                            const hd__scan_array *heads, const hd__scan_array *out,
                            hd_stream *stream)
{
    const void *usable = NULL;
    HD_TRY(hd__scan_overlap(call, in, out, task->count, 1));
    HD_TRY(hd__scan_array_usable(call, in, task->count, stream, &task->in, &task->aligned));
    HD_TRY(hd__scan_array_usable(call, out, task->count, stream, &usable, &task->aligned));
    task->out = (void *)(uintptr_t)usable;
    if (!heads)
        return HD_OK;
    HD_TRY(hd__scan_overlap(call, heads, out, task->count, 0));
    task->flag_bytes = (uint32_t)heads->size;
    return hd__scan_array_usable(call, heads, task->count, stream, &task->in2, &task->aligned);
}

static hd_status scan(const char *call, hd_scan_algorithm algorithm, const hd__scan_array *in,
                      const hd__scan_array *heads, size_t n, hd_type type, hd_reduce_op op,
                      hd_scan_kind kind, const void *initial, void *out, hd_workspace *workspace,
                      hd_stream *stream)
{
    const size_t size = hd_type_bytes(type), value = heads ? 2 * size : size;
    const hd__scan_array to = {"out", out, size};
    hd_scan_task task = {0};
    uint32_t tiles = 0;
    HD_TRY(hd__scan_tiles(call, n, size, value, &tiles));
    if (n == 0)
        return HD_OK;
    task.count = n;
    task.aligned = 1;
    task.inclusive = kind == HD_SCAN_INCLUSIVE;
    HD_TRY(set_arrays(call, &task, in, heads, &to, stream));
    hd__scan_first(type, op, kind, initial, task.first);
    if (algorithm != HD_SCAN_AUTO)
        return hd__scan_variant(algorithm, &task, type, op, workspace, stream);
    return hd__scan_launch(
        call, heads ? kernels[type].segments[op_index(op)] : kernels[type].plain[op_index(op)],
        &task, (int)type, size, value, n * (2 * size + task.flag_bytes), workspace, stream);
}

hd_status hd_scan_with(hd_scan_algorithm algorithm, const void *in, size_t n, hd_type type,
                       hd_reduce_op op, hd_scan_kind kind, const void *initial, void *out,
                       hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_scan";
    const hd__scan_array from = {"in", in, hd_type_bytes(type)};
    if ((int)algorithm < 0 || algorithm >= HD_SCAN_ALGORITHM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)algorithm);
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check(call, type, op, kind));
    return scan(call, algorithm, &from, NULL, n, type, op, kind, initial, out, workspace, stream);
}

hd_status hd_scan(const void *in, size_t n, hd_type type, hd_reduce_op op, hd_scan_kind kind,
                  const void *initial, void *out, hd_workspace *workspace, hd_stream *stream)
{
    return hd_scan_with(HD_SCAN_AUTO, in, n, type, op, kind, initial, out, workspace, stream);
}

hd_status hd_scan_segments(const void *in, const void *heads, hd_type head_type, size_t n,
                           hd_type type, hd_reduce_op op, hd_scan_kind kind, const void *initial,
                           void *out, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_scan_segments";
    const hd__scan_array from = {"in", in, hd_type_bytes(type)};
    const hd__scan_array flags = {"heads", heads, hd_type_bytes(head_type)};
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check(call, type, op, kind));
    if (head_type != HD_U8 && head_type != HD_U32)
        return hd__fail(HD_ERR_ARGUMENT, call, "head flags are u8 or u32, not %s",
                        hd_type_name(head_type));
    return scan(call, HD_SCAN_AUTO, &from, &flags, n, type, op, kind, initial, out, workspace,
                stream);
}

static hd_status check_own(const char *call, size_t n, size_t size, uint32_t *tiles)
{
    if (size < 4 || size > HD_SCAN_VALUE_BYTES || size % 4 != 0)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "elements of %zu bytes; 4 to %d, in multiples of 4, are possible", size,
                        (int)HD_SCAN_VALUE_BYTES);
    return hd__scan_tiles(call, n, size, size, tiles);
}

hd_status hd_scan_own_workspace(size_t n, size_t size, size_t *bytes)
{
    static const char call[] = "hd_scan_own_workspace";
    uint32_t tiles = 0;
    HD_TRY(check_own(call, n, size, &tiles));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    *bytes = hd__look_back_workspace(tiles, (unsigned)size / 4, 0);
    return HD_OK;
}

hd_status hd_scan_own(const hd_kernel *kernel, const void *in, size_t n, size_t size,
                      hd_scan_kind kind, const void *first, void *out, hd_workspace *workspace,
                      hd_stream *stream)
{
    static const char call[] = "hd_scan_own";
    const hd__scan_array from = {"in", in, size}, to = {"out", out, size};
    hd_scan_task task = {0};
    uint32_t tiles = 0;
    if (!kernel || !first || !stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !kernel  ? "kernel"
                        : !first ? "first"
                                 : "stream");
    HD_TRY(check_own(call, n, size, &tiles));
    if (kernel->arg_count != 1 || kernel->arg_sizes[0] != sizeof task)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is not a kernel of heddle/device/scan.inc",
                        kernel->name);
    if (kind != HD_SCAN_INCLUSIVE && kind != HD_SCAN_EXCLUSIVE)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown kind of scan %d", (int)kind);
    if (n == 0)
        return HD_OK;
    task.count = n;
    task.aligned = 1;
    task.inclusive = kind == HD_SCAN_INCLUSIVE;
    HD_TRY(set_arrays(call, &task, &from, NULL, &to, stream));
    memcpy(task.first, first, size);
    return hd__scan_launch(call, kernel, &task, HD__SCAN_OWN, size, size, 2 * n * size, workspace,
                           stream);
}
