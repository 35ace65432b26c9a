/* SPDX-License-Identifier: Apache-2.0 */
/* test_engine_fault.c - kernels that fault where it is awkward: far below their stack, inside
   hd_printf, while parked. CPU only. labels: faults once */
#include <sys/mman.h>

#include "child.h"
#include "conformance/rig.h"
#include "engine_kernels.h"

#if defined(__SANITIZE_ADDRESS__)
#define FAULT_REPORTED_BY_OTHERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAULT_REPORTED_BY_OTHERS 1
#endif
#endif
#ifndef FAULT_REPORTED_BY_OTHERS
#define FAULT_REPORTED_BY_OTHERS 0
#endif

static char *small_stacks[] = {"HEDDLE_CPU_STACK=64K", "HEDDLE_CPU_WATCHDOG=5", NULL};

static void run(void (*body)(void))
{
    if (!rig_on_cpu())
        SKIP("about the CPU engine");
    if (FAULT_REPORTED_BY_OTHERS)
        SKIP("the sanitizer reports the fault");
    CHECK_EQ_I64(child_run(small_stacks, body), 0);
}

static void fails_with(const char *why)
{
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ILLEGAL_ADDRESS);
    NOTE("%s", hd_error_last()->message);
    CHECK(strstr(hd_error_last()->message, why) != NULL);
    CHECK_STATUS(hd_device_reset(0), HD_OK);
}

/* Touches 8 bytes at the far end of each frame: nothing between them and the guard page. */
static void large_frames(void)
{
    int *bad;

    alarm(TEST_HANG_SECONDS);
    rig_open();
    bad = rig_zeroed(64 * sizeof *bad);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_launch(engine_frame, rig_flat(1, 64), bad, 8));
    fails_with("stack overflow");
}

TEST(a_frame_larger_than_the_stack)
{
#if defined(HD_CPU_CHECK)
    SKIP("instrumented kernels have frames of another shape");
#endif
    run(large_frames);
}

static void bad_text(void)
{
    alarm(TEST_HANG_SECONDS);
    rig_open();
    MUST(hd_launch(engine_print, rig_flat(1, 1), (const char *)(uintptr_t)8));
    fails_with("engine_print");
    printf("  stdout is free\n"); /* would wait for ever on its lock */
    fflush(stdout);
}

TEST(a_bad_string_in_printf)
{
    run(bad_text);
}

static void long_text(void)
{
    static char text[5000];
    char *copy = NULL, file[] = "/tmp/heddle_print_XXXXXX", line[6000] = "";
    int out = mkstemp(file), keep = dup(1);
    FILE *back;

    REQUIRE(out >= 0 && keep >= 0);
    memset(text, 'x', sizeof text - 1);
    rig_open();
    MUST(hd_alloc_bytes((void **)&copy, sizeof text, 1, HD_MEM_MAPPED, 0));
    memcpy(copy, text, sizeof text);
    fflush(stdout);
    dup2(out, 1);
    MUST(hd_launch(engine_print, rig_flat(1, 1), (const char *)copy));
    MUST(hd_device_synchronize(0));
    fflush(stdout);
    dup2(keep, 1);
    back = fopen(file, "r");
    REQUIRE(back != NULL && fgets(line, sizeof line, back) != NULL);
    CHECK_EQ_U64(strlen(line), sizeof text);
    CHECK(strncmp(line, text, sizeof text - 1) == 0);
    fclose(back);
    unlink(file);
}

TEST(a_long_line_in_printf)
{
    run(long_text);
}

static void gone_while_parked(void)
{
    unsigned *flag = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0);

    alarm(TEST_HANG_SECONDS);
    REQUIRE(flag != MAP_FAILED);
    rig_open();
    MUST(hd_launch(engine_wait, rig_flat(3, 40), (const unsigned *)flag, 1u));
    usleep(20000);
    munmap(flag, 1 << 16);
    fails_with("engine_wait");
}

TEST(memory_gone_under_a_parked_wait)
{
    run(gone_while_parked);
}

TEST_MAIN
