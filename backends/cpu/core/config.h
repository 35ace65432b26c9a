/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - the engine's configuration from the environment. */
#ifndef HEDDLE_CPU_CORE_CONFIG_H
#define HEDDLE_CPU_CORE_CONFIG_H

#include "runtime/backend.h"
#include <heddle/backend/cpu_block.h>

enum {
    HD_CPU_MAX_WORKERS = 256,
    HD_CPU_SHARED = 48 << 10, /* bytes of shared memory per block available on every device */
    HD_CPU_SHARED_STANDARD = 64 << 10, /* default limit: that of the smallest GPUs */
    HD_CPU_SHARED_MAX = 256 << 10      /* maximum of HEDDLE_CPU_SHARED: that of the largest GPUs */
};

typedef struct hd_cpu_config {
    hd_status status; /* HD_OK, or the error of an invalid environment variable */
    char text[512];
    unsigned warp_size;
    unsigned cpus; /* CPUs available to the process */
    unsigned workers;
    int devices;
    size_t memory;   /* bytes per device */
    size_t shared;   /* maximum bytes per block */
    size_t stack;    /* bytes per thread that blocks */
    double watchdog; /* seconds, 0: off */
    int lazy;
    uint64_t seed;
    unsigned char peers[HD_CPU_MAX_DEVICES][HD_CPU_MAX_DEVICES];
    /* Pairs between which direct copies corrupt the data. */
    unsigned char broken[HD_CPU_MAX_DEVICES][HD_CPU_MAX_DEVICES];
    int any_broken;
} hd_cpu_config;

/* Reads the environment once. */
const hd_cpu_config *hd_cpu_config_get(void);

#endif
