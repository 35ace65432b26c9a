/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - what every subcommand that runs a primitive does alike: choose the device, time the call,
   and print the result as text, JSON or CSV with times and whether it was verified. */
#ifndef HEDDLE_CLI_APP_JOB_H
#define HEDDLE_CLI_APP_JOB_H

#include <stdbool.h>

#include <heddle/data.h>

#include "table.h"

#define CLI_JOB_OPTIONS                                                                            \
    {"device", "DEVICE", "index, bus id, 'fastest' or 'free' (default HEDDLE_DEVICE, else 0)"},    \
        {"runs", "N", "median of N runs after a warm-up (default 5)"},                             \
        {"verify", NULL, "verify against a host reference (default); fail if there is none"},      \
        {"no-verify", NULL, "skip the verification"}, {"json", NULL, "print one JSON object"},     \
    {                                                                                              \
        "csv", NULL, "print CSV: a header and the results"                                         \
    }

#define CLI_NO_BYTES (-1.0)

enum { CLI_JOB_TEXT = 192, CLI_JOB_KEY = 32 };

typedef struct cli_member {
    char key[CLI_JOB_KEY];
    char value[CLI_JOB_TEXT];
    char note[CLI_JOB_TEXT]; /* behind it in text only; "" for none */
    const char *exact;       /* JSON and CSV have this instead; NULL: `value` */
    cli_cell_kind kind;      /* what is not there, and a list without a value, are not in text */
    bool note_alone;         /* text has the note, not the value */
} cli_member;

typedef struct cli_job {
    const cli_arguments *arguments;
    cli_format format;
    bool verify; /* --verify, the default */
    int device;
    char device_name[128];
    int64_t warp;
    hd_stream *stream;
    size_t runs;    /* 0: seconds are the caller's own, of one run */
    double seconds; /* median of one call, 0 before cli_job_time */
    double gbps;    /* below 0, as after cli_job_open: not known, and not printed */
    cli_member *members;
    size_t member_count, member_room;
    bool members_lost; /* there was no memory for more; cli_job_end fails */
} cli_job;

typedef enum cli_verdict { CLI_SKIPPED, CLI_VERIFIED, CLI_WRONG } cli_verdict;

/* Reads CLI_JOB_OPTIONS, opens the device and a stream. CLI_DONE, or an exit status after a line.
   cli_job_close may follow a failure. */
int cli_job_open(cli_job *job, const cli_arguments *arguments);
void cli_job_close(cli_job *job);

/* Runs `call` once to warm up, then job->runs times between events (the host's clock on the CPU),
   and waits. Sets job->seconds to the median, job->gbps from the `bytes` that one call moves
   (CLI_NO_BYTES: they are not counted). The call has to give the same result every time. CLI_DONE,
   or CLI_FAILED after a line. */
int cli_job_time(cli_job *job, hd_status (*call)(void *state, hd_stream *stream), void *state,
                 double bytes);
/* In ascending order. */
void cli_sort_numbers(double *numbers, size_t count);
/* Device memory that holds the `bytes` of `data`; data NULL: not filled. The caller frees it with
   hd_free. CLI_DONE, or CLI_FAILED after a line. */
int cli_job_upload(cli_job *job, const void *data, size_t bytes, void **device_out);
/* Copies back, blocking. */
int cli_job_download(cli_job *job, void *to, const void *device, size_t bytes);
/* malloc that says so when there is no memory; NULL then. 0 bytes are 1. */
void *cli_job_memory(cli_job *job, size_t bytes);

/* Members of the result, in the order in which they are printed; note may be NULL. */
void cli_job_count(cli_job *job, const char *key, uint64_t value, const char *note);
void cli_job_number(cli_job *job, const char *key, double value, int digits, const char *note);
void cli_job_text(cli_job *job, const char *key, const char *value, const char *note);
/* A number as text: exact integers, floats with digits of the caller's choice. */
void cli_job_digits(cli_job *job, const char *key, const char *digits, const char *note);
/* yes or no; true or false for machines. */
void cli_job_flag(cli_job *job, const char *key, bool value, const char *note);
/* A file: `shown` is fit to print; JSON and CSV have its `path` as it was given and whole (NULL: it
   is no file, and they have `shown`). The path is kept until cli_job_end. */
void cli_job_path(cli_job *job, const char *key, const char *shown, const char *path,
                  const char *note);
/* Element `index` of an array, with all its digits. */
void cli_job_element(cli_job *job, const char *key, hd_type type, const void *data, size_t index,
                     const char *note);

/* Numbers with commas between them; text has `shown` ("": nothing), JSON and CSV `numbers`, kept
   until cli_job_end (NULL: `shown`). */
void cli_job_list(cli_job *job, const char *key, const char *shown, const char *numbers);
/* One that this run has no value of, in the place that it has in others. */
void cli_job_absent(cli_job *job, const char *key);
/* A fraction: percent in text. */
void cli_job_fraction(cli_job *job, const char *key, double value, int digits);

/* Prints the members, then seconds, gbps where it is known, verified, backend, device, warp.
   CLI_WRONG is CLI_FAILED after a line made of `why`; so is CLI_SKIPPED, after another line, where
   --verify is given. */
__attribute__((format(printf, 3, 4))) int cli_job_end(cli_job *job, cli_verdict verdict,
                                                      const char *why, ...);

#endif
