/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c - copies between devices along the path of the pair. */
#include "peer.h"

#include <heddle/graph.h>

static const char call[] = "hd_transfer";

static void staged_add(int from, int to, size_t bytes)
{
    hd__pair *pair = hd__pair_of(from, to);

    if (pair)
        (void)__atomic_fetch_add(&pair->staged[from > to], bytes, __ATOMIC_RELAXED);
}

hd_status hd_peer_staged_bytes(int from, int to, uint64_t *bytes)
{
    hd__pair *pair;
    int can;

    HD_TRY(hd_peer_possible(from, to, &can)); /* rejects devices that do not exist */
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, "hd_peer_staged_bytes", "bytes is NULL");
    pair = from != to ? hd__pair_of(from, to) : NULL;
    *bytes = pair ? __atomic_load_n(&pair->staged[from > to], __ATOMIC_RELAXED) : 0;
    return HD_OK;
}

/* The probe cannot be captured. */
static hd_status capture_check(int a, int b, hd_stream *stream)
{
    const hd__pair *pair = a != b && a >= 0 && b >= 0 ? hd__pair_of(a, b) : NULL;
    int capturing = 0;

    if (!pair || __atomic_load_n(&pair->decided, __ATOMIC_ACQUIRE))
        return HD_OK;
    HD_TRY(hd_stream_capturing(stream, &capturing));
    if (capturing)
        return hd__fail(HD_ERR_STATE, call,
                        "the stream is captured, and devices %d and %d are not connected: call "
                        "hd_peer_connect before the capture",
                        b, a);
    return HD_OK;
}

hd_status hd_transfer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                      hd_stream *stream)
{
    hd_peer_path path;
    int device;

    HD_TRY(hd_stream_device(stream, &device));
    HD_TRY(capture_check(to_device, from_device, stream));
    HD_TRY(hd_peer_connect(to_device, from_device, &path));
    if (device != to_device && device != from_device)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "the stream is of device %d, the transfer is from %d to %d", device,
                        from_device, to_device);
    if (bytes == 0)
        return HD_OK;
    if (!to || !from)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", to ? "from" : "to");
    if (path != HD_PATH_STAGED)
        return hd_copy_bytes(to, from, bytes, 1, stream);
    HD_TRY(hd__relay(call, to, to_device, from, from_device, bytes, stream));
    staged_add(from_device, to_device, bytes);
    return HD_OK;
}
