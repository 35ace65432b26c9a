/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - chunks that go through several streams, in three ways. */
#include <pthread.h>

#include "host.h"
#include "kernel.h"

hd_status by_events(job *j)
{
    /* Your part. Begin with a function that enqueues one chunk and one that sums one chunk: the
       other two can use them. */
    (void)j;
    return HD_OK;
}

hd_status by_functions(job *j)
{
    /* Your part. What does the argument of the function have to contain, and how long must it
       live? */
    (void)j;
    return HD_OK;
}

hd_status by_threads(job *j)
{
    /* Your part: pthread_create, pthread_join; an argument for each thread. */
    (void)j;
    return HD_OK;
}
