/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - tunes the block shape of a stencil and uses what was found. A size is the edge of a
   square plate. With an argument it prints the candidates and their times on standard error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>
#include <heddle/tune.h>

#include "heat.h"

enum { EDGE = 301, STEPS = 20 };
static const float c = 0.2f;

/* ---- what is tuned --------------------------------------------------------------------------- */

/* The first value of each is the default. `rows` selects a compiled instance. */
enum { WIDTH, HEIGHT, ROWS, KNOBS };
static const unsigned widths[] = {32, 64, 128, 256}, heights[] = {8, 1, 2, 4}, rows[] = {1, 4};
static const hd_tune_knob knobs[KNOBS] = {
    [WIDTH] = {"width", widths, 4}, [HEIGHT] = {"height", heights, 4}, [ROWS] = {"rows", rows, 2}};

typedef struct plate {
    float *from, *to;
} plate;

/* Allocates the plates, with a pattern that no symmetry hides errors in. */
static hd_status prepare(void *state, size_t edge, hd_stream *stream)
{
    plate *p = state;
    float *host = malloc(edge * edge * sizeof *host);
    hd_status status;

    if (!host)
        return HD_ERR_NO_MEMORY;
    for (size_t i = 0; i < edge * edge; i++)
        host[i] = (float)((i * 2654435761u) % 1009) * 0.37f;
    hd_free(p->from);
    hd_free(p->to);
    p->from = p->to = NULL;
    HD_GOTO(status, end, hd_alloc(&p->from, edge * edge, 0));
    HD_GOTO(status, end, hd_alloc(&p->to, edge * edge, 0));
    HD_GOTO(status, end, hd_copy_blocking(p->from, host, edge * edge, stream));
end:
    free(host);
    return status;
}

static hd_status step(void *state, size_t edge, const unsigned *values, hd_stream *stream)
{
    const plate *p = state;
    const size_t down = (edge + values[ROWS] - 1) / values[ROWS]; /* threads */
    const hd_launch_config config = hd_launch_with(
        hd_dim((unsigned)((edge + values[WIDTH] - 1) / values[WIDTH]),
               (unsigned)((down + values[HEIGHT] - 1) / values[HEIGHT]), 1),
        hd_dim(values[WIDTH], values[HEIGHT], 1), 0, stream);

    return values[ROWS] == 4 ? hd_launch(heat_4, config, edge, edge, c, p->from, p->to)
                             : hd_launch(heat_1, config, edge, edge, c, p->from, p->to);
}

static hd_status result(void *state, size_t edge, void **memory, size_t *bytes)
{
    *memory = ((plate *)state)->to;
    *bytes = edge * edge * sizeof(float);
    return HD_OK;
}

/* Blocks of 64 to 1024 threads. */
static int accepts(void *state, size_t edge, const unsigned *values)
{
    (void)state;
    (void)edge;
    return values[WIDTH] * values[HEIGHT] >= 64 && values[WIDTH] * values[HEIGHT] <= 1024;
}

/* ---- the program ----------------------------------------------------------------------------- */

static hd_status print_table(const hd_tune_kernel *kernel, hd_stream *stream)
{
    const size_t sizes[] = {EDGE, EDGE + 200};
    const hd_tune_options options = {.sizes = sizes, .size_count = 2};
    hd_tune_result *r = NULL;
    size_t rejected = 0;

    HD_TRY(hd_tune_measure(kernel, &options, stream, &r));
    for (size_t i = 0; i < r->count; i++) {
        const hd_tune_candidate *k = &r->candidates[i];
        rejected += k->verdict != HD_TUNE_MEASURED;
        fprintf(stderr, "%3u x %u, %u rows: %8.2f us, %.2f times the default's speed%s %s\n",
                k->values[WIDTH], k->values[HEIGHT], k->values[ROWS], 1e6 * k->seconds[1],
                k->speedup, i == r->chosen ? ", chosen" : "", k->why);
    }
    printf("%zu candidates, %zu rejected\n", r->count, rejected);
    return hd_tune_result_destroy(r);
}

/* Steps with the chosen shape; a hash of the last plate shows that the shape changes no bit. */
static hd_status run(const hd_tune_kernel *kernel, hd_stream *stream)
{
    static float last[EDGE * EDGE];
    plate *p = kernel->state;
    unsigned values[KNOBS];
    uint64_t hash = 14695981039346656037u;

    HD_TRY(hd_tune_choose(kernel, EDGE, stream, values)); /* once, before the loop */
    HD_TRY(prepare(p, EDGE, stream));
    for (int i = 0; i < STEPS; i++) {
        float *from = p->from;
        HD_TRY(step(p, EDGE, values, stream));
        p->from = p->to;
        p->to = from;
    }
    HD_TRY(hd_copy_blocking(last, p->from, EDGE * EDGE, stream));
    for (size_t i = 0; i < sizeof last; i++)
        hash = (hash ^ ((const unsigned char *)last)[i]) * 1099511628211u;
    printf("%d steps: %016" PRIx64 "\n", STEPS, hash);
    return HD_OK;
}

int main(int argc, char **argv)
{
    plate p = {NULL, NULL};
    const hd_tune_kernel kernel = {.name = "example.heat",
                                   .source = HEAT_SOURCE,
                                   .type = "f32",
                                   .knobs = knobs,
                                   .knob_count = KNOBS,
                                   .prepare = prepare,
                                   .run = step,
                                   .result = result,
                                   .accepts = accepts,
                                   .state = &p};
    hd_stream *stream = NULL;
    char text[HD_ERROR_TEXT_MAX];
    hd_status status = hd_stream_create(0, &stream);

    (void)argv;
    if (status >= 0)
        status = argc > 1 ? print_table(&kernel, stream) : run(&kernel, stream);
    if (status < 0)
        fprintf(stderr, "tuning: %s\n", hd_error_format(text, sizeof text));
    hd_free(p.from);
    hd_free(p.to);
    hd_stream_destroy(stream);
    return status < 0;
}
