/* SPDX-License-Identifier: Apache-2.0 */
/* expect.c - runs one planted bug, or its corrected twin, under the checker and compares what the
   checker reported with the table in bugs.h.

       expect PROGRAM NAME         the expected code, at a line marked with BUG and the name, and no
                                   error that the table does not list
       expect PROGRAM NAME fixed   right results, no error, and nothing of the expected code
       expect codes                every code of the checker belongs to some bug

   At warp size 32 with eager streams, at 64 with lazy ones; and once more without a look at memory
   transactions, for which the checker takes all accesses the slow way. Exit status: 0 as expected,
   1 not, 2 wrong usage. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cpu/check/codes.h"
#include "bugs.h"

enum { LINE_BYTES = 16384, SECONDS = 600 };

typedef struct bug {
    const char *name, *code;
    int warps;
    const char *also;
} bug;

static const bug bugs[] = {
#define EXPECT_BUG(name, family, code, warps, where, also) {#name, code, warps, also},
    BUGS(EXPECT_BUG)
#undef EXPECT_BUG
};

enum { COUNT = sizeof bugs / sizeof bugs[0] };

static const struct {
    const char *code;
    hd_check_severity severity;
} codes[] = {
#define EXPECT_CODE(name, code, severity, title, advice) {code, HD_CHECK_##severity},
    HD_CHECK_CODES(EXPECT_CODE)
#undef EXPECT_CODE
};

/* What one run reported. */
typedef struct outcome {
    int found;    /* findings of the expected code */
    int at_mark;  /* of these: at a marked line */
    int strange;  /* errors of a code that is not expected */
    int complete; /* the program came to its end */
    int status;   /* of waitpid */
} outcome;

/* ---- marks ----------------------------------------------------------------------------------- */

static int names(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);

    if (length > 0 && pattern[length - 1] == '*')
        return strncmp(pattern, name, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

/* The text has a comment with BUG and the name. `alone`: and nothing else. */
static int marks(char *text, const char *name, int alone)
{
    char *mark = strstr(text, "/* BUG "), *word;

    if (!mark || (alone && strspn(text, " ") != (size_t)(mark - text)))
        return 0;
    for (word = strtok(mark + strlen("/* BUG "), " \n"); word && strcmp(word, "*/") != 0;
         word = strtok(NULL, " \n")) {
        if (names(word, name))
            return 1;
    }
    return 0;
}

/* The line, or a comment that is the line before it, is marked for the bug. */
static int marked(const char *file, long line, const char *name)
{
    FILE *source = fopen(file, "r");
    char text[LINE_BYTES];
    int found = 0;

    if (!source)
        return 0;
    for (long at = 1; at <= line && fgets(text, sizeof text, source); at++) {
        if (at >= line - 1)
            found |= marks(text, name, at < line);
    }
    (void)fclose(source);
    return found;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* The string behind `key` ("\"code\":\"") from `text` on; returns where it ends, or NULL. */
static const char *string_after(const char *text, const char *key, char *value, size_t size)
{
    const char *at = strstr(text, key);
    size_t n = 0;

    if (!at)
        return NULL;
    for (at += strlen(key); *at && *at != '"'; at++) {
        if (*at == '\\' && at[1])
            at++;
        if (n + 1 < size)
            value[n++] = *at;
    }
    value[n] = '\0';
    return at;
}

static int at_mark(const char *line, const char *name)
{
    char file[4096];
    const char *at = line, *number;

    while ((at = string_after(at, "\"file\":\"", file, sizeof file)) != NULL) {
        number = strncmp(at, "\",\"line\":", 9) == 0 ? at + 9 : NULL;
        if (number && marked(file, strtol(number, NULL, 10), name))
            return 1;
    }
    return 0;
}

/* Counts one line of the report. */
static void take(const char *line, const bug *b, int fixed, outcome *o)
{
    char code[64] = "", severity[32] = "";

    if (strncmp(line, "{\"type\":\"end\"", 13) == 0)
        o->complete = 1;
    if (strncmp(line, "{\"type\":\"finding\"", 17) != 0)
        return;
    (void)string_after(line, "\"code\":\"", code, sizeof code);
    (void)string_after(line, "\"severity\":\"", severity, sizeof severity);
    if (strcmp(code, b->code) == 0) {
        o->found++;
        o->at_mark += at_mark(line, b->name);
    } else if (strcmp(severity, "error") == 0 && (fixed || !strstr(b->also, code))) {
        o->strange++;
    }
}

static void read_report(const char *report, const bug *b, int fixed, outcome *o)
{
    FILE *file = fopen(report, "r");
    char *line = NULL;
    size_t size = 0;

    if (!file)
        return;
    while (getline(&line, &size, file) > 0)
        take(line, b, fixed, o);
    free(line);
    (void)fclose(file);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Becomes the program, under the emulator in HEDDLE_TEST_EMULATOR (words) if there is one. */
static void start(const char *program, const char *name, int fixed)
{
    static char emulator[4096];
    const char *words = getenv("HEDDLE_TEST_EMULATOR");
    char *argument[16], *word;
    size_t n = 0;

    (void)snprintf(emulator, sizeof emulator, "%s", words ? words : "");
    for (word = strtok(emulator, " "); word && n < 12; word = strtok(NULL, " "))
        argument[n++] = word;
    argument[n++] = (char *)(uintptr_t)program;
    argument[n++] = (char *)(uintptr_t)name;
    if (fixed)
        argument[n++] = "fixed";
    argument[n] = NULL;
    (void)execvp(argument[0], argument);
}

static int child(const char *program, const bug *b, int fixed, int warp, int quick,
                 const char *report, const char *log)
{
    pid_t pid;
    int status = 0;

    (void)fflush(stdout);
    pid = fork();
    if (pid == 0) {
        if (!freopen(log, "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
            _exit(127);
        (void)setenv("HEDDLE_CPU_WARP", warp == 64 ? "64" : "32", 1);
        (void)setenv("HEDDLE_CPU_STREAMS", warp == 64 ? "lazy:1" : "eager", 1);
        (void)setenv("HEDDLE_CPU_DEVICES", "2", 1);
        (void)setenv("HEDDLE_CPU_WATCHDOG", "1", 1);
        (void)setenv("HEDDLE_CHECK_REPLAY", "1", 1);
        (void)setenv("HEDDLE_CHECK_PROFILE", quick ? "2" : "0", 1);
        (void)setenv("HEDDLE_CHECK_REPORT", report, 1);
        /* With seed 0 a block arrives at the second grid barrier before another one has left the
           first, and what it released there orders the accesses of both. */
        if (strcmp(b->name, "idiom_reverse") == 0)
            (void)setenv("HEDDLE_CHECK_SEED", "1", 1);
        (void)alarm(SECONDS);
        start(program, b->name, fixed);
        _exit(127);
    }
    (void)waitpid(pid, &status, 0);
    return status;
}

/* The report and what the program printed, for a test that failed. */
static void show(const char *path)
{
    FILE *file = fopen(path, "r");
    char text[LINE_BYTES];

    while (file && fgets(text, sizeof text, file))
        printf("  %s", text);
    if (file)
        (void)fclose(file);
}

static int as_expected(int fixed, const outcome *o)
{
    int ended = WIFEXITED(o->status) && o->complete;

    if (fixed)
        return ended && WEXITSTATUS(o->status) == 0 && !o->found && !o->strange;
    return ended && o->found && o->at_mark && !o->strange && WEXITSTATUS(o->status) <= 1;
}

static int run(const char *program, const bug *b, int fixed, int warp, int quick)
{
    char report[] = "/tmp/heddle-bug-XXXXXX", log[sizeof report + 4];
    int file = mkstemp(report), good;
    outcome o = {0, 0, 0, 0, 0};

    if (file < 0)
        return 0;
    (void)close(file);
    (void)snprintf(log, sizeof log, "%s.log", report);
    o.status = child(program, b, fixed, warp, quick, report, log);
    read_report(report, b, fixed, &o);
    good = as_expected(fixed, &o);
    printf("%s %s%s, warp %d%s: %s found %d times, %d at a mark; %d other errors; ",
           good ? "ok" : "FAIL", b->name, fixed ? " fixed" : "", warp, quick ? ", quick" : "",
           b->code, o.found, o.at_mark, o.strange);
    if (WIFSIGNALED(o.status))
        printf("signal %d%s\n", WTERMSIG(o.status), o.complete ? "" : ", no end of the report");
    else
        printf("exit %d%s\n", WEXITSTATUS(o.status), o.complete ? "" : ", no end of the report");
    if (!good) {
        show(log);
        show(report);
    }
    (void)remove(report);
    (void)remove(log);
    return good;
}

static int counts_transactions(const char *code)
{
    size_t at = 0;

    while (strcmp(codes[at].code, code) != 0)
        at++;
    return codes[at].severity == HD_CHECK_PERFORMANCE;
}

static int every_code(void)
{
    int missing = 0;

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        size_t at = 0;

        while (at < COUNT && strcmp(bugs[at].code, codes[i].code) != 0)
            at++;
        if (at == COUNT) {
            printf("no bug is expected to give %s\n", codes[i].code);
            missing = 1;
        }
    }
    return missing;
}

int main(int argc, char **argv)
{
    int fixed = argc == 4 && strcmp(argv[3], "fixed") == 0, good = 1;
    const bug *b = bugs;

    if (argc == 2 && strcmp(argv[1], "codes") == 0)
        return every_code();
    while (argc > 2 && b < bugs + COUNT && strcmp(b->name, argv[2]) != 0)
        b++;
    if (argc < 3 || argc - fixed != 3 || b == bugs + COUNT) {
        fprintf(stderr, "usage: %s PROGRAM NAME [fixed] | codes\n", argv[0]);
        return 2;
    }
    for (int warp = 32; warp <= 64; warp += 32) {
        for (int quick = 0; quick <= !counts_transactions(b->code); quick++) {
            if (b->warps == 0 || b->warps == warp)
                good &= run(argv[1], b, fixed, warp, quick);
        }
    }
    return good ? 0 : 1;
}
