/* SPDX-License-Identifier: Apache-2.0 */
/* scratch.c - a caller's workspace or the stream's scratch, with a zeroed header. */
#include "scratch.h"

#include "array.h"
#include "runtime/backend.h"

/* The value of `prepared` that says that this driver's header in this memory is 0; never 0 itself.
   Odd factors mix the parts. The epoch is included because memory allocated after a free can have
   the same address. */
static uint64_t prepared_tag(const hd_workspace *workspace, const void *mark, unsigned epoch)
{
    const uint64_t tag = (uint64_t)(uintptr_t)workspace->memory * 0x9e3779b97f4a7c15u ^
                         (uint64_t)workspace->bytes * 0xd6e8feb86659fd93u ^
                         (uint64_t)(uintptr_t)mark * 0xc2b2ae3d27d4eb4fu ^
                         (uint64_t)epoch * 0xa0761d6478bd642fu;
    return tag ? tag : 1;
}

static hd_status clear(void *memory, size_t header_bytes, hd_stream *stream)
{
    return header_bytes ? hd_fill_bytes(memory, 0, 1, header_bytes, stream) : HD_OK;
}

static hd_status scratch_of_stream(size_t bytes, size_t header_bytes, const char *marks,
                                   unsigned count, hd_stream *stream, void **memory)
{
    int grew = 0, capturing = 0;
    HD_TRY(hd__stream_scratch(stream, bytes, memory, &grew));
    for (unsigned i = 0; i < count && !grew; i++)
        if (stream->scratch_note == marks + i)
            return HD_OK;
    stream->scratch_note = NULL;
    HD_TRY(clear(*memory, header_bytes, stream));
    /* A captured fill has not been executed: the next call fills again. */
    HD_TRY(hdb_stream_capturing(stream, &capturing));
    if (!capturing)
        stream->scratch_note = marks;
    return HD_OK;
}

hd_status hd__scratch(const char *call, size_t bytes, size_t header_bytes, const void *mark,
                      hd_workspace *workspace, hd_stream *stream, void **memory)
{
    return hd__scratch_sized(call, bytes, header_bytes, mark, 1, workspace, stream, memory);
}

hd_status hd__scratch_sized(const char *call, size_t bytes, size_t header_bytes, const char *marks,
                            unsigned count, hd_workspace *workspace, hd_stream *stream,
                            void **memory)
{
    const unsigned epoch = hd__memory_epoch();
    int capturing = 0;
    size_t room = 0;
    if (!workspace)
        return scratch_of_stream(bytes, header_bytes, marks, count, stream, memory);
    if (!workspace->memory || workspace->bytes < bytes)
        return hd__fail(HD_ERR_WORKSPACE, call, "the workspace has %zu bytes, %zu are needed",
                        workspace->memory ? workspace->bytes : 0, bytes);
    HD_TRY(hd__array_room(call, "workspace", workspace->memory, 256, stream, memory, &room));
    if (workspace->bytes > room)
        return hd__fail(HD_ERR_WORKSPACE, call,
                        "the workspace needs %zu bytes; its allocation has %zu left",
                        workspace->bytes, room);
    for (unsigned i = 0; i < count; i++)
        if (workspace->prepared == prepared_tag(workspace, marks + i, epoch))
            return HD_OK;
    HD_TRY(clear(*memory, header_bytes, stream));
    /* A captured fill has not been executed: the next call fills again. */
    HD_TRY(hdb_stream_capturing(stream, &capturing));
    if (!capturing)
        workspace->prepared = prepared_tag(workspace, marks, epoch);
    return HD_OK;
}
