/* SPDX-License-Identifier: Apache-2.0 */
/* test_priority.c - a kernel of a greater priority does not wait for the blocks of a large one that
   was there before. What counts is how many of these are done when it runs, not time.
   labels: alone */
#include <heddle/heddle.h>

#include "park.h"

typedef struct crowd {
    hd_stream *stream;
    unsigned *count, *begun, *begun_device;
    unsigned blocks, turns;
    hd_status status;
} crowd;

static void *launch_crowd(void *argument)
{
    crowd *c = argument;

    c->status = hd_launch(unit_crowd,
                          hd_launch_with(hd_dim(c->blocks, 1, 1), hd_dim(64, 1, 1), 0, c->stream),
                          c->count, c->begun_device, c->turns);
    if (c->status >= 0)
        c->status = hd_stream_synchronize(c->stream);
    return NULL;
}

/* Blocks of the crowd that are done when a kernel of the priority runs that is launched once the
   crowd has begun. */
static unsigned done_by_then(crowd *c, int priority)
{
    hd_stream *stream = NULL;
    unsigned *seen = rig_zeroed(sizeof *seen), result = 0;
    pthread_t thread;

    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, priority, &stream));
    MUST(hd_fill_zero(c->count, 1, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    __atomic_store_n(c->begun, 0, __ATOMIC_RELEASE);
    if (pthread_create(&thread, NULL, launch_crowd, c) != 0)
        exit(1);
    while (!__atomic_load_n(c->begun, __ATOMIC_ACQUIRE))
        usleep(10);
    MUST(hd_launch(unit_look, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, stream),
                   (const unsigned *)c->count, seen));
    MUST(hd_stream_synchronize(stream));
    (void)pthread_join(thread, NULL);
    MUST(c->status);
    rig_download(&result, seen, sizeof result);
    MUST(hd_stream_destroy(stream));
    rig_drop(seen);
    return result;
}

TEST(a_greater_priority_goes_first)
{
    crowd c = {NULL, NULL, NULL, NULL, 0, 0, HD_OK};
    int64_t greatest = 0, least = 0, units = 0;
    void *seen = NULL;
    unsigned same, sooner;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("a sanitizer may wait for one kernel before it launches the next");
    (void)setenv("HEDDLE_CPU_THREADS", "1",
                 1); /* one that comes late would take the newest first */
    rig_open();
    MUST(hd_device_get(0, HD_ATTR_STREAM_PRIORITY_GREATEST, &greatest));
    MUST(hd_device_get(0, HD_ATTR_STREAM_PRIORITY_LEAST, &least));
    MUST(hd_device_get(0, HD_ATTR_COMPUTE_UNITS, &units));
    if (greatest == least)
        SKIP("the device knows no priorities");
    c.count = rig_zeroed(sizeof *c.count);
    MUST(hd_alloc_kind(&c.begun, 1, HD_MEM_MAPPED, 0));
    MUST(hd_host_device_pointer(&seen, c.begun, 0));
    c.begun_device = seen;
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, (int)least, &c.stream));
#if defined(HD_CPU_CHECK)
    c.blocks = 1000;
    c.turns = 2000;
#else
    c.blocks = rig_on_cpu() ? 3000 : (unsigned)units * 32 * 60;
    c.turns = rig_on_cpu() ? 1000 : 20000; /* milliseconds in all */
#endif
    for (int turn = 0; turn < 3; turn++) {
        same = done_by_then(&c, (int)least);
        sooner = done_by_then(&c, (int)greatest);
        NOTE("of %u blocks %u were done at the least priority, %u at the greatest", c.blocks, same,
             sooner);
        CHECK(sooner < c.blocks / 2);
        CHECK(same > c.blocks / 2 || !rig_on_cpu()); /* a vendor promises nothing about these */
    }
    MUST(hd_stream_destroy(c.stream));
    MUST(hd_free(c.begun));
    rig_drop(c.count);
}

TEST_MAIN
