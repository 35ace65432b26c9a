/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - sums the rows of a small matrix, and asks whether the launch for a large one would be
   accepted. No large launch is executed: it becomes a node of a graph that is never launched, which
   is checked like any other launch. */
#include <heddle/graph.h>

#include "exercise.h"
#include "kernel.h"
#include "shape.h"

enum { ROWS = 700 };
#define MANY_ROWS ((size_t)100 * 1000 * 1000)

typedef struct matrix {
    size_t rows;
    float *host;         /* small whole numbers: their sums are exact in any order */
    float *device;       /* a copy of it */
    float *sums, *found; /* of the rows: on the device, on the host */
} matrix;

static void create(matrix *m, size_t rows, hd_stream *stream)
{
    m->rows = rows;
    m->host = malloc((rows * COLUMNS + 1) * sizeof *m->host);
    m->found = malloc((rows + 1) * sizeof *m->found);
    if (!m->host || !m->found)
        exit(2);
    for (size_t i = 0; i < rows * COLUMNS; i++)
        m->host[i] = (float)(i * i % 17);
    TRY(hd_alloc(&m->device, rows * COLUMNS, 0));
    TRY(hd_alloc(&m->sums, rows, 0));
    TRY(hd_copy_blocking(m->device, m->host, rows * COLUMNS, stream));
}

static void destroy(matrix *m)
{
    TRY(hd_free(m->sums));
    TRY(hd_free(m->device));
    free(m->found);
    free(m->host);
}

/* Launches the kernel with a configuration and compares all sums. */
static int run(matrix *m, hd_launch_config config, const char *what)
{
    TRY(hd_fill_zero(m->sums, m->rows, config.stream));
    TRY(hd_launch(row_sums, config, m->rows, m->device, m->sums));
    TRY(hd_copy_blocking(m->found, m->sums, m->rows, config.stream));
    for (size_t row = 0; row < m->rows; row++) {
        float sum = 0.0f;

        for (size_t c = 0; c < COLUMNS; c++)
            sum += m->host[row * COLUMNS + c];
        if (m->found[row] != sum)
            return exercise_wrong("%s: the sum of row %zu is %g, expected %g", what, row,
                                  (double)m->found[row], (double)sum);
    }
    return 0;
}

/* Whether a launch for so many rows would be accepted. */
static int accepted(size_t rows, hd_launch_config config)
{
    char text[HD_ERROR_TEXT_MAX];
    hd_graph *graph;
    hd_status status;

    TRY(hd_graph_create(0, &graph));
    status = hd_graph_kernel(graph, NULL, 0, NULL, row_sums, config, rows, NULL, NULL);
    if (status < 0) {
        (void)exercise_wrong("the launch for %zu rows is refused: %u blocks of %u threads", rows,
                             config.grid.x, config.block.x);
        fprintf(stderr, "  %s\n", hd_error_format(text, sizeof text));
    }
    TRY(hd_graph_destroy(graph));
    return status >= 0;
}

/* Shapes for more rows than a small matrix has. */
static int check_shapes(matrix *m, unsigned warp, hd_stream *stream)
{
    hd_launch_config config = shape(MANY_ROWS, warp, stream);
    size_t blocks = (size_t)config.grid.x * config.grid.y * config.grid.z;
    size_t threads = blocks * config.block.x * config.block.y * config.block.z;

    if (!accepted(MANY_ROWS, config))
        return 1;
    if (threads / warp >= MANY_ROWS)
        return 0; /* a warp for every row */
    /* Warps have to take several rows: two blocks do the small matrix. */
    if (!accepted(MANY_ROWS * 1000, shape(MANY_ROWS * 1000, warp, stream)))
        return 1;
    config.grid = hd_dim(2, 1, 1);
    return run(m, config, "fewer warps than rows");
}

int main(int argc, char **argv)
{
    size_t rows = exercise_size(argc, argv, ROWS);
    hd_stream *stream;
    int64_t warp;
    matrix m;
    int status;

    TRY(hd_device_get(0, HD_ATTR_WARP_SIZE, &warp));
    TRY(hd_stream_create(0, &stream));
    create(&m, rows, stream);
    status = run(&m, shape(rows, (unsigned)warp, stream), "small matrix");
    if (!status) {
        printf("%zu rows of %d columns: right\n", rows, COLUMNS);
        status = check_shapes(&m, (unsigned)warp, stream);
    }
    destroy(&m);
    TRY(hd_stream_destroy(stream));
    return status;
}
