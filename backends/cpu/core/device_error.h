/* SPDX-License-Identifier: Apache-2.0 */
/* device_error.h - what kernels left behind on a device. */
#ifndef HEDDLE_CPU_CORE_DEVICE_ERROR_H
#define HEDDLE_CPU_CORE_DEVICE_ERROR_H

#include "core/engine.h"

/* Leaves an error of a kernel for the next synchronising call on the device; the first stays. */
void hd_cpu_device_leave_error(int device, hd_status status, const char *text);
/* Takes it: HD_OK if there is none. */
hd_status hd_cpu_device_take_error(int device, char text[HD_CPU_TEXT]);
/* A kernel has faulted: nothing runs there any more. */
int hd_cpu_device_lost(int device);
void hd_cpu_device_clear(int device);

#endif
