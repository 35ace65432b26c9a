/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - state that all files of the group driver use: settings for tests, and the group's
   failure. */
#include "plan.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/backend.h"

hd__group_tuning hd__group_forced;
int hd__group_shared;

hd_status hd__group_named(const char *call, const hd_group *group, unsigned rank, hd_status status)
{
    const hd_error *e = hd_error_last();

    return hd__fail(status, call, "rank %u (device %d): %s", rank, group->rank[rank].device,
                    e->status == status && e->message[0] ? e->message : hd_status_text(status));
}

void hd__group_fail(hd_group *group, hd_status status, const char *format, ...)
{
    va_list args;

    (void)pthread_mutex_lock(&group->lock);
    if (!atomic_load(&group->failed)) {
        va_start(args, format);
        (void)vsnprintf(group->failure_text, sizeof group->failure_text, format, args);
        va_end(args);
        group->failure = status;
        if (group->signal)
            __atomic_store_n(&group->signal->stop, 1, __ATOMIC_RELEASE);
        atomic_store(&group->failed, 1);
        (void)pthread_cond_broadcast(&group->changed);
    }
    (void)pthread_mutex_unlock(&group->lock);
}

hd_status hd__group_state(const char *call, hd_group *group)
{
    if (!atomic_load(&group->failed))
        return HD_OK;
    return hd__fail(group->failure, call, "%s", group->failure_text);
}
