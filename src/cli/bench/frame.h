/* SPDX-License-Identifier: Apache-2.0 */
/* frame.h - internal interface of the benchmark framework; bench files use case.h. */
#ifndef HEDDLE_CLI_BENCH_FRAME_H
#define HEDDLE_CLI_BENCH_FRAME_H

#include "case.h"
#include "cli/app/table.h"
#include "vendor.h"
#include "timing.h"

enum { BENCH_COLUMNS = 20 };

typedef enum bench_data { BENCH_WARM, BENCH_ROTATED, BENCH_MEMORY } bench_data;

struct bench {
    const cli_arguments *arguments;
    timing clock;
    int device, ordinal, cpu;
    char device_name[128];
    void *native_stream;
    size_t cache_bytes; /* of --cache; the default once opened if it was not given */
    /* requested format */
    cli_format format;
    size_t sizes[BENCH_SIZES], size_count;
    int compare, own_vendor; /* --vendor; on the CPU, plain C instead of a library */
    cli_vendor vendor;
    bench_case **cases;
    size_t case_count;
    int rows; /* rows printed so far */
    cli_result output;
    cli_column columns[BENCH_COLUMNS];
    /* the case that runs */
    const bench_case *running;
    unsigned char *memory, *ceiling_memory;
    size_t copy_bytes, copies; /* bytes and number of the copies of the arrays */
    size_t ceiling_bytes, ceiling_copies;
    size_t used, ceiling_used; /* copies that the runs rotate through */
    hd_workspace workspace;
    heddle_vendor *opened;
};

/* The results of a case for one kind of data. */
typedef struct bench_row {
    bench_data data;
    timing_spread heddle, vendor, ceiling;
    const char *vendor_name; /* vendor library; NULL: none */
} bench_row;

/* options.c: --sizes, --rounds and --cache. CLI_DONE, or CLI_MISUSED after a line. */
int bench_read_options(bench *b, const char *sizes, size_t *rounds_out);

/* memory.c: allocates and fills the memory of b->running; its arrays; frees everything. */
int bench_make_memory(bench *b);
bench_arrays bench_arrays_of(const bench *b, size_t copy);
void bench_free_memory(bench *b);
int bench_fill_arrays(bench *b, const bench_arrays *a);
hd_status bench_find_cache(bench *b);

/* agree.c: runs heddle and the vendor library once and compares their outputs. */
int bench_check(bench *b);
int bench_run_vendor(bench *b, const bench_arrays *a);

/* table.c */
void bench_print_head(bench *b);
void bench_print_row(bench *b, const bench_row *row);
/* CLI_DONE, or CLI_FAILED after a line. */
int bench_print_end(bench *b);

#endif
