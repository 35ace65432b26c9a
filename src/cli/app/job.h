/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - common steps of subcommands that run a primitive: choose the device, time the call, and
   print the result as text, JSON or CSV with times and whether it was verified. */
#ifndef HEDDLE_CLI_APP_JOB_H
#define HEDDLE_CLI_APP_JOB_H

#include <stdbool.h>

#include <heddle/data.h>

#include "table.h"

#define CLI_JOB_OPTIONS                                                                            \
    CLI_DEVICE_OPTION,                                                                             \
        {"runs", "N", "report the median time of N runs, after a warm-up (default 5)"},            \
        {"verify", NULL,                                                                           \
         "compare with a host reference; fail if there is none for these options (default: "       \
         "compare only where there is one)"},                                                      \
        {"no-verify", NULL, "skip the verification"}, {"json", NULL, "print one JSON object"},     \
    {                                                                                              \
        "csv", NULL, "print CSV: a header and a row per case with its time and rate; no elements"  \
    }

#define CLI_NO_BYTES (-1.0)

enum { CLI_JOB_TEXT = 192, CLI_JOB_KEY = 32 };

typedef struct cli_member {
    char key[CLI_JOB_KEY];
    char value[CLI_JOB_TEXT];
    char note[CLI_JOB_TEXT]; /* printed after the value, in text only; "": none */
    const char *exact;       /* printed instead of `value` in JSON and CSV; NULL: `value` */
    cli_cell_kind kind;      /* absent members, and lists without a value, are left out of text */
    bool note_alone;         /* text prints the note without the value */
} cli_member;

typedef struct cli_job {
    const cli_arguments *arguments;
    cli_format format;
    bool verify; /* --verify, the default */
    int device;
    char device_name[128];
    int64_t warp;
    hd_stream *stream;
    size_t runs;    /* 0: `seconds` was measured by the caller, in one run */
    double seconds; /* median of one call; 0 before cli_job_time */
    double gbps;    /* below 0 (also after cli_job_open): unknown, not printed */
    cli_member *members;
    size_t member_count, member_room;
    bool members_lost; /* out of memory for a member; cli_job_end fails */
} cli_job;

typedef enum cli_verdict { CLI_SKIPPED, CLI_VERIFIED, CLI_WRONG } cli_verdict;

/* Reads CLI_JOB_OPTIONS, opens the device and a stream. CLI_DONE, or an exit status after a line.
   Call cli_job_close in either case. */
int cli_job_open(cli_job *job, const cli_arguments *arguments);
void cli_job_close(cli_job *job);

/* Runs `call` once as warm-up, then job->runs times between events (on the CPU, with the host's
   clock), and waits. Sets job->seconds to the median and job->gbps from the `bytes` that one call
   moves (CLI_NO_BYTES: not counted). The call must give the same result every time. CLI_DONE, or
   CLI_FAILED after a line. */
int cli_job_time(cli_job *job, hd_status (*call)(void *state, hd_stream *stream), void *state,
                 double bytes);
/* Sorts in ascending order. */
void cli_sort_numbers(double *numbers, size_t count);
/* Allocates device memory and copies `bytes` bytes of `data` into it (NULL: not initialized). The
   caller frees it with hd_free. CLI_DONE, or CLI_FAILED after a line. */
int cli_job_upload(cli_job *job, const void *data, size_t bytes, void **device_out);
/* Copies to the host and waits. */
int cli_job_download(cli_job *job, void *to, const void *device, size_t bytes);
/* malloc; prints a line and returns NULL if there is no memory. 0 bytes count as 1. */
void *cli_job_memory(cli_job *job, size_t bytes);

/* Add members to the result, in printing order; note may be NULL. */
void cli_job_count(cli_job *job, const char *key, uint64_t value, const char *note);
void cli_job_number(cli_job *job, const char *key, double value, int digits, const char *note);
void cli_job_text(cli_job *job, const char *key, const char *value, const char *note);
/* A number as text: exact integers, or floats with the caller's digits. */
void cli_job_digits(cli_job *job, const char *key, const char *digits, const char *note);
/* yes or no in text; true or false in JSON and CSV. */
void cli_job_flag(cli_job *job, const char *key, bool value, const char *note);
/* A file: text prints `shown`; JSON and CSV have its complete `path` as given (NULL: not a file,
   they have `shown`). The path must stay valid until cli_job_end. */
void cli_job_path(cli_job *job, const char *key, const char *shown, const char *path,
                  const char *note);
/* Element `index` of an array, with all its digits. */
void cli_job_element(cli_job *job, const char *key, hd_type type, const void *data, size_t index,
                     const char *note);

/* Numbers separated by commas: text prints `shown` ("": nothing), JSON and CSV `numbers`, which
   must stay valid until cli_job_end (NULL: `shown`). */
void cli_job_list(cli_job *job, const char *key, const char *shown, const char *numbers);
/* A member that has no value in this run; keeps its position. */
void cli_job_absent(cli_job *job, const char *key);
/* A fraction; in percent in text. */
void cli_job_fraction(cli_job *job, const char *key, double value, int digits);

/* Prints the members, then seconds, gbps if known, verified, backend, device, warp. CLI_WRONG
   prints a line made from `why` and returns CLI_FAILED; so does CLI_SKIPPED, with another line, if
   --verify was given. */
__attribute__((format(printf, 3, 4))) int cli_job_end(cli_job *job, cli_verdict verdict,
                                                      const char *why, ...);

#endif
