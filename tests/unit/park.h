/* SPDX-License-Identifier: Apache-2.0 */
/* park.h - a kernel that keeps a stream busy until the test, or a thread of it, lets it go. */
#ifndef HEDDLE_TESTS_PARK_H
#define HEDDLE_TESTS_PARK_H

#include <pthread.h>
#include <unistd.h>

#include "conformance/rig.h"
#include "unit_kernels.h"

typedef struct park {
    unsigned *flag; /* mapped: the host writes it in place */
    pthread_t thread;
} park;

/* Launches a kernel that waits. Kernels that run meanwhile must have been loaded before. */
TEST_UNUSED static void park_begin(park *p, hd_stream *stream)
{
    void *seen = NULL;

    MUST(hd_alloc_kind(&p->flag, 1, HD_MEM_MAPPED, 0));
    *p->flag = 0;
    MUST(hd_host_device_pointer(&seen, p->flag, 0));
    MUST(hd_launch(unit_wait_for, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, stream),
                   (const unsigned *)seen, 1u));
}

TEST_UNUSED static void park_go(park *p)
{
    __atomic_store_n(p->flag, 1u, __ATOMIC_RELEASE);
}

static void *park_wait(void *argument)
{
    usleep(50000);
    park_go((park *)argument);
    return NULL;
}

/* Lets the kernel go in a while, from another thread: for calls that wait for it. */
TEST_UNUSED static void park_go_soon(park *p)
{
    if (pthread_create(&p->thread, NULL, park_wait, p) != 0)
        exit(1);
}

/* After park_go_soon. The flag is still there. */
TEST_UNUSED static void park_join(park *p)
{
    (void)pthread_join(p->thread, NULL);
}

#endif
