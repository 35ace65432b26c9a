/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy peers
   test_jacobi_group.c - Jacobi sweeps over several devices against the scalar program of
   jacobi_reference.h, as bits of the field and of every norm: variants, stripes and tiles, sides,
   depths, host threads; two runs one after the other; what is refused. */
#include "arrays.h"
#include "devices.h"

#include <heddle/jacobi_group.h>

#include "jacobi_reference.h"
#include "drivers/stencil/several/jacobi_group.h"

enum { MAX_SWEEPS = 64 };

typedef struct expected {
    double *first, *middle, *last; /* before, after `sweeps[0]` and after all */
    size_t sweeps[2];
    double norms[MAX_SWEEPS];
} expected;

static const char *const sides_of[] = {"fixed", "periodic", "mirror"};

static void set_cell(hd_type type, void *field, size_t at, double value)
{
    if (type == HD_F32)
        ((float *)field)[at] = (float)value;
    else
        ((double *)field)[at] = value;
}

static void sweep_reference(const hd_jacobi *p, expected *e)
{
    const size_t cells = p->nx * p->ny;
    uint64_t state = cells;
    double *u = malloc(cells * sizeof *u), *next = malloc(cells * sizeof *next);
    e->first = malloc(cells * sizeof *u);
    e->middle = malloc(cells * sizeof *u);
    REQUIRE(u && next && e->first && e->middle);
    for (size_t i = 0; i < cells; i++)
        u[i] = (double)(float)((double)(test_next(&state) >> 40) * 0x1p-24 - 0.5);
    memcpy(e->first, u, cells * sizeof *u);
    for (size_t s = 0; s < e->sweeps[0] + e->sweeps[1]; s++) {
        double *const old = u;
        ref_sweep(p, 2, NULL, u, next);
        e->norms[s] = ref_norm(p, 2, u, next);
        u = next;
        next = old;
        if (s + 1 == e->sweeps[0])
            memcpy(e->middle, u, cells * sizeof *u);
    }
    free(next);
    e->last = u;
}

static void free_reference(expected *e)
{
    free(e->first);
    free(e->middle);
    free(e->last);
}

/* ---- one run --------------------------------------------------------------------------------- */

typedef struct how {
    unsigned devices, tiles_x;
    int lanes, threads;
    size_t every;
    hd_jacobi_variant variant;
} how;

static void check_store(const char *what, const hd_jacobi *p, hd_jacobi_group *g,
                        const double *cells)
{
    const size_t size = hd_type_bytes(p->type), pitch = p->nx + 3;
    unsigned char *field = malloc(pitch * p->ny * size);
    REQUIRE(field != NULL);
    memset(field, 0x33, pitch * p->ny * size);
    if (CHECK_STATUS(hd_jacobi_group_store(g, field, pitch), HD_OK))
        for (size_t i = 0; i < pitch * p->ny; i++) {
            unsigned char cell[8];
            memset(cell, 0x33, sizeof cell);
            if (i % pitch < p->nx)
                set_cell(p->type, cell, 0, cells[i / pitch * p->nx + i % pitch]);
            if (memcmp(field + i * size, cell, size) != 0) {
                test_fail(__FILE__, __LINE__, "%s: cell %zu %zu differs", what, i % pitch,
                          i / pitch);
                break;
            }
        }
    free(field);
}

static void check_norms(const char *what, const double *got, const expected *e, size_t from,
                        size_t sweeps, size_t every)
{
    for (size_t s = 0; every && s < sweeps; s += every)
        if (memcmp(&got[s / every], &e->norms[from + s], sizeof *got) != 0) {
            test_fail(__FILE__, __LINE__, "%s: norm of sweep %zu is %a, expected %a", what,
                      from + s, got[s / every], e->norms[from + s]);
            return;
        }
}

static void run_group(const char *what, const hd_jacobi *p, const how *h, const expected *e,
                      hd_jacobi_group *g)
{
    const size_t size = hd_type_bytes(p->type), pitch = p->nx + 1;
    double norms[MAX_SWEEPS];
    unsigned char *field = malloc(pitch * p->ny * size);
    REQUIRE(field != NULL);
    for (size_t i = 0; i < p->nx * p->ny; i++)
        set_cell(p->type, field, i / p->nx * pitch + i % p->nx, e->first[i]);
    for (int turn = 0; turn < 2; turn++) { /* a group may be used again */
        CHECK_STATUS(hd_jacobi_group_load(g, field, pitch), HD_OK);
        for (unsigned half = 0; half < 2; half++) {
            const size_t every = turn ? 0 : h->every;
            memset(norms, 0xff, sizeof norms);
            if (!CHECK_STATUS(hd_jacobi_group_run(g, e->sweeps[half], every, every ? norms : NULL),
                              HD_OK)) {
                printf("  %s: %s\n", what, hd_error_last()->message);
                break;
            }
            check_norms(what, norms, e, half ? e->sweeps[0] : 0, e->sweeps[half], every);
            check_store(what, p, g, half ? e->last : e->middle);
        }
    }
    free(field);
}

/* A variant whose kernels store at the neighbours needs access for every pair of them. */
static int may_lack_peers(hd_jacobi_variant v)
{
    return v == HD_JACOBI_EVENTS || v == HD_JACOBI_PEER_STORE || v == HD_JACOBI_PERSISTENT;
}

static int check_run(const hd_jacobi *p, const how *h, const expected *e)
{
    static const int devices[] = {0, 1, 2, 3};
    hd_jacobi_group_options options = {0};
    hd_jacobi_group *g = NULL;
    hd_status status;
    char what[200];
    snprintf(what, sizeof what,
             "%s %zux%zu depth %u %s %s, %u devices, %u across, %s%s%s, every %zu",
             hd_type_name(p->type), p->nx, p->ny, p->depth, sides_of[p->sides[0]],
             sides_of[p->sides[2]], h->devices, h->tiles_x, hd_jacobi_variant_name(h->variant),
             h->lanes ? ", lanes" : "", h->threads ? ", threads" : "", h->every);
    options.variant = h->variant;
    options.tiles_x = h->tiles_x;
    options.thread_per_device = h->threads;
    hd__jacobi_forced.lanes = h->lanes;
    status = hd_jacobi_group_create(p, devices, h->devices, &options, &g);
    if (status == HD_ERR_NO_PEER && may_lack_peers(h->variant)) {
        CHECK(strstr(hd_error_last()->message, "needs direct access") != NULL);
        hd__jacobi_forced.lanes = 0;
        return 0;
    }
    if (!CHECK_STATUS(status, HD_OK))
        printf("  %s: %s\n", what, hd_error_last()->message);
    else
        run_group(what, p, h, e, g);
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
    hd__jacobi_forced.lanes = 0;
    return 1;
}

/* ---- problems -------------------------------------------------------------------------------- */

typedef struct shape {
    hd_type type;
    size_t nx, ny;
    hd_side x, y;
    unsigned depth;
    size_t sweeps[2];
} shape;

/* Bands of 16 rows: parts of one band and of several, the last one short; sums of one tile and of
   many, which straddle parts; strips that touch no side. */
static const shape shapes[] = {
    {HD_F32, 40, 64, HD_SIDE_FIXED, HD_SIDE_PERIODIC, 1, {5, 4}},
    {HD_F32, 131, 93, HD_SIDE_FIXED, HD_SIDE_PERIODIC, 4, {13, 8}},
    {HD_F64, 66, 76, HD_SIDE_PERIODIC, HD_SIDE_FIXED, 2, {5, 6}},
    {HD_F32, 520, 72, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC, 8, {11, 16}},
    {HD_F64, 520, 70, HD_SIDE_MIRROR, HD_SIDE_MIRROR, 4, {5, 8}},
    {HD_F32, 4100, 70, HD_SIDE_FIXED, HD_SIDE_FIXED, 1, {2, 1}},
};

static void pose(const shape *s, hd_jacobi *p, expected *e)
{
    p->type = s->type;
    p->nx = s->nx;
    p->ny = s->ny;
    p->sides[0] = p->sides[1] = s->x;
    p->sides[2] = p->sides[3] = s->y;
    p->depth = s->depth;
    e->sweeps[0] = s->sweeps[0];
    e->sweeps[1] = s->sweeps[1];
    sweep_reference(p, e);
}

static void check_shape(const shape *s, uint64_t *state)
{
    hd_jacobi p = {0};
    expected e = {0};
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    pose(s, &p, &e);
    for (int v = 0; v < HD_JACOBI_VARIANT_COUNT_; v++)
        for (unsigned devices = 1; devices <= 4 && devices <= (unsigned)count; devices++) {
            how h = {devices, 1, 0, 0, 1, (hd_jacobi_variant)v};
            h.lanes = (int)(test_next(state) % 2);
            h.threads = test_next(state) % 3 == 0;
            h.every = 1 + test_next(state) % 2 * (test_next(state) % 5);
            hd__jacobi_group_forced.slots = test_next(state) % 2 ? 0 : 9;
            hd__jacobi_group_forced.passes = test_next(state) % 2 ? 0 : 4;
            if (test_next(state) % test_watched(2, 5) != 0)
                continue;
            if (devices % 2 == 0 && h.variant != HD_JACOBI_PERSISTENT)
                h.tiles_x = 1 + (unsigned)(test_next(state) % 2);
            check_run(&p, &h, &e);
        }
    hd__jacobi_group_forced = (hd__jacobi_group_force){0};
    free_reference(&e);
}

TEST(variants)
{
    const char *chosen = getenv("HEDDLE_CPU_STREAMS");
    uint64_t state = 11 + (chosen ? strlen(chosen) + (uint64_t)chosen[strlen(chosen) - 1] : 0);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i += test_watched(1, 2))
        check_shape(&shapes[i], &state);
}

/* A part is smaller than a tile of sums: one device folds what several have. */
TEST(narrow_parts)
{
    const shape narrow = {HD_F32, 11, 66, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC, 2, {3, 3}};
    uint64_t state = 3;
    check_shape(&narrow, &state);
}

static void check_on_two(const shape *s, const how ways[2])
{
    hd_jacobi p = {0};
    expected e = {0};
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 2)
        SKIP("one device");
    pose(s, &p, &e);
    for (int way = 0; way < 2; way++)
        check_run(&p, &ways[way], &e);
    free_reference(&e);
}

/* The last band of a part has as many rows as a pass reads beyond a cut: what is behind it arrives
   while inner cells are computed, which read rows ahead of those that they want. */
TEST(a_short_last_band)
{
    static const how ways[2] = {{2, 1, 1, 0, 0, HD_JACOBI_COPY_OVERLAP},
                                {2, 1, 1, 0, 1, HD_JACOBI_COPY_OVERLAP}};
    const shape last = {HD_F32, 60, 104, HD_SIDE_FIXED, HD_SIDE_PERIODIC, 8, {17, 12}};
    check_on_two(&last, ways);
}

/* Warps of several strips store at a neighbour, and the last of them speaks for all. */
TEST(several_strips_at_a_link)
{
    static const how ways[2] = {{2, 1, 1, 0, 1, HD_JACOBI_PEER_STORE},
                                {2, 1, 1, 0, 1, HD_JACOBI_PERSISTENT}};
    const shape wide = {HD_F32, 700, 48, HD_SIDE_FIXED, HD_SIDE_PERIODIC, 1, {3, 2}};
    hd__jacobi_group_forced.passes = 2;
    check_on_two(&wide, ways);
    hd__jacobi_group_forced = (hd__jacobi_group_force){0};
}

/* Kernels behind the sweeps store what belongs to up to eight neighbours, corners too. */
TEST(tiles_by_stores)
{
    static const hd_jacobi_variant by[] = {HD_JACOBI_EVENTS, HD_JACOBI_PEER_STORE, HD_JACOBI_GRAPH};
    const shape tiles = {HD_F32, 45, 40, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC, 2, {5, 4}};
    hd_jacobi p = {0};
    expected e = {0};
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 4)
        SKIP("fewer than 4 devices");
    pose(&tiles, &p, &e);
    hd__jacobi_group_forced.passes = 2;
    for (unsigned i = 0; i < 6; i += (unsigned)test_watched(1, 2)) {
        const how h = {4, 2, (int)i % 2, (int)i % 4 / 2, 3, by[i / 2]};
        check_run(&p, &h, &e);
    }
    hd__jacobi_group_forced = (hd__jacobi_group_force){0};
    free_reference(&e);
}

/* A pass is announced in another word than the one before, or an announcement that was held up
   would stand over a later one: of `made` passes, each word holds the last of its turn. */
static void check_words(hd_jacobi_variant variant, unsigned made)
{
    static const int devices[2] = {0, 1};
    static const float field[64][64];
    const hd_jacobi p = {
        .type = HD_F32,
        .nx = 64,
        .ny = 64,
        .sides = {HD_SIDE_FIXED, HD_SIDE_FIXED, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
        .depth = 1};
    const hd_jacobi_group_options options = {.variant = variant};
    hd_jacobi_group *g = NULL;
    if (hd_jacobi_group_create(&p, devices, 2, &options, &g) == HD_ERR_NO_PEER)
        SKIP("devices do not reach each other");
    REQUIRE(g != NULL);
    CHECK_STATUS(hd_jacobi_group_load(g, field, 0), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, made - 2, 0, NULL), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, 2, 0, NULL), HD_OK);
    for (unsigned i = 0; i < 2; i++) {
        hd__jacobi_words words;
        CHECK_STATUS(hd_copy(&words, g->parts[i].words, 1, g->parts[i].main), HD_OK);
        CHECK_STATUS(hd_stream_synchronize(g->parts[i].main), HD_OK);
        CHECK_EQ_U64(words.released, 0);
        for (unsigned side = 0; side < 2; side++) {
            CHECK_EQ_U64(words.arrived[side][made % 2], made);
            CHECK_EQ_U64(words.arrived[side][1 - made % 2], made - 1);
        }
    }
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
}

TEST(announcements_take_turns)
{
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 2)
        SKIP("fewer than 2 devices");
    check_words(HD_JACOBI_PEER_STORE, 5);
    check_words(HD_JACOBI_PERSISTENT, 6);
    check_words(HD_JACOBI_PERSISTENT, 9);
}

/* Neighbours in several places: messages of a group go in rounds. And graphs of copies. */
TEST(carried_by_a_group)
{
    const shape shapes_here[] = {{HD_F32, 72, 64, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC, 2, {5, 4}},
                                 {HD_F64, 72, 80, HD_SIDE_FIXED, HD_SIDE_PERIODIC, 1, {3, 4}}};
    static const hd_jacobi_variant with[] = {HD_JACOBI_CCL, HD_JACOBI_GRAPH};
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 4)
        SKIP("fewer than 4 devices");
    hd__jacobi_group_forced.passes = 2;
    for (size_t i = 0; i < sizeof shapes_here / sizeof *shapes_here; i++) {
        const shape *s = &shapes_here[i];
        const hd_jacobi p = {.type = s->type,
                             .nx = s->nx,
                             .ny = s->ny,
                             .sides = {s->x, s->x, s->y, s->y},
                             .depth = s->depth};
        expected e = {.sweeps = {s->sweeps[0], s->sweeps[1]}};
        sweep_reference(&p, &e);
        for (unsigned k = 0; k < 12; k += (unsigned)test_watched(1, 5)) {
            const how h = {2 + k / 2 % 3, k / 2 % 3 == 1 ? 1 : 1 + k % 2, 0, k >= 6, 1,
                           with[k % 2]};
            const how other = {h.devices, h.tiles_x, 0, h.threads, 1, with[1 - k % 2]};
            CHECK(check_run(&p, &h, &e));
            CHECK(check_run(&p, &other, &e));
        }
        free_reference(&e);
    }
    hd__jacobi_group_forced = (hd__jacobi_group_force){0};
}

TEST(auto_takes_what_is_there)
{
    static const int devices[] = {0, 1, 2, 3};
    hd_jacobi p = {0};
    hd_jacobi_group *g = NULL;
    hd_jacobi_variant variant = HD_JACOBI_AUTO;
    hd_peer_path path = HD_PATH_SAME;
    unsigned depth = 0;
    hd_domain domain;
    int count = 0, direct = 1;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 4)
        SKIP("fewer than 4 devices");
    p.type = HD_F32;
    p.nx = p.ny = 64;
    p.sides[2] = p.sides[3] = HD_SIDE_PERIODIC;
    p.depth = 1;
    REQUIRE(hd_jacobi_group_create(&p, devices, 4, NULL, &g) == HD_OK);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_STATUS(hd_jacobi_group_path(g, i, 0, 1, &path), HD_OK);
        direct &= path == HD_PATH_DIRECT;
    }
    CHECK_STATUS(hd_jacobi_group_path(g, 0, 1, 0, &path), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_get(g, &variant, &depth, &domain), HD_OK);
    CHECK(variant == (direct ? HD_JACOBI_PERSISTENT : HD_JACOBI_COPY_OVERLAP) && depth == 1);
    CHECK(domain.tiles_x == 1 && domain.tiles_y == 4 && domain.align_y == 16);
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
    p.depth = 8;
    REQUIRE(hd_jacobi_group_create(&p, devices, 4, NULL, &g) == HD_OK);
    CHECK_STATUS(hd_jacobi_group_get(g, &variant, &depth, &domain), HD_OK);
    CHECK(variant == (!direct      ? HD_JACOBI_COPY_OVERLAP
                      : depth == 8 ? HD_JACOBI_PEER_STORE
                                   : HD_JACOBI_PERSISTENT));
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
}

TEST(what_is_refused)
{
    static const int devices[] = {0, 0};
    hd_jacobi good = {0}, p;
    hd_jacobi_group_options options = {0};
    hd_jacobi_group *g = NULL;
    double norm;
    float field[4];
    good.type = HD_F32;
    good.nx = 64;
    good.ny = 32;
    good.sides[2] = good.sides[3] = HD_SIDE_PERIODIC;
    good.depth = 1;
    CHECK_STATUS(hd_jacobi_group_create(NULL, devices, 1, NULL, &g), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_create(&good, devices, 0, NULL, &g), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_create(&good, NULL, 1, NULL, &g), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_create(&good, devices, 1, NULL, NULL), HD_ERR_ARGUMENT);
    p = good, p.type = HD_I32;
    CHECK_STATUS(hd_jacobi_group_create(&p, devices, 1, NULL, &g), HD_ERR_ARGUMENT);
    p = good, p.held = (const uint8_t *)&p;
    CHECK_STATUS(hd_jacobi_group_create(&p, devices, 1, NULL, &g), HD_ERR_UNSUPPORTED);
    p = good, p.nx = 0;
    CHECK_STATUS(hd_jacobi_group_create(&p, devices, 1, NULL, &g), HD_ERR_ARGUMENT);
    p = good, p.sides[0] = HD_SIDE_HALO;
    CHECK_STATUS(hd_jacobi_group_create(&p, devices, 1, NULL, &g), HD_ERR_ARGUMENT);
    p = good, p.ny = 16;
    CHECK_STATUS(hd_jacobi_group_create(&p, devices, 2, NULL, &g), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "16 cells make at most 1,") != NULL);
    options.variant = HD_JACOBI_PEER_STORE;
    CHECK_STATUS(hd_jacobi_group_create(&good, devices, 2, &options, &g), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "two parts") != NULL);
    options.variant = (hd_jacobi_variant)99;
    CHECK_STATUS(hd_jacobi_group_create(&good, devices, 1, &options, &g), HD_ERR_ARGUMENT);
    options.variant = HD_JACOBI_COPY;
    options.tiles_x = 3;
    CHECK_STATUS(hd_jacobi_group_create(&good, devices, 2, &options, &g), HD_ERR_ARGUMENT);
    CHECK(g == NULL);
    options.tiles_x = 0;
    REQUIRE(hd_jacobi_group_create(&good, devices, 2, &options, &g) == HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, 1, 0, NULL), HD_ERR_STATE);
    CHECK_STATUS(hd_jacobi_group_store(g, field, 0), HD_ERR_STATE);
    CHECK_STATUS(hd_jacobi_group_load(g, NULL, 0), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_load(g, field, 63), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_run(NULL, 1, 1, &norm), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_run(g, 1, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
    CHECK_STATUS(hd_jacobi_group_destroy(NULL), HD_OK);
    CHECK(strcmp(hd_jacobi_variant_name(HD_JACOBI_COPY_OVERLAP), "copy-overlap") == 0);
    CHECK(strcmp(hd_jacobi_variant_name((hd_jacobi_variant)99), "?") == 0);
}

/* The last device is full: the call says so, and the others have what they had. */
TEST(a_device_without_memory)
{
    static const int devices[] = {0, 1, 2, 3};
    hd_jacobi p = {0};
    hd_jacobi_group *g = NULL;
    size_t before[4], keep = (size_t)1 << 20;
    void *taken = NULL;
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 4 || strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("fewer than 4 devices, or not ours alone");
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            CHECK_STATUS(hd_peer_connect(a, b, NULL), HD_OK);
    p.type = HD_F32;
    p.nx = 1024;
    p.ny = 4096;
    p.depth = 1;
    REQUIRE(hd_alloc_bytes(&taken, test_free_bytes(3) - keep, 1, HD_MEM_DEVICE, 3) == HD_OK);
    for (int i = 0; i < 4; i++)
        before[i] = test_free_bytes(i);
    for (int v = 0; v < HD_JACOBI_VARIANT_COUNT_; v++) {
        hd_jacobi_group_options options = {0};
        options.variant = (hd_jacobi_variant)v;
        options.thread_per_device = v % 2;
        const hd_status status = hd_jacobi_group_create(&p, devices, 4, &options, &g);
        CHECK(status == HD_ERR_NO_MEMORY ||
              (status == HD_ERR_NO_PEER && may_lack_peers(options.variant)));
        CHECK(g == NULL);
        for (int i = 0; i < 4; i++)
            CHECK_EQ_U64(test_free_bytes(i), before[i]);
    }
    CHECK_STATUS(hd_free(taken), HD_OK);
}

TEST_MAIN
