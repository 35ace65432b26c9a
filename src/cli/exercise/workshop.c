/* SPDX-License-Identifier: Apache-2.0 */
/* workshop.c - a folder in $TMPDIR (/tmp) with the starter project, configured once and built with
   the edited files of one student after another. All other files are always the starter's. */
#include "exercise.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "cli/app/program.h"

enum { WORDS = 12 };

/* A signal ends what the workshop runs; the tool itself continues, to remove its folder. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

void workshop_catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

int workshop_interrupted(void)
{
    return interrupted;
}

/* The caller's settings for builds of its own must not reach the student's. */
static void forget_build_settings(void)
{
    static const char *const names[] = {"MAKEFLAGS",
                                        "MFLAGS",
                                        "MAKEFILES",
                                        "MAKELEVEL",
                                        "NINJAFLAGS",
                                        "DESTDIR",
                                        "CMAKE_GENERATOR",
                                        "CMAKE_GENERATOR_INSTANCE",
                                        "CMAKE_GENERATOR_PLATFORM",
                                        "CMAKE_GENERATOR_TOOLSET",
                                        "CMAKE_BUILD_TYPE",
                                        "CMAKE_BUILD_PARALLEL_LEVEL",
                                        "CMAKE_TOOLCHAIN_FILE",
                                        "CMAKE_CONFIGURATION_TYPES"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

/* The CMake option by which find_package(heddle) finds the tool's build tree or installation
   prefix. */
static int package_option(const workshop *w, char option[PATH_MAX])
{
    char folder[PATH_MAX], path[PATH_MAX];
    int written;

    cli_beside_tool("", folder);
    cli_beside_tool("heddleConfig.cmake", path);
    if (access(path, R_OK) == 0)
        written = snprintf(option, PATH_MAX, "-Dheddle_DIR=%s", folder);
    else
        written = snprintf(option, PATH_MAX, "-DCMAKE_PREFIX_PATH=%s..", folder);
    if (written < 0 || written >= PATH_MAX)
        return cli_failed(w->course->command, "%s: the path is too long", folder);
    return CLI_DONE;
}

static int failed(const workshop *w, const char *path)
{
    return cli_failed(w->course->command, "%s: %s", path, strerror(errno)), -1;
}

static int make_folder(workshop *w)
{
    const char *temporary = hd__environment("TMPDIR");
    const int length = snprintf(w->folder, sizeof w->folder, "%s/heddle-exercise.XXXXXX",
                                temporary && *temporary ? temporary : "/tmp");

    if (length < 0 || (size_t)length >= sizeof w->folder || !mkdtemp(w->folder)) {
        failed(w, w->folder);
        w->folder[0] = '\0';
        return -1;
    }
    w->temporary = temporary ? strdup(temporary) : NULL;
    setenv("TMPDIR", w->folder, 1); /* a compiler that is stopped leaves its files here */
    return 0;
}

/* Copies the starter project, and the header that all exercises share. */
static int copy_starter(workshop *w)
{
    char starter[PATH_MAX], common[PATH_MAX], header[PATH_MAX];

    course_path(w->course, w->exercise, "starter", starter);
    path_join(common, w->course->folder, "exercise.h");
    path_join(header, w->folder, "exercise.h");
    if (folder_copy(starter, w->folder) < 0)
        return failed(w, starter);
    return file_copy(common, header) < 0 ? failed(w, common) : 0;
}

/* The compiler's lines in the output of a build, with paths relative to the project. */
static char *compiler_lines(const workshop *w, const char *log)
{
    const size_t length = strlen(w->folder);
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    while (to && *log) {
        const size_t line = strcspn(log, "\n") + (log[strcspn(log, "\n")] == '\n');
        const int shown = *log != '[' && strncmp(log, "gmake", 5) != 0 &&
                          strncmp(log, "make", 4) != 0 && strncmp(log, "ninja", 5) != 0;

        for (size_t i = 0; shown && i < line;) {
            if (strncmp(log + i, w->folder, length) == 0 && log[i + length] == '/')
                i += length + 1;
            else
                putc(log[i++], to);
        }
        log += line;
    }
    if (to)
        fclose(to);
    return text;
}

/* Runs CMake and keeps the compiler's lines in w->log. Returns CMake's exit status, or -1 after a
   line. */
static int run_cmake(workshop *w, char *const *words)
{
    char log[PATH_MAX], *text;
    int status;

    path_join(log, w->folder, "log");
    status = program_run(words, log, w->exercise->build_timeout, &interrupted);
    if (interrupted) {
        cli_failed(w->course->command, "stopped by signal %d (%s)", (int)interrupted,
                   strsignal(interrupted));
        return -1;
    }
    if (status < 0 && errno == ETIMEDOUT) {
        char said[64];

        free(w->log);
        snprintf(said, sizeof said, "building was stopped after %g s\n",
                 w->exercise->build_timeout);
        w->log = strdup(said);
        return 1;
    }
    if (status < 0) {
        cli_failed(w->course->command, "%s cannot be run: %s (exercises are built with CMake)",
                   words[0], strerror(errno));
        return -1;
    }
    free(w->log);
    text = file_text(log);
    w->log = text ? compiler_lines(w, text) : NULL;
    free(text);
    return status;
}

static int configure(workshop *w)
{
    char build[PATH_MAX], option[PATH_MAX], cmake[] = "cmake", from[] = "-S", to[] = "-B",
                                            debug[] = "-DCMAKE_C_FLAGS=-g";
    char *const words[WORDS] = {cmake, from, w->folder, to, build, option, debug, NULL};
    int status;

    path_join(build, w->folder, "build");
    if (package_option(w, option) != CLI_DONE)
        return -1;
    status = run_cmake(w, words);
    if (status > 0) {
        cli_failed(w->course->command, "CMake does not configure exercise %s", w->exercise->name);
        fputs(w->log ? w->log : "", stderr);
    }
    return status == 0 ? 0 : -1;
}

int workshop_open(workshop *w, const course *c, const exercise *e)
{
    workshop_catch_signals();
    forget_build_settings();
    memset(w, 0, sizeof *w);
    w->course = c;
    w->exercise = e;
    if (make_folder(w) < 0)
        return -1;
    return copy_starter(w) < 0 ? -1 : configure(w);
}

/* A FIFO would block the copy; a device or huge file would fill the disk or stall the compiler. */
static bool is_source(const char *path)
{
    enum { SOURCE_MAX = 1 << 20 };
    struct stat info;

    return stat(path, &info) != 0 || (S_ISREG(info.st_mode) && info.st_size <= SOURCE_MAX);
}

int workshop_build(workshop *w, const char *project)
{
    char build[PATH_MAX], cmake[] = "cmake", how[] = "--build";
    char *const words[WORDS] = {cmake, how, build, NULL};
    int status;

    path_join(build, w->folder, "build");
    for (size_t i = 0; i < w->exercise->edits; i++) {
        char from[PATH_MAX], to[PATH_MAX];

        path_join(from, project, w->exercise->edit[i]);
        path_join(to, w->folder, w->exercise->edit[i]);
        unlink(to);
        if (!is_source(from)) {
            cli_failed(w->course->command, "%s is not a file of at most 1 MiB", from);
            return -1;
        }
        if (file_copy(from, to) < 0) {
            cli_failed(w->course->command,
                       "%s: %s (heddle exercise start makes a new copy in another folder)", from,
                       strerror(errno));
            return -1;
        }
    }
    status = run_cmake(w, words);
    return status < 0 ? -1 : status != 0;
}

bool workshop_is_starter(const workshop *w, const char *project)
{
    bool same = true;

    for (size_t i = 0; i < w->exercise->edits && same; i++) {
        char starter[PATH_MAX], path[PATH_MAX], *a, *b;

        course_path(w->course, w->exercise, "starter", starter);
        path_join(path, starter, w->exercise->edit[i]);
        a = file_text(path);
        path_join(path, project, w->exercise->edit[i]);
        b = file_text(path);
        same = a && b && strcmp(a, b) == 0;
        free(a);
        free(b);
    }
    return same;
}

void workshop_close(workshop *w)
{
    if (w->folder[0]) {
        folder_remove(w->folder);
        if (w->temporary)
            setenv("TMPDIR", w->temporary, 1);
        else
            unsetenv("TMPDIR");
    }
    w->folder[0] = '\0';
    free(w->temporary);
    w->temporary = NULL;
    free(w->log);
    w->log = NULL;
}
