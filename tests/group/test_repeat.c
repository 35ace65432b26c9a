/* SPDX-License-Identifier: Apache-2.0 */
/* test_repeat.c - operations that follow one another, from several threads, in graphs.
   labels: lazy peers few many */
#include <heddle/graph.h>

#include "repeat.h"

TEST(one_after_another)
{
    repeat_rounds((unsigned)test_watched(40, 4), NULL, run_one_thread);
}

TEST(a_thread_for_each_rank)
{
    repeat_rounds((unsigned)test_watched(40, 4), NULL, run_threads);
}

/* Words tell who sees them only that their sender has begun: enough to write lines again that it
   read in the operation before. Where only the root sees any, the others meet it. */
static void alternate(repeat *w, what kind)
{
    for (unsigned k = 0; k < BATCH; k++) {
        const size_t n = k % 2 ? 12 : k % 4 ? 700 : 243;
        w->batch[k] = (operation){.kind = kind, .n = n, .type = HD_F32, .op = HD_MAX};
    }
    fill_batch(w, kind);
    run_threads(w);
    check_batch(w);
}

TEST(words_between_lines)
{
    repeat w;

    repeat_force();
    if (repeat_open(&w, NULL)) {
        alternate(&w, ALL_REDUCE);
        alternate(&w, REDUCE);
    }
    repeat_close(&w);
    hd__group_forced = (hd__group_tuning){0};
}

TEST(through_the_host)
{
    repeat_rounds((unsigned)test_watched(20, 3), &(hd_group_options){.p2p = HD_GROUP_P2P_OFF},
                  run_threads);
}

/* Captured rank by rank, replayed with other data and beside calls that are not captured. */
TEST(captured_and_replayed)
{
    uint64_t state = 77;
    repeat w;
    operation captured[BATCH];

    repeat_force();
    const int open = repeat_open(&w, NULL);
    hd__group_forced = (hd__group_tuning){0};
    if (!open)
        return;
    for (unsigned k = 0; k < BATCH; k++)
        captured[k] = any_operation(&state, w.count);
    memcpy(w.batch, captured, sizeof captured);
    for (unsigned r = 0; r < w.count; r++) {
        hd_stream *stream = hd_group_stream(w.group, r);
        hd_graph *graph = NULL;
        REQUIRE(hd_stream_capture_begin(stream) == HD_OK);
        enqueue_batch(&w, r);
        REQUIRE(hd_stream_capture_end(stream, &graph) == HD_OK);
        CHECK_STATUS(hd_graph_instantiate(graph, &w.exec[r]), HD_OK);
        CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    }
    for (unsigned round = 0; round < 6; round++) {
        fill_batch(&w, round);
        if (round % 3 == 2) {
            for (unsigned k = 0; k < BATCH; k++)
                w.batch[k] = any_operation(&state, w.count);
            run_one_thread(&w);
        } else {
            memcpy(w.batch, captured, sizeof captured);
            for (unsigned r = 0; r < w.count; r++)
                CHECK_STATUS(hd_graph_launch(w.exec[r], hd_group_stream(w.group, r)), HD_OK);
            CHECK_STATUS(hd_group_synchronize(w.group), HD_OK);
        }
        check_batch(&w);
    }
    for (unsigned r = 0; r < w.count; r++)
        CHECK_STATUS(hd_graph_exec_destroy(w.exec[r]), HD_OK);
    repeat_close(&w);
}

TEST_MAIN
