/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - `heddle check`: internal interface. A job is a program and how to run it; a setup is
   one combination of settings; each run leaves a report, from which findings are collected. */
#ifndef HEDDLE_CLI_CHECK_H
#define HEDDLE_CLI_CHECK_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/app/arguments.h"
#include "io/json.h"

enum { CHECK_VARIABLES = 2048 }; /* bytes of text for the environment variables of a run */
enum { CHECK_KEPT = 1 << 16 };
enum { CHECK_BROKEN = HD__IO_MESSAGE + 64 };
enum { CHECK_CLEAN = 0, CHECK_FOUND = 1, CHECK_NOT_DONE = 3 }; /* exit status, or CLI_MISUSED */

/* One combination of settings. */
typedef struct check_setup {
    unsigned warp;
    uint64_t seed;
    int lazy; /* streams in a seeded order, otherwise eager */
    uint64_t lazy_seed;
    unsigned left_out; /* bit i: without the user's i-th variable, see check_given */
} check_setup;

typedef struct check_job {
    const cli_command *command;
    char **program; /* with its arguments; ends with NULL */
    uint64_t seeds;
    int warps[2], streams[2]; /* selected: 32 and 64; eager and lazy. streams: none given */
    int strict, verbose, json, sarif;
    int judge; /* keep what each run prints, continue after runs that were not checked, and look
                  for no shorter commands */
    unsigned replay;
    double timeout;          /* limit for one run; 0: none */
    char suppress[PATH_MAX]; /* "": none given */
    const char *output;      /* NULL: standard output */
    char folder[PATH_MAX];   /* working directory of the runs */
    char scratch[PATH_MAX];  /* temporary directory */
} check_job;

/* The result of one run. */
typedef struct check_run {
    check_setup setup;
    int extra;  /* made only to find a shorter command */
    int error;  /* errno if the program could not be started */
    int status; /* its exit status */
    int signal; /* signal that ended it */
    int timed_out;
    int reported;                       /* the report says that the program is a checked build */
    int complete;                       /* and that it ended normally */
    uint64_t findings, errors_found;    /* all; those of severity error */
    char *invalid;                      /* why nothing was checked */
    char *tail;                         /* end of its output if it failed */
    char *output;                       /* judge: its standard output, */
    char *errors;                       /* and its standard error; at most CHECK_KEPT bytes each */
    uint64_t output_bytes, output_hash; /* judge: of all of its standard output */
    double seconds;
} check_run;

/* A finding, merged over all runs. */
typedef struct check_finding {
    char *key;
    hd__json *line;   /* the program's report of it */
    uint64_t count;   /* total over all runs; runs that did not end report none */
    size_t seen_in;   /* number of runs, without extra ones */
    size_t last_run;  /* last run that reported it */
    check_setup best; /* setup of the run with the shortest command */
} check_finding;

typedef struct check_suppression {
    hd__json *line;
    uint64_t used;
} check_suppression;

typedef struct check_results {
    check_run *runs;
    size_t run_count;
    check_finding *findings;
    size_t finding_count;
    check_suppression *suppressions;
    size_t suppression_count;
    size_t broken_lines;
    char broken[CHECK_BROKEN]; /* problem of the first of them */
    int interrupted;           /* signal that interrupted the check */
} check_results;

/* ---- running (runs.c, child.c) --------------------------------------------------------------- */

/* Runs all setups of the job, then those that may give shorter commands. -1: no memory. */
int check_run_all(const check_job *job, check_results *results);
/* The files of one run, in the temporary directory. */
typedef struct check_files {
    char report[PATH_MAX];  /* what the checking engine reports */
    char printed[PATH_MAX]; /* what the program prints, */
    char errors[PATH_MAX];  /* on standard error: only if job->judge */
} check_files;

/* Runs the program once and fills in *run, except for the members that come from its report.
   Returns the signal that interrupted this process, otherwise 0. */
int check_child(const check_job *job, const check_files *files, check_run *run);
/* The last lines of a file; NULL: empty or missing. */
char *check_tail(const char *file);

/* ---- findings (findings.c) ------------------------------------------------------------------- */

/* Adds the findings of a report. 0, or -1 without memory. */
int check_findings_add(check_results *results, size_t run, const char *report);
/* Errors first, then by file and line. */
void check_findings_sort(check_results *results);
/* The number of findings of a severity. */
size_t check_findings_of(const check_results *results, const char *severity);
void check_results_free(check_results *results);

/* The name of the i-th heddle environment variable that runs inherit if the user has set it; NULL
   after the last. */
const char *check_given(unsigned i);
/* Writes the environment variables that the setup needs to reproduce a finding of this code, each
   followed by a blank; returns their number. code "": any finding, then the job may be NULL. */
size_t check_variables(const check_job *job, const check_setup *setup, const char *code, char *text,
                       size_t size);
/* Print one word, or the program and its arguments, quoted for a shell. */
void check_word(const char *word, FILE *to);
void check_command(const check_job *job, FILE *to);

/* ---- printing (print.c, json.c, sarif.c) ----------------------------------------------------- */

/* Prints a finding and its places, without its count and the command that reproduces it. */
void check_print_finding(const check_job *job, const check_finding *finding);
void check_print_text(const check_job *job, const check_results *results);
/* Prints, on standard error, the runs that failed and why. Returns 1 if the check is not
   complete. */
int check_print_problems(const check_job *job, const check_results *results);
void check_print_json(const check_job *job, const check_results *results);
void check_print_sarif(const check_job *job, const check_results *results);
/* The path, relative to the working directory if it is below it. */
const char *check_path(const check_job *job, const char *path);

#endif
