/* SPDX-License-Identifier: Apache-2.0 */
/* quiz.h - `heddle quiz`: copies and kernels issued to streams, read from a file, and a model of
   the engines that predicts when each of them runs. */
#ifndef HEDDLE_CLI_LAB_QUIZ_H
#define HEDDLE_CLI_LAB_QUIZ_H

#include <stddef.h>
#include <stdint.h>

#include "cli/app/output.h"

enum {
    QUIZ_OPS = 512,
    QUIZ_NAMES = 64, /* limit for arrays, streams and events: the bits of a word */
    QUIZ_NAME = 24,
    QUIZ_ANSWERS = 8,
    QUIZ_TITLE = 120,
    QUIZ_MESSAGE = 256
};

typedef enum quiz_kind {
    QUIZ_IN,
    QUIZ_OUT,
    QUIZ_KERNEL,
    QUIZ_HOST,
    QUIZ_RECORD,
    QUIZ_WAIT,
    QUIZ_SYNC
} quiz_kind;

typedef struct quiz_op {
    quiz_kind kind;
    char name[QUIZ_NAME]; /* name of the copied array, the kernel, or the host's work */
    int stream;           /* index of the stream; -1: the host, or all streams (sync) */
    int event;            /* for record and wait */
    double cost;
    uint64_t reads, writes;           /* arrays on the device */
    uint64_t host_reads, host_writes; /* the same arrays on the host */
} quiz_op;

typedef struct quiz_stream {
    char name[QUIZ_NAME];
    int legacy;   /* the legacy default stream, with which all blocking streams synchronize */
    int blocking; /* it synchronizes with that stream */
} quiz_stream;

/* A total time that the file states as answer. */
typedef struct quiz_answer {
    double total;
    int engines; /* number of copy engines; 0: any */
} quiz_answer;

typedef struct quiz {
    char title[QUIZ_TITLE];
    quiz_op ops[QUIZ_OPS];
    size_t op_count;
    quiz_stream streams[QUIZ_NAMES];
    size_t stream_count;
    char arrays[QUIZ_NAMES][QUIZ_NAME];
    size_t array_count;
    char events[QUIZ_NAMES][QUIZ_NAME];
    size_t event_count;
    quiz_answer answers[QUIZ_ANSWERS];
    size_t answer_count;
    uint64_t races; /* arrays that have races according to the file */
} quiz;

/* Reads a file; 0, or -1 with "FILE:LINE: what is wrong". */
int quiz_read(const char *path, quiz *quiz_out, char message[QUIZ_MESSAGE]);

/* ---- the model ------------------------------------------------------------------------------- */

/* Which operation an engine takes next: the first one issued, as with one queue per engine, or the
   first one ready, as with one queue per stream. */
typedef enum quiz_queue { QUIZ_BY_ISSUE, QUIZ_BY_READY } quiz_queue;

typedef struct quiz_machine {
    int copy_engines; /* 2: one per direction; 1: for both; 0: one for copies and kernels */
    int kernels_together;
    quiz_queue queue;
} quiz_machine;

typedef struct quiz_times {
    double begin[QUIZ_OPS], end[QUIZ_OPS];
    double total;
    uint64_t races; /* arrays used by two unordered operations, at least one of them writing */
    int racer[2];   /* the first such pair; -1: none */
} quiz_times;

void quiz_predict(const quiz *q, const quiz_machine *machine, quiz_times *times_out);

/* ---- printing, running ----------------------------------------------------------------------- */

/* "in a", "kernel k" */
void quiz_op_text(const quiz_op *op, char text[2 * QUIZ_NAME]);
void quiz_print_rows(const quiz *q, const quiz_times *times);
/* Draws predicted times; 0, or -1 with a message of HD__IO_MESSAGE bytes. */
int quiz_plot(const quiz *q, const quiz_times *times, const char *path, char *message);
/* Runs the quiz on the device and compares; returns an exit status. */
int quiz_run(const cli_arguments *arguments, cli_format format, quiz *q,
             const quiz_machine *machine);

#endif
