/* SPDX-License-Identifier: Apache-2.0 */
/* test_polling.c - a loop that polls ends with an error within seconds, and one that makes progress
   does not, however long it takes. The ways are tried at warp 32 and 64 by turns, since each takes
   seconds. CPU only: on a GPU others run meanwhile. labels: slow once */
#include <time.h>

#include "child.h"
#include "conformance/rig.h"
#include "polling_kernels.h"

static unsigned way;

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- loops that poll ------------------------------------------------------------------------- */

static void polls(void)
{
    char address[32];
    unsigned *flag;
    double start;

    rig_open();
    flag = rig_zeroed(sizeof *flag);
    MUST(hd_stream_synchronize(rig_stream));
    start = now();
    (void)hd_launch(polling_loop, rig_flat(1, 100), way, flag);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_DEADLOCK);
    start = now() - start;
    NOTE("way %u: %.2f s: %s", way, start, hd_error_last()->message);
    (void)snprintf(address, sizeof address, "%p", (void *)flag);
    CHECK(strstr(hd_error_last()->message, "polling_loop") != NULL);
    CHECK(strstr(hd_error_last()->message, address) != NULL);
    CHECK(strstr(hd_error_last()->message, "hd_wait_") != NULL);
    CHECK(start < 8); /* 2 s where nothing else wants the processors */
    hd_error_clear();
}

/* The plain engine traces on x86-64, the checking engine everywhere. */
#if HD_CPU_CHECK || (defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__))
enum { CAN_TRACE = 1 };
#else
enum { CAN_TRACE = 0 };
#endif

/* The environment of the way: a number of workers, and a warp size. */
static char *const *variables_of(unsigned which, int workers)
{
    static char *variables[3];

    variables[0] = workers == 1 ? "HEDDLE_CPU_THREADS=1" : "HEDDLE_CPU_THREADS=2";
    variables[1] = which % 2 ? "HEDDLE_CPU_WARP=64" : "HEDDLE_CPU_WARP=32";
    return variables;
}

static void polls_every_way(int workers)
{
    if (!rig_on_cpu())
        SKIP("on a GPU others run meanwhile");
    if (!CAN_TRACE)
        SKIP("the engine cannot trace here");
    for (way = 0; way < POLL_WAYS; way++)
        CHECK_EQ_I64(child_run(variables_of(way + (unsigned)workers, workers), polls), 0);
}

TEST(polling_is_an_error)
{
    polls_every_way(1);
}

TEST(polling_is_an_error_beside_an_idle_worker)
{
    polls_every_way(2);
}

#if !HD_CPU_CHECK
/* An iteration of thousands of instructions: one word after the other. */
static void polls_a_list(void)
{
    enum { FLAGS = 600 };
    unsigned *flags;
    double start;

    rig_open();
    flags = rig_zeroed(FLAGS * sizeof *flags);
    MUST(hd_stream_synchronize(rig_stream));
    start = now();
    (void)hd_launch(polling_list, rig_flat(1, 1), FLAGS, flags);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_DEADLOCK);
    start = now() - start;
    NOTE("%.2f s: %s", start, hd_error_last()->message);
    CHECK(strstr(hd_error_last()->message, "polling_list") != NULL);
    CHECK(start < 20); /* 5 s where nothing else wants the processors */
    hd_error_clear();
}

TEST(polling_of_many_words_is_an_error)
{
    if (!rig_on_cpu())
        SKIP("on a GPU others run meanwhile");
    if (!CAN_TRACE)
        SKIP("the engine cannot trace here");
    CHECK_EQ_I64(child_run(variables_of(1, 2), polls_a_list), 0);
}
#endif

/* ---- loops that do not ----------------------------------------------------------------------- */

static double seconds_of(unsigned long long n, unsigned *found, unsigned long long *count)
{
    double start = now();

    MUST(hd_fill_zero(count, 1, rig_stream));
    MUST(hd_launch(polling_busy, rig_flat(2, 64), way, n, found, count));
    MUST(hd_stream_synchronize(rig_stream));
    return now() - start;
}

/* A number of steps that takes so long. */
static unsigned long long steps_for(double seconds, unsigned *found, unsigned long long *count)
{
    unsigned long long n = 1000;
    double took;

    while ((took = seconds_of(n, found, count)) < 0.1)
        n *= 2;
    return (unsigned long long)((double)n * seconds / took);
}

static void is_busy(void)
{
    unsigned long long *count, n;
    unsigned *found;

    rig_open();
    found = rig_zeroed(sizeof *found);
    count = rig_zeroed(sizeof *count);
    n = steps_for(2.5, found, count);
    (void)seconds_of(n, found, count);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    rig_drop(found);
    rig_drop(count);
}

TEST(progress_is_none)
{
    if (!rig_on_cpu())
        SKIP("on a GPU others run meanwhile");
    for (way = 0; way < BUSY_WAYS; way++)
        CHECK_EQ_I64(child_run(variables_of(way, 2), is_busy), 0);
}

#if !HD_CPU_CHECK /* which has one worker */
static void is_late(void)
{
    unsigned long long *count, n;
    unsigned *flag;

    rig_open();
    way = BUSY_ADD;
    flag = rig_zeroed(sizeof *flag);
    count = rig_zeroed(sizeof *count);
    n = steps_for(2.5, flag, count);
    MUST(hd_launch(polling_late, rig_flat(2, 1), n, flag, count));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    rig_drop(flag);
    rig_drop(count);
}

TEST(polling_for_a_block_that_computes_ends)
{
    if (!rig_on_cpu())
        SKIP("on a GPU others run meanwhile");
    CHECK_EQ_I64(child_run(variables_of(1, 2), is_late), 0);
}
#endif

TEST_MAIN
