/* SPDX-License-Identifier: Apache-2.0 */
/* halo.c - halos of parts that ranks have, against one whole field in host memory: every cell knows
   where it is, and every byte around a part has to be what belongs there; run by test_halo.sh. */
#include <stdlib.h>

#include "library.h"
#include "ranks.h"
#include "src/mpi/direct.h"

enum { SHAPES = 3, COMBINATIONS = 8, CASES = SHAPES * COMBINATIONS, FIELDS = 2, MARGIN = 2 };

/* ---- problems -------------------------------------------------------------------------------- */

typedef struct problem {
    hd_domain domain;
    size_t element, depth;
    int corners;
} problem;

/* The same on every rank; every combination of sides and corners with every shape. */
static problem make_problem(unsigned number)
{
    const unsigned shape = number / COMBINATIONS % SHAPES;
    const uint64_t random = mix(number * 31 + (unsigned)size);
    problem p = {.element = (size_t)1 << (random & 3), .corners = number >> 2 & 1};
    hd_domain *d = &p.domain;
    p.depth = 1 + (random >> 2) % 4;
    d->tiles_x = shape == 0 ? 1 : shape == 1 ? (unsigned)size : size % 2 ? 0 : 2;
    d->tiles_y = (unsigned)size / (d->tiles_x ? d->tiles_x : 1);
    d->align_x = (random >> 4) % 4;
    d->align_y = (random >> 6) % 8;
    d->periodic_x = number & 1;
    d->periodic_y = number >> 1 & 1;
    d->nx = d->tiles_x * 2 * (p.depth + d->align_x) + 2 * p.depth + (random >> 10) % 20;
    d->ny = d->tiles_y * 2 * (p.depth + d->align_y) + 2 * p.depth + (random >> 16) % 20;
    return p;
}

/* Byte `b` of cell (x, y) of the whole field as it is at some time. */
static unsigned char byte_of(const problem *p, unsigned time, size_t x, size_t y, size_t b)
{
    return (unsigned char)mix(((uint64_t)time << 50) ^ ((y * p->domain.nx + x) * 8 + b));
}

/* What lies where nothing comes. */
static unsigned char junk(size_t at)
{
    return (unsigned char)mix(at * 5 + 99);
}

/* ---- a part's memory, and what it has to be -------------------------------------------------- */

typedef struct part_memory {
    const problem *problem;
    hd_part part;
    size_t left, top, rows, bytes; /* columns and rows before the part; all rows */
    hd_halo_field field;
    unsigned char *device, *spare, *host;
    hd_stream *stream;
} part_memory;

/* Rows no longer than halos make necessary, or longer by some cells; on each rank otherwise. */
static hd_status make_memory(part_memory *m, const problem *p, int device, unsigned more)
{
    *m = (part_memory){.problem = p};
    HD_TRY(hd_domain_part(&p->domain, (unsigned)rank, &m->part));
    m->left = m->part.neighbours[1][0] >= 0 ? p->depth : 0;
    m->top = p->depth + MARGIN;
    m->rows = m->part.ny + 2 * m->top;
    m->field.pitch = m->left + m->part.nx + (m->part.neighbours[1][2] >= 0 ? p->depth : 0) + more;
    m->bytes = m->rows * m->field.pitch * p->element;
    m->host = malloc(m->bytes);
    if (!m->host)
        return HD_ERR_NO_MEMORY;
    HD_TRY(hd_stream_create(device, &m->stream));
    HD_TRY(hd_alloc(&m->device, m->bytes, device));
    HD_TRY(hd_alloc(&m->spare, m->bytes, device));
    m->field.first = m->device + (m->top * m->field.pitch + m->left) * p->element;
    return HD_OK;
}

static void free_memory(part_memory *m)
{
    CHECK_STATUS(hd_free(m->device), HD_OK);
    CHECK_STATUS(hd_free(m->spare), HD_OK);
    CHECK_STATUS(hd_stream_destroy(m->stream), HD_OK);
    free(m->host);
}

/* Where a cell that lies `at` cells before or behind the first of `n` is; -1: nowhere. */
static ptrdiff_t wrapped(ptrdiff_t at, size_t n, int periodic)
{
    const ptrdiff_t count = (ptrdiff_t)n;
    return at >= 0 && at < count ? at : periodic ? (at + count) % count : -1;
}

/* 0: not in the part; 1: it is; 2: in a halo; 3: farther away. */
static int zone(ptrdiff_t at, size_t n, size_t depth)
{
    const ptrdiff_t count = (ptrdiff_t)n, k = (ptrdiff_t)depth;
    return at >= 0 && at < count ? 1 : at >= -k && at < count + k ? 2 : 3;
}

/* Byte b of the memory's cell in column and row; `halos`: of a part whose halos have come. */
static unsigned char expected(const part_memory *m, size_t column, size_t row, size_t b,
                              unsigned time, int halos)
{
    const problem *p = m->problem;
    const hd_domain *d = &p->domain;
    const ptrdiff_t x = (ptrdiff_t)column - (ptrdiff_t)m->left;
    const ptrdiff_t y = (ptrdiff_t)row - (ptrdiff_t)m->top;
    const int in_x = zone(x, m->part.nx, p->depth), in_y = zone(y, m->part.ny, p->depth);
    const ptrdiff_t of_x = wrapped((ptrdiff_t)m->part.x + x, d->nx, d->periodic_x);
    const ptrdiff_t of_y = wrapped((ptrdiff_t)m->part.y + y, d->ny, d->periodic_y);
    const int own = in_x == 1 && in_y == 1;
    const int comes = in_x < 3 && in_y < 3 && of_x >= 0 && of_y >= 0 &&
                      (p->corners || in_x == 1 || in_y == 1);
    if (own || (comes && halos))
        return byte_of(p, time, (size_t)of_x, (size_t)of_y, b);
    return junk((row * m->field.pitch + column) * p->element + b);
}

static unsigned char *host_byte(const part_memory *m, size_t column, size_t row, size_t b)
{
    return &m->host[(row * m->field.pitch + column) * m->problem->element + b];
}

/* The part and junk around it, in stream order: nothing may leave or come before that. */
static hd_status fill(part_memory *m, unsigned time)
{
    for (size_t row = 0; row < m->rows; row++)
        for (size_t column = 0; column < m->field.pitch; column++)
            for (size_t b = 0; b < m->problem->element; b++)
                *host_byte(m, column, row, b) = expected(m, column, row, b, time, 0);
    HD_TRY(hd_copy_blocking(m->spare, m->host, m->bytes, m->stream));
    return hd_copy(m->device, m->spare, m->bytes, m->stream);
}

static int check_memory(const part_memory *m, unsigned time, int halos, unsigned number)
{
    const problem *p = m->problem;
    size_t wrong = 0;
    CHECK_STATUS(hd_copy_blocking(m->host, m->device, m->bytes, m->stream), HD_OK);
    for (size_t row = 0; row < m->rows; row++)
        for (size_t column = 0; column < m->field.pitch; column++)
            for (size_t b = 0; b < p->element; b++)
                wrong += *host_byte(m, column, row, b) != expected(m, column, row, b, time, halos);
    if (wrong)
        test_fail(__FILE__, __LINE__,
                  "problem %u: %zu x %zu in %u x %u, depth %zu, periodic %d %d, corners %d, %zu "
                  "bytes, pitch %zu, time %u: %zu wrong bytes of rank %d",
                  number, p->domain.nx, p->domain.ny, p->domain.tiles_x, p->domain.tiles_y,
                  p->depth, p->domain.periodic_x, p->domain.periodic_y, p->corners, p->element,
                  m->field.pitch, time, wrong, rank);
    return wrong == 0;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

static hd_status create(hd_mpi *mpi, const problem *p, hd_mpi_halo **halo)
{
    return hd_mpi_halo_create(mpi, &p->domain, p->element, p->depth, p->corners, halo);
}

/* Between the halves another stream has work of its own. */
static hd_status exchange(hd_mpi_halo *halo, const part_memory *m, int halves,
                          const part_memory *other)
{
    if (!halves)
        return hd_mpi_halo_exchange(halo, m->field, m->stream);
    HD_TRY(hd_mpi_halo_exchange_begin(halo, m->field, m->stream));
    HD_TRY(hd_fill_bytes(other->spare, 0, 1, other->bytes, other->stream));
    return hd_mpi_halo_exchange_end(halo);
}

/* Two fields on two streams, which nothing orders but the buffers that both pass through. */
static void check_problem(hd_mpi *mpi, unsigned number)
{
    const problem p = make_problem(number);
    const unsigned more = (unsigned)mix(number * 64 + (unsigned)rank) % 4;
    part_memory m[FIELDS];
    hd_mpi_halo *halo = NULL;
    hd_status status = HD_OK;
    REQUIRE(CHECK_STATUS(create(mpi, &p, &halo), HD_OK));
    for (unsigned i = 0; i < FIELDS && status >= 0; i++)
        CHECK_STATUS(status = make_memory(&m[i], &p, hd_mpi_device(mpi), i ? 0 : more), HD_OK);
    for (unsigned time = 0; time < 2 && status >= 0; time++) {
        for (unsigned i = 0; i < FIELDS; i++)
            CHECK_STATUS(fill(&m[i], 2 * time + i), HD_OK);
        for (unsigned i = 0; i < FIELDS && status >= 0; i++)
            CHECK_STATUS(status = exchange(halo, &m[i], time == i, &m[!i]), HD_OK);
        for (unsigned i = FIELDS; i-- > 0 && status >= 0;)
            check_memory(&m[i], 2 * time + i, 1, number);
    }
    for (unsigned i = 0; i < FIELDS; i++)
        free_memory(&m[i]);
    CHECK_STATUS(hd_mpi_halo_destroy(halo), HD_OK);
}

static hd_mpi *open_path(hd_mpi_path path)
{
    const hd_mpi_options options = {.path = path};
    hd_mpi *mpi = NULL;
    CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_OK);
    return mpi;
}

static void run_problems(hd_mpi_path path, size_t chunk, unsigned step)
{
    hd_mpi *mpi = open_path(path);
    REQUIRE(mpi != NULL);
    hd__mpi_forced.chunk_bytes = chunk;
    for (unsigned number = (unsigned)chunk % step; number < CASES; number += step)
        check_problem(mpi, number);
    hd__mpi_forced.chunk_bytes = 0;
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

TEST(staged)
{
    run_problems(HD_MPI_STAGED, 0, 1);
    run_problems(HD_MPI_STAGED, 50, 3);
}

TEST(device_or_what_there_is)
{
    run_problems(HD_MPI_AUTO, 0, 1);
}

TEST(on_path_shmem)
{
    if (!ranks_have(HD_MPI_SHMEM))
        SKIP("no SHMEM for ranks with a GPU each");
    run_problems(HD_MPI_SHMEM, 0, 5);
}

/* As short messages, in pieces, and both. */
TEST(by_peers)
{
    if (!ranks_have(HD_MPI_PEER))
        SKIP("ranks do not reach each other's memory");
    run_problems(HD_MPI_PEER, 0, 1);
    run_problems(HD_MPI_PEER, 16, 3);
    run_problems(HD_MPI_PEER, 128, 3);
}

/* Some neighbours are reached, others talk through MPI. */
TEST(peers_beside_others)
{
    if (size < 3 || !ranks_have(HD_MPI_PEER))
        SKIP("too few ranks reach each other's memory");
    for (hd__mpi_forced.apart = 1; hd__mpi_forced.apart < 3; hd__mpi_forced.apart++)
        run_problems(HD_MPI_PEER, 128, 2);
    hd__mpi_forced.apart = 0;
}

static void with_library(void (*body)(void))
{
    hd__mpi_forced.library = &library_stand_in;
    body();
    hd__mpi_forced.library = NULL;
    if (library_is_there())
        body();
}

static void problems_by_library(void)
{
    run_problems(HD_MPI_LIBRARY, 0, 1);
}

TEST(by_library)
{
    with_library(problems_by_library);
}

/* Rows that are as long as the pitch lie in one run of bytes: they pass through no buffer. On one
   rank they do, on the next one they do not. */
TEST(whole_rows_travel_as_they_lie)
{
    const problem p = {.domain = {.nx = 12, .ny = 50, .tiles_y = (unsigned)size, .periodic_y = 1},
                       .element = 4,
                       .depth = 3};
    hd_mpi_halo *halo = NULL;
    hd_mpi *mpi = NULL;
    part_memory m;
    if (size < 2)
        SKIP("one rank");
    REQUIRE(CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK));
    CHECK_STATUS(make_memory(&m, &p, hd_mpi_device(mpi), (unsigned)rank % 2), HD_OK);
    CHECK_STATUS(create(mpi, &p, &halo), HD_OK);
    CHECK_STATUS(fill(&m, 0), HD_OK);
    CHECK_STATUS(hd_mpi_halo_exchange(halo, m.field, m.stream), HD_OK);
    check_memory(&m, 0, 1, 0);
    for (size_t i = 0; i < mpi->transfer->sends.count; i++) {
        const char *from = mpi->transfer->sends.chunks[i].device;
        const char *field = (const char *)m.device;
        CHECK_EQ_I64(from >= field && from < field + m.bytes, !(rank % 2));
    }
    free_memory(&m);
    CHECK_STATUS(hd_mpi_halo_destroy(halo), HD_OK);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* All ranks fail, and say why; `text` is in what they say. */
static void refused(hd_mpi *mpi, const problem *p, hd_status status, const char *text)
{
    hd_mpi_halo *halo = NULL;
    CHECK_STATUS(create(mpi, p, &halo), status);
    CHECK(halo == NULL);
    if (!CHECK(strstr(hd_error_last()->message, text) != NULL))
        test_note("'%s' is not in: %s", text, hd_error_last()->message);
}

TEST(what_create_refuses)
{
    const unsigned n = (unsigned)size;
    const problem good = {
        .domain = {.nx = 40, .ny = 10 * n, .tiles_y = n}, .element = 4, .depth = 2};
    problem p = good;
    hd_mpi_halo *halo = NULL;
    hd_mpi *mpi = NULL;
    char text[64];
    REQUIRE(CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK));
    p.domain.tiles_x = 2;
    snprintf(text, sizeof text, "%u parts for %d ranks", 2 * n, size);
    refused(mpi, &p, HD_ERR_ARGUMENT, text);
    p = good;
    p.element = 0;
    refused(mpi, &p, HD_ERR_ARGUMENT, "elements of no bytes");
    p = good;
    p.depth = 0;
    refused(mpi, &p, HD_ERR_ARGUMENT, "a halo of no cells");
    p.depth = 11;
    if (size > 1)
        refused(mpi, &p, HD_ERR_ARGUMENT, "smaller than a halo of 11");
    p = good;
    p.domain.nx = 0;
    refused(mpi, &p, HD_ERR_OVERFLOW, "an extent of 0");
    p = good;
    p.element = SIZE_MAX / 8;
    if (size > 1) {
        refused(mpi, &p, HD_ERR_OVERFLOW, "cells of");
        p.depth = 1;
        refused(mpi, &p, HD_ERR_OVERFLOW, "cells of");
    }
    CHECK_STATUS(hd_mpi_halo_create(NULL, &good.domain, 4, 2, 0, &halo), HD_ERR_ARGUMENT);
    /* One rank alone: all get to know. */
    CHECK_STATUS(hd_mpi_halo_create(mpi, rank == size - 1 ? NULL : &good.domain, 4, 2, 0, &halo),
                 HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "domain is NULL") != NULL);
    CHECK_STATUS(hd_mpi_halo_create(mpi, &good.domain, 4, 2, 0, rank ? &halo : NULL),
                 HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "halo is NULL") != NULL);
    CHECK(halo == NULL);
    CHECK_STATUS(hd_mpi_halo_destroy(NULL), HD_OK);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* A part that is too small is one rank's, and arguments that differ are known on all of them. */
TEST(what_create_refuses_of_one_rank)
{
    problem p = {
        .domain = {.nx = 40, .tiles_y = (unsigned)size, .align_y = 8}, .element = 4, .depth = 3};
    const problem good = {
        .domain = {.nx = 40, .ny = 400, .tiles_y = (unsigned)size}, .element = 4, .depth = 3};
    hd_mpi *mpi = NULL;
    char text[64];
    if (size < 2)
        SKIP("one rank");
    REQUIRE(CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK));
    p.domain.ny = 8 * (size_t)(size - 1) + 2;
    snprintf(text, sizeof text, "rank %d on ", size - 1);
    refused(mpi, &p, HD_ERR_ARGUMENT, text);
    refused(mpi, &p, HD_ERR_ARGUMENT, "of 40 x 2 cells is smaller than a halo of 3");
    p = good;
    p.domain.ny += rank == 1 ? 5 : 0;
    refused(mpi, &p, HD_ERR_ARGUMENT, "ny is 400 on rank 0 and 405 on rank 1");
    p = good;
    p.depth += rank == size - 1;
    refused(mpi, &p, HD_ERR_ARGUMENT, "depth is 3 on rank 0 and 4 on rank");
    p = good;
    p.corners = rank ? 7 : 0;
    refused(mpi, &p, HD_ERR_ARGUMENT, "corners is 0 on rank 0 and 1 on rank 1");
    p = good;
    p.element = rank ? 8 : 4;
    refused(mpi, &p, HD_ERR_ARGUMENT, "element is 4 on rank 0 and 8 on rank 1");
    p = good;
    p.domain.periodic_y = !rank;
    refused(mpi, &p, HD_ERR_ARGUMENT, "periodic_y is 1 on rank 0 and 0 on rank 1");
    p = good; /* which say the same */
    p.domain.tiles_x = (unsigned)rank % 2;
    p.domain.align_x = (size_t)(rank + 1) % 2;
    p.corners = rank + 1;
    {
        hd_mpi_halo *halo = NULL;
        CHECK_STATUS(create(mpi, &p, &halo), HD_OK);
        CHECK_STATUS(hd_mpi_halo_destroy(halo), HD_OK);
    }
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Everybody is everybody's neighbour, or ranks are in a row. */
static problem ring_or_row(int ring)
{
    const problem p = {.domain = {.nx = 21,
                                  .ny = 9 * (size_t)size,
                                  .tiles_y = (unsigned)size,
                                  .periodic_x = ring,
                                  .periodic_y = ring},
                       .element = 4,
                       .depth = 2,
                       .corners = ring};
    return p;
}

typedef struct rig {
    hd_mpi *mpi;
    hd_mpi_halo *halo;
    problem problem;
    part_memory m;
    size_t free_bytes;
} rig;

static size_t free_bytes(const hd_mpi *mpi)
{
    size_t bytes = 0;
    CHECK_STATUS(hd_device_memory(hd_mpi_device(mpi), &bytes, NULL), HD_OK);
    return bytes;
}

static void open_rig(rig *r, hd_mpi *mpi, int ring)
{
    *r = (rig){.mpi = mpi, .problem = ring_or_row(ring)};
    CHECK_STATUS(make_memory(&r->m, &r->problem, hd_mpi_device(r->mpi), 1), HD_OK);
    r->free_bytes = free_bytes(r->mpi);
    CHECK_STATUS(create(r->mpi, &r->problem, &r->halo), HD_OK);
}

/* After whatever happened: another halo of the same hd_mpi works, and all memory is back. */
static void close_rig(rig *r)
{
    CHECK_STATUS(hd_mpi_halo_destroy(r->halo), HD_OK);
    CHECK_STATUS(create(r->mpi, &r->problem, &r->halo), HD_OK);
    for (unsigned time = 0; time < 2; time++) {
        CHECK_STATUS(fill(&r->m, time), HD_OK);
        CHECK_STATUS(hd_mpi_halo_exchange(r->halo, r->m.field, r->m.stream), HD_OK);
        check_memory(&r->m, time, 1, 0);
    }
    CHECK_STATUS(hd_mpi_halo_destroy(r->halo), HD_OK);
    if (strcmp(hd_backend_name(), "cpu") == 0) /* and no one else has it */
        CHECK_EQ_U64(free_bytes(r->mpi), r->free_bytes);
    free_memory(&r->m);
}

/* How a rank fails in the place of an exchange, or in one. */
typedef enum way { NO_FIELD, SHORT_PITCH, NO_STREAM, FAREWELL, IN_STREAM, WAYS } way;

static hd_status told_to_fail(void *argument)
{
    (void)argument;
    return hd__fail(HD_ERR_NO_MEMORY, "a stream", "forced to fail");
}

static hd_status go_wrong(rig *r, way how)
{
    hd_halo_field field = r->m.field;
    if (how == FAREWELL) {
        const hd_status status = hd__fail(HD_ERR_SINGULAR, "work of its own", "bad luck");
        CHECK_STATUS(hd_mpi_halo_farewell(r->halo), HD_OK);
        return status;
    }
    if (how == IN_STREAM)
        CHECK_STATUS(hd_stream_host_try(r->m.stream, told_to_fail, NULL), HD_OK);
    if (how == NO_FIELD)
        field.first = NULL;
    else if (how == SHORT_PITCH)
        field.pitch = 20;
    return hd_mpi_halo_exchange(r->halo, field, how == NO_STREAM ? NULL : r->m.stream);
}

/* How far from the rank that fails, in exchanges. */
static int distance(int bad, int ring)
{
    const int apart = rank > bad ? rank - bad : bad - rank;
    return ring && size - apart < apart ? size - apart : apart;
}

enum { FIRST = 2, EXCHANGES = FIRST + 6 };

/* After a failure in exchange number `failed`: a rank that has told the others, or tells them in
   the place of the next exchange, may leave; one that goes on gets the same failure again. */
static void leave(rig *r, hd_status status, int has_told, int failed)
{
    char text[512];
    snprintf(text, sizeof text, "%s", hd_error_last()->message);
    if (has_told && rank % 2)
        return;
    if (rank % 2)
        CHECK_STATUS(hd_mpi_halo_farewell(r->halo), HD_OK);
    CHECK_EQ_STR(hd_error_last()->message, text);
    for (int i = failed + 1; i < EXCHANGES && !(rank % 2); i++) {
        CHECK_EQ_I64(hd_mpi_halo_exchange(r->halo, r->m.field, r->m.stream), status);
        CHECK_EQ_STR(hd_error_last()->message, text);
    }
}

/* Rank `bad` fails in exchange FIRST; those beside it in the same one, theirs in the next one. Who
   fails in its stream has sent by then what it should not, and tells one exchange later. */
static void rank_fails(hd_mpi *mpi, way how, int bad, int ring)
{
    static const hd_status fails_with[WAYS] = {HD_ERR_ARGUMENT, HD_ERR_ARGUMENT, HD_ERR_ARGUMENT,
                                               HD_ERR_SINGULAR, HD_ERR_NO_MEMORY};
    hd_status status = HD_OK;
    int failed = -1;
    char text[32];
    rig r;
    open_rig(&r, mpi, ring);
    while (status >= 0 && ++failed < EXCHANGES)
        status = failed == FIRST && rank == bad
                     ? go_wrong(&r, how)
                     : hd_mpi_halo_exchange(r.halo, r.m.field, r.m.stream);
    CHECK_EQ_I64(status, rank == bad ? fails_with[how] : HD_ERR_STATE);
    if (how != IN_STREAM)
        CHECK_EQ_I64(failed, FIRST + (rank == bad ? 0 : distance(bad, ring) - 1));
    else
        CHECK(failed >= FIRST && failed < EXCHANGES);
    if (how != FAREWELL || rank != bad)
        leave(&r, status, rank == bad && how != IN_STREAM, failed);
    CHECK_STATUS(hd_mpi_agree(r.mpi, status), fails_with[how]);
    snprintf(text, sizeof text, "rank %d on ", bad);
    CHECK(strstr(hd_error_last()->message, text) != NULL);
    if (how == FAREWELL && rank == bad) {
        CHECK_STATUS(hd_mpi_halo_exchange(r.halo, r.m.field, r.m.stream), HD_ERR_STATE);
        CHECK_EQ_STR(hd_error_last()->message, "this rank has said farewell");
    }
    if (how == IN_STREAM && rank == bad) { /* which keeps its failure */
        (void)hd_stream_destroy(r.m.stream);
        CHECK_STATUS(hd_stream_create(hd_mpi_device(r.mpi), &r.m.stream), HD_OK);
    }
    close_rig(&r);
}

static void ranks_fail(hd_mpi_path path)
{
    hd_mpi *mpi = open_path(path);
    for (int how = 0; how < WAYS && mpi; how++) {
        if (how == IN_STREAM && mpi->path == HD_MPI_LIBRARY)
            continue; /* which is not used again when it has failed */
        rank_fails(mpi, (way)how, how % size, 0);
        rank_fails(mpi, (way)how, (how + 1) % size, 1);
    }
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

TEST(a_rank_fails)
{
    if (size < 2)
        SKIP("one rank");
    ranks_fail(HD_MPI_STAGED);
    ranks_fail(HD_MPI_AUTO);
}

TEST(a_rank_fails_that_others_reach)
{
    if (size < 2 || !ranks_have(HD_MPI_PEER))
        SKIP("no ranks reach each other's memory");
    ranks_fail(HD_MPI_PEER);
    hd__mpi_forced.chunk_bytes = 64; /* pieces */
    ranks_fail(HD_MPI_PEER);
    hd__mpi_forced.chunk_bytes = 0;
}

static void ranks_fail_by_library(void)
{
    ranks_fail(HD_MPI_LIBRARY);
}

TEST(a_rank_fails_by_library)
{
    if (size < 2)
        SKIP("one rank");
    with_library(ranks_fail_by_library);
}

/* Alone, a rank has nobody to tell. */
TEST(one_rank_fails)
{
    rig r;
    if (size > 1)
        SKIP("several ranks");
    open_rig(&r, open_path(HD_MPI_AUTO), 1);
    CHECK_STATUS(go_wrong(&r, SHORT_PITCH), HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_error_last()->message,
                 "field.pitch is 20, rows and halos are 25 elements wide");
    CHECK_STATUS(fill(&r.m, 0), HD_OK);
    CHECK_STATUS(hd_mpi_halo_exchange(r.halo, r.m.field, r.m.stream), HD_ERR_ARGUMENT);
    check_memory(&r.m, 0, 0, 0); /* nothing has moved */
    CHECK_STATUS(hd_mpi_halo_farewell(r.halo), HD_OK);
    CHECK_STATUS(hd_mpi_halo_farewell(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_halo_exchange(NULL, r.m.field, r.m.stream), HD_ERR_ARGUMENT);
    close_rig(&r);
    CHECK_STATUS(hd_mpi_destroy(r.mpi), HD_OK);
}

/* Two halos of one hd_mpi: what has failed in one of them is whole in the other, and who has said
   farewell in one of them is waited for, and told, in the other. */
TEST(halos_fail_alone)
{
    problem also;
    hd_mpi_halo *other = NULL;
    hd_status status = HD_OK;
    rig r;
    if (size < 3)
        SKIP("too few ranks");
    open_rig(&r, open_path(HD_MPI_STAGED), 0);
    also = r.problem;
    also.domain.periodic_y = 1; /* ranks 0 and size - 1 are neighbours too */
    CHECK_STATUS(create(r.mpi, &also, &other), HD_OK);
    for (int i = 0; i < 6; i++) {
        hd_status second;
        CHECK_STATUS(fill(&r.m, (unsigned)i), HD_OK);
        status = i == 1 && rank == 0 ? go_wrong(&r, NO_FIELD)
                                     : hd_mpi_halo_exchange(r.halo, r.m.field, r.m.stream);
        CHECK_EQ_I64(status < 0, i >= rank && i >= 1);
        second = i == 2 && rank == 1 ? hd_mpi_halo_exchange(other, r.m.field, NULL)
                                     : hd_mpi_halo_exchange(other, r.m.field, r.m.stream);
        CHECK_EQ_I64(second < 0, i >= 2 + (rank < 3 ? 0 : 1));
    }
    CHECK_STATUS(hd_mpi_agree(r.mpi, status), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_halo_destroy(other), HD_OK);
    close_rig(&r);
    CHECK_STATUS(hd_mpi_destroy(r.mpi), HD_OK);
}

/* Rank 0 cannot put what its neighbours' devices wait for, in the middle of an exchange. Streams of
   the CPU engine would wait where the host should hear of it. */
TEST(a_put_that_fails)
{
    hd_status status = HD_OK;
    rig r;
    if (size < 2 || strcmp(hd_backend_name(), "cpu") == 0 || !ranks_have(HD_MPI_PEER))
        SKIP("no GPUs that reach each other's memory");
    open_rig(&r, open_path(HD_MPI_PEER), 1);
    for (int i = 0; i < 6 && r.mpi->direct->max_short; i++) {
        hd__mpi_forced.fail_put = i == 1;
        status = hd_mpi_halo_exchange(r.halo, r.m.field, r.m.stream);
        hd__mpi_forced.fail_put = 0;
        CHECK_EQ_I64(status, i == 0                ? HD_OK
                             : rank == 0           ? HD_ERR_NO_MEMORY
                             : i >= distance(0, 1) ? HD_ERR_STATE
                                                   : HD_OK);
    }
    CHECK_STATUS(hd_mpi_agree(r.mpi, status), r.mpi->direct->max_short ? HD_ERR_NO_MEMORY : HD_OK);
    close_rig(&r);
    CHECK_STATUS(hd_mpi_destroy(r.mpi), HD_OK);
}

/* A library that fails on every rank; it is not used again. */
TEST(a_library_that_fails)
{
    const hd_mpi_options options = {.path = HD_MPI_LIBRARY};
    const problem p = ring_or_row(1);
    hd_mpi_halo *halo = NULL;
    hd_mpi *mpi = NULL;
    part_memory m;
    hd__mpi_forced.library = &library_stand_in;
    REQUIRE(CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi), HD_OK));
    CHECK_STATUS(make_memory(&m, &p, hd_mpi_device(mpi), 0), HD_OK);
    CHECK_STATUS(create(mpi, &p, &halo), HD_OK);
    CHECK_STATUS(hd_fill_zero(m.device, m.bytes, m.stream), HD_OK);
    library_fails = 1;
    for (int i = 0; i < 3 && size > 1; i++) {
        CHECK_STATUS(hd_mpi_halo_exchange(halo, m.field, m.stream), HD_ERR_BACKEND);
        CHECK_EQ_STR(hd_error_last()->message, "forced to fail");
    }
    library_fails = 0;
    CHECK_STATUS(hd_mpi_halo_destroy(halo), HD_OK);
    free_memory(&m);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
    hd__mpi_forced.library = NULL;
}

/* Halves in the wrong order; destroy ends what has begun, so that the others get their cells. */
TEST(halves)
{
    rig r;
    hd_mpi_halo *other = NULL;
    open_rig(&r, open_path(HD_MPI_AUTO), 1);
    CHECK_STATUS(create(r.mpi, &r.problem, &other), HD_OK);
    CHECK_STATUS(fill(&r.m, 3), HD_OK);
    CHECK_STATUS(hd_mpi_halo_exchange_end(r.halo), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_halo_exchange_end(NULL), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_halo_exchange_begin(r.halo, r.m.field, r.m.stream), HD_OK);
    CHECK_STATUS(hd_mpi_halo_exchange_begin(r.halo, r.m.field, r.m.stream), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_halo_exchange(other, r.m.field, r.m.stream), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_halo_farewell(r.halo), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_halo_exchange_end(other), HD_ERR_STATE);
    CHECK_STATUS(hd_mpi_halo_exchange_end(r.halo), HD_OK);
    check_memory(&r.m, 3, 1, 0);
    CHECK_STATUS(hd_mpi_halo_exchange_begin(other, r.m.field, r.m.stream), HD_OK);
    if (rank) /* either way */
        CHECK_STATUS(hd_mpi_halo_exchange_end(other), HD_OK);
    CHECK_STATUS(hd_mpi_halo_destroy(other), HD_OK);
    close_rig(&r);
    CHECK_STATUS(hd_mpi_destroy(r.mpi), HD_OK);
}

/* One rank has no room for its buffers (test_halo.sh: devices are small): none gets a halo. */
TEST(no_memory)
{
    const problem p = {.domain = {.nx = 4000, .ny = 40 * (size_t)size, .tiles_y = (unsigned)size},
                       .element = 8,
                       .depth = 4};
    hd_mpi_halo *halo = NULL;
    hd_mpi *mpi = NULL;
    char *all = NULL;
    size_t before;
    if (size < 2 || strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("one rank, or a device that others use too");
    REQUIRE(CHECK_STATUS(hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi), HD_OK));
    before = free_bytes(mpi);
    if (rank == 1)
        CHECK_STATUS(hd_alloc(&all, before > 200000 ? before - 200000 : 1, hd_mpi_device(mpi)),
                     HD_OK);
    CHECK_STATUS(create(mpi, &p, &halo), HD_ERR_NO_MEMORY);
    CHECK(halo == NULL && strstr(hd_error_last()->message, "rank 1 on ") != NULL);
    CHECK_STATUS(hd_free(all), HD_OK);
    CHECK_EQ_U64(free_bytes(mpi), before);
    CHECK_STATUS(create(mpi, &p, &halo), HD_OK);
    CHECK_STATUS(hd_mpi_halo_destroy(halo), HD_OK);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
}

int main(int argc, char **argv)
{
    int result;
    if (!ranks_begin(&argc, &argv))
        return 2;
    result = test_main(argc, argv);
    MPI_Finalize();
    return result;
}
