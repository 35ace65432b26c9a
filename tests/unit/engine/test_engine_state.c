/* SPDX-License-Identifier: Apache-2.0 */
/* test_engine_state.c - what a process may do around the CPU engine: change its rounding mode,
   fork, stop, run out of memory, register what is not its own. CPU only. labels: once */
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "child.h"
#include "conformance/rig.h"
#include "engine_kernels.h"

#if defined(HD_CPU_CHECK) && HD_CPU_CHECK
enum { CHECKER = 1 };
#else
enum { CHECKER = 0 };
#endif

static char *plain[] = {NULL};
static char *watched[] = {"HEDDLE_CPU_WATCHDOG=1", "HEDDLE_CPU_THREADS=2", NULL};

static void run(char *const *variables, void (*body)(void))
{
    if (!rig_on_cpu())
        SKIP("about the CPU engine");
    CHECK_EQ_I64(child_run(variables, body), 0);
}

static hd_stream *stream_of_its_own(void)
{
    hd_stream *stream = NULL;

    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &stream));
    return stream;
}

static unsigned *flag_make(void)
{
    unsigned *flag = NULL;

    MUST(hd_alloc_kind(&flag, 1, HD_MEM_MAPPED, 0));
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
    return flag;
}

/* ---- floating-point mode --------------------------------------------------------------------- */

static uint32_t sum_of(uint32_t bits)
{
    uint32_t x[1000], got = 0;
    float *device, *sum;

    for (unsigned i = 0; i < 1000; i++)
        x[i] = bits;
    rig_open();
    device = rig_upload(x, sizeof x);
    sum = rig_zeroed(sizeof *sum);
    MUST(hd_launch(engine_sum, rig_flat(1, 1), (const float *)device, 1000u, sum));
    rig_download(&got, sum, sizeof got);
    return got;
}

/* 1000 times 2^-149: 1000 units of the last place of a denormal. */
static void denormals(void)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
    CHECK_EQ_U64(sum_of(1), 1000);
}

static uint32_t sum_on_host(uint32_t bits)
{
    volatile float sum = 0;
    float x;
    uint32_t got;

    memcpy(&x, &bits, sizeof x);
    for (unsigned i = 0; i < 1000; i++)
        sum += x;
    x = sum;
    memcpy(&got, &x, sizeof got);
    return got;
}

static void rounding(void)
{
    uint32_t tenth = 0x3dcccccd, to_nearest = sum_on_host(tenth);

    fesetround(FE_UPWARD);
    CHECK(sum_on_host(tenth) != to_nearest);
    CHECK_EQ_U64(sum_of(tenth), to_nearest);
    CHECK_EQ_I64(fegetround(), FE_UPWARD);
}

TEST(workers_keep_denormals)
{
    run(plain, denormals);
}

TEST(workers_round_to_nearest)
{
    run(plain, rounding);
}

/* ---- fork ------------------------------------------------------------------------------------ */

static void child_of_a_user(void)
{
    hd_stream *other = NULL;
    int count, x = 0;

    alarm(TEST_HANG_SECONDS);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_STATE);
    CHECK(strstr(hd_error_last()->message, "after fork") != NULL);
    CHECK_STATUS(hd_launch(engine_wait, rig_flat(1, 1), (const unsigned *)NULL, 0u), HD_ERR_STATE);
    CHECK_STATUS(hd_copy(&x, &x, 1, rig_stream), HD_ERR_STATE);
    CHECK_STATUS(hd_stream_query(rig_stream), HD_ERR_STATE);
    CHECK_STATUS(hd_device_synchronize(0), HD_ERR_STATE);
    CHECK(hd_stream_create(0, &other) < 0);
    CHECK_STATUS(hd_device_count(&count), HD_ERR_STATE);
    CHECK(strstr(hd_error_last()->message, "after fork") != NULL);
}

static void fork_after_use(void)
{
    rig_open();
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_I64(child_run(plain, child_of_a_user), 0);
    CHECK_EQ_U64(sum_of(1), 1000); /* the parent goes on */
}

static void uses_it_first(void)
{
    alarm(TEST_HANG_SECONDS);
    CHECK_EQ_U64(sum_of(1), 1000);
}

static void fork_before_use(void)
{
    CHECK_EQ_I64(child_run(plain, uses_it_first), 0);
    uses_it_first();
}

TEST(a_child_of_a_user_is_refused)
{
    run(plain, fork_after_use);
}

TEST(a_child_that_comes_first_works)
{
    run(plain, fork_before_use);
}

/* ---- the watchdog ---------------------------------------------------------------------------- */

static void stopped(void)
{
    unsigned *flag;
    pid_t me = getpid(), helper;

    rig_open();
    flag = flag_make();
    MUST(hd_launch(engine_wait, rig_flat(1, 1), (const unsigned *)flag, 1u));
    helper = fork();
    if (helper == 0) {
        usleep(200000);
        kill(me, SIGSTOP);
        usleep(1600000);
        kill(me, SIGCONT);
        _exit(0);
    }
    waitpid(helper, NULL, 0);
    usleep(100000);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
}

static void *enough_later(void *enough)
{
    usleep(2500000);
    __atomic_store_n((unsigned *)enough, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Both workers hold parked blocks, and one of them works for longer than the watchdog's second. */
static void others_work(void)
{
    hd_stream *other;
    unsigned *flag, *enough;
    pthread_t later;
    int *turns;

    rig_open();
    other = stream_of_its_own();
    flag = flag_make();
    enough = flag_make();
    turns = rig_zeroed(sizeof *turns);
    MUST(hd_stream_synchronize(rig_stream));
    REQUIRE(pthread_create(&later, NULL, enough_later, enough) == 0);
    MUST(hd_launch(engine_wait, rig_flat(64, 1), (const unsigned *)flag, 1u));
    MUST(hd_launch(engine_spin, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, other), turns,
                   (const unsigned *)enough));
    pthread_join(later, NULL);
    CHECK_STATUS(hd_stream_synchronize(other), HD_OK);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
}

TEST(a_stopped_process_is_no_deadlock)
{
    run(watched, stopped);
}

TEST(others_at_work_are_no_deadlock)
{
    run(watched, others_work);
}

/* ---- host functions -------------------------------------------------------------------------- */

static int word;

static void waits_for_the_word(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE))
        usleep(1000);
}

static void gives_the_word(void *unused)
{
    (void)unused;
    __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
}

/* Two functions become ready at the same moment, and the first needs the second. */
static void ready_together(int swapped)
{
    hd_stream *a, *b;
    hd_event *event = NULL;
    unsigned *flag;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    a = stream_of_its_own();
    b = stream_of_its_own();
    flag = flag_make();
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_launch(engine_wait, rig_flat(1, 1), (const unsigned *)flag, 1u));
    MUST(hd_event_record(event, rig_stream));
    MUST(hd_stream_wait(a, event));
    MUST(hd_stream_wait(b, event));
    MUST(hd_stream_host_function(swapped ? b : a, waits_for_the_word, NULL));
    MUST(hd_stream_host_function(swapped ? a : b, gives_the_word, NULL));
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    CHECK_STATUS(hd_stream_synchronize(a), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(b), HD_OK);
}

static void ready_in_order(void)
{
    ready_together(0);
}

static void ready_in_reverse(void)
{
    ready_together(1);
}

TEST(functions_ready_together_run_together)
{
    run(plain, ready_in_order);
    run(plain, ready_in_reverse);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void registering(void)
{
    static char room[3000];
    void *mine = NULL, *pinned = NULL;

    rig_open();
    MUST(hd_alloc_bytes(&mine, 100, 1, HD_MEM_DEVICE, 0));
    MUST(hd_alloc_bytes(&pinned, 100, 1, HD_MEM_PINNED, 0));
    CHECK(hd_host_register((void *)(uintptr_t)1, SIZE_MAX, 0) < 0);
    CHECK(hd_host_register(room, SIZE_MAX / 2, 0) < 0); /* reaches what is heddle's own */
    CHECK(hd_host_register((char *)mine - (1 << 20), 2 << 20, 0) < 0);
    CHECK(hd_host_register((char *)pinned + 50, 1, 0) < 0);
    MUST(hd_host_register(room + 1000, 1000, 0));
    CHECK(hd_host_register(room, 1001, 0) < 0);
    CHECK(hd_host_register(room + 1999, 10, 0) < 0);
    CHECK(hd_host_register(room, 3000, 0) < 0);
    CHECK(hd_host_register(room + 1500, 10, 0) < 0);
    MUST(hd_host_register(room, 1000, 0));
    MUST(hd_host_register(room + 2000, 1000, 0));
    MUST(hd_host_unregister(room));
    MUST(hd_host_unregister(room + 1000));
    MUST(hd_host_unregister(room + 2000));
}

TEST(only_free_ranges_are_registered)
{
    run(plain, registering);
}

static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file != NULL && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Less than `bytes` are left of it. */
static int address_space_ends(size_t bytes)
{
    void *more = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (more == MAP_FAILED)
        return 1;
    munmap(more, bytes);
    return 0;
}

#if !(defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
/* Under `ulimit -v` a device has no address space: the error says what to do, and that helps. */
static void no_address_space(void)
{
    struct rlimit limit;
    void *memory = NULL;

    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = address_space() + ((size_t)200 << 20);
    REQUIRE(address_space() != 0 && setrlimit(RLIMIT_AS, &limit) == 0);
    if (!address_space_ends((size_t)1 << 30)) {
        NOTE("an emulator sets no limit to the address space");
        return;
    }
    CHECK_STATUS(hd_alloc_bytes(&memory, 1000, 1, HD_MEM_DEVICE, 0), HD_ERR_NO_MEMORY);
    CHECK(strstr(hd_error_last()->message, "HEDDLE_CPU_MEMORY") != NULL);
    CHECK(strstr(hd_error_last()->message, "ulimit -v") != NULL);
}

static void less_address_space(void)
{
    struct rlimit limit;
    void *memory = NULL;

    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = address_space() + ((size_t)200 << 20);
    REQUIRE(address_space() != 0 && setrlimit(RLIMIT_AS, &limit) == 0);
    CHECK_STATUS(hd_alloc_bytes(&memory, 1000, 1, HD_MEM_DEVICE, 0), HD_OK);
    CHECK_STATUS(hd_alloc_bytes(&memory, 1000, 1, HD_MEM_PINNED, 0), HD_OK);
}

TEST(no_address_space_for_a_device)
{
    char *much[] = {"HEDDLE_CPU_MEMORY=64G", "HEDDLE_CPU_THREADS=1", NULL};
    char *little[] = {"HEDDLE_CPU_MEMORY=32M", "HEDDLE_CPU_THREADS=1", NULL};

    if (CHECKER)
        SKIP("the checker reserves more");
    run(much, no_address_space);
    run(little, less_address_space);
}
#endif

/* The source of a copy that waits cannot be kept: the call says so, the stream goes on. */
static void no_snapshot(void)
{
    size_t bytes = (size_t)256 << 20;
    struct rlimit limit;
    unsigned *flag;
    char *to, *from = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    REQUIRE(from != MAP_FAILED);
    rig_open();
    MUST(hd_alloc_bytes((void **)&to, bytes, 1, HD_MEM_DEVICE, 0));
    flag = flag_make();
    MUST(hd_launch(engine_wait, rig_flat(1, 1), (const unsigned *)flag, 1u));
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = address_space() + bytes / 2;
    REQUIRE(address_space() != 0 && setrlimit(RLIMIT_AS, &limit) == 0);
    if (!address_space_ends(bytes)) {
        NOTE("an emulator sets no limit to the address space");
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
        return;
    }
    CHECK_STATUS(hd_copy_bytes(to, from, bytes, 1, rig_stream), HD_ERR_NO_MEMORY);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
    CHECK_STATUS(hd_copy_bytes(to, from, 100, 1, rig_stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
}

/* A sanitizer's allocator ends the program where malloc would fail. */
#if defined(__SANITIZE_ADDRESS__)
#define MALLOC_NEVER_FAILS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MALLOC_NEVER_FAILS 1
#endif
#endif
#ifndef MALLOC_NEVER_FAILS
#define MALLOC_NEVER_FAILS 0
#endif

TEST(a_copy_that_cannot_keep_its_source)
{
    if (MALLOC_NEVER_FAILS)
        SKIP("the sanitizer does not let malloc fail");
    run(plain, no_snapshot);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static void two_groups(void)
{
    static const unsigned expected[4] = {1303, 3, 13, 13};
    unsigned got[4], *out;

    rig_open();
    out = rig_zeroed(sizeof got);
    MUST(hd_launch(engine_two_groups, rig_flat(1, 4), out));
    rig_download(got, out, sizeof got);
    for (int i = 0; i < 4; i++)
        CHECK_EQ_U64(got[i], expected[i]);
}

TEST(groups_of_one_lowest_lane)
{
    run(plain, two_groups);
}

static void status_of(hd_status expected, hd_status launched)
{
    MUST(launched);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), expected);
    NOTE("%s", hd_error_last()->message);
    hd_error_clear();
}

static void disagreement(void)
{
    unsigned *out;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    out = rig_zeroed(4096);
    MUST(hd_stream_synchronize(rig_stream));
    status_of(HD_ERR_STATE, hd_launch(engine_disagree, rig_flat(1, 3), out));
    status_of(HD_ERR_DEADLOCK, hd_launch(engine_half_at_barrier, rig_flat(1, 4), out));
    MUST(hd_launch(engine_two_groups, rig_flat(1, 4), out)); /* the device is not lost */
    MUST(hd_stream_synchronize(rig_stream));
}

TEST(lanes_that_disagree)
{
    run(plain, disagreement);
}

static void below_zero(void)
{
    int *flag;

    rig_open();
    flag = (int *)flag_make();
    __atomic_store_n(flag, -100, __ATOMIC_RELEASE);
    MUST(hd_launch(engine_wait_signed, rig_flat(1, 1), (const int *)flag, -5));
    usleep(50000);
    CHECK_EQ_I64(hd_stream_query(rig_stream), HD_NOT_READY);
    __atomic_store_n(flag, 3, __ATOMIC_RELEASE);
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_OK);
}

TEST(a_signed_wait)
{
    run(plain, below_zero);
}

TEST_MAIN
