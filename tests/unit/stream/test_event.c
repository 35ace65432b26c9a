/* SPDX-License-Identifier: Apache-2.0 */
/* test_event.c - events: recording, asking, waiting, time. */
#include <time.h>
#include <unistd.h>

#include "conformance/rig.h"
#include "unit_kernels.h"

TEST(never_recorded)
{
    hd_event *event = NULL;

    rig_open();
    MUST(hd_event_create(0, 0, &event));
    CHECK_STATUS(hd_event_query(event), HD_OK);
    MUST(hd_event_synchronize(event));
    MUST(hd_stream_wait(rig_stream, event));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_event_destroy(event));
    MUST(hd_event_destroy(NULL));
}

TEST(done_after_the_work_before_it)
{
    hd_event *event = NULL;
    int *x, back = 0;
    long turns = (long)rig_size(500000, 100);

    rig_open();
    MUST(hd_event_create(0, 0, &event));
    x = rig_zeroed(sizeof(int));
    MUST(hd_launch(unit_spin, rig_flat(1, 1), x, turns));
    MUST(hd_event_record(event, rig_stream));
    CHECK(hd_event_query(event) >= 0);
    MUST(hd_event_synchronize(event));
    CHECK_STATUS(hd_event_query(event), HD_OK);
    MUST(hd_copy_blocking(&back, (const int *)x, 1, rig_stream));
    CHECK_EQ_I64(back, (int)turns);
    MUST(hd_event_record(event, rig_stream)); /* again */
    MUST(hd_event_synchronize(event));
    MUST(hd_event_destroy(event));
    rig_drop(x);
}

static void take_20_ms(void *unused)
{
    (void)unused;
    usleep(20000);
}

static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

TEST(time_between_two_events)
{
    double begun, passed;
    hd_event *start = NULL, *stop = NULL, *untimed = NULL;
    float ms = -5, longer = 0;
    int *x;

    rig_open();
    MUST(hd_event_create(0, HD_EVENT_TIMING, &start));
    MUST(hd_event_create(0, HD_EVENT_TIMING, &stop));
    MUST(hd_event_create(0, 0, &untimed));
    CHECK(hd_event_elapsed(start, stop, &ms) < 0); /* not recorded */
    CHECK(ms == -5);
    x = rig_zeroed(sizeof(int));
    MUST(hd_event_record(start, rig_stream));
    MUST(hd_launch(unit_spin, rig_flat(1, 1), x, 1000l));
    MUST(hd_event_record(stop, rig_stream));
    MUST(hd_event_synchronize(stop));
    MUST(hd_event_elapsed(start, stop, &ms));
    CHECK(ms >= 0 && ms < 10000);
    begun = milliseconds();
    MUST(hd_event_record(start, rig_stream));
    MUST(hd_stream_host_function(rig_stream, take_20_ms, NULL));
    MUST(hd_event_record(stop, rig_stream));
    MUST(hd_event_synchronize(stop));
    passed = milliseconds() - begun;
    MUST(hd_event_elapsed(start, stop, &longer));
    CHECK(longer >= 19.0f);
    CHECK((double)longer <= 1.01 * passed + 0.1); /* another clock may run a little faster */
    MUST(hd_event_record(untimed, rig_stream));
    MUST(hd_event_synchronize(untimed));
    CHECK(hd_event_elapsed(start, untimed, &ms) < 0);
    CHECK_STATUS(hd_event_elapsed(NULL, stop, &ms), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_event_elapsed(start, NULL, &ms), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_event_elapsed(start, stop, NULL), HD_ERR_ARGUMENT);
    MUST(hd_event_destroy(start));
    MUST(hd_event_destroy(stop));
    MUST(hd_event_destroy(untimed));
    rig_drop(x);
}

TEST(time_between_devices_is_refused)
{
    hd_event *events[2] = {NULL, NULL};
    hd_stream *streams[2] = {NULL, NULL};
    float ms = -5;
    int devices;

    MUST(hd_device_count(&devices));
    if (devices < 2)
        SKIP("fewer than 2 devices");
    for (int i = 0; i < 2; i++) {
        MUST(hd_stream_create(i, &streams[i]));
        MUST(hd_event_create(i, HD_EVENT_TIMING, &events[i]));
        MUST(hd_event_record(events[i], streams[i]));
        MUST(hd_event_synchronize(events[i]));
    }
    CHECK_STATUS(hd_event_elapsed(events[0], events[1], &ms), HD_ERR_ARGUMENT);
    CHECK(ms == -5);
    for (int i = 0; i < 2; i++) {
        MUST(hd_event_destroy(events[i]));
        MUST(hd_stream_destroy(streams[i]));
    }
}

TEST(bad_events)
{
    hd_event *event = (hd_event *)8;
    hd_stream *other = NULL;
    int devices;

    rig_open();
    CHECK_STATUS(hd_event_create(-1, 0, &event), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_event_create(0, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_event_create(0, 0x100, &event), HD_ERR_ARGUMENT);
    CHECK(event == (hd_event *)8);
    CHECK_STATUS(hd_event_record(NULL, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_event_query(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_event_synchronize(NULL), HD_ERR_ARGUMENT);
    MUST(hd_event_create(0, 0, &event));
    CHECK_STATUS(hd_event_record(event, NULL), HD_ERR_ARGUMENT);
    MUST(hd_device_count(&devices));
    if (devices > 1) {
        MUST(hd_stream_create(1, &other));
        CHECK(hd_event_record(event, other) < 0); /* the event is of device 0 */
        MUST(hd_stream_destroy(other));
    }
    MUST(hd_event_destroy(event));
}

TEST_MAIN
