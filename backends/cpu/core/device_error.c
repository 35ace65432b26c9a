/* SPDX-License-Identifier: Apache-2.0 */
/* device_error.c - the error that kernels left on a device and no call has reported yet. */
#include "core/device_error.h"

#include <stdio.h>
#include <string.h>

typedef struct device_state {
    hd_status error; /* of a kernel, not yet reported */
    char text[HD_CPU_TEXT];
    int lost;
} device_state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static device_state state[HD_CPU_MAX_DEVICES];

void hd_cpu_device_leave_error(int device, hd_status status, const char *text)
{
    (void)pthread_mutex_lock(&lock);
    if (state[device].error == HD_OK) {
        state[device].error = status;
        (void)snprintf(state[device].text, sizeof state[device].text, "%s", text);
    }
    if (status == HD_ERR_ILLEGAL_ADDRESS)
        state[device].lost = 1;
    (void)pthread_mutex_unlock(&lock);
}

hd_status hd_cpu_device_take_error(int device, char text[HD_CPU_TEXT])
{
    hd_status status;

    (void)pthread_mutex_lock(&lock);
    status = state[device].error;
    memcpy(text, state[device].text, HD_CPU_TEXT);
    state[device].error = HD_OK;
    (void)pthread_mutex_unlock(&lock);
    return status;
}

int hd_cpu_device_lost(int device)
{
    return __atomic_load_n(&state[device].lost, __ATOMIC_RELAXED);
}

void hd_cpu_device_clear(int device)
{
    (void)pthread_mutex_lock(&lock);
    memset(&state[device], 0, sizeof state[device]);
    (void)pthread_mutex_unlock(&lock);
}
