/* SPDX-License-Identifier: Apache-2.0 */
/* case.h - the framework of `heddle bench NAME`: a bench file lists cases; the framework allocates
   their memory, compares the outputs, measures heddle, the vendor library and the memory ceiling in
   turn, and prints the table. */
#ifndef HEDDLE_CLI_BENCH_CASE_H
#define HEDDLE_CLI_BENCH_CASE_H

#include <heddle/data.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"

#define BENCH_OPTIONS                                                                              \
    {"vendor", NULL, "also time the vendor's library (CPU: plain C)"}, {"peers", "=vendor", NULL}, \
        {"sizes", "LIST", "sizes to run: 1000, 2^20, or 2^10..2^28 (steps of 4x)"},                \
        {"only", "TEXT",                                                                           \
         "run only cases whose name (first column) contains TEXT, such as zipf; an unknown TEXT "  \
         "prints the names"},                                                                      \
        {"rounds", "N", "batches per result (default 25)"},                                        \
        {"cache", "BYTES",                                                                         \
         "size of the cache that rotated data exceeds, see below (default: that of the device or " \
         "host)"},                                                                                 \
        CLI_DEVICE_OPTION, {"json", NULL, "print one JSON object"},                                \
    {                                                                                              \
        "csv", NULL, "print CSV: a header and the results"                                         \
    }
/* For the notes of each benchmark: how it measures, and where the vendor library comes from. */
#define BENCH_NOTES                                                                                \
    "Each result is the median of many batches; heddle and, with --vendor, the vendor library\n"   \
    "alternate within one run. A ratio above 1 means that heddle is faster. The vendor library\n"  \
    "is loaded from libheddle_vendor.so in the tool's folder, or from HEDDLE_VENDOR; on the CPU\n" \
    "it is plain C on one thread, while heddle uses HEDDLE_CPU_THREADS workers.\n"                 \
    "\n"                                                                                           \
    "warm: every call uses the same arrays; rotated: calls alternate between copies of the\n"      \
    "arrays that together are at least four times as large as the cache; memory: the arrays\n"     \
    "alone are at least four times as large as the cache. In a virtual machine the reported\n"     \
    "cache may be larger than the part that it can use: set that size with --cache. A small\n"     \
    "size shortens the run.\n"

enum { BENCH_ARRAYS = 6, BENCH_SIZES = 64, BENCH_TEXT = 40, BENCH_NUMBERS = 4 };

/* The memory traffic of a kernel that only moves the case's bytes. */
typedef enum bench_ceiling {
    BENCH_NO_CEILING, /* limited by arithmetic */
    BENCH_READ,
    BENCH_WRITE,
    BENCH_COPY, /* half read, half written */
    BENCH_TRIAD /* two thirds read, one third written */
} bench_ceiling;

typedef enum bench_agreement {
    BENCH_BITS,    /* outputs of heddle and the vendor library are bit-identical */
    BENCH_NEAR,    /* f32 or f64 (the case's type) within relative `tolerance` */
    BENCH_NOTHING, /* not compared: they compute different things */
    BENCH_OWN      /* compared by the case's `agree` */
} bench_agreement;

typedef struct bench bench;
typedef struct bench_case bench_case;

/* The arrays of one run: device memory, copy `turn` of the rotating copies. */
typedef struct bench_arrays {
    void *in[BENCH_ARRAYS], *out[BENCH_ARRAYS];
} bench_arrays;

/* Callbacks return 0, or -1 after bench_failed or bench_failed_call. */
struct bench_case {
    char text[BENCH_TEXT]; /* "inclusive sum": first column of the table */
    hd_type type;
    size_t n;               /* printed as size */
    char shape[BENCH_TEXT]; /* printed instead of n unless it is "" */
    /* memory of one run; 0: no such array. Outputs that are also read are among `in`. */
    size_t in_bytes[BENCH_ARRAYS], out_bytes[BENCH_ARRAYS];
    size_t workspace_bytes;
    /* work of one run */
    double bytes;     /* minimum bytes moved, for GB/s and the ceiling */
    double work;      /* units of work, for the rate; 0: the rate is GB/s */
    const char *unit; /* "Gkeys/s": 1e9 units of work per second */
    bench_ceiling ceiling;
    /* parameters of the case, also passed to the vendor library */
    const char *variant;
    size_t sizes[BENCH_NUMBERS];
    double numbers[BENCH_NUMBERS];
    /* Fills the inputs of one copy. NULL: floats from 0 to 1, hashed integers. */
    int (*fill)(bench *b, const bench_case *c, const bench_arrays *a);
    /* Enqueues heddle's call on bench_stream(b), with bench_workspace(b). */
    hd_status (*run)(bench *b, const bench_case *c, const bench_arrays *a);
    /* NULL, or checks heddle's output against a host reference; keep it short at large n. */
    int (*check)(bench *b, const bench_case *c, const bench_arrays *a);
    /* vendor library: name of the case in tests/vendor; plain C on the CPU; NULL: none */
    const char *vendor;
    void (*plain)(const bench_case *c, const bench_arrays *a);
    bench_agreement agreement;
    double tolerance;
    size_t agree_bytes[BENCH_ARRAYS]; /* bytes compared of each output; 0: all */
    int (*agree)(bench *b, const bench_case *c, const bench_arrays *ours,
                 const bench_arrays *theirs);
    void *own; /* private data of the case; freed by `destroy` */
    void (*destroy)(bench_case *c);
};

/* Runs a benchmark: `list` adds cases (bench_add) for the sizes of --sizes, by default `defaults`
   (GPU) or `cpu_defaults`. Returns the exit status. */
int bench_main(const cli_arguments *arguments, int (*list)(bench *b), const char *defaults,
               const char *cpu_defaults);

/* For `list`: the sizes; a zeroed case to fill in, NULL after a message. */
size_t bench_size_count(const bench *b);
size_t bench_size(const bench *b, size_t i);
bench_case *bench_add(bench *b);
const cli_arguments *bench_arguments(const bench *b);

/* For callbacks. */
hd_stream *bench_stream(bench *b);
hd_workspace *bench_workspace(bench *b);
int bench_device(const bench *b);
int bench_is_cpu(const bench *b); /* whether this is the CPU backend */
__attribute__((format(printf, 2, 3))) int bench_failed(bench *b, const char *format, ...);
int bench_failed_call(bench *b); /* reports heddle's last error */
/* Fills device memory with n elements of a pattern of generate.h. */
hd_status bench_fill(bench *b, void *to, size_t n, hd_type type, int pattern, uint64_t seed);
/* For `agree`: the vendor library's outputs as doubles, as many as it provides; plain C on the CPU
   must write doubles to its first output. */
int bench_vendor_values(bench *b, const bench_arrays *theirs, double *values, size_t count);

#endif
