/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - one run of `heddle reduce`: the source of the numbers, the requested quantities, and the
   results. */
#ifndef HEDDLE_CLI_PRIMITIVES_REDUCE_JOB_H
#define HEDDLE_CLI_PRIMITIVES_REDUCE_JOB_H

#include <heddle/reduce.h>

#include "cli/app/devices.h"
#include "cli/input/input.h"
#include "cli/app/output.h"

/* X(name, text, op): quantities, and the op that each needs; HD_REDUCE_COUNT_: none. The first
   eight form the default report. */
#define REDUCE_QUANTITY_LIST(X)                                                                    \
    X(QUANTITY_COUNT, "count", HD_REDUCE_COUNT_)                                                   \
    X(QUANTITY_SUM, "sum", HD_SUM)                                                                 \
    X(QUANTITY_MIN, "min", HD_MIN)                                                                 \
    X(QUANTITY_MAX, "max", HD_MAX)                                                                 \
    X(QUANTITY_ARGMIN, "argmin", HD_ARGMIN)                                                        \
    X(QUANTITY_ARGMAX, "argmax", HD_ARGMAX)                                                        \
    X(QUANTITY_MEAN, "mean", HD_SUM)                                                               \
    X(QUANTITY_NORM2, "norm2", HD_NORM2)                                                           \
    X(QUANTITY_PROD, "prod", HD_PROD)                                                              \
    X(QUANTITY_NORM1, "norm1", HD_NORM1)                                                           \
    X(QUANTITY_NORM_INF, "norminf", HD_NORM_INF)

typedef enum reduce_quantity {
#define REDUCE_QUANTITY_ENUM_(name, text, op) name,
    REDUCE_QUANTITY_LIST(REDUCE_QUANTITY_ENUM_)
#undef REDUCE_QUANTITY_ENUM_
        QUANTITY_COUNT_
} reduce_quantity;
enum { QUANTITY_REPORT = QUANTITY_NORM2 + 1 };

typedef union reduce_value {
    uint64_t u64;
    int64_t i64;
    hd_i128 i128;
    float f32;
    double f64;
    hd_arg arg;
} reduce_value;

/* The product of the integers read so far, computed on the host to detect overflow: heddle's is
   modulo 2^64. */
typedef struct reduce_product {
    bool zero, negative, overflow;
    uint64_t magnitude;
} reduce_product;

typedef struct reduce_job {
    const cli_arguments *arguments;
    /* request */
    unsigned quantities; /* bit q: quantity q is printed */
    hd_reduce_algorithm algorithm;
    cli_format format;
    size_t chunk_bytes; /* 0: chunks only if the array does not fit in device memory */
    const char *path;
    cli_input input;
    size_t n;
    hd_type type;
    /* device of the reductions */
    int device;
    cli_devices devices; /* none, or the devices that have a part each; `device` is the first */
    char device_name[128];
    int64_t warp;
    /* results */
    size_t chunk_elements; /* 0: the whole array was on the device at once */
    size_t chunks;
    unsigned undefined; /* bit q: quantity q is undefined for zero elements */
    unsigned unfit;     /* bit q: the integer does not fit in 64 bits */
    unsigned ops;       /* bit op: results[op] is set */
    reduce_value results[HD_REDUCE_COUNT_];
    reduce_product product;
    double reduce_seconds;           /* reductions only, data on the device */
    double total_seconds;            /* including opening, reading and copies */
    char message[HD_ERROR_TEXT_MAX]; /* reason of a failure */
} reduce_job;

/* The steps; 0, or -1 with job->message set. */
int reduce_run(reduce_job *job);
int reduce_devices_run(reduce_job *job);
/* Detects integer results that do not fit in 64 bits: sets job->unfit and the message. */
int reduce_check_overflow(reduce_job *job);
/* Updates the product with the next elements, in host memory. */
void reduce_follow_product(reduce_job *job, const void *elements, size_t count);

/* Sets the message to the detail of heddle's last error; returns -1. */
int reduce_failed_call(reduce_job *job);
__attribute__((format(printf, 2, 3))) int reduce_failed(reduce_job *job, const char *format, ...);

extern const char *const reduce_quantity_names[QUANTITY_COUNT_];
const char *reduce_quantity_name(reduce_quantity quantity);
hd_reduce_op reduce_quantity_op(reduce_quantity quantity);

/* Text, JSON or CSV. CLI_DONE, or CLI_FAILED after a line. */
int reduce_print(const reduce_job *job);

#endif
