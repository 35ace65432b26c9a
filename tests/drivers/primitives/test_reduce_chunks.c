/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce_chunks.c - a reduction whose input arrives in chunks: the bits are those of the whole
   for every chunk size, and misuse is refused.
   labels: lazy */
#include "test.h"

#include <heddle/reduce.h>

#include "reduce_reference.h"

#include "devices.h"

static const hd_reduce_op all_ops[] = {HD_SUM,    HD_PROD,  HD_MIN,   HD_MAX,     HD_ARGMIN,
                                       HD_ARGMAX, HD_NORM1, HD_NORM2, HD_NORM_INF};
enum { OPS = sizeof all_ops / sizeof all_ops[0] };

/* Values near 1 of both signs, so that no operation overflows or loses everything. */
static void fill(unsigned char *to, size_t n, hd_type type)
{
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const double v = (state & 1 ? 1.0 : -1.0) * (1.0 + (double)(state >> 40) * 0x1p-40);
        const float f = (float)v;
        if (type == HD_F64)
            memcpy(to + 8 * i, &v, 8);
        else if (type == HD_F32)
            memcpy(to + 4 * i, &f, 4);
        else
            memcpy(to + i * hd_type_bytes(type), &state, hd_type_bytes(type));
    }
}

/* Reduces n elements in chunks of `tiles` tiles through one small device buffer. */
static void check_chunks(const unsigned char *x, size_t n, hd_type type, size_t tiles,
                         hd_stream *stream)
{
    unsigned char results[OPS][16], expected[16];
    void *pointers[OPS];
    hd_reduce_chunks *chunks = NULL;
    unsigned char *buffer;
    const size_t size = hd_type_bytes(type);
    size_t tile;
    REQUIRE(hd_reduce_tile(n, type, &tile) == HD_OK);
    REQUIRE(hd_alloc(&buffer, tiles * tile * size, 0) == HD_OK);
    REQUIRE(hd_reduce_chunks_begin(n, type, all_ops, OPS, stream, &chunks) == HD_OK);
    for (size_t at = 0; at < n; at += tiles * tile) {
        const size_t count = n - at < tiles * tile ? n - at : tiles * tile;
        CHECK_STATUS(hd_copy_bytes(buffer, x + at * size, count, size, stream), HD_OK);
        CHECK_STATUS(hd_reduce_chunks_add(chunks, buffer, count, stream), HD_OK);
    }
    for (size_t i = 0; i < OPS; i++)
        pointers[i] = results[i];
    CHECK_STATUS(hd_reduce_chunks_end(chunks, pointers, stream), HD_OK);
    for (size_t i = 0; i < OPS; i++) {
        const size_t bytes = ref_reduce(x, NULL, n, hd_type_name(type),
                                        hd_reduce_op_name(all_ops[i]), expected);
        if (memcmp(results[i], expected, bytes) != 0)
            test_fail(__FILE__, __LINE__, "%s of %zu %s in chunks of %zu tiles",
                      hd_reduce_op_name(all_ops[i]), n, hd_type_name(type), tiles);
    }
    CHECK_STATUS(hd_reduce_chunks_destroy(chunks), HD_OK);
    hd_free(buffer);
}

TEST(chunk_sizes_never_change_a_bit)
{
    static const hd_type types[] = {HD_U8, HD_I16, HD_I32, HD_U64, HD_F16, HD_F32, HD_F64};
    static const size_t tiles[] = {1, 2, 3, 5, 8, 100};
    enum { MOST = 33 * 16384 };
    unsigned char *x = malloc(MOST);
    hd_stream *stream;
    REQUIRE(x != NULL);
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const size_t most = MOST / hd_type_bytes(types[t]);
        const size_t sizes[] = {1, 5000, most / 3 + 1, most - 16384 / hd_type_bytes(types[t])};
        fill(x, most, types[t]);
        for (size_t s = 0; s < 4; s++)
            for (size_t c = 0; c < sizeof tiles / sizeof tiles[0]; c++)
                check_chunks(x, sizes[s], types[t], tiles[c], stream);
    }
    hd_stream_destroy(stream);
    free(x);
}

TEST(nothing_in_chunks)
{
    static const hd_reduce_op ops[] = {HD_SUM, HD_PROD, HD_NORM2};
    double sum = 7, product = 7, norm = 7;
    void *results[] = {&sum, &product, &norm};
    hd_reduce_chunks *chunks;
    hd_stream *stream;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    CHECK_STATUS(hd_reduce_chunks_begin(0, HD_F64, all_ops, OPS, stream, &chunks), HD_ERR_ARGUMENT);
    REQUIRE(hd_reduce_chunks_begin(0, HD_F64, ops, 3, stream, &chunks) == HD_OK);
    CHECK_STATUS(hd_reduce_chunks_end(chunks, results, stream), HD_OK);
    CHECK_EQ_F64_BITS(sum, 0.0);
    CHECK_EQ_F64_BITS(product, 1.0);
    CHECK_EQ_F64_BITS(norm, 0.0);
    CHECK_STATUS(hd_reduce_chunks_destroy(chunks), HD_OK);
    CHECK_STATUS(hd_reduce_chunks_destroy(NULL), HD_OK);
    hd_stream_destroy(stream);
}

TEST(chunks_give_their_memory_back)
{
    static const hd_reduce_op ops[] = {HD_SUM, HD_MAX};
    hd_reduce_chunks *chunks = NULL;
    hd_stream *stream = NULL;
    size_t before;

    if (!test_own_devices(1))
        SKIP("the device is not ours alone");
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    before = test_free_bytes(0);
    REQUIRE(hd_reduce_chunks_begin(1000000, HD_F32, ops, 2, stream, &chunks) == HD_OK);
    CHECK(test_free_bytes(0) < before);
    CHECK_STATUS(hd_reduce_chunks_destroy(chunks), HD_OK);
    CHECK_EQ_SIZE(test_free_bytes(0), before);
    hd_stream_destroy(stream);
}

TEST(misuse_is_refused)
{
    static const hd_reduce_op sum[] = {HD_SUM}, bad[] = {(hd_reduce_op)99};
    float result = 0, *x;
    void *results[] = {&result}, *none[] = {NULL};
    hd_reduce_chunks *chunks = NULL;
    hd_stream *stream;
    hd_pointer_info info;
    size_t tile;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_reduce_tile(10000, HD_F32, &tile) == HD_OK);
    REQUIRE(hd_alloc(&x, 10000, 0) == HD_OK);
    CHECK_STATUS(hd_fill_zero(x, 10000, stream), HD_OK);
    CHECK_STATUS(hd_reduce_chunks_begin(10, HD_F32, sum, 1, NULL, &chunks), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_chunks_begin(10, HD_F32, sum, 0, stream, &chunks), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_chunks_begin(10, HD_F32, bad, 1, stream, &chunks), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_chunks_begin(10, (hd_type)99, sum, 1, stream, &chunks), HD_ERR_ARGUMENT);
    CHECK(chunks == NULL);
    REQUIRE(hd_reduce_chunks_begin(10000, HD_F32, sum, 1, stream, &chunks) == HD_OK);
    CHECK_STATUS(hd_reduce_chunks_add(chunks, x, tile - 1, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_chunks_add(chunks, x, 10001, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_chunks_add(chunks, &result, tile, stream), HD_ERR_POINTER);
    REQUIRE(hd_pointer_get(x, &info) == HD_OK);
    if (info.base && info.bytes) { /* one element more than is left of the allocation */
        float *last = (float *)info.base + info.bytes / 4 - tile;
        CHECK_STATUS(hd_reduce_chunks_add(chunks, last + 1, tile, stream), HD_ERR_POINTER);
    }
    CHECK_STATUS(hd_reduce_chunks_add(chunks, x, tile, stream), HD_OK);
    CHECK_STATUS(hd_reduce_chunks_end(chunks, results, stream), HD_ERR_STATE);
    CHECK_STATUS(hd_reduce_chunks_add(chunks, x + tile, 10000 - tile, stream), HD_OK);
    CHECK_STATUS(hd_reduce_chunks_end(chunks, none, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_reduce_chunks_end(chunks, results, stream), HD_OK);
    CHECK_STATUS(hd_reduce_chunks_destroy(chunks), HD_OK);
    hd_free(x);
    hd_stream_destroy(stream);
}

TEST_MAIN
