/* SPDX-License-Identifier: Apache-2.0 */
/* peer.c - peer access between devices, and its permission. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "runtime/runtime.h"

pthread_mutex_t hd__pairs_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t hd__peer_access_lock = PTHREAD_MUTEX_INITIALIZER;
static hd__pair pairs[HD__PEER_DEVICES][HD__PEER_DEVICES]; /* indexed [lower][higher] */

hd__pair *hd__pair_of(int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    return high < HD__PEER_DEVICES ? &pairs[low][high] : NULL;
}

void hd__pairs_forget(int a, int b)
{
    (void)pthread_mutex_lock(&hd__pairs_lock);
    for (int other = 0; other < HD__PEER_DEVICES; other++) {
        hd__pair *pair = other != a && (b < 0 || b == other) ? hd__pair_of(a, other) : NULL;
        if (!pair)
            continue;
        __atomic_store_n(&pair->decided, 0, __ATOMIC_RELEASE);
        pair->verified = 0;
    }
    (void)pthread_mutex_unlock(&hd__pairs_lock);
}

hd_status hd__peer_policy_read(const char *call, hd__peer_policy *policy)
{
    static const char *const words[] = {"auto", "on", "off"};
    const char *text = hd__environment("HEDDLE_P2P");

    *policy = HD__P2P_AUTO;
    if (!text || !*text)
        return HD_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *policy = (hd__peer_policy)i;
            return HD_OK;
        }
    return hd__fail(HD_ERR_ARGUMENT, call, "HEDDLE_P2P=%s is not auto, on or off", text);
}

static hd_status pair_use(const char *call, int device, int peer, hd__device **a, hd__device **b)
{
    hd_status status = hd__device_use(call, device, a);
    return status < 0 ? status : hd__device_use(call, peer, b);
}

hd_status hd_peer_possible(int device, int peer, int *can)
{
    static const char call[] = "hd_peer_possible";
    hd__device *a, *b;
    int got = 1;
    hd_status status = pair_use(call, device, peer, &a, &b);
    if (status < 0)
        return status;
    if (!can)
        return hd__null(call, "can");
    if (device != peer)
        status = hd__settle(call, device, hdb_peer_possible(a->ordinal, b->ordinal, &got));
    if (status >= 0)
        *can = got;
    return status;
}

/* Access was refused permanently: by the environment, or because the pair failed its probe. */
static hd_status access_refused(const char *call, int device, int peer)
{
    hd__pair *pair = hd__pair_of(device, peer);
    hd__peer_policy policy;
    HD_TRY(hd__peer_policy_read(call, &policy));
    if (policy == HD__P2P_OFF)
        return hd__fail(HD_ERR_NO_PEER, call, "HEDDLE_P2P=off");
    if (!pair || !__atomic_load_n(&pair->decided, __ATOMIC_ACQUIRE))
        return HD_OK;
    (void)pthread_mutex_lock(&hd__pairs_lock);
    hd_status status = pair->verified < 0 ? hd__fail(HD_ERR_NO_PEER, call, "%s", pair->reason)
                                          : HD_OK;
    (void)pthread_mutex_unlock(&hd__pairs_lock);
    return status;
}

hd_status hd_peer_enable(int device, int peer)
{
    static const char call[] = "hd_peer_enable";
    hd__device *a, *b;
    int can = 0;
    hd_status status = pair_use(call, device, peer, &a, &b);
    if (status < 0 || device == peer)
        return status;
    HD_TRY(access_refused(call, device, peer));
    status = hdb_peer_possible(a->ordinal, b->ordinal, &can);
    if (status >= 0 && !can)
        return hd__fail(HD_ERR_NO_PEER, call, "device %d cannot reach memory of device %d", device,
                        peer);
    if (status >= 0)
        status = hdb_peer_enable(a->ordinal, b->ordinal);
    return hd__settle(call, device, status);
}

hd_status hd__peer_take_back(int device, int peer)
{
    static const char call[] = "hd_peer_disable";
    hd__device *a, *b;
    hd_status status = pair_use(call, device, peer, &a, &b);
    if (status < 0 || device == peer)
        return status;
    hd__pairs_forget(device, peer);
    hd__memory_changed();
    status = hdb_peer_disable(a->ordinal, b->ordinal);
    hd__memory_changed();
    return hd__settle(call, device, status);
}

hd_status hd_peer_disable(int device, int peer)
{
    HD__RELEASING;
    (void)pthread_mutex_lock(&hd__peer_access_lock);
    hd_status status = hd__peer_take_back(device, peer);
    (void)pthread_mutex_unlock(&hd__peer_access_lock);
    return status;
}

hd_status hd__peer_link(int device, int peer, hd_peer_info *info)
{
    static const char call[] = "hd_peer_query";
    hd__device *a, *b;
    HD_TRY(pair_use(call, device, peer, &a, &b));
    return hd__settle(call, device, hdb_peer_link(a->ordinal, b->ordinal, info));
}
