/* SPDX-License-Identifier: Apache-2.0 */
/* test_jacobi.c - hd_jacobi2d and hd_jacobi3d against the scalar program of jacobi_reference.h, as
   bits: extents around every edge, sides, pitches, depths, kernels, held cells, bad input.
   labels: sanitizer */
#include "arrays.h"

#include "jacobi_reference.h"
#include "drivers/stencil/jacobi_plan.h"

enum { MAX_SWEEPS = 16 };

typedef struct device {
    hd_stream *stream;
    double *norms;
} device;

static void open_device(device *d)
{
    REQUIRE(hd_stream_create(0, &d->stream) == HD_OK);
    REQUIRE(hd_alloc(&d->norms, 1024, 0) == HD_OK);
}

static void close_device(device *d)
{
    CHECK_STATUS(hd_stream_synchronize(d->stream), HD_OK);
    hd_free(d->norms);
    hd_stream_destroy(d->stream);
}

/* What the fields should be after the sweeps, and the norms; the first `sweeps` of MAX_SWEEPS. */
typedef struct expected {
    double *field;
    double norms[MAX_SWEEPS];
} expected;

static size_t pitch_of(const hd_jacobi *p)
{
    return p->pitch ? p->pitch : p->nx;
}

static size_t plane_of(const hd_jacobi *p)
{
    return p->plane ? p->plane : p->ny * pitch_of(p);
}

static size_t deep(const hd_jacobi *p, int dimensions)
{
    return dimensions == 3 ? p->nz : 1;
}

static double read_cell(const hd_jacobi *p, const void *field, size_t x, size_t y, size_t z)
{
    const size_t at = z * plane_of(p) + y * pitch_of(p) + x;
    return p->type == HD_F32 ? (double)((const float *)field)[at] : ((const double *)field)[at];
}

/* The reference on a field of the type; p->sweeps sweeps. */
static void reference(const hd_jacobi *p, int dimensions, const unsigned char *held,
                      const void *field, expected *e)
{
    const size_t nz = deep(p, dimensions), cells = p->nx * p->ny * nz;
    double *u = malloc(cells * sizeof *u), *next = malloc(cells * sizeof *next);
    REQUIRE(u && next);
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < p->ny; y++)
            for (size_t x = 0; x < p->nx; x++)
                u[ref_cell(p, x, y, z)] = read_cell(p, field, x, y, z);
    for (size_t s = 0; s < p->sweeps; s++) {
        double *const old = u;
        ref_sweep(p, dimensions, held, u, next);
        e->norms[s] = ref_norm(p, dimensions, u, next);
        u = next;
        next = old;
    }
    free(next);
    e->field = u;
}

/* Compares cells, and that what lies between rows is as it was. */
static void compare(const char *what, const hd_jacobi *p, int dimensions, const expected *e,
                    const unsigned char *got)
{
    const size_t nz = deep(p, dimensions);
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < p->ny; y++)
            for (size_t x = 0; x < pitch_of(p); x++) {
                const double g = x < p->nx ? read_cell(p, got, x, y, z) : 0;
                const double r = x < p->nx ? e->field[ref_cell(p, x, y, z)] : 0;
                const size_t size = hd_type_bytes(p->type);
                const size_t at = z * plane_of(p) + y * pitch_of(p) + x;
                if (x < p->nx && memcmp(&g, &r, sizeof g) != 0) {
                    test_fail(__FILE__, __LINE__, "%s: cell %zu %zu %zu is %a, expected %a", what,
                              x, y, z, g, r);
                    return;
                }
                for (size_t i = 0; x >= p->nx && y + 1 < p->ny && i < size; i++)
                    if (got[at * size + i] != ARRAY_POISON) {
                        test_fail(__FILE__, __LINE__, "%s: element %zu of row %zu is written", what,
                                  x, y);
                        return;
                    }
            }
}

/* Uploads the rows of a, not what lies between them. */
static void upload(const hd_jacobi *p, int dimensions, test_array *a, hd_stream *stream)
{
    const size_t size = hd_type_bytes(p->type);
    for (size_t z = 0; z < deep(p, dimensions); z++) {
        const size_t at = z * plane_of(p) * size;
        CHECK_STATUS(hd_copy_2d(a->device + at, pitch_of(p) * size, a->host + at,
                                pitch_of(p) * size, p->nx * size, p->ny, stream),
                     HD_OK);
    }
    CHECK_STATUS(hd_stream_synchronize(stream), HD_OK);
}

static void check_norms(const char *what, const hd_jacobi *p, const expected *e, device *d)
{
    double norms[MAX_SWEEPS];
    CHECK_STATUS(hd_copy_blocking(norms, p->norms, p->sweeps, d->stream), HD_OK);
    CHECK_BITS(what, norms, e->norms, p->sweeps, sizeof *norms);
}

/* One run of the library against what is expected. */
static void run_once(device *d, const hd_jacobi *p, int dimensions, test_array *field,
                     const expected *e, const char *how)
{
    char what[200];
    test_array other;
    void *result = NULL;
    hd_status status;
    snprintf(what, sizeof what,
             "%dd %s %zux%zux%zu pitch %zu depth %u sweeps %zu sides %d%d%d%d %s", dimensions,
             hd_type_name(p->type), p->nx, p->ny, p->nz, p->pitch, p->depth, p->sweeps,
             (int)p->sides[0], (int)p->sides[1], (int)p->sides[2], (int)p->sides[3], how);
    test_array_make(&other, field->bytes, field->shift, d->stream);
    test_array_poison(field, d->stream);
    upload(p, dimensions, field, d->stream);
    if (p->norms)
        CHECK_STATUS(hd_fill_bytes(d->norms, 0xff, 1, sizeof(double) * MAX_SWEEPS, d->stream),
                     HD_OK);
    status = dimensions == 2
                 ? hd_jacobi2d(p, field->device, other.device, &result, NULL, d->stream)
                 : hd_jacobi3d(p, field->device, other.device, &result, NULL, d->stream);
    if (CHECK_STATUS(status, HD_OK)) {
        test_array *got = result == field->device ? field : &other;
        unsigned char *kept = malloc(field->bytes + 1);
        REQUIRE(kept != NULL);
        CHECK(result == field->device || result == other.device);
        memcpy(kept, got->host, field->bytes);
        test_array_download(got, d->stream);
        compare(what, p, dimensions, e, got->host);
        memcpy(got->host, kept, field->bytes);
        free(kept);
        if (p->norms)
            check_norms(what, p, e, d);
    }
    test_array_free(&other);
}

/* All depths, with norms and without, by every kernel that is there. */
static void check_depths(device *d, hd_jacobi p, int dimensions, test_array *field,
                         const unsigned char *held, size_t sweeps)
{
    static const unsigned depths[] = {0, 1, 2, 4, 8};
    expected e = {0};
    p.sweeps = sweeps;
    p.norms = d->norms;
    reference(&p, dimensions, held, field->host, &e);
    REQUIRE(e.field != NULL);
    run_once(d, &p, dimensions, field, &e, "");
    hd__jacobi_forced.lanes = 1;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        p.depth = depths[i];
        p.norms = d->norms;
        run_once(d, &p, dimensions, field, &e, "lanes");
        hd__jacobi_forced.chunks = 3;
        p.norms = i % 2 ? NULL : d->norms;
        run_once(d, &p, dimensions, field, &e, "lanes, three chunks");
        hd__jacobi_forced.chunks = 0;
        if (test_watched(0, 1) && i > 1)
            i++;
    }
    hd__jacobi_forced.lanes = 0;
    p.norms = NULL;
    p.depth = 0;
    run_once(d, &p, dimensions, field, &e, "no norms");
    free(e.field);
}

/* Scales each quad of columns by a power of two of its own, so that the order of their partial sums
   tells in the norm. */
static void scale_quads(const hd_jacobi *p, size_t cells, void *field)
{
    for (size_t i = 0; i < cells; i++) {
        uint64_t seed = i % pitch_of(p) / 4;
        const double scale = ldexp(1, (int)(test_next(&seed) % 25) - 12);
        if (p->type == HD_F32)
            ((float *)field)[i] *= (float)scale;
        else
            ((double *)field)[i] *= scale;
    }
}

/* A field of random values, `shift` bytes from a boundary. */
static void check_values(device *d, hd_jacobi p, int dimensions, size_t shift, size_t sweeps,
                         int scaled)
{
    const size_t size = hd_type_bytes(p.type);
    const size_t cells = (deep(&p, dimensions) - 1) * plane_of(&p) + p.ny * pitch_of(&p);
    test_array field;
    test_array_make(&field, cells * size, shift, d->stream);
    test_fill(field.host, cells, p.type, VALUES_RANDOM, 17 + p.nx * 31 + p.ny);
    if (scaled)
        scale_quads(&p, cells, field.host);
    check_depths(d, p, dimensions, &field, NULL, sweeps);
    test_array_free(&field);
}

static void check_field(device *d, hd_jacobi p, int dimensions, size_t shift, size_t sweeps)
{
    check_values(d, p, dimensions, shift, sweeps, 0);
}

static const hd_type types[] = {HD_F32, HD_F64};

/* ---- two dimensions -------------------------------------------------------------------------- */

/* What both sides of an axis may be. */
enum { SIDE_PAIRS = 5 };
static const hd_side pairs[SIDE_PAIRS][2] = {{HD_SIDE_FIXED, HD_SIDE_FIXED},
                                             {HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
                                             {HD_SIDE_MIRROR, HD_SIDE_MIRROR},
                                             {HD_SIDE_MIRROR, HD_SIDE_FIXED},
                                             {HD_SIDE_FIXED, HD_SIDE_MIRROR}};

TEST(small_extents_and_all_sides)
{
    static const size_t extents[] = {1, 2, 3, 4, 5, 7};
    device d;
    open_device(&d);
    for (size_t i = 0; i < 36; i++) {
        const size_t x = i % SIDE_PAIRS, y = (i / SIDE_PAIRS + i) % SIDE_PAIRS;
        hd_jacobi p = {0};
        p.type = types[i % 2];
        p.nx = extents[i % 6];
        p.ny = extents[i / 6];
        p.sides[0] = pairs[x][0];
        p.sides[1] = pairs[x][1];
        p.sides[2] = pairs[y][0];
        p.sides[3] = pairs[y][1];
        if (i % test_watched(1, 5) == 0)
            check_field(&d, p, 2, 0, 5);
    }
    close_device(&d);
}

/* Around quads, strips and bands; several strips that touch no side. */
TEST(extents_2d)
{
    static const struct {
        size_t nx, ny, pitch;
        hd_side x, y;
    } cases[] = {{31, 17, 0, HD_SIDE_FIXED, HD_SIDE_PERIODIC},
                 {64, 64, 0, HD_SIDE_PERIODIC, HD_SIDE_FIXED},
                 {113, 33, 128, HD_SIDE_MIRROR, HD_SIDE_FIXED},
                 {121, 16, 0, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
                 {256, 53, 260, HD_SIDE_FIXED, HD_SIDE_MIRROR},
                 {127, 7, 131, HD_SIDE_FIXED, HD_SIDE_FIXED},
                 {1021, 61, 1024, HD_SIDE_FIXED, HD_SIDE_FIXED},
                 {1024, 96, 0, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
                 {997, 83, 1000, HD_SIDE_MIRROR, HD_SIDE_MIRROR},
                 {3, 211, 0, HD_SIDE_FIXED, HD_SIDE_FIXED},
                 {2053, 19, 2056, HD_SIDE_FIXED, HD_SIDE_PERIODIC}};
    device d;
    open_device(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += test_watched(1, 3))
        for (size_t t = 0; t < 2; t++) {
            hd_jacobi p = {0};
            p.type = types[t];
            p.nx = cases[i].nx;
            p.ny = cases[i].ny;
            p.pitch = cases[i].pitch;
            p.sides[0] = p.sides[1] = cases[i].x;
            p.sides[2] = p.sides[3] = cases[i].y;
            if (test_watched(1, 0) || (i + t) % 2 == 0)
                check_field(&d, p, 2, 0, i < 5 ? 15 : 9);
        }
    close_device(&d);
}

TEST(unaligned_fields)
{
    device d;
    open_device(&d);
    for (size_t t = 0; t < 2; t++) {
        hd_jacobi p = {0};
        p.type = types[t];
        p.nx = 260;
        p.ny = 20;
        check_field(&d, p, 2, hd_type_bytes(p.type), 9);
        p.pitch = 261;
        check_field(&d, p, 2, 0, 9);
    }
    close_device(&d);
}

/* Bands of 32 rows, several tiles of partial sums. */
TEST(large_field)
{
    device d;
    hd_jacobi p = {0};
    open_device(&d);
    p.type = HD_F32;
    p.nx = test_watched(2312, 515);
    p.ny = test_watched(1151, 67);
    if (test_watched(1, 0))
        check_field(&d, p, 2, 0, 2);
    p.nx = 4 * HD__JACOBI_TILE + 5;
    p.ny = 2;
    check_field(&d, p, 2, 0, 1);
    p.sides[2] = p.sides[3] = HD_SIDE_PERIODIC;
    p.nx = test_watched(4104, 515);
    p.ny = 520 / test_watched(1, 8);
    p.depth = 8;
    p.sweeps = 8;
    check_field(&d, p, 2, 0, test_watched(8, 2));
    close_device(&d);
}

TEST(held_cells)
{
    device d;
    open_device(&d);
    for (size_t i = 0; i < 8; i += test_watched(1, 3)) {
        const size_t nx = i % 2 ? 301 : 44, ny = i % 4 < 2 ? 37 : 18, pitch = nx + i;
        const size_t bytes = (i < 4 ? 4 : 8) * nx * ny;
        test_array held, field;
        hd_jacobi p = {0};
        unsigned char *tight = malloc(nx * ny);
        uint64_t state = i;
        REQUIRE(tight != NULL);
        p.type = i < 4 ? HD_F32 : HD_F64;
        p.nx = nx;
        p.ny = ny;
        for (size_t a = 0; a < 4; a++)
            p.sides[a] = i % 3 == 0   ? HD_SIDE_MIRROR
                         : i % 3 == 1 ? HD_SIDE_FIXED
                                      : HD_SIDE_PERIODIC;
        test_array_make(&held, pitch * ny, i, d.stream);
        test_array_make(&field, bytes, 0, d.stream);
        for (size_t c = 0; c < pitch * ny; c++)
            held.host[c] = (unsigned char)(test_next(&state) % 3 == 0 ? 1 << c % 8 : 0);
        for (size_t c = 0; c < nx * ny; c++)
            tight[c] = held.host[c / nx * pitch + c % nx];
        test_array_upload(&held, d.stream);
        test_fill(field.host, nx * ny, p.type, VALUES_RANDOM, i);
        p.held = held.device;
        p.held_pitch = i ? pitch : 0;
        check_depths(&d, p, 2, &field, tight, 6);
        free(tight);
        test_array_free(&held);
        test_array_free(&field);
    }
    close_device(&d);
}

/* NaN and infinity go where the neighbours' sums take them, and nowhere else; zeros keep signs. */
TEST(special_values)
{
    device d;
    hd_jacobi p = {0};
    test_array field, other;
    void *result;
    open_device(&d);
    p.type = HD_F32;
    p.nx = 300;
    p.ny = 40;
    p.sweeps = 1;
    test_array_make(&field, p.nx * p.ny * 4, 0, d.stream);
    test_array_make(&other, p.nx * p.ny * 4, 0, d.stream);
    for (int lanes = 0; lanes < 2; lanes++) {
        hd__jacobi_forced.lanes = lanes;
        for (size_t c = 0; c < p.nx * p.ny; c++)
            ((float *)(void *)field.host)[c] = c == 20 * 300 + 150 ? NAN : -0.0f;
        test_array_upload(&field, d.stream);
        CHECK_STATUS(hd_jacobi2d(&p, field.device, other.device, &result, NULL, d.stream), HD_OK);
        test_array_download(&other, d.stream);
        for (size_t c = 0; c < p.nx * p.ny; c++) {
            const float v = ((float *)(void *)other.host)[c];
            const size_t x = c % 300, y = c / 300;
            const size_t far = (x > 150 ? x - 150 : 150 - x) + (y > 20 ? y - 20 : 20 - y);
            if (far == 1 ? v == v : !(v == 0 && signbit(v))) {
                test_fail(__FILE__, __LINE__, "cell %zu %zu is %g", x, y, (double)v);
                break;
            }
        }
    }
    hd__jacobi_forced.lanes = 0;
    test_array_free(&field);
    test_array_free(&other);
    close_device(&d);
}

/* ---- three dimensions ------------------------------------------------------------------------ */

TEST(extents_3d)
{
    static const struct {
        size_t nx, ny, nz, pitch, rows;
        hd_side x, y, z;
    } cases[] = {{1, 1, 1, 0, 0, HD_SIDE_FIXED, HD_SIDE_FIXED, HD_SIDE_FIXED},
                 {3, 3, 3, 0, 0, HD_SIDE_FIXED, HD_SIDE_FIXED, HD_SIDE_FIXED},
                 {1, 2, 3, 0, 0, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
                 {5, 4, 2, 7, 5, HD_SIDE_MIRROR, HD_SIDE_FIXED, HD_SIDE_PERIODIC},
                 {2, 1, 1, 0, 0, HD_SIDE_MIRROR, HD_SIDE_MIRROR, HD_SIDE_MIRROR},
                 {33, 29, 17, 36, 0, HD_SIDE_FIXED, HD_SIDE_FIXED, HD_SIDE_FIXED},
                 {130, 31, 9, 0, 0, HD_SIDE_PERIODIC, HD_SIDE_FIXED, HD_SIDE_MIRROR},
                 {17, 13, 37, 0, 14, HD_SIDE_FIXED, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
                 {381, 70, 5, 384, 0, HD_SIDE_FIXED, HD_SIDE_MIRROR, HD_SIDE_FIXED},
                 {520, 96, 11, 0, 0, HD_SIDE_FIXED, HD_SIDE_FIXED, HD_SIDE_FIXED}};
    device d;
    open_device(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t t = 0; t < 2; t++) {
            hd_jacobi p = {0};
            p.type = types[t];
            p.nx = cases[i].nx;
            p.ny = cases[i].ny;
            p.nz = cases[i].nz;
            p.pitch = cases[i].pitch;
            p.plane = cases[i].rows * (p.pitch ? p.pitch : p.nx);
            p.sides[0] = p.sides[1] = cases[i].x;
            p.sides[2] = p.sides[3] = cases[i].y;
            p.sides[4] = p.sides[5] = cases[i].z;
            if (test_watched(1, 0) || (i < 8 && (i + t) % 3 == 0))
                check_field(&d, p, 3, 0, i < 8 ? 5 : 3);
        }
    close_device(&d);
}

/* Chunks of several bands of 8 planes. A last band of one plane ends before the second sweep of the
   pass has ended the band before. */
TEST(short_last_band_3d)
{
    device d;
    open_device(&d);
    for (size_t nz = 9; nz <= 26; nz++)
        for (unsigned chunks = 1; chunks <= 2; chunks++) {
            hd_jacobi p = {0};
            test_array field;
            expected e = {0};
            p.type = types[nz % 2];
            p.nx = 12;
            p.ny = 5;
            p.nz = nz;
            p.depth = 2;
            p.sweeps = 2;
            p.norms = d.norms;
            test_array_make(&field, p.nx * p.ny * p.nz * hd_type_bytes(p.type), 0, d.stream);
            test_fill(field.host, p.nx * p.ny * p.nz, p.type, VALUES_RANDOM, nz);
            reference(&p, 3, NULL, field.host, &e);
            hd__jacobi_forced.lanes = 1;
            hd__jacobi_forced.chunks = chunks;
            run_once(&d, &p, 3, &field, &e, chunks == 1 ? "one chunk" : "two chunks");
            hd__jacobi_forced.lanes = 0;
            hd__jacobi_forced.chunks = 0;
            free(e.field);
            test_array_free(&field);
        }
    close_device(&d);
}

TEST(all_sides_3d)
{
    device d;
    open_device(&d);
    for (size_t i = 0; i < SIDE_PAIRS * SIDE_PAIRS * SIDE_PAIRS; i += test_watched(1, 21)) {
        hd_jacobi p = {0};
        p.type = types[i % 2];
        p.nx = 5 + i % 7;
        p.ny = 3 + i % 4;
        p.nz = 2 + i % 3;
        for (size_t axis = 0, of = i; axis < 3; axis++, of /= SIDE_PAIRS)
            for (size_t side = 0; side < 2; side++)
                p.sides[2 * axis + side] = pairs[of % SIDE_PAIRS][side];
        check_field(&d, p, 3, 0, 4);
    }
    close_device(&d);
}

/* Whole vectors of quads in a row, and some more. */
TEST(norms_in_their_order)
{
    static const size_t widths[] = {16, 32, 64, 100, 288};
    device d;
    open_device(&d);
    for (size_t i = 0; i < 5 * SIDE_PAIRS; i += test_watched(1, 7))
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            hd_jacobi p = {0};
            p.type = types[(i + i / 5) % 2];
            p.nx = widths[i % 5];
            p.ny = dimensions == 3 ? 9 : 35;
            p.nz = 11;
            for (size_t side = 0; side < 6; side++)
                p.sides[side] = pairs[(i / 5 + side / 2) % SIDE_PAIRS][side % 2];
            check_values(&d, p, dimensions, 0, 5, 1);
        }
    close_device(&d);
}

/* ---- the rest of the contract ---------------------------------------------------------------- */

TEST(nothing_to_do)
{
    device d;
    hd_jacobi p = {0};
    double norms[2] = {1, 1};
    void *result = NULL;
    float *field = NULL, *other = NULL;
    open_device(&d);
    p.type = HD_F32;
    p.ny = 5;
    p.sweeps = 2;
    p.norms = d.norms;
    CHECK_STATUS(hd_jacobi2d(&p, NULL, NULL, &result, NULL, d.stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(norms, d.norms, 2, d.stream), HD_OK);
    CHECK(norms[0] == 0 && norms[1] == 0);
    REQUIRE(hd_alloc(&field, 25, 0) == HD_OK);
    REQUIRE(hd_alloc(&other, 25, 0) == HD_OK);
    p.nx = 5;
    p.sweeps = 0;
    CHECK_STATUS(hd_jacobi2d(&p, field, other, &result, NULL, d.stream), HD_OK);
    CHECK(result == field);
    hd_free(field);
    hd_free(other);
    close_device(&d);
}

static hd_status call_2d(const hd_jacobi *p, float *field, float *other, device *d)
{
    void *result;
    return hd_jacobi2d(p, field, other, &result, NULL, d->stream);
}

TEST(bad_input)
{
    device d;
    float *field = NULL, *other = NULL;
    uint8_t *held = NULL;
    void *result;
    hd_jacobi good = {0}, p;
    hd_workspace small = {0};
    size_t bytes = 0;
    open_device(&d);
    REQUIRE(hd_alloc(&field, 200, 0) == HD_OK);
    REQUIRE(hd_alloc(&other, 100, 0) == HD_OK);
    good.type = HD_F32;
    good.nx = good.ny = 10;
    good.sweeps = 2;
    p = good, p.type = HD_I32;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_ARGUMENT);
    p = good, p.sides[0] = HD_SIDE_PERIODIC;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "one end of x is periodic") != NULL);
    p = good, p.sides[3] = (hd_side)7;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_ARGUMENT);
    p = good, p.pitch = 9;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_ARGUMENT);
    p = good, p.nx = (size_t)1 << 31;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_OVERFLOW);
    p = good, p.ny = 11;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_POINTER);
    CHECK_STATUS(call_2d(&good, field, field + 99, &d), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "overlap") != NULL);
    CHECK_STATUS(call_2d(&good, NULL, other, &d), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi2d(&good, field, other, NULL, NULL, d.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi2d(NULL, field, other, &result, NULL, d.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi2d(&good, field, other, &result, NULL, NULL), HD_ERR_ARGUMENT);
    p = good, p.nz = 1, p.held = (const uint8_t *)field;
    CHECK_STATUS(hd_jacobi3d(&p, field, other, &result, NULL, d.stream), HD_ERR_UNSUPPORTED);
    REQUIRE(hd_alloc(&held, 99, 0) == HD_OK);
    p = good, p.held = held;
    CHECK_STATUS(call_2d(&p, field, other, &d), HD_ERR_POINTER);
    hd_free(held);
    p = good, p.norms = d.norms;
    CHECK_STATUS(hd_jacobi2d_workspace(&p, &bytes), HD_OK);
    CHECK(bytes > HD__JACOBI_HEADER_BYTES);
    small.memory = field;
    small.bytes = 256;
    CHECK_STATUS(hd_jacobi2d(&p, field, other, &result, &small, d.stream), HD_ERR_WORKSPACE);
    CHECK_STATUS(hd_fill_zero(field, 200, d.stream), HD_OK);
    CHECK_STATUS(call_2d(&good, field, other, &d), HD_OK);
    hd_free(field);
    hd_free(other);
    close_device(&d);
}

/* A workspace serves call after call, of both dimensions. */
TEST(workspace)
{
    device d;
    hd_jacobi p = {0};
    hd_workspace workspace = {0};
    float *field = NULL, *other = NULL;
    double first[6], again[6];
    size_t bytes;
    void *result = NULL;
    open_device(&d);
    p.type = HD_F32;
    p.nx = 200;
    p.ny = 50;
    p.sweeps = 6;
    p.norms = d.norms;
    CHECK_STATUS(hd_jacobi2d_workspace(&p, &bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    workspace.bytes = bytes;
    REQUIRE(hd_alloc(&field, 10000, 0) == HD_OK);
    REQUIRE(hd_alloc(&other, 10000, 0) == HD_OK);
    for (int turn = 0; turn < 2; turn++) {
        CHECK_STATUS(hd_fill_bytes(field, 0x3f800000u, 4, 10000, d.stream), HD_OK);
        CHECK_STATUS(hd_fill_bytes(field + 5000, 0, 4, 100, d.stream), HD_OK);
        CHECK_STATUS(hd_jacobi2d(&p, field, other, &result, &workspace, d.stream), HD_OK);
        CHECK_STATUS(hd_copy_blocking(turn ? again : first, d.norms, 6, d.stream), HD_OK);
    }
    CHECK(first[0] > first[5] && first[5] > 0);
    CHECK_BITS("norms", again, first, 6, sizeof *first);
    hd_free(field);
    hd_free(other);
    hd_free(workspace.memory);
    close_device(&d);
}

TEST_MAIN
