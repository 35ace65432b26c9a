/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - `heddle check`: what its files share. A job is a program and how it is to be run; each
   setup is one way; each run leaves a report, from which findings are gathered. */
#ifndef HEDDLE_CLI_CHECK_H
#define HEDDLE_CLI_CHECK_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/app/arguments.h"
#include "io/json.h"

enum { CHECK_VARIABLES = 2048 }; /* bytes of text for those that a run needs */
enum { CHECK_KEPT = 1 << 16 };
enum { CHECK_BROKEN = HD__IO_MESSAGE + 64 };
enum { CHECK_CLEAN = 0, CHECK_FOUND = 1, CHECK_NOT_DONE = 3 }; /* exit status, beside CLI_MISUSED */

/* One way to run the program. */
typedef struct check_setup {
    unsigned warp;
    uint64_t seed;
    int lazy; /* streams in a seeded order, else eager */
    uint64_t lazy_seed;
    unsigned left_out; /* bit i: without the i-th variable that the user has set, see check_given */
} check_setup;

typedef struct check_job {
    const cli_command *command;
    char **program; /* with its arguments; NULL behind the last */
    uint64_t seeds;
    int warps[2], streams[2]; /* 32 and 64; eager and lazy: which are wanted. streams: none given */
    int strict, verbose, json, sarif;
    int judge; /* keep what each run prints, continue after runs that were not checked, and look
                  for no shorter commands */
    unsigned replay;
    double timeout;          /* seconds for one run, 0: none */
    char suppress[PATH_MAX]; /* "": none given */
    const char *output;      /* NULL: standard output */
    char folder[PATH_MAX];   /* where it runs */
    char scratch[PATH_MAX];  /* a folder of ours */
} check_job;

/* What came of one run. */
typedef struct check_run {
    check_setup setup;
    int extra;  /* only to find a shorter command */
    int error;  /* errno: the program could not be started */
    int status; /* its exit status */
    int signal; /* that ended it */
    int timed_out;
    int reported; /* it said that it is checked */
    int complete; /* and that it ended */
    uint64_t findings;
    char *invalid; /* why it checked nothing */
    char *tail;    /* the end of what it printed, where it failed */
    char *output;  /* judge: what it printed on standard output, */
    char *errors;  /* and on standard error; at most CHECK_KEPT bytes each */
    double seconds;
} check_run;

/* A finding, whichever runs saw it. */
typedef struct check_finding {
    char *key;
    hd__json *line;   /* as the program wrote it */
    uint64_t count;   /* over all runs; those that did not end do not say */
    size_t seen_in;   /* runs, without extra ones */
    size_t last_run;  /* that saw it */
    check_setup best; /* of those that saw it: the one with the shortest command */
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
    char broken[CHECK_BROKEN]; /* what is wrong with the first of them */
    int interrupted;           /* by this signal */
} check_results;

/* ---- running (runs.c, child.c) --------------------------------------------------------------- */

/* Runs everything that the job asks for, then what shows shorter commands. -1: no memory. */
int check_run_all(const check_job *job, check_results *results);
/* The files of one run, in a folder of the tool's. */
typedef struct check_files {
    char report[PATH_MAX];  /* what the checking engine reports */
    char printed[PATH_MAX]; /* what the program prints, */
    char errors[PATH_MAX];  /* on standard error: only if the job has a judge */
} check_files;

/* Runs the program once and fills the run but for what its report says. Returns a signal that this
   process got, else 0. */
int check_child(const check_job *job, const check_files *files, check_run *run);
/* The last lines of a file; NULL: nothing there. */
char *check_tail(const char *file);

/* ---- findings (findings.c) ------------------------------------------------------------------- */

/* Adds what a run reported. 0, or -1 without memory. */
int check_findings_add(check_results *results, size_t run, const char *report);
/* Errors first, then by file and line. */
void check_findings_sort(check_results *results);
/* How many have the severity. */
size_t check_findings_of(const check_results *results, const char *severity);
void check_results_free(check_results *results);

/* The i-th variable of heddle's that runs inherit from the user's environment if it is set there;
   NULL: no more. */
const char *check_given(unsigned i);
/* Environment variables that the setup needs, each followed by a blank; how many. To show a finding
   of this code again ("": of any, then the job may be NULL). */
size_t check_variables(const check_job *job, const check_setup *setup, const char *code, char *text,
                       size_t size);
/* One word, and the program and its arguments, for a shell. */
void check_word(const char *word, FILE *to);
void check_command(const check_job *job, FILE *to);

/* ---- printing (print.c, json.c, sarif.c) ----------------------------------------------------- */

/* What was found where, without how often and how to reproduce it. */
void check_print_finding(const check_job *job, const check_finding *finding);
void check_print_text(const check_job *job, const check_results *results);
/* On standard error: runs that failed, and why. Returns 1 if the check is not complete. */
int check_print_problems(const check_job *job, const check_results *results);
void check_print_json(const check_job *job, const check_results *results);
void check_print_sarif(const check_job *job, const check_results *results);
/* The path from the folder that the tool runs in, where it lies below it. */
const char *check_path(const check_job *job, const char *path);

#endif
