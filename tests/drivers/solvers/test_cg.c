/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy peers */
/* Conjugate gradients over 1 to 4 devices: bits of the solution and of the report against plain
   loops on the host, graphs and streams, events and group, both ways that kernels run; what is
   staged; what is refused and what breaks down; nothing is left allocated. */
#include "arrays.h"

#include <heddle/cg.h>

#include "cg_reference.h"
#include "drivers/sparse/cg_plan.h"

/* ---- systems --------------------------------------------------------------------------------- */

static void system_free(cg_system *s)
{
    free(s->offsets);
    free(s->column);
    free(s->value);
    memset(s, 0, sizeof *s);
}

static void system_alloc(cg_system *s, size_t n, size_t entries)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    s->jacobi = 1;
    s->offsets = calloc(n + 1, sizeof *s->offsets);
    s->column = calloc(entries + 1, sizeof *s->column);
    s->value = calloc(entries + 1, sizeof *s->value);
}

static void put(cg_system *s, int32_t *at, long column, double value)
{
    if (column < 0 || column >= (long)s->n)
        return;
    s->column[*at] = (int32_t)column;
    s->value[(*at)++] = value;
}

/* -1 left, right, `width` before and behind; a diagonal that varies. */
static void system_band(cg_system *s, size_t n, long width)
{
    int32_t at = 0;

    system_alloc(s, n, 5 * n);
    for (long i = 0; i < (long)n; i++) {
        put(s, &at, i - width, -1);
        put(s, &at, i - 1, -1);
        put(s, &at, i, 4.25 + 0.5 * (double)(i % 3));
        put(s, &at, i + 1, -1);
        put(s, &at, i + width, -1);
        s->offsets[i + 1] = at;
    }
}

/* Partners everywhere, i and i ^ k for some k, with equal values both ways: every device needs
   elements of every other. n is a power of two. */
static void system_scattered(cg_system *s, size_t n)
{
    static const size_t partners[] = {1, 0x40, 0x133, 0x200, 0x3ff};
    int32_t at = 0;

    system_alloc(s, n, 6 * n);
    for (size_t i = 0; i < n; i++) {
        put(s, &at, (long)i, 7);
        for (size_t k = 0; k < 5; k++) {
            const size_t j = i ^ (partners[k] % n), low = i < j ? i : j;
            put(s, &at, (long)j, j == i ? 1 : -0.125 * (double)(1 + low % 7));
        }
        s->offsets[i + 1] = at;
    }
}

/* -1, 2, -1: conditioned so badly that rounding shows. */
static void system_chain(cg_system *s, size_t n)
{
    int32_t at = 0;

    system_alloc(s, n, 3 * n);
    for (long i = 0; i < (long)n; i++) {
        put(s, &at, i - 1, -1);
        put(s, &at, i, 2);
        put(s, &at, i + 1, -1);
        s->offsets[i + 1] = at;
    }
}

/* ---- solving --------------------------------------------------------------------------------- */

/* The system in the library's terms. */
typedef struct problem {
    hd_csr matrix;
    void *value, *b, *x; /* in the system's type; x is the first guess */
    double *wide_b, *wide_x;
    cg_result expected;
    double tolerance;
    size_t most;
} problem;

static void narrow(const cg_system *s, const double *from, size_t n, void *to)
{
    for (size_t i = 0; i < n; i++)
        if (s->f32)
            ((float *)to)[i] = (float)from[i];
        else
            ((double *)to)[i] = from[i];
}

static void problem_make(const cg_system *s, problem *p, double tolerance, size_t most)
{
    const size_t entries = (size_t)s->offsets[s->n];

    memset(p, 0, sizeof *p);
    p->tolerance = tolerance;
    p->most = most;
    p->value = calloc(entries + 1, 8);
    p->b = calloc(s->n + 1, 8);
    p->x = calloc(s->n + 1, 8);
    p->wide_b = calloc(s->n + 1, 8);
    p->wide_x = calloc(s->n + 1, 8);
    p->expected.x = calloc(s->n + 1, 8);
    for (size_t i = 0; i < s->n; i++) {
        p->wide_b[i] = cg_round(s, 1 + 0.01 * (double)(i % 17));
        p->wide_x[i] = cg_round(s, 0.1 * (double)(i % 5));
    }
    narrow(s, s->value, entries, p->value);
    narrow(s, p->wide_b, s->n, p->b);
    narrow(s, p->wide_x, s->n, p->x);
    memcpy(p->expected.x, p->wide_x, s->n * 8);
    cg_reference(s, p->wide_b, tolerance, most, &p->expected);
    p->matrix.rows = p->matrix.columns = s->n;
    p->matrix.entries = entries;
    p->matrix.offset_type = HD_I32;
    p->matrix.type = s->f32 ? HD_F32 : HD_F64;
    p->matrix.offsets = s->offsets;
    p->matrix.column = s->column;
    p->matrix.value = p->value;
}

static void problem_free(problem *p)
{
    free(p->value);
    free(p->b);
    free(p->x);
    free(p->wide_b);
    free(p->wide_x);
    free(p->expected.x);
}

static void check_result(const cg_system *s, const problem *p, const void *x,
                         const hd_cg_report *report)
{
    void *expected = calloc(s->n + 1, 8);

    narrow(s, p->expected.x, s->n, expected);
    CHECK_BITS("x", x, expected, s->n, s->f32 ? 4 : 8);
    CHECK_EQ_SIZE(report->iterations, p->expected.iterations);
    CHECK_EQ_F64_BITS(report->residual, p->expected.residual);
    CHECK_EQ_F64_BITS(report->true_residual, p->expected.true_residual);
    CHECK_EQ_F64_BITS(report->norm, p->expected.norm);
    CHECK_EQ_SIZE(report->restarts, p->expected.restarts);
    CHECK_EQ_I64(report->converged, p->expected.converged);
    free(expected);
}

/* Twice with one solver: what a solution leaves behind must do for the next. */
static void check_solver(const cg_system *s, const problem *p, const int *devices, unsigned count,
                         const hd_cg_options *options)
{
    hd_cg *solver = NULL;
    hd_cg_report report;
    void *x = calloc(s->n + 1, 8);

    if (!CHECK_STATUS(hd_cg_create(devices, count, &p->matrix, options, &solver), HD_OK))
        NOTE("%s", hd_error_last()->message);
    for (int turn = 0; turn < 2 && solver; turn++) {
        memcpy(x, p->x, s->n * (s->f32 ? 4 : 8));
        memset(&report, 0, sizeof report);
        CHECK_STATUS(hd_cg_solve(solver, p->b, x, p->tolerance, p->most, &report), HD_OK);
        check_result(s, p, x, &report);
    }
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    free(x);
}

static int device_count(void)
{
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    return count < 4 ? count : 4;
}

/* 1, 2, ... devices, in an order that is not theirs. */
static void check_devices(const cg_system *s, double tolerance, size_t most)
{
    static const int orders[4][4] = {{0}, {1, 0}, {2, 0, 1}, {3, 1, 0, 2}};
    hd_cg_options options = {s->jacobi ? HD_CG_JACOBI : HD_CG_NONE, HD_CG_STREAMS, HD_CG_EVENTS, 5};
    problem p;

    problem_make(s, &p, tolerance, most);
    for (int count = 1; count <= device_count(); count++) {
        hd__spmv_forced.lanes = hd__cg_forced.lanes = count == 2;
        options.issue = count % 2 ? HD_CG_GRAPH : HD_CG_STREAMS;
        check_solver(s, &p, orders[count - 1], (unsigned)count, &options);
    }
    hd__spmv_forced.lanes = hd__cg_forced.lanes = 0;
    problem_free(&p);
}

TEST(bands)
{
    const size_t n = test_watched(1800, 1100);
    cg_system s;

    for (int kind = 0; kind < 4; kind++) {
        system_band(&s, n, 50);
        s.f32 = kind & 1;
        s.jacobi = !(kind & 2);
        check_devices(&s, s.f32 ? 1e-5 : 1e-10, 1000);
        system_free(&s);
    }
}

TEST(scattered)
{
    cg_system s;

    system_scattered(&s, test_watched(2048, 1024));
    check_devices(&s, 1e-11, 1000);
    s.f32 = 1;
    check_devices(&s, 1e-4, 1000);
    system_free(&s);
}

/* The residual that the iteration carries is small enough before b - A x is. */
TEST(begins_again)
{
    static const struct {
        double tolerance;
        int f32, converged;
    } cases[] = {{1e-2, 1, 1}, {1e-3, 1, 0}, {1e-11, 0, 1}};
    cg_system s;

    system_chain(&s, 600);
    for (size_t i = 0; i < test_watched(sizeof cases / sizeof *cases, 1); i++) {
        problem p;
        s.f32 = cases[i].f32;
        problem_make(&s, &p, cases[i].tolerance, 5000);
        CHECK(p.expected.restarts > 0 && p.expected.converged == cases[i].converged);
        problem_free(&p);
        check_devices(&s, cases[i].tolerance, 5000);
        check_devices(&s, cases[i].tolerance, 305); /* ends in the second leg */
    }
    system_free(&s);
}

/* Sums of tiles by a group: the same bits, in a graph too. */
TEST(sums_by_group)
{
    static const int orders[3][4] = {{1, 0}, {2, 0, 1}, {3, 0, 2, 1}};
    cg_system s;
    problem p;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("a sanitizer may wait for one rank's kernel before it launches the next");
    system_band(&s, 1100, 50);
    problem_make(&s, &p, 1e-9, 60);
    for (unsigned count = 2; count <= (unsigned)device_count(); count++) {
        const hd_cg_options options = {HD_CG_JACOBI, count % 2 ? HD_CG_STREAMS : HD_CG_GRAPH,
                                       HD_CG_GROUP, 8};
        check_solver(&s, &p, orders[count - 2], count, &options);
    }
    problem_free(&p);
    system_free(&s);
}

/* Fewer tiles than devices, so that some have no rows; one row; none. */
TEST(small)
{
    static const size_t sizes[] = {0, 1, 2, 255, 256, 257, 513};
    cg_system s;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        system_band(&s, sizes[i], 16);
        check_devices(&s, 1e-12, 100);
        system_free(&s);
    }
}

/* As many iterations as asked for, no more; a window's worth, and not a whole window. */
TEST(limits)
{
    static const size_t limits[] = {0, 1, 4, 5, 6, 11};
    cg_system s;

    system_band(&s, 1000, 30);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        check_devices(&s, 1e-14, limits[i]);
    check_devices(&s, 1e9, 10);
    system_free(&s);
}

/* ---- shares ---------------------------------------------------------------------------------- */

TEST(shares)
{
    static const int devices[] = {0, 1, 2, 3};
    const unsigned count = (unsigned)device_count();
    size_t row = 0, entries = 0;
    hd_cg *solver = NULL;
    hd_cg_share share;
    cg_system s;
    problem p;

    system_band(&s, 2560, 100);
    problem_make(&s, &p, 1, 0);
    REQUIRE(hd_cg_create(devices, count, &p.matrix, NULL, &solver) == HD_OK);
    CHECK_EQ_SIZE(hd_cg_count(solver), count);
    for (unsigned rank = 0; rank < count; rank++) {
        REQUIRE(hd_cg_share_get(solver, rank, &share) == HD_OK);
        CHECK_EQ_SIZE(share.first_row, row);
        CHECK(share.rows % hd_cg_tile(s.n) == 0 && share.rows + 256 >= s.n / count);
        CHECK_EQ_I64(share.device, devices[rank]);
        CHECK_EQ_SIZE(share.halo, (rank > 0 ? 100u : 0u) + (rank + 1 < count ? 100u : 0u));
        CHECK_EQ_SIZE(share.boundary_rows, share.halo);
        CHECK_EQ_SIZE(share.neighbours, (rank > 0) + (rank + 1 < count));
        row += share.rows;
        entries += share.entries;
    }
    CHECK_EQ_SIZE(row, s.n);
    CHECK_EQ_SIZE(entries, p.matrix.entries);
    CHECK_STATUS(hd_cg_share_get(solver, count, &share), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    problem_free(&p);
    system_free(&s);
}

/* Halos and sums of tiles, and nothing else, go through host memory where there is no access. */
TEST(staged)
{
    static const int devices[] = {0, 1};
    const hd_cg_options options = {HD_CG_JACOBI, HD_CG_STREAMS, HD_CG_EVENTS, 4};
    hd_peer_path path = HD_PATH_SAME;
    uint64_t before, after;
    hd_cg_report report;
    hd_cg *solver = NULL;
    hd_cg_share share;
    cg_system s;
    problem p;

    if (device_count() < 2)
        SKIP("one device");
    REQUIRE(hd_peer_connect(0, 1, &path) == HD_OK);
    system_band(&s, 1280, 40);
    problem_make(&s, &p, 0, 7);
    REQUIRE(hd_cg_create(devices, 2, &p.matrix, &options, &solver) == HD_OK);
    REQUIRE(hd_cg_share_get(solver, 0, &share) == HD_OK);
    CHECK_STATUS(hd_peer_staged_bytes(0, 1, &before), HD_OK);
    CHECK_STATUS(hd_cg_solve(solver, p.b, p.x, 0, 7, &report), HD_OK);
    CHECK_STATUS(hd_peer_staged_bytes(0, 1, &after), HD_OK);
    /* 7 iterations with a plane and two, and two residuals with three */
    CHECK_EQ_U64(after - before,
                 path == HD_PATH_STAGED ? 40 * 8 * 9 + share.rows / 256 * 8 * (7 * 3 + 2 * 3) : 0);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    problem_free(&p);
    system_free(&s);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static hd_status solve_with(const cg_system *s, problem *p, hd_cg_preconditioner preconditioner,
                            hd_cg_report *report)
{
    static const int devices[] = {0, 1, 2, 3};
    const hd_cg_options options = {preconditioner, HD_CG_GRAPH, HD_CG_EVENTS, 4};
    hd_cg *solver = NULL;
    hd_status status;

    (void)s;
    HD_TRY(hd_cg_create(devices, (unsigned)device_count(), &p->matrix, &options, &solver));
    status = hd_cg_solve(solver, p->b, p->x, p->tolerance, p->most, report);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    return status;
}

TEST(breakdown)
{
    hd_cg_report report = {0};
    cg_system s;
    problem p;

    system_band(&s, 600, 20);
    problem_make(&s, &p, 1e-10, 100);
    for (size_t i = 0; i < p.matrix.entries; i++)
        ((double *)p.value)[i] *= -1;
    CHECK_STATUS(solve_with(&s, &p, HD_CG_NONE, &report), HD_ERR_SINGULAR);
    CHECK(strstr(hd_error_last()->message, "iteration 1: the matrix is not positive definite"));
    CHECK_EQ_SIZE(report.iterations, 0);
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_ERR_SINGULAR);
    CHECK(strstr(hd_error_last()->message, "row 0 has -4.25 on the diagonal") != NULL);
    problem_free(&p);
    problem_make(&s, &p, 1e-10, 100);
    ((double *)p.b)[300] = NAN;
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_ERR_OVERFLOW);
    CHECK(strstr(hd_error_last()->message, "the sum of squares of b is not finite") != NULL);
    ((double *)p.b)[300] = 1e200;
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_ERR_OVERFLOW);
    ((double *)p.b)[300] = 1;
    ((double *)p.x)[300] = 1e200;
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_ERR_OVERFLOW);
    CHECK(strstr(hd_error_last()->message, "a number in iteration 1 is not finite") != NULL);
    CHECK(!report.converged);
    problem_free(&p);
    system_free(&s);
}

/* Two unknowns, entries by hand. */
static hd_status solve_two(const int64_t offsets[3], const int32_t *column, const double *value,
                           const double b[2], hd_cg_preconditioner how, hd_cg_report *report)
{
    static const int devices[] = {0};
    const hd_cg_options options = {.preconditioner = how};
    const hd_csr matrix = {.rows = 2,
                           .columns = 2,
                           .entries = (size_t)offsets[2],
                           .type = HD_F64,
                           .offset_type = HD_I64,
                           .offsets = offsets,
                           .column = column,
                           .value = value};
    double x[2] = {0, 0};
    hd_cg *solver = NULL;
    hd_status status;

    HD_TRY(hd_cg_create(devices, 1, &matrix, &options, &solver));
    status = hd_cg_solve(solver, b, x, 1e-10, 10, report);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    return status;
}

/* p . A p is 0: semidefinite, and b is what A takes to 0. */
TEST(breakdown_of_a_semidefinite_matrix)
{
    static const int64_t offsets[] = {0, 2, 4};
    static const int32_t column[] = {0, 1, 0, 1};
    static const double value[] = {1, -1, -1, 1}, b[] = {1, 1};
    hd_cg_report report = {0};

    CHECK_STATUS(solve_two(offsets, column, value, b, HD_CG_JACOBI, &report), HD_ERR_SINGULAR);
    CHECK(strstr(hd_error_last()->message, "p.Ap = 0 in iteration 1") != NULL);
}

/* 5 - 1 and 4 on the diagonal: a preconditioner that knew one of two would refuse, or need more. */
TEST(entries_of_one_place_on_the_diagonal)
{
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t column[] = {0, 0, 1};
    static const double value[] = {5, -1, 4}, b[] = {4, 8};
    const double infinite[] = {INFINITY, 1, 4};
    hd_cg_report report = {0};

    CHECK_STATUS(solve_two(offsets, column, value, b, HD_CG_JACOBI, &report), HD_OK);
    CHECK(report.converged && report.iterations == 1);
    CHECK_STATUS(solve_two(offsets, column, infinite, b, HD_CG_JACOBI, &report), HD_ERR_SINGULAR);
}

/* 11 tiles for 4 devices: a cut is at the tile that is nearest. */
TEST(shares_are_cut_at_the_nearest_tile)
{
    enum { TILE = 256, N = 11 * TILE };
    static const int devices[] = {0, 1, 2, 3};
    static const size_t cuts[] = {0, 3 * TILE, 5 * TILE, 8 * TILE};
    static int64_t offsets[N + 1];
    static int32_t column[N];
    static double value[N];
    const hd_csr matrix = {N, N, N, HD_I64, HD_F64, offsets, column, value};
    hd_cg *solver = NULL;
    hd_cg_share share;

    if (device_count() < 4)
        SKIP("fewer than 4 devices");
    for (int32_t i = 0; i < N; i++) {
        offsets[i + 1] = i + 1;
        column[i] = i;
        value[i] = 1;
    }
    REQUIRE(hd_cg_create(devices, 4, &matrix, NULL, &solver) == HD_OK);
    for (unsigned rank = 0; rank < 4; rank++) {
        CHECK_STATUS(hd_cg_share_get(solver, rank, &share), HD_OK);
        CHECK_EQ_SIZE(share.first_row, cuts[rank]);
    }
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    CHECK_EQ_SIZE(hd_cg_tile(4096 * TILE), TILE);
    CHECK_EQ_SIZE(hd_cg_tile(4096 * TILE + 1), 2 * TILE);
}

/* Sums of squares that are 0 where the numbers are not; a solution that is 0. */
TEST(smallness)
{
    hd_cg_report report = {0};
    cg_system s;
    problem p;

    system_chain(&s, 100);
    problem_make(&s, &p, 1e-8, 1000);
    for (size_t i = 0; i < s.n; i++) {
        ((double *)p.b)[i] = 1e-170;
        ((double *)p.x)[i] = 0;
    }
    report.converged = 1;
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_ERR_OVERFLOW);
    CHECK(strstr(hd_error_last()->message, "is 0 in f64, though b is not") != NULL);
    CHECK(!report.converged && ((double *)p.x)[50] == 0);
    memset(p.b, 0, s.n * 8);
    for (size_t i = 0; i < s.n; i++)
        ((double *)p.x)[i] = sin((double)i);
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_OK);
    CHECK(report.converged && report.iterations <= s.n && report.true_residual <= 1e-8);
    p.tolerance = 0;
    p.most = 100000;
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_OK);
    CHECK(report.true_residual < 1e-100);
    problem_free(&p);
    system_free(&s);
}

/* To a tolerance of 0: until rounding lets b - A x fall no further, in either type. */
TEST(as_far_as_it_goes)
{
    for (int f32 = 0; f32 < 2; f32++) {
        hd_cg_report report = {0};
        cg_system s;
        problem p;

        system_band(&s, 60, 5);
        s.f32 = f32;
        problem_make(&s, &p, 1e-5, 10000);
        p.tolerance = 0;
        CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_OK);
        CHECK(!report.converged && report.iterations < 10000);
        CHECK(report.true_residual < (f32 ? 1e-5 : 1e-14));
        problem_free(&p);
        system_free(&s);
    }
}

TEST(nothing_to_do)
{
    hd_cg_report report = {0};
    cg_system s;
    problem p;

    system_band(&s, 600, 20);
    problem_make(&s, &p, 1e-10, 100);
    memset(p.b, 0, s.n * 8);
    memset(p.x, 0, s.n * 8);
    CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report), HD_OK);
    CHECK(report.converged && report.iterations == 0);
    CHECK_EQ_F64_BITS(report.norm, 0.0);
    problem_free(&p);
    system_free(&s);
}

TEST(refused)
{
    int devices[] = {0, 0};
    hd_cg *solver = NULL;
    hd_cg_report report;
    cg_system s;
    problem p;

    system_band(&s, 300, 20);
    problem_make(&s, &p, 1e-10, 100);
    CHECK_STATUS(hd_cg_create(devices, 2, &p.matrix, NULL, &solver), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "device 0 is listed twice") != NULL);
    CHECK_STATUS(hd_cg_create(devices, 0, &p.matrix, NULL, &solver), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_create(devices, 1, NULL, NULL, &solver), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_create(devices, 1, &p.matrix, NULL, NULL), HD_ERR_ARGUMENT);
    devices[0] = 4711;
    CHECK_STATUS(hd_cg_create(devices, 1, &p.matrix, NULL, &solver), HD_ERR_DEVICE_INDEX);
    devices[0] = 0;
    p.matrix.columns++;
    CHECK_STATUS(hd_cg_create(devices, 1, &p.matrix, NULL, &solver), HD_ERR_ARGUMENT);
    p.matrix.columns--;
    CHECK(solver == NULL);
    REQUIRE(hd_cg_create(devices, 1, &p.matrix, NULL, &solver) == HD_OK);
    CHECK_STATUS(hd_cg_solve(solver, NULL, p.x, 0, 1, &report), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_solve(solver, p.b, p.x, NAN, 1, &report), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_solve(solver, p.b, p.x, -1, 1, &report), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_solve(solver, p.b, p.x, 0, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_solve(NULL, p.b, p.x, 0, 1, &report), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    CHECK_STATUS(hd_cg_destroy(NULL), HD_OK);
    problem_free(&p);
    system_free(&s);
}

/* One device without memory for its share: a status, and all memory of the others is free again. */
TEST(out_of_memory)
{
    const int count = device_count();
    size_t before[4], now, total;
    hd_cg_report report;
    void *hog = NULL;
    cg_system s;
    problem p;

    if (strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("takes a device's memory away");
    system_band(&s, 8192, 20);
    problem_make(&s, &p, 1e-10, 3);
    for (int round = 0; round < 2; round++) {
        for (int d = 0; d < count; d++)
            REQUIRE(hd_device_memory(d, &before[d], &total) == HD_OK);
        if (round == 0) /* leaves less than a share */
            REQUIRE(hd_alloc_bytes(&hog, before[count - 1] - 60000, 1, HD_MEM_DEVICE, count - 1) ==
                    HD_OK);
        CHECK_STATUS(solve_with(&s, &p, HD_CG_JACOBI, &report),
                     round == 0 ? HD_ERR_NO_MEMORY : HD_OK);
        CHECK_STATUS(hd_free(hog), HD_OK);
        hog = NULL;
        for (int d = 0; d < count; d++) {
            REQUIRE(hd_device_memory(d, &now, &total) == HD_OK);
            CHECK_EQ_SIZE(now, before[d]);
        }
    }
    problem_free(&p);
    system_free(&s);
}

TEST_MAIN
