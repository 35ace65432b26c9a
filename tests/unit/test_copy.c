/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy */
/* test_copy.c - copies in every direction, two-dimensional copies, fills, bad input. */
#include <sys/mman.h>

#include "park.h"

enum { N = 10007 };

static void pattern(unsigned char *p, size_t n, uint64_t seed)
{
    size_t i;

    for (i = 0; i < n; i++)
        p[i] = (unsigned char)rig_random(&seed);
}

TEST(there_and_back_at_any_alignment)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 64, 1000, N};
    unsigned char *in = rig_host(N + 16), *out = rig_host(N + 16);
    unsigned char *a, *b;
    size_t c, shift;

    rig_open();
    a = rig_zeroed(N + 16);
    b = rig_zeroed(N + 16);
    pattern(in, N + 16, 1);
    for (c = 0; c < 8; c++) {
        for (shift = 0; shift < 9; shift += shift + 1) {
            memset(out, 0xaa, N + 16);
            MUST(hd_copy(a + shift, (const unsigned char *)in + 3, counts[c], rig_stream));
            MUST(hd_copy(b + 8 - shift % 8, (const unsigned char *)a + shift, counts[c],
                         rig_stream));
            MUST(hd_copy(out + 5, (const unsigned char *)b + 8 - shift % 8, counts[c], rig_stream));
            MUST(hd_stream_synchronize(rig_stream));
            CHECK(memcmp(out + 5, in + 3, counts[c]) == 0);
            CHECK_EQ_U64(out[4], 0xaa);
            CHECK_EQ_U64(out[5 + counts[c]], 0xaa);
        }
    }
    rig_drop(a);
    rig_drop(b);
    free(in);
    free(out);
}

/* A small copy from plain memory returns once the source may be reused. */
TEST(the_source_may_be_reused)
{
    int value, back = 0, i, *device;

    rig_open();
    device = rig_zeroed(100 * sizeof(int));
    for (i = 0; i < 100; i++) {
        value = i;
        MUST(hd_copy(device + i, (const int *)&value, 1, rig_stream));
        value = -1;
    }
    for (i = 0; i < 100; i++) {
        MUST(hd_copy_blocking(&back, (const int *)device + i, 1, rig_stream));
        CHECK_EQ_I64(back, i);
    }
    rig_drop(device);
}

/* The same when the copy cannot be done at once. A vendor may wait for the kernel instead. */
TEST(the_source_may_be_reused_behind_work)
{
    int values[64], back[64] = {0}, i, wrong = 0, *device;
    park parked;

    rig_open();
    device = rig_zeroed(sizeof values);
    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < 64; i++)
        values[i] = 100 + i;
    park_begin(&parked, rig_stream);
    park_go_soon(&parked);
    MUST(hd_copy(device, (const int *)values, 64, rig_stream));
    for (i = 0; i < 64; i++)
        values[i] = -1;
    MUST(hd_stream_synchronize(rig_stream));
    park_join(&parked);
    rig_download(back, device, sizeof back);
    for (i = 0; i < 64; i++)
        wrong += back[i] != 100 + i;
    CHECK_EQ_I64(wrong, 0);
    rig_drop(parked.flag);
    rig_drop(device);
}

TEST(pinned_copies_are_in_stream_order)
{
    int *pinned = NULL, *device, i, wrong = 0;

    rig_open();
    MUST(hd_alloc_kind(&pinned, 2 * N, HD_MEM_PINNED, 0));
    device = rig_zeroed(N * sizeof(int));
    for (i = 0; i < N; i++)
        pinned[i] = i;
    MUST(hd_copy(device, (const int *)pinned, N, rig_stream));
    MUST(hd_fill_bytes(device, 0xffffffff, 4, 10, rig_stream));
    MUST(hd_copy(pinned + N, (const int *)device, N, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < N; i++)
        wrong += pinned[N + i] != (i < 10 ? -1 : i);
    CHECK_EQ_I64(wrong, 0);
    rig_drop(device);
    MUST(hd_free(pinned));
}

TEST(host_to_host)
{
    unsigned char in[100], out[100];

    rig_open();
    pattern(in, sizeof in, 2);
    MUST(hd_copy_blocking(out, (const unsigned char *)in, 100, rig_stream));
    CHECK(memcmp(in, out, sizeof in) == 0);
}

TEST(rows_with_a_pitch)
{
    enum { ROWS = 13, ROW = 29, PITCH_A = 40, PITCH_B = 64, PITCH_C = 31 };
    unsigned char in[ROWS * PITCH_A], out[ROWS * PITCH_C];
    unsigned char *device;
    size_t r;

    rig_open();
    device = rig_filled(ROWS * PITCH_B, 0x55);
    pattern(in, sizeof in, 3);
    memset(out, 0xaa, sizeof out);
    MUST(hd_copy_2d(device, PITCH_B, in, PITCH_A, ROW, ROWS, rig_stream));
    MUST(hd_copy_2d(out, PITCH_C, device, PITCH_B, ROW, ROWS, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    for (r = 0; r < ROWS; r++) {
        CHECK(memcmp(out + r * PITCH_C, in + r * PITCH_A, ROW) == 0);
        CHECK_EQ_U64(out[r * PITCH_C + ROW], 0xaa);
    }
    MUST(hd_copy_blocking_bytes(out, device + ROW, 1, 1, rig_stream));
    CHECK_EQ_U64(out[0], 0x55);
    CHECK_STATUS(hd_copy_2d(device, ROW - 1, in, PITCH_A, ROW, ROWS, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_2d(device, PITCH_B, in, ROW - 1, ROW, ROWS, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_2d(NULL, PITCH_B, in, PITCH_A, ROW, ROWS, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_2d(device, PITCH_B, in, PITCH_A, ROW, ROWS, NULL), HD_ERR_ARGUMENT);
    MUST(hd_copy_2d(device, PITCH_B, in, PITCH_A, 0, ROWS, rig_stream));
    MUST(hd_copy_2d(device, PITCH_B, in, PITCH_A, ROW, 0, rig_stream));
    rig_drop(device);
}

static void check_fill(uint32_t value, size_t size, size_t shift, size_t count)
{
    unsigned char out[4200];
    unsigned char *device = rig_filled(sizeof out, 0x11);
    size_t i, wrong = 0;

    MUST(hd_fill_bytes(device + shift * size, value, size, count, rig_stream));
    rig_download(out, device, sizeof out);
    for (i = 0; i < sizeof out; i++) {
        size_t element = i / size;
        unsigned char expected = (unsigned char)(value >> 8 * (i % size));
        wrong += out[i] != (element >= shift && element < shift + count ? expected : 0x11);
    }
    CHECK_EQ_SIZE(wrong, 0);
    rig_drop(device);
}

TEST(fills_of_one_two_and_four_bytes)
{
    static const size_t sizes[] = {1, 2, 4}, counts[] = {0, 1, 5, 1000};
    size_t s, c, shift;
    void *device;

    rig_open();
    for (s = 0; s < 3; s++)
        for (c = 0; c < 4; c++)
            for (shift = 0; shift < 4; shift++)
                check_fill(0x89abcdefu, sizes[s], shift, counts[c]);
    device = rig_zeroed(16);
    CHECK_STATUS(hd_fill_bytes(device, 0, 3, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_fill_bytes(device, 0, 8, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_fill_bytes(device, 0, 0, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_fill_bytes(NULL, 0, 1, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_fill_bytes(device, 0, 1, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_fill_bytes(device + 1, 0, 2, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_fill_bytes(device + 2, 0, 4, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK(hd_fill_bytes(device, 0, 4, SIZE_MAX / 2, rig_stream) < 0);
    MUST(hd_fill_bytes(NULL, 0, 1, 0, rig_stream));
    MUST(hd_fill_zero((int *)device, 4, rig_stream));
    rig_drop(device);
}

TEST(bad_copies)
{
    char host[16];
    void *device;

    rig_open();
    device = rig_zeroed(16);
    CHECK_STATUS(hd_copy_bytes(device, host, 16, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_bytes(NULL, host, 16, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_bytes(device, NULL, 16, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_copy_bytes(device, host, SIZE_MAX, 16, rig_stream), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_copy_blocking_bytes(device, host, SIZE_MAX / 2, 3, rig_stream),
                 HD_ERR_OVERFLOW);
    MUST(hd_copy_bytes(NULL, NULL, 0, 16, rig_stream));
    MUST(hd_copy_blocking_bytes(NULL, NULL, 0, 1, rig_stream));
    CHECK_EQ_SIZE(hd_bytes(SIZE_MAX, 2), SIZE_MAX);
    CHECK_EQ_SIZE(hd_bytes(3, 5), 15);
    rig_drop(device);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#if !defined(SANITIZED) || (defined(HD_CPU_CHECK) && HD_CPU_CHECK)
#define FAULTS_ARE_CAUGHT 1
#else
#define FAULTS_ARE_CAUGHT 0
#endif

/* Addresses at which there is no memory, or none to write. */
TEST(copies_at_no_memory)
{
    static const char constant[4096] = "read-only";
    char host[64] = {0}, *nowhere = (char *)(uintptr_t)16, *far = (char *)(uintptr_t)-4096, *hole;
    void *device;

    rig_open();
    if (!rig_on_cpu() || !FAULTS_ARE_CAUGHT)
        SKIP("the vendor, or a sanitizer, has faults of host memory to itself");
    device = rig_zeroed(64);
    hole = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(hole != MAP_FAILED && munmap(hole + (1 << 20), 1 << 20) == 0);
    CHECK_STATUS(hd_copy_bytes(nowhere, device, 4, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes(device, nowhere, 4, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes(far, device, 4, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes(nowhere, host, 4, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes(host, nowhere, 4, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes((char *)(uintptr_t)constant, device, 4, 1, rig_stream),
                 HD_ERR_POINTER);
    MUST(hd_copy_bytes(device, constant, 4, 1, rig_stream));
    CHECK_STATUS(hd_copy_bytes(hole + (1 << 20) - 4, device, 8, 1, rig_stream), HD_ERR_POINTER);
    MUST(hd_copy_bytes(hole + (1 << 20) - 8, device, 8, 1, rig_stream));
    CHECK_STATUS(hd_copy_blocking_bytes(nowhere, device, 4, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_2d(nowhere, 8, device, 8, 4, 2, rig_stream), HD_ERR_POINTER);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_copy_blocking_bytes(host, device, 8, 1, rig_stream));
    CHECK(memcmp(host, "read", 4) == 0);
    (void)munmap(hole, 1 << 20);
    rig_drop(device);
}

/* Memory that is there at both ends and not between: found when the copy comes to it. */
TEST(copies_into_a_hole)
{
    const size_t page = 1 << 16;
    char *host, *device;
    hd_status status;

    rig_open();
    if (!rig_on_cpu() || !FAULTS_ARE_CAUGHT)
        SKIP("the vendor, or a sanitizer, has faults of host memory to itself");
    device = rig_zeroed(3 * page);
    host = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(host != MAP_FAILED && munmap(host + page, page) == 0);
    MUST(hd_copy_bytes(host, device, 3 * page, 1, rig_stream));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_POINTER);
    MUST(hd_stream_synchronize(rig_stream)); /* reported once; the device goes on */
    status = hd_copy_bytes(device, host, 3 * page, 1, rig_stream);
    if (status == HD_OK)
        status = hd_stream_synchronize(rig_stream);
    CHECK_STATUS(status, HD_ERR_POINTER);
    MUST(hd_device_state(0));
    (void)munmap(host, page);
    (void)munmap(host + 2 * page, page);
    rig_drop(device);
}

/* As on GPUs: a device fills its own memory and page-locked memory. */
TEST(plain_host_memory_is_not_filled)
{
    static uint32_t host[16384];
    uint32_t *pinned = NULL;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("a sanitizer reports the call that the vendor refuses");
    rig_open();
    CHECK_STATUS(hd_fill_bytes(host, 7, 4, 4, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_fill_bytes(host, 0, 1, 16, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_fill_bytes((void *)(uintptr_t)16, 0, 1, 4, rig_stream), HD_ERR_POINTER);
    CHECK_EQ_U64(host[0], 0);
    MUST(hd_host_register(host, sizeof host, 0));
    MUST(hd_fill_bytes(host, 7, 4, 4, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_U64(host[3], 7);
    MUST(hd_host_unregister(host));
    MUST(hd_alloc_kind(&pinned, 4, HD_MEM_PINNED, 0));
    MUST(hd_fill_bytes(pinned, 9, 4, 4, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_U64(pinned[3], 9);
    MUST(hd_free(pinned));
}

/* An offset counts: what starts inside an allocation may leave it at its end. */
TEST(copies_stay_inside_their_allocation)
{
    char host[32] = {0}, *device;

    rig_open();
    if (!rig_on_cpu())
        SKIP("what the vendor does about it is the vendor's");
    device = rig_zeroed(16);
    MUST(hd_copy_blocking_bytes(host, device + 5, 11, 1, rig_stream));
    MUST(hd_copy_blocking_bytes(device + 5, host, 11, 1, rig_stream));
    MUST(hd_fill_bytes(device + 12, 0, 4, 1, rig_stream));
    CHECK_STATUS(hd_copy_bytes(host, device + 5, 12, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes(device + 5, host, 12, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_bytes(device + 15, host, 2, 1, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_fill_bytes(device + 12, 0, 4, 2, rig_stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_copy_2d(device + 4, 8, host, 8, 5, 2, rig_stream), HD_ERR_POINTER);
    MUST(hd_copy_2d(device + 4, 8, host, 8, 4, 2, rig_stream));
    rig_drop(device);
}

TEST(between_devices)
{
    int devices, back[3] = {0}, value[3] = {4, 5, 6}, *a = NULL, *b = NULL;
    hd_stream *other = NULL;

    rig_open();
    MUST(hd_device_count(&devices));
    if (devices < 2)
        SKIP("one device");
    MUST(hd_stream_create(1, &other));
    MUST(hd_alloc(&a, 3, 0));
    MUST(hd_alloc(&b, 3, 1));
    MUST(hd_copy_blocking(a, (const int *)value, 3, rig_stream));
    MUST(hd_copy_peer(b, 1, a, 0, sizeof value, rig_stream));
    MUST(hd_copy_blocking(back, (const int *)b, 3, rig_stream));
    CHECK_EQ_I64(back[0] + back[1] * 10 + back[2] * 100, 654);
    MUST(hd_fill_bytes(a, 9, 4, 3, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_copy_peer(b, 1, a, 0, sizeof value, other)); /* ordered on the target's stream */
    MUST(hd_copy_blocking(back, (const int *)b, 3, other));
    CHECK_EQ_I64(back[2], 9);
    MUST(hd_stream_destroy(other));
    if (devices > 2) { /* a stream of neither */
        MUST(hd_stream_create(2, &other));
        CHECK_STATUS(hd_copy_peer(b, 1, a, 0, sizeof value, other), HD_ERR_ARGUMENT);
        MUST(hd_stream_destroy(other));
    }
    MUST(hd_free(a));
    MUST(hd_free(b));
}

TEST_MAIN
