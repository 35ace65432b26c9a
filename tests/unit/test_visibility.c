/* SPDX-License-Identifier: Apache-2.0 */
/* test_visibility.c - environment variables that choose devices, warp size and peers. */
#include <heddle/heddle.h>

#include "child.h"

static int on_cpu(void)
{
    return strcmp(hd_backend_name(), "cpu") == 0;
}

static int devices(void)
{
    int count = -1;

    CHECK_STATUS(hd_device_count(&count), HD_OK);
    return count;
}

static char bus_text[64];

static const char *bus(int device)
{
    CHECK_STATUS(hd_device_bus_id(device, bus_text, sizeof bus_text), HD_OK);
    return bus_text;
}

static void sees_three(void)
{
    CHECK_EQ_I64(devices(), 3);
}

static void sees_two_and_zero(void)
{
    CHECK_EQ_I64(devices(), 2);
    CHECK_EQ_STR(bus(0), "cpu:2");
    CHECK_EQ_STR(bus(1), "cpu:0");
}

static void sees_none(void)
{
    int device = 5;
    void *p = NULL;

    CHECK_EQ_I64(devices(), 0);
    CHECK_STATUS(hd_device_select(NULL, &device), HD_ERR_NO_DEVICE);
    CHECK_STATUS(hd_device_select("fastest", &device), HD_ERR_NO_DEVICE);
    CHECK_EQ_I64(device, 5);
    CHECK(hd_alloc_bytes(&p, 1, 1, HD_MEM_DEVICE, 0) < 0);
}

static void counts_fail_or_work(void)
{
    int count = -7;
    hd_status status = hd_device_count(&count);

    CHECK(status == HD_ERR_ARGUMENT || status == HD_ERR_DEVICE_INDEX || status == HD_OK);
    CHECK(status == HD_OK || count == -7);
}

TEST(number_and_order_of_devices)
{
    char *three[] = {"HEDDLE_CPU_DEVICES=3", NULL};
    char *chosen[] = {"HEDDLE_CPU_DEVICES=4", "HEDDLE_DEVICES=2,0", NULL};
    char *none[] = {"HEDDLE_DEVICES=", NULL};

    CHECK_EQ_I64(child_run(none, sees_none), 0);
    if (!on_cpu())
        return;
    CHECK_EQ_I64(child_run(three, sees_three), 0);
    CHECK_EQ_I64(child_run(chosen, sees_two_and_zero), 0);
}

TEST(malformed_variables_do_not_crash)
{
    char *bad[][3] = {{"HEDDLE_DEVICES=7,8", "HEDDLE_CPU_DEVICES=2", NULL},
                      {"HEDDLE_DEVICES=,,", NULL, NULL},
                      {"HEDDLE_DEVICES=one", NULL, NULL},
                      {"HEDDLE_DEVICES=0,0", NULL, NULL},
                      {"HEDDLE_CPU_DEVICES=-3", NULL, NULL},
                      {"HEDDLE_CPU_DEVICES=1000000", NULL, NULL},
                      {"HEDDLE_CPU_WARP=33", NULL, NULL},
                      {"HEDDLE_CPU_PEERS=0-", "HEDDLE_CPU_DEVICES=2", NULL}};
    size_t i;

    for (i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!CHECK_EQ_I64(child_run(bad[i], counts_fail_or_work), 0))
            NOTE("with %s", bad[i][0]);
}

/* The message names the variable, its value and what it may be. */
static void says(const char *text)
{
    int count = 0;

    CHECK_STATUS(hd_device_count(&count), HD_ERR_ARGUMENT);
    if (!CHECK(strstr(hd_error_last()->message, text) != NULL))
        NOTE("%s", hd_error_last()->message);
}

static void says_warp_33(void)
{
    says("HEDDLE_CPU_WARP=33 is not 32 or 64");
}

static void says_warp_abc(void)
{
    says("HEDDLE_CPU_WARP=abc is not 32 or 64");
}

static void says_memory(void)
{
    says("HEDDLE_CPU_MEMORY=1K is not a number of bytes from 1M to 16T; K, M, G or T may follow");
}

static void says_threads(void)
{
    says("HEDDLE_CPU_THREADS=0 is not a whole number from 1 to");
}

static void says_streams(void)
{
    says("is not eager or lazy:SEED, with a SEED from 0 to 18446744073709551615");
}

static void says_watchdog(void)
{
    says("is not a number of seconds from 0 (off) to 1000000");
}

static void says_threads_form(void)
{
    says("is not a whole number from 1 to");
}

static void says_list(void)
{
    says("is not a list of device numbers such as 1,0");
}

static void works(void)
{
    hd_stream *stream = NULL;

    CHECK_STATUS(hd_stream_create(0, &stream), HD_OK);
}

/* Numbers in other forms than plain digits, and numbers that do not fit. */
TEST(numbers_are_read_strictly)
{
    static const struct {
        char *variable;
        void (*body)(void);
    } cases[] = {
        {"HEDDLE_CPU_STREAMS=lazy", says_streams},
        {"HEDDLE_CPU_STREAMS=lazy:", says_streams},
        {"HEDDLE_CPU_STREAMS=lazy:1x", says_streams},
        {"HEDDLE_CPU_STREAMS=lazy: 1", says_streams},
        {"HEDDLE_CPU_STREAMS=lazy:18446744073709551616", says_streams},
        {"HEDDLE_CPU_STREAMS=lazy:99999999999999999999999", says_streams},
        {"HEDDLE_CPU_STREAMS=lazy:18446744073709551615", works},
        {"HEDDLE_CPU_STREAMS=lazy:0", works},
        {"HEDDLE_CPU_WATCHDOG= 5", says_watchdog},
        {"HEDDLE_CPU_WATCHDOG=0x10", says_watchdog},
        {"HEDDLE_CPU_WATCHDOG=1e-400", says_watchdog},
        {"HEDDLE_CPU_WATCHDOG=inf", says_watchdog},
        {"HEDDLE_CPU_WATCHDOG=", says_watchdog},
        {"HEDDLE_CPU_WATCHDOG=2.5", works},
        {"HEDDLE_CPU_THREADS= 2", says_threads_form},
        {"HEDDLE_CPU_THREADS=+2", says_threads_form},
        {"HEDDLE_CPU_THREADS=99999999999999999999999", says_threads_form},
        {"HEDDLE_DEVICES= 0", says_list},
        {"HEDDLE_DEVICES=+0", says_list},
        {"HEDDLE_DEVICES=0,", says_list},
        {"HEDDLE_DEVICES=99999999999999999999999", says_list},
    };

    if (!on_cpu())
        return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *variables[] = {cases[i].variable, NULL};

        if (!CHECK_EQ_I64(child_run(variables, cases[i].body), 0))
            NOTE("%s", cases[i].variable);
    }
}

TEST(malformed_variables_are_named)
{
    char *warp_33[] = {"HEDDLE_CPU_WARP=33", NULL}, *warp_abc[] = {"HEDDLE_CPU_WARP=abc", NULL};
    char *memory[] = {"HEDDLE_CPU_MEMORY=1K", NULL}, *threads[] = {"HEDDLE_CPU_THREADS=0", NULL};

    if (!on_cpu())
        return;
    CHECK_EQ_I64(child_run(warp_33, says_warp_33), 0);
    CHECK_EQ_I64(child_run(warp_abc, says_warp_abc), 0);
    CHECK_EQ_I64(child_run(memory, says_memory), 0);
    CHECK_EQ_I64(child_run(threads, says_threads), 0);
}

static void warp_of(int lanes)
{
    int64_t value = 0;

    CHECK_STATUS(hd_device_get(0, HD_ATTR_WARP_SIZE, &value), HD_OK);
    CHECK_EQ_I64(value, lanes);
}

static void warp_is_32(void)
{
    warp_of(32);
}

static void warp_is_64(void)
{
    warp_of(64);
}

TEST(warp_size)
{
    char *narrow[] = {"HEDDLE_CPU_WARP=32", NULL}, *wide[] = {"HEDDLE_CPU_WARP=64", NULL};

    if (!on_cpu())
        SKIP("the warp size is chosen on the CPU alone");
    CHECK_EQ_I64(child_run(narrow, warp_is_32), 0);
    CHECK_EQ_I64(child_run(wide, warp_is_64), 0);
}

static int can(int from, int to)
{
    int possible = -1;

    CHECK_STATUS(hd_peer_possible(from, to, &possible), HD_OK);
    return possible;
}

static void all_are_peers(void)
{
    CHECK_EQ_I64(can(0, 1) + can(1, 0) + can(0, 2) + can(2, 1), 4);
    CHECK_STATUS(hd_peer_enable(0, 1), HD_OK);
    CHECK_STATUS(hd_peer_enable(0, 1), HD_OK);
    CHECK_STATUS(hd_peer_disable(0, 1), HD_OK);
}

static void none_are_peers(void)
{
    CHECK_EQ_I64(can(0, 1) + can(1, 0) + can(0, 2), 0);
    CHECK_STATUS(hd_peer_enable(0, 1), HD_ERR_NO_PEER);
}

static void some_are_peers(void)
{
    CHECK_EQ_I64(can(0, 1), 1);
    CHECK_EQ_I64(can(1, 0), 1);
    CHECK_EQ_I64(can(1, 2), 1);
    CHECK_EQ_I64(can(0, 2), 0);
    CHECK_EQ_I64(can(2, 0), 0);
    CHECK_STATUS(hd_peer_enable(2, 1), HD_OK);
    CHECK_STATUS(hd_peer_enable(2, 0), HD_ERR_NO_PEER);
    CHECK_STATUS(hd_peer_enable(0, 3), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_peer_possible(0, 1, NULL), HD_ERR_ARGUMENT);
}

/* A copy between devices works with and without peer access. */
static void copies_between(void)
{
    int data[100], back[100] = {0}, i;
    hd_stream *stream = NULL;
    void *a = NULL, *b = NULL;

    for (i = 0; i < 100; i++)
        data[i] = i * i;
    CHECK_STATUS(hd_stream_create(0, &stream), HD_OK);
    CHECK_STATUS(hd_alloc_bytes(&a, 100, 4, HD_MEM_DEVICE, 0), HD_OK);
    CHECK_STATUS(hd_alloc_bytes(&b, 100, 4, HD_MEM_DEVICE, 2), HD_OK);
    CHECK_STATUS(hd_copy_blocking_bytes(a, data, 100, 4, stream), HD_OK);
    CHECK_STATUS(hd_copy_peer(b, 2, a, 0, sizeof data, stream), HD_OK);
    CHECK_STATUS(hd_copy_bytes(back, b, 100, 4, stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK(memcmp(data, back, sizeof data) == 0);
    CHECK_STATUS(hd_copy_peer(b, 9, a, 0, sizeof data, stream), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_copy_peer(NULL, 2, a, 0, 4, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_peer(NULL, 2, NULL, 0, 0, stream), HD_OK);
    CHECK_STATUS(hd_free(a), HD_OK);
    CHECK_STATUS(hd_free(b), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(the_peer_matrix)
{
    char *all[] = {"HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=all", NULL};
    char *none[] = {"HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=none", NULL};
    char *some[] = {"HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=0-1,1-2", NULL};

    if (!on_cpu())
        SKIP("the peer matrix is the CPU's");
    CHECK_EQ_I64(child_run(all, all_are_peers), 0);
    CHECK_EQ_I64(child_run(none, none_are_peers), 0);
    CHECK_EQ_I64(child_run(some, some_are_peers), 0);
    CHECK_EQ_I64(child_run(all, copies_between), 0);
    CHECK_EQ_I64(child_run(none, copies_between), 0);
}

TEST_MAIN
