/* SPDX-License-Identifier: Apache-2.0 */
/* test_borrow.c - launches whose blocks run on the thread that launches them. CPU only.
   labels: faults once */
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "borrow_kernels.h"
#include "child.h"
#include "conformance/rig.h"
#include "engine_kernels.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static char *one[] = {"HEDDLE_CPU_THREADS=1", "HEDDLE_CPU_WATCHDOG=5", NULL};
static char *two[] = {"HEDDLE_CPU_THREADS=2", "HEDDLE_CPU_WATCHDOG=5", NULL};
static char *four[] = {"HEDDLE_CPU_THREADS=4", "HEDDLE_CPU_WATCHDOG=5", NULL};
static char *hasty[] = {"HEDDLE_CPU_THREADS=1", "HEDDLE_CPU_WATCHDOG=1", NULL};

static void run(char *const *variables, void (*body)(void))
{
#if defined(HD_CPU_CHECK)
    SKIP("under the checker workers run all blocks");
#endif
    if (!rig_on_cpu())
        SKIP("about the CPU engine");
    CHECK_EQ_I64(child_run(variables, body), 0);
}

static double seconds(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static hd_stream *stream_of(int priority)
{
    hd_stream *stream = NULL;

    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, priority, &stream));
    return stream;
}

static hd_launch_config flat_on(hd_stream *stream, unsigned grid, unsigned block)
{
    return hd_launch_with(hd_dim(grid, 1, 1), hd_dim(block, 1, 1), 0, stream);
}

/* Workers have gone to sleep: none of them looks for work any more. */
static void let_them_sleep(void)
{
    MUST(hd_stream_synchronize(rig_stream));
    usleep(100000);
}

/* ---- who runs -------------------------------------------------------------------------------- */

static void on_this_thread(void)
{
    enum { BLOCKS = 64 };
    unsigned *out, got[BLOCKS];
    double used, elapsed;

    rig_open();
    out = rig_zeroed(sizeof got);
    let_them_sleep();
    used = seconds(CLOCK_THREAD_CPUTIME_ID);
    elapsed = seconds(CLOCK_PROCESS_CPUTIME_ID);
    MUST(hd_launch(borrow_work, rig_flat(BLOCKS, 1), 1u << 20, out));
    used = seconds(CLOCK_THREAD_CPUTIME_ID) - used;
    elapsed = seconds(CLOCK_PROCESS_CPUTIME_ID) - elapsed;
    NOTE("%.1f of %.1f ms of processor time", 1e3 * used, 1e3 * elapsed);
    CHECK(used > 0.9 * elapsed);
    rig_download(got, out, sizeof got);
    for (unsigned b = 0; b < BLOCKS; b++) {
        unsigned x = b + 1;

        for (unsigned i = 0; i < 1u << 20; i++)
            x = x * 1664525u + 1013904223u;
        CHECK_EQ_U64(got[b], x);
    }
}

/* The worker ran a kernel that waits and looks for more now. */
static void while_it_spins(void)
{
    enum { ROUNDS = 20 };
    unsigned *word, *out;
    double used = 0, elapsed = 0;

    rig_open();
    word = rig_zeroed(sizeof *word);
    out = rig_zeroed(sizeof *out);
    for (unsigned round = 0; round < ROUNDS; round++) {
        MUST(hd_launch(engine_wait, rig_flat(1, 1), (const unsigned *)word, 0u));
        MUST(hd_stream_synchronize(rig_stream));
        used -= seconds(CLOCK_THREAD_CPUTIME_ID);
        elapsed -= seconds(CLOCK_PROCESS_CPUTIME_ID);
        MUST(hd_launch(borrow_work, rig_flat(1, 1), 1u << 20, out));
        MUST(hd_stream_synchronize(rig_stream));
        used += seconds(CLOCK_THREAD_CPUTIME_ID);
        elapsed += seconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    NOTE("%.1f of %.1f ms of processor time", 1e3 * used, 1e3 * elapsed);
    CHECK(used > 0.8 * elapsed);
}

TEST(the_calling_thread_takes_a_worker_that_spins)
{
    if (SANITIZED)
        SKIP("the sanitizer would have to know its stack");
    run(one, while_it_spins);
}

TEST(the_calling_thread_runs_blocks)
{
    if (SANITIZED)
        SKIP("the sanitizer would have to know its stack");
    run(one, on_this_thread);
}

/* ---- many threads ---------------------------------------------------------------------------- */

typedef struct launcher {
    pthread_t thread;
    unsigned number, wrong;
} launcher;

static void *launch_often(void *argument)
{
    enum { BLOCKS = 7, EACH = 200, ROUNDS = 400 };
    launcher *l = argument;
    hd_stream *stream = stream_of(0);
    unsigned *x, *out;

    MUST(hd_alloc_kind(&x, BLOCKS * EACH, HD_MEM_MAPPED, 0));
    MUST(hd_alloc_kind(&out, BLOCKS, HD_MEM_MAPPED, 0));
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned blocks = 1 + (round + l->number) % BLOCKS;

        for (unsigned i = 0; i < blocks * EACH; i++)
            x[i] = i * (l->number + 1) + round;
        MUST(hd_launch(borrow_sum, flat_on(stream, blocks, BORROW_THREADS), (const unsigned *)x,
                       (unsigned)EACH, out));
        MUST(hd_stream_synchronize(stream));
        for (unsigned b = 0; b < blocks; b++) {
            unsigned sum = 0;

            for (unsigned i = 0; i < EACH; i++)
                sum += (b * EACH + i) * (l->number + 1) + round;
            l->wrong += out[b] != sum;
        }
    }
    MUST(hd_free(x));
    MUST(hd_free(out));
    MUST(hd_stream_destroy(stream));
    return NULL;
}

static void many_threads(void)
{
    enum { THREADS = 5 };
    launcher all[THREADS] = {{0}};

    alarm(TEST_HANG_SECONDS);
    rig_open();
    for (unsigned i = 0; i < THREADS; i++) {
        all[i].number = i;
        CHECK(pthread_create(&all[i].thread, NULL, launch_often, &all[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_join(all[i].thread, NULL) == 0);
        CHECK_EQ_U64(all[i].wrong, 0);
    }
}

TEST(threads_that_launch_share_one_worker)
{
    run(one, many_threads);
}

TEST(threads_that_launch_share_two_workers)
{
    run(two, many_threads);
}

TEST(threads_that_launch_share_four_workers)
{
    run(four, many_threads);
}

static double long_ended;

static void *launch_long(void *argument)
{
    hd_stream *stream = stream_of(0);

    MUST(hd_launch(borrow_work, flat_on(stream, 400, 1), 1u << 20, (unsigned *)argument));
    long_ended = seconds(CLOCK_MONOTONIC);
    MUST(hd_stream_synchronize(stream));
    MUST(hd_stream_destroy(stream));
    return NULL;
}

/* The only worker is lent; its own thread takes it back for an urgent launch. */
static void urgent_beside_long(void)
{
    unsigned *out, *word;
    hd_stream *stream;
    pthread_t thread;
    double ended;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    out = rig_zeroed(400 * sizeof *out);
    word = rig_zeroed(sizeof *word);
    stream = stream_of(-1);
    let_them_sleep();
    CHECK(pthread_create(&thread, NULL, launch_long, out) == 0);
    usleep(50000);
    MUST(hd_launch(borrow_store, flat_on(stream, 1, 1), word, 1u));
    MUST(hd_stream_synchronize(stream));
    ended = seconds(CLOCK_MONOTONIC);
    CHECK(pthread_join(thread, NULL) == 0);
    NOTE("the urgent one ended %.0f ms before the long one", 1e3 * (long_ended - ended));
    CHECK(long_ended - ended > 0.05);
    MUST(hd_stream_destroy(stream));
}

TEST(an_urgent_launch_does_not_wait_for_a_long_one)
{
    run(one, urgent_beside_long);
}

static void *hold_long(void *bad)
{
    hd_stream *stream = stream_of(0);

    MUST(hd_launch(borrow_hold, flat_on(stream, 1, 1), 2u, 1u << 26, (unsigned *)bad));
    MUST(hd_stream_synchronize(stream));
    MUST(hd_stream_destroy(stream));
    return NULL;
}

/* This thread has done the work of the first worker, which another thread does now; then that of
   the second one, whose blocks have shared memory of their own. */
static void two_workers_work(void)
{
    unsigned *bad, got[2] = {1, 1};
    pthread_t thread;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    bad = rig_zeroed(sizeof got);
    let_them_sleep();
    MUST(hd_launch(borrow_hold, rig_flat(1, 1), 1u, 1u, bad));
    let_them_sleep();
    CHECK(pthread_create(&thread, NULL, hold_long, bad + 1) == 0);
    usleep(20000);
    MUST(hd_launch(borrow_hold, rig_flat(1, 1), 3u, 1u, bad));
    CHECK(pthread_join(thread, NULL) == 0);
    rig_download(got, bad, sizeof got);
    CHECK_EQ_U64(got[0], 0);
    CHECK_EQ_U64(got[1], 0);
}

TEST(a_thread_works_for_one_worker_after_another)
{
    run(two, two_workers_work);
}

/* ---- blocks that wait for each other --------------------------------------------------------- */

static void rounds_of(unsigned blocks)
{
    hd_launch_config config;
    unsigned *words, bad = 1;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    words = rig_zeroed(4 * sizeof *words);
    let_them_sleep();
    config = rig_flat(blocks, 32);
    config.flags = HD_LAUNCH_COOPERATIVE;
    MUST(hd_launch(borrow_rounds, config, words, words + 2, 50u, words + 3));
    rig_download(&bad, words + 3, sizeof bad);
    CHECK_EQ_U64(bad, 0);
}

static void rounds_of_eight(void)
{
    rounds_of(8);
}

static void rounds_of_twenty(void)
{
    rounds_of(20);
}

TEST(blocks_meet_with_one_worker)
{
    run(one, rounds_of_eight);
}

TEST(blocks_meet_with_two_workers)
{
    run(two, rounds_of_twenty);
}

TEST(blocks_meet_with_four_workers)
{
    run(four, rounds_of_twenty);
}

/* Not run here: the launch is left behind. */
static void for_the_host(void)
{
    unsigned *flag = NULL;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    MUST(hd_alloc_kind(&flag, 1, HD_MEM_MAPPED, 0));
    *flag = 0;
    let_them_sleep();
    MUST(hd_launch(engine_wait, rig_flat(1, 1), (const unsigned *)flag, 1u));
    CHECK_STATUS(hd_stream_query(rig_stream), HD_NOT_READY);
    __atomic_store_n(flag, 1u, __ATOMIC_RELEASE);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
}

TEST(a_kernel_that_waits_for_the_host_is_left_to_a_worker)
{
    run(one, for_the_host);
}

static void for_ever(void)
{
    unsigned *flag;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    flag = rig_zeroed(sizeof *flag);
    let_them_sleep();
    MUST(hd_launch(borrow_wait, rig_flat(2, 1), (const unsigned *)flag, 1u));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_DEADLOCK);
    CHECK(strstr(hd_error_last()->message, "hd_wait_ge_grid at") != NULL);
}

TEST(a_wait_that_nobody_ends_is_a_deadlock)
{
    run(hasty, for_ever);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void fails_with(const char *why)
{
    unsigned *word, got = 0;

    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ILLEGAL_ADDRESS);
    NOTE("%s", hd_error_last()->message);
    CHECK(strstr(hd_error_last()->message, why) != NULL);
    CHECK_STATUS(hd_device_reset(0), HD_OK);
    rig_stream = NULL;
    rig_open();
    let_them_sleep();
    word = rig_zeroed(sizeof *word);
    MUST(hd_launch(borrow_store, rig_flat(1, 1), word, 7u));
    rig_download(&got, word, sizeof got);
    CHECK_EQ_U64(got, 7);
}

static void bad_address(void)
{
    alarm(TEST_HANG_SECONDS);
    rig_open();
    let_them_sleep();
    MUST(hd_launch(borrow_store, rig_flat(1, 1), (unsigned *)(uintptr_t)8, 1u));
    fails_with("address that is not there");
}

static void by_zero(void)
{
    int *x;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    x = rig_zeroed(sizeof *x);
    let_them_sleep();
    MUST(hd_launch(borrow_divide, rig_flat(1, 1), x, 0));
    fails_with("division by zero");
}

static void too_deep(void)
{
    unsigned *out;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    out = rig_zeroed(sizeof *out);
    let_them_sleep();
    MUST(hd_launch(borrow_deep, rig_flat(1, 1), out, 100000u));
    fails_with("stack overflow");
}

static void *in_a_thread(void *body)
{
    (*(void (**)(void))body)();
    return NULL;
}

static void too_deep_elsewhere(void)
{
    void (*body)(void) = too_deep;
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, in_a_thread, &body) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    body();
}

static void fault(void (*body)(void))
{
    if (SANITIZED)
        SKIP("the sanitizer reports the fault");
    run(one, body);
}

TEST(a_bad_address)
{
    fault(bad_address);
}

TEST(an_integer_divided_by_zero)
{
#if defined(__aarch64__)
    SKIP("0 there");
#endif
    fault(by_zero);
}

TEST(a_stack_that_overflows)
{
    fault(too_deep);
}

TEST(a_stack_that_overflows_on_two_threads)
{
    fault(too_deep_elsewhere);
}

/* ---- the thread's own state ------------------------------------------------------------------ */

static void modes(void)
{
    float x[1000], *device, *sum, got = 0, nearest = 0;

    rig_open();
    for (unsigned i = 0; i < 1000; i++)
        nearest += x[i] = 0.1f;
    device = rig_upload(x, sizeof x);
    sum = rig_zeroed(sizeof *sum);
    let_them_sleep();
    fesetround(FE_UPWARD);
    (void)feclearexcept(FE_ALL_EXCEPT);
    MUST(hd_launch(borrow_float_sum, rig_flat(1, 1), (const float *)device, 1000u, sum));
    CHECK_EQ_I64(fegetround(), FE_UPWARD);
    CHECK_EQ_I64(fetestexcept(FE_INEXACT), 0);
    fesetround(FE_TONEAREST);
    rig_download(&got, sum, sizeof got);
    CHECK(memcmp(&got, &nearest, sizeof got) == 0);
}

TEST(rounding_and_flags_stay_the_threads)
{
    run(one, modes);
}

static void handlers(void)
{
    static char room[1 << 16];
    stack_t mine = {.ss_sp = room, .ss_size = sizeof room}, now;
    unsigned *word;

    CHECK(sigaltstack(&mine, NULL) == 0);
    rig_open();
    word = rig_zeroed(sizeof *word);
    let_them_sleep();
    MUST(hd_launch(borrow_store, rig_flat(1, 1), word, 1u));
    CHECK(sigaltstack(NULL, &now) == 0);
    CHECK(now.ss_sp == room && now.ss_size == sizeof room);
    MUST(hd_launch(borrow_deep, rig_flat(1, 1), word, 100000u));
    fails_with("stack overflow");
}

TEST(a_stack_for_handlers_stays_the_threads)
{
    fault(handlers);
}

TEST_MAIN
