/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy
   test_pipeline_memory.c - data larger than the device's memory passes through a pipeline. The CPU
   engine's device is made small; a real one would need as much host memory. */
#include <heddle/pipeline.h>

#include "pipeline_rig.h"
#include "unit/child.h"

enum { LARGE = 400000 };

static void pass(size_t chunk, hd_status expected)
{
    hd_pipeline_options options = {0};
    hd_pipeline_report report;
    pipeline_rig rig;
    hd_pipeline *p;

    rig_make(&rig, LARGE, HD_MEM_UNKNOWN);
    options.copies = 1;
    options.chunk = chunk;
    REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
    CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), expected);
    CHECK_EQ_SIZE(report.units, expected == HD_OK ? LARGE : 0);
    rig_check(&rig, report.units, "larger than the device");
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    rig_free(&rig);
}

static void larger_than_the_device(void)
{
    size_t total = 0;

    CHECK_STATUS(hd_device_memory(0, NULL, &total), HD_OK);
    if (strcmp(hd_backend_name(), "cpu") == 0)
        CHECK(total < LARGE * 19 / 3);
    pass(0, HD_OK);
    pass(5000, HD_OK);
    if (strcmp(hd_backend_name(), "cpu") == 0)
        pass(LARGE, HD_ERR_NO_MEMORY);
    pass(10000, HD_OK);
}

TEST(data_larger_than_the_device)
{
    char memory[] = "HEDDLE_CPU_MEMORY=2M", devices[] = "HEDDLE_CPU_DEVICES=1";
    char *const variables[] = {memory, devices, NULL};

    CHECK_EQ_I64(child_run(variables, larger_than_the_device), 0);
}

/* Somebody takes what is left after the first run: what is larger cannot be tried then. */
static void little_is_left(void)
{
    enum { LEFT = 1 << 20 };
    const size_t n = (size_t)3 << 20;
    hd_pipeline_options options = {0};
    hd_pipeline_report report = {0};
    size_t free_bytes, run = 0;
    void *taken = NULL;
    pipeline_rig rig;
    hd_pipeline *p;

    if (strcmp(hd_backend_name(), "cpu") != 0 || test_watched(0, 1))
        return; /* a real device's memory is not ours to take; the checker's is slow to take */
    rig_make(&rig, n, HD_MEM_UNKNOWN);
    rig_fill(&rig, 1);
    options.copies = 1;
    REQUIRE(hd_pipeline_create(&options, &p) == HD_OK);
    for (; run < 100 && !report.settled; run++) {
        rig.chunks = rig.next = 0;
        CHECK_STATUS(hd_pipeline_run(p, &rig.job, &report), HD_OK);
        if (run > 0)
            continue;
        REQUIRE(hd_device_memory(0, &free_bytes, NULL) == HD_OK);
        REQUIRE(hd_alloc_bytes(&taken, 1, free_bytes - LEFT, HD_MEM_DEVICE, 0) == HD_OK);
    }
    CHECK(report.settled);
    rig_check(&rig, n, "little memory");
    CHECK_STATUS(hd_free(taken), HD_OK);
    CHECK_STATUS(hd_pipeline_destroy(p), HD_OK);
    rig_free(&rig);
}

TEST(what_there_is_no_memory_for_is_not_tried_again)
{
    char memory[] = "HEDDLE_CPU_MEMORY=700M", devices[] = "HEDDLE_CPU_DEVICES=1";
    char *const variables[] = {memory, devices, NULL};

    CHECK_EQ_I64(child_run(variables, little_is_left), 0);
}

TEST_MAIN
