/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - output of kernels: hd_printf and hd_assert. */
#include "block/block.h"
#include "core/device_error.h"
#include "launch/worker.h"
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Formats before taking stdio's lock: a kernel may fault while its arguments are read. */
int hd_cpu_printf(const char *format, ...)
{
    char text[HD_CPU_TEXT], *all = text;
    va_list args, again;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(text, sizeof text, format, args);
    if (length >= (int)sizeof text) {
        all = malloc((size_t)length + 1);
        length = all ? vsnprintf(all, (size_t)length + 1, format, again) : -1;
    }
    va_end(again);
    va_end(args);
    if (length > 0 && fwrite(all, 1, (size_t)length, stdout) != (size_t)length)
        length = -1;
    if (all != text)
        free(all);
    return length;
}

const hd_cpu_block *hd_cpu_running_block(void)
{
    const hd_cpu_worker *worker = hd_cpu_self;

    return worker && worker->inside ? &worker->running->view : NULL;
}

void hd_cpu_assert_failed(const hd_cpu_block *view, hd_cpu_thread thread, const char *condition,
                          const char *function, const char *file, int line)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);
    const hd_dim3 *b = &view->dims.block;
    char text[HD_CPU_TEXT];

    (void)snprintf(text, sizeof text,
                   "%s:%d: %s: assertion `%s` failed in kernel %s, block (%u,%u,%u), thread "
                   "(%u,%u,%u)",
                   file, line, function, condition, block->launch->kernel->name, b->x, b->y, b->z,
                   thread.x, thread.y, thread.z);
    hd_cpu_device_leave_error(block->launch->device, HD_ERR_ASSERT, text);
    HD_OBSERVE(block.assert_failed(block, thread.linear));
    hd_cpu_block_end_thread(block, thread.linear);
}
