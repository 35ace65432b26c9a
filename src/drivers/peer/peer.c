/* SPDX-License-Identifier: Apache-2.0 */
/* peer.c - pairs of devices: what is known about their link, and which path copies take. */
#include "peer.h"

#include <stdio.h>
#include <string.h>

const char *hd_link_name(hd_link_class link)
{
    static const char *const names[] = {
#define LINK_NAME_(name, text, what) text,
        HD_LINK_LIST(LINK_NAME_)
#undef LINK_NAME_
    };
    return (int)link >= 0 && link < HD_LINK_COUNT_ ? names[link] : "unknown";
}

const char *hd_peer_path_name(hd_peer_path path)
{
    return path == HD_PATH_SAME ? "same" : path == HD_PATH_DIRECT ? "direct" : "staged";
}

hd_status hd__peer_refusal(int a, int b, hd__peer_policy policy, char *reason, size_t size)
{
    int there = 0, back = 0;

    reason[0] = '\0';
    HD_TRY(hd_peer_possible(a, b, &there));
    HD_TRY(hd_peer_possible(b, a, &back));
    if (policy == HD__P2P_OFF)
        (void)snprintf(reason, size, "HEDDLE_P2P=off");
    else if (!there || !back)
        (void)snprintf(reason, size, "device %d has no access to memory of device %d",
                       there ? b : a, there ? a : b);
    else if (!hd__pair_of(a, b))
        (void)snprintf(reason, size, "devices from number %d on are not paired", HD__PEER_DEVICES);
    return HD_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

static hd_status link_of(int device, int peer, hd_peer_info *info)
{
    char a[64], b[64];

    HD_TRY(hd__peer_link(device, peer, info));
    if (info->link != HD_LINK_UNKNOWN)
        return HD_OK;
    HD_TRY(hd_device_bus_id(device, a, sizeof a));
    HD_TRY(hd_device_bus_id(peer, b, sizeof b));
    info->link = hd__peer_pci_link(a, b);
    return HD_OK;
}

/* The path that was decided, or would be. */
static hd_status path_of(int device, int peer, hd_peer_info *info)
{
    hd__pair *pair = hd__pair_of(device, peer);
    hd__peer_policy policy;

    if (pair && __atomic_load_n(&pair->decided, __ATOMIC_ACQUIRE)) {
        (void)pthread_mutex_lock(&hd__pairs_lock);
        info->path = pair->path;
        info->verified = pair->verified;
        memcpy(info->reason, pair->reason, sizeof info->reason);
        (void)pthread_mutex_unlock(&hd__pairs_lock);
        return HD_OK;
    }
    HD_TRY(hd__peer_policy_read("hd_peer_query", &policy));
    HD_TRY(hd__peer_refusal(device, peer, policy, info->reason, sizeof info->reason));
    info->path = info->reason[0] ? HD_PATH_STAGED : HD_PATH_DIRECT;
    return HD_OK;
}

hd_status hd_peer_query(int device, int peer, hd_peer_info *info)
{
    hd_peer_info made;

    memset(&made, 0, sizeof made);
    HD_TRY(hd_peer_possible(device, peer, &made.access));
    if (!info)
        return hd__fail(HD_ERR_ARGUMENT, "hd_peer_query", "info is NULL");
    if (device == peer) {
        made.link = HD_LINK_SELF;
        made.path = HD_PATH_SAME;
        made.atomics = 1;
        made.verified = 1;
    } else {
        HD_TRY(link_of(device, peer, &made));
        HD_TRY(path_of(device, peer, &made));
    }
    *info = made;
    return HD_OK;
}

/* ---- the decision ---------------------------------------------------------------------------- */

static void pair_set(hd__pair *pair, hd_peer_path path, int verified, const char *reason)
{
    (void)pthread_mutex_lock(&hd__pairs_lock);
    __atomic_store_n(&pair->path, path, __ATOMIC_RELAXED);
    pair->verified = verified;
    (void)snprintf(pair->reason, sizeof pair->reason, "%s", reason);
    __atomic_store_n(&pair->decided, 1, __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&hd__pairs_lock);
}

/* With hd__peer_access_lock held. A pair that fails the data-integrity check loses peer access, so
   that no kernel computes with wrong data. */
static hd_status decide(int a, int b, hd__peer_policy policy, hd__pair *pair)
{
    char reason[sizeof pair->reason];
    int right = 0, verified = 0;

    HD_TRY(hd__peer_refusal(a, b, policy, reason, sizeof reason));
    if (!reason[0]) {
        HD_TRY(hd_peer_enable(a, b));
        HD_TRY(hd_peer_enable(b, a));
        HD_TRY(hd__peer_probe(a, b, &right, reason, sizeof reason));
        verified = right ? 1 : -1;
    }
    if (verified < 0) {
        HD_TRY(hd__peer_take_back(a, b));
        HD_TRY(hd__peer_take_back(b, a));
    }
    pair_set(pair, verified > 0 ? HD_PATH_DIRECT : HD_PATH_STAGED, verified, reason);
    return HD_OK;
}

/* A pair beyond the table's limits is staged; nothing is recorded for it. */
static hd_status pair_path(int a, int b, hd__peer_policy policy, hd_peer_path *path)
{
    hd__pair *pair = hd__pair_of(a, b);
    hd_status status = HD_OK;

    *path = HD_PATH_STAGED;
    if (!pair)
        return HD_OK;
    if (!__atomic_load_n(&pair->decided, __ATOMIC_ACQUIRE)) {
        (void)pthread_mutex_lock(&hd__peer_access_lock);
        if (!__atomic_load_n(&pair->decided, __ATOMIC_ACQUIRE))
            status = decide(a, b, policy, pair);
        (void)pthread_mutex_unlock(&hd__peer_access_lock);
    }
    if (status >= 0)
        *path = __atomic_load_n(&pair->path, __ATOMIC_RELAXED);
    return status;
}

hd_status hd_peer_connect(int a, int b, hd_peer_path *path)
{
    static const char call[] = "hd_peer_connect";
    hd_peer_path found = HD_PATH_SAME;
    hd__peer_policy policy;
    hd_peer_info info;
    int can;

    HD_TRY(hd_peer_possible(a, b, &can)); /* rejects devices that do not exist or are lost */
    if (a != b) {
        HD_TRY(hd__peer_policy_read(call, &policy));
        HD_TRY(pair_path(a, b, policy, &found));
        if (found == HD_PATH_STAGED && policy == HD__P2P_ON) {
            HD_TRY(hd_peer_query(a, b, &info));
            return hd__fail(HD_ERR_NO_PEER, call, "HEDDLE_P2P=on, but %s", info.reason);
        }
    }
    if (path)
        *path = found;
    return HD_OK;
}
