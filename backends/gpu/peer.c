/* SPDX-License-Identifier: Apache-2.0 */
/* peer.c - peer access between devices, and the links between them. */
#include "gpu.h"

hd_status hdb_peer_possible(int ordinal, int peer, int *can)
{
    return hd_gpu_check("hd_peer_possible", GPU(DeviceCanAccessPeer)(can, ordinal, peer));
}

hd_status hdb_peer_enable(int ordinal, int peer)
{
    static const char call[] = "hd_peer_enable";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    GPU(Error_t) error = GPU(DeviceEnablePeerAccess)(peer, 0);
    if (error == GPU(ErrorPeerAccessAlreadyEnabled))
        (void)GPU(GetLastError)();
    else
        status = hd_gpu_check(call, error);
    hd_gpu_leave(ordinal, previous);
    return status < 0 ? status : hd_gpu_pool_share(call, ordinal, peer, 1);
}

hd_status hdb_peer_disable(int ordinal, int peer)
{
    static const char call[] = "hd_peer_disable";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    GPU(Error_t) error = GPU(DeviceDisablePeerAccess)(peer);
    if (error == GPU(ErrorPeerAccessNotEnabled))
        (void)GPU(GetLastError)();
    else
        status = hd_gpu_check(call, error);
    hd_gpu_leave(ordinal, previous);
    return status < 0 ? status : hd_gpu_pool_share(call, ordinal, peer, 0);
}

/* Values that the vendor does not report stay 0, the rank -1. */
hd_status hdb_peer_link(int ordinal, int peer, hd_peer_info *info)
{
    char here[64], there[64];
    hd_status status = hdb_device_bus_id(ordinal, here, sizeof here);
    if (status >= 0)
        status = hdb_device_bus_id(peer, there, sizeof there);
    if (status < 0)
        return status;
    info->link = HD_LINK_UNKNOWN;
    info->rank = -1;
    if (hd_gpu_answer(GPU(DeviceGetP2PAttribute)(&info->rank, GPU(DevP2PAttrPerformanceRank),
                                                 ordinal, peer)) < 0)
        info->rank = -1;
    if (hd_gpu_answer(GPU(DeviceGetP2PAttribute)(
            &info->atomics, GPU(DevP2PAttrNativeAtomicSupported), ordinal, peer)) < 0)
        info->atomics = 0;
    GPU_PeerLink(ordinal, peer, here, there, info);
    return HD_OK;
}
