/* SPDX-License-Identifier: Apache-2.0 */
/* test_jacobi_group_faults.c - a device of a Jacobi run fails: the run says which, the work of all
   others ends, the group is good for another field, and nothing is left behind.
   labels: faults lazy peers */
#include "arrays.h"
#include "devices.h"

#include <stdlib.h>
#include <string.h>

#include "kern_jacobi_fault.h"
#include "drivers/stencil/several/jacobi_group.h"

enum { NX = 96, NY = 160, DEVICES = 4, SWEEPS = 40 };

static hd_jacobi problem(void)
{
    hd_jacobi p = {0};
    p.type = HD_F32;
    p.nx = NX;
    p.ny = NY;
    p.sides[2] = p.sides[3] = HD_SIDE_PERIODIC;
    p.depth = 1;
    return p;
}

static void start(float *field)
{
    memset(field, 0, NX * NY * sizeof *field);
    for (size_t y = 0; y < NY; y++)
        field[y * NX] = field[y * NX + NX - 1] = (float)(y % 7) - 3;
}

static hd_status fail_on(hd_stream *stream)
{
    return hd_launch(jacobi_fault, hd_launch_with(hd_dim(1, 1, 1), hd_dim(32, 1, 1), 0, stream),
                     33u);
}

/* All variants, or copy, peer-store and ccl. */
static int first_variant(void)
{
    return (int)test_watched(0, HD_JACOBI_COPY);
}

static int next_variant(void)
{
    return (int)test_watched(1, 3);
}

/* Kernels of part `part` fail before the first sweep of a run. */
static void fail_once(hd_jacobi_group *g, unsigned part, size_t every)
{
    double norms[SWEEPS];
    char name[64];
    const double begin = test_seconds();
    float *field = malloc(NX * NY * sizeof *field);
    REQUIRE(field != NULL);
    start(field);
    CHECK_STATUS(hd_jacobi_group_load(g, field, 0), HD_OK);
    CHECK_STATUS(fail_on(g->parts[part].main), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, SWEEPS, every, norms), HD_ERR_ASSERT);
    snprintf(name, sizeof name, "part %u (device %u)", part, part);
    if (!strstr(hd_error_last()->message, name))
        test_fail(__FILE__, __LINE__, "\"%s\" does not name %s", hd_error_last()->message, name);
    for (unsigned i = 0; i < g->count; i++) {
        CHECK_STATUS(hd_stream_query(g->parts[i].main), HD_OK);
        CHECK_STATUS(hd_stream_query(g->parts[i].edge), HD_OK);
        CHECK_STATUS(hd_stream_query(g->parts[i].side), HD_OK);
    }
    CHECK_STATUS(hd_jacobi_group_run(g, 1, 0, NULL), HD_ERR_STATE);
    if (test_seconds() - begin > 10 + (double)test_watched(0, 50))
        test_fail(__FILE__, __LINE__, "took %g s", test_seconds() - begin);
    free(field);
}

/* The group makes what a new one makes. */
static void works_again(hd_jacobi_group *g, const float *expected, const double *expected_norms)
{
    double norms[SWEEPS];
    float *field = malloc(NX * NY * sizeof *field);
    REQUIRE(field != NULL);
    start(field);
    CHECK_STATUS(hd_jacobi_group_load(g, field, 0), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, SWEEPS, 1, norms), HD_OK);
    CHECK_STATUS(hd_jacobi_group_store(g, field, 0), HD_OK);
    CHECK(memcmp(field, expected, NX * NY * sizeof *field) == 0);
    CHECK(memcmp(norms, expected_norms, sizeof norms) == 0);
    free(field);
}

static hd_jacobi_group *open_group(hd_jacobi_variant variant, unsigned devices, int threads)
{
    static const int all[DEVICES] = {0, 1, 2, 3};
    const hd_jacobi p = problem();
    hd_jacobi_group_options options = {0};
    hd_jacobi_group *g = NULL;
    hd_status status;
    options.variant = variant;
    options.thread_per_device = threads;
    status = hd_jacobi_group_create(&p, all, devices, &options, &g);
    if (status != HD_ERR_NO_PEER)
        CHECK_STATUS(status, HD_OK);
    return g;
}

TEST(a_part_whose_kernel_fails)
{
    /* launches of few passes: some parts have one that others were not given any more */
    static const hd__jacobi_group_force several = {.slots = 9, .passes = 3};
    double norms[SWEEPS];
    float *expected = malloc(NX * NY * sizeof *expected);
    size_t before[DEVICES];
    hd_jacobi_group *g;
    if (!test_own_devices(DEVICES))
        SKIP("fewer than 4 devices, or not ours alone");
    g = open_group(HD_JACOBI_COPY, 1, 0);
    REQUIRE(g && expected);
    start(expected);
    CHECK_STATUS(hd_jacobi_group_load(g, expected, 0), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, SWEEPS, 1, norms), HD_OK);
    CHECK_STATUS(hd_jacobi_group_store(g, expected, 0), HD_OK);
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
    for (int a = 0; a < DEVICES; a++)
        for (int b = 0; b < a; b++)
            CHECK_STATUS(hd_peer_connect(a, b, NULL), HD_OK);
    for (int v = first_variant(); v < HD_JACOBI_VARIANT_COUNT_; v += next_variant()) {
        for (int i = 0; i < DEVICES; i++)
            before[i] = test_free_bytes(i);
        g = open_group((hd_jacobi_variant)v, DEVICES, v % 2);
        if (!g)
            continue;
        fail_once(g, 2, v % 2 == 1);
        works_again(g, expected, norms);
        hd__jacobi_group_forced = several;
        fail_once(g, 1, 1);
        hd__jacobi_group_forced = (hd__jacobi_group_force){0};
        works_again(g, expected, norms);
        fail_once(g, 1, v % 2 == 0);
        CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
        for (int i = 0; i < DEVICES; i++)
            CHECK_EQ_U64(test_free_bytes(i), before[i]);
    }
    free(expected);
}

/* ---- words that count what a pass has done --------------------------------------------------- */

/* Parts of one band: a pass counts its low and its high side in two words, of which the second
   belongs to no band. */
enum { BAND_ROWS = HD__JACOBI_MIN_BAND, ROWS = DEVICES * BAND_ROWS, WORDS = 3 };

static hd_jacobi_group *open_bands(hd_jacobi_variant variant, unsigned devices)
{
    static const int all[DEVICES] = {0, 1, 2, 3};
    hd_jacobi_group_options options = {0};
    hd_jacobi_group *g = NULL;
    hd_jacobi p = problem();
    hd_status status;
    p.ny = ROWS;
    options.variant = variant;
    status = hd_jacobi_group_create(&p, all, devices, &options, &g);
    if (status != HD_ERR_NO_PEER)
        CHECK_STATUS(status, HD_OK);
    return g;
}

static void run_bands(hd_jacobi_group *g, float *field)
{
    memset(field, 0, NX * ROWS * sizeof *field);
    for (size_t y = 0; y < ROWS; y++)
        field[y * NX] = field[y * NX + NX - 1] = (float)(y % 7) - 3;
    CHECK_STATUS(hd_jacobi_group_load(g, field, 0), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, SWEEPS, 0, NULL), HD_OK);
    CHECK_STATUS(hd_jacobi_group_store(g, field, 0), HD_OK);
}

/* A run that ends in the middle of a pass: each word holds the count of one unit, as if the blocks
   of the others had never run, and the failure of part 1 is found. */
static void abort_run(hd_jacobi_group *g, const float *field)
{
    CHECK_STATUS(hd_jacobi_group_load(g, field, 0), HD_OK);
    for (unsigned i = 0; i < g->count; i++) {
        const hd__jacobi_part *p = &g->parts[i];
        CHECK_EQ_U64(p->bands, 1);
        CHECK_EQ_U64(hd__jacobi_done_words(p), WORDS);
        CHECK_STATUS(hd_fill_bytes(p->done, 1, sizeof *p->done, WORDS, p->main), HD_OK);
    }
    CHECK_STATUS(fail_on(g->parts[1].main), HD_OK);
    CHECK_STATUS(hd_jacobi_group_run(g, 1, 0, NULL), HD_ERR_ASSERT);
}

static void check_cleared(const hd_jacobi_group *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        const hd__jacobi_part *p = &g->parts[i];
        uint32_t words[WORDS] = {7, 7, 7};
        CHECK_STATUS(hd_copy_blocking(words, p->done, WORDS, p->main), HD_OK);
        for (unsigned w = 0; w < WORDS; w++)
            if (words[w] != 0)
                test_fail(__FILE__, __LINE__, "part %u, word %u is %u", i, w, words[w]);
    }
}

TEST(counts_of_an_aborted_pass)
{
    float *expected = malloc(NX * ROWS * sizeof *expected);
    float *field = malloc(NX * ROWS * sizeof *field);
    hd_jacobi_group *g;
    if (!test_own_devices(DEVICES))
        SKIP("fewer than 4 devices, or not ours alone");
    g = open_bands(HD_JACOBI_COPY, 1);
    REQUIRE(g && expected && field);
    run_bands(g, expected);
    CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
    for (int v = first_variant(); v < HD_JACOBI_VARIANT_COUNT_; v += next_variant()) {
        g = open_bands((hd_jacobi_variant)v, DEVICES);
        if (!g)
            continue;
        abort_run(g, expected);
        check_cleared(g);
        run_bands(g, field);
        if (memcmp(field, expected, NX * ROWS * sizeof *field) != 0)
            test_fail(__FILE__, __LINE__, "%s after a failure: another field",
                      hd_jacobi_variant_name((hd_jacobi_variant)v));
        CHECK_STATUS(hd_jacobi_group_destroy(g), HD_OK);
    }
    free(expected);
    free(field);
}

/* ---- a device that is lost ------------------------------------------------------------------- */

/* Its kernels never run: what the others wait for does not come. */
static void lose(hd_jacobi_variant variant, unsigned lost, int threads)
{
    double norms[SWEEPS];
    float *field = malloc(NX * NY * sizeof *field);
    size_t before[DEVICES];
    hd_jacobi_group *g;
    REQUIRE(field != NULL);
    for (int i = 0; i < DEVICES; i++)
        before[i] = test_free_bytes(i);
    g = open_group(variant, DEVICES, threads);
    if (g) {
        start(field);
        CHECK_STATUS(hd_jacobi_group_load(g, field, 0), HD_OK);
        CHECK_STATUS(
            hd_launch(jacobi_poke,
                      hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, g->parts[lost].main),
                      NULL),
            HD_OK);
        CHECK(hd_jacobi_group_run(g, SWEEPS, 3, norms) < 0);
        NOTE("%s: %s", hd_jacobi_variant_name(variant), hd_error_last()->message);
        CHECK_STATUS(hd_device_state((int)lost), HD_ERR_DEVICE_LOST);
        for (unsigned i = 0; i < DEVICES; i++)
            if (i != lost) {
                CHECK_STATUS(hd_device_state((int)i), HD_OK);
                CHECK_STATUS(hd_stream_query(g->parts[i].main), HD_OK);
                CHECK_STATUS(hd_stream_query(g->parts[i].edge), HD_OK);
            }
        CHECK(hd_jacobi_group_load(g, field, 0) < 0);
        (void)hd_jacobi_group_destroy(g);
        for (unsigned i = 0; i < DEVICES; i++)
            if (i != lost)
                CHECK_EQ_U64(test_free_bytes((int)i), before[i]);
        CHECK_STATUS(hd_device_reset((int)lost), HD_OK);
    }
    free(field);
}

TEST(a_device_that_is_lost)
{
    if (!test_own_devices(DEVICES))
        SKIP("fewer than 4 devices, or not ours alone");
    for (int v = first_variant(); v < HD_JACOBI_VARIANT_COUNT_; v += next_variant())
        lose((hd_jacobi_variant)v, 1 + (unsigned)v % 3, v % 2);
}

TEST_MAIN
