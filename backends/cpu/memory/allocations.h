/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.h - all memory of the engine: live device memory, host memory and copies of symbols,
   and what an address belongs to. */
#ifndef HEDDLE_CPU_MEMORY_ALLOCATIONS_H
#define HEDDLE_CPU_MEMORY_ALLOCATIONS_H

#include "core/engine.h"

/* An allocation as hd_pointer_get reports it. */
typedef struct hd_cpu_allocation {
    void *base;
    size_t bytes;
    hd_memory_kind kind;
    int device;
} hd_cpu_allocation;

/* Memory of a device, in bytes. */
typedef struct hd_cpu_usage {
    size_t limit, used, peak;
} hd_cpu_usage;

void hd_cpu_memory_start(void);
/* own: internal memory that heddle frees itself. */
hd_status hd_cpu_memory_take(const char *call, int device, hd_memory_kind kind, size_t bytes,
                             int own, void **pointer);
/* 1: inside a live allocation or registered host memory; 0: plain host memory; -1: inside a
   device's range, but not in an allocation. */
int hd_cpu_memory_find(const void *pointer, hd_cpu_allocation *found);
/* Frees immediately, for an operation or for hd_free (NULL); the pointer must be valid. */
void hd_cpu_memory_free(void *pointer, const hd_cpu_op *by);
void hd_cpu_memory_reset(int device);
hd_cpu_usage hd_cpu_memory_usage(int device);
void hd_cpu_memory_peak_reset(int device);
/* Registers host memory, which kernels of the device may use from now on. */
hd_status hd_cpu_memory_register(const char *call, int device, void *pointer, size_t bytes);
/* Unregisters it. 0: it is not registered; otherwise *was describes it. */
int hd_cpu_memory_unregister(void *pointer, hd_cpu_allocation *was);

/* Device variables and constants (symbol.c). */
void hd_cpu_symbols_reset(int device);
/* 1: inside a device's copy of a symbol, i.e. device memory without a base; else 0. */
int hd_cpu_symbol_find(const void *pointer, hd_cpu_allocation *found);

#endif
