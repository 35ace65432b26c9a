/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce_memory.c - hd_reduce: workspaces, streams and host threads at once, bad input, memory
   that may not be touched. */
#include "reduce_bench.h"

#include <pthread.h>

#include "devices.h"

/* ---- workspace and streams ------------------------------------------------------------------- */

TEST(a_workspace_serves_again_and_again)
{
    enum { N = 300000 };
    const size_t times = usually(40, 6);
    hd_workspace workspace = {NULL, 0, 0};
    float *results, got[40];
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_F32, HD_SUM, 5);
    upload(&b, N * 4);
    REQUIRE(hd_reduce_workspace(N, HD_F32, HD_SUM, &workspace.bytes) == HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc(&results, 40 * 4, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(workspace.memory, 0xff, 1, workspace.bytes, b.stream), HD_OK);
    for (size_t i = 0; i < times; i++)
        CHECK_STATUS(hd_reduce(b.dx, N - i % 2 * 1000 * i, HD_F32, HD_SUM, results + 4 * i,
                               &workspace, b.stream),
                     HD_OK);
    for (size_t i = 0; i < times; i++)
        CHECK_STATUS(hd_copy_blocking(got + i, results + 4 * i, 1, b.stream), HD_OK);
    for (size_t i = 0; i < times; i++) {
        float expected;
        (void)ref_reduce(b.x, b.y, N - i % 2 * 1000 * i, "f32", "sum", &expected);
        CHECK_EQ_F32_BITS(got[i], expected);
    }
    workspace.bytes--;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, results, &workspace, b.stream),
                 HD_ERR_WORKSPACE);
    hd_free(workspace.memory);
    workspace.memory = NULL;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, results, &workspace, b.stream),
                 HD_ERR_WORKSPACE);
    hd_free(results);
    teardown(&b);
}

/* The driver clears memory that it has not seen, even where the caller says nothing of a change. */
TEST(other_memory_in_a_workspace_is_prepared)
{
    enum { N = 300000 };
    hd_workspace workspace = {NULL, 0, 0};
    uint64_t expected, got, other;
    void *first, *second;
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_I32, HD_SUM, 8);
    upload(&b, N * 4);
    (void)ref_reduce(b.x, b.y, N, "i32", "sum", &expected);
    REQUIRE(hd_reduce_workspace(N, HD_I32, HD_SUM, &workspace.bytes) == HD_OK);
    REQUIRE(hd_alloc_bytes(&first, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    REQUIRE(hd_alloc_bytes(&second, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    CHECK_STATUS(hd_fill_bytes(first, 0xff, 1, workspace.bytes, b.stream), HD_OK);
    CHECK_STATUS(hd_fill_bytes(second, 0xff, 1, workspace.bytes, b.stream), HD_OK);
    for (int round = 0; round < 3; round++) {
        workspace.memory = round == 0 ? first : second;
        if (round == 2) { /* freed and, perhaps at the same address, allocated again */
            hd_free(second);
            REQUIRE(hd_alloc_bytes(&second, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
            CHECK_STATUS(hd_fill_bytes(second, 0xff, 1, workspace.bytes, b.stream), HD_OK);
            workspace.memory = second;
        }
        other = ~expected;
        COPY(b.out, &other, 8, b.stream);
        CHECK_STATUS(hd_reduce(b.dx, N, HD_I32, HD_SUM, b.out, &workspace, b.stream), HD_OK);
        COPY(&got, b.out, 8, b.stream);
        CHECK_EQ_U64(got, expected);
    }
    hd_free(first);
    hd_free(second);
    teardown(&b);
}

enum { SHARERS = 4, SHARED_TIMES = 60, SHARED_N = 400000 };

/* One of the host threads that share a stream; its reductions grow, so that the scratch does. */
typedef struct sharer {
    bench *b;
    unsigned id;
    const uint64_t *expected; /* of the first 8 sizes */
    uint64_t *out, wrong;
} sharer;

static size_t shared_size(unsigned i)
{
    return usually(SHARED_N, SHARED_N / 10) / 8 * (i % 8 + 1);
}

static void *share(void *argument)
{
    static const hd_reduce_algorithm algorithms[] = {HD_REDUCE_AUTO, HD_REDUCE_TREE, HD_REDUCE_HOST,
                                                     HD_REDUCE_ATOMIC};
    sharer *s = argument;
    for (unsigned i = 0; i < usually(SHARED_TIMES, 8); i++) {
        const unsigned size = i < 8 ? i : i * 5 + s->id;
        uint64_t got = 0;
        s->wrong += hd_reduce_with(algorithms[(i + s->id) % 4], s->b->dx, shared_size(size), HD_I32,
                                   HD_SUM, s->out, NULL, s->b->stream) != HD_OK;
        s->wrong += hd_copy_blocking(&got, s->out, 1, s->b->stream) != HD_OK;
        s->wrong += got != s->expected[size % 8];
    }
    return NULL;
}

/* Under a tool the threads come one after another: some let host threads wait for each other's
   launches, and none looks at more than one launch at a time. */
TEST(host_threads_share_a_stream)
{
    const int together = usually(1, 0) != 0;
    sharer sharers[SHARERS];
    pthread_t threads[SHARERS];
    uint64_t expected[8];
    bench b;
    setup(&b, SHARED_N * 4);
    fill(b.x, SHARED_N, HD_I32, HD_SUM, 9);
    upload(&b, SHARED_N * 4);
    for (unsigned i = 0; i < 8; i++)
        (void)ref_reduce(b.x, b.y, shared_size(i), "i32", "sum", &expected[i]);
    for (unsigned i = 0; i < SHARERS; i++) {
        sharers[i] = (sharer){&b, i, expected, (uint64_t *)(void *)(b.out + 16 * i), 0};
        REQUIRE(pthread_create(&threads[i], NULL, share, &sharers[i]) == 0);
        if (!together)
            pthread_join(threads[i], NULL);
    }
    for (unsigned i = 0; i < SHARERS; i++) {
        if (together)
            pthread_join(threads[i], NULL);
        CHECK_EQ_U64(sharers[i].wrong, 0);
    }
    teardown(&b);
}

TEST(two_streams_at_once)
{
    enum { N = 400000, TIMES = 20 };
    const size_t n = usually(N, N / 10), times = usually(TIMES, 3);
    hd_stream *other;
    uint64_t *results, got[2 * 2 * TIMES], expected;
    bench b;
    setup(&b, N * 4);
    fill(b.x, N, HD_I32, HD_SUM, 6);
    upload(&b, N * 4);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    REQUIRE(hd_stream_create(0, &other) == HD_OK);
    REQUIRE(hd_alloc(&results, 2 * 2 * TIMES, 0) == HD_OK);
    for (size_t i = 0; i < times; i++) {
        CHECK_STATUS(hd_reduce(b.dx, n, HD_I32, HD_SUM, results + 4 * i, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(b.dx, n, HD_I32, HD_SUM, results + 4 * i + 2, NULL, other), HD_OK);
    }
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(got, results, 4 * times, other), HD_OK);
    (void)ref_reduce(b.x, b.y, n, "i32", "sum", &expected);
    for (size_t i = 0; i < 2 * times; i++)
        CHECK_EQ_U64(got[2 * i], expected);
    hd_free(results);
    hd_stream_destroy(other);
    teardown(&b);
}

/* ---- bad input ------------------------------------------------------------------------------- */

/* Of calls without a workspace: at once what one call takes, with the stream what it keeps. */
TEST(memory_of_calls_is_given_back)
{
    enum { N = 1 << 21 };
    size_t before, with_stream;
    hd_stream *stream = NULL;
    bench b;

    if (!test_own_devices(1))
        SKIP("the device is not ours alone");
    setup(&b, N);
    upload(&b, N);
    REQUIRE(hd_stream_synchronize(b.stream) == HD_OK);
    before = test_free_bytes(0);
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    with_stream = test_free_bytes(0);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(
            hd_reduce_with(HD_REDUCE_HOST, b.dx, N / 4, HD_I32, HD_SUM, b.out, NULL, stream),
            HD_OK);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_EQ_SIZE(test_free_bytes(0), with_stream);
    for (size_t n = N / 64; n <= N; n *= 8) /* the scratch grows */
        CHECK_STATUS(
            hd_reduce_with(HD_REDUCE_TREE, b.dx, n / 4, HD_I32, HD_SUM, b.out, NULL, stream),
            HD_OK);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
    CHECK_EQ_SIZE(test_free_bytes(0), before);
    teardown(&b);
}

TEST(bad_arguments)
{
    float host[4] = {0};
    size_t bytes;
    hd_result result;
    bench b;
    setup(&b, 4096);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, b.out, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(NULL, 4, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, NULL, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, b.out + 4, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx + 2, 4, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, (hd_type)77, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, (hd_type)-1, HD_SUM, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, (hd_reduce_op)HD_REDUCE_COUNT_, b.out, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(
        hd_reduce_with((hd_reduce_algorithm)50, b.dx, 4, HD_F32, HD_SUM, b.out, NULL, b.stream),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(b.dx, SIZE_MAX / 2, HD_F64, HD_SUM, b.out, NULL, b.stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_reduce(b.dx, (size_t)1 << 61, HD_U8, HD_SUM, b.out, NULL, b.stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_dot(b.dx, NULL, 4, HD_F32, b.out, NULL, b.stream), HD_ERR_ARGUMENT);
    for (int op = HD_MIN; op <= HD_ARGMAX; op++)
        CHECK_STATUS(hd_reduce(NULL, 0, HD_F32, (hd_reduce_op)op, b.out, NULL, b.stream),
                     HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce(host, 4, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_reduce(b.dx, 4, HD_F32, HD_SUM, b.x, NULL, b.stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_reduce_workspace(4, HD_F32, HD_SUM, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_workspace(4, (hd_type)99, HD_SUM, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_result(HD_F32, HD_SUM, NULL, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_result((hd_type)99, HD_SUM, &result, &bytes), HD_ERR_ARGUMENT);
    teardown(&b);
}

/* Backends that know where an allocation ends refuse what leaves it, at the first question and when
   the allocation is remembered. */
TEST(nothing_leaves_its_allocation)
{
    enum { N = 1024, ROOM = N * 4 };
    hd_workspace workspace = {NULL, 0, 0};
    hd_pointer_info info;
    unsigned char *x, *end, *memory;
    bench b;
    setup(&b, 4 * ROOM);
    upload(&b, 4 * ROOM);
    REQUIRE(hd_alloc(&x, ROOM, 0) == HD_OK);
    REQUIRE(hd_pointer_get(x, &info) == HD_OK);
    if (!info.base || !info.bytes) {
        hd_free(x);
        teardown(&b);
        SKIP("the backend does not know where allocations end");
    }
    end = (unsigned char *)info.base + info.bytes;
    CHECK_STATUS(hd_fill_bytes(x, 0, 1, ROOM, b.stream), HD_OK);
    for (int again = 0; again < 2; again++) {
        const size_t n = (size_t)(end - x) / 4;
        CHECK_STATUS(hd_reduce(x, n + 1, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(x + 4, n, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(x, n, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(x + 4, n - 1, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(x, (size_t)1 << 40, HD_U8, HD_MAX, b.out, NULL, b.stream),
                     HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(b.dx, x, n + 1, HD_F32, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(x, b.dx, n + 1, HD_F32, b.out, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(x, x, n, HD_F32, b.out, NULL, b.stream), HD_OK);
    }
    hd_free(x);
    /* 16 bytes of a result where 8 are left; the backend may round allocations up. */
    REQUIRE(hd_alloc(&x, 24, 0) == HD_OK);
    REQUIRE(hd_pointer_get(x, &info) == HD_OK);
    if ((unsigned char *)info.base + info.bytes == x + 24) {
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I32, HD_ARGMIN, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I64, HD_SUM, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_dot(b.dx, b.dx, 4, HD_U32, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(NULL, 0, HD_I64, HD_SUM, x + 16, NULL, b.stream), HD_ERR_POINTER);
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I32, HD_SUM, x + 16, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(b.dx, 4, HD_I32, HD_ARGMIN, x, NULL, b.stream), HD_OK);
    }
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    hd_free(x);
    REQUIRE(hd_reduce_workspace(N, HD_F32, HD_SUM, &workspace.bytes) == HD_OK);
    REQUIRE(hd_alloc(&memory, workspace.bytes + 256, 0) == HD_OK);
    REQUIRE(hd_pointer_get(memory, &info) == HD_OK);
    workspace.bytes = info.bytes - 256;
    workspace.memory = memory + 256;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, b.out, &workspace, b.stream), HD_OK);
    workspace.bytes++;
    CHECK_STATUS(hd_reduce(b.dx, N, HD_F32, HD_SUM, b.out, &workspace, b.stream), HD_ERR_WORKSPACE);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    hd_free(memory);
    teardown(&b);
}

TEST(freed_memory_is_not_remembered_as_good)
{
    void *page;
    bench b;
    setup(&b, 4096);
    fill(b.x, 8, HD_F32, HD_SUM, 3);
    upload(&b, 32);
    CHECK_STATUS(hd_reduce(b.dx, 8, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    page = b.dx;
    hd_free(b.dx);
    b.dx = NULL;
    /* Asked again: the pool may still hold the page, else it is nobody's. */
    hd_pointer_info info = {HD_MEM_DEVICE, 0, NULL, 0};
    if (hd_pointer_get(page, &info) == HD_ERR_POINTER || info.kind == HD_MEM_UNKNOWN)
        CHECK_STATUS(hd_reduce(page, 8, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_ERR_POINTER);
    teardown(&b);
}

TEST(memory_of_other_kinds_and_devices)
{
    static const hd_memory_kind kinds[] = {HD_MEM_MAPPED, HD_MEM_MANAGED, HD_MEM_COHERENT};
    int count = 0, can = 0;
    bench b;
    setup(&b, 4096);
    for (int k = 0; k < 3; k++) {
        float *x, got, expected;
        if (hd_alloc_kind(&x, 100, kinds[k], 0) != HD_OK)
            continue;
        fill(b.x, 100, HD_F32, HD_SUM, 3);
        CHECK_STATUS(hd_copy_blocking(x, (float *)(void *)b.x, 100, b.stream), HD_OK);
        CHECK_STATUS(hd_reduce(x, 100, HD_F32, HD_SUM, b.out, NULL, b.stream), HD_OK);
        CHECK_STATUS(hd_copy_blocking(&got, (float *)(void *)b.out, 1, b.stream), HD_OK);
        (void)ref_reduce(b.x, b.y, 100, "f32", "sum", &expected);
        CHECK_EQ_F32_BITS(got, expected);
        hd_free(x);
    }
    if (hd_device_count(&count) == HD_OK && count > 1) {
        hd_stream *other;
        float *x;
        REQUIRE(hd_alloc(&x, 100, 1) == HD_OK);
        REQUIRE(hd_stream_create(1, &other) == HD_OK);
        CHECK_STATUS(hd_fill_zero(x, 100, other), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(other), HD_OK);
        CHECK_STATUS(hd_stream_destroy(other), HD_OK);
        CHECK_STATUS(hd_peer_possible(0, 1, &can), HD_OK);
        CHECK_STATUS(hd_reduce(x, 100, HD_F32, HD_SUM, b.out, NULL, b.stream),
                     can ? HD_OK : HD_ERR_POINTER);
        CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
        hd_free(x);
    }
    teardown(&b);
}

/* ---- names and results ----------------------------------------------------------------------- */

TEST(results_have_their_sizes)
{
    hd_result result;
    size_t bytes;
    CHECK_EQ_STR(hd_type_name(HD_F16), "f16");
    CHECK_EQ_STR(hd_reduce_op_name(HD_NORM_INF), "norminf");
    CHECK_EQ_SIZE(hd_type_bytes(HD_I16), 2);
    CHECK_STATUS(hd_reduce_result(HD_U32, HD_SUM, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_U64 && bytes == 8);
    CHECK_STATUS(hd_reduce_result(HD_I64, HD_SUM, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_I128 && bytes == 16);
    CHECK_STATUS(hd_reduce_result(HD_I64, HD_PROD, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_I64 && bytes == 8);
    CHECK_STATUS(hd_reduce_result(HD_F16, HD_SUM, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_F32 && bytes == 4);
    CHECK_STATUS(hd_reduce_result(HD_U8, HD_NORM2, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_F64 && bytes == 8);
    CHECK_STATUS(hd_reduce_result(HD_F64, HD_ARGMAX, &result, &bytes), HD_OK);
    CHECK(result == HD_RESULT_ARG && bytes == 16);
}

TEST_MAIN
