/* SPDX-License-Identifier: Apache-2.0 */
/* mark.c - `heddle exercise mark`: judges the projects of a class. They are distributed over
   several processes. Each process builds all its projects of an exercise in one workshop, so that
   only the edited files are compiled again. */
#include "exercise.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/app/table.h"
#include "cli/app/progress.h"
#include "cli/app/words.h"

enum { DEPTH = 3, JOBS_MAX = 256, DETAIL = 512 };

typedef struct marked {
    char project[PATH_MAX]; /* folder */
    const exercise *exercise;
    int status; /* EXERCISE_SOLVED etc.; -1: not marked */
    char reasons[VERDICT_REASONS];
    char first[DETAIL], detail[DETAIL]; /* first: outcome of the first run */
    double seconds;
} marked;

typedef struct class
{
    const course *course;
    const char *folder;
    const exercise *only; /* --exercise; NULL: as named in PROJECT_MARK */
    marked *projects;
    size_t count;
    char **empty; /* folders without a project; one within such a folder is not listed */
    size_t empty_count;
    bool unreadable; /* a folder could not be read */
} class;

/* ---- projects below a folder ----------------------------------------------------------------- */

static int add_project(class *all, const char *folder, const exercise *e)
{
    marked *more = realloc(all->projects, (all->count + 1) * sizeof *more);

    if (!more)
        return cli_failed(all->course->command, "no memory");
    all->projects = more;
    memset(&more[all->count], 0, sizeof *more);
    snprintf(more[all->count].project, PATH_MAX, "%s", folder);
    more[all->count].exercise = e;
    more[all->count].status = -1;
    all->count++;
    return CLI_DONE;
}

static bool holds(const char *folder, const char *name)
{
    char path[PATH_MAX];

    path_join(path, folder, name);
    return access(path, R_OK) == 0;
}

static void drop_empty(class *all, size_t count)
{
    while (all->empty_count > count)
        free(all->empty[--all->empty_count]);
}

static int add_empty(class *all, const char *folder)
{
    char **more = realloc(all->empty, (all->empty_count + 1) * sizeof *more);

    if (more)
        all->empty = more;
    if (!more || !(more[all->empty_count] = strdup(folder)))
        return cli_failed(all->course->command, "no memory");
    all->empty_count++;
    return CLI_DONE;
}

static int find_projects(class *all, const char *folder, int depth);

/* The folders in a folder. */
static int find_below(class *all, DIR *entries, const char *folder, int depth)
{
    const struct dirent *entry;
    struct stat info;
    int status = CLI_DONE;

    while (status == CLI_DONE && (entry = readdir(entries)) != NULL) {
        char path[PATH_MAX];

        path_join(path, folder, entry->d_name);
        if (entry->d_name[0] != '.' && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            status = find_projects(all, path, depth - 1);
    }
    return status;
}

static int find_projects(class *all, const char *folder, int depth)
{
    const size_t projects = all->count, empty = all->empty_count;
    DIR *entries;
    int status;

    if (all->only ? holds(folder, all->only->edit[0]) : holds(folder, PROJECT_MARK)) {
        return add_project(all, folder,
                           all->only ? all->only : course_of_project(all->course, folder));
    }
    entries = opendir(folder);
    if (!entries) {
        cli_note(all->course->command, "%s: %s", folder, strerror(errno));
        all->unreadable = true;
        return CLI_DONE;
    }
    status = depth > 0 ? find_below(all, entries, folder, depth) : CLI_DONE;
    closedir(entries);
    if (status != CLI_DONE || all->count > projects)
        return status;
    drop_empty(all, empty);
    return add_empty(all, folder);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A class has a folder per student: one in which nothing is marked may be a mistake. */
static void note_empty(const class *all)
{
    if (all->empty_count)
        qsort(all->empty, all->empty_count, sizeof *all->empty, by_text);
    for (size_t i = 0; i < all->empty_count; i++)
        if (all->only)
            cli_note(all->course->command, "%s: no %s in it", all->empty[i], all->only->edit[0]);
        else
            cli_note(all->course->command, "%s: no " PROJECT_MARK " in it (--exercise)",
                     all->empty[i]);
}

/* "" if the project's mark names none. */
static const char *exercise_name(const marked *m)
{
    return m->exercise ? m->exercise->name : "";
}

static int by_exercise(const void *a, const void *b)
{
    const marked *x = a, *y = b;
    const int order = strcmp(exercise_name(x), exercise_name(y));

    return order ? order : strcmp(x->project, y->project);
}

/* ---- marking --------------------------------------------------------------------------------- */

/* Sends the result of project i as one line of fields separated by tabs. */
static void send_result(FILE *to, size_t i, int status, const verdict *v)
{
    char line[2 * DETAIL], first[DETAIL] = "";

    if (v->results.run_count)
        verdict_outcome(&v->results.runs[0], first, sizeof first);
    for (char *at = first; *at; at++)
        if (*at == '\t')
            *at = ' ';
    snprintf(line, sizeof line, "%s\t%s", first, v->detail ? v->detail : "");
    for (char *at = line; *at; at++)
        if (*at == '\n')
            *at = ' ';
    fprintf(to, "%zu\t%d\t%g\t%s\t%s\n", i, status, v->seconds, v->reasons, line);
    fflush(to);
}

/* Judges projects first, first + step, ...; stops if it is interrupted. */
static void mark_some(const class *all, size_t first, size_t step, FILE *to)
{
    const exercise *open = NULL;
    workshop w;
    bool usable = false, stopped = false;

    memset(&w, 0, sizeof w);
    for (size_t i = first; i < all->count && !stopped; i += step) {
        const marked *m = &all->projects[i];
        verdict v;
        int status;

        if (m->exercise != open) {
            workshop_close(&w);
            open = m->exercise;
            usable = open && workshop_open(&w, all->course, open) == 0;
        }
        memset(&v, 0, sizeof v);
        status = usable ? judge_project(&w, m->project, &v) : -1;
        stopped = workshop_interrupted() || v.results.interrupted;
        if (!stopped)
            send_result(to, i, status < 0 ? -1 : verdict_status(&v), &v);
        verdict_free(&v);
    }
    workshop_close(&w);
}

static void receive(class *all, char *line)
{
    enum { WORDS = 6 };
    char *word[WORDS];
    size_t i;

    line[strcspn(line, "\n")] = '\0';
    for (size_t k = 0; k < WORDS; k++)
        word[k] = strsep(&line, k + 1 < WORDS ? "\t" : "");
    if (!word[WORDS - 1] || (i = strtoull(word[0], NULL, 10)) >= all->count)
        return;
    all->projects[i].status = atoi(word[1]);
    all->projects[i].seconds = strtod(word[2], NULL);
    snprintf(all->projects[i].reasons, VERDICT_REASONS, "%s", word[3]);
    snprintf(all->projects[i].first, DETAIL, "%s", word[4]);
    snprintf(all->projects[i].detail, DETAIL, "%s", word[5]);
}

/* The marking processes. The signal handler passes a signal on to them; each closes its workshop
   and ends, and the results received so far are printed. */
static volatile pid_t markers[JOBS_MAX];
static volatile sig_atomic_t marker_count, stopped_by;

static void pass_on(int number)
{
    stopped_by = number;
    for (sig_atomic_t i = 0; i < marker_count; i++)
        kill(markers[i], number);
}

static void pass_signals_on(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART; /* reading results continues */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

/* Reads results until every process has closed its end of the pipe. */
static void receive_all(class *all, int from)
{
    FILE *stream = fdopen(from, "r");
    char *line = NULL;
    size_t room = 0, done = 0;

    while (stream && getline(&line, &room, stream) >= 0) {
        receive(all, line);
        done++;
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\rexercise mark: %zu of %zu\033[K", done, all->count);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    free(line);
    if (stream)
        fclose(stream);
}

static int mark_all(class *all, size_t jobs)
{
    int ends[2], failed = 0;

    if (pipe2(ends, O_CLOEXEC) < 0) /* no student's program may write into it */
        return cli_failed(all->course->command, "%s", strerror(errno));
    fflush(NULL);
    pass_signals_on();
    for (size_t job = 0; job < jobs && !failed && !stopped_by; job++) {
        const pid_t child = fork();

        if (child == 0) {
            FILE *to = fdopen(ends[1], "w");

            close(ends[0]);
            workshop_catch_signals();
            if (to && !stopped_by)
                mark_some(all, job, jobs, to);
            _exit(0);
        }
        failed = child < 0 ? errno : 0;
        if (child > 0)
            markers[marker_count++] = child;
        if (child > 0 && stopped_by) /* by a signal after the loop's test */
            kill(child, stopped_by);
    }
    close(ends[1]);
    receive_all(all, ends[0]);
    while (wait(NULL) > 0 || errno == EINTR)
        continue;
    if (failed)
        cli_failed(all->course->command, "no process for some of the projects: %s",
                   strerror(failed));
    return CLI_DONE;
}

/* ---- the list -------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "project", .heading = "project", .width = -24},
    {.key = "exercise", .heading = "exercise", .width = -26},
    {.key = "result", .heading = "result", .width = -11},
    {.key = "reasons", .heading = "reasons", .width = -24},
    {.key = "detail", .heading = "detail", .width = -6},
    {.key = "first"},
    {.key = "seconds"},
};

static const char *result_of(const marked *m)
{
    return m->status < 0                    ? "not marked"
           : m->status == EXERCISE_SOLVED   ? "solved"
           : m->status == EXERCISE_REJECTED ? "not solved"
                                            : "not checked";
}

static int print_class(const class *all, cli_format format, double seconds)
{
    const size_t skip = strlen(all->folder);
    size_t solved = 0, missing = 0;
    cli_result result;

    cli_result_begin(&result, all->course->command, format, CLI_NO_DEVICE);
    CLI_TABLE(&result, "rows", columns);
    for (size_t i = 0; i < all->count; i++) {
        const marked *m = &all->projects[i];

        solved += m->status == EXERCISE_SOLVED;
        missing += m->status < 0;
        CLI_ROW(&result, cell_text(m->project[skip] ? m->project + skip + 1 : "."),
                cell_text(exercise_name(m)), cell_text(result_of(m)), cell_text(m->reasons),
                cell_text(m->detail), cell_text(m->first), cell_number(m->seconds));
    }
    cli_table_end(&result);
    cli_field(&result, "projects", cell_count(all->count));
    cli_field(&result, "solved", cell_count(solved));
    cli_field(&result, "seconds", cell_number(seconds));
    cli_say(&result, "\n%zu of %zu solved (%.1f s)\n", solved, all->count, seconds);
    if (stopped_by)
        cli_failed(all->course->command, "stopped by signal %d (%s): %zu of %zu marked",
                   (int)stopped_by, strsignal(stopped_by), all->count - missing, all->count);
    if (cli_result_end(&result) != CLI_DONE || missing > 0 || all->unreadable)
        return EXERCISE_UNCHECKED;
    return CLI_DONE;
}

static int mark(const cli_arguments *arguments, class *all)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const double began = cli_now();
    cli_format format;
    uint64_t jobs;
    int status = cli_format_read(arguments, &format);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "jobs", cores > 0 ? (uint64_t)cores : 1, 1, JOBS_MAX,
                                &jobs);
    if (status != CLI_DONE)
        return status;
    if (access(all->folder, R_OK | X_OK) != 0)
        return cli_failed(arguments->command, "%s: %s", all->folder, strerror(errno)),
               EXERCISE_UNCHECKED;
    if (find_projects(all, all->folder, DEPTH) != CLI_DONE)
        return EXERCISE_UNCHECKED;
    if (all->count > 0)
        note_empty(all);
    if (all->count == 0) {
        cli_failed(arguments->command, "no projects below %s", all->folder);
        return EXERCISE_UNCHECKED;
    }
    qsort(all->projects, all->count, sizeof *all->projects, by_exercise);
    if (mark_all(all, jobs < all->count ? jobs : all->count) != CLI_DONE)
        return EXERCISE_UNCHECKED;
    return print_class(all, format, cli_now() - began);
}

static int run_mark(const cli_arguments *arguments)
{
    const char *name = cli_option_value(arguments, "exercise");
    course c;
    class all = {.course = &c, .folder = arguments->operands[0]};
    int status = EXERCISE_UNCHECKED;

    if (course_open(arguments, &c) == CLI_DONE) {
        all.only = name ? course_find(&c, name) : NULL;
        status = name && !all.only ? CLI_MISUSED : mark(arguments, &all);
    }
    drop_empty(&all, 0);
    free(all.empty);
    free(all.projects);
    course_close(&c);
    return status;
}

static const cli_option options[] = {
    {"exercise", "EXERCISE", "number or name, if folders were not made by exercise start"},
    {"jobs", "N", "projects that are marked at the same time (default: number of processors)"},
    EXERCISE_COURSE_OPTION,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a row per project"},
    CLI_UNTRACED};

const cli_command cli_command_exercise_mark = {
    "exercise mark",
    "check the projects of a whole class",
    "FOLDER",
    options,
    "Looks for projects in FOLDER and up to three levels below it, for example\n"
    "FOLDER/STUDENT/EXERCISE, and judges each as heddle exercise check does. Their programs are\n"
    "run: mark in a container what you do not trust. Folders without a project and folders that\n"
    "cannot be read are named on standard error. If a signal stops it, what has been marked by\n"
    "then is printed.\n"
    "\n"
    "exit status: 0 all were marked, solved or not; 2 wrong usage, 3 some could not be marked\n",
    "  heddle exercise mark class --csv > marks.csv\n"
    "  heddle exercise mark class --exercise 3\n",
    run_mark,
};
