/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.h - `heddle exercise`: what its files share. The course is a folder of exercises; a
   project is a student's copy of one; a workshop is a folder in /tmp in which projects of one
   exercise are built; a verdict says what running such a program showed. */
#ifndef HEDDLE_CLI_EXERCISE_H
#define HEDDLE_CLI_EXERCISE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/app/arguments.h"
#include "cli/check/check.h"
#include "io/json.h"

enum { EXERCISE_NAME = 64, EXERCISE_LIST = 16 };
enum { EXERCISE_SOLVED = 0, EXERCISE_REJECTED = 1, EXERCISE_UNCHECKED = 3 }; /* exit status */

/* ---- the course (course.c) ------------------------------------------------------------------- */

/* An exercise as its exercise.json describes it. Texts live as long as the course. */
typedef struct exercise {
    char name[EXERCISE_NAME]; /* of its folder: "04-warp-without-sync" */
    hd__json *tree;           /* that owns the texts */
    const char *title, *page; /* page: under docs/, with an anchor */
    bool practical, strict;   /* strict: findings of every severity reject */
    bool host_only;           /* its program makes no call of heddle's that could be checked */
    const char *edit[EXERCISE_LIST]; /* files that the student edits */
    const char *argument[EXERCISE_LIST];
    unsigned devices[EXERCISE_LIST];
    size_t edits, arguments, device_counts;
    unsigned minutes, seeds;
    unsigned ladder; /* threads per block of the bring-up ladder; 0: it has none */
    double timeout;  /* seconds per run */
} exercise;

typedef struct course {
    const cli_command *command;
    char folder[PATH_MAX - EXERCISE_NAME]; /* docs/exercises */
    exercise *exercises;                   /* by name */
    size_t count;
} course;

/* Options of every command: --course. */
#define EXERCISE_COURSE_OPTION                                                                     \
    {                                                                                              \
        "course", "FOLDER", "folder of exercises (default: docs/exercises of this heddle)"         \
    }

/* Finds and reads the course that goes with this tool, or --course. CLI_DONE, or CLI_FAILED after a
   line. The caller closes it in any case. */
int course_open(const cli_arguments *arguments, course *c);
void course_close(course *c);
/* By number ("4"), name, or name without its number; NULL after a line that names the nearest. */
const exercise *course_find(const course *c, const char *word);
/* The exercise that a project was started from; NULL after a line. */
const exercise *course_of_project(const course *c, const char *project);
/* Either: a folder that is a project, else a number or name. NULL after a line. */
const exercise *course_of_word(const course *c, const char *word);
/* course/EXERCISE/WHAT */
void course_path(const course *c, const exercise *e, const char *what, char path[PATH_MAX]);
/* "4" or "p3": what one types. */
void exercise_number(const exercise *e, char text[EXERCISE_NAME]);

/* ---- files (files.c): 0, or -1 with errno ---------------------------------------------------- */

/* folder/name; text that is too long becomes "", which no call can open. */
void path_join(char path[PATH_MAX], const char *folder, const char *name);
int file_copy(const char *from, const char *to);
/* Files and folders below `from`, into a folder that is there; calls `copied` (or NULL) for each.
   */
int folder_copy(const char *from, const char *to);
void folder_remove(const char *path);
/* The text of a file; NULL with errno. The caller frees it. */
char *file_text(const char *path);
/* Runs a program, what it prints goes to the file `log`. Its exit status, or -1 with errno. */
int program_run(char *const *words, const char *log);

/* ---- projects (workshop.c) ------------------------------------------------------------------- */

#define PROJECT_MARK ".heddle-exercise" /* a file of a project that names its exercise */

typedef struct workshop {
    const course *course;
    const exercise *exercise;
    char folder[PATH_MAX - EXERCISE_NAME]; /* "" if it is not open */
    char *log;                             /* what the last build printed; NULL: nothing */
} workshop;

/* Copies the starter and configures its build. 0, or -1 after a line. */
int workshop_open(workshop *w, const course *c, const exercise *e);
/* Builds with the edited files of that project. 0; 1 if it does not build (then w->log says why),
   or -1 after a line. */
int workshop_build(workshop *w, const char *project);
/* Whether the edited files are those of the starter. */
bool workshop_is_starter(const workshop *w, const char *project);
void workshop_close(workshop *w);

/* ---- verdicts (judge.c) ---------------------------------------------------------------------- */

/* What a run of the program was asked for, beside its setup. */
typedef struct judged_run {
    unsigned devices;
    const char *argument;
} judged_run;

enum { VERDICT_REASONS = 512 };
typedef struct verdict {
    check_job job;
    check_results results;
    judged_run *runs;              /* one for each of the results' */
    char reasons[VERDICT_REASONS]; /* joined by commas; "": none */
    char *detail;                  /* a line: the first thing that went wrong; NULL: none */
    size_t differs, differs_from;  /* runs that are right but print something else; 0: none */
    bool checked;                  /* the checking engine watched every run */
    double seconds;
    char program[PATH_MAX]; /* what the job runs */
    char *words[4];         /* its command line */
    char argument[64];
} verdict;

/* Builds and runs the project in every setup that the exercise asks for. 0, or -1 after a line;
   the caller frees the verdict in any case. */
int judge_project(workshop *w, const char *project, verdict *v);
/* One argument in one order of streams, at both warp sizes: adds two runs. */
int judge_argument(workshop *w, verdict *v, const char *argument);
void judge_begin(workshop *w, verdict *v);
/* What a run printed behind `mark` ("wrong: ") at the beginning of a line of standard error. A
   copy; NULL: nothing. */
char *judge_line(const check_run *run, const char *mark);
/* Findings of a run that reject the project: errors, or all if the exercise is strict. */
uint64_t verdict_findings(const verdict *v, const check_run *run);
/* Whether a finding is one of them. */
bool verdict_rejects(const verdict *v, const check_finding *finding);
void verdict_free(verdict *v);

/* ---- reports (report.c) ---------------------------------------------------------------------- */

void verdict_print_text(const workshop *w, const verdict *v, const char *project);
int verdict_print_json(const workshop *w, const verdict *v, const char *project);
/* "right", "wrong: ...", "timeout": how a run ended. */
void verdict_outcome(const check_run *run, char *text, size_t size);
/* The exit status. */
int verdict_status(const verdict *v);

/* ---- progress of a user (progress.c) --------------------------------------------------------- */

typedef struct exercise_progress {
    char name[EXERCISE_NAME];
    unsigned hints;  /* that were shown */
    char solved[16]; /* the date; "": not yet */
} exercise_progress;

/* Of the exercise; nothing done if the file is not there. */
void progress_read(const exercise *e, exercise_progress *progress_out);
/* Failing to write it is a note, not an error. */
void progress_write(const cli_command *command, const exercise_progress *progress);

#endif
