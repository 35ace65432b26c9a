/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c - the engine's global state, and its start on first use. */
#include "core/engine.h"

#include <time.h>

hd_cpu_engine hd_cpu = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
_Thread_local hd_cpu_worker *hd_cpu_self;

double hd_cpu_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t hd_cpu_clock(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void (*hd_cpu_start)(void);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int forked; /* in a child of the process that started the engine */

static void forked_child(void)
{
    forked = 1;
}

static void start(void)
{
    (void)pthread_atfork(NULL, NULL, forked_child);
    hd_cpu_start();
}

hd_status hd_cpu_ready(const char *call)
{
    const hd_cpu_config *config = hd_cpu_config_get();

    if (config->status != HD_OK)
        return hd__fail(config->status, call, "%s", config->text);
    if (forked)
        return hd__fail(HD_ERR_STATE, call,
                        "used after fork, which leaves devices and threads to the parent: fork "
                        "before the first call, or start another program");
    (void)pthread_once(&once, start);
    return HD_OK;
}
