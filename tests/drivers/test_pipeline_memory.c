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

TEST_MAIN
