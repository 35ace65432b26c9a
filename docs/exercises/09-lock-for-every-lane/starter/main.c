/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - looks for the row of a table with the greatest score, and copies it. */
#include "exercise.h"
#include "kernel.h"

enum { ROWS = 120, BLOCKS = 3, BLOCK = 128 };

/* Every score occurs once: 37 and 1009 have no common factor. */
static uint32_t score_of(size_t row)
{
    return (uint32_t)(row * 37 % 1009) + 1;
}

static uint32_t column_of(size_t row, size_t column)
{
    return (uint32_t)(row * 1000 + column);
}

static void run(size_t rows, best_row *best)
{
    uint32_t *score = malloc(rows * sizeof *score), *table = malloc(rows * COLUMNS * sizeof *table);
    uint32_t *device_score, *device_table;
    best_row *device_best;
    hd_stream *stream;
    unsigned *lock;

    if (!score || !table)
        exit(2);
    for (size_t row = 0; row < rows; row++) {
        score[row] = score_of(row);
        for (size_t c = 0; c < COLUMNS; c++)
            table[row * COLUMNS + c] = column_of(row, c);
    }
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_score, rows, 0));
    TRY(hd_alloc(&device_table, rows * COLUMNS, 0));
    TRY(hd_alloc(&device_best, 1, 0));
    TRY(hd_alloc(&lock, 2, 0));
    TRY(hd_copy(device_score, score, rows, stream));
    TRY(hd_copy(device_table, table, rows * COLUMNS, stream));
    TRY(hd_fill_zero(device_best, 1, stream));
    TRY(hd_fill_zero(lock, 2, stream));
    TRY(hd_launch(keep_best, hd_launch_with(hd_dim(BLOCKS, 1, 1), hd_dim(BLOCK, 1, 1), 0, stream),
                  rows, device_score, device_table, lock, device_best));
    TRY(hd_copy_blocking(best, device_best, 1, stream));
    TRY(hd_free(lock));
    TRY(hd_free(device_best));
    TRY(hd_free(device_table));
    TRY(hd_free(device_score));
    TRY(hd_stream_destroy(stream));
    free(table);
    free(score);
}

int main(int argc, char **argv)
{
    size_t rows = exercise_size(argc, argv, ROWS), expected = 0;
    best_row best;

    setenv("HEDDLE_CPU_WATCHDOG", "1", 0); /* a deadlock is reported after 1 s instead of 10 */
    if (rows == 0 || rows > 1009) {
        fprintf(stderr, "error: %zu rows; 1 to 1009 are allowed\n", rows);
        return 2;
    }
    run(rows, &best);
    for (size_t row = 1; row < rows; row++)
        if (score_of(row) > score_of(expected))
            expected = row;
    if (best.score != score_of(expected))
        return exercise_wrong("the best score is %u, expected %u (row %zu)", best.score,
                              score_of(expected), expected);
    for (size_t c = 0; c < COLUMNS; c++)
        if (best.column[c] != column_of(expected, c))
            return exercise_wrong("column %zu of the best row is %u, expected %u", c,
                                  best.column[c], column_of(expected, c));
    printf("best row %zu of %zu, score %u\n", expected, rows, best.score);
    return 0;
}
