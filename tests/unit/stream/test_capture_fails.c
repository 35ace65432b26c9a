/* SPDX-License-Identifier: Apache-2.0 */
/* test_capture_fails.c - captures that cannot begin: the stream is as it was before, and nothing is
   left in memory. labels: once */
#include <heddle/graph.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/rig.h"
#include "runtime/backend.h"

/* The linker puts this in front of the backend's function (tests/CMakeLists.txt). */
static int asked, fails;
hd_status __real_hdb_capture_id(hd_stream *stream, uint64_t *id);
hd_status __wrap_hdb_capture_id(hd_stream *stream, uint64_t *id);
hd_status __wrap_hdb_capture_id(hd_stream *stream, uint64_t *id)
{
    asked = 1;
    if (fails)
        return hd__fail(HD_ERR_BACKEND, "hdb_capture_id", "fails on purpose");
    return __real_hdb_capture_id(stream, id);
}

TEST(a_capture_without_a_number_ends)
{
    hd_stream *stream = NULL;
    hd_graph *graph = NULL;
    int capturing = 1;

    rig_open();
    MUST(hd_stream_create(0, &stream));
    MUST(hd_stream_capture_begin(stream));
    MUST(hd_stream_capture_end(stream, &graph));
    MUST(hd_graph_destroy(graph));
    if (!asked)
        SKIP("the library is linked as a whole");
    fails = 1;
    CHECK_STATUS(hd_stream_capture_begin(stream), HD_ERR_BACKEND);
    CHECK(strstr(hd_error_last()->message, "on purpose") != NULL);
    fails = 0;
    MUST(hd_stream_capturing(stream, &capturing));
    CHECK_EQ_I64(capturing, 0);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_STATUS(hd_stream_capture_begin(stream), HD_OK);
    CHECK_STATUS(hd_stream_capture_end(stream, &graph), HD_OK);
    CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    MUST(hd_stream_destroy(stream));
}

/* 0: captures are refused and no memory is lost. */
static int refused(void)
{
    enum { TIMES = 1000, SLACK = 4096 };
    size_t before;

    if (hd_stream_capture_begin(rig_stream) != HD_ERR_STATE)
        return 1;
    before = mallinfo2().uordblks;
    for (int i = 0; i < TIMES; i++)
        (void)hd_stream_capture_begin(rig_stream);
    return mallinfo2().uordblks > before + SLACK ? 2 : 0;
}

/* In a child of the process that started the engine all calls are refused. */
TEST(refused_after_fork)
{
    int status = -1;
    pid_t child;

    rig_open();
    if (!rig_on_cpu())
        SKIP("what works after a fork is the vendor's affair");
    child = fork();
    if (child == 0)
        _exit(refused());
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK_EQ_I64(WEXITSTATUS(status), 0);
}

TEST_MAIN
