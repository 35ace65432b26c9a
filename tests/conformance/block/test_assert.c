/* SPDX-License-Identifier: Apache-2.0 */
/* test_assert.c - a failed device assertion is an error with its place; the process goes on. */
#include "print.h"
#include "rig.h"

static void next_launch_works(void)
{
    unsigned count = 0;
    void *d_count = rig_zeroed(sizeof count);

    MUST(hd_launch(count_threads, rig_flat(4, 64), (unsigned *)d_count));
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, 256);
    CHECK_STATUS(hd_device_state(0), HD_OK);
    CHECK_STATUS(hd_device_synchronize(0), HD_OK);
    rig_drop(d_count);
}

TEST(the_place_and_the_thread_are_named)
{
    unsigned count = 0;
    void *d_count;
    const hd_error *error;

    rig_open();
    d_count = rig_zeroed(sizeof count);
    MUST(hd_launch(assert_at, rig_flat(4, 100), (size_t)237, (unsigned *)d_count));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ASSERT);
    error = hd_error_last();
    CHECK_EQ_I64(error->status, HD_ERR_ASSERT);
    NOTE("%s", error->message);
    CHECK(strstr(error->message, "assert_at") != NULL);
    CHECK(strstr(error->message, "kern_print.c") != NULL);
    CHECK(strstr(error->message, "i != culprit") != NULL);
    CHECK(strstr(error->message, "2") != NULL && strstr(error->message, "37") != NULL);
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, 399);
    rig_drop(d_count);
    next_launch_works();
}

TEST(many_assertions_are_one_error)
{
    unsigned count = 0;
    void *d_count;

    rig_open();
    d_count = rig_zeroed(sizeof count);
    MUST(hd_launch(assert_beside_barriers, rig_flat(50, 70), 69u, (unsigned *)d_count));
    CHECK_STATUS(hd_device_synchronize(0), HD_ERR_ASSERT);
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, 50 * 69);
    rig_drop(d_count);
    next_launch_works();
}

TEST(no_assertion_no_error)
{
    unsigned count = 0;
    void *d_count;

    rig_open();
    d_count = rig_zeroed(sizeof count);
    MUST(hd_launch(assert_at, rig_flat(2, 64), (size_t)128, (unsigned *)d_count));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, 128);
    MUST(hd_launch(self_checked, rig_flat(1, 32), 1, (unsigned *)d_count));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    rig_drop(d_count);
}

/* In diagnostic builds a self check is an assertion, otherwise it costs nothing. */
TEST(self_checks_follow_the_build)
{
    unsigned count = 0;
    void *d_count;

    rig_open();
    d_count = rig_zeroed(sizeof count);
    MUST(hd_launch(self_checked, rig_flat(1, 32), 0, (unsigned *)d_count));
#if defined(HEDDLE_SELF_CHECK) && HEDDLE_SELF_CHECK
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ASSERT);
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, 0);
#else
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    rig_download(&count, d_count, sizeof count);
    CHECK_EQ_U64(count, 32);
#endif
    rig_drop(d_count);
}

TEST_MAIN
