/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - a launch of a kernel: its memory, arguments and failure. */
#include "launch/launch.h"

#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MAX = 32, ARGUMENT_ALIGN = 64, KEPT_BYTES = 4096 };

/* Memory of a finished launch, reused by the next one; NULL while in use. */
static hd_cpu_launch *kept;

static size_t aligned(size_t bytes)
{
    return (bytes + ARGUMENT_ALIGN - 1) & ~(size_t)(ARGUMENT_ALIGN - 1);
}

/* Arguments follow the shares in the same allocation: pointers, then the values. */
static void arguments_copy(hd_cpu_launch *launch, char *memory, void **args)
{
    const hd_kernel *kernel = launch->kernel;
    char *at = memory + aligned(kernel->arg_count * sizeof(void *));

    launch->args = (void **)(void *)memory;
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        memcpy(at, args[i], kernel->arg_sizes[i]);
        launch->args[i] = at;
        at += aligned(kernel->arg_sizes[i]);
    }
}

static size_t arguments_bytes(const hd_kernel *kernel)
{
    size_t bytes = aligned(kernel->arg_count * sizeof(void *));

    for (unsigned i = 0; i < kernel->arg_count; i++)
        bytes += aligned(kernel->arg_sizes[i]);
    return bytes;
}

unsigned hd_cpu_residents(unsigned threads)
{
    unsigned blocks = HD_CPU_RESIDENT_THREADS / threads;

    return blocks < HD_CPU_RESIDENT ? blocks : HD_CPU_RESIDENT;
}

static hd_cpu_launch *memory_take(size_t bytes)
{
    hd_cpu_launch *launch = __atomic_exchange_n(&kept, NULL, __ATOMIC_ACQUIRE);
    size_t room = launch ? launch->bytes : 0;

    if (room < bytes) {
        free(launch);
        room = bytes > KEPT_BYTES ? bytes : KEPT_BYTES;
        launch = aligned_alloc(64, room);
    }
    if (launch) {
        memset(launch, 0, offsetof(hd_cpu_launch, text));
        launch->bytes = room;
    }
    return launch;
}

/* AddressSanitizer must detect uses after the end, so there the memory is not reused. */
static void memory_return(hd_cpu_launch *launch)
{
    free(HD_CPU_ASAN ? launch : __atomic_exchange_n(&kept, launch, __ATOMIC_ACQ_REL));
}

hd_cpu_launch *hd_cpu_launch_make(const hd_kernel *kernel, const hd_launch_config *config,
                                  void **args, int device)
{
    size_t head = aligned(sizeof(hd_cpu_launch) + hd_cpu.workers * sizeof(hd_cpu_work_share));
    hd_cpu_launch *launch = memory_take(head + arguments_bytes(kernel));

    if (!launch)
        return NULL;
    memset(&launch->next, 0, head - offsetof(hd_cpu_launch, next));
    launch->text[0] = 0;
    launch->kernel = kernel;
    launch->entry = (hd_cpu_entry *)kernel->entry;
    launch->grid = config->grid;
    launch->block = config->block;
    launch->threads = config->block.x * config->block.y * config->block.z;
    launch->device = device;
    launch->shared_bytes = config->shared_bytes;
    launch->blocks = (size_t)config->grid.x * config->grid.y * config->grid.z;
    launch->chunk = launch->blocks / ((size_t)hd_cpu.workers * 8);
    if (launch->chunk > CHUNK_MAX)
        launch->chunk = CHUNK_MAX;
    if (launch->chunk < 1 || config->flags & HD_LAUNCH_COOPERATIVE)
        launch->chunk = 1;
    launch->remaining = launch->blocks;
    launch->residents = hd_cpu_residents(launch->threads);
    launch->refs = 1;
    arguments_copy(launch, (char *)launch + head, args);
    return launch;
}

void hd_cpu_launch_release(hd_cpu_launch *launch)
{
    if (__atomic_sub_fetch(&launch->refs, 1, __ATOMIC_ACQ_REL) == 0)
        memory_return(launch);
}

int hd_cpu_launch_waits(const hd_cpu_launch *launch)
{
    if (__atomic_load_n(&launch->awake, __ATOMIC_ACQUIRE) != 0 ||
        __atomic_load_n(&launch->remaining, __ATOMIC_ACQUIRE) == 0)
        return 0;
    return __atomic_load_n(&launch->next, __ATOMIC_ACQUIRE) >= launch->blocks ||
           __atomic_load_n(&launch->full, __ATOMIC_ACQUIRE) == (int)hd_cpu.workers;
}

/* ---- failure --------------------------------------------------------------------------------- */

void hd_cpu_launch_fail_locked(hd_cpu_launch *launch, hd_status status, const char *text)
{
    size_t used = strlen(launch->text);

    HD_OBSERVE(op.launch_failed());
    if (launch->status == HD_OK)
        launch->status = status;
    (void)snprintf(launch->text + used, sizeof launch->text - used, "%s%s", used ? " | " : "",
                   text);
    __atomic_store_n(&launch->failed, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
}

void hd_cpu_launch_fail(hd_cpu_launch *launch, hd_status status, const char *format, ...)
{
    char text[HD_CPU_TEXT];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (launch->status == HD_OK) /* the first reason counts */
        hd_cpu_launch_fail_locked(launch, status, text);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}
