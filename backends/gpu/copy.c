/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c - copies and fills. The vendor's runtime derives the direction from the pointers. */
#include "gpu.h"

hd_status hdb_copy(void *to, const void *from, size_t bytes, hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_copy_bytes", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_copy_bytes", GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyDefault),
                                                            hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                      size_t row_bytes, size_t rows, hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_copy_2d", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_copy_2d",
                          GPU(Memcpy2DAsync)(to, to_pitch, from, from_pitch, row_bytes, rows,
                                             GPU(MemcpyDefault), hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_copy_peer(void *to, int to_ordinal, const void *from, int from_ordinal, size_t bytes,
                        hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_copy_peer", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_copy_peer", GPU(MemcpyPeerAsync)(to, to_ordinal, from, from_ordinal,
                                                               bytes, hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

/* Whether all of the low `size` bytes of the value equal the lowest one. */
static int is_one_byte(uint32_t value, size_t size)
{
    uint32_t mask = size == 4 ? UINT32_MAX : size == 2 ? 0xffffu : 0xffu;
    return ((value ^ (value & 0xffu) * 0x01010101u) & mask) == 0;
}

hd_status hdb_fill(void *to, uint32_t value, size_t size, size_t count, hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_fill_bytes", stream->ordinal, &previous);
    if (status < 0)
        return status;
    GPU(Error_t) error;
    if (is_one_byte(value, size))
        error = GPU(MemsetAsync)(to, (int)(value & 0xffu), count * size, hd_gpu_stream(stream));
    else
        error = GPU_FillWords(to, value, size, count, hd_gpu_stream(stream));
    status = hd_gpu_check("hd_fill_bytes", error);
    hd_gpu_leave(stream->ordinal, previous);
    /* The other arguments are valid: the pointer is plain host memory, or invalid. */
    return status == HD_ERR_ARGUMENT ? hd_gpu_restate(HD_ERR_POINTER, "hd_fill_bytes") : status;
}
