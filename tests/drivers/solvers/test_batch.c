/* SPDX-License-Identifier: Apache-2.0 */
/* test_batch.c - hd_batch_heat against the same steps in plain C, as bits: shapes from one point to
   as many as fit, steps, special values, in place, coefficients, bad input. */
#include "arrays.h"

#include "drivers/stencil/batch.h"

typedef struct rig {
    hd_stream *stream;
    test_array in, out, coefficients;
    unsigned char *expected, *other;
} rig;

static void setup(rig *r, size_t bytes, size_t shift)
{
    memset(r, 0, sizeof *r);
    REQUIRE(hd_stream_create(0, &r->stream) == HD_OK);
    test_array_make(&r->in, bytes, shift, r->stream);
    test_array_make(&r->out, bytes, shift, r->stream);
    test_array_make(&r->coefficients, 8 * 4096, 8, r->stream);
    r->expected = malloc(bytes + 1);
    r->other = malloc(bytes + 1);
    REQUIRE(r->expected && r->other);
}

static void teardown(rig *r)
{
    CHECK_STATUS(hd_stream_synchronize(r->stream), HD_OK);
    test_array_free(&r->in);
    test_array_free(&r->out);
    test_array_free(&r->coefficients);
    free(r->expected);
    free(r->other);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
}

/* ---- reference ------------------------------------------------------------------------------- */

#define REFERENCE(name, type)                                                                      \
    static void name(const type *u, type *v, size_t nx, size_t ny, type r)                         \
    {                                                                                              \
        for (size_t j = 0; j < (ny ? ny : 1); j++)                                                 \
            for (size_t i = 0; i < nx; i++) {                                                      \
                const size_t at = j * nx + i;                                                      \
                type row, column;                                                                  \
                                                                                                   \
                v[at] = u[at];                                                                     \
                if (i == 0 || i == nx - 1 || (ny && (j == 0 || j == ny - 1)))                      \
                    continue;                                                                      \
                row = u[at - 1] + u[at + 1];                                                       \
                if (ny) {                                                                          \
                    column = u[at - nx] + u[at + nx];                                              \
                    v[at] = u[at] + r * (row + column - 4 * u[at]);                                \
                } else {                                                                           \
                    v[at] = u[at] + r * (row - 2 * u[at]);                                         \
                }                                                                                  \
            }                                                                                      \
    }
REFERENCE(step_f32, float)
REFERENCE(step_f64, double)

/* Leaves the problems' last state in r->expected. */
static void reference(rig *r, const hd_heat_batch *b, hd_type type, const void *coefficients)
{
    const size_t points = b->nx * (b->ny ? b->ny : 1), size = hd_type_bytes(type);

    memcpy(r->expected, r->in.host, b->problems * points * size);
    for (size_t p = 0; p < b->problems; p++)
        for (unsigned step = 0; step < b->steps; step++) {
            unsigned char *u = r->expected + p * points * size;

            memcpy(r->other, u, points * size);
            if (type == HD_F32)
                step_f32((const float *)(const void *)r->other, (float *)(void *)u, b->nx, b->ny,
                         coefficients ? ((const float *)coefficients)[p] : (float)b->coefficient);
            else
                step_f64((const double *)(const void *)r->other, (double *)(void *)u, b->nx, b->ny,
                         coefficients ? ((const double *)coefficients)[p] : b->coefficient);
        }
}

/* NaNs of any bits are one NaN: which of several a sum hands on is the hardware's choice. */
static void same_nans(unsigned char *bytes, size_t count, hd_type type)
{
    for (size_t i = 0; i < count; i++) {
        float f;
        double d;

        if (type == HD_F32) {
            memcpy(&f, bytes + 4 * i, 4);
            if (f != f)
                memset(bytes + 4 * i, 0xff, 4);
        } else {
            memcpy(&d, bytes + 8 * i, 8);
            if (d != d)
                memset(bytes + 8 * i, 0xff, 8);
        }
    }
}

static void compare(rig *r, const hd_heat_batch *b, hd_type type, test_array *out)
{
    const size_t count = b->problems * b->nx * (b->ny ? b->ny : 1);
    char what[96];

    snprintf(what, sizeof what, "%zu of %zu x %zu %s, %u steps", b->problems, b->nx, b->ny,
             hd_type_name(type), b->steps);
    test_array_download(out, r->stream);
    same_nans(out->host, count, type);
    same_nans(r->expected, count, type);
    CHECK_BITS(what, out->host, r->expected, count, hd_type_bytes(type));
}

static void check(rig *r, const hd_heat_batch *b, hd_type type)
{
    test_array_poison(&r->out, r->stream);
    CHECK_STATUS(hd_batch_heat(b, type, r->in.device, r->out.device, r->stream), HD_OK);
    reference(r, b, type, b->coefficients ? r->coefficients.host : NULL);
    compare(r, b, type, &r->out);
}

static hd_heat_batch make(size_t problems, size_t nx, size_t ny, unsigned steps, double r)
{
    hd_heat_batch b = {problems, nx, ny, steps, r, NULL};

    return b;
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(one_dimension)
{
    static const size_t extents[] = {1,  2,  3,   4,   5,   31,  32,  33,   63,
                                     64, 65, 127, 129, 257, 511, 514, 1009, 2051};
    rig r;

    setup(&r, 8 * 5 * 2051, 8);
    for (int t = 0; t < 2; t++) {
        const hd_type type = t ? HD_F64 : HD_F32;

        test_array_fill(&r.in, type, VALUES_RANDOM, 3, r.stream);
        for (size_t i = 0; i < sizeof extents / sizeof *extents; i += test_watched(1, 3))
            for (unsigned steps = 0; steps < 8; steps += steps ? 6 : 1) {
                const hd_heat_batch b = make(5, extents[i], 0, steps, 0.37);

                check(&r, &b, type);
            }
    }
    teardown(&r);
}

TEST(two_dimensions)
{
    static const size_t extents[][2] = {{1, 1},   {1, 9},   {9, 1},   {2, 2},   {3, 3},  {3, 40},
                                        {40, 3},  {16, 16}, {17, 31}, {33, 32}, {64, 5}, {65, 30},
                                        {300, 4}, {5, 300}, {600, 3}, {41, 43}};
    rig r;

    setup(&r, 8 * 3 * 2000, 16);
    for (int t = 0; t < 2; t++) {
        const hd_type type = t ? HD_F64 : HD_F32;

        test_array_fill(&r.in, type, VALUES_RANDOM, 4, r.stream);
        for (size_t i = 0; i < sizeof extents / sizeof *extents; i += test_watched(1, 3))
            for (unsigned steps = 0; steps < 8; steps += steps ? 6 : 1) {
                const hd_heat_batch b = make(3, extents[i][0], extents[i][1], steps, 0.21);

                check(&r, &b, type);
            }
    }
    teardown(&r);
}

/* The threads of devices that run a block's at once, also where they run one by one. */
TEST(blocks_of_many_threads)
{
    static const size_t extents[][2] = {{1, 0},  {33, 0},  {514, 0}, {2100, 0}, {3, 3},
                                        {34, 9}, {65, 30}, {600, 3}, {41, 43}};
    rig r;

    hd__batch_force_threads = 1;
    setup(&r, 4 * 2 * 2100, 0);
    test_array_fill(&r.in, HD_F32, VALUES_RANDOM, 4, r.stream);
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        const hd_heat_batch b = make(2, extents[i][0], extents[i][1], 3, 0.21);

        check(&r, &b, HD_F32);
    }
    hd__batch_force_threads = 0;
    teardown(&r);
}

TEST(special_values)
{
    static const test_values values[] = {VALUES_SPECIAL, VALUES_SIGNS, VALUES_EQUAL, VALUES_SMALL};
    rig r;

    setup(&r, 8 * 40 * 100, 0);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (int t = 0; t < 2; t++) {
            const hd_heat_batch line = make(40, 100, 0, 3, 0.5), plane = make(40, 10, 10, 3, -1.5);

            test_array_fill(&r.in, t ? HD_F64 : HD_F32, values[v], 9 + v, r.stream);
            check(&r, &line, t ? HD_F64 : HD_F32);
            check(&r, &plane, t ? HD_F64 : HD_F32);
        }
    teardown(&r);
}

TEST(many_problems)
{
    const size_t problems = test_watched(4001, 200);
    rig r;

    setup(&r, 4 * 4001 * 49, 4);
    test_array_fill(&r.in, HD_F32, VALUES_RANDOM, 6, r.stream);
    for (size_t ny = 0; ny < 8; ny += 7) {
        const hd_heat_batch b = make(problems, 7, ny, 5, 0.125);

        check(&r, &b, HD_F32);
        hd__batch_force_blocks = 3;
        check(&r, &b, HD_F32);
        hd__batch_force_blocks = 0;
    }
    teardown(&r);
}

TEST(a_coefficient_per_problem)
{
    rig r;

    setup(&r, 8 * 100 * 60, 0);
    for (int t = 0; t < 2; t++) {
        const hd_type type = t ? HD_F64 : HD_F32;
        hd_heat_batch b = make(100, 10, 6, 4, 99.0);

        test_array_fill(&r.in, type, VALUES_RANDOM, 1, r.stream);
        test_array_fill(&r.coefficients, type, VALUES_SIGNS, 2, r.stream);
        b.coefficients = r.coefficients.device;
        check(&r, &b, type);
    }
    teardown(&r);
}

TEST(in_place)
{
    const hd_heat_batch b = make(20, 12, 12, 6, 0.2);
    rig r;

    setup(&r, 4 * 20 * 144, 0);
    test_array_fill(&r.in, HD_F32, VALUES_RANDOM, 8, r.stream);
    reference(&r, &b, HD_F32, NULL);
    CHECK_STATUS(hd_batch_heat(&b, HD_F32, r.in.device, r.in.device, r.stream), HD_OK);
    compare(&r, &b, HD_F32, &r.in);
    teardown(&r);
}

/* As large as the device can take, and one point more. */
TEST(the_largest_problem)
{
    for (int t = 0; t < 2; t++) {
        const hd_type type = t ? HD_F64 : HD_F32;
        size_t limit;
        hd_heat_batch line, plane;
        rig r;

        CHECK_STATUS(hd_batch_heat_limit(type, 0, &limit), HD_OK);
        CHECK(limit >= 1000);
        setup(&r, (limit + 1) * hd_type_bytes(type), 0);
        test_array_fill(&r.in, type, VALUES_RANDOM, 5, r.stream);
        line = make(1, limit, 0, 2, 0.4);
        check(&r, &line, type);
        plane = make(1, 50, limit / 50, 2, 0.2);
        check(&r, &plane, type);
        line.nx++;
        CHECK_STATUS(hd_batch_heat(&line, type, r.in.device, r.out.device, r.stream),
                     HD_ERR_UNSUPPORTED);
        plane.ny++;
        CHECK_STATUS(hd_batch_heat(&plane, type, r.in.device, r.out.device, r.stream),
                     HD_ERR_UNSUPPORTED);
        teardown(&r);
    }
}

/* The last problem has no coefficient. */
static void refuse_one_short(const rig *r, hd_heat_batch batch)
{
    float *coefficients = NULL;

    REQUIRE(hd_alloc(&coefficients, batch.problems - 1, 0) == HD_OK);
    batch.coefficients = coefficients;
    CHECK_STATUS(hd_batch_heat(&batch, HD_F32, r->in.device, r->out.device, r->stream),
                 HD_ERR_POINTER);
    CHECK_STATUS(hd_free(coefficients), HD_OK);
}

TEST(bad_input)
{
    const hd_heat_batch good = make(2, 8, 0, 1, 0.1), none = make(0, 8, 0, 1, 0.1),
                        flat = make(2, 0, 0, 1, 0.1), huge = make(SIZE_MAX / 4, 8, 0, 1, 0.1);
    size_t points;
    rig r;

    setup(&r, 8 * 16, 0);
    CHECK_STATUS(hd_batch_heat(NULL, HD_F32, r.in.device, r.out.device, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&good, HD_F32, r.in.device, r.out.device, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&good, HD_F32, NULL, r.out.device, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&good, HD_F32, r.in.device, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&good, HD_F32, r.in.device, r.in.device + 4, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&good, HD_F32, r.in.device + 1, r.out.device, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&flat, HD_F32, r.in.device, r.out.device, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat(&good, HD_I32, r.in.device, r.out.device, r.stream),
                 HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_batch_heat(&huge, HD_F32, r.in.device, r.out.device, r.stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_batch_heat(&none, HD_F32, NULL, NULL, r.stream), HD_OK);
    refuse_one_short(&r, good);
    CHECK_STATUS(hd_batch_heat_limit(HD_F16, 0, &points), HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_batch_heat_limit(HD_F32, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_batch_heat_limit(HD_F32, 999, &points), HD_ERR_DEVICE_INDEX);
    teardown(&r);
}

TEST_MAIN
