/* SPDX-License-Identifier: Apache-2.0 */
/* test_jacobi_halo.c - hd_jacobi2d on a part of a field, whose sides are halos that lie in memory,
   against the scalar program on the whole field, as bits: cells, norms, and nothing else written.
   labels: sanitizer several */
#include "arrays.h"

#include "jacobi_reference.h"
#include "drivers/stencil/jacobi_plan.h"

/* A part: columns x to x + nx - 1 and rows y to y + ny - 1 of a field of whole_nx by whole_ny. */
typedef struct part {
    hd_type type;
    size_t whole_nx, whole_ny, x, y, nx, ny, halo;
    hd_side side; /* of the whole field */
} part;

typedef struct fields {
    double *before, *after, *last; /* the whole field: at first, after the sweeps, one earlier */
    double norm;                   /* of the part, of the last sweep */
} fields;

static hd_jacobi whole_of(const part *q)
{
    hd_jacobi p = {0};
    p.type = q->type;
    p.nx = q->whole_nx;
    p.ny = q->whole_ny;
    p.sides[0] = p.sides[1] = p.sides[2] = p.sides[3] = q->side;
    return p;
}

static hd_jacobi problem_of(const part *q)
{
    hd_jacobi p = whole_of(q);
    p.nx = q->nx;
    p.ny = q->ny;
    p.halo = q->halo;
    p.pitch = (q->nx + 2 * q->halo + 3) / 4 * 4;
    if (q->x > 0 || q->nx < q->whole_nx) {
        p.sides[0] = q->x > 0 || q->side == HD_SIDE_PERIODIC ? HD_SIDE_HALO : q->side;
        p.sides[1] = q->x + q->nx < q->whole_nx || q->side == HD_SIDE_PERIODIC ? HD_SIDE_HALO
                                                                               : q->side;
    }
    if (q->y > 0 || q->ny < q->whole_ny) {
        p.sides[2] = q->y > 0 || q->side == HD_SIDE_PERIODIC ? HD_SIDE_HALO : q->side;
        p.sides[3] = q->y + q->ny < q->whole_ny || q->side == HD_SIDE_PERIODIC ? HD_SIDE_HALO
                                                                               : q->side;
    }
    return p;
}

static void cut_part(const part *q, const double *whole, double *cells)
{
    for (size_t y = 0; y < q->ny; y++)
        memcpy(cells + y * q->nx, whole + (q->y + y) * q->whole_nx + q->x, q->nx * sizeof *cells);
}

static void reference(const part *q, size_t sweeps, fields *f)
{
    const hd_jacobi whole = whole_of(q), p = problem_of(q);
    const size_t cells = q->whole_nx * q->whole_ny;
    double *was = malloc(2 * q->nx * q->ny * sizeof *was), *is = was + q->nx * q->ny;
    f->after = malloc(cells * sizeof *f->after);
    f->last = malloc(cells * sizeof *f->last);
    REQUIRE(was && f->after && f->last);
    memcpy(f->after, f->before, cells * sizeof *f->after);
    for (size_t s = 0; s < sweeps; s++) {
        double *const next = f->last;
        ref_sweep(&whole, 2, NULL, f->after, next);
        f->last = f->after;
        f->after = next;
    }
    cut_part(q, f->last, was);
    cut_part(q, f->after, is);
    f->norm = ref_norm(&p, 2, was, is);
    free(was);
}

/* Where cell (x, y) of the part, which may be beyond it, is in the whole field. */
static size_t whole_cell(const part *q, ptrdiff_t x, ptrdiff_t y)
{
    const ptrdiff_t nx = (ptrdiff_t)q->whole_nx, ny = (ptrdiff_t)q->whole_ny;
    return (size_t)(((y + (ptrdiff_t)q->y + ny) % ny) * nx + (x + (ptrdiff_t)q->x + nx) % nx);
}

static void set_cell(hd_type type, void *array, size_t at, double value)
{
    if (type == HD_F32)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static double get_cell(hd_type type, const void *array, size_t at)
{
    return type == HD_F32 ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

/* The part and its halos in an array whose row r is row r - halo of the part. */
static void fill(const part *q, const hd_jacobi *p, const fields *f, test_array *a)
{
    const ptrdiff_t halo = (ptrdiff_t)q->halo;
    for (ptrdiff_t y = -halo; y < (ptrdiff_t)q->ny + halo; y++)
        for (ptrdiff_t x = -halo; x < (ptrdiff_t)p->pitch - halo; x++) {
            const size_t at = (size_t)(y + halo) * p->pitch + (size_t)(x + halo);
            const int known = x < (ptrdiff_t)q->nx + halo;
            set_cell(p->type, a->host, at, known ? f->before[whole_cell(q, x, y)] : 0);
        }
}

static void compare(const char *what, const part *q, const hd_jacobi *p, const fields *f,
                    const test_array *got, const test_array *other)
{
    const size_t halo = q->halo;
    for (size_t y = 0; y < q->ny + 2 * halo; y++)
        for (size_t x = 0; x < p->pitch; x++) {
            const int own = x >= halo && x < halo + q->nx && y >= halo && y < halo + q->ny;
            const size_t at = y * p->pitch + x;
            const double g = get_cell(p->type, got->host, at);
            const double e = own ? f->after[(q->y + y - halo) * q->whole_nx + q->x + x - halo]
                                 : get_cell(p->type, other->host, at);
            if (memcmp(&g, &e, sizeof g) != 0) {
                test_fail(__FILE__, __LINE__, "%s: cell %zu %zu is %a, expected %a", what, x, y, g,
                          e);
                return;
            }
        }
}

static void run(const part *q, const fields *f, unsigned sweeps, int norms, hd_stream *stream)
{
    const size_t size = hd_type_bytes(q->type);
    hd_jacobi p = problem_of(q);
    const size_t bytes = p.pitch * (q->ny + 2 * q->halo) * size;
    const size_t first = (q->halo * p.pitch + q->halo) * size;
    test_array field, other, before;
    double got[8] = {0};
    void *result = NULL;
    char what[200];
    snprintf(what, sizeof what, "%s %zux%zu at %zu %zu of %zux%zu halo %zu sweeps %u norms %d",
             hd_type_name(q->type), q->nx, q->ny, q->x, q->y, q->whole_nx, q->whole_ny, q->halo,
             sweeps, norms);
    test_array_make(&field, bytes, 0, stream);
    test_array_make(&other, bytes, 0, stream);
    test_array_make(&before, bytes, 0, stream);
    fill(q, &p, f, &field);
    memset(other.host, 0x11, bytes);
    memset(before.host, 0x11, bytes);
    test_array_upload(&field, stream);
    test_array_upload(&other, stream);
    p.sweeps = p.depth = sweeps;
    if (norms)
        REQUIRE(hd_alloc(&p.norms, 8, 0) == HD_OK);
    if (CHECK_STATUS(
            hd_jacobi2d(&p, field.device + first, other.device + first, &result, NULL, stream),
            HD_OK)) {
        CHECK(result == other.device + first);
        test_array_download(&other, stream);
        compare(what, q, &p, f, &other, &before);
    }
    if (norms) {
        CHECK_STATUS(hd_copy_blocking(got, p.norms, sweeps, stream), HD_OK);
        CHECK_BITS(what, got + sweeps - 1, &f->norm, 1, sizeof *got);
    }
    hd_free(p.norms);
    test_array_free(&field);
    test_array_free(&other);
    test_array_free(&before);
}

static void check_part(part q, unsigned sweeps, hd_stream *stream)
{
    fields f = {0};
    const size_t cells = q.whole_nx * q.whole_ny;
    uint64_t state = cells + q.x;
    f.before = malloc(cells * sizeof *f.before);
    REQUIRE(f.before != NULL);
    for (size_t i = 0; i < cells; i++)
        f.before[i] = (double)(float)((double)(test_next(&state) >> 40) * 0x1p-24 - 0.5);
    reference(&q, sweeps, &f);
    for (int norms = 0; norms < 2; norms++) {
        if (sweeps == 1)
            run(&q, &f, sweeps, norms, stream);
        hd__jacobi_forced.lanes = 1;
        run(&q, &f, sweeps, norms, stream);
        hd__jacobi_forced.chunks = 3;
        run(&q, &f, sweeps, norms, stream);
        hd__jacobi_forced.chunks = 0;
        hd__jacobi_forced.lanes = 0;
    }
    free(f.before);
    free(f.after);
    free(f.last);
}

/* Stripes and tiles, of all sides halos or some, with bands that are whole at the end or not. */
static const part parts[] = {
    {HD_F32, 60, 70, 8, 9, 40, 48, 8, HD_SIDE_FIXED},
    {HD_F32, 60, 70, 0, 16, 60, 48, 16, HD_SIDE_PERIODIC},
    {HD_F64, 60, 70, 0, 16, 60, 37, 5, HD_SIDE_FIXED},
    {HD_F32, 61, 50, 0, 0, 61, 32, 8, HD_SIDE_FIXED},
    {HD_F64, 61, 50, 0, 32, 61, 18, 9, HD_SIDE_MIRROR},
    {HD_F32, 700, 90, 4, 16, 690, 48, 16, HD_SIDE_PERIODIC},
    {HD_F32, 1200, 64, 0, 16, 1200, 32, 16, HD_SIDE_FIXED},
    {HD_F64, 1100, 64, 0, 16, 1100, 32, 16, HD_SIDE_PERIODIC},
    {HD_F32, 1200, 70, 0, 32, 1200, 38, 16, HD_SIDE_MIRROR},
    {HD_F32, 40, 40, 17, 19, 1, 1, 8, HD_SIDE_FIXED},
    {HD_F32, 90, 40, 20, 0, 33, 40, 8, HD_SIDE_FIXED},
};

TEST(parts_of_a_field)
{
    hd_stream *stream = NULL;
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i += test_watched(1, 2))
        for (unsigned sweeps = 1; sweeps <= (parts[i].type == HD_F32 ? 8u : 4u); sweeps *= 2)
            if (sweeps <= parts[i].halo && (test_watched(1, 0) || sweeps != 2))
                check_part(parts[i], sweeps, stream);
    hd_stream_destroy(stream);
}

TEST(bad_halos)
{
    hd_stream *stream = NULL;
    float *field = NULL;
    void *result = NULL;
    hd_jacobi p = {0};
    REQUIRE(hd_stream_create(0, &stream) == HD_OK);
    REQUIRE(hd_alloc(&field, 800, 0) == HD_OK);
    p.type = HD_F32;
    p.nx = p.ny = p.pitch = 16;
    p.sides[3] = HD_SIDE_HALO;
    p.sweeps = 1;
    CHECK_STATUS(hd_jacobi2d(&p, field, field + 400, &result, NULL, stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "halo of 0 cells") != NULL);
    p.halo = 4;
    p.sweeps = 3;
    CHECK_STATUS(hd_jacobi2d(&p, field, field + 400, &result, NULL, stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "not one pass") != NULL);
    p.sweeps = 1;
    p.ny = 22; /* four rows more leave the allocation */
    CHECK_STATUS(hd_jacobi2d(&p, field, field + 400, &result, NULL, stream), HD_ERR_POINTER);
    p.ny = 16;
    CHECK_STATUS(hd_jacobi2d(&p, field, field + 300, &result, NULL, stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "overlap") != NULL);
    p.nz = 16;
    CHECK_STATUS(hd_jacobi3d(&p, field, field + 400, &result, NULL, stream), HD_ERR_UNSUPPORTED);
    hd_free(field);
    hd_stream_destroy(stream);
}

TEST_MAIN
