/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.c - hd_recurrence and hd_running_average: scans of pairs from two arrays. */
#include <heddle/recurrence.h>

#include "kernels/scan/recurrence.h"
#include "runtime/backend.h"
#include "plan.h"

#include <string.h>

static hd_status check_type(const char *call, hd_type type)
{
    if (type != HD_F32 && type != HD_F64)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "f32 and f64 are possible, not %s",
                        hd_type_name(type));
    return HD_OK;
}

hd_status hd_recurrence_workspace(size_t n, hd_type type, size_t *bytes)
{
    static const char call[] = "hd_recurrence_workspace";
    const size_t size = hd_type_bytes(type);
    uint32_t tiles = 0;
    HD_TRY(check_type(call, type));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    HD_TRY(hd__scan_tiles(call, n, size, 2 * size, &tiles));
    *bytes = hd__look_back_workspace(tiles, (unsigned)size / 2, hd__scan_repair_bytes(tiles));
    return HD_OK;
}

/* arrays: in, in2, out. */
static hd_status pairs(const char *call, const hd_kernel *kernel, const hd__scan_array *arrays,
                       size_t n, const void *first, uint32_t repairs, hd_workspace *workspace,
                       hd_stream *stream)
{
    const size_t size = arrays->size;
    const void *out = NULL;
    hd_scan_task task = {0};
    uint32_t tiles = 0;
    HD_TRY(hd__scan_tiles(call, n, size, 2 * size, &tiles));
    if (n == 0)
        return HD_OK;
    task.count = n;
    task.repairs = repairs;
    task.in_place = arrays[0].pointer == arrays[2].pointer ||
                    arrays[1].pointer == arrays[2].pointer;
    task.aligned = task.inclusive = 1;
    memcpy(task.first, first, 2 * size);
    HD_TRY(hd__scan_overlap(call, &arrays[0], &arrays[2], n, 1));
    HD_TRY(hd__scan_overlap(call, &arrays[1], &arrays[2], n, 1));
    HD_TRY(hd__scan_array_usable(call, &arrays[0], n, stream, &task.in, &task.aligned));
    HD_TRY(hd__scan_array_usable(call, &arrays[1], n, stream, &task.in2, &task.aligned));
    HD_TRY(hd__scan_array_usable(call, &arrays[2], n, stream, &out, &task.aligned));
    task.out = (void *)(uintptr_t)out;
    return hd__scan_launch(call, kernel, &task, HD__SCAN_OWN, size, 2 * size, 3 * n * size,
                           workspace, stream);
}

hd_status hd_recurrence(const void *s, const void *u, size_t n, hd_type type, const void *initial,
                        void *v, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_recurrence";
    const size_t size = hd_type_bytes(type);
    const hd__scan_array arrays[] = {{"s", s, size}, {"u", u, size}, {"v", v, size}};
    const float one32 = 1.0f;
    const double one64 = 1.0;
    unsigned char first[16] = {0}; /* the map x -> x + initial */
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check_type(call, type));
    memcpy(first, type == HD_F32 ? (const void *)&one32 : (const void *)&one64, size);
    if (initial)
        memcpy(first + size, initial, size);
    return pairs(call, type == HD_F32 ? &hd__recurrence_f32_kernel : &hd__recurrence_f64_kernel,
                 arrays, n, first, 1, workspace, stream);
}

hd_status hd_running_average(const void *x, const void *w, size_t n, hd_type type, void *out,
                             hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_running_average";
    const size_t size = hd_type_bytes(type);
    const hd__scan_array arrays[] = {{"x", x, size}, {"w", w, size}, {"out", out, size}};
    unsigned char first[16];
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check_type(call, type));
    hd__scan_first(type, HD_SUM, HD_SCAN_INCLUSIVE, NULL, first);
    hd__scan_first(type, HD_SUM, HD_SCAN_INCLUSIVE, NULL, first + size);
    return pairs(call, type == HD_F32 ? &hd__average_f32_kernel : &hd__average_f64_kernel, arrays,
                 n, first, 0, workspace, stream);
}
