/* SPDX-License-Identifier: Apache-2.0 */
/* device_error.h - pending errors of kernels on a device. */
#ifndef HEDDLE_CPU_CORE_DEVICE_ERROR_H
#define HEDDLE_CPU_CORE_DEVICE_ERROR_H

#include "core/engine.h"

/* Stores a kernel's error for the next synchronising call on the device; only the first one is
   kept. */
void hd_cpu_device_leave_error(int device, hd_status status, const char *text);
/* Returns and clears it: HD_OK if there is none. */
hd_status hd_cpu_device_take_error(int device, char text[HD_CPU_TEXT]);
/* Whether a kernel has faulted: nothing runs on the device any more. */
int hd_cpu_device_lost(int device);
void hd_cpu_device_clear(int device);

#endif
