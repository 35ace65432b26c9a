/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.c - `heddle exercise list`, `start`, `show` and `hint`. */
#include "exercise.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace.h"
#include "cli/app/table.h"
#include "cli/app/words.h"

/* ---- list ------------------------------------------------------------------------------------ */

static const cli_column list_columns[] = {
    {.key = "number", .heading = "no.", .width = -4},
    {.key = "title", .heading = "title", .width = -42},
    {.key = "minutes", .heading = "minutes", .width = 7},
    {.key = "hints", .heading = "hints read", .width = 10},
    {.key = "solved", .heading = "solved", .width = -10, .gap = 2},
    {.key = "name"},
    {.key = "kind"},
    {.key = "page"},
};

static void list_row(cli_result *result, const exercise *e)
{
    exercise_progress progress;
    char number[EXERCISE_NAME];

    exercise_number(e, number);
    progress_read(e, &progress);
    CLI_ROW(result, cell_text(number), cell_text(e->title),
            cell_if(e->minutes > 0, cell_count(e->minutes)),
            cell_if(progress.hints > 0, cell_count(progress.hints)),
            cell_if(*progress.solved, cell_text(progress.solved)), cell_text(e->name),
            cell_text(e->practical ? "practical" : "exercise"), cell_text(e->page));
}

static int run_list(const cli_arguments *arguments)
{
    cli_format format;
    cli_result result;
    course c;
    int status = cli_format_read(arguments, &format);

    if (status != CLI_DONE)
        return status;
    status = course_open(arguments, &c);
    if (status == CLI_DONE) {
        cli_result_begin(&result, arguments->command, format, CLI_NO_DEVICE);
        CLI_TABLE(&result, "rows", list_columns);
        for (size_t i = 0; i < c.count; i++)
            list_row(&result, &c.exercises[i]);
        cli_table_end(&result);
        cli_say(&result, "\nheddle exercise start 1 FOLDER begins with the first.\n");
        status = cli_result_end(&result);
    }
    course_close(&c);
    return status;
}

static const cli_option list_options[] = {EXERCISE_COURSE_OPTION,
                                          {"json", NULL, "print one JSON object"},
                                          {"csv", NULL, "print CSV: a row per exercise"},
                                          CLI_UNTRACED};

const cli_command cli_command_exercise_list = {
    "exercise list",
    "list the exercises of the course and which of them are solved",
    NULL,
    list_options,
    "Exercises have a planted fault to find; practicals (p1, p2, ...) have parts to write.\n",
    "  heddle exercise list\n",
    run_list,
};

/* ---- start ----------------------------------------------------------------------------------- */

/* Creates the folder, or accepts an existing empty one. CLI_DONE, or CLI_FAILED after a line. */
static int make_project(const course *c, const char *folder)
{
    DIR *entries;
    size_t count = 0;

    if (mkdir(folder, 0777) == 0)
        return CLI_DONE;
    if (errno != EEXIST)
        return cli_failed(c->command, "%s: %s", folder, strerror(errno));
    entries = opendir(folder);
    if (!entries)
        return cli_failed(c->command, "%s: %s", folder, strerror(errno));
    while (readdir(entries))
        count++;
    closedir(entries);
    if (count > 2) /* . and .. */
        return cli_failed(c->command, "%s is not empty; nothing was written", folder);
    return CLI_DONE;
}

static int write_mark(FILE *stream, void *state)
{
    return fprintf(stream, "%s\n", (const char *)state) < 0 ? -1 : 0;
}

typedef struct task {
    const char *text;
    char course[PATH_MAX], docs[PATH_MAX]; /* targets of ../ and ../../ in links */
} task;

static int write_task(FILE *stream, void *state)
{
    static const char to_docs[] = "](../../", to_course[] = "](../";
    const task *t = state;
    const char *at = t->text;

    while (*at) {
        if (strncmp(at, to_docs, sizeof to_docs - 1) == 0) {
            fprintf(stream, "](%s/", t->docs);
            at += sizeof to_docs - 1;
        } else if (strncmp(at, to_course, sizeof to_course - 1) == 0) {
            fprintf(stream, "](%s/", t->course);
            at += sizeof to_course - 1;
        } else {
            putc(*at++, stream);
        }
    }
    return ferror(stream) ? -1 : 0;
}

/* Copies README.md with relative links replaced by paths of the course and its docs, so that they
   work from any folder. */
static int copy_task(const course *c, const exercise *e, const char *folder)
{
    char path[PATH_MAX], *text;
    task t;
    int status;

    course_path(c, e, "README.md", path);
    t.text = text = file_text(path);
    if (!text)
        return cli_failed(c->command, "%s: %s", path, strerror(errno));
    path_join(path, c->folder, "..");
    if (!realpath(c->folder, t.course) || !realpath(path, t.docs))
        strcpy(t.course, strcpy(t.docs, "."));
    path_join(path, folder, "README.md");
    status = hd__replace_file(path, write_task, &t) == 0 ? CLI_DONE
                                                         : cli_unwritable(c->command, path);
    free(text);
    return status;
}

static int copy_project(const course *c, const exercise *e, const char *folder)
{
    char from[PATH_MAX], to[PATH_MAX], name[EXERCISE_NAME];

    course_path(c, e, "starter", from);
    if (folder_copy(from, folder) < 0)
        return cli_failed(c->command, "%s: %s", folder, strerror(errno));
    if (copy_task(c, e, folder) != CLI_DONE)
        return CLI_FAILED;
    path_join(from, c->folder, "exercise.h");
    path_join(to, folder, "exercise.h");
    if (file_copy(from, to) < 0)
        return cli_failed(c->command, "%s: %s", to, strerror(errno));
    path_join(to, folder, PROJECT_MARK);
    strcpy(name, e->name);
    return hd__replace_file(to, write_mark, name) == 0 ? CLI_DONE : cli_unwritable(c->command, to);
}

static void print_start(const exercise *e, const char *folder)
{
    printf("%s: read %s/README.md, then edit", e->title, folder);
    for (size_t i = 0; i < e->edits; i++)
        printf("%s %s/%s", i > 0 ? "," : "", folder, e->edit[i]);
    printf("\n  heddle exercise check %s\n  heddle exercise hint %s\n", folder, folder);
}

static int run_start(const cli_arguments *arguments)
{
    const char *folder = arguments->operands[1];
    course c;
    int status = course_open(arguments, &c);

    if (status == CLI_DONE) {
        const exercise *e = course_find(&c, arguments->operands[0]);

        status = e ? make_project(&c, folder) : CLI_MISUSED;
        if (status == CLI_DONE)
            status = copy_project(&c, e, folder);
        if (status == CLI_DONE)
            print_start(e, folder);
    }
    course_close(&c);
    return status;
}

static const cli_option course_options[] = {EXERCISE_COURSE_OPTION, CLI_UNTRACED};

const cli_command cli_command_exercise_start = {
    "exercise start",
    "copy an exercise into a folder of your own",
    "EXERCISE FOLDER",
    course_options,
    "EXERCISE is a number or name of heddle exercise list. FOLDER is made, or must be empty.\n",
    "  heddle exercise start 1 lanes\n"
    "  heddle exercise start half-a-ballot ballot\n",
    run_start,
};

/* ---- show ------------------------------------------------------------------------------------ */

static int print_file(const course *c, const char *path)
{
    char *text = file_text(path);

    if (!text)
        return cli_failed(c->command, "%s: %s", path, strerror(errno));
    fputs(text, stdout);
    free(text);
    return CLI_DONE;
}

static int print_solution(const course *c, const exercise *e)
{
    char path[PATH_MAX], what[PATH_MAX];
    int status = CLI_DONE;

    for (size_t i = 0; i < e->edits && status == CLI_DONE; i++) {
        snprintf(what, sizeof what, "solution/%s", e->edit[i]);
        course_path(c, e, what, path);
        printf("%s---- %s ----\n", i > 0 ? "\n" : "", e->edit[i]);
        status = print_file(c, path);
    }
    return status;
}

static int run_show(const cli_arguments *arguments)
{
    char path[PATH_MAX];
    course c;
    int status = course_open(arguments, &c);

    if (status == CLI_DONE) {
        const exercise *e = course_of_word(&c, arguments->operands[0]);

        if (!e) {
            status = CLI_MISUSED;
        } else if (cli_option_given(arguments, "solution")) {
            status = print_solution(&c, e);
        } else {
            course_path(&c, e, "README.md", path);
            status = print_file(&c, path);
        }
    }
    course_close(&c);
    return status;
}

static const cli_option show_options[] = {
    {"solution", NULL, "print the solution instead of the task"},
    EXERCISE_COURSE_OPTION,
    CLI_UNTRACED};

const cli_command cli_command_exercise_show = {
    "exercise show",
    "print the task of an exercise, or its solution",
    "EXERCISE",
    show_options,
    "EXERCISE is a number, a name, or the folder of a started exercise.\n",
    "  heddle exercise show 1\n"
    "  heddle exercise show 1 --solution\n",
    run_show,
};

/* ---- hint ------------------------------------------------------------------------------------ */

/* Finds the section of hint `number`. Returns its length; 0 if there is none. */
static size_t find_hint(const char *text, uint64_t number, const char **begin_out)
{
    char heading[48];
    const char *begin, *end;

    snprintf(heading, sizeof heading, "## Hint %u\n", (unsigned)number);
    begin = strstr(text, heading);
    if (!begin)
        return 0;
    end = strstr(begin + strlen(heading), "\n## ");
    *begin_out = begin;
    return end ? (size_t)(end - begin) + 1 : strlen(begin);
}

static int print_hint(const course *c, const exercise *e, uint64_t asked)
{
    exercise_progress progress;
    char path[PATH_MAX], number[EXERCISE_NAME], *text;
    const char *begin = NULL;
    uint64_t which;
    size_t length;

    course_path(c, e, "hints.md", path);
    text = file_text(path);
    if (!text)
        return cli_failed(c->command, "%s: %s", path, strerror(errno));
    progress_read(e, &progress);
    exercise_number(e, number);
    which = asked ? asked : progress.hints + 1;
    length = find_hint(text, which, &begin);
    if (length)
        printf("%.*s", (int)length, begin);
    else
        printf("%s has no hint %u; heddle exercise show %s --solution shows the solution\n",
               e->title, (unsigned)which, number);
    if (length && which > progress.hints) {
        progress.hints = (unsigned)which;
        progress_write(c->command, &progress);
    }
    free(text);
    return CLI_DONE;
}

static int run_hint(const cli_arguments *arguments)
{
    enum { HINTS_MAX = 99 };
    course c;
    uint64_t asked;
    int status = cli_count_read(arguments, "number", 0, 1, HINTS_MAX, &asked);

    if (status != CLI_DONE)
        return status;
    status = course_open(arguments, &c);
    if (status == CLI_DONE) {
        const exercise *e = course_of_word(&c, arguments->operands[0]);

        status = e ? print_hint(&c, e, asked) : CLI_MISUSED;
    }
    course_close(&c);
    return status;
}

static const cli_option hint_options[] = {
    {"number", "N", "that hint (default: the next that was not shown yet)"},
    EXERCISE_COURSE_OPTION,
    CLI_UNTRACED};

const cli_command cli_command_exercise_hint = {
    "exercise hint",
    "print the next hint for an exercise",
    "EXERCISE",
    hint_options,
    "EXERCISE is a number, a name, or the folder of a started exercise. Hints that were shown and\n"
    "exercises that were solved are kept in $XDG_STATE_HOME/heddle/exercises, or in\n"
    "~/.local/state/heddle/exercises.\n",
    "  heddle exercise hint 1\n"
    "  heddle exercise hint 1 --number 1\n",
    run_hint,
};
