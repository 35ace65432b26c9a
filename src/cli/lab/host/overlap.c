/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.c - `heddle host overlap`: host work concurrent with a kernel, and what the host sees
   when it reads the result too early. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/progress.h"
#include "cli/lab/streams/stream_work.h"
#include "cli/app/words.h"

enum { HOST_N = 1 << 14 };

typedef struct overlap {
    cli_job job;
    size_t n;
    unsigned turns, blocks;
    float *in, *out; /* on the device */
    float *result;   /* pinned */
    double *numbers; /* input of the host's work, which sums them */
    size_t sums;
    double sum;                           /* result of the host's work */
    double kernel, host, waiting, beside; /* seconds */
    size_t early, late; /* elements not yet written: read early, read after the wait */
} overlap;

/* ---- the two kinds of work ------------------------------------------------------------------- */

static void host_work(overlap *o)
{
    double sum = 0;

    for (size_t s = 0; s < o->sums; s++)
        for (size_t i = 0; i < HOST_N; i++)
            sum += o->numbers[i] * (double)(s + 1);
    o->sum = sum;
}

static hd_status launch(overlap *o)
{
    return cli_work(o->n, o->blocks, o->turns, o->in, o->out, o->job.stream);
}

static hd_status kernel_alone(overlap *o)
{
    HD_TRY(launch(o));
    return hd_stream_synchronize(o->job.stream);
}

static hd_status host_alone(overlap *o)
{
    host_work(o);
    return HD_OK;
}

static hd_status one_after_other(overlap *o)
{
    HD_TRY(launch(o));
    HD_TRY(hd_stream_synchronize(o->job.stream));
    host_work(o);
    return HD_OK;
}

/* The launch returns at once; the host works and waits when it needs the result. */
static hd_status one_beside_other(overlap *o)
{
    HD_TRY(launch(o));
    HD_TRY(hd_range_push("host work"));
    host_work(o);
    HD_TRY(hd_range_pop());
    return hd_stream_synchronize(o->job.stream);
}

static hd_status median_of(overlap *o, hd_status (*work)(overlap *), double *seconds_out)
{
    double samples[101];
    size_t runs = o->job.runs < 101 ? o->job.runs : 101;

    for (size_t i = 0; i < runs; i++) {
        double began = cli_now();

        HD_TRY(work(o));
        samples[i] = cli_now() - began;
    }
    cli_sort_numbers(samples, runs);
    *seconds_out = samples[runs / 2];
    return HD_OK;
}

/* ---- the experiment -------------------------------------------------------------------------- */

static hd_status prepare(overlap *o, double seconds)
{
    double took = 0;

    HD_TRY(hd_alloc(&o->in, o->n, o->job.device));
    HD_TRY(hd_alloc(&o->out, o->n, o->job.device));
    HD_TRY(hd_alloc_kind(&o->result, o->n, HD_MEM_PINNED, o->job.device));
    HD_TRY(cli_turns_for(seconds, o->n, o->out, o->job.stream, &o->turns));
    for (size_t i = 0; i < o->n; i++)
        o->result[i] = cli_work_input(i);
    HD_TRY(hd_copy_blocking(o->in, (const float *)o->result, o->n, o->job.stream));
    for (size_t i = 0; i < HOST_N; i++)
        o->numbers[i] = (double)(i % 7);
    HD_TRY(median_of(o, kernel_alone, &o->kernel));
    o->sums = 16;
    for (int tries = 0; tries < 8 && took < 0.5 * o->kernel; tries++) {
        HD_TRY(median_of(o, host_alone, &took));
        o->sums = (size_t)fmax(1, fmin(1e9, (double)o->sums * fmin(64, o->kernel / took)));
    }
    return HD_OK;
}

static hd_status measure(overlap *o)
{
    HD_TRY(median_of(o, kernel_alone, &o->kernel));
    HD_TRY(median_of(o, host_alone, &o->host));
    HD_TRY(median_of(o, one_after_other, &o->waiting));
    return median_of(o, one_beside_other, &o->beside);
}

static size_t missing(const overlap *o)
{
    size_t count = 0;

    for (size_t i = 0; i < o->n; i++)
        count += o->result[i] < 0;
    return count;
}

/* The destination holds -1 before the copy. Read after the wait, it is complete; read at once, the
   result is undefined. */
static hd_status read_result(overlap *o, int too_early)
{
    for (size_t i = 0; i < o->n; i++)
        o->result[i] = -1;
    HD_TRY(launch(o));
    HD_TRY(hd_copy(o->result, (const float *)o->out, o->n, o->job.stream));
    if (too_early)
        o->early = missing(o);
    HD_TRY(hd_stream_synchronize(o->job.stream));
    o->late = missing(o);
    return HD_OK;
}

static int finish(overlap *o, int hazard)
{
    double less = fmin(o->kernel, o->host);
    double won = less > 0 ? 100 * (o->waiting - o->beside) / less : 0;
    size_t wrong = o->job.verify ? cli_work_wrong(o->turns, o->result, o->n) : o->n;
    char text[CLI_NUMBER], note[CLI_JOB_TEXT];

    cli_job_count(&o->job, "count", o->n, "elements");
    cli_text_seconds(o->kernel, text);
    cli_job_number(&o->job, "kernel_seconds", o->kernel, 6, text);
    cli_text_seconds(o->host, text);
    cli_job_number(&o->job, "host_seconds", o->host, 6, text);
    cli_text_seconds(o->waiting, text);
    snprintf(note, sizeof note, "%s: the host waits for the kernel, then works", text);
    cli_job_number(&o->job, "waiting_seconds", o->waiting, 6, note);
    cli_text_seconds(o->beside, text);
    snprintf(note, sizeof note, "%s: the host works, then waits", text);
    cli_job_number(&o->job, "beside_seconds", o->beside, 6, note);
    cli_job_number(&o->job, "overlap_percent", won, 4, "of the shorter of the two");
    if (hazard)
        cli_job_count(&o->job, "missing_early", o->early, "elements not there, read too early");
    cli_job_count(&o->job, "missing_late", o->late, "elements not there, read after waiting");
    o->job.seconds = o->beside;
    return cli_job_end(&o->job,
                       !o->job.verify                  ? CLI_SKIPPED
                       : wrong == o->n && o->late == 0 ? CLI_VERIFIED
                                                       : CLI_WRONG,
                       "element %zu differs, %zu are missing", wrong, o->late);
}

static int run(const cli_arguments *arguments)
{
    overlap o = {.blocks = 0};
    int hazard = cli_option_given(arguments, "hazard"), status = cli_job_open(&o.job, arguments);
    double milliseconds = 2;
    uint64_t n = 0;

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "n", 1 << 16, 1, 1 << 28, &n);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "ms", 2.0, &milliseconds);
    if (status == CLI_DONE && !(milliseconds > 0 && milliseconds <= 10000))
        status = cli_misused(arguments->command, "--ms: from 0 to 10000");
    o.n = (size_t)n;
    o.blocks = (unsigned)((n + STREAM_WORK_BLOCK - 1) / STREAM_WORK_BLOCK);
    if (status == CLI_DONE && !(o.numbers = cli_job_memory(&o.job, HOST_N * sizeof *o.numbers)))
        status = CLI_FAILED;
    if (status == CLI_DONE &&
        (prepare(&o, 1e-3 * milliseconds) < 0 || measure(&o) < 0 || read_result(&o, hazard) < 0))
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = finish(&o, hazard);
    hd_free(o.in);
    hd_free(o.out);
    hd_free(o.result);
    free(o.numbers);
    cli_job_close(&o.job);
    return status;
}

static const cli_option options[] = {
    {"n", "N", "elements of the kernel's result (default 2^16)"},
    {"ms", "T", "time of the kernel and of the host work in milliseconds (default 2)"},
    {"hazard", NULL, "also read the result without waiting and count missing elements"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

static const char notes[] =
    "A launch returns before its kernel has finished, so the host can do other work until it\n"
    "needs the result. The CPU engine runs kernels during the launch, so nothing overlaps there;\n"
    "with HEDDLE_CPU_STREAMS=lazy:1 it runs them as late as possible, which exposes the hazard.\n"
    "The checker (preset check) reports it in either case.\n";

const cli_command cli_command_host_overlap = {
    "host overlap",
    "overlap host work with a kernel; --hazard reads its result too early",
    NULL,
    options,
    notes,
    "  heddle host overlap\n"
    "  heddle host overlap --hazard --ms 10\n"
    "  heddle check -- heddle host overlap --hazard\n",
    run};
