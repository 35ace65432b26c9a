/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.h - all memory of the engine: what device memory, host memory and symbols' copies are
   alive, and where an address lies. */
#ifndef HEDDLE_CPU_MEMORY_ALLOCATIONS_H
#define HEDDLE_CPU_MEMORY_ALLOCATIONS_H

#include "core/engine.h"

/* An allocation as hd_pointer_get sees it. */
typedef struct hd_cpu_allocation {
    void *base;
    size_t bytes;
    hd_memory_kind kind;
    int device;
} hd_cpu_allocation;

/* Of a device's memory, in bytes. */
typedef struct hd_cpu_usage {
    size_t limit, used, peak;
} hd_cpu_usage;

void hd_cpu_memory_start(void);
/* own: heddle's own memory, which it gives back by itself. */
hd_status hd_cpu_memory_take(const char *call, int device, hd_memory_kind kind, size_t bytes,
                             int own, void **pointer);
/* 1: inside a live allocation or registered host memory; 0: plain host memory; -1: inside a range
   of a device, but not in an allocation. */
int hd_cpu_memory_find(const void *pointer, hd_cpu_allocation *found);
/* At once, by an operation or by hd_free (NULL); the pointer is known to be good. */
void hd_cpu_memory_free(void *pointer, const hd_cpu_op *by);
void hd_cpu_memory_reset(int device);
hd_cpu_usage hd_cpu_memory_usage(int device);
void hd_cpu_memory_peak_reset(int device);
/* Host memory that kernels of the device may use from now on. */
hd_status hd_cpu_memory_register(const char *call, int device, void *pointer, size_t bytes);
/* No longer. 0: it is not registered; else what it was. */
int hd_cpu_memory_unregister(void *pointer, hd_cpu_allocation *was);

/* Device variables and constants (symbol.c). */
void hd_cpu_symbols_reset(int device);
/* 1: inside a device's copy of a symbol, which is device memory without a base; else 0. */
int hd_cpu_symbol_find(const void *pointer, hd_cpu_allocation *found);

#endif
