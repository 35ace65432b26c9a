/* SPDX-License-Identifier: Apache-2.0 */
/* quiz.h - `heddle quiz`: an order of copies and kernels on streams, read from a file, and a model
   of the engines that says when each of them runs. */
#ifndef HEDDLE_CLI_LAB_QUIZ_H
#define HEDDLE_CLI_LAB_QUIZ_H

#include <stddef.h>
#include <stdint.h>

#include "cli/app/output.h"

enum {
    QUIZ_OPS = 512,
    QUIZ_NAMES = 64, /* arrays, streams and events, of each; a bit of a word each */
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
    char name[QUIZ_NAME]; /* of the array that is copied, the kernel, the host's work */
    int stream;           /* index among the quiz's streams; -1: the host, or all of them (sync) */
    int event;            /* of record and wait */
    double cost;
    uint64_t reads, writes;           /* arrays on the device */
    uint64_t host_reads, host_writes; /* their counterparts on the host */
} quiz_op;

typedef struct quiz_stream {
    char name[QUIZ_NAME];
    int legacy;   /* the default stream, in whose order all blocking streams are */
    int blocking; /* is in its order */
} quiz_stream;

/* A total that the file says is right. */
typedef struct quiz_answer {
    double total;
    int engines; /* 0: for one and for two */
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
    uint64_t races; /* arrays that the file says are raced for */
} quiz;

/* Reads a file; 0, or -1 with "FILE:LINE: what is wrong". */
int quiz_read(const char *path, quiz *quiz_out, char message[QUIZ_MESSAGE]);

/* ---- the model ------------------------------------------------------------------------------- */

/* Which operation an engine takes next: the one that was issued first, as with one queue per
   engine, or the one that could begin first, as with a queue per stream. */
typedef enum quiz_queue { QUIZ_BY_ISSUE, QUIZ_BY_READY } quiz_queue;

typedef struct quiz_machine {
    int copy_engines; /* 2: in and out; 1: one for both; 0: one engine for everything */
    int kernels_together;
    quiz_queue queue;
} quiz_machine;

typedef struct quiz_times {
    double begin[QUIZ_OPS], end[QUIZ_OPS];
    double total;
    uint64_t races; /* arrays that two operations without an order use, one of them writing */
    int racer[2];   /* the first such two, -1 if there are none */
} quiz_times;

void quiz_predict(const quiz *q, const quiz_machine *machine, quiz_times *times_out);

/* ---- printing, running ----------------------------------------------------------------------- */

/* "in a", "kernel k" */
void quiz_op_text(const quiz_op *op, char text[2 * QUIZ_NAME]);
void quiz_print_rows(const quiz *q, const quiz_times *times);
/* Draws predicted times; 0, or -1 with a message of HD__IO_MESSAGE bytes. */
int quiz_plot(const quiz *q, const quiz_times *times, const char *path, char *message);
/* Runs it on the device and compares; an exit status. */
int quiz_run(const cli_arguments *arguments, cli_format format, quiz *q,
             const quiz_machine *machine);

#endif
