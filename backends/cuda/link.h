/* SPDX-License-Identifier: Apache-2.0 */
/* link.h - the link between two NVIDIA devices, from the management library (NVML), which is loaded
   on first use; without it the class is determined by the system's tables. */
#ifndef HEDDLE_CUDA_LINK_H
#define HEDDLE_CUDA_LINK_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <heddle/peer.h>

/* The part of nvml.h used here. */
typedef struct hd_nvml_pci {
    char legacy_id[16];
    unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
    char bus_id[32];
} hd_nvml_pci;

typedef int hd_nvml_init(void);
typedef int hd_nvml_by_bus_id(const char *bus_id, void **device);
typedef int hd_nvml_ancestor(void *a, void *b, int *level);
typedef int hd_nvml_p2p_status(void *a, void *b, int index, int *status);
typedef int hd_nvml_link_state(void *device, unsigned link, int *active);
typedef int hd_nvml_link_remote(void *device, unsigned link, hd_nvml_pci *pci);

enum { HD_NVML_NVLINK = 2, HD_NVML_LINKS = 18 };

typedef struct hd_nvml {
    hd_nvml_by_bus_id *by_bus_id;
    hd_nvml_ancestor *ancestor;
    hd_nvml_p2p_status *p2p_status;
    hd_nvml_link_state *link_state;
    hd_nvml_link_remote *link_remote;
} hd_nvml;

/* 0 if the library or one of its functions is missing. It stays loaded. */
static inline int hd_nvml_load(hd_nvml *nvml)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 0;
    hd_nvml_init *init = (hd_nvml_init *)(uintptr_t)dlsym(library, "nvmlInit_v2");
    nvml->by_bus_id = (hd_nvml_by_bus_id *)(uintptr_t)dlsym(library,
                                                            "nvmlDeviceGetHandleByPciBusId_v2");
    nvml->ancestor = (hd_nvml_ancestor *)(uintptr_t)dlsym(library,
                                                          "nvmlDeviceGetTopologyCommonAncestor");
    nvml->p2p_status = (hd_nvml_p2p_status *)(uintptr_t)dlsym(library, "nvmlDeviceGetP2PStatus");
    nvml->link_state = (hd_nvml_link_state *)(uintptr_t)dlsym(library, "nvmlDeviceGetNvLinkState");
    nvml->link_remote = (hd_nvml_link_remote *)(uintptr_t)dlsym(
        library, "nvmlDeviceGetNvLinkRemotePciInfo_v2");
    return init && nvml->by_bus_id && nvml->ancestor && nvml->p2p_status && nvml->link_state &&
           nvml->link_remote && init() == 0;
}

/* Active links of a device: all of them, and those that end at the other device. */
static inline void hd_nvml_links(const hd_nvml *nvml, void *device, const char *other, int *all,
                                 int *to_other)
{
    const size_t length = strlen(other);
    *all = *to_other = 0;
    for (unsigned link = 0; link < HD_NVML_LINKS; link++) {
        hd_nvml_pci pci;
        int active = 0;
        if (nvml->link_state(device, link, &active) != 0 || !active)
            continue;
        ++*all;
        memset(&pci, 0, sizeof pci);
        if (nvml->link_remote(device, link, &pci) != 0)
            continue;
        pci.bus_id[sizeof pci.bus_id - 1] = '\0';
        /* NVML prints PCI domains with eight digits, the runtime with four */
        const size_t remote = strlen(pci.bus_id);
        if (remote >= length && strcasecmp(pci.bus_id + (remote - length), other) == 0)
            ++*to_other;
    }
}

/* Names as in `nvidia-smi topo -m`. The number of links between two devices on switches is that of
   the device with fewer links. */
static inline int hd_nvml_fabric(const hd_nvml *nvml, void *a, void *b, const char *id_a,
                                 const char *id_b, hd_peer_info *info)
{
    int status = -1, all_a, all_b, direct, back;
    if (nvml->p2p_status(a, b, HD_NVML_NVLINK, &status) != 0 || status != 0)
        return 0;
    hd_nvml_links(nvml, a, id_b, &all_a, &direct);
    hd_nvml_links(nvml, b, id_a, &all_b, &back);
    info->link = HD_LINK_FABRIC;
    info->link_count = direct > 0 ? direct : all_a < all_b ? all_a : all_b;
    (void)snprintf(info->link_name, sizeof info->link_name, info->link_count ? "NV%d" : "NVLink",
                   info->link_count);
    return 1;
}

static inline void hd_nvml_pcie(const hd_nvml *nvml, void *a, void *b, hd_peer_info *info)
{
    static const struct {
        int level;
        hd_link_class link;
        const char *name;
    } levels[] = {{10, HD_LINK_SWITCH, "PIX"},
                  {20, HD_LINK_SWITCH, "PXB"},
                  {30, HD_LINK_HOST, "PHB"},
                  {40, HD_LINK_HOST, "NODE"},
                  {50, HD_LINK_SYSTEM, "SYS"}};
    int level = 0;
    if (nvml->ancestor(a, b, &level) != 0)
        return;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (levels[i].level == level) {
            info->link = levels[i].link;
            (void)snprintf(info->link_name, sizeof info->link_name, "%s", levels[i].name);
        }
}

/* Without NVML: atomics are supported only over NVLink. */
static inline void hd_cuda_peer_link(const char *id_a, const char *id_b, hd_peer_info *info)
{
    hd_nvml nvml;
    void *a = NULL, *b = NULL;
    if (hd_nvml_load(&nvml) && nvml.by_bus_id(id_a, &a) == 0 && nvml.by_bus_id(id_b, &b) == 0) {
        if (!hd_nvml_fabric(&nvml, a, b, id_a, id_b, info))
            hd_nvml_pcie(&nvml, a, b, info);
    } else if (info->atomics) {
        info->link = HD_LINK_FABRIC;
        (void)snprintf(info->link_name, sizeof info->link_name, "NVLink");
    }
}

#endif
