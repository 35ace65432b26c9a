/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy
   test_peer.c - pairs of devices: what is known of them, which path is chosen, and transfers over
   it, of every size, on streams of either side. */
#include <heddle/peer.h>

#include <stdlib.h>

#include "arrays.h"

static int devices(void)
{
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    return count;
}

TEST(a_device_and_itself)
{
    hd_peer_path path = HD_PATH_STAGED;
    hd_peer_info info;

    CHECK_STATUS(hd_peer_connect(0, 0, &path), HD_OK);
    CHECK(path == HD_PATH_SAME);
    CHECK_STATUS(hd_peer_query(0, 0, &info), HD_OK);
    CHECK(info.link == HD_LINK_SELF && info.path == HD_PATH_SAME && info.access == 1);
}

TEST(what_is_refused)
{
    const int count = devices();
    hd_stream *stream = NULL;
    hd_peer_path path;
    hd_peer_info info;
    uint64_t bytes;

    CHECK_STATUS(hd_peer_connect(0, count, &path), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_peer_query(-1, 0, &info), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_peer_query(0, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_peer_staged_bytes(0, count, &bytes), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_transfer(NULL, 0, NULL, 0, 1, NULL), HD_ERR_ARGUMENT);
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    CHECK_STATUS(hd_transfer(NULL, 0, NULL, 0, 1, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_transfer(NULL, 0, NULL, 0, 0, stream), HD_OK);
    if (count > 2)
        CHECK_STATUS(hd_transfer(NULL, 1, NULL, 2, 0, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

/* From device 0 to 1 and on to the last, each time on a stream of one of the two. */
static void hop(void *to, int to_device, const void *from, int from_device, size_t bytes, int side)
{
    hd_stream *stream = NULL;

    REQUIRE(hd_stream_create(side ? to_device : from_device, &stream) == HD_OK);
    CHECK_STATUS(hd_transfer(to, to_device, from, from_device, bytes, stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

TEST(every_pair_size_and_side)
{
    static const size_t sizes[] = {1, 3, 4096, 65537, 300001, 1200007};
    const int count = devices();
    unsigned char *host = malloc(sizes[5]), *back = malloc(sizes[5]);

    REQUIRE(host && back);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            for (size_t s = 0; s < 6; s++) {
                unsigned char *from = NULL, *to = NULL;
                hd_stream *stream = NULL;
                const size_t n = sizes[s];
                for (size_t i = 0; i < n; i++)
                    host[i] = (unsigned char)(i * 7 + i / 251 + n + (size_t)a);
                REQUIRE(hd_stream_create(a, &stream) == HD_OK);
                REQUIRE(hd_alloc(&from, n, a) == HD_OK && hd_alloc(&to, n, b) == HD_OK);
                CHECK_STATUS(hd_copy_blocking(from, host, n, stream), HD_OK);
                hop(to, b, from, a, n, (int)(s % 2));
                memset(back, 0, n);
                CHECK_STATUS(hd_copy_blocking(back, to, n, stream), HD_OK);
                CHECK(memcmp(host, back, n) == 0);
                CHECK_STATUS(hd_free(from), HD_OK);
                CHECK_STATUS(hd_free(to), HD_OK);
                CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
            }
    free(host);
    free(back);
}

TEST_MAIN
