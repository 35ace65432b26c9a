/* SPDX-License-Identifier: Apache-2.0 */
/* test_handle.c - handles that are destroyed twice, or were never one: an error, nothing else is
   touched; and the detail of an error survives what cleans up behind it. labels: once */
#include <heddle/cg.h>
#include <heddle/graph.h>
#include <heddle/group.h>
#include <heddle/halo.h>
#include <heddle/jacobi_group.h>
#include <heddle/match.h>
#include <heddle/peer.h>
#include <heddle/pipeline.h>
#include <heddle/reduce.h>
#include <heddle/sparse.h>
#include <heddle/trace.h>

#include "conformance/rig.h"

static long no_handle[64]; /* memory that no call gave */

/* ---- destroyed twice ------------------------------------------------------------------------- */

TEST(twice)
{
    hd_stream *stream = NULL;
    hd_event *event = NULL;
    hd_graph *graph = NULL;
    hd_graph_exec *exec = NULL;

    rig_open();
    MUST(hd_stream_create(0, &stream));
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_join(graph, NULL, 0, NULL));
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_stream_destroy(stream));
    MUST(hd_event_destroy(event));
    MUST(hd_graph_destroy(graph));
    MUST(hd_graph_exec_destroy(exec));
    CHECK_STATUS(hd_stream_destroy(stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "not a live stream") != NULL);
    hd_error_clear();
    CHECK_STATUS(hd_event_destroy(event), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "not a live event") != NULL);
    CHECK_STATUS(hd_graph_destroy(graph), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_graph_exec_destroy(exec), HD_ERR_ARGUMENT);
}

/* The second destroy does not hit a handle that was made in between. */
TEST(not_its_successor)
{
    hd_stream *first = NULL, *second = NULL;
    hd_event *early = NULL, *late = NULL;
    int x = 1, *device;

    rig_open();
    device = rig_zeroed(sizeof x);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create(0, &first));
    MUST(hd_event_create(0, 0, &early));
    MUST(hd_stream_destroy(first));
    MUST(hd_event_destroy(early));
    MUST(hd_stream_create(0, &second));
    MUST(hd_event_create(0, 0, &late));
    CHECK_STATUS(hd_stream_destroy(first), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_event_destroy(early), HD_ERR_ARGUMENT);
    MUST(hd_copy_blocking(device, &x, 1, second));
    MUST(hd_event_record(late, second));
    MUST(hd_event_synchronize(late));
    MUST(hd_event_destroy(late));
    MUST(hd_stream_destroy(second));
    rig_drop(device);
}

/* Many, so that the table of those alive grows and shrinks; every second one twice. */
TEST(many)
{
    enum { MANY = 3000 };
    static hd_event *events[MANY];
    int wrong = 0;

    rig_open();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++)
            MUST(hd_event_create(0, 0, &events[i]));
        for (int i = 0; i < MANY; i += 2)
            wrong += hd_event_destroy(events[i]) != HD_OK;
        for (int i = 1; i < MANY; i += 2)
            wrong += hd_event_record(events[i], rig_stream) != HD_OK;
        for (int i = MANY - 2; i > MANY - 60; i -= 2)
            wrong += hd_event_destroy(events[i]) != HD_ERR_ARGUMENT;
        for (int i = 1; i < MANY; i += 2)
            wrong += hd_event_destroy(events[i]) != HD_OK;
    }
    CHECK_EQ_I64(wrong, 0);
}

#if (defined(HEDDLE_SELF_CHECK) && HEDDLE_SELF_CHECK) || (defined(HD_CPU_CHECK) && HD_CPU_CHECK)
TEST(used_after_its_end)
{
    hd_stream *stream = NULL;
    hd_event *event = NULL;

    rig_open();
    MUST(hd_stream_create(0, &stream));
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_event_destroy(event));
    CHECK_STATUS(hd_event_record(event, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_wait(stream, event), HD_ERR_ARGUMENT);
    MUST(hd_stream_destroy(stream));
    CHECK_STATUS(hd_stream_synchronize(stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_wait(stream, event), HD_ERR_ARGUMENT);
}
#endif

/* ---- the first error ------------------------------------------------------------------------- */

/* Every call that gives something back, in a way in which it fails. */
#define RELEASES(X)                                                                                \
    X(hd_stream_destroy((hd_stream *)no_handle))                                                   \
    X(hd_event_destroy((hd_event *)no_handle))                                                     \
    X(hd_graph_destroy((hd_graph *)no_handle))                                                     \
    X(hd_graph_exec_destroy((hd_graph_exec *)no_handle))                                           \
    X(hd_group_destroy((hd_group *)no_handle))                                                     \
    X(hd_pipeline_destroy((hd_pipeline *)no_handle))                                               \
    X(hd_cg_destroy((hd_cg *)no_handle))                                                           \
    X(hd_halo_destroy((hd_halo *)no_handle))                                                       \
    X(hd_jacobi_group_destroy((hd_jacobi_group *)no_handle))                                       \
    X(hd_matcher_destroy((hd_matcher *)no_handle))                                                 \
    X(hd_reduce_chunks_destroy((hd_reduce_chunks *)no_handle))                                     \
    X(hd_spmv_plan_destroy((hd_spmv_plan *)no_handle))                                             \
    X(hd_group_abort(NULL))                                                                        \
    X(hd_free(no_handle))                                                                          \
    X(hd_free_async(no_handle, NULL))                                                              \
    X(hd_host_unregister(no_handle))                                                               \
    X(hd_stream_capture_end(rig_stream, NULL))                                                     \
    X(hd_peer_disable(0, 12345))                                                                   \
    X(hd_trace_stop())

static void fail_first(void)
{
    int device;

    CHECK_STATUS(hd_device_select("the cause", &device), HD_ERR_ARGUMENT);
    REQUIRE(strstr(hd_error_last()->message, "the cause") != NULL);
}

TEST(cleanup_keeps_the_first_error)
{
    rig_open();
    MUST(hd_stream_synchronize(rig_stream));
    fail_first();
#define KEEPS(release)                                                                             \
    CHECK((release) < 0);                                                                          \
    CHECK_EQ_STR(hd_error_last()->call, "hd_device_select");                                       \
    CHECK(strstr(hd_error_last()->message, "the cause") != NULL);
    RELEASES(KEEPS)
#undef KEEPS
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_ARGUMENT);
}

/* What fails by itself is reported: after a clear, and after any other call on the device. */
TEST(cleanup_reports_its_own_failure)
{
    rig_open();
#define REPORTS(release)                                                                           \
    hd_error_clear();                                                                              \
    CHECK((release) < 0);                                                                          \
    CHECK(hd_error_last()->status < 0);                                                            \
    fail_first();                                                                                  \
    MUST(hd_stream_query(rig_stream));                                                             \
    CHECK((release) < 0);                                                                          \
    CHECK(strstr(hd_error_last()->message, "the cause") == NULL);
    MUST(hd_stream_synchronize(rig_stream));
    RELEASES(REPORTS)
#undef REPORTS
}

/* A failure behind the first one in the same cleanup does not replace that. */
TEST(the_first_failure_of_a_cleanup)
{
    rig_open();
    hd_error_clear();
    CHECK_STATUS(hd_event_destroy((hd_event *)no_handle), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_destroy((hd_stream *)no_handle), HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_error_last()->call, "hd_event_destroy");
}

TEST_MAIN
