/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.c - Jacobi sweeps over ranks against hd_jacobi2d on one device, which has tests of its
   own; run by test_jacobi.sh. */
#include <math.h>
#include <stdlib.h>

#include "library.h"
#include "ranks.h"
#include "src/mpi/direct.h"
#include "src/mpi/jacobi/jacobi.h"

static hd_mpi *mpi;

typedef struct problem {
    hd_jacobi jacobi;
    size_t every;
    const char *what;
} problem;

static double start(size_t x, size_t y)
{
    return cos((double)(x * 7 + y * 13)) + 1e-3 * (double)((x * y) % 17);
}

/* The whole field, or some rows of it. */
static void fill(const hd_jacobi *p, size_t first, size_t rows, void *to)
{
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < p->nx; x++) {
            const double value = start(x, first + y);
            if (p->type == HD_F32)
                ((float *)to)[y * p->nx + x] = (float)value;
            else
                ((double *)to)[y * p->nx + x] = value;
        }
}

/* ---- one device ------------------------------------------------------------------------------ */

static hd_status one_device(const problem *p, void *host, double *norms)
{
    const size_t bytes = p->jacobi.nx * p->jacobi.ny * hd_type_bytes(p->jacobi.type);
    hd_jacobi alone = p->jacobi;
    void *field = NULL, *other = NULL, *result = NULL;
    hd_stream *stream = NULL;
    const int device = hd_mpi_device(mpi);
    fill(&alone, 0, alone.ny, host);
    HD_TRY(hd_stream_create(device, &stream));
    HD_TRY(hd_alloc_bytes(&field, bytes, 1, HD_MEM_DEVICE, device));
    HD_TRY(hd_alloc_bytes(&other, bytes, 1, HD_MEM_DEVICE, device));
    HD_TRY(hd_alloc(&alone.norms, alone.sweeps + 1, device));
    HD_TRY(hd_copy_blocking_bytes(field, host, bytes, 1, stream));
    HD_TRY(hd_jacobi2d(&alone, field, other, &result, NULL, stream));
    HD_TRY(hd_copy_blocking_bytes(host, result, bytes, 1, stream));
    if (alone.sweeps)
        HD_TRY(hd_copy_blocking(norms, alone.norms, alone.sweeps, stream));
    HD_TRY(hd_free(alone.norms));
    HD_TRY(hd_free(field));
    HD_TRY(hd_free(other));
    return hd_stream_destroy(stream);
}

/* ---- over ranks ------------------------------------------------------------------------------ */

/* In two runs, of which the second begins where a norm is due. */
static hd_status run_twice(hd_mpi_jacobi *j, const problem *p, double *norms)
{
    const size_t every = p->every ? p->every : 1;
    const size_t half = p->jacobi.sweeps / 2 / every * every;
    HD_TRY(hd_mpi_jacobi_run(j, half, p->every, norms));
    return hd_mpi_jacobi_run(j, p->jacobi.sweeps - half, p->every, norms + half / every);
}

static hd_status over_ranks(const problem *p, void *rows, hd_part *part, double *norms)
{
    hd_mpi_jacobi *j = NULL;
    hd_status status;
    HD_TRY(hd_mpi_jacobi_create(mpi, &p->jacobi, &j));
    CHECK_STATUS(hd_mpi_jacobi_get(j, part, NULL), HD_OK);
    fill(&p->jacobi, part->y, part->ny, rows);
    status = hd_mpi_jacobi_load(j, rows, 0);
    if (status >= 0)
        status = run_twice(j, p, norms);
    if (status >= 0)
        status = hd_mpi_jacobi_store(j, rows, 0);
    CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
    return status;
}

static void compare(const problem *p, const char *whole, const char *rows, const hd_part *part,
                    const double *expected, const double *norms)
{
    const size_t row = p->jacobi.nx * hd_type_bytes(p->jacobi.type);
    size_t wrong = 0;
    for (size_t y = 0; y < part->ny; y++)
        wrong += memcmp(whole + (part->y + y) * row, rows + y * row, row) != 0;
    if (!CHECK_EQ_U64(wrong, 0))
        test_note("%s: rank %d of %d, rows %zu to %zu", p->what, rank, size, part->y,
                  part->y + part->ny - 1);
    wrong = 0;
    for (size_t i = 0; p->every && i < p->jacobi.sweeps; i += p->every)
        wrong += memcmp(&expected[i], &norms[i / p->every], sizeof(double)) != 0;
    if (!CHECK_EQ_U64(wrong, 0))
        test_note("%s: norms of rank %d of %d", p->what, rank, size);
}

static void check(const problem *p)
{
    const size_t bytes = p->jacobi.nx * p->jacobi.ny * hd_type_bytes(p->jacobi.type);
    char *whole = malloc(bytes), *rows = malloc(bytes);
    double *expected = calloc(p->jacobi.sweeps + 1, sizeof *expected);
    double *norms = calloc(p->jacobi.sweeps + 1, sizeof *norms);
    hd_part part = {0};
    hd_status status = HD_ERR_NO_MEMORY;
    if (whole && rows && expected && norms) {
        CHECK_STATUS(one_device(p, whole, expected), HD_OK);
        CHECK_STATUS(status = over_ranks(p, rows, &part, norms), HD_OK);
    }
    if (status >= 0)
        compare(p, whole, rows, &part, expected, norms);
    free(whole);
    free(rows);
    free(expected);
    free(norms);
}

/* ---- problems -------------------------------------------------------------------------------- */

#define SIDES(x, y)                                                                                \
    {                                                                                              \
        HD_SIDE_##x, HD_SIDE_##x, HD_SIDE_##y, HD_SIDE_##y                                         \
    }
static const problem problems[] = {
    {{.type = HD_F32, .nx = 130, .ny = 83, .sides = SIDES(FIXED, PERIODIC), .sweeps = 13}, 1, "a"},
    {{.type = HD_F64, .nx = 61, .ny = 71, .sides = SIDES(PERIODIC, FIXED), .sweeps = 12}, 1, "b"},
    {{.type = HD_F32, .nx = 37, .ny = 97, .sides = SIDES(MIRROR, MIRROR), .sweeps = 9}, 3, "c"},
    /* Tiles of sums that begin and end within stripes; stripes of several bands. */
    {{.type = HD_F32, .nx = 4000, .ny = 203, .sides = SIDES(FIXED, PERIODIC), .sweeps = 6}, 2, "d"},
    /* In each of two runs more norms than there are slots. */
    {{.type = HD_F32, .nx = 20, .ny = 200, .sides = SIDES(FIXED, PERIODIC), .sweeps = 150}, 1, "e"},
    {{.type = HD_F32, .nx = 20, .ny = 64, .sides = SIDES(FIXED, FIXED), .sweeps = 30}, 0, "f"},
    {{.type = HD_F64, .nx = 3, .ny = 65, .sides = SIDES(PERIODIC, PERIODIC), .sweeps = 1}, 1, "g"},
    {{.type = HD_F32, .nx = 8, .ny = 64, .sides = SIDES(FIXED, FIXED), .sweeps = 0}, 1, "h"},
};

/* Less where the checker looks at every access. */
static int too_much(const problem *p)
{
#if HD_CPU_CHECK
    return p->jacobi.nx * p->jacobi.ny * p->jacobi.sweeps > 200000;
#else
    return hd__jacobi_forced.lanes && p->jacobi.nx * p->jacobi.ny * p->jacobi.sweeps > 1000000;
#endif
}

TEST(usual_kernels)
{
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (!too_much(&problems[i]))
            check(&problems[i]);
}

#if !HD_CPU_CHECK /* which has these kernels alone */
/* The kernels of warps, also where those of one thread per block are usual: several sweeps a pass,
   and ranks whose warps differ (test_jacobi.sh). */
TEST(several_sweeps_a_pass)
{
    hd__jacobi_forced.lanes = 1;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        problem p = problems[i];
        p.jacobi.depth = i % 2 ? 4 : 0;
        if (!too_much(&p))
            check(&p);
    }
    hd__jacobi_forced.lanes = 0;
}

/* Rank 0 can do one sweep a pass, and so all of them do. */
TEST(a_rank_that_can_do_less)
{
    hd_mpi_jacobi *j = NULL;
    unsigned depth = 0;
    if (!HD_SERIAL_THREADS)
        SKIP("all ranks have the same kernels");
    hd__jacobi_forced.lanes = rank > 0;
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &problems[0].jacobi, &j), HD_OK);
    CHECK_STATUS(hd_mpi_jacobi_get(j, NULL, &depth), HD_OK);
    CHECK_EQ_U64(depth, 1);
    CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
    check(&problems[0]);
    hd__jacobi_forced.lanes = 0;
}
#endif

/* ---- failures -------------------------------------------------------------------------------- */

/* A rank fails in some pass, before its rows go or while they do: all know which one, and the next
   run is as if nothing had been. */
static void rank_fails(int stream)
{
    problem p = problems[0];
    double norms[32];
    float rows[83 * 130];
    char expected[64];
    hd_mpi_jacobi *j = NULL;
    hd_part part;
    p.jacobi.depth = 1;
    hd__mpi_forced.fail_stream = stream;
    for (unsigned at = 1; at <= 13; at += 3) {
        CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p.jacobi, &j), HD_OK);
        CHECK_STATUS(hd_mpi_jacobi_get(j, &part, NULL), HD_OK);
        fill(&p.jacobi, part.y, part.ny, rows);
        CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
        hd__mpi_forced.fail_pass = at;
        hd__mpi_forced.fail_rank = (int)at % size;
        CHECK_STATUS(hd_mpi_jacobi_run(j, 13, at % 2, norms), HD_ERR_NO_MEMORY);
        snprintf(expected, sizeof expected, "rank %d on ", (int)at % size);
        CHECK(strstr(hd_error_last()->message, expected) != NULL);
        CHECK_STATUS(hd_mpi_jacobi_run(j, 1, 0, NULL), HD_ERR_STATE);
        CHECK_STATUS(hd_mpi_jacobi_store(j, rows, 0), HD_ERR_STATE);
        hd__mpi_forced.fail_pass = 0;
        CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
        CHECK_STATUS(hd_mpi_jacobi_run(j, 5, 1, norms), HD_OK);
        CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
    }
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p.jacobi, &j), HD_OK); /* all in the same pass */
    CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
    hd__mpi_forced.fail_pass = 3;
    hd__mpi_forced.fail_rank = rank;
    CHECK_STATUS(hd_mpi_jacobi_run(j, 13, 0, norms), HD_ERR_NO_MEMORY);
    CHECK(strstr(hd_error_last()->message, "forced to fail in pass 3") != NULL);
    if (!stream) /* else some may not have come so far when they hear of others */
        CHECK(strstr(hd_error_last()->message, "rank 0 on ") != NULL);
    CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK); /* in the first of many */
    hd__mpi_forced.fail_pass = j->passes + 1;
    hd__mpi_forced.fail_rank = 0;
    CHECK_STATUS(hd_mpi_jacobi_run(j, 1000, 0, norms), HD_ERR_NO_MEMORY);
    CHECK(j->passes < hd__mpi_forced.fail_pass + HD__MPI_PUTS_MAX);
    hd__mpi_forced.fail_pass = 0;
    hd__mpi_forced.fail_stream = 0;
    CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
    check(&p);
}

TEST(a_rank_fails)
{
    if (size < 2)
        SKIP("one rank");
    rank_fails(0);
}

TEST(a_rank_fails_in_its_stream)
{
    if (size < 2 || hd_mpi_path_used(mpi, NULL) == HD_MPI_LIBRARY)
        SKIP("one rank, or a library that is not used again when it has failed");
    rank_fails(1);
}

static hd_status fail(void *argument)
{
    (void)argument;
    return hd__fail(HD_ERR_NO_MEMORY, "a stream", "forced to fail");
}

/* A stream fails before rows are sent that no pass follows at once: nobody waits for them. */
TEST(a_stream_fails)
{
    hd_mpi_jacobi *j = NULL;
    float rows[83 * 130] = {0};
    if (size < 2 || hd_mpi_path_used(mpi, NULL) == HD_MPI_LIBRARY)
        SKIP("one rank, or a library that is not used again when it has failed");
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &problems[0].jacobi, &j), HD_OK);
    for (int bad = 0; bad < 2; bad++) {
        CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
        if (rank == bad)
            CHECK_STATUS(hd_stream_host_try(j->edge, fail, NULL), HD_OK);
        CHECK_STATUS(hd_mpi_jacobi_run(j, 1, 0, NULL), HD_ERR_NO_MEMORY);
        CHECK(strstr(hd_error_last()->message, bad ? "rank 1 on " : "rank 0 on ") != NULL);
    }
    CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
    CHECK_STATUS(hd_mpi_jacobi_run(j, 3, 0, NULL), HD_OK);
    CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
}

/* What a failed run leaves behind under way does not come into the next one. */
TEST(after_failures)
{
    problem shallow = problems[1];
    const problem *p = &shallow;
    const size_t bytes = p->jacobi.nx * p->jacobi.ny * hd_type_bytes(p->jacobi.type);
    char *whole = malloc(bytes), *rows = malloc(bytes);
    double expected[16], norms[16];
    hd_mpi_jacobi *j = NULL;
    hd_part part;
    if (size < 2)
        SKIP("one rank");
    shallow.jacobi.depth = 1;
    CHECK_STATUS(one_device(p, whole, expected), HD_OK);
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p->jacobi, &j), HD_OK);
    CHECK_STATUS(hd_mpi_jacobi_get(j, &part, NULL), HD_OK);
    for (unsigned at = 1; at <= 6; at++) {
        fill(&p->jacobi, part.y, part.ny, rows);
        CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
        hd__mpi_forced.fail_pass = j->passes + at;
        hd__mpi_forced.fail_rank = (int)at % size;
        CHECK_STATUS(hd_mpi_jacobi_run(j, 12, at % 2, norms), HD_ERR_NO_MEMORY);
        hd__mpi_forced.fail_pass = 0;
        CHECK_STATUS(hd_mpi_jacobi_load(j, rows, 0), HD_OK);
        CHECK_STATUS(hd_mpi_jacobi_run(j, 12, 1, norms), HD_OK);
        CHECK_STATUS(hd_mpi_jacobi_store(j, rows, 0), HD_OK);
        compare(p, whole, rows, &part, expected, norms);
    }
    CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
    free(whole);
    free(rows);
}

/* Ranks whose problems differ say in what, on every rank. */
TEST(problems_differ)
{
    hd_mpi_jacobi *j = NULL;
    hd_jacobi p = problems[0].jacobi;
    char expected[64];
    if (size < 2)
        SKIP("one rank");
    p.nx += rank == size - 1 ? 100 : 0;
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p, &j), HD_ERR_ARGUMENT);
    snprintf(expected, sizeof expected, "nx is 130 on rank 0 and 230 on rank %d", size - 1);
    CHECK(strstr(hd_error_last()->message, expected) != NULL);
    p = problems[0].jacobi;
    p.type = rank ? HD_F64 : HD_F32;
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p, &j), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "type is f32 on rank 0 and f64 on rank 1") != NULL);
    p = problems[0].jacobi;
    p.held = rank == 1 ? (const uint8_t *)"" : NULL; /* of one rank alone */
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p, &j), HD_ERR_UNSUPPORTED);
    CHECK(strstr(hd_error_last()->message, "rank 1 on ") != NULL);
    CHECK(j == NULL);
}

TEST(arguments)
{
    hd_mpi_jacobi *j = NULL;
    hd_jacobi p = problems[0].jacobi;
    CHECK_STATUS(hd_mpi_jacobi_create(NULL, &p, &j), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, NULL, &j), HD_ERR_ARGUMENT);
    p.ny = 0;
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p, &j), HD_ERR_ARGUMENT);
    p.ny = 16; /* one band */
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p, &j), size > 1 ? HD_ERR_ARGUMENT : HD_OK);
    CHECK_STATUS(hd_mpi_jacobi_destroy(j), HD_OK);
    p.sides[0] = HD_SIDE_HALO;
    CHECK_STATUS(hd_mpi_jacobi_create(mpi, &p, &j), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_jacobi_run(NULL, 1, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_mpi_jacobi_destroy(NULL), HD_OK);
}

/* HEDDLE_TEST_PATH: rows travel by the vendor's library, or what stands in for it; by SHMEM; by
   puts into peers' memory; by messages to peers, to all ranks or to some. */
static hd_mpi_path path_of_rows(const char *path)
{
    if (strcmp(path, "shmem") == 0)
        return HD_MPI_SHMEM;
    if (strcmp(path, "peer") == 0 || strcmp(path, "messages") == 0 || strcmp(path, "apart") == 0)
        return HD_MPI_PEER;
    if (strcmp(path, "library") != 0)
        return HD_MPI_AUTO;
    if (!library_is_there())
        hd__mpi_forced.library = &library_stand_in;
    return HD_MPI_LIBRARY;
}

/* On the path that is asked for; without it where GPUs have no SHMEM, or no peers. */
static hd_status make_mpi(const char *path)
{
    hd_mpi_options options = {.path = path_of_rows(path)};
    hd_status status;
    hd__mpi_forced.apart = strcmp(path, "apart") == 0 ? 2 : 0; /* 0 and 1 | 2 and 3 */
    status = hd_mpi_create(MPI_COMM_WORLD, &options, &mpi);
    if (status >= 0 && strcmp(path, "messages") == 0)
        mpi->puts = 0;
    if (status != HD_ERR_UNSUPPORTED || options.path < HD_MPI_SHMEM ||
        strcmp(hd_backend_name(), "cpu") == 0)
        return status;
    printf("rows do not travel by %s: %s\n", path, hd_error_last()->message);
    options.path = HD_MPI_AUTO;
    return hd_mpi_create(MPI_COMM_WORLD, &options, &mpi);
}

int main(int argc, char **argv)
{
    int result;
    if (!ranks_begin(&argc, &argv))
        return 2;
    if (make_mpi(getenv("HEDDLE_TEST_PATH") ? getenv("HEDDLE_TEST_PATH") : "") < 0)
        return 3;
    result = test_main(argc, argv);
    if (hd_mpi_destroy(mpi) < 0)
        return 3;
    MPI_Finalize();
    return result;
}
