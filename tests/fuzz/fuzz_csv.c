/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: two bytes of options, then any bytes as a CSV file. The same text must give the same
 * numbers and the same message whether it lies in the first buffer as a whole or passes through a
 * buffer of a few bytes that has to grow, in large reads and in reads of one row, and after a
 * rewind.
 */
#include "fuzz.h"

#include "../../src/io/source.h"

#define FUZZ_ROWS 1024

typedef struct fuzz_outcome {
    int status;
    size_t count;
    uint64_t numbers[FUZZ_ROWS];
    char column[64];
    char message[HD__IO_MESSAGE];
} fuzz_outcome;

/* Reads until the end or an error, at most FUZZ_ROWS numbers. */
static void fuzz_read(hd__source *source, size_t step, fuzz_outcome *outcome)
{
    size_t got = step;

    outcome->count = 0;
    while (got == step && outcome->status == 0 && outcome->count + step <= FUZZ_ROWS) {
        outcome->status = hd__source_read(source, outcome->numbers + outcome->count, step, &got,
                                          outcome->message);
        if (outcome->status == 0)
            outcome->count += got;
    }
}

static void fuzz_run(const uint8_t *data, size_t size, const hd__source_options *options,
                     size_t step, int twice, fuzz_outcome *outcome)
{
    hd__source *source;

    memset(outcome, 0, sizeof *outcome);
    outcome->status = hd__source_open_memory(data, size, options, &source, outcome->message);
    if (outcome->status != 0)
        return;
    snprintf(outcome->column, sizeof outcome->column, "%s", hd__source_column_name(source));
    fuzz_read(source, step, outcome);
    if (twice) {
        outcome->status = hd__source_rewind(source, outcome->message);
        FUZZ_MUST(outcome->status == 0);
        fuzz_read(source, step, outcome);
    }
    hd__source_close(source);
}

static void fuzz_options(const uint8_t *data, hd__source_options *options)
{
    static const hd__io_type types[] = {HD__IO_DEFAULT, HD__IO_F64, HD__IO_I64, HD__IO_U64};
    static const char *const columns[] = {NULL, "1", "2", "3", "a", "b\"c", "x,y", "99"};
    static const char delimiters[] = {0, ',', '\t', ';', ' ', '|', 'e', 0};

    options->path = "fuzz.csv";
    options->type = types[data[0] & 3];
    options->header = (hd__io_header)((data[0] >> 2) % 3);
    options->column = columns[data[1] & 7];
    options->delimiter = delimiters[(data[1] >> 3) & 7];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_outcome whole, pieces;
    hd__source_options options = {0};

    if (size < 2)
        return 0;
    fuzz_options(data, &options);
    fuzz_run(data + 2, size - 2, &options, 64, 0, &whole);
    options.csv_buffer = 1 + (data[0] >> 4);
    fuzz_run(data + 2, size - 2, &options, 1, 1, &pieces);
    FUZZ_MUST(whole.status == pieces.status);
    FUZZ_MUST(strcmp(whole.column, pieces.column) == 0);
    if (whole.status != 0) {
        fuzz_check_message(whole.message, sizeof whole.message, "fuzz.csv: ");
        FUZZ_MUST(strcmp(whole.message, pieces.message) == 0);
        return 0;
    }
    FUZZ_MUST(whole.count == pieces.count);
    FUZZ_MUST(memcmp(whole.numbers, pieces.numbers, whole.count * sizeof whole.numbers[0]) == 0);
    return 0;
}
