/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - what kernels say: hd_printf and hd_assert. */
#include "engine.h"

#include <stdio.h>
#include <string.h>

int hd_cpu_printf(const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vfprintf(stdout, format, args); /* stdio's lock keeps one call together */
    va_end(args);
    return length;
}

void hd_cpu_assert_failed(const hd_cpu_block *view, hd_cpu_thread thread, const char *condition,
                          const char *function, const char *file, int line)
{
    hd_cpu_resident *block = (hd_cpu_resident *)(uintptr_t)view;
    const hd_dim3 *b = &view->dims.block;
    char text[HD_CPU_TEXT];

    (void)snprintf(text, sizeof text,
                   "%s:%d: %s: assertion `%s` failed in kernel %s, block (%u,%u,%u), thread "
                   "(%u,%u,%u)",
                   file, line, function, condition, block->launch->kernel->name, b->x, b->y, b->z,
                   thread.x, thread.y, thread.z);
    hd_cpu_device_leave_error(block->launch->device, HD_ERR_ASSERT, text);
    hd_cpu_block_end_thread(block, thread.linear);
}
