/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs both kernels with blocks of several shapes. Every field has to have the bits of the
   host's, because all of them compute a cell by the same operations in the same order. */
#include "exercise.h"

#include "host.h"

enum { SWEEPS = 3 };

static const extents size = {126, 6, 18};
static const hd_dim3 cell_shapes[] = {{64, 4, 1}, {128, 1, 1}, {32, 2, 2}, {16, 4, 4}};
static const hd_dim3 column_shapes[] = {{64, 4, 1}, {128, 1, 1}, {32, 2, 1}, {16, 8, 1}};

enum { SHAPES = sizeof cell_shapes / sizeof *cell_shapes };

static size_t place(size_t x, size_t y, size_t z)
{
    return x + size.nx * (y + size.ny * z);
}

static int on_face(size_t x, size_t y, size_t z)
{
    return x == 0 || y == 0 || z == 0 || x == size.nx - 1 || y == size.ny - 1 || z == size.nz - 1;
}

static void start_field(float *u)
{
    for (size_t z = 0; z < size.nz; z++)
        for (size_t y = 0; y < size.ny; y++)
            for (size_t x = 0; x < size.nx; x++)
                u[place(x, y, z)] = on_face(x, y, z) ? (float)((7 * x + 5 * y + 3 * z) % 11)
                                                     : (float)((x * y + z) % 3);
}

static void sweep_host(const float *from, float *to)
{
    for (size_t z = 0; z < size.nz; z++)
        for (size_t y = 0; y < size.ny; y++)
            for (size_t x = 0; x < size.nx; x++) {
                const size_t i = place(x, y, z), row = size.nx, plane = size.nx * size.ny;

                to[i] = on_face(x, y, z)
                            ? from[i]
                            : ((((from[i - 1] + from[i + 1]) + (from[i - row] + from[i + row])) +
                                from[i - plane]) +
                               from[i + plane]) *
                                  SIXTH;
            }
}

static int compare(const char *kernel, hd_dim3 shape, const float *got, const float *expected)
{
    for (size_t z = 0; z < size.nz; z++)
        for (size_t y = 0; y < size.ny; y++)
            for (size_t x = 0; x < size.nx; x++) {
                const size_t i = place(x, y, z);

                if (exercise_bits(got[i]) != exercise_bits(expected[i]))
                    return exercise_wrong("%s in blocks of %u x %u x %u: cell (%zu, %zu, %zu) is "
                                          "%.9g after %d sweeps, expected %.9g",
                                          kernel, shape.x, shape.y, shape.z, x, y, z,
                                          (double)got[i], SWEEPS, (double)expected[i]);
            }
    return 0;
}

/* Solves with one shape and prints the time of the sweeps. */
static int try_shape(hd_stream *stream, int columns, hd_dim3 shape, float *device[2], float *host,
                     const float *expected)
{
    const char *kernel = columns ? "sweep_columns" : "sweep_cells";
    const size_t cells = size.nx * size.ny * size.nz;
    hd_event *start, *stop;
    float *result, milliseconds;

    start_field(host);
    TRY(hd_event_create(0, HD_EVENT_TIMING, &start));
    TRY(hd_event_create(0, HD_EVENT_TIMING, &stop));
    TRY(hd_copy(device[0], host, cells, stream));
    TRY(hd_event_record(start, stream));
    TRY(solve(stream, columns, shape, size, SWEEPS, device[0], device[1], &result));
    TRY(hd_event_record(stop, stream));
    TRY(hd_copy_blocking(host, result, cells, stream));
    TRY(hd_event_elapsed(start, stop, &milliseconds));
    fprintf(stderr, "%s in blocks of %u x %u x %u: %.3f ms\n", kernel, shape.x, shape.y, shape.z,
            (double)milliseconds);
    TRY(hd_event_destroy(stop));
    TRY(hd_event_destroy(start));
    return compare(kernel, shape, host, expected);
}

static int run(hd_stream *stream, float *host, const float *expected)
{
    const size_t cells = size.nx * size.ny * size.nz;
    int result = 0;

    for (int s = 0; s < 2 * SHAPES && !result; s++) {
        const int columns = s >= SHAPES;
        float *device[2]; /* new for every shape, so that no result of another one is left there */

        TRY(hd_alloc(&device[0], cells, 0));
        TRY(hd_alloc(&device[1], cells, 0));
        result = try_shape(stream, columns, (columns ? column_shapes : cell_shapes)[s % SHAPES],
                           device, host, expected);
        TRY(hd_free(device[1]));
        TRY(hd_free(device[0]));
    }
    if (!result)
        printf("the middle of the field: %a\n",
               (double)expected[place(size.nx / 2, size.ny / 2, size.nz / 2)]);
    return result;
}

int main(void)
{
    const size_t cells = size.nx * size.ny * size.nz;
    float *fields = malloc(3 * cells * sizeof *fields), *expected = fields;
    hd_stream *stream;
    int result = 2;

    if (fields) {
        start_field(fields);
        for (int s = 0; s < SWEEPS; s++)
            sweep_host(fields + (size_t)(s % 2) * cells, fields + (size_t)((s + 1) % 2) * cells);
        expected += SWEEPS % 2 * cells;
        TRY(hd_stream_create(0, &stream));
        result = run(stream, fields + 2 * cells, expected);
        TRY(hd_stream_destroy(stream));
    }
    free(fields);
    return result;
}
