/* SPDX-License-Identifier: Apache-2.0 */
/* test_device.c - devices: properties, names, selection. */
#include "conformance/rig.h"

TEST(attributes_are_plausible)
{
    int64_t v[HD_ATTR_COUNT_];
    int i;

    rig_open();
    for (i = 0; i < HD_ATTR_COUNT_; i++) {
        v[i] = -1;
        MUST(hd_device_get(0, (hd_device_attribute)i, &v[i]));
        if (i != HD_ATTR_STREAM_PRIORITY_GREATEST && i != HD_ATTR_STREAM_PRIORITY_LEAST)
            CHECK(v[i] >= 0);
    }
    CHECK(v[HD_ATTR_WARP_SIZE] == 32 || v[HD_ATTR_WARP_SIZE] == 64);
    CHECK(v[HD_ATTR_COMPUTE_UNITS] >= 1);
    CHECK(v[HD_ATTR_MAX_THREADS_PER_BLOCK] >= 1024);
    CHECK(v[HD_ATTR_MAX_THREADS_PER_UNIT] >= v[HD_ATTR_MAX_THREADS_PER_BLOCK]);
    CHECK(v[HD_ATTR_MAX_BLOCK_X] >= 1024 && v[HD_ATTR_MAX_BLOCK_Y] >= 1024);
    CHECK(v[HD_ATTR_MAX_BLOCK_Z] >= 64);
    CHECK(v[HD_ATTR_MAX_GRID_X] >= 2147483647);
    CHECK(v[HD_ATTR_MAX_GRID_Y] >= 65535 && v[HD_ATTR_MAX_GRID_Z] >= 65535);
    CHECK(v[HD_ATTR_SHARED_PER_BLOCK] >= 48 * 1024);
    CHECK(v[HD_ATTR_SHARED_PER_BLOCK_MAX] >= v[HD_ATTR_SHARED_PER_BLOCK]);
    CHECK(v[HD_ATTR_SHARED_PER_UNIT] >= v[HD_ATTR_SHARED_PER_BLOCK]);
    CHECK_EQ_I64(v[HD_ATTR_CONSTANT_BYTES], 65536);
    CHECK(v[HD_ATTR_MEMORY_BYTES] >= 1 << 20);
    CHECK(v[HD_ATTR_STREAM_PRIORITY_GREATEST] <= v[HD_ATTR_STREAM_PRIORITY_LEAST]);
}

TEST(bad_questions)
{
    int64_t value = 77;
    char text[64] = "kept";
    size_t a = 1, b = 2;
    int count;

    rig_open();
    MUST(hd_device_count(&count));
    CHECK_STATUS(hd_device_count(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_get(-1, HD_ATTR_WARP_SIZE, &value), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_get(count, HD_ATTR_WARP_SIZE, &value), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_get(0, HD_ATTR_COUNT_, &value), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_get(0, (hd_device_attribute)-1, &value), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_get(0, HD_ATTR_WARP_SIZE, NULL), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(value, 77);
    CHECK_STATUS(hd_device_name(count, text, sizeof text), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_name(0, NULL, 10), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_bus_id(-5, text, sizeof text), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_arch(count, text, sizeof text), HD_ERR_DEVICE_INDEX);
    CHECK_EQ_STR(text, "kept");
    CHECK_STATUS(hd_device_memory(count, &a, &b), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_synchronize(count), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_state(-1), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_bind_thread(count), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_reset(count), HD_ERR_DEVICE_INDEX);
}

TEST(names_and_memory)
{
    char name[256] = "", bus[64] = "", arch[64] = "", cut[4] = "xxx";
    size_t free_bytes = 0, total_bytes = 0;

    rig_open();
    MUST(hd_device_name(0, name, sizeof name));
    MUST(hd_device_bus_id(0, bus, sizeof bus));
    MUST(hd_device_arch(0, arch, sizeof arch));
    CHECK(strlen(name) > 0 && strlen(arch) > 0);
    if (rig_on_cpu())
        CHECK_EQ_STR(bus, "cpu:0");
    MUST(hd_device_name(0, cut, sizeof cut));
    CHECK_EQ_SIZE(strlen(cut), 3);
    CHECK(strncmp(cut, name, 3) == 0);
    MUST(hd_device_memory(0, &free_bytes, &total_bytes));
    CHECK(free_bytes <= total_bytes && total_bytes > 0);
    CHECK_STATUS(hd_device_state(0), HD_OK);
    CHECK_STATUS(hd_device_synchronize(0), HD_OK);
}

/* Whatever device a thread is bound to, calls mean the one that they name. */
TEST(bound_threads)
{
    int count = 0;

    rig_open();
    MUST(hd_device_count(&count));
    for (int bound = 0; bound < count; bound++) {
        MUST(hd_device_bind_thread(bound));
        for (int device = 0; device < count; device++) {
            hd_pointer_info info;
            uint32_t *memory = NULL, got = 0;
            hd_stream *stream = NULL;
            MUST(hd_alloc(&memory, 1, device));
            MUST(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &stream));
            MUST(hd_fill_bytes(memory, 41u + (unsigned)device, 4, 1, stream));
            MUST(hd_copy_blocking(&got, (const uint32_t *)memory, 1, stream));
            MUST(hd_pointer_get(memory, &info));
            CHECK(got == 41u + (unsigned)device && info.device == device);
            MUST(hd_stream_destroy(stream));
            MUST(hd_free(memory));
        }
    }
    MUST(hd_device_bind_thread(0));
}

TEST(selection)
{
    char bus[64], text[16];
    int device = -1, count, i;

    rig_open();
    MUST(hd_device_count(&count));
    unsetenv("HEDDLE_DEVICE");
    for (i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%d", i);
        MUST(hd_device_select(text, &device));
        CHECK_EQ_I64(device, i);
        MUST(hd_device_bus_id(i, bus, sizeof bus));
        MUST(hd_device_select(bus, &device));
        CHECK_EQ_I64(device, i);
    }
    MUST(hd_device_select(NULL, &device));
    CHECK_EQ_I64(device, 0);
    MUST(hd_device_select("fastest", &device));
    CHECK(device >= 0 && device < count);
    MUST(hd_device_select("free", &device));
    CHECK(device >= 0 && device < count);
    snprintf(text, sizeof text, "%d", count - 1);
    setenv("HEDDLE_DEVICE", text, 1);
    MUST(hd_device_select(NULL, &device));
    CHECK_EQ_I64(device, count - 1);
    setenv("HEDDLE_DEVICE", "what", 1);
    CHECK_STATUS(hd_device_select(NULL, &device), HD_ERR_ARGUMENT);
    unsetenv("HEDDLE_DEVICE");
    CHECK_EQ_I64(device, count - 1);
}

TEST(bad_selections)
{
    static const char *const bad[] = {"one", "0x0",      "-1",           "1.5",
                                      "0 ",  "fastest!", "ffff:ff:1f.7", "99999999999999999999"};
    char text[16];
    int device = 42, count;
    size_t i;

    rig_open();
    MUST(hd_device_count(&count));
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hd_status status = hd_device_select(bad[i], &device);
        if (!CHECK(status == HD_ERR_ARGUMENT || status == HD_ERR_DEVICE_INDEX ||
                   status == HD_ERR_NO_DEVICE))
            NOTE("\"%s\" gave %d", bad[i], (int)status);
    }
    snprintf(text, sizeof text, "%d", count);
    CHECK_STATUS(hd_device_select(text, &device), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_device_select("0", NULL), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(device, 42);
}

TEST_MAIN
