/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.h - internal interface of `heddle exercise`. The course is a folder of exercises. A
   project is a student's copy of one exercise. A workshop is a temporary folder in which projects
   of one exercise are built. A verdict is the result of the runs of one project. */
#ifndef HEDDLE_CLI_EXERCISE_H
#define HEDDLE_CLI_EXERCISE_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/app/arguments.h"
#include "cli/check/check.h"
#include "io/json.h"

enum { EXERCISE_NAME = 64, EXERCISE_LIST = 16 };
enum { EXERCISE_SOLVED = 0, EXERCISE_REJECTED = 1, EXERCISE_UNCHECKED = 3 }; /* exit status */

/* ---- the course (course.c) ------------------------------------------------------------------- */

/* An exercise as described by its exercise.json. Strings are valid until course_close. */
typedef struct exercise {
    char name[EXERCISE_NAME]; /* name of its folder: "04-warp-without-sync" */
    hd__json *tree;           /* owns the strings */
    const char *title, *page; /* page: under docs/, with an anchor */
    bool practical, strict;   /* strict: findings of every severity reject */
    bool host_only;           /* the program makes no heddle calls, so there is nothing to check */
    bool mpi;                 /* a process per device, started with mpirun */
    const char *edit[EXERCISE_LIST]; /* files that the student edits */
    const char *argument[EXERCISE_LIST];
    unsigned devices[EXERCISE_LIST];
    size_t edits, arguments, device_counts;
    unsigned minutes, seeds;
    unsigned ladder;      /* threads per block in `exercise ladder`; 0: not supported */
    double timeout;       /* seconds per run */
    double build_timeout; /* seconds for CMake and the compiler */
} exercise;

typedef struct course {
    const cli_command *command;
    char folder[PATH_MAX - EXERCISE_NAME]; /* docs/exercises */
    exercise *exercises;                   /* sorted by name */
    size_t count;
} course;

/* Options of every command: --course. */
#define EXERCISE_COURSE_OPTION                                                                     \
    {                                                                                              \
        "course", "FOLDER", "folder of exercises (default: docs/exercises of this heddle)"         \
    }

/* Reads the course of --course, by default the one that belongs to this tool (find_folder).
   CLI_DONE, or CLI_FAILED after a line. Call course_close in either case. */
int course_open(const cli_arguments *arguments, course *c);
void course_close(course *c);
/* By number ("4"), name, or name without its number; NULL after a line that names the nearest. */
const exercise *course_find(const course *c, const char *word);
/* The exercise that a project was started from; NULL after a line. */
const exercise *course_of_project(const course *c, const char *project);
/* The exercise of a project if `word` is a project's folder, otherwise by number or name. NULL
   after a line. */
const exercise *course_of_word(const course *c, const char *word);
/* The path COURSE/EXERCISE/WHAT. */
void course_path(const course *c, const exercise *e, const char *what, char path[PATH_MAX]);
/* The number as users type it: "4", or "p3" for a practical. */
void exercise_number(const exercise *e, char text[EXERCISE_NAME]);

/* ---- files (files.c): 0, or -1 with errno ---------------------------------------------------- */

/* folder/name; a path that is too long becomes "", which cannot be opened. */
void path_join(char path[PATH_MAX], const char *folder, const char *name);
int file_copy(const char *from, const char *to);
/* Copies the files and folders below `from` into the existing folder `to`. */
int folder_copy(const char *from, const char *to);
void folder_remove(const char *path);
/* The text of a file; NULL with errno. The caller frees it. */
char *file_text(const char *path);
/* Runs a program with its output in the file `log`, for at most `limit` seconds or until *stop is
   not 0; then it and what it has started are ended. Returns its exit status (128 + signal if a
   signal ended it), or -1 with errno; ETIMEDOUT or EINTR if it was ended. */
int program_run(char *const *words, const char *log, double limit,
                const volatile sig_atomic_t *stop);

/* ---- projects (workshop.c) ------------------------------------------------------------------- */

#define PROJECT_MARK ".heddle-exercise" /* file in a project with the name of its exercise */

typedef struct workshop {
    const course *course;
    const exercise *exercise;
    char folder[PATH_MAX - EXERCISE_NAME]; /* "": not open */
    char *temporary;                       /* the caller's TMPDIR, or NULL */
    char *log;                             /* the compiler's output in the last build, or NULL */
} workshop;

/* Copies the exercise's starter project and configures its build. 0, or -1 after a line. */
int workshop_open(workshop *w, const course *c, const exercise *e);
/* Builds the starter with the project's edited files. 0; 1 if it does not build (w->log has the
   errors); -1 after a line. */
int workshop_build(workshop *w, const char *project);
/* Whether the project's files to edit are still those of the starter. */
bool workshop_is_starter(const workshop *w, const char *project);
void workshop_close(workshop *w);
/* From now on SIGINT, SIGTERM and SIGHUP end what a workshop runs, not the tool, which has folders
   to remove. The signal that was received, or 0. */
void workshop_catch_signals(void);
int workshop_interrupted(void);

/* ---- verdicts (judge.c) ---------------------------------------------------------------------- */

/* Settings of a run in addition to its check_setup. */
typedef struct judged_run {
    unsigned devices;
    const char *argument;
} judged_run;

enum { VERDICT_REASONS = 512 };
typedef struct verdict {
    check_job job;
    check_results results;
    judged_run *runs;              /* [results.run_count] */
    char reasons[VERDICT_REASONS]; /* why it is rejected, separated by commas; "": it is not */
    char *detail; /* first outcome that is not right, or title of a finding; or NULL */
    size_t differs, differs_from; /* two right runs whose output differs; 0 and 0: none */
    bool checked;                 /* every run used the checking engine */
    double seconds;
    char program[PATH_MAX]; /* path of the program */
    char ranks[16];         /* of an MPI program */
    char *words[6];         /* its command line */
    char argument[64];
} verdict;

/* Builds the project and runs it in every setup of the exercise. 0, or -1 after a line; call
   verdict_free in either case. */
int judge_project(workshop *w, const char *project, verdict *v);
/* Runs the program with one argument and seed 0: adds one run per selected warp size. */
int judge_argument(workshop *w, verdict *v, const char *argument);
void judge_begin(workshop *w, verdict *v);
/* The rest of the first line of a run's standard error that begins with `mark` ("wrong: "), as a
   copy; NULL: no such line. */
char *judge_line(const check_run *run, const char *mark);
/* The number of a run's findings that reject the project: errors; all if the exercise is strict. */
uint64_t verdict_findings(const verdict *v, const check_run *run);
/* Whether a finding rejects the project. */
bool verdict_rejects(const verdict *v, const check_finding *finding);
void verdict_free(verdict *v);

/* ---- reports (report.c) ---------------------------------------------------------------------- */

void verdict_print_text(const workshop *w, const verdict *v, const char *project);
int verdict_print_json(const workshop *w, const verdict *v, const char *project);
/* How a run ended: "right", "wrong: ...", "stopped after 20 s". */
void verdict_outcome(const check_run *run, char *text, size_t size);
/* The exit status. */
int verdict_status(const verdict *v);

/* ---- progress of a user (progress.c) --------------------------------------------------------- */

typedef struct exercise_progress {
    char name[EXERCISE_NAME];
    unsigned hints;  /* number of hints shown */
    char solved[16]; /* the date; "": not yet */
} exercise_progress;

/* Reads the user's progress in an exercise; without a file there is none. */
void progress_read(const exercise *e, exercise_progress *progress_out);
/* Stores it; a failure is a note, not an error. */
void progress_write(const cli_command *command, const exercise_progress *progress);

#endif
