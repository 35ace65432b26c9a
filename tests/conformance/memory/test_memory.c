/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory.c - shared memory in every form, constants, device variables, tables, cache hints. */
#include "memory.h"
#include "rig.h"

TEST(two_dimensional_shared_array)
{
    enum { BLOCKS = 9, TILE = TILE_ROWS * TILE_COLUMNS };
    float in[BLOCKS * TILE], out[BLOCKS * TILE];
    void *d_in, *d_out;
    int i, b, t;

    rig_open();
    for (i = 0; i < BLOCKS * TILE; i++)
        in[i] = (float)i;
    d_in = rig_upload(in, sizeof in);
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(shared_tile, rig_shape(hd_dim(3, 3, 1), hd_dim(TILE_COLUMNS, TILE_ROWS, 1), 0),
                   (const float *)d_in, (float *)d_out));
    rig_download(out, d_out, sizeof out);
    for (b = 0; b < BLOCKS; b++)
        for (t = 0; t < TILE; t++)
            CHECK_EQ_F32_BITS(out[b * TILE + t],
                              in[b * TILE + t % TILE_ROWS * TILE_COLUMNS + t / TILE_ROWS]);
    rig_drop(d_in);
    rig_drop(d_out);
}

TEST(several_shared_arrays_do_not_overlap)
{
    enum { BLOCKS = 20 };
    uint32_t out[BLOCKS * 64];
    void *d_out;
    uint32_t i, j, t;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(shared_many, rig_shape(hd_dim(BLOCKS, 1, 1), hd_dim(64, 1, 1), 64 * 4),
                   (uint32_t *)d_out));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < BLOCKS * 64; i++) {
        t = i % 64;
        j = 63 - t;
        CHECK_EQ_U64(out[i],
                     j + (j + 1) * 100 + (j + 2) * 10000 + (j + 3) * 1000000 + (t + 1) % 64 + 1000);
    }
    rig_drop(d_out);
}

TEST(dynamic_shared_memory)
{
    static const unsigned sizes[] = {1, 31, 100, 1024};
    unsigned s, i, n;

    rig_open();
    for (s = 0; s < 4; s++) {
        uint32_t in[6 * 1024], out[6 * 1024];
        void *d_in, *d_out;
        n = sizes[s];
        for (i = 0; i < 6 * n; i++)
            in[i] = i * 2654435761u;
        d_in = rig_upload(in, sizeof in);
        d_out = rig_zeroed(sizeof out);
        MUST(hd_launch(shared_reverse, rig_shape(hd_dim(6, 1, 1), hd_dim(n, 1, 1), n * 4),
                       (const uint32_t *)d_in, (uint32_t *)d_out));
        rig_download(out, d_out, sizeof out);
        for (i = 0; i < 6 * n; i++)
            CHECK_EQ_U64(out[i], in[i / n * n + n - 1 - i % n]);
        rig_drop(d_in);
        rig_drop(d_out);
    }
}

TEST(arrays_carved_from_one_block)
{
    static const size_t counts[] = {1, 3, 100, 1000, 3001};
    size_t s, i, j, n;

    rig_open();
    for (s = 0; s < 5; s++) {
        carved_layout layout = carved_layout_of(n = counts[s]);
        uint32_t *out = rig_host(3 * n * sizeof *out);
        void *d_out = rig_zeroed(3 * n * sizeof *out);

        CHECK_EQ_SIZE(layout.bytes_at % 16 + layout.doubles_at % 16 + layout.words_at % 16, 0);
        CHECK(layout.doubles_at >= layout.bytes_at + n);
        CHECK(layout.words_at >= layout.doubles_at + 8 * n);
        CHECK(layout.total >= layout.words_at + 4 * n);
        CHECK(layout.total < 13 * n + 48);
        MUST(hd_launch(shared_carved, rig_shape(hd_dim(3, 1, 1), hd_dim(70, 1, 1), layout.total),
                       (uint32_t *)d_out, n));
        rig_download(out, d_out, 3 * n * sizeof *out);
        for (i = 0; i < 3 * n; i++) {
            j = n - 1 - i % n;
            CHECK_EQ_U64(out[i], (uint8_t)j + (uint32_t)j * 3 + (uint32_t)(j * j) * 5);
        }
        rig_drop(d_out);
        free(out);
    }
}

TEST(constants_come_from_the_host)
{
    float in[WEIGHTS], out[WEIGHTS], back[WEIGHTS];
    void *d_out;
    int i;

    rig_open();
    for (i = 0; i < WEIGHTS; i++)
        in[i] = (float)i - 7.25f;
    d_out = rig_zeroed(sizeof out);
    MUST(hd_symbol_write(hd_symbol_of(weights), 0, in, sizeof in, rig_stream));
    MUST(hd_launch(read_weights, rig_flat(2, 64), (float *)d_out));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < WEIGHTS; i++)
        CHECK_EQ_F32_BITS(out[i], in[i] * 2.0f);
    in[41] = 1e30f;
    MUST(hd_symbol_write(hd_symbol_of(weights), 41 * sizeof(float), &in[41], sizeof(float),
                         rig_stream));
    MUST(hd_symbol_read(back, hd_symbol_of(weights), 0, sizeof back, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK(memcmp(in, back, sizeof in) == 0);
    MUST(hd_launch(read_weights, rig_flat(2, 64), (float *)d_out));
    rig_download(out, d_out, sizeof out);
    CHECK_EQ_F32_BITS(out[41], 2e30f);
    CHECK_EQ_F32_BITS(out[40], in[40] * 2.0f);
    rig_drop(d_out);
}

TEST(device_variables_keep_their_values)
{
    int start[COUNTERS] = {10, 20, 30, 40, 50}, now[COUNTERS], direct = 0, i;
    void *address = NULL;
    hd_pointer_info info;

    rig_open();
    MUST(hd_symbol_write(hd_symbol_of(counters), 0, start, sizeof start, rig_stream));
    MUST(hd_launch(count_up, rig_flat(6, 50), 3));
    MUST(hd_launch(count_up, rig_flat(1, 50), -1));
    MUST(hd_symbol_read(now, hd_symbol_of(counters), 0, sizeof now, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < COUNTERS; i++)
        CHECK_EQ_I64(now[i], start[i] + 60 * 3 - 10);
    MUST(hd_symbol_address(hd_symbol_of(counters), 0, &address));
    rig_download(&direct, (const char *)address + 2 * sizeof(int), sizeof direct);
    CHECK_EQ_I64(direct, now[2]);
    MUST(hd_pointer_get(address, &info));
    CHECK_EQ_I64(info.kind, HD_MEM_DEVICE);
    CHECK_EQ_I64(info.device, 0);
    MUST(hd_symbol_read(now, hd_symbol_of(counters), 3 * sizeof(int), sizeof(int), rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_I64(now[0], start[3] + 170);
}

TEST(symbols_are_apart_on_each_device)
{
    int devices = 0, i, value, now = 0;
    hd_stream *streams[2];
    void *addresses[2];

    rig_open();
    MUST(hd_device_count(&devices));
    if (devices < 2)
        SKIP("one device");
    for (i = 0; i < 2; i++) {
        int zero[COUNTERS] = {0};
        MUST(hd_stream_create(i, &streams[i]));
        MUST(hd_symbol_write(hd_symbol_of(counters), 0, zero, sizeof zero, streams[i]));
        MUST(hd_symbol_address(hd_symbol_of(counters), i, &addresses[i]));
    }
    CHECK(addresses[0] != addresses[1]);
    for (i = 0; i < 2; i++) {
        value = 100 * (i + 1);
        MUST(hd_launch(count_up, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, streams[i]),
                       value));
    }
    for (i = 0; i < 2; i++) {
        MUST(hd_symbol_read(&now, hd_symbol_of(counters), 0, sizeof now, streams[i]));
        MUST(hd_stream_synchronize(streams[i]));
        CHECK_EQ_I64(now, 100 * (i + 1));
        MUST(hd_stream_destroy(streams[i]));
    }
}

TEST(symbol_accesses_beyond_the_end_are_refused)
{
    char bytes[WEIGHTS * sizeof(float) + 8] = {0};
    const size_t size = WEIGHTS * sizeof(float);

    rig_open();
    CHECK_STATUS(hd_symbol_write(hd_symbol_of(weights), 0, bytes, size + 1, rig_stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_write(hd_symbol_of(weights), size, bytes, 1, rig_stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_write(hd_symbol_of(weights), SIZE_MAX, bytes, 2, rig_stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_read(bytes, hd_symbol_of(weights), 8, size, rig_stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_read(bytes, hd_symbol_of(weights), 4, SIZE_MAX - 2, rig_stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_write(NULL, 0, bytes, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_write(hd_symbol_of(weights), 0, NULL, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_read(NULL, hd_symbol_of(weights), 0, 1, rig_stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_write(hd_symbol_of(weights), 0, bytes, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_symbol_write(hd_symbol_of(weights), size, bytes, 0, rig_stream), HD_OK);
    CHECK_EQ_SIZE(weights_symbol.bytes, size);
    CHECK_EQ_STR(weights_symbol.name, "weights");
}

TEST(initialised_tables)
{
    static const int expected[PRIMES] = {2, 3, 5, 7, 11, 13, 17, 19};
    int out[64], i;
    void *d_out;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(read_table, rig_flat(1, 64), (int *)d_out));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < 64; i++)
        CHECK_EQ_I64(out[i], expected[PRIMES - 1 - i % PRIMES]);
    rig_drop(d_out);
}

#define CACHE_TEST(suffix, type)                                                                   \
    TEST(cache_hints_##suffix)                                                                     \
    {                                                                                              \
        enum { N = 1001 };                                                                         \
        size_t bytes = N * sizeof(type), i;                                                        \
        unsigned char *in = rig_host(bytes), *out = rig_host(CACHE_WAYS * bytes);                  \
        uint64_t seed = 1;                                                                         \
        void *d_in, *d_out;                                                                        \
        rig_open();                                                                                \
        for (i = 0; i < bytes; i++)                                                                \
            in[i] = (unsigned char)rig_random(&seed);                                              \
        d_in = rig_upload(in, bytes);                                                              \
        d_out = rig_zeroed(CACHE_WAYS * bytes);                                                    \
        MUST(hd_launch(cache_##suffix, rig_flat(8, 128), (size_t)N, (const type *)d_in,            \
                       (type *)d_out));                                                            \
        rig_download(out, d_out, CACHE_WAYS *bytes);                                               \
        for (i = 0; i < CACHE_WAYS; i++)                                                           \
            CHECK(memcmp(out + i * bytes, in, bytes) == 0);                                        \
        CHECK_EQ_SIZE(_Alignof(type), sizeof(type));                                               \
        rig_drop(d_in);                                                                            \
        rig_drop(d_out);                                                                           \
        free(in);                                                                                  \
        free(out);                                                                                 \
    }
CACHE_LIST(CACHE_TEST)

TEST_MAIN
