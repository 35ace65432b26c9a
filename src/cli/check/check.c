/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - `heddle check`: runs a program that was built with the checking engine under many
   schedules, and prints the findings. */
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/replace.h"
#include "cli/app/output.h"

enum { SEEDS = 3, SEEDS_MAX = 1000000, REPLAY = 4 };
#define TIMEOUT 600.0 /* seconds */

/* ---- options --------------------------------------------------------------------------------- */

static int read_seeds(const cli_arguments *arguments, uint64_t *seeds)
{
    const char *text = cli_option_value(arguments, "seeds");

    if (!text)
        return CLI_DONE;
    if (!cli_size_read(text, strlen(text), seeds) || *seeds == 0 || *seeds > SEEDS_MAX)
        return cli_misused(arguments->command, "--seeds: '%s' is not a number from 1 to %d", text,
                           SEEDS_MAX);
    return CLI_DONE;
}

static int read_timeout(const cli_arguments *arguments, double *timeout)
{
    const char *text = cli_option_value(arguments, "timeout");
    char *end;

    if (!text)
        return CLI_DONE;
    *timeout = strtod(text, &end);
    if (end == text || *end || !(*timeout >= 0 && *timeout <= 1e7))
        return cli_misused(arguments->command, "--timeout: '%s' is not a number of seconds", text);
    return CLI_DONE;
}

/* Reads a list of at most two different words and marks them. */
static int read_words(const cli_arguments *arguments, const char *option, const char *const *words,
                      int marks[2])
{
    const char *at = cli_option_value(arguments, option);

    if (!at)
        return CLI_DONE;
    marks[0] = marks[1] = strcmp(at, "both") == 0;
    while (!marks[0] || !marks[1]) {
        size_t length = strcspn(at, ",");
        int which = 0;

        while (which < 2 &&
               (strlen(words[which]) != length || strncmp(at, words[which], length) != 0))
            which++;
        if (which == 2)
            return cli_misused(arguments->command, "--%s: '%.*s' is not %s or %s", option,
                               (int)length, at, words[0], words[1]);
        marks[which] = 1;
        if (!at[length])
            break;
        at += length + 1;
    }
    return CLI_DONE;
}

/* Stored as an absolute path: the program may change its working directory. */
static int read_suppress(const cli_arguments *arguments, check_job *job)
{
    const char *file = cli_option_value(arguments, "suppress");

    if (!file)
        return CLI_DONE;
    if (access(file, R_OK) != 0 || !realpath(file, job->suppress))
        return cli_misused(arguments->command, "--suppress: %s: %s", file, strerror(errno));
    return CLI_DONE;
}

static int read_job(const cli_arguments *arguments, check_job *job)
{
    static const char *const warps[] = {"32", "64"}, *const streams[] = {"eager", "lazy"};
    int status;

    memset(job, 0, sizeof *job);
    job->command = arguments->command;
    job->program = arguments->rest;
    job->seeds = SEEDS;
    job->timeout = TIMEOUT;
    job->warps[0] = job->warps[1] = 1;
    job->strict = cli_option_given(arguments, "strict");
    job->verbose = cli_option_given(arguments, "verbose");
    job->json = cli_option_given(arguments, "json");
    job->sarif = cli_option_given(arguments, "sarif");
    job->output = cli_option_value(arguments, "output");
    job->replay = cli_option_given(arguments, "replay") ? REPLAY : 0;
    if (!job->program || !job->program[0])
        return cli_misused(job->command, "PROGRAM is missing");
    if (job->json && job->sarif)
        return cli_misused(job->command, "--json and --sarif are mutually exclusive");
    status = read_seeds(arguments, &job->seeds);
    if (status == CLI_DONE)
        status = read_timeout(arguments, &job->timeout);
    if (status == CLI_DONE)
        status = read_words(arguments, "warp", warps, job->warps);
    if (status == CLI_DONE)
        status = read_words(arguments, "streams", streams, job->streams);
    return status == CLI_DONE ? read_suppress(arguments, job) : status;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_asked(const check_job *job, const check_results *results)
{
    if (job->json)
        check_print_json(job, results);
    else if (job->sarif)
        check_print_sarif(job, results);
    else
        check_print_text(job, results);
}

typedef struct printed {
    const check_job *job;
    const check_results *results;
} printed;

/* Redirects standard output to the file. */
static int print_to(FILE *stream, void *state)
{
    const printed *p = state;

    if (dup2(fileno(stream), STDOUT_FILENO) < 0)
        return -1;
    print_asked(p->job, p->results);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
}

/* JSON or SARIF goes to the requested file while text goes to standard output. 0, or -1 after a
   line with the reason. */
static int print(const check_job *job, const check_results *results)
{
    printed p = {job, results};

    if (!job->output)
        print_asked(job, results);
    else if (job->json || job->sarif)
        check_print_text(job, results);
    if (cli_flush(job->command) != CLI_DONE)
        return -1;
    if (!job->output || hd__replace_file(job->output, print_to, &p) == 0)
        return 0;
    cli_unwritable(job->command, job->output);
    return -1;
}

static int verdict(const check_job *job, const check_results *results, int problems)
{
    if (check_findings_of(results, "error") > 0 || (job->strict && results->finding_count > 0))
        return CHECK_FOUND;
    return problems ? CHECK_NOT_DONE : CHECK_CLEAN;
}

static int make_scratch(check_job *job)
{
    enum { FILE_ROOM = 32 }; /* for the rest of a file name */
    const char *folder = hd__environment("TMPDIR");
    const int length = snprintf(job->scratch, sizeof job->scratch, "%s/heddle-check.XXXXXX",
                                folder && *folder ? folder : "/tmp");

    if (length < 0 || (size_t)length >= sizeof job->scratch - FILE_ROOM) {
        cli_failed(job->command, "TMPDIR has %zu bytes, which is too long for a path",
                   strlen(folder));
        return -1;
    }
    if (!mkdtemp(job->scratch)) {
        cli_failed(job->command, "%s: %s", job->scratch, strerror(errno));
        return -1;
    }
    if (!getcwd(job->folder, sizeof job->folder))
        job->folder[0] = '\0';
    return 0;
}

/* Checks that the output can be written before the runs, which may take long. */
static int can_write(const check_job *job)
{
    if (!job->output || hd__replace_probe(job->output) == 0)
        return 1;
    cli_unwritable(job->command, job->output);
    return 0;
}

static int run(const cli_arguments *arguments)
{
    check_results results;
    check_job job;
    int status = read_job(arguments, &job), problems;

    if (status != CLI_DONE)
        return status;
    if (hd__json_missing()) {
        cli_failed(job.command, "%s", hd__json_missing());
        return CHECK_NOT_DONE;
    }
    if (!can_write(&job) || make_scratch(&job) < 0)
        return CHECK_NOT_DONE;
    memset(&results, 0, sizeof results);
    status = check_run_all(&job, &results);
    rmdir(job.scratch);
    if (status < 0)
        cli_failed(job.command, "no memory");
    check_findings_sort(&results);
    problems = check_print_problems(&job, &results) || status < 0;
    if (print(&job, &results) < 0)
        problems = 1;
    status = verdict(&job, &results, problems);
    check_results_free(&results);
    return status;
}

static const cli_option options[] = {
    {"seeds", "N", "schedules of blocks and threads: seeds 0 to N-1 (default 3)"},
    {"warp", "SIZES", "warp sizes: 32, 64 or both (default)"},
    {"streams", "ORDERS",
     "when work on streams runs: eager (at once), lazy (as late as allowed) or both; default: "
     "eager for even seeds, lazy for odd ones"},
    {"replay", NULL,
     "run launches a second time, from the same memory, at the other warp size and compare what "
     "they write"},
    {"strict", NULL, "count portability and performance findings as errors"},
    {"suppress", "FILE",
     "file of findings to suppress: one 'CODE KERNEL' a line; # starts a comment"},
    {"timeout", "S", "time limit per run in seconds, 0 for none (default 600)"},
    {"json", NULL, "print one JSON object"},
    {"sarif", NULL, "print SARIF 2.1.0, for code-review systems"},
    {"output", "FILE", "write JSON or SARIF to FILE and print text"},
    {"verbose", NULL, "copy the output of PROGRAM to standard error"},
    CLI_UNTRACED};

const cli_command cli_command_check = {
    "check",
    "run a program under many schedules and report races and other kernel bugs",
    "-- PROGRAM [ARGUMENTS]",
    options,
    "PROGRAM has to be built with a heddle of the preset check (cmake --preset check); this tool\n"
    "may come from any build. Each finding is printed once, with a short command that\n"
    "reproduces it. A regular file on standard input is passed to every run from its current\n"
    "offset; other standard input is not read.\n"
    "\n"
    "exit status: 0 clean, 1 findings (errors; with --strict any), 2 wrong usage, 3 not checked:\n"
    "PROGRAM could not be run, failed or crashed without findings, or was not built for checking\n",
    "  heddle check -- ./my_test\n"
    "  heddle check --seeds 10 --warp 64 -- ./my_test --size 1000\n"
    "  heddle check --sarif --output findings.sarif --suppress known.txt -- ./my_test\n",
    run,
};
