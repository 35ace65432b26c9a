/* SPDX-License-Identifier: Apache-2.0 */
/* rig.h - what every conformance test needs on the host: a device, a stream, buffers, random bits.
   A call that must work and does not ends the program with the error. */
#ifndef HEDDLE_TESTS_RIG_H
#define HEDDLE_TESTS_RIG_H

#include <heddle/heddle.h>
#include <stdlib.h>

#include "test.h"

static hd_stream *rig_stream TEST_UNUSED;
static unsigned rig_warp TEST_UNUSED; /* lanes in a warp of device 0 */

TEST_UNUSED static void rig_must(const char *file, int line, const char *text, hd_status status)
{
    char detail[HD_ERROR_TEXT_MAX];

    if (status == HD_OK)
        return;
    printf("  %s:%d: %s: %s\n", file, line, text, hd_error_format(detail, sizeof detail));
    fflush(stdout);
    exit(1);
}
#define MUST(call) rig_must(__FILE__, __LINE__, #call, (call))

/* Opens device 0 once; ends the program as skipped where there is none. */
TEST_UNUSED static void rig_open(void)
{
    int count = 0;
    int64_t lanes = 0;

    if (rig_stream != NULL)
        return;
    MUST(hd_device_count(&count));
    if (count == 0) {
        printf("skip: no device\n");
        exit(77);
    }
    MUST(hd_stream_create(0, &rig_stream));
    MUST(hd_device_get(0, HD_ATTR_WARP_SIZE, &lanes));
    rig_warp = (unsigned)lanes;
}

/* HEDDLE_TEST_SMALL=1: sizes for slow checkers around the program. */
TEST_UNUSED static int rig_small(void)
{
    const char *text = getenv("HEDDLE_TEST_SMALL");

    return text != NULL && text[0] == '1';
}

TEST_UNUSED static size_t rig_size(size_t usual, size_t small)
{
    return rig_small() ? small : usual;
}

TEST_UNUSED static int rig_on_cpu(void)
{
    return strcmp(hd_backend_name(), "cpu") == 0;
}

/* Blocks of the given shapes on the rig's stream. */
TEST_UNUSED static hd_launch_config rig_shape(hd_dim3 grid, hd_dim3 block, size_t shared_bytes)
{
    return hd_launch_with(grid, block, shared_bytes, rig_stream);
}

TEST_UNUSED static hd_launch_config rig_flat(unsigned grid, unsigned block)
{
    return rig_shape(hd_dim(grid, 1, 1), hd_dim(block, 1, 1), 0);
}

/* Device memory of `bytes` bytes, every byte `byte`. rig_drop gives it back. */
TEST_UNUSED static void *rig_filled(size_t bytes, unsigned byte)
{
    void *device = NULL;

    MUST(hd_alloc_bytes(&device, bytes != 0 ? bytes : 1, 1, HD_MEM_DEVICE, 0));
    MUST(hd_fill_bytes(device, byte, 1, bytes, rig_stream));
    return device;
}

TEST_UNUSED static void *rig_zeroed(size_t bytes)
{
    return rig_filled(bytes, 0);
}

TEST_UNUSED static void *rig_upload(const void *host, size_t bytes)
{
    void *device = NULL;

    MUST(hd_alloc_bytes(&device, bytes != 0 ? bytes : 1, 1, HD_MEM_DEVICE, 0));
    MUST(hd_copy_blocking_bytes(device, host, bytes, 1, rig_stream));
    return device;
}

TEST_UNUSED static void rig_download(void *host, const void *device, size_t bytes)
{
    MUST(hd_copy_blocking_bytes(host, device, bytes, 1, rig_stream));
}

TEST_UNUSED static void rig_drop(void *device)
{
    MUST(hd_free(device));
}

TEST_UNUSED static void *rig_host(size_t bytes)
{
    void *host = calloc(bytes != 0 ? bytes : 1, 1);

    if (host == NULL) {
        printf("  no host memory for %zu bytes\n", bytes);
        exit(1);
    }
    return host;
}

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers on every machine. */
TEST_UNUSED static uint64_t rig_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
