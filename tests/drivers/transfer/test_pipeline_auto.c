/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy
   test_pipeline_auto.c - chunk sizes that a pipeline chooses: every choice gives the same bits. */
#include "pipeline_rig.h"

/* ---- runs ------------------------------------------------------------------------------------ */

/* Whatever is tried in them, all runs give the same bits, and some time it is decided. */
TEST(auto_settles_and_gives_the_same_bits)
{
    const size_t n = test_watched((size_t)3 << 20, 300000);

    for (int pinned = 0; pinned < 2; pinned++) {
        hd_pipeline_options options = {0};
        hd_pipeline_report report = {0};
        size_t first = 0, chunk = 0, other = 0, run = 0;
        pipeline_rig rig;
        hd_pipeline *p;

        rig_make(&rig, n, pinned ? HD_MEM_PINNED : HD_MEM_UNKNOWN);
        rig_fill(&rig, 1);
        options.copies = 1;
        REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
        /* Larger buffers are made when runs have taken as long as that does: on GPUs after many. */
        for (; run < 20000 && !report.settled; run++) {
            const int looks = run % 4 == 1 && run < 200; /* all that is tried in turn is seen */

            if (looks)
                rig_fill(&rig, run);
            rig.chunks = rig.next = 0;
            REQUIRE(hd_pipeline_run(p, &rig.job, &report) == HD_OK);
            if (looks)
                rig_check(&rig, n, "auto");
            CHECK_EQ_SIZE(report.units, n);
            CHECK_EQ_I64(report.measured, run == 0 && n > (size_t)1 << 20);
            first = run == 0 ? report.chunk : first;
            other += report.chunk != first;
        }
        CHECK(report.settled);
        CHECK((n > (size_t)1 << 20) == (other > 0)); /* too little data is not tried with */
        for (run = 0; run < 3; run++) {
            rig.chunks = rig.next = 0;
            REQUIRE(hd_pipeline_run(p, &rig.job, &report) == HD_OK);
            chunk = run == 0 ? report.chunk : chunk;
            CHECK_EQ_SIZE(report.chunk, chunk);
            CHECK_EQ_I64(report.settled, 1);
        }
        CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
        rig_free(&rig);
    }
}

/* Where nothing is copied there is one chunk. */
TEST(nothing_is_split_that_needs_no_copy)
{
    hd_pipeline_report report;
    pipeline_rig rig;
    hd_pipeline *p;

    rig_make(&rig, 100000, HD_MEM_MAPPED);
    REQUIRE(hd_pipeline_create(NULL, &p) == HD_OK);
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_OK);
    CHECK_EQ_SIZE(report.chunks, 1);
    rig_check(&rig, 100000, "one chunk");
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    rig_free(&rig);
}

TEST_MAIN
