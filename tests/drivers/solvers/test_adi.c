/* SPDX-License-Identifier: Apache-2.0 */
/* test_adi.c - hd_adi_steps against the same steps in plain C, as bits, and against the decay of a
   mode, which is known. */
#include "arrays.h"

#include <heddle/adi.h>
#include <heddle/tridiag.h>

#include "devices.h"

#define REF_ELEM float
#define REF(name) name##_f32
#include "tridiag_reference.inc"

#include "adi_reference.inc"
#undef REF_ELEM
#undef REF
#define REF_ELEM double
#define REF(name) name##_f64
#include "tridiag_reference.inc"

#include "adi_reference.inc"

static hd_stream *stream;
static uint64_t *singular;

static void setup(void)
{
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&singular, 1, 0) == HD_OK);
}

static void teardown(void)
{
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_STATUS(hd_free(singular), HD_OK);
    CHECK_STATUS(hd_stream_destroy(stream), HD_OK);
}

static void check_bits(size_t nx, size_t ny, size_t nz, hd_type type, double rate, size_t steps)
{
    const hd_adi_grid grid = {nx, ny, nz, type, rate};
    const size_t n = nx * ny * nz, bytes = n * hd_type_bytes(type);
    void *expected = malloc(bytes);
    test_array u;
    char what[96];

    test_array_make(&u, bytes, 0, stream);
    test_array_fill(&u, type, VALUES_RANDOM, n, stream);
    memcpy(expected, u.host, bytes);
    if (type == HD_F32)
        adi_f32(nx, ny, nz, (float)rate, (float)(-rate / 2), (float)(1 + rate), steps, expected);
    else
        adi_f64(nx, ny, nz, rate, -rate / 2, 1 + rate, steps, expected);
    CHECK_STATUS(hd_adi_steps(&grid, steps, u.device, singular, NULL, stream), HD_OK);
    CHECK_STATUS(hd_tridiag_check(singular, stream), HD_OK);
    test_array_download(&u, stream);
    snprintf(what, sizeof what, "%s %zu x %zu x %zu, %zu steps", hd_type_name(type), nx, ny, nz,
             steps);
    CHECK_BITS(what, u.host, expected, n, hd_type_bytes(type));
    free(expected);
    test_array_free(&u);
}

TEST(the_same_bits_as_plain_c)
{
    static const size_t grids[][3] = {{1, 1, 1},   {2, 3, 4},  {16, 16, 16}, {33, 17, 9},
                                      {5, 1, 40},  {1, 20, 3}, {40, 7, 1},   {3, 300, 2},
                                      {70, 5, 20}, {4, 4, 280}};

    setup();
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g += test_watched(1, 3)) {
        check_bits(grids[g][0], grids[g][1], grids[g][2], HD_F32, 0.75, 2);
        check_bits(grids[g][0], grids[g][1], grids[g][2], HD_F64, 3.5, 2);
    }
    teardown();
}

/* sin(pi x) sin(pi y) sin(pi z) is multiplied by 1 - 3 m / (1 + m / 2)^3 in each step, where
   m = 4 rate sin(pi h / 2)^2: that is exp(-3 pi^2 rate h^2) to third order in the time step. */
TEST(a_mode_decays_as_it_must)
{
    const double pi = acos(-1.0), rate = 2;
    const size_t n = test_watched(31, 15), steps = 10;
    const hd_adi_grid grid = {n, n, n, HD_F64, rate};
    const double h = 1 / (double)(n + 1), m = 4 * rate * pow(sin(pi * h / 2), 2);
    const double factor = pow(1 - 3 * m / pow(1 + m / 2, 3), (double)steps);
    const double exact = exp(-3 * pi * pi * rate * h * h * (double)steps);
    double worst = 0;
    test_array u;

    setup();
    test_array_make(&u, n * n * n * 8, 0, stream);
    for (size_t i = 0; i < n * n * n; i++) {
        const double v = sin(pi * h * (double)(i % n + 1)) * sin(pi * h * (double)(i / n % n + 1)) *
                         sin(pi * h * (double)(i / n / n + 1));
        memcpy(u.host + 8 * i, &v, 8);
    }
    test_array_upload(&u, stream);
    CHECK_STATUS(hd_adi_steps(&grid, steps, u.device, singular, NULL, stream), HD_OK);
    test_array_download(&u, stream);
    for (size_t i = 0; i < n * n * n; i++) {
        const double v = sin(pi * h * (double)(i % n + 1)) * sin(pi * h * (double)(i / n % n + 1)) *
                         sin(pi * h * (double)(i / n / n + 1));
        double got;
        memcpy(&got, u.host + 8 * i, 8);
        worst = fmax(worst, fabs(got - factor * v));
    }
    CHECK_NEAR(worst, 0, 1e-13);
    CHECK_NEAR(factor, exact, 0.02 * exact);
    test_array_free(&u);
    teardown();
}

TEST(memory_of_a_call_is_given_back)
{
    const hd_adi_grid grid = {40, 30, 20, HD_F32, 1.0};
    size_t before;
    test_array u;

    if (!test_own_devices(1))
        SKIP("the device is not ours alone");
    setup();
    test_array_make(&u, 40 * 30 * 20 * 4, 0, stream);
    test_array_fill(&u, HD_F32, VALUES_RANDOM, 1, stream);
    before = test_free_bytes(0);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(hd_adi_steps(&grid, 2, u.device, singular, NULL, stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
    CHECK_EQ_SIZE(test_free_bytes(0), before);
    test_array_free(&u);
    teardown();
}

/* The last point is not there. */
static void refuse_one_short(const hd_adi_grid *grid)
{
    float *u = NULL;

    REQUIRE(hd_alloc(&u, grid->nx * grid->ny * grid->nz - 1, 0) == HD_OK);
    CHECK_STATUS(hd_adi_steps(grid, 1, u, singular, NULL, stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_free(u), HD_OK);
}

TEST(workspaces_and_bad_arguments)
{
    hd_adi_grid grid = {9, 8, 7, HD_F32, 1.0};
    const hd_adi_grid good = grid;
    hd_workspace workspace = {NULL, 0, 0};
    uint64_t first = 0;
    test_array u;

    setup();
    test_array_make(&u, 9 * 8 * 7 * 4, 0, stream);
    test_array_fill(&u, HD_F32, VALUES_RANDOM, 1, stream);
    CHECK_STATUS(hd_adi_workspace(&grid, &workspace.bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    CHECK_STATUS(hd_adi_steps(&grid, 3, u.device, singular, &workspace, stream), HD_OK);
    workspace.bytes -= 256;
    CHECK_STATUS(hd_adi_steps(&grid, 3, u.device, singular, &workspace, stream), HD_ERR_WORKSPACE);
    CHECK_STATUS(hd_adi_steps(&grid, 0, u.device, singular, NULL, stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&first, singular, 1, stream), HD_OK);
    CHECK(first == HD_TRIDIAG_NONE);
    grid.rate = -1;
    CHECK_STATUS(hd_adi_steps(&grid, 1, u.device, singular, NULL, stream), HD_ERR_ARGUMENT);
    grid.rate = NAN;
    CHECK_STATUS(hd_adi_steps(&grid, 1, u.device, singular, NULL, stream), HD_ERR_ARGUMENT);
    grid = good;
    grid.ny = 0;
    CHECK_STATUS(hd_adi_steps(&grid, 1, u.device, singular, NULL, stream), HD_ERR_ARGUMENT);
    grid.ny = SIZE_MAX / 2;
    CHECK_STATUS(hd_adi_steps(&grid, 1, u.device, singular, NULL, stream), HD_ERR_OVERFLOW);
    grid = good;
    grid.nz = 70;
    CHECK_STATUS(hd_adi_steps(&grid, 1, u.device, singular, NULL, stream), HD_ERR_POINTER);
    grid = good;
    grid.type = HD_F16;
    CHECK_STATUS(hd_adi_steps(&grid, 1, u.device, singular, NULL, stream), HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_adi_steps(NULL, 1, u.device, singular, NULL, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_adi_steps(&good, 1, NULL, singular, NULL, stream), HD_ERR_ARGUMENT);
    refuse_one_short(&good);
    CHECK_STATUS(hd_adi_steps(&good, 1, u.device, NULL, NULL, stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_adi_steps(&good, 1, u.device, singular, NULL, NULL), HD_ERR_ARGUMENT);
    memset(u.host, 0xff, 4); /* NaN */
    test_array_upload(&u, stream);
    CHECK_STATUS(hd_adi_steps(&good, 2, u.device, singular, NULL, stream), HD_OK);
    CHECK_STATUS(hd_tridiag_check(singular, stream), HD_ERR_SINGULAR);
    CHECK_STATUS(hd_free(workspace.memory), HD_OK);
    test_array_free(&u);
    teardown();
}

TEST_MAIN
