/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - for tests of faults and several devices: what is free, whose they are, the time. */
#ifndef HEDDLE_TESTS_DEVICES_H
#define HEDDLE_TESTS_DEVICES_H

#include <string.h>
#include <time.h>

#include <heddle/heddle.h>

#include "test.h"

TEST_UNUSED static size_t test_free_bytes(int device)
{
    size_t bytes = 0;

    CHECK_STATUS(hd_device_memory(device, &bytes, NULL), HD_OK);
    return bytes;
}

/* At least so many devices, which no other program uses. */
TEST_UNUSED static int test_own_devices(int wanted)
{
    int count = 0;

    CHECK_STATUS(hd_device_count(&count), HD_OK);
    return count >= wanted && strcmp(hd_backend_name(), "cpu") == 0;
}

/* Seconds, from some moment on. */
TEST_UNUSED static double test_seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
