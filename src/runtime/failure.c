/* SPDX-License-Identifier: Apache-2.0 */
/* failure.c - stores the failure of a host function until the next synchronising call reports
   it. */
#include "runtime/runtime.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t failure_lock = PTHREAD_MUTEX_INITIALIZER;

/* Keeps the first failure that has not been reported. */
void hd__failure_leave(hd__device *device, hd_status status)
{
    const hd_error *e = hd_error_last();
    (void)pthread_mutex_lock(&failure_lock);
    if (!atomic_load(&device->host_failed)) {
        device->host_status = status;
        if (e->status == status && e->call[0])
            (void)snprintf(device->host_text, sizeof device->host_text, "%s: %s", e->call,
                           e->message);
        else
            (void)snprintf(device->host_text, sizeof device->host_text, "%s",
                           hd_status_text(status));
        atomic_store(&device->host_failed, 1);
    }
    (void)pthread_mutex_unlock(&failure_lock);
}

hd_status hd__failure_take(const char *call, hd__device *device)
{
    hd_status status = HD_OK;
    if (!atomic_load_explicit(&device->host_failed, memory_order_acquire))
        return HD_OK;
    (void)pthread_mutex_lock(&failure_lock);
    if (atomic_exchange(&device->host_failed, 0))
        status = hd__fail(device->host_status, call, "a host function failed: %s",
                          device->host_text);
    (void)pthread_mutex_unlock(&failure_lock);
    return status;
}
