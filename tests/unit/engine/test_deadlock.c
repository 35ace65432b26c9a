/* SPDX-License-Identifier: Apache-2.0 */
/* test_deadlock.c - the watchdog ends a launch whose blocks wait for ever, and says who waits for
   what. CPU only: a GPU would hang. */
#include "child.h"
#include "conformance/rig.h"
#include "unit_kernels.h"

static void waits_for_ever(void)
{
    unsigned *flag;
    int back = 0, *x;

    rig_open();
    flag = rig_zeroed(sizeof *flag);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_launch(unit_wait_for, rig_flat(3, 2), (const unsigned *)flag, 5u));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_DEADLOCK);
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_DEADLOCK);
    NOTE("%s", hd_error_last()->message);
    CHECK(strstr(hd_error_last()->message, "unit_wait_for") != NULL);
    CHECK(strstr(hd_error_last()->message, "kern_unit.c") != NULL);
    CHECK(strstr(hd_error_last()->message, "5") != NULL);
    hd_error_clear();
    if (hd_device_reset(0) == HD_OK) { /* the device can be used again */
        hd_stream *stream = NULL;
        MUST(hd_stream_create(0, &stream));
        MUST(hd_alloc(&x, 1, 0));
        MUST(hd_launch(unit_set, hd_launch_1d(1, 1, stream), (size_t)1, x, 9));
        MUST(hd_copy_blocking(&back, (const int *)x, 1, stream));
        CHECK_EQ_I64(back, 9);
        MUST(hd_free(x));
    }
}

static void only_late(void)
{
    hd_stream *other = NULL;
    unsigned *flag = NULL;

    rig_open();
    MUST(hd_alloc_kind(&flag, 1, HD_MEM_COHERENT, 0));
    MUST(hd_fill_bytes(flag, 0, 4, 1, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &other));
    MUST(hd_launch(unit_wait_for, rig_flat(2, 2), (const unsigned *)flag, 5u));
    usleep(200000);
    MUST(hd_launch(unit_raise, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, other), flag,
                   5u));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    MUST(hd_stream_destroy(other));
    MUST(hd_free(flag));
}

static char *watched[] = {"HEDDLE_CPU_WATCHDOG=1", NULL};

TEST(a_deadlock_is_an_error)
{
    if (!rig_on_cpu())
        SKIP("the watchdog is the CPU's");
    CHECK_EQ_I64(child_run(watched, waits_for_ever), 0);
}

TEST(waiting_for_a_later_launch_is_none)
{
    if (!rig_on_cpu())
        SKIP("the watchdog is the CPU's");
    CHECK_EQ_I64(child_run(watched, only_late), 0);
}

TEST_MAIN
