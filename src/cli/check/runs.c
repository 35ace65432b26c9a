/* SPDX-License-Identifier: Apache-2.0 */
/* runs.c - runs the program with all setups; if a finding needs several environment variables, runs
   it again with fewer, to print the shortest command that reproduces it. */
#include "base/environment.h"
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXTRA_RUNS = 12 };

/* A file in the temporary directory. */
static void scratch_file(const check_job *job, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 32, job->scratch, name);
}

static void show(const check_job *job, const check_results *results, const check_setup *setup,
                 size_t total)
{
    char text[CHECK_VARIABLES];

    if (job->verbose || !isatty(STDERR_FILENO))
        return;
    check_variables(job, setup, "", text, sizeof text);
    fprintf(stderr, "\rcheck: run %zu of %zu %s\033[K", results->run_count, total, text);
}

/* One run, and collecting its report. 0; -1 without memory. */
static int run_once(const check_job *job, check_results *results, const check_setup *setup,
                    int extra, size_t total)
{
    size_t number = results->run_count;
    check_files files;
    check_run *runs = realloc(results->runs, (number + 1) * sizeof *runs);

    if (!runs)
        return -1;
    results->runs = runs;
    memset(&runs[number], 0, sizeof *runs);
    runs[number].setup = *setup;
    runs[number].extra = extra;
    results->run_count++;
    show(job, results, setup, total);
    scratch_file(job, "report", files.report);
    scratch_file(job, "printed", files.printed);
    scratch_file(job, "errors", files.errors);
    results->interrupted = check_child(job, &files, &runs[number]);
    number = (size_t)check_findings_add(results, number, files.report);
    unlink(files.report);
    unlink(files.printed);
    unlink(files.errors);
    return (int)number;
}

/* Whether to stop: the last run had a problem that all others would have too, or the check was
   interrupted. */
static int is_hopeless(const check_job *job, const check_results *results)
{
    const check_run *last = &results->runs[results->run_count - 1];

    return results->interrupted || last->error || last->invalid ||
           (job->judge ? last->timed_out : !last->reported);
}

/* ---- requested runs -------------------------------------------------------------------------- */

/* Stream order for a seed: as requested, or alternating. */
static int wants_streams(const check_job *job, uint64_t seed, int lazy)
{
    if (!job->streams[0] && !job->streams[1])
        return lazy == (int)(seed & 1);
    return job->streams[lazy];
}

static size_t count_runs(const check_job *job)
{
    size_t count = 0;

    for (uint64_t seed = 0; seed < job->seeds; seed++)
        for (int which = 0; which < 4; which++)
            count += job->warps[which & 1] && wants_streams(job, seed, which >> 1);
    return count;
}

static int run_asked(const check_job *job, check_results *results)
{
    size_t total = count_runs(job);

    for (uint64_t seed = 0; seed < job->seeds; seed++)
        for (int which = 0; which < 4; which++) {
            check_setup setup = {which & 1 ? 64 : 32, seed, which >> 1, seed, 0};

            if (!job->warps[which & 1] || !wants_streams(job, seed, which >> 1))
                continue;
            if (run_once(job, results, &setup, 0, total) < 0)
                return -1;
            if (is_hopeless(job, results))
                return 0;
        }
    return 0;
}

/* ---- shorter commands ------------------------------------------------------------------------ */

static int same_setup(const check_setup *a, const check_setup *b)
{
    return a->warp == b->warp && a->seed == b->seed && a->lazy == b->lazy &&
           a->left_out == b->left_out && (!a->lazy || a->lazy_seed == b->lazy_seed);
}

static int was_run(const check_results *results, const check_setup *setup)
{
    for (size_t i = 0; i < results->run_count; i++)
        if (same_setup(&results->runs[i].setup, setup))
            return 1;
    return 0;
}

/* The setup without one of its variables; 0 if it does not need that one, -1 if there are no
   more. */
static int leave_out(const check_setup *from, unsigned which, check_setup *setup)
{
    enum { OURS = 3 };
    const char *given = which < OURS ? NULL : check_given(which - OURS);

    *setup = *from;
    if (which == 0)
        setup->seed = 0;
    else if (which == 1)
        setup->lazy = 0;
    else if (which == 2)
        setup->warp = 32;
    else if (!given)
        return -1;
    else if (hd__environment(given))
        setup->left_out |= 1u << (which - OURS);
    return !same_setup(from, setup);
}

/* Leaves out variables of one finding's setup as long as it is still found. Earlier runs have
   already given the finding its best setup. */
static int shorten(const check_job *job, check_results *results, size_t finding, size_t *left)
{
    unsigned which = 0;

    while (*left > 0 && !results->interrupted) {
        check_setup best = results->findings[finding].best, setup;
        int without = leave_out(&best, which++, &setup);

        if (without < 0)
            break;
        if (without && !was_run(results, &setup)) {
            --*left;
            if (run_once(job, results, &setup, 1, results->run_count + 1) < 0)
                return -1;
            if (!same_setup(&results->findings[finding].best, &best))
                which = 0;
        }
    }
    return 0;
}

static int shorten_all(const check_job *job, check_results *results)
{
    size_t left = EXTRA_RUNS, count = results->finding_count;
    char text[CHECK_VARIABLES];

    for (size_t i = 0; i < count && left > 0 && !is_hopeless(job, results); i++)
        if (check_variables(job, &results->findings[i].best, "", text, sizeof text) > 1 &&
            shorten(job, results, i, &left) < 0)
            return -1;
    return 0;
}

int check_run_all(const check_job *job, check_results *results)
{
    int status = run_asked(job, results);

    if (status == 0 && !job->judge && !is_hopeless(job, results))
        status = shorten_all(job, results);
    if (!job->verbose && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    return status;
}
