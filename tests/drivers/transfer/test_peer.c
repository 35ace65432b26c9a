/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy several
   test_peer.c - pairs of devices: what is known of them, which path is chosen and why, transfers by
   it in order of streams of either side, captured too; arrays of another device given to drivers.
   On the CPU in worlds with and without peer access and with a broken link, each in a process of
   its own. */
#include <heddle/graph.h>
#include <heddle/peer.h>
#include <heddle/random.h>
#include <heddle/reduce.h>
#include <heddle/scan.h>
#include <heddle/sort.h>
#include <heddle/transpose.h>

#include <pthread.h>

#include "unit/child.h"
#include "arrays.h"
#include "devices.h"
#include "kernels/peer/peer.h"
#include "runtime/peer/peer.h"

static int devices(void)
{
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    return count;
}

static int on_cpu(void)
{
    return strcmp(hd_backend_name(), "cpu") == 0;
}

static hd_peer_path path_between(int a, int b)
{
    hd_peer_path path = HD_PATH_SAME;
    CHECK_STATUS(hd_peer_connect(a, b, &path), HD_OK);
    return path;
}

/* ---- words that go from device to device ----------------------------------------------------- */

enum { WORDS = 400003 };

typedef struct route {
    int a, b;
    hd_stream *from, *to; /* of a, of b */
    hd_event *made, *arrived;
    uint32_t *source, *target, *wrong; /* of a, of b, of b */
} route;

static hd_status route_open(route *r, int a, int b)
{
    memset(r, 0, sizeof *r);
    r->a = a;
    r->b = b;
    HD_TRY(hd_stream_create(a, &r->from));
    HD_TRY(hd_stream_create(b, &r->to));
    HD_TRY(hd_event_create(a, 0, &r->made));
    HD_TRY(hd_event_create(a, 0, &r->arrived));
    HD_TRY(hd_alloc(&r->source, WORDS, a));
    HD_TRY(hd_alloc(&r->target, WORDS, b));
    HD_TRY(hd_alloc(&r->wrong, 1, b));
    HD_TRY(hd_fill_zero(r->wrong, 1, r->to));
    HD_TRY(hd_fill_zero(r->target, WORDS, r->to));
    HD_TRY(hd_fill_zero(r->source, WORDS, r->from));
    HD_TRY(hd_stream_synchronize(r->from));
    return hd_stream_synchronize(r->to);
}

static void route_close(route *r)
{
    CHECK_STATUS(hd_free(r->wrong), HD_OK);
    CHECK_STATUS(hd_free(r->target), HD_OK);
    CHECK_STATUS(hd_free(r->source), HD_OK);
    CHECK_STATUS(hd_event_destroy(r->arrived), HD_OK);
    CHECK_STATUS(hd_event_destroy(r->made), HD_OK);
    CHECK_STATUS(hd_stream_destroy(r->to), HD_OK);
    CHECK_STATUS(hd_stream_destroy(r->from), HD_OK);
}

static hd_status words_make(const route *r, size_t n, uint32_t seed)
{
    return hd_launch(hd__peer_write, hd_launch_loop(n, 64, r->from), n, seed, r->source);
}

static hd_status words_look(const route *r, size_t n, uint32_t seed)
{
    return hd_launch(hd__peer_compare, hd_launch_loop(n, 64, r->to), n, seed,
                     (const uint32_t *)r->target, r->wrong);
}

/* Words are made, sent on a stream of either side, and spoilt at once where they came from; what
   arrived is looked at. Only events order the two devices, so a missing wait shows. */
static hd_status words_go(const route *r, size_t n, uint32_t seed, int side)
{
    HD_TRY(words_make(r, n, seed));
    if (side) {
        HD_TRY(hd_event_record(r->made, r->from));
        HD_TRY(hd_stream_wait(r->to, r->made));
        HD_TRY(hd_transfer(r->target, r->b, r->source, r->a, n * 4, r->to));
        return words_look(r, n, seed);
    }
    HD_TRY(hd_transfer(r->target, r->b, r->source, r->a, n * 4, r->from));
    HD_TRY(words_make(r, n, ~seed));
    HD_TRY(hd_event_record(r->arrived, r->from));
    HD_TRY(hd_stream_wait(r->to, r->arrived));
    return words_look(r, n, seed);
}

static uint32_t wrong_words(const route *r)
{
    uint32_t wrong = 1;
    CHECK_STATUS(hd_stream_synchronize(r->from), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&wrong, (const uint32_t *)r->wrong, 1, r->to), HD_OK);
    return wrong;
}

/* The next words must not reach the source before these have left it. */
static hd_status turn_ends(const route *r)
{
    HD_TRY(hd_event_record(r->made, r->from));
    HD_TRY(hd_stream_synchronize(r->to));
    return hd_stream_synchronize(r->from);
}

/* alone: nobody else stages between the two meanwhile. */
static void one_route(int a, int b, int alone)
{
    static const size_t sizes[] = {1, 17, 1024, 32769, 70000, 200001, WORDS, 5};
    const size_t count = test_watched(8, 5);
    uint64_t before = 0, after = 0, sent = 0;
    route r;

    REQUIRE(route_open(&r, a, b) == HD_OK);
    CHECK_STATUS(hd_peer_staged_bytes(a, b, &before), HD_OK);
    for (uint32_t turn = 0; turn < 2 * count; turn++) {
        const size_t n = sizes[turn / 2 % count];
        if (!CHECK_STATUS(words_go(&r, n, turn * 77 + 1, (int)(turn % 2)), HD_OK))
            NOTE("%s", hd_error_last()->message);
        CHECK_STATUS(turn_ends(&r), HD_OK);
        sent += 4 * n;
    }
    CHECK_EQ_U64(wrong_words(&r), 0);
    CHECK_STATUS(hd_peer_staged_bytes(a, b, &after), HD_OK);
    if (alone)
        CHECK_EQ_U64(after - before, path_between(a, b) == HD_PATH_STAGED ? sent : 0);
    route_close(&r);
}

/* ---- what holds in every world --------------------------------------------------------------- */

static void routes(void)
{
    const int count = devices();
    const int from = (int)test_watched((size_t)count, 1);

    for (int a = 0; a < from; a++)
        for (int b = 0; b < count; b++)
            if (a != b)
                one_route(a, b, 1);
    CHECK_STATUS(hd_peer_trim(), HD_OK);
}

static void answers(void)
{
    const int count = devices();

    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            hd_peer_info info, back;
            const hd_peer_path path = path_between(a, b);
            CHECK_STATUS(hd_peer_query(a, b, &info), HD_OK);
            CHECK_STATUS(hd_peer_query(b, a, &back), HD_OK);
            CHECK(info.path == path && back.path == path);
            CHECK_EQ_STR(info.reason, back.reason);
            CHECK((info.reason[0] == '\0') == (path != HD_PATH_STAGED));
            CHECK((path == HD_PATH_SAME) == (a == b));
            CHECK(path != HD_PATH_DIRECT || (info.verified == 1 && info.access));
            if (on_cpu() && a != b)
                CHECK(info.link == HD_LINK_VIRTUAL);
        }
}

static void *routes_of_a_thread(void *argument)
{
    one_route(0, 1, 0);
    return argument;
}

/* All decide the same pair, and stage beside each other. */
static void threads(void)
{
    enum { THREADS = 3 };
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&thread[i], NULL, routes_of_a_thread, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_join(thread[i], NULL) == 0);
}

/* Both sizes of ring, streams of either side, replayed with other words each time. */
static void replayed(const route *r, size_t n, int side)
{
    hd_stream *origin = side ? r->to : r->from;
    hd_graph_exec *exec = NULL;
    hd_graph *graph = NULL;

    REQUIRE(hd_stream_capture_begin(origin) == HD_OK);
    CHECK_STATUS(hd_transfer(r->target, r->b, r->source, r->a, n * 4, origin), HD_OK);
    REQUIRE(hd_stream_capture_end(origin, &graph) == HD_OK);
    REQUIRE(hd_graph_instantiate(graph, &exec) == HD_OK);
    CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    for (uint32_t turn = 0; turn < 4; turn++) {
        CHECK_STATUS(words_make(r, n, turn), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(r->from), HD_OK);
        CHECK_STATUS(hd_graph_launch(exec, origin), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(origin), HD_OK);
        CHECK_STATUS(words_look(r, n, turn), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(r->to), HD_OK);
    }
    CHECK_STATUS(hd_graph_exec_destroy(exec), HD_OK);
    CHECK_EQ_U64(wrong_words(r), 0);
}

static void captures(void)
{
    const int last = devices() - 1;
    hd_graph *graph = NULL;
    route r;

    if (last < 1)
        return;
    REQUIRE(route_open(&r, 0, last) == HD_OK);
    CHECK_STATUS(hd_peer_disable(0, last), HD_OK); /* so that nothing is decided */
    REQUIRE(hd_stream_capture_begin(r.from) == HD_OK);
    CHECK_STATUS(hd_transfer(r.target, last, r.source, 0, 4, r.from), HD_ERR_STATE);
    CHECK_STATUS(hd_stream_capture_end(r.from, &graph), HD_OK);
    CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    (void)path_between(0, last);
    for (int side = 0; side < 2; side++) {
        replayed(&r, 1000, side);
        replayed(&r, test_watched(WORDS, 100000), side);
    }
    CHECK_STATUS(words_go(&r, 1000, 3, 0), HD_OK);
    CHECK_EQ_U64(wrong_words(&r), 0);
    route_close(&r);
    CHECK_STATUS(hd_peer_trim(), HD_OK);
}

static void everything(void)
{
    hd__relay_forced.large_slot = 192 << 10; /* so that slots are used again */
    answers();
    routes();
    if (devices() > 1)
        threads();
    captures();
}

/* ---- worlds ---------------------------------------------------------------------------------- */

/* Drivers are given `elements` of 32 bits of another device, to read and to write, by a stream of
   `device`. */
static void drivers_take(int device, uint32_t *elements, hd_status expected)
{
    enum { N = 100 };
    const hd_random from = {0};
    hd_stream *stream = NULL;
    uint32_t *own = NULL;

    REQUIRE(hd_stream_create(device, &stream) == HD_OK);
    REQUIRE(hd_alloc(&own, 2 * N, device) == HD_OK);
    CHECK_STATUS(hd_fill_zero(own, 2 * N, stream), HD_OK);
    CHECK_STATUS(hd_reduce(elements, N, HD_U32, HD_SUM, own, NULL, stream), expected);
    CHECK_STATUS(hd_reduce(own, N, HD_U32, HD_SUM, elements, NULL, stream), expected);
    CHECK_STATUS(hd_scan(elements, N, HD_U32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, own, NULL, stream),
                 expected);
    CHECK_STATUS(hd_scan(own, N, HD_U32, HD_SUM, HD_SCAN_INCLUSIVE, NULL, elements, NULL, stream),
                 expected);
    CHECK_STATUS(hd_sort_keys(elements, own, N, HD_U32, NULL, NULL, stream), expected);
    CHECK_STATUS(hd_sort_keys(own, elements, N, HD_U32, NULL, NULL, stream), expected);
    CHECK_STATUS(hd_transpose(own, 10, 10, 10, elements, 10, 4, stream), expected);
    CHECK_STATUS(hd_random_fill_bits(elements, N, HD_U32, &from, stream), expected);
    if (expected == HD_ERR_POINTER) {
        char text[128];
        snprintf(text, sizeof text,
                 "memory of another device without peer access, which device %d cannot use",
                 device);
        if (!CHECK(strstr(hd_error_last()->message, text) != NULL))
            NOTE("%s", hd_error_last()->message);
    }
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_STATUS(hd_free(own), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* What `owner` has, given to `device`; where that is refused, nothing is written to it. */
static void remote_arrays(int device, int owner, hd_status expected)
{
    enum { N = 100 };
    hd_stream *stream = NULL;
    uint32_t *elements = NULL, host[N];

    REQUIRE(hd_stream_create(owner, &stream) == HD_OK);
    REQUIRE(hd_alloc(&elements, N, owner) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(elements, 0x01020304, 4, N, stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    drivers_take(device, elements, expected);
    CHECK_STATUS(hd_copy_blocking(host, (const uint32_t *)elements, N, stream), HD_OK);
    for (int i = 0; i < N && expected != HD_OK; i++)
        CHECK_EQ_U64(host[i], 0x01020304);
    CHECK_STATUS(hd_free(elements), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

static void all_direct(void)
{
    everything();
    CHECK(path_between(0, 1) == HD_PATH_DIRECT && path_between(2, 1) == HD_PATH_DIRECT);
    remote_arrays(0, 2, HD_OK);
}

static void none_direct(void)
{
    hd_peer_info info;

    everything();
    CHECK(path_between(0, 1) == HD_PATH_STAGED);
    CHECK_STATUS(hd_peer_enable(0, 1), HD_ERR_NO_PEER);
    CHECK_STATUS(hd_peer_query(0, 1, &info), HD_OK);
    CHECK_EQ_STR(info.reason, "device 0 has no access to memory of device 1");
    CHECK_EQ_I64(info.verified, 0);
    remote_arrays(0, 1, HD_ERR_POINTER);
    remote_arrays(1, 0, HD_ERR_POINTER);
}

static void some_direct(void)
{
    everything();
    CHECK(path_between(0, 1) == HD_PATH_DIRECT && path_between(1, 2) == HD_PATH_DIRECT);
    CHECK(path_between(0, 2) == HD_PATH_STAGED);
    remote_arrays(1, 2, HD_OK);
    remote_arrays(2, 0, HD_ERR_POINTER);
}

/* Every row of a copy over a broken link is corrupted, at bytes 0 and 1000 of its 1500. */
static void broken_rows(void)
{
    enum { PITCH = 2000, ROW = 1500, ROWS = 3 };
    static unsigned char got[PITCH * ROWS];
    unsigned char *to = NULL, *from = NULL;
    hd_stream *stream = NULL;
    int wrong = 0;

    CHECK_STATUS(hd_stream_create(1, &stream), HD_OK);
    CHECK_STATUS(hd_alloc(&to, PITCH * ROWS, 1), HD_OK);
    CHECK_STATUS(hd_alloc(&from, PITCH * ROWS, 0), HD_OK);
    CHECK_STATUS(hd_fill_zero(to, PITCH * ROWS, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(from, (const unsigned char *)got, PITCH * ROWS, stream), HD_OK);
    CHECK_STATUS(hd_copy_2d(to, PITCH, from, PITCH, ROW, ROWS, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(got, (const unsigned char *)to, PITCH * ROWS, stream), HD_OK);
    for (int i = 0; i < PITCH * ROWS; i++)
        if (got[i] != 0) {
            wrong++;
            CHECK_EQ_I64(i % PITCH % 1000, 0);
        }
    CHECK_EQ_I64(wrong, 2 * ROWS);
    CHECK_STATUS(hd_free(from), HD_OK);
    CHECK_STATUS(hd_free(to), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

static void one_broken(void)
{
    hd_peer_info info;

    broken_rows();
    CHECK_STATUS(hd_peer_query(1, 0, &info), HD_OK);
    CHECK(info.path == HD_PATH_DIRECT && info.verified == 0); /* nobody knows yet */
    everything();
    CHECK(path_between(0, 1) == HD_PATH_STAGED && path_between(0, 2) == HD_PATH_DIRECT);
    CHECK_STATUS(hd_peer_query(1, 0, &info), HD_OK);
    CHECK_EQ_I64(info.verified, -1);
    if (!CHECK(strstr(info.reason, "the pattern came back wrong: copies") != NULL))
        NOTE("%s", info.reason);
    CHECK_STATUS(hd_peer_enable(1, 0), HD_ERR_NO_PEER);
    remote_arrays(1, 0, HD_ERR_POINTER);
    CHECK_STATUS(hd_peer_disable(1, 0), HD_OK); /* forgets; the next one finds out again */
    CHECK(path_between(1, 0) == HD_PATH_STAGED);
}

static void broken_but_demanded(void)
{
    hd_peer_path path = HD_PATH_SAME;

    CHECK_STATUS(hd_peer_connect(0, 1, &path), HD_ERR_NO_PEER);
    CHECK(strstr(hd_error_last()->message, "HEDDLE_P2P=on, but the pattern") != NULL);
    CHECK(path == HD_PATH_SAME);
    CHECK_STATUS(hd_peer_connect(0, 2, &path), HD_OK);
    CHECK(path == HD_PATH_DIRECT);
}

static void switched_off(void)
{
    hd_peer_info info;

    CHECK(path_between(0, 1) == HD_PATH_STAGED);
    CHECK_STATUS(hd_peer_query(0, 1, &info), HD_OK);
    CHECK_EQ_STR(info.reason, "HEDDLE_P2P=off");
    CHECK_STATUS(hd_peer_enable(0, 1), HD_ERR_NO_PEER);
    remote_arrays(0, 1, HD_ERR_POINTER);
    one_route(0, 1, 1);
}

/* One device is full: the pair stays undecided, nothing is left behind, and later it works. */
static void no_memory(void)
{
    const size_t before[] = {test_free_bytes(0), test_free_bytes(1)};
    hd_peer_path path = HD_PATH_SAME;
    hd_peer_info info;
    char *all = NULL;

    REQUIRE(hd_alloc(&all, before[1] - 8192, 1) == HD_OK);
    CHECK_STATUS(hd_peer_connect(0, 1, &path), HD_ERR_NO_MEMORY);
    CHECK(path == HD_PATH_SAME);
    CHECK_EQ_SIZE(test_free_bytes(0), before[0]);
    CHECK_STATUS(hd_peer_query(0, 1, &info), HD_OK);
    CHECK_EQ_I64(info.verified, 0);
    CHECK_STATUS(hd_free(all), HD_OK);
    CHECK(path_between(1, 0) == HD_PATH_DIRECT);
    CHECK_EQ_SIZE(test_free_bytes(0), before[0]);
    CHECK_EQ_SIZE(test_free_bytes(1), before[1]);
}

static void bad_policy(void)
{
    CHECK_STATUS(hd_peer_connect(0, 1, NULL), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "HEDDLE_P2P=maybe is not auto, on or off") != NULL);
}

static void bad_pairs(void)
{
    int count;
    CHECK_STATUS(hd_device_count(&count), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "HEDDLE_CPU_PEERS_BROKEN=0+1 is not a list") != NULL);
}

static void bad_device(void)
{
    int count;
    CHECK_STATUS(hd_device_count(&count), HD_ERR_ARGUMENT);
    if (!CHECK(strstr(hd_error_last()->message,
                      "HEDDLE_CPU_PEERS=0-1,0-7: there is no device 7; devices are 0 to 2") !=
               NULL))
        NOTE("%s", hd_error_last()->message);
}

/* Before what a world says itself: it is not that of whoever runs the test. */
#define USUAL "HEDDLE_CPU_PEERS=all", "HEDDLE_P2P=auto"

TEST(worlds)
{
    char *all[] = {USUAL, "HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=all", NULL};
    char *none[] = {USUAL, "HEDDLE_CPU_DEVICES=2", "HEDDLE_CPU_PEERS=none", NULL};
    char *some[] = {USUAL, "HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=0-1,1-2", NULL};
    char *broken[] = {USUAL, "HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS_BROKEN=0-1", NULL};
    char *demanded[] = {USUAL, "HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS_BROKEN=0-1",
                        "HEDDLE_P2P=on", NULL};
    char *off[] = {USUAL, "HEDDLE_CPU_DEVICES=2", "HEDDLE_P2P=off", NULL};
    char *small[] = {USUAL, "HEDDLE_CPU_DEVICES=2", "HEDDLE_CPU_MEMORY=4M", NULL};
    char *maybe[] = {USUAL, "HEDDLE_CPU_DEVICES=2", "HEDDLE_P2P=maybe", NULL};
    char *pairs[] = {USUAL, "HEDDLE_CPU_DEVICES=2", "HEDDLE_CPU_PEERS_BROKEN=0+1", NULL};
    char *device[] = {USUAL, "HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=0-1,0-7", NULL};

    if (!on_cpu())
        SKIP("worlds are the CPU's");
    CHECK_EQ_I64(child_run(all, all_direct), 0);
    CHECK_EQ_I64(child_run(none, none_direct), 0);
    CHECK_EQ_I64(child_run(some, some_direct), 0);
    CHECK_EQ_I64(child_run(broken, one_broken), 0);
    CHECK_EQ_I64(child_run(demanded, broken_but_demanded), 0);
    CHECK_EQ_I64(child_run(off, switched_off), 0);
    CHECK_EQ_I64(child_run(small, no_memory), 0);
    CHECK_EQ_I64(child_run(maybe, bad_policy), 0);
    CHECK_EQ_I64(child_run(pairs, bad_pairs), 0);
    CHECK_EQ_I64(child_run(device, bad_device), 0);
}

/* ---- as it is here --------------------------------------------------------------------------- */

TEST(this_machine)
{
    everything();
}

TEST(what_is_refused)
{
    const int count = devices();
    hd_stream *stream = NULL;
    hd_peer_path path;
    hd_peer_info info;
    uint64_t bytes;

    CHECK_STATUS(hd_peer_connect(0, count, &path), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_peer_query(-1, 0, &info), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_peer_query(0, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_peer_staged_bytes(0, count, &bytes), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_transfer(NULL, 0, NULL, 0, 1, NULL), HD_ERR_ARGUMENT);
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    CHECK_STATUS(hd_transfer(NULL, 0, NULL, 0, 1, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_transfer(NULL, 0, NULL, 0, 0, stream), HD_OK);
    CHECK_STATUS(hd_transfer(NULL, count, NULL, 0, 0, stream), HD_ERR_DEVICE_INDEX);
    if (count > 2)
        CHECK_STATUS(hd_transfer(NULL, 1, NULL, 2, 0, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST_MAIN
