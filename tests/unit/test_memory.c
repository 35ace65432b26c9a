/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory.c - every kind of memory: allocation, questions, pools, bad input. */
#include <heddle/reduce.h>

#include "park.h"

static const hd_memory_kind kinds[] = {HD_MEM_DEVICE, HD_MEM_PINNED, HD_MEM_MAPPED, HD_MEM_MANAGED,
                                       HD_MEM_COHERENT};

/* Kernels may use it through the pointer they get; what they write arrives. */
static void use_kind(hd_memory_kind kind)
{
    enum { N = 1000 };
    int back[N], *p = NULL, i, wrong = 0;
    void *seen = NULL;
    hd_pointer_info info;
    hd_status beyond;

    MUST(hd_alloc_kind(&p, N, kind, 0));
    REQUIRE(p != NULL);
    if (kind != HD_MEM_PINNED)
        CHECK_EQ_U64((uintptr_t)p % 256, 0);
    seen = p;
    if (kind == HD_MEM_MAPPED)
        MUST(hd_host_device_pointer(&seen, p, 0));
    if (kind == HD_MEM_PINNED) {
        for (i = 0; i < N; i++)
            p[i] = 7;
    } else {
        MUST(hd_launch(unit_set, rig_flat(4, 64), (size_t)N, (int *)seen, 7));
    }
    MUST(hd_copy_blocking(back, (const int *)p, N, rig_stream));
    for (i = 0; i < N; i++)
        wrong += back[i] != 7;
    CHECK_EQ_I64(wrong, 0);
    MUST(hd_pointer_get(p + 10, &info));
    CHECK_EQ_I64(info.kind, kind);
    CHECK_EQ_I64(info.device, 0);
    if (info.base != NULL)
        CHECK(info.base == (void *)p);
    if (info.bytes != 0) {
        CHECK(info.bytes >= N * sizeof(int));
        beyond = hd_pointer_get((const char *)p + info.bytes, &info); /* one past the end */
        CHECK(beyond == HD_ERR_POINTER || (beyond == HD_OK && info.base != (void *)p));
    }
    MUST(hd_stream_synchronize(rig_stream));
    if (kind != HD_MEM_DEVICE && kind != HD_MEM_COHERENT)
        CHECK_EQ_I64(p[N - 1], 7);
    MUST(hd_free(p));
}

TEST(every_kind_holds_data)
{
    size_t i;

    rig_open();
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        use_kind(kinds[i]);
}

TEST(nothing_is_a_fine_amount)
{
    int *p = (int *)8;
    size_t i;

    rig_open();
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        p = (int *)8;
        MUST(hd_alloc_kind(&p, 0, kinds[i], 0));
        CHECK(p == NULL);
    }
    p = (int *)8;
    MUST(hd_alloc_async(&p, 0, rig_stream));
    CHECK(p == NULL);
    MUST(hd_free(NULL));
    MUST(hd_free_async(NULL, rig_stream));
}

TEST(impossible_amounts)
{
    void *p = (void *)8;

    rig_open();
    CHECK_STATUS(hd_alloc_bytes(&p, SIZE_MAX, 2, HD_MEM_DEVICE, 0), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_alloc_bytes(&p, SIZE_MAX / 4 + 1, 4, HD_MEM_PINNED, 0), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_alloc_bytes(&p, (size_t)1 << 50, 1, HD_MEM_DEVICE, 0), HD_ERR_NO_MEMORY);
    CHECK_STATUS(hd_alloc_bytes(&p, SIZE_MAX - 10, 1, HD_MEM_DEVICE, 0), HD_ERR_NO_MEMORY);
    CHECK_STATUS(hd_alloc_async_bytes(&p, SIZE_MAX, 8, rig_stream), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_alloc_async_bytes(&p, (size_t)1 << 50, 1, rig_stream), HD_ERR_NO_MEMORY);
    CHECK(p == (void *)8);
    use_kind(HD_MEM_DEVICE); /* and life goes on */
}

TEST(bad_arguments)
{
    void *p = (void *)8;
    hd_pointer_info info;
    int local = 0;

    rig_open();
    CHECK_STATUS(hd_alloc_bytes(NULL, 1, 1, HD_MEM_DEVICE, 0), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_alloc_bytes(&p, 1, 1, HD_MEM_DEVICE, -1), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_alloc_bytes(&p, 1, 1, HD_MEM_UNKNOWN, 0), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_alloc_bytes(&p, 1, 1, (hd_memory_kind)99, 0), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_alloc_async_bytes(&p, 1, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_alloc_async_bytes(NULL, 1, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_pointer_get(&local, NULL), HD_ERR_ARGUMENT);
    CHECK(p == (void *)8);
    CHECK(hd_free(&local) < 0);
    CHECK_STATUS(hd_pool_usage(77, (size_t *)&p, (size_t *)&p), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_pool_trim(-1, 0), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_host_register(NULL, 100, 0), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_host_register(&local, 4, 55), HD_ERR_DEVICE_INDEX);
    CHECK(hd_host_unregister(&local) < 0);
    CHECK_STATUS(hd_host_device_pointer(NULL, &local, 0), HD_ERR_ARGUMENT);
    CHECK(hd_host_device_pointer(&p, &local, 0) < 0);
    MUST(hd_pointer_get(&local, &info));
    CHECK_EQ_I64(info.kind, HD_MEM_UNKNOWN);
    CHECK_EQ_I64(info.device, -1);
}

TEST(freeing_twice_is_an_error_not_a_crash)
{
    int *p = NULL;

    rig_open();
    if (!rig_on_cpu())
        SKIP("what the vendor does about it is the vendor's");
    MUST(hd_alloc(&p, 10, 0));
    CHECK(hd_free(p + 1) < 0);
    MUST(hd_free(p));
    CHECK(hd_free(p) < 0);
}

/* hd_free comes back when the kernels that may use the memory are done. */
TEST(free_waits_for_kernels)
{
    hd_stream *stream = NULL;
    int *p = NULL;
    park parked;

    rig_open();
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &stream));
    MUST(hd_alloc(&p, 1000, 0));
    MUST(hd_launch(unit_set, hd_launch_1d(1000, 64, stream), (size_t)1000, p, 1));
    MUST(hd_stream_synchronize(stream));
    park_begin(&parked, stream);
    MUST(hd_launch(unit_set, hd_launch_1d(1000, 64, stream), (size_t)1000, p, 2));
    park_go_soon(&parked);
    MUST(hd_free(p));
    CHECK_EQ_U64(__atomic_load_n(parked.flag, __ATOMIC_ACQUIRE), 1);
    CHECK_STATUS(hd_stream_query(stream), HD_OK);
    MUST(hd_stream_synchronize(stream));
    park_join(&parked);
    MUST(hd_free(parked.flag));
    MUST(hd_stream_destroy(stream));
}

static void *free_it(void *pointer)
{
    MUST(hd_free(pointer));
    return NULL;
}

/* A driver that asks about memory while hd_free waits does not remember it as good. */
TEST(memory_on_its_way_out_is_not_remembered)
{
    hd_stream *stream = NULL;
    float *p = NULL;
    void *out = NULL;
    pthread_t thread;
    park parked;

    rig_open();
    if (!rig_on_cpu())
        SKIP("a vendor may hold up every call while it frees");
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &stream));
    MUST(hd_alloc(&p, 100, 0));
    MUST(hd_alloc_bytes(&out, 16, 1, HD_MEM_DEVICE, 0));
    park_begin(&parked, stream);
    (void)hd_stream_query(stream);
    REQUIRE(pthread_create(&thread, NULL, free_it, p) == 0);
    usleep(50000);
    /* x is looked at before y is found missing, and nothing is launched. */
    CHECK_STATUS(hd_dot(p, NULL, 100, HD_F32, out, NULL, stream), HD_ERR_ARGUMENT);
    park_go(&parked);
    pthread_join(thread, NULL);
    CHECK_STATUS(hd_dot(p, NULL, 100, HD_F32, out, NULL, stream), HD_ERR_POINTER);
    MUST(hd_stream_synchronize(stream));
    MUST(hd_free(out));
    MUST(hd_free(parked.flag));
    MUST(hd_stream_destroy(stream));
}

TEST(stream_ordered_memory)
{
    enum { N = 5000 };
    size_t reserved = 0, used = 0, used_later = 0;
    int64_t pools = 0;
    int *a = NULL, *b = NULL, *back = rig_host(N * sizeof(int)), i, wrong = 0;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_MEMORY_POOLS, &pools));
    if (!pools)
        SKIP("no pools");
    MUST(hd_alloc_async(&a, N, rig_stream));
    MUST(hd_launch(unit_set, rig_flat(8, 64), (size_t)N, a, 3));
    MUST(hd_alloc_async(&b, N, rig_stream));
    MUST(hd_launch(unit_add, rig_flat(8, 64), (size_t)N, (const int *)a, b, 4));
    MUST(hd_free_async(a, rig_stream));
    MUST(hd_copy(back, (const int *)b, N, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_pool_usage(0, &reserved, &used));
    CHECK(used >= N * sizeof(int) && reserved >= used);
    MUST(hd_free_async(b, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_pool_usage(0, &reserved, &used_later));
    CHECK(used_later < used);
    MUST(hd_pool_trim(0, 0));
    MUST(hd_pool_usage(0, &reserved, &used_later));
    CHECK_EQ_SIZE(reserved, used_later);
    for (i = 0; i < N; i++)
        wrong += back[i] != 7;
    CHECK_EQ_I64(wrong, 0);
    free(back);
}

/* The peak is that of memory that has gone since, until it is forgotten. */
TEST(pools_remember_their_peak)
{
    const size_t bytes = (size_t)3 << 20;
    size_t before = 0, used = 0, peak = 0, held = 0;
    int64_t pools = 0;
    char *p[2] = {NULL, NULL};

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_MEMORY_POOLS, &pools));
    if (!pools)
        SKIP("no pools");
    CHECK_STATUS(hd_pool_peak(77, &held, &peak), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_pool_peak_reset(-1), HD_ERR_DEVICE_INDEX);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_pool_usage(0, NULL, &before));
    MUST(hd_pool_peak_reset(0));
    for (int i = 0; i < 2; i++)
        MUST(hd_alloc_async(&p[i], bytes, rig_stream));
    for (int i = 0; i < 2; i++)
        MUST(hd_free_async(p[i], rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_pool_usage(0, NULL, &used));
    MUST(hd_pool_peak(0, &held, &peak));
    CHECK_EQ_SIZE(used, before);
    CHECK(peak >= before + 2 * bytes && peak < before + 3 * bytes);
    CHECK(held >= peak);
    MUST(hd_pool_peak_reset(0));
    MUST(hd_pool_trim(0, 0));
    MUST(hd_alloc_async(&p[0], bytes, rig_stream));
    MUST(hd_pool_peak(0, NULL, &peak));
    CHECK(peak >= bytes && peak < before + 2 * bytes);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_pool_peak_reset(0)); /* to what is in use */
    MUST(hd_pool_peak(0, NULL, &peak));
    CHECK(peak >= bytes && peak < before + 2 * bytes);
    MUST(hd_free_async(p[0], rig_stream));
    MUST(hd_pool_peak(0, NULL, NULL));
}

TEST(many_stream_ordered_pieces)
{
    enum { PIECES = 50 };
    int *p[PIECES], i, first = 0;

    rig_open();
    for (i = 0; i < PIECES; i++) {
        MUST(hd_alloc_async(&p[i], (size_t)(i * 37 + 1), rig_stream));
        MUST(hd_launch(unit_set, rig_flat(1, 64), (size_t)(i * 37 + 1), p[i], i));
    }
    for (i = 0; i < PIECES; i++) {
        MUST(hd_copy_blocking(&first, (const int *)p[i] + i * 37, 1, rig_stream));
        CHECK_EQ_I64(first, i);
        MUST(i % 2 ? hd_free_async(p[i], rig_stream) : hd_free(p[i]));
    }
    MUST(hd_stream_synchronize(rig_stream));
}

TEST(registered_host_memory)
{
    enum { N = 3000 };
    int *host = aligned_alloc(4096, 3 * 4096), i, wrong = 0;
    void *seen = NULL;
    hd_pointer_info info;

    rig_open();
    REQUIRE(host != NULL);
    MUST(hd_host_register(host, 3 * 4096, 0));
    MUST(hd_host_device_pointer(&seen, host, 0));
    MUST(hd_pointer_get(host, &info));
    CHECK(info.kind == HD_MEM_PINNED || info.kind == HD_MEM_MAPPED);
    MUST(hd_launch(unit_set, rig_flat(4, 64), (size_t)N, (int *)seen, 11));
    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < N; i++)
        wrong += host[i] != 11;
    CHECK_EQ_I64(wrong, 0);
    MUST(hd_host_unregister(host));
    CHECK(hd_host_unregister(host) < 0);
    MUST(hd_pointer_get(host, &info));
    CHECK_EQ_I64(info.kind, HD_MEM_UNKNOWN);
    free(host);
}

TEST(managed_memory_moves)
{
    enum { N = 20000 };
    int *p = NULL, i, wrong = 0;
    int64_t managed = 0;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_MANAGED_MEMORY, &managed));
    if (!managed)
        SKIP("no managed memory");
    MUST(hd_alloc_kind(&p, N, HD_MEM_MANAGED, 0));
    for (i = 0; i < N; i++)
        p[i] = i;
    MUST(hd_advise(p, N * sizeof *p, HD_ADVISE_PREFER_DEVICE, 0));
    MUST(hd_advise(p, N * sizeof *p, HD_ADVISE_ACCESSED_BY, 0));
    MUST(hd_advise(p, N * sizeof *p, HD_ADVISE_READ_MOSTLY, 0));
    MUST(hd_advise(p, N * sizeof *p, HD_ADVISE_UNSET_READ_MOSTLY, 0));
    MUST(hd_prefetch(p, N * sizeof *p, 0, rig_stream));
    MUST(hd_launch(unit_add, rig_flat(8, 64), (size_t)N, (const int *)p, p, 5));
    MUST(hd_prefetch(p, N * sizeof *p, HD_DEVICE_HOST, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < N; i++)
        wrong += p[i] != i + 5;
    CHECK_EQ_I64(wrong, 0);
    CHECK_STATUS(hd_prefetch(p, 4, 99, rig_stream), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_prefetch(p, 4, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_advise(p, 4, (hd_advice)99, 0), HD_ERR_ARGUMENT);
    MUST(hd_free(p));
}

TEST_MAIN
