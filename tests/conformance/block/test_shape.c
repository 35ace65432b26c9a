/* SPDX-License-Identifier: Apache-2.0 */
/* test_shape.c - indices, index loops, arguments, and launches that are refused. */
#include "rig.h"
#include "shape.h"

static void check_thread(const uint64_t *a, hd_dim3 grid, hd_dim3 block, hd_dim3 b, hd_dim3 t)
{
    uint64_t linear = t.x + (uint64_t)block.x * (t.y + (uint64_t)block.y * t.z);
    uint64_t threads = (uint64_t)block.x * block.y * block.z;

    CHECK_EQ_U64(a[SHAPE_THREAD_X], t.x);
    CHECK_EQ_U64(a[SHAPE_THREAD_Y], t.y);
    CHECK_EQ_U64(a[SHAPE_THREAD_Z], t.z);
    CHECK_EQ_U64(a[SHAPE_BLOCK_X], b.x);
    CHECK_EQ_U64(a[SHAPE_BLOCK_Y], b.y);
    CHECK_EQ_U64(a[SHAPE_BLOCK_Z], b.z);
    CHECK_EQ_U64(a[SHAPE_BLOCK_DIM_X], block.x);
    CHECK_EQ_U64(a[SHAPE_BLOCK_DIM_Y], block.y);
    CHECK_EQ_U64(a[SHAPE_BLOCK_DIM_Z], block.z);
    CHECK_EQ_U64(a[SHAPE_GRID_DIM_X], grid.x);
    CHECK_EQ_U64(a[SHAPE_GRID_DIM_Y], grid.y);
    CHECK_EQ_U64(a[SHAPE_GRID_DIM_Z], grid.z);
    CHECK_EQ_U64(a[SHAPE_THREAD_LINEAR], linear);
    CHECK_EQ_U64(a[SHAPE_BLOCK_THREADS], threads);
    CHECK_EQ_U64(a[SHAPE_BLOCK_LINEAR], b.x + (uint64_t)grid.x * (b.y + (uint64_t)grid.y * b.z));
    CHECK_EQ_U64(a[SHAPE_GRID_BLOCKS], (uint64_t)grid.x * grid.y * grid.z);
    CHECK_EQ_U64(a[SHAPE_GLOBAL_X], (uint64_t)b.x * block.x + t.x);
    CHECK_EQ_U64(a[SHAPE_GLOBAL_Y], (uint64_t)b.y * block.y + t.y);
    CHECK_EQ_U64(a[SHAPE_GLOBAL_Z], (uint64_t)b.z * block.z + t.z);
    CHECK_EQ_U64(a[SHAPE_GLOBAL_SIZE_X], (uint64_t)grid.x * block.x);
    CHECK_EQ_U64(a[SHAPE_LANE], linear % rig_warp);
    CHECK_EQ_U64(a[SHAPE_WARP], linear / rig_warp);
    CHECK_EQ_U64(a[SHAPE_WARPS_PER_BLOCK], (threads + rig_warp - 1) / rig_warp);
    CHECK_EQ_U64(a[SHAPE_WARP_SIZE], rig_warp);
}

static void run_shape(hd_dim3 grid, hd_dim3 block)
{
    size_t threads = (size_t)block.x * block.y * block.z;
    size_t bytes = threads * grid.x * grid.y * grid.z * SHAPE_ANSWERS * sizeof(uint64_t), i = 0;
    uint64_t *out = rig_host(bytes);
    void *d_out = rig_filled(bytes, 0xff);
    hd_dim3 b, t;

    MUST(hd_launch(shape_answers, rig_shape(grid, block, 0), (uint64_t *)d_out));
    rig_download(out, d_out, bytes);
    for (b.z = 0; b.z < grid.z; b.z++)
        for (b.y = 0; b.y < grid.y; b.y++)
            for (b.x = 0; b.x < grid.x; b.x++)
                for (t.z = 0; t.z < block.z; t.z++)
                    for (t.y = 0; t.y < block.y; t.y++)
                        for (t.x = 0; t.x < block.x; t.x++)
                            check_thread(out + SHAPE_ANSWERS * i++, grid, block, b, t);
    rig_drop(d_out);
    free(out);
}

TEST(indices_of_every_thread)
{
    rig_open();
    run_shape(hd_dim(1, 1, 1), hd_dim(1, 1, 1));
    run_shape(hd_dim(7, 1, 1), hd_dim(100, 1, 1));
    run_shape(hd_dim(3, 2, 4), hd_dim(5, 7, 3));
    run_shape(hd_dim(1, 5, 1), hd_dim(1, 1, 64));
    run_shape(hd_dim(2, 1, 2), hd_dim(1, 333, 3));
    run_shape(hd_dim(2, 2, 2), hd_dim(8, 8, 16));
}

static void check_visits(const void *device, size_t nz, size_t ny, size_t nx)
{
    unsigned *visits = rig_host(nz * ny * nx * sizeof *visits);
    size_t k, j, i, wrong = 0;

    rig_download(visits, device, nz * ny * nx * sizeof *visits);
    for (k = 0; k < nz; k++)
        for (j = 0; j < ny; j++)
            for (i = 0; i < nx; i++)
                wrong += visits[(k * ny + j) * nx + i] !=
                         1 + (ny > 1 || nz > 1 ? 1000 * j + 1000000 * k : 0);
    CHECK_EQ_SIZE(wrong, 0);
    free(visits);
}

static void run_cover_1(size_t n, unsigned grid, unsigned block)
{
    void *d_visits = rig_zeroed(n * sizeof(unsigned));

    MUST(hd_launch(cover_1, rig_flat(grid, block), n, (unsigned *)d_visits));
    check_visits(d_visits, 1, 1, n);
    rig_drop(d_visits);
}

TEST(index_loops_in_one_dimension)
{
    static const size_t counts[] = {0, 1, 31, 32, 33, 1000, 4097};
    static const unsigned grids[] = {1, 2, 7, 64}, blocks[] = {1, 32, 100, 1024};
    size_t c, g, b;
    void *d_visits;

    rig_open();
    for (c = 0; c < 7; c++)
        for (g = 0; g < 4; g++)
            for (b = 0; b < 4; b++)
                run_cover_1(counts[c], grids[g], blocks[b]);
    run_cover_1(rig_size(3000017, 5003), 50, 256);
    d_visits = rig_zeroed(1000 * sizeof(unsigned));
    MUST(hd_launch(cover_1, hd_launch_loop(1000, 128, rig_stream), (size_t)1000,
                   (unsigned *)d_visits));
    check_visits(d_visits, 1, 1, 1000);
    rig_drop(d_visits);
}

/* The loop may be launched with blocks and grids of any shape. */
static void run_cover_2(size_t ny, size_t nx, hd_dim3 grid, hd_dim3 block)
{
    void *d_visits = rig_zeroed(ny * nx * sizeof(unsigned));

    MUST(hd_launch(cover_2, rig_shape(grid, block, 0), ny, nx, (unsigned *)d_visits));
    check_visits(d_visits, 1, ny, nx);
    rig_drop(d_visits);
}

TEST(index_loops_in_two_dimensions)
{
    static const size_t counts[][2] = {{0, 5}, {5, 0}, {2, 1}, {3, 1000}, {777, 3}, {64, 64}};
    size_t c;

    rig_open();
    for (c = 0; c < 6; c++) {
        run_cover_2(counts[c][0], counts[c][1], hd_dim(1, 1, 1), hd_dim(1, 1, 1));
        run_cover_2(counts[c][0], counts[c][1], hd_dim(3, 2, 1), hd_dim(32, 4, 1));
        run_cover_2(counts[c][0], counts[c][1], hd_dim(4, 1, 1), hd_dim(100, 1, 1));
        run_cover_2(counts[c][0], counts[c][1], hd_dim(1, 9, 1), hd_dim(5, 7, 1));
    }
}

static void run_cover_3(size_t nz, size_t ny, size_t nx, hd_dim3 grid, hd_dim3 block)
{
    void *d_visits = rig_zeroed(nz * ny * nx * sizeof(unsigned));

    MUST(hd_launch(cover_3, rig_shape(grid, block, 0), nz, ny, nx, (unsigned *)d_visits));
    check_visits(d_visits, nz, ny, nx);
    rig_drop(d_visits);
}

TEST(index_loops_in_three_dimensions)
{
    static const size_t counts[][3] = {{0, 1, 1},   {2, 0, 5},  {2, 1, 1},
                                       {3, 5, 100}, {17, 9, 7}, {200, 2, 3}};
    size_t c;

    rig_open();
    for (c = 0; c < 6; c++) {
        run_cover_3(counts[c][0], counts[c][1], counts[c][2], hd_dim(1, 1, 1), hd_dim(1, 1, 1));
        run_cover_3(counts[c][0], counts[c][1], counts[c][2], hd_dim(2, 3, 2), hd_dim(8, 4, 2));
        run_cover_3(counts[c][0], counts[c][1], counts[c][2], hd_dim(5, 1, 1), hd_dim(96, 1, 1));
    }
}

TEST(kernels_without_arguments)
{
    unsigned calls = 0, zero = 0;

    rig_open();
    MUST(hd_symbol_write(hd_symbol_of(no_arguments_calls), 0, &zero, sizeof zero, rig_stream));
    MUST(hd_launch(no_arguments, rig_flat(3, 50)));
    MUST(hd_symbol_read(&calls, hd_symbol_of(no_arguments_calls), 0, sizeof calls, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_U64(calls, 150);
    CHECK_EQ_U64(no_arguments_kernel.arg_count, 0);
}

TEST(kernels_with_24_arguments)
{
    static const double expected[23] = {
        65,    -2,   200,  -300, 60000, -70000, 4000000000.0, -5e9,  6e9,  -7e9, 8e9,  0.5,
        -0.25, 1e10, -123, 4e15, 1e-3f, 90,     1e300,        66051, -8.5, 77,   65535};
    shape_small colour = {1, 2, 3};
    double out[23];
    void *d_out;
    int i;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(many_arguments, rig_flat(1, 1), (double *)d_out, (char)65, (signed char)-2,
                   (unsigned char)200, (short)-300, (unsigned short)60000, -70000, 4000000000u,
                   -5000000000l, 6000000000ul, -7000000000ll, 8000000000ull, 0.5f, -0.25,
                   (size_t)10000000000u, -123, (uint64_t)4000000000000000u, 1e-3f, (char)90, 1e300,
                   colour, -8.5f, 77, (unsigned short)65535));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < 23; i++)
        CHECK_EQ_F64_BITS(out[i], expected[i]);
    CHECK_EQ_U64(many_arguments_kernel.arg_count, 24);
    CHECK_EQ_STR(many_arguments_kernel.name, "many_arguments");
    rig_drop(d_out);
}

TEST(structs_by_value)
{
    shape_small colour = {4, 5, 6};
    shape_big big;
    double out[30];
    void *d_out;
    int i;

    rig_open();
    memset(&big, 0, sizeof big);
    for (i = 0; i < 20; i++)
        big.weight[i] = i * 1.5;
    big.count = -1000000000000;
    big.scale = 2.0f;
    big.last = 9;
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(struct_arguments, rig_flat(1, 30), big, (double *)d_out, colour));
    big.scale = 100.0f; /* the launch has its own copy */
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < 30; i++)
        CHECK_EQ_F64_BITS(out[i], i % 20 * 1.5 * 2.0 - 1000000000000.0 + 9 + 5);
    big.scale = 2.0f;
    MUST(hd_launch(first_argument, rig_flat(1, 7), big, (double *)d_out));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < 30; i++)
        CHECK_EQ_F64_BITS(out[i], i % 20 * 1.5 * 2.0 - 1000000000000.0 + 9);
    rig_drop(d_out);
}

TEST(launch_bounds_and_unrolling)
{
    unsigned out[1], i, sum = 28;
    void *d_out;

    rig_open();
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(bounded, rig_flat(3, 128), (unsigned *)d_out));
    MUST(hd_launch(bounded_twice, rig_flat(3, 256), (unsigned *)d_out));
    rig_download(out, d_out, sizeof out);
    CHECK_EQ_U64(out[0], 3 * 128 + 3 * 256);
    MUST(hd_launch(unrolled, rig_flat(1, 1), (unsigned *)d_out, 23u));
    rig_download(out, d_out, sizeof out);
    for (i = 0; i < 23; i++)
        sum += i * 3;
    for (i = 0; i < 23; i++)
        sum ^= i;
    CHECK_EQ_U64(out[0], sum);
    rig_drop(d_out);
}

TEST(more_threads_than_the_launch_bounds_are_refused)
{
    hd_kernel_attributes narrow, wide, free_one;
    unsigned count = 0, blocks = 7;
    void *d_out;

    rig_open();
    d_out = rig_zeroed(sizeof count);
    MUST(hd_kernel_get(hd_kernel_of(bounded), 0, &narrow));
    MUST(hd_kernel_get(hd_kernel_of(bounded_twice), 0, &wide));
    MUST(hd_kernel_get(hd_kernel_of(touch), 0, &free_one));
    CHECK(narrow.max_threads >= 128 && wide.max_threads >= 256 && free_one.max_threads == 1024);
    if (rig_on_cpu()) { /* vendors report as they like */
        CHECK_EQ_U64(narrow.max_threads, 128);
        CHECK_EQ_U64(wide.max_threads, 256);
    }
    if (!getenv("HEDDLE_SANITIZER")) { /* memcheck counts what the vendor refuses as an error */
        CHECK_STATUS(hd_launch(bounded, rig_flat(1, 129), (unsigned *)d_out), HD_ERR_LAUNCH_CONFIG);
        if (rig_on_cpu())
            CHECK(strstr(hd_error_last()->message, "bounded: threads per block is 129") != NULL);
        CHECK_STATUS(
            hd_launch(bounded, rig_shape(hd_dim(1, 1, 1), hd_dim(16, 4, 4), 0), (unsigned *)d_out),
            HD_ERR_LAUNCH_CONFIG);
        CHECK_STATUS(hd_launch(bounded_twice, rig_flat(1, 1024), (unsigned *)d_out),
                     HD_ERR_LAUNCH_CONFIG);
    }
    CHECK(hd_occupancy(hd_kernel_of(bounded), 0, 256, 0, &blocks) < 0 || blocks == 0);
    MUST(hd_launch(bounded, rig_flat(1, 128), (unsigned *)d_out));
    rig_download(&count, d_out, sizeof count);
    CHECK_EQ_U64(count, 128);
    rig_drop(d_out);
}

static void refused(hd_dim3 grid, hd_dim3 block, size_t shared_bytes, void *d_out)
{
    hd_error_clear();
    CHECK_STATUS(hd_launch(touch, rig_shape(grid, block, shared_bytes), (unsigned *)d_out),
                 HD_ERR_LAUNCH_CONFIG);
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_LAUNCH_CONFIG);
    CHECK(hd_error_last()->file != NULL && strstr(hd_error_last()->file, "test_shape.c") != NULL);
    CHECK(hd_error_last()->line > 0);
    CHECK(strstr(hd_error_last()->message, "touch") != NULL);
}

TEST(bad_launches_are_refused_and_leave_the_device_alone)
{
    int64_t threads, grid_x, grid_y, grid_z, block_z, shared;
    unsigned count = 0;
    void *d_out;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_MAX_THREADS_PER_BLOCK, &threads));
    MUST(hd_device_get(0, HD_ATTR_MAX_GRID_X, &grid_x));
    MUST(hd_device_get(0, HD_ATTR_MAX_GRID_Y, &grid_y));
    MUST(hd_device_get(0, HD_ATTR_MAX_GRID_Z, &grid_z));
    MUST(hd_device_get(0, HD_ATTR_MAX_BLOCK_Z, &block_z));
    MUST(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &shared));
    d_out = rig_zeroed(sizeof count);
    refused(hd_dim(0, 1, 1), hd_dim(32, 1, 1), 0, d_out);
    refused(hd_dim(1, 0, 1), hd_dim(32, 1, 1), 0, d_out);
    refused(hd_dim(1, 1, 0), hd_dim(32, 1, 1), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(0, 1, 1), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(32, 0, 1), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(32, 1, 0), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim((unsigned)threads + 1, 1, 1), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(64, 64, 64), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(65536, 65536, 1), 0, d_out);
    if (block_z < threads)
        refused(hd_dim(1, 1, 1), hd_dim(1, 1, (unsigned)block_z + 1), 0, d_out);
    if (grid_y < (int64_t)UINT32_MAX)
        refused(hd_dim(1, (unsigned)grid_y + 1, 1), hd_dim(1, 1, 1), 0, d_out);
    if (grid_z < (int64_t)UINT32_MAX)
        refused(hd_dim(1, 1, (unsigned)grid_z + 1), hd_dim(1, 1, 1), 0, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(32, 1, 1), (size_t)shared + 1, d_out);
    refused(hd_dim(1, 1, 1), hd_dim(32, 1, 1), SIZE_MAX, d_out);
    refused(hd_dim(4294967295u, 1, 1), hd_dim(1024, 1, 1), 0, d_out);
    CHECK_STATUS(
        hd_launch(touch, hd_launch_1d((size_t)1 << 33, 256, rig_stream), (unsigned *)d_out),
        HD_ERR_LAUNCH_CONFIG);
    CHECK_STATUS(hd_launch(touch, hd_launch_1d(1, 32, NULL), (unsigned *)d_out), HD_ERR_ARGUMENT);
    MUST(hd_launch(touch, rig_flat(2, 32), (unsigned *)d_out));
    rig_download(&count, d_out, sizeof count);
    CHECK_EQ_U64(count, 64);
    rig_drop(d_out);
}

TEST(shared_memory_up_to_the_limit)
{
    int64_t shared;
    unsigned count = 0;
    void *d_out;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_SHARED_PER_BLOCK_MAX, &shared));
    d_out = rig_zeroed(sizeof count);
    MUST(hd_launch(touch, rig_shape(hd_dim(2, 1, 1), hd_dim(32, 1, 1), (size_t)shared),
                   (unsigned *)d_out));
    rig_download(&count, d_out, sizeof count);
    CHECK_EQ_U64(count, 64);
    rig_drop(d_out);
}

TEST(launch_helpers)
{
    hd_launch_config c;

    rig_open();
    c = hd_launch_1d(0, 256, rig_stream);
    CHECK_EQ_U64(c.grid.x, 1);
    c = hd_launch_1d(1000, 256, rig_stream);
    CHECK_EQ_U64(c.grid.x, 4);
    CHECK_EQ_U64(c.block.x, 256);
    CHECK_EQ_U64(c.grid.y * c.grid.z * c.block.y * c.block.z, 1);
    c = hd_launch_1d(1024, 256, rig_stream);
    CHECK_EQ_U64(c.grid.x, 4);
    c = hd_launch_loop(0, 128, rig_stream);
    CHECK_EQ_U64(c.grid.x, 1);
    c = hd_launch_loop(129, 128, rig_stream);
    CHECK(c.grid.x >= 1 && c.grid.x <= 2);
    c = hd_launch_loop((size_t)1 << 40, 256, rig_stream);
    CHECK(c.grid.x >= 1 && (uint64_t)c.grid.x * 256 < UINT32_MAX);
    c = hd_launch_3d(100, 7, 3, hd_dim(32, 4, 2), rig_stream);
    CHECK_EQ_U64(c.grid.x, 4);
    CHECK_EQ_U64(c.grid.y, 2);
    CHECK_EQ_U64(c.grid.z, 2);
    CHECK_EQ_U64(c.flags, 0);
    CHECK(c.stream == rig_stream);
}

TEST_MAIN
