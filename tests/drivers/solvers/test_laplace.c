/* SPDX-License-Identifier: Apache-2.0 */
/* test_laplace.c - the solvers hd_laplace2d and hd_laplace3d against a loop over the scalar sweep
   of jacobi_reference.h: when they stop, in which field, with what norm; known solutions. */
#include "arrays.h"

#include "jacobi_reference.h"

enum { CELLS = 2400 };

typedef struct solver {
    hd_stream *stream;
    hd_jacobi problem;
    int dimensions;
    double *field, *other, *norms; /* device; fields of the problem's type */
    double *start, *expected, *spare;
    hd_laplace_report report;
} solver;

static size_t cells_of(const solver *s)
{
    return s->problem.nx * s->problem.ny * (s->dimensions == 3 ? s->problem.nz : 1);
}

/* 2-D 40 x 30; 3-D 10 x 12 x 9. All sides fixed. */
static void setup(solver *s, int dimensions, hd_type type)
{
    memset(s, 0, sizeof *s);
    REQUIRE(hd_stream_create(0, &s->stream) == HD_OK);
    s->dimensions = dimensions;
    s->problem.type = type;
    s->problem.nx = dimensions == 3 ? 10 : 40;
    s->problem.ny = dimensions == 3 ? 12 : 30;
    s->problem.nz = dimensions == 3 ? 9 : 0;
    REQUIRE(hd_alloc(&s->field, CELLS, 0) == HD_OK);
    REQUIRE(hd_alloc(&s->other, CELLS, 0) == HD_OK);
    REQUIRE(hd_alloc(&s->norms, 64, 0) == HD_OK);
    s->problem.norms = s->norms;
    s->start = calloc(CELLS, sizeof *s->start);
    s->expected = calloc(CELLS, sizeof *s->expected);
    s->spare = calloc(CELLS, sizeof *s->spare);
    REQUIRE(s->start && s->expected && s->spare);
}

static void teardown(solver *s)
{
    hd_free(s->field);
    hd_free(s->other);
    hd_free(s->norms);
    free(s->start);
    free(s->expected);
    free(s->spare);
    hd_stream_destroy(s->stream);
}

static void coordinates(const solver *s, size_t cell, size_t at[3])
{
    at[0] = cell % s->problem.nx;
    at[1] = cell / s->problem.nx % s->problem.ny;
    at[2] = cell / s->problem.nx / s->problem.ny;
}

static int on_side(const solver *s, const size_t at[3])
{
    const hd_jacobi *p = &s->problem;
    return at[0] == 0 || at[0] + 1 == p->nx || at[1] == 0 || at[1] + 1 == p->ny ||
           (s->dimensions == 3 && (at[2] == 0 || at[2] + 1 == p->nz));
}

/* x + 2 y - 3 z, which solves the difference equation and is exact in both types. */
static double linear(const size_t at[3])
{
    return (double)at[0] + 2 * (double)at[1] - 3 * (double)at[2];
}

/* The linear function on the sides, 0 inside. */
static void begin(solver *s)
{
    for (size_t i = 0; i < cells_of(s); i++) {
        size_t at[3];
        coordinates(s, i, at);
        s->start[i] = on_side(s, at) ? linear(at) : 0;
    }
}

static void upload(solver *s)
{
    float narrow[CELLS];
    const size_t bytes = cells_of(s) * hd_type_bytes(s->problem.type);
    const void *from = s->problem.type == HD_F32 ? (const void *)narrow : s->start;
    for (size_t i = 0; i < cells_of(s); i++)
        narrow[i] = (float)s->start[i];
    CHECK_STATUS(hd_copy_blocking_bytes(s->field, from, 1, bytes, s->stream), HD_OK);
    CHECK_STATUS(hd_fill_bytes(s->other, 0x7f, 1, bytes, s->stream), HD_OK);
}

/* The result, as doubles, in s->spare. */
static void download(solver *s)
{
    float narrow[CELLS];
    const size_t n = cells_of(s), bytes = n * hd_type_bytes(s->problem.type);
    void *to = s->problem.type == HD_F32 ? (void *)narrow : s->spare;
    CHECK_STATUS(hd_copy_blocking_bytes(to, s->report.result, 1, bytes, s->stream), HD_OK);
    for (size_t i = 0; s->problem.type == HD_F32 && i < n; i++)
        s->spare[i] = (double)narrow[i];
}

static hd_status solve(solver *s, double tolerance, size_t group)
{
    upload(s);
    return s->dimensions == 3 ? hd_laplace3d(&s->problem, tolerance, group, s->field, s->other,
                                             &s->report, NULL, s->stream)
                              : hd_laplace2d(&s->problem, tolerance, group, s->field, s->other,
                                             &s->report, NULL, s->stream);
}

/* The documented loop by the reference: looks at the norm after every group. */
static hd_laplace_report expect(solver *s, double tolerance, size_t group)
{
    hd_laplace_report made = {0};
    memcpy(s->expected, s->start, cells_of(s) * sizeof *s->start);
    while (made.sweeps < s->problem.sweeps) {
        double *const old = s->expected;
        ref_sweep(&s->problem, s->dimensions, NULL, old, s->spare);
        made.norm = ref_norm(&s->problem, s->dimensions, old, s->spare);
        made.sweeps++;
        s->expected = s->spare;
        s->spare = old;
        if (made.sweeps % group == 0 || made.sweeps == s->problem.sweeps) {
            made.converged = made.norm <= tolerance;
            if (made.converged)
                break;
        }
    }
    return made;
}

static void check(solver *s, double tolerance, size_t group, size_t sweeps)
{
    hd_laplace_report wanted;
    s->problem.sweeps = sweeps;
    begin(s);
    wanted = expect(s, tolerance, group ? group : 64);
    if (!CHECK_STATUS(solve(s, tolerance, group), HD_OK))
        return;
    CHECK_EQ_SIZE(s->report.sweeps, wanted.sweeps);
    CHECK_EQ_I64(s->report.converged, wanted.converged);
    CHECK(s->report.depth >= 1 && s->report.depth <= sweeps);
    CHECK_BITS("norm", &s->report.norm, &wanted.norm, 1, sizeof wanted.norm);
    CHECK(s->report.result == s->field || s->report.result == s->other);
    download(s);
    CHECK_BITS("field", s->spare, s->expected, cells_of(s), sizeof *s->expected);
}

TEST(stops_as_documented)
{
    static const struct {
        double tolerance;
        size_t group, sweeps;
    } cases[] = {{0, 0, 1},   {0, 1, 7},    {0, 0, 130},   {0, 5, 12},   {40, 0, 300},
                 {40, 1, 90}, {40, 3, 100}, {40, 17, 300}, {1e9, 8, 100}};
    for (int kind = 0; kind < 4; kind++) {
        solver s;
        setup(&s, kind % 2 ? 3 : 2, kind / 2 ? HD_F64 : HD_F32);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i += test_watched(1, 2))
            check(&s, cases[i].tolerance, cases[i].group, cases[i].sweeps);
        teardown(&s);
    }
}

/* Until the last sweep changes next to nothing: the linear function comes out. */
/* Norms fall: the one after six sweeps is reached by no fewer. */
TEST(a_norm_that_equals_the_tolerance_has_converged)
{
    solver s;

    setup(&s, 2, HD_F64);
    s.problem.sweeps = 6;
    begin(&s);
    check(&s, expect(&s, 0, 1).norm, 1, 90);
    CHECK_EQ_SIZE(s.report.sweeps, 6);
    teardown(&s);
}

TEST(converges_to_the_solution)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double worst = 0;
        solver s;
        setup(&s, dimensions, HD_F64);
        s.problem.sweeps = test_watched(20000, 400);
        begin(&s);
        CHECK_STATUS(solve(&s, 1e-10, 0), HD_OK);
        CHECK(s.report.converged == (s.report.norm <= 1e-10));
        download(&s);
        for (size_t i = 0; i < cells_of(&s); i++) {
            size_t at[3];
            coordinates(&s, i, at);
            worst = fmax(worst, fabs(s.spare[i] - linear(at)));
        }
        if (test_watched(1, 0)) {
            CHECK(s.report.converged);
            CHECK(worst < 1e-7);
        }
        teardown(&s);
    }
}

/* Periodic along x: what is 0 at the low end of y and 1 at the high end becomes a ramp. */
TEST(periodic_sides)
{
    double worst = 0;
    solver s;
    setup(&s, 2, HD_F64);
    s.problem.sides[0] = s.problem.sides[1] = HD_SIDE_PERIODIC;
    s.problem.sweeps = test_watched(20000, 100);
    for (size_t i = 0; i < cells_of(&s); i++)
        s.start[i] = i / 40 == 29;
    CHECK_STATUS(solve(&s, 1e-10, 0), HD_OK);
    download(&s);
    for (size_t i = 0; i < cells_of(&s); i++)
        worst = fmax(worst, fabs(s.spare[i] - (double)(i / 40) / 29));
    if (test_watched(1, 0))
        CHECK(worst < 1e-8);
    teardown(&s);
}

TEST(bad_input)
{
    solver s;
    double *norms;
    setup(&s, 2, HD_F32);
    norms = s.problem.norms;
    begin(&s);
    CHECK_STATUS(solve(&s, 0, 0), HD_OK);
    CHECK_EQ_SIZE(s.report.sweeps, 0);
    CHECK(s.report.result == s.field);
    s.problem.sweeps = 3;
    CHECK_STATUS(solve(&s, -1, 0), HD_ERR_ARGUMENT);
    CHECK_STATUS(solve(&s, (double)NAN, 0), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "tolerance") != NULL);
    s.problem.norms = NULL;
    CHECK_STATUS(solve(&s, 0, 0), HD_ERR_ARGUMENT);
    s.problem.norms = norms;
    s.problem.sides[2] = HD_SIDE_PERIODIC;
    CHECK_STATUS(solve(&s, 0, 0), HD_ERR_ARGUMENT);
    s.problem.sides[2] = HD_SIDE_FIXED;
    CHECK_STATUS(hd_laplace2d(&s.problem, 0, 0, s.field, s.field, &s.report, NULL, s.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_laplace2d(NULL, 0, 0, s.field, s.other, &s.report, NULL, s.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_laplace3d(&s.problem, 0, 0, s.field, s.other, NULL, NULL, s.stream),
                 HD_ERR_ARGUMENT);
    teardown(&s);
}

TEST_MAIN
