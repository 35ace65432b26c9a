/* SPDX-License-Identifier: Apache-2.0 */
/* test_stuck.c - a stream that waits for what never comes. No call of heddle makes one, so that the
   wait is put into the stream from inside the CPU engine: the watchdog ends it, the device reports
   it, and the stream goes on. labels: once */
#include "child.h"
#include "conformance/rig.h"

#if __has_include(<heddle/backend/cpu_block.h>)
#include "backends/cpu/stream/stream.h"

static char *watched[] = {"HEDDLE_CPU_WATCHDOG=2", NULL};

/* A wait for a record that nobody has enqueued. */
static void wait_for_nothing(hd_stream *stream)
{
    hd_cpu_op *op = hd_cpu_op_make(HD_CPU_OP_WAIT, stream);

    op->mark = hd_cpu_mark_make(stream->native);
    op->mark->refs++;
    MUST(hd_cpu_enqueue(op));
}

static void stuck(void)
{
    hd_stream *other = NULL;
    hd_event *event = NULL;
    int x = 5, back = 0, *device;

    alarm(60);
    rig_open();
    device = rig_zeroed(sizeof x);
    MUST(hd_stream_create(0, &other));
    MUST(hd_event_create(0, 0, &event));
    wait_for_nothing(other);
    MUST(hd_copy(device, &x, 1, other));
    MUST(hd_event_record(event, other));
    MUST(hd_stream_wait(rig_stream, event));
    CHECK_STATUS(hd_stream_query(other), HD_NOT_READY);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_DEADLOCK);
    CHECK(strstr(hd_error_last()->message, "waits for an event") != NULL);
    CHECK(strstr(hd_error_last()->message, "2 s") != NULL);
    MUST(hd_stream_synchronize(other)); /* once */
    MUST(hd_copy_blocking(&back, device, 1, other));
    CHECK_EQ_I64(back, 5);
    wait_for_nothing(other);
    CHECK_STATUS(hd_device_synchronize(0), HD_ERR_DEADLOCK);
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(other));
    rig_drop(device);
}

TEST(a_wait_for_nothing_ends)
{
    CHECK_EQ_I64(child_run(watched, stuck), 0);
}
#else
TEST(a_wait_for_nothing_ends)
{
    SKIP("about the CPU engine");
}
#endif

TEST_MAIN
