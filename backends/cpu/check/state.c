/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - global state of the checker: the running thread, locks, options. */
#include "check/check.h"

_Thread_local hd_check_now hd_check_me;
pthread_mutex_t hd_check_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t hd_check_order_lock = PTHREAD_MUTEX_INITIALIZER;
hd_check_config hd_check_options;
int hd_check_replaying;
int hd_check_traces;
void (*hd_check_trace_access)(uintptr_t address, size_t bytes, hd_check_look how, uintptr_t pc);
void (*hd_check_raises)(uintptr_t address, uintptr_t pc);

const hd_check_range *hd_check_range_add(hd_check_range range)
{
    hd_check_now *now = &hd_check_me;
    hd_check_range *added = &now->range[now->next_range++ % HD_CHECK_RANGES];

    *added = range;
    return added;
}

hd_check_now *hd_check_running;

void hd_check_divert(void)
{
    hd_check_now *now = __atomic_load_n(&hd_check_running, __ATOMIC_ACQUIRE);

    if (now)
        __atomic_store_n(&now->when, 0, __ATOMIC_RELAXED);
}
