/* SPDX-License-Identifier: Apache-2.0 */
/* test_occupancy.c - attributes of kernels, resident blocks, suggested block sizes. */
#include "conformance/rig.h"
#include "unit_kernels.h"

TEST(attributes_of_a_kernel)
{
    hd_kernel_attributes plain, shared;

    rig_open();
    MUST(hd_kernel_get(hd_kernel_of(unit_set), 0, &plain));
    CHECK(plain.max_threads >= 32 && plain.max_threads <= 1024);
    if (!rig_on_cpu()) {
        MUST(hd_kernel_get(hd_kernel_of(unit_shared), 0, &shared));
        CHECK(plain.registers > 0);
        CHECK(shared.shared_bytes >= 4096);
        CHECK_EQ_SIZE(plain.shared_bytes, 0);
    }
    CHECK_STATUS(hd_kernel_get(NULL, 0, &plain), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_kernel_get(hd_kernel_of(unit_set), 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_kernel_get(hd_kernel_of(unit_set), 64, &plain), HD_ERR_DEVICE_INDEX);
}

/* The engine learns what a kernel's blocks use when they use it. */
TEST(static_shared_memory_is_known_after_a_launch)
{
    hd_kernel_attributes shared;
    int *device;

    rig_open();
    device = rig_zeroed(64 * sizeof *device);
    MUST(hd_launch(unit_shared, rig_flat(1, 64), device));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_kernel_get(hd_kernel_of(unit_shared), 0, &shared));
    CHECK(shared.shared_bytes >= 4096);
    if (rig_on_cpu())
        CHECK_EQ_SIZE(shared.shared_bytes, 4096);
    rig_drop(device);
}

/* The engine finds out when the array is used, so its error comes with the wait. */
static hd_status launch_shared(int *x, size_t dynamic)
{
    hd_status status = hd_launch(unit_shared, rig_shape(hd_dim(1, 1, 1), hd_dim(64, 1, 1), dynamic),
                                 x);

    return status < 0 ? status : hd_stream_synchronize(rig_stream);
}

TEST(static_and_dynamic_shared_memory_share_the_limit)
{
    hd_kernel_attributes attributes;
    int back[64], *x;
    int64_t limit = 0;
    size_t room;
    char numbers[80];

    rig_open();
    x = rig_zeroed(64 * sizeof *x);
    MUST(launch_shared(x, 0)); /* from here on the engine knows the kernel's static memory */
    MUST(hd_kernel_get(hd_kernel_of(unit_shared), 0, &attributes));
    MUST(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &limit));
    room = (size_t)limit - attributes.shared_bytes;
    MUST(launch_shared(x, room));
    for (size_t over = 1; over <= attributes.shared_bytes; over *= 4) {
        CHECK_STATUS(launch_shared(x, room + over), HD_ERR_LAUNCH_CONFIG);
        snprintf(numbers, sizeof numbers, "%zu static and %zu dynamic bytes, the limit %lld",
                 attributes.shared_bytes, room + over, (long long)limit);
        CHECK(strstr(hd_error_last()->message, "unit_shared") != NULL);
        CHECK(strstr(hd_error_last()->message, numbers) != NULL);
    }
    MUST(hd_launch(unit_set, rig_flat(1, 64), (size_t)64, x, 7)); /* the device is well */
    rig_download(back, x, sizeof back);
    CHECK_EQ_I64(back[63], 7);
    rig_drop(x);
}

TEST(resident_blocks)
{
    unsigned blocks = 0, wide = 0, heavy = 0;
    int64_t shared = 0;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &shared));
    MUST(hd_occupancy(hd_kernel_of(unit_set), 0, 64, 0, &blocks));
    MUST(hd_occupancy(hd_kernel_of(unit_set), 0, 1024, 0, &wide));
    CHECK(blocks >= 1 && wide >= 1 && wide <= blocks);
    MUST(hd_occupancy(hd_kernel_of(unit_set), 0, 64, (size_t)shared, &heavy));
    CHECK(heavy >= 1 && heavy <= blocks);
    CHECK(hd_occupancy(hd_kernel_of(unit_set), 0, 0, 0, &blocks) < 0);
    CHECK(hd_occupancy(hd_kernel_of(unit_set), 0, 100000, 0, &blocks) < 0);
    CHECK_STATUS(hd_occupancy(NULL, 0, 64, 0, &blocks), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_occupancy(hd_kernel_of(unit_set), 0, 64, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_occupancy(hd_kernel_of(unit_set), -1, 64, 0, &blocks), HD_ERR_DEVICE_INDEX);
}

TEST(suggested_blocks)
{
    unsigned threads = 0;

    rig_open();
    MUST(hd_suggest_block(hd_kernel_of(unit_shared), 0, 0, &threads));
    CHECK(threads >= rig_warp && threads <= 1024);
    CHECK_EQ_U64(threads % rig_warp, 0);
    CHECK_STATUS(hd_suggest_block(NULL, 0, 0, &threads), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_suggest_block(hd_kernel_of(unit_shared), 0, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_suggest_block(hd_kernel_of(unit_shared), 1000, 0, &threads),
                 HD_ERR_DEVICE_INDEX);
}

TEST_MAIN
