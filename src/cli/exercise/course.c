/* SPDX-License-Identifier: Apache-2.0 */
/* course.c - finds the exercises and reads their descriptions. */
#include "exercise.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEEDS = 3, SEEDS_MAX = 1000, DEVICES_MAX = 64, BLOCK_MAX = 1024, MINUTES_MAX = 10000 };
#define TIMEOUT 20.0        /* seconds per run */
#define BUILD_TIMEOUT 120.0 /* seconds for CMake and the compiler */
#define DESCRIPTION "exercise.json"

/* ---- an exercise ----------------------------------------------------------------------------- */

static int refuse(const course *c, const exercise *e, const char *what)
{
    return cli_failed(c->command, "%s/%s/" DESCRIPTION ": %s", c->folder, e->name, what);
}

static int refuse_member(const course *c, const exercise *e, const char *key, const char *what,
                         unsigned most)
{
    char text[128];

    snprintf(text, sizeof text, most ? "%s must be %s %u" : "%s must be %s", key, what, most);
    return refuse(c, e, text);
}

/* Reads a list of strings; a missing list counts as `fallback` alone. If `fallback` is NULL, the
   list is required and has file names. Returns the number of strings; 0 if the list is invalid. */
static size_t read_texts(const hd__json *tree, const char *key, const char *fallback,
                         const char *texts[EXERCISE_LIST])
{
    const hd__json *list = hd__json_member(tree, key);
    const size_t count = hd__json_length(list);

    texts[0] = fallback;
    if (!list)
        return fallback != NULL;
    for (size_t i = 0; i < count && count <= EXERCISE_LIST; i++) {
        if (!hd__json_is_string(hd__json_at(list, i)))
            return 0;
        texts[i] = hd__json_string(hd__json_at(list, i));
        if (!fallback && (!*texts[i] || strchr(texts[i], '/')))
            return 0;
    }
    return count <= EXERCISE_LIST ? count : 0;
}

static size_t read_devices(const hd__json *tree, unsigned devices[EXERCISE_LIST])
{
    const hd__json *list = hd__json_member(tree, "devices");
    const size_t count = hd__json_length(list);

    devices[0] = 1;
    if (!list)
        return 1;
    for (size_t i = 0; i < count && count <= EXERCISE_LIST; i++) {
        const uint64_t value = hd__json_whole(hd__json_at(list, i));

        if (value < 1 || value > DEVICES_MAX)
            return 0;
        devices[i] = (unsigned)value;
    }
    return count <= EXERCISE_LIST ? count : 0;
}

/* Reads a whole number from 1 to `most`; *number stays as it is if the member is missing. */
static int read_whole(const course *c, const exercise *e, const char *key, unsigned most,
                      unsigned *number)
{
    const hd__json *value = hd__json_member(e->tree, key);
    const uint64_t whole = hd__json_whole(value);

    if (value && (whole < 1 || whole > most))
        return refuse_member(c, e, key, "a number from 1 to", most);
    if (value)
        *number = (unsigned)whole;
    return CLI_DONE;
}

static int read_flag(const course *c, const exercise *e, const char *key, bool *flag_out)
{
    const hd__json *value = hd__json_member(e->tree, key);

    if (value && !hd__json_is_boolean(value))
        return refuse_member(c, e, key, "true or false", 0);
    *flag_out = hd__json_true(value);
    return CLI_DONE;
}

static int read_seconds(const course *c, const exercise *e, const char *key, double *seconds)
{
    const hd__json *value = hd__json_member(e->tree, key);

    if (value && (!hd__json_number(value, seconds) || !(*seconds > 0)))
        return refuse_member(c, e, key, "a number of seconds", 0);
    return CLI_DONE;
}

/* "practical" or "exercise"; missing: an exercise. */
static int read_kind(const course *c, exercise *e)
{
    const hd__json *value = hd__json_member(e->tree, "kind");
    const char *kind = hd__json_string(value);

    if (value && strcmp(kind, "practical") != 0 && strcmp(kind, "exercise") != 0)
        return refuse_member(c, e, "kind", "\"exercise\" or \"practical\"", 0);
    e->practical = strcmp(kind, "practical") == 0;
    return CLI_DONE;
}

static int read_numbers(const course *c, exercise *e)
{
    e->seeds = SEEDS;
    e->timeout = TIMEOUT;
    e->build_timeout = BUILD_TIMEOUT;
    if (read_kind(c, e) != CLI_DONE || read_flag(c, e, "strict", &e->strict) != CLI_DONE ||
        read_flag(c, e, "host_only", &e->host_only) != CLI_DONE ||
        read_flag(c, e, "mpi", &e->mpi) != CLI_DONE ||
        read_whole(c, e, "minutes", MINUTES_MAX, &e->minutes) != CLI_DONE ||
        read_whole(c, e, "seeds", SEEDS_MAX, &e->seeds) != CLI_DONE ||
        read_whole(c, e, "ladder", BLOCK_MAX, &e->ladder) != CLI_DONE ||
        read_seconds(c, e, "timeout", &e->timeout) != CLI_DONE)
        return CLI_FAILED;
    return read_seconds(c, e, "build_timeout", &e->build_timeout);
}

/* CLI_DONE, or CLI_FAILED after a line. */
static int read_description(const course *c, exercise *e)
{
    char path[PATH_MAX], message[HD__IO_MESSAGE];

    course_path(c, e, DESCRIPTION, path);
    e->tree = hd__json_read_file(path, message);
    if (!e->tree)
        return cli_failed(c->command, "%s", message);
    e->title = hd__json_text(e->tree, "title");
    e->page = hd__json_text(e->tree, "page");
    e->edits = read_texts(e->tree, "edit", NULL, e->edit);
    e->arguments = read_texts(e->tree, "arguments", "", e->argument);
    e->device_counts = read_devices(e->tree, e->devices);
    if (!*e->title || !*e->page)
        return refuse(c, e, "title or page is missing");
    if (e->edits == 0)
        return refuse(c, e, "edit must be a list of 1 to 16 file names");
    if (e->arguments == 0 || e->device_counts == 0)
        return refuse(c, e, "arguments and devices must be lists of 1 to 16; devices 1 to 64");
    return read_numbers(c, e);
}

void exercise_number(const exercise *e, char text[EXERCISE_NAME])
{
    const char *at = e->name;
    size_t length;

    text[0] = '\0';
    if (*at == 'p')
        strcat(text, "p");
    at += *at == 'p';
    at += strspn(at, "0");
    length = strcspn(at, "-");
    strncat(text, at, length);
}

/* ---- the folder ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    const exercise *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static bool has_description(const course *c, const char *name)
{
    char path[PATH_MAX], rest[EXERCISE_NAME + sizeof DESCRIPTION + 1];

    if (strlen(name) >= EXERCISE_NAME)
        return false;
    snprintf(rest, sizeof rest, "%s/" DESCRIPTION, name);
    path_join(path, c->folder, rest);
    return access(path, R_OK) == 0;
}

static int add_exercise(course *c, const char *name)
{
    exercise *more = realloc(c->exercises, (c->count + 1) * sizeof *more);
    exercise *e;

    if (!more)
        return cli_failed(c->command, "no memory");
    c->exercises = more;
    e = &c->exercises[c->count++];
    memset(e, 0, sizeof *e);
    strcpy(e->name, name);
    return read_description(c, e);
}

static int read_folder(course *c)
{
    DIR *folder = opendir(c->folder);
    const struct dirent *entry;
    int status = CLI_DONE;

    if (!folder)
        return cli_failed(c->command, "%s: %s", c->folder, strerror(errno));
    while (status == CLI_DONE && (entry = readdir(folder)) != NULL)
        if (has_description(c, entry->d_name))
            status = add_exercise(c, entry->d_name);
    closedir(folder);
    if (status == CLI_DONE && c->count == 0)
        return cli_failed(c->command, "%s has no exercises", c->folder);
    if (c->count)
        qsort(c->exercises, c->count, sizeof *c->exercises, by_name);
    return status;
}

/* The docs are next to the tool in a build tree, or in the prefix of an installation (HeddleTool,
   HeddleInstall.cmake). */
static int find_folder(course *c)
{
    static const char *const places[] = {"docs/exercises", HEDDLE_DOCS_FROM_BIN "/exercises"};
    char tool[PATH_MAX], path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);

    tool[length > 0 ? length : 0] = '\0';
    if (strrchr(tool, '/'))
        *strrchr(tool, '/') = '\0';
    for (size_t i = 0; *tool && i < sizeof places / sizeof *places; i++) {
        path_join(path, tool, places[i]);
        if (access(path, R_OK) == 0 && strlen(path) < sizeof c->folder) {
            strcpy(c->folder, path);
            return CLI_DONE;
        }
    }
    return cli_failed(c->command, "the exercises are not installed with this heddle; name their "
                                  "folder with --course (docs/exercises in the source)");
}

int course_open(const cli_arguments *arguments, course *c)
{
    const char *given = cli_option_value(arguments, "course");
    int status = CLI_DONE;

    memset(c, 0, sizeof *c);
    c->command = arguments->command;
    if (hd__json_missing())
        return cli_failed(c->command, "%s", hd__json_missing());
    if (!given)
        status = find_folder(c);
    else if (strlen(given) < sizeof c->folder)
        strcpy(c->folder, given);
    else
        status = cli_failed(c->command, "--course: the path is too long");
    return status == CLI_DONE ? read_folder(c) : status;
}

void course_close(course *c)
{
    for (size_t i = 0; i < c->count; i++)
        hd__json_free(c->exercises[i].tree);
    free(c->exercises);
    c->exercises = NULL;
    c->count = 0;
}

void course_path(const course *c, const exercise *e, const char *what, char path[PATH_MAX])
{
    char folder[PATH_MAX];

    path_join(folder, c->folder, e->name);
    path_join(path, folder, what);
}

/* ---- search ---------------------------------------------------------------------------------- */

static const exercise *find(const course *c, const char *word)
{
    char number[EXERCISE_NAME];
    const char *short_word = word + (*word == 'p');
    const size_t zeros = strspn(short_word, "0");

    for (size_t i = 0; i < c->count; i++) {
        const exercise *e = &c->exercises[i];
        const char *rest = strchr(e->name, '-');

        exercise_number(e, number);
        if (strcmp(e->name, word) == 0 || (rest && strcmp(rest + 1, word) == 0) ||
            ((*word == 'p') == (*number == 'p') &&
             strcmp(number + (*number == 'p'), short_word + zeros) == 0))
            return e;
    }
    return NULL;
}

const exercise *course_find(const course *c, const char *word)
{
    const exercise *e = find(c, word);
    const char *nearest, **names;
    size_t count = 0;

    if (e)
        return e;
    names = malloc(2 * c->count * sizeof *names);
    for (size_t i = 0; names && i < c->count; i++) {
        const char *rest = strchr(c->exercises[i].name, '-');

        names[count++] = c->exercises[i].name;
        names[count++] = rest ? rest + 1 : c->exercises[i].name;
    }
    nearest = cli_nearest(word, names, count);
    if (nearest)
        cli_misused(c->command, "there is no exercise '%s'; did you mean '%s'?", word, nearest);
    else
        cli_misused(c->command, "there is no exercise '%s'; see heddle exercise list", word);
    free(names);
    return NULL;
}

/* The exercise's name in the file PROJECT_MARK of a project; "" if there is none. */
static void read_mark(const char *project, char name[EXERCISE_NAME])
{
    char path[PATH_MAX], *text;

    path_join(path, project, PROJECT_MARK);
    text = file_text(path);
    name[0] = '\0';
    if (text)
        strncat(name, text, strcspn(text, "\r\n") < EXERCISE_NAME ? strcspn(text, "\r\n") : 0);
    free(text);
}

const exercise *course_of_project(const course *c, const char *project)
{
    char name[EXERCISE_NAME];
    const exercise *e;

    if (access(project, R_OK) != 0) {
        cli_failed(c->command, "%s: %s", project, strerror(errno));
        return NULL;
    }
    read_mark(project, name);
    if (!name[0]) {
        cli_failed(c->command,
                   "%s is not a folder that heddle exercise start made (there is no " PROJECT_MARK
                   "); name the exercise with --exercise",
                   project);
        return NULL;
    }
    e = find(c, name);
    if (!e)
        cli_failed(c->command, "%s/" PROJECT_MARK " names '%s', which %s does not have", project,
                   name, c->folder);
    return e;
}

const exercise *course_of_word(const course *c, const char *word)
{
    char name[EXERCISE_NAME];

    read_mark(word, name);
    return name[0] ? course_of_project(c, word) : course_find(c, word);
}
