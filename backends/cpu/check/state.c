/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - what all of the checker works on: the thread that runs, its locks, its options. */
#include "check/check.h"

_Thread_local hd_check_now hd_check_me;
pthread_mutex_t hd_check_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t hd_check_order_lock = PTHREAD_MUTEX_INITIALIZER;
hd_check_config hd_check_options;
int hd_check_replaying;

const hd_check_range *hd_check_range_add(hd_check_range range)
{
    hd_check_now *now = &hd_check_me;
    hd_check_range *added = &now->range[now->next_range++ % HD_CHECK_RANGES];

    *added = range;
    return added;
}
