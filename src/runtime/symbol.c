/* SPDX-License-Identifier: Apache-2.0 */
/* symbol.c - device variables and constant tables: each device has its own copy. */
#include "runtime/trace/trace.h"

/* The address of part of the symbol on the stream's device. */
static hd_status symbol_part(const char *call, const hd_symbol *symbol, size_t offset, size_t bytes,
                             const hd_stream *stream, unsigned char **part)
{
    void *address = NULL;
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!symbol)
        return hd__null(call, "symbol");
    if (offset > symbol->bytes || bytes > symbol->bytes - offset)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "%zu bytes at offset %zu exceed %s, which has %zu bytes", bytes, offset,
                        symbol->name, symbol->bytes);
    status = hdb_symbol_address(symbol, stream->ordinal, &address);
    if (status >= 0)
        *part = (unsigned char *)address + offset;
    return hd__settle(call, stream->device, status);
}

hd_status hd_symbol_write(const hd_symbol *symbol, size_t offset, const void *from, size_t bytes,
                          hd_stream *stream)
{
    static const char call[] = "hd_symbol_write";
    unsigned char *part;
    hd__traced traced;
    hd_status status = symbol_part(call, symbol, offset, bytes, stream, &part);
    if (status < 0 || bytes == 0)
        return status;
    if (!from)
        return hd__null(call, "from");
    status = hd__capture_refuses_copy(call, stream, from, from);
    if (status < 0)
        return status;
    hd__trace_begin_copy(&traced, call, part, from, bytes, stream);
    status = hdb_copy(part, from, bytes, stream);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}

hd_status hd_symbol_read(void *to, const hd_symbol *symbol, size_t offset, size_t bytes,
                         hd_stream *stream)
{
    static const char call[] = "hd_symbol_read";
    unsigned char *part;
    hd__traced traced;
    hd_status status = symbol_part(call, symbol, offset, bytes, stream, &part);
    if (status < 0 || bytes == 0)
        return status;
    if (!to)
        return hd__null(call, "to");
    status = hd__capture_refuses_copy(call, stream, to, to);
    if (status < 0)
        return status;
    hd__trace_begin_copy(&traced, call, to, part, bytes, stream);
    status = hdb_copy(to, part, bytes, stream);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}

hd_status hd_symbol_address(const hd_symbol *symbol, int device, void **address)
{
    static const char call[] = "hd_symbol_address";
    hd__device *entry;
    void *got = NULL;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!symbol || !address)
        return hd__null(call, symbol ? "address" : "symbol");
    status = hd__settle(call, device, hdb_symbol_address(symbol, entry->ordinal, &got));
    if (status >= 0)
        *address = got;
    return status;
}
