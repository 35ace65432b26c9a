/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c - copies and fills in stream order. */
#include "runtime/trace/trace.h"

/* Common checks of copies; *bytes is 0 if there is nothing to copy. */
static hd_status copy_check(const char *call, const void *to, const void *from, size_t count,
                            size_t size, hd_stream *stream, size_t *bytes)
{
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    *bytes = hd_bytes(count, size);
    if (*bytes == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory",
                        count, size);
    if (*bytes == 0)
        return HD_OK;
    if (!to || !from)
        return hd__null(call, to ? "from" : "to");
    return hd__capture_refuses_copy(call, stream, to, from);
}

hd_status hd_copy_bytes(void *to, const void *from, size_t count, size_t size, hd_stream *stream)
{
    static const char call[] = "hd_copy_bytes";
    hd__traced traced;
    size_t bytes;
    hd_status status = copy_check(call, to, from, count, size, stream, &bytes);
    if (status < 0 || bytes == 0)
        return status;
    hd__trace_begin_copy(&traced, call, to, from, bytes, stream);
    status = hdb_copy(to, from, bytes, stream);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}

hd_status hd_copy_blocking_bytes(void *to, const void *from, size_t count, size_t size,
                                 hd_stream *stream)
{
    static const char call[] = "hd_copy_blocking_bytes";
    hd__traced traced, waited;
    size_t bytes;
    hd_status status = copy_check(call, to, from, count, size, stream, &bytes);
    if (status < 0)
        return status;
    if (bytes != 0) {
        hd__trace_begin_copy(&traced, call, to, from, bytes, stream);
        status = hdb_copy(to, from, bytes, stream);
        hd__trace_end(&traced, status);
    }
    if (status >= 0) {
        hd__trace_begin_call(&waited, "hd_copy_blocking_bytes: wait", stream->device);
        status = hdb_stream_synchronize(stream);
        hd__trace_end_wait(&waited, status);
    }
    return hd__settle_wait(call, stream->device, status);
}

hd_status hd_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t row_bytes, size_t rows, hd_stream *stream)
{
    static const char call[] = "hd_copy_2d";
    hd__traced traced;
    size_t bytes, span;
    hd_status status = copy_check(call, to, from, row_bytes, rows, stream, &bytes);
    if (status < 0 || bytes == 0)
        return status;
    if (rows > 1 && (to_pitch < row_bytes || from_pitch < row_bytes))
        return hd__fail(HD_ERR_ARGUMENT, call, "a pitch of %zu is less than a row of %zu bytes",
                        to_pitch < from_pitch ? to_pitch : from_pitch, row_bytes);
    span = hd_bytes(to_pitch > from_pitch ? to_pitch : from_pitch, rows);
    if (span == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu rows do not fit in memory", rows);
    hd__trace_begin_copy(&traced, call, to, from, bytes, stream);
    if (rows == 1)
        status = hdb_copy(to, from, row_bytes, stream);
    else
        status = hdb_copy_2d(to, to_pitch, from, from_pitch, row_bytes, rows, stream);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}

hd_status hd_copy_peer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                       hd_stream *stream)
{
    static const char call[] = "hd_copy_peer";
    hd__device *target, *source;
    hd__traced traced;
    size_t checked;
    hd_status status = copy_check(call, to, from, bytes, 1, stream, &checked);
    if (status >= 0)
        status = hd__device_use(call, to_device, &target);
    if (status >= 0)
        status = hd__device_use(call, from_device, &source);
    if (status < 0)
        return status;
    if (stream->device != to_device && stream->device != from_device)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the stream is of device %d, the copy is from %d to %d", stream->device,
                        from_device, to_device);
    if (checked == 0)
        return HD_OK;
    hd__trace_begin_copy(&traced, call, to, from, bytes, stream);
    status = hdb_copy_peer(to, target->ordinal, from, source->ordinal, bytes, stream);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}

hd_status hd_fill_bytes(void *to, uint32_t value, size_t size, size_t count, hd_stream *stream)
{
    static const char call[] = "hd_fill_bytes";
    hd__traced traced;
    size_t bytes;
    hd_status status = copy_check(call, to, to, count, size, stream, &bytes);
    if (status < 0)
        return status;
    if (size != 1 && size != 2 && size != 4)
        return hd__fail(HD_ERR_ARGUMENT, call, "elements of %zu bytes; 1, 2 or 4 are possible",
                        size);
    if (bytes == 0)
        return HD_OK;
    if ((uintptr_t)to % size != 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "the address is not a multiple of %zu", size);
    hd__trace_begin(&traced, HD_TRACE_FILL, call, stream);
    traced.span.bytes = bytes;
    status = hdb_fill(to, value, size, count, stream);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}
