/* SPDX-License-Identifier: Apache-2.0 */
/* test_storage.c - shared scalars and cubes, initialised variables, indices of 32 bits, long lists
   of arguments, calls through pointers. */
#include "rig.h"
#include "storage.h"

static void run_scalars(unsigned blocks, unsigned block)
{
    uint32_t *out = rig_host(blocks * 3 * sizeof *out);
    void *d_out = rig_filled(blocks * 3 * sizeof *out, 0xff);

    MUST(hd_launch(shared_scalars, rig_flat(blocks, block), (uint32_t *)d_out));
    rig_download(out, d_out, blocks * 3 * sizeof *out);
    for (unsigned b = 0; b < blocks; b++) {
        CHECK_EQ_U64(out[3 * b], (uint64_t)block * (block + 1) / 2);
        CHECK_EQ_U64(out[3 * b + 1], 1000 + b);
        CHECK_EQ_U64(out[3 * b + 2], 4);
    }
    rig_drop(d_out);
    free(out);
}

TEST(shared_scalars_belong_to_the_block)
{
    rig_open();
    run_scalars(1, 1);
    run_scalars(7, 33);
    run_scalars((unsigned)rig_size(200, 9), 100);
    run_scalars(3, 1024);
}

static void run_cube(unsigned blocks, unsigned block)
{
    uint32_t *out = rig_host(blocks * CUBE * sizeof *out);
    void *d_out = rig_filled(blocks * CUBE * sizeof *out, 0xff);

    MUST(hd_launch(shared_cube, rig_flat(blocks, block), (uint32_t *)d_out));
    rig_download(out, d_out, blocks * CUBE * sizeof *out);
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned x = 0; x < CUBE_X; x++)
            for (unsigned y = 0; y < CUBE_Y; y++)
                for (unsigned z = 0; z < CUBE_Z; z++)
                    CHECK_EQ_U64(out[CUBE * b + (x * CUBE_Y + y) * CUBE_Z + z],
                                 ((z * CUBE_Y + y) * CUBE_X + x) * 10 + b);
    rig_drop(d_out);
    free(out);
}

TEST(shared_cubes_have_three_indices)
{
    rig_open();
    run_cube(1, 1);
    run_cube(5, 40);
    run_cube(2, 256);
}

TEST(initialised_variables_are_read_and_written_by_host_and_kernel)
{
    const float expected[STORAGE_WEIGHTS] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0f};
    const uint32_t primes_expected[STORAGE_PRIMES] = {2, 3, 5, 7}, eleven = 11;
    const float half = 0.5f;
    float before[STORAGE_WEIGHTS], weights[STORAGE_WEIGHTS], after[STORAGE_WEIGHTS];
    uint32_t primes[STORAGE_PRIMES];
    void *d_weights, *d_primes;

    rig_open();
    d_weights = rig_zeroed(sizeof weights);
    d_primes = rig_zeroed(sizeof primes);
    CHECK_EQ_SIZE(hd_symbol_of(storage_weights)->bytes, sizeof weights);
    MUST(hd_symbol_read(before, hd_symbol_of(storage_weights), 0, sizeof before, rig_stream));
    MUST(hd_launch(initialised, rig_flat(1, 1), (float *)d_weights, (uint32_t *)d_primes));
    rig_download(weights, d_weights, sizeof weights);
    rig_download(primes, d_primes, sizeof primes);
    MUST(hd_symbol_read(after, hd_symbol_of(storage_weights), 0, sizeof after, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    for (int i = 0; i < STORAGE_WEIGHTS; i++) {
        CHECK_EQ_F32_BITS(before[i], expected[i]);
        CHECK_EQ_F32_BITS(weights[i], expected[i]);
        CHECK_EQ_F32_BITS(after[i], expected[i] * 2.0f);
    }
    for (int i = 0; i < STORAGE_PRIMES; i++)
        CHECK_EQ_U64(primes[i], primes_expected[i]);
    MUST(hd_symbol_write(hd_symbol_of(storage_weights), sizeof half, &half, sizeof half,
                         rig_stream));
    MUST(hd_symbol_write(hd_symbol_of(storage_primes), 3 * sizeof eleven, &eleven, sizeof eleven,
                         rig_stream));
    MUST(hd_launch(initialised, rig_flat(1, 1), (float *)d_weights, (uint32_t *)d_primes));
    rig_download(weights, d_weights, sizeof weights);
    rig_download(primes, d_primes, sizeof primes);
    for (int i = 0; i < STORAGE_WEIGHTS; i++)
        CHECK_EQ_F32_BITS(weights[i], i == 1 ? half : expected[i] * 2.0f);
    for (int i = 0; i < STORAGE_PRIMES; i++)
        CHECK_EQ_U64(primes[i], i == 3 ? eleven : primes_expected[i]);
    rig_drop(d_weights);
    rig_drop(d_primes);
}

TEST(variables_have_the_alignment_of_their_types)
{
    enum { BLOCKS = 5 };
    uint32_t out[BLOCKS * STORAGE_ALIGNED];
    void *d_out;

    rig_open();
    d_out = rig_filled(sizeof out, 0xff);
    MUST(hd_launch(aligned_storage, rig_flat(BLOCKS, 40), (uint32_t *)d_out));
    rig_download(out, d_out, sizeof out);
    for (int i = 0; i < BLOCKS * STORAGE_ALIGNED; i++)
        CHECK_EQ_U64(out[i], i % STORAGE_ALIGNED < STORAGE_ALIGNED - 1 ? 0 : 6421);
    rig_drop(d_out);
}

static void run_indices(hd_dim3 grid, hd_dim3 block)
{
    size_t n = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    uint32_t *out = rig_host(n * 4 * sizeof *out);
    void *d_out = rig_filled(n * 4 * sizeof *out, 0xff);

    MUST(hd_launch(indices_32, rig_shape(grid, block, 0), (uint32_t *)d_out));
    rig_download(out, d_out, n * 4 * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        size_t threads = (size_t)block.x * block.y * block.z, b = i / threads, t = i % threads;

        CHECK_EQ_U64(out[4 * i], b % grid.x * block.x + t % block.x);
        CHECK_EQ_U64(out[4 * i + 1], b / grid.x % grid.y * block.y + t / block.x % block.y);
        CHECK_EQ_U64(out[4 * i + 2], b / grid.x / grid.y * block.z + t / block.x / block.y);
        CHECK_EQ_U64(out[4 * i + 3], (uint64_t)grid.x * block.x);
    }
    rig_drop(d_out);
    free(out);
}

TEST(indices_of_32_bits)
{
    rig_open();
    run_indices(hd_dim(9, 1, 1), hd_dim(100, 1, 1));
    run_indices(hd_dim(3, 2, 4), hd_dim(5, 7, 3));
}

TEST(kernels_with_25_arguments)
{
    double out[24];
    void *d_out;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(arguments_25, rig_flat(1, 1), (double *)d_out, 1, -2, 3, -4, 5, -6, 7, -8, 9,
                   -10, 11, -12, 13, -14, 15, -16, 17, -18, 19, -20, 21, -22, 23, 0.125));
    rig_download(out, d_out, sizeof out);
    for (int i = 0; i < 23; i++)
        CHECK_EQ_F64_BITS(out[i], i % 2 ? -i - 1 : i + 1);
    CHECK_EQ_F64_BITS(out[23], 0.125);
    CHECK_EQ_U64(arguments_25_kernel.arg_count, 25);
    rig_drop(d_out);
}

/* Arguments 1 to 63: fifteen types in turn, values that no other argument has. */
TEST(kernels_with_64_arguments)
{
    storage_colour c0 = {1, 2, 3}, c1 = {4, 5, 6}, c2 = {7, 8, 9}, c3 = {10, 11, 12};
    double out[63];
    void *d_out;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(arguments_64, rig_flat(1, 1), (double *)d_out, (char)1, (short)2, 3, 4l, 5ll,
                   6.0f, 7.0, (unsigned char)8, (unsigned short)9, 10u, 11ul, 12ull, (size_t)13, c0,
                   15.0f, (char)16, (short)17, 18, 19l, 20ll, 21.0f, 22.0, (unsigned char)23,
                   (unsigned short)24, 25u, 26ul, 27ull, (size_t)28, c1, 30.0f, (char)31, (short)32,
                   33, 34l, 35ll, 36.0f, 37.0, (unsigned char)38, (unsigned short)39, 40u, 41ul,
                   42ull, (size_t)43, c2, 45.0f, (char)46, (short)47, 48, 49l, 50ll, 51.0f, 52.0,
                   (unsigned char)53, (unsigned short)54, 55u, 56ul, 57ull, (size_t)58, c3, 60.0f,
                   (char)61, (short)62, 63));
    rig_download(out, d_out, sizeof out);
    for (int i = 1; i < 64; i++) {
        const int colour = i % 15 == 14, k = i / 15 * 3;

        CHECK_EQ_F64_BITS(out[i - 1],
                          colour ? (k + 1) * 65536.0 + (k + 2) * 256.0 + (k + 3) : (double)i);
    }
    CHECK_EQ_U64(arguments_64_kernel.arg_count, 64);
    rig_drop(d_out);
}

TEST(structs_carry_more_arguments)
{
    storage_wide wide;
    double out[70];
    void *d_out;

    rig_open();
    for (int i = 0; i < 70; i++)
        wide.value[i] = 0.75 * i - 3.0;
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(arguments_in_struct, rig_flat(1, 70), (double *)d_out, wide));
    rig_download(out, d_out, sizeof out);
    for (int i = 0; i < 70; i++)
        CHECK_EQ_F64_BITS(out[i], wide.value[i]);
    rig_drop(d_out);
}

TEST(functions_are_called_by_pointer)
{
    enum { N = 1000 };
    int32_t a[N], b[N], out[N];
    uint32_t which[N];
    uint64_t state = 7;
    void *d_a, *d_b, *d_which, *d_out;

    rig_open();
    for (int i = 0; i < N; i++) {
        a[i] = (int32_t)(rig_random(&state) % 20001) - 10000;
        b[i] = (int32_t)(rig_random(&state) % 20001) - 10000;
        which[i] = (uint32_t)(rig_random(&state) % 3);
    }
    d_a = rig_upload(a, sizeof a);
    d_b = rig_upload(b, sizeof b);
    d_which = rig_upload(which, sizeof which);
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(called_by_pointer, rig_flat(3, 64), (size_t)N, (const int32_t *)d_a,
                   (const int32_t *)d_b, (const uint32_t *)d_which, (int32_t *)d_out));
    rig_download(out, d_out, sizeof out);
    for (int i = 0; i < N; i++)
        CHECK_EQ_I64(out[i], (which[i] == 0   ? a[i] + b[i]
                              : which[i] == 1 ? a[i] - b[i]
                                              : a[i] * b[i]) +
                                 a[i] - 1);
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_which);
    rig_drop(d_out);
}

TEST_MAIN
