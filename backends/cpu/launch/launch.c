/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - one launch of a kernel: its arguments, how workers come to know of it, its failure. */
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MAX = 32, ARGUMENT_ALIGN = 64, KEPT_BYTES = 4096 };

/* The memory of a launch that is over, for the next one; NULL while someone has it. */
static hd_cpu_launch *kept;

static size_t aligned(size_t bytes)
{
    return (bytes + ARGUMENT_ALIGN - 1) & ~(size_t)(ARGUMENT_ALIGN - 1);
}

/* Arguments follow the visits in the same piece of memory: pointers, then the values. */
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

/* The address sanitizer shall see what is used after its end. */
static void memory_return(hd_cpu_launch *launch)
{
    free(HD_CPU_ASAN ? launch : __atomic_exchange_n(&kept, launch, __ATOMIC_ACQ_REL));
}

hd_cpu_launch *hd_cpu_launch_make(const hd_kernel *kernel, const hd_launch_config *config,
                                  void **args, int device)
{
    size_t head = aligned(sizeof(hd_cpu_launch) + hd_cpu.workers * sizeof(hd_cpu_visit));
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

/* ---- launches with blocks that nobody has claimed -------------------------------------------- */

/* Under the lock: takes launches off the list of those that have blocks to claim. */
static void active_tidy(void)
{
    hd_cpu_launch **link = &hd_cpu.active;

    while (*link) {
        hd_cpu_launch *launch = *link;

        if (__atomic_load_n(&launch->next, __ATOMIC_RELAXED) < launch->blocks) {
            link = &launch->next_active;
            continue;
        }
        *link = launch->next_active;
        hd_cpu_launch_release(launch);
    }
    hd_cpu.active_end = link;
}

/* Before visits of no higher priority: among equals the newest goes first. */
void hd_cpu_visit_begin(hd_cpu_worker *worker, hd_cpu_launch *launch)
{
    hd_cpu_visit *visit = &launch->visit[worker->id], **link = &worker->visits;

    visit->launch = launch;
    __atomic_fetch_add(&launch->refs, 1, __ATOMIC_RELAXED);
    while (*link && (*link)->launch->priority < visit->launch->priority)
        link = &(*link)->next;
    visit->next = *link;
    *link = visit;
}

int hd_cpu_launches_enter(hd_cpu_worker *worker)
{
    uint64_t work = __atomic_load_n(&hd_cpu.work, __ATOMIC_ACQUIRE);
    int entered = 0;

    if (work == worker->work_seen && !worker->look)
        return 0;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    worker->work_seen = work;
    worker->urgent_seen = hd_cpu.urgent;
    worker->look = 0;
    active_tidy();
    for (hd_cpu_launch *launch = hd_cpu.active; launch; launch = launch->next_active) {
        hd_cpu_visit *visit = &launch->visit[worker->id];

        if (visit->launch)
            continue;
        hd_cpu_visit_begin(worker, launch);
        entered = 1;
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return entered;
}

/* A launch may follow others that nobody has seen yet. */
unsigned hd_cpu_workers_wanted(void)
{
    size_t blocks = 0;

    for (const hd_cpu_launch *at = hd_cpu.active; at && blocks < hd_cpu.workers;
         at = at->next_active) {
        size_t next = __atomic_load_n(&at->next, __ATOMIC_RELAXED);

        blocks += next < at->blocks ? at->blocks - next : 0;
    }
    return blocks < hd_cpu.workers ? (unsigned)blocks : hd_cpu.workers;
}

void hd_cpu_launch_activate(hd_cpu_launch *launch)
{
    unsigned wanted;
    unsigned spinning = (unsigned)__atomic_load_n(&hd_cpu.spinners, __ATOMIC_RELAXED);

    __atomic_fetch_add(&launch->refs, 1, __ATOMIC_RELAXED);
    launch->next_active = NULL;
    active_tidy();
    *hd_cpu.active_end = launch;
    hd_cpu.active_end = &launch->next_active;
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
    if (launch->priority)
        __atomic_fetch_add(&hd_cpu.urgent, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&hd_cpu.work, 1, __ATOMIC_RELEASE);
    hd_cpu_watch_wake();
    wanted = hd_cpu_workers_wanted();
    spinning += launch->host != NULL;
    if (wanted <= spinning)
        return;
    wanted -= spinning;
    for (unsigned i = 0; i < hd_cpu.workers && wanted; i++)
        if (hd_cpu.worker[i]->asleep && !hd_cpu.worker[i]->lent) {
            (void)pthread_cond_signal(&hd_cpu.worker[i]->wake);
            wanted--;
        }
}

/* ---- failure --------------------------------------------------------------------------------- */

void hd_cpu_launch_fail_locked(hd_cpu_launch *launch, hd_status status, const char *text)
{
    size_t used = strlen(launch->text);

    hd_check_launch_failed();
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
    if (launch->status == HD_OK) /* one reason is enough */
        hd_cpu_launch_fail_locked(launch, status, text);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}
