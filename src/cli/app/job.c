/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - steps common to all subcommands that run a primitive: device, timing, result. */
#include "job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/device/half.h>

#include "progress.h"
#include "words.h"

enum { RUNS_MAX = 1001, DEFAULT_RUNS = 5, WHY_BYTES = 512, FIRST_MEMBERS = 64 };

/* ---- device and memory ---------------------------------------------------------------------- */

int cli_job_open(cli_job *job, const cli_arguments *arguments)
{
    uint64_t runs;
    int status;

    memset(job, 0, sizeof *job);
    job->arguments = arguments;
    job->gbps = -1.0;
    status = cli_format_read(arguments, &job->format);
    if (status == CLI_DONE)
        status = cli_verify_read(arguments, &job->verify);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "runs", DEFAULT_RUNS, 1, RUNS_MAX, &runs);
    if (status != CLI_DONE)
        return status;
    job->runs = (size_t)runs;
    if (hd_device_select(cli_option_value(arguments, "device"), &job->device) < 0 ||
        hd_device_name(job->device, job->device_name, sizeof job->device_name) < 0 ||
        hd_device_get(job->device, HD_ATTR_WARP_SIZE, &job->warp) < 0 ||
        hd_stream_create(job->device, &job->stream) < 0)
        return cli_failed_call(arguments->command);
    return CLI_DONE;
}

void cli_job_close(cli_job *job)
{
    hd_stream_destroy(job->stream);
    job->stream = NULL;
    free(job->members);
    job->members = NULL;
    job->member_count = job->member_room = 0;
}

int cli_job_upload(cli_job *job, const void *data, size_t bytes, void **device_out)
{
    void *memory;

    if (hd_alloc_bytes(&memory, bytes ? bytes : 1, 1, HD_MEM_DEVICE, job->device) < 0)
        return cli_failed_call(job->arguments->command);
    if (data && hd_copy_blocking_bytes(memory, data, 1, bytes, job->stream) < 0) {
        int status = cli_failed_call(job->arguments->command);

        hd_free(memory);
        return status;
    }
    *device_out = memory;
    return CLI_DONE;
}

int cli_job_download(cli_job *job, void *to, const void *device, size_t bytes)
{
    if (hd_copy_blocking_bytes(to, device, 1, bytes, job->stream) < 0)
        return cli_failed_call(job->arguments->command);
    return CLI_DONE;
}

void *cli_job_memory(cli_job *job, size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);

    if (!memory)
        cli_failed(job->arguments->command, "%zu bytes do not fit in memory", bytes);
    return memory;
}

/* ---- timing --------------------------------------------------------------------------------- */

/* Seconds of one call on an otherwise idle stream. */
static hd_status time_once(cli_job *job, hd_status (*call)(void *, hd_stream *), void *state,
                           hd_event *begin, hd_event *end, double *seconds)
{
    int host_clock = strcmp(hd_backend_name(), "cpu") == 0;
    double began = cli_now();
    float milliseconds;

    HD_TRY(hd_event_record(begin, job->stream));
    HD_TRY(call(state, job->stream));
    HD_TRY(hd_event_record(end, job->stream));
    HD_TRY(hd_stream_synchronize(job->stream));
    *seconds = cli_now() - began;
    if (host_clock)
        return HD_OK;
    HD_TRY(hd_event_elapsed(begin, end, &milliseconds));
    *seconds = 1e-3 * (double)milliseconds;
    return HD_OK;
}

/* One additional run as warm-up, which does not count. */
static hd_status time_all(cli_job *job, hd_status (*call)(void *, hd_stream *), void *state,
                          double *samples)
{
    hd_event *begin = NULL, *end = NULL;
    hd_status status = hd_event_create(job->device, HD_EVENT_TIMING, &begin);
    double seconds = 0.0;

    if (status == HD_OK)
        status = hd_event_create(job->device, HD_EVENT_TIMING, &end);
    for (size_t i = 0; i <= job->runs && status == HD_OK; i++) {
        status = time_once(job, call, state, begin, end, &seconds);
        if (i > 0)
            samples[i - 1] = seconds;
    }
    hd_event_destroy(begin);
    hd_event_destroy(end);
    return status;
}

int cli_job_time(cli_job *job, hd_status (*call)(void *state, hd_stream *stream), void *state,
                 double bytes)
{
    double *samples = cli_job_memory(job, job->runs * sizeof *samples);

    if (!samples)
        return CLI_FAILED;
    if (time_all(job, call, state, samples) < 0) {
        free(samples);
        return cli_failed_call(job->arguments->command);
    }
    cli_sort_numbers(samples, job->runs);
    job->seconds = samples[job->runs / 2];
    job->gbps = bytes < 0 ? -1.0 : job->seconds > 0 ? bytes / job->seconds * 1e-9 : 0.0;
    free(samples);
    return CLI_DONE;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void cli_sort_numbers(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, by_size);
}

/* ---- the result ----------------------------------------------------------------------------- */

/* The next member; NULL if out of memory. */
static cli_member *next_member(cli_job *job)
{
    const size_t room = job->member_room ? 2 * job->member_room : FIRST_MEMBERS;

    if (job->member_count == job->member_room) {
        cli_member *grown = realloc(job->members, room * sizeof *grown);

        job->members_lost |= !grown;
        if (!grown)
            return NULL;
        job->members = grown;
        job->member_room = room;
    }
    return &job->members[job->member_count++];
}

/* Returns the new member; NULL if out of memory. */
static cli_member *add_member(cli_job *job, const char *key, cli_cell_kind kind, const char *value,
                              const char *exact, const char *note)
{
    cli_member *m = next_member(job);

    if (!m)
        return NULL;
    snprintf(m->key, sizeof m->key, "%s", key);
    snprintf(m->value, sizeof m->value, "%s", value);
    snprintf(m->note, sizeof m->note, "%s", note ? note : "");
    m->exact = exact;
    m->kind = kind;
    m->note_alone = false;
    return m;
}

void cli_job_count(cli_job *job, const char *key, uint64_t value, const char *note)
{
    char text[CLI_NUMBER];

    snprintf(text, sizeof text, "%" PRIu64, value);
    add_member(job, key, CLI_CELL_DIGITS, text, NULL, note);
}

static void number_text(double value, int digits, char text[CLI_NUMBER])
{
    cli_text_f64(value, text);
    if (value - value == 0)
        snprintf(text, CLI_NUMBER, "%.*g", digits, value);
}

void cli_job_number(cli_job *job, const char *key, double value, int digits, const char *note)
{
    char text[CLI_NUMBER];

    number_text(value, digits, text);
    add_member(job, key, CLI_CELL_DIGITS, text, NULL, note);
}

void cli_job_fraction(cli_job *job, const char *key, double value, int digits)
{
    char text[CLI_NUMBER], percent[CLI_NUMBER];
    cli_member *m;

    number_text(value, digits, text);
    snprintf(percent, sizeof percent, "%.*g %%", digits, 100 * value);
    m = add_member(job, key, CLI_CELL_DIGITS, text, NULL, percent);
    if (m)
        m->note_alone = true;
}

void cli_job_absent(cli_job *job, const char *key)
{
    add_member(job, key, CLI_CELL_NONE, "", NULL, NULL);
}

void cli_job_text(cli_job *job, const char *key, const char *value, const char *note)
{
    add_member(job, key, CLI_CELL_TEXT, value, NULL, note);
}

void cli_job_digits(cli_job *job, const char *key, const char *digits, const char *note)
{
    add_member(job, key, CLI_CELL_DIGITS, digits, NULL, note);
}

void cli_job_flag(cli_job *job, const char *key, bool value, const char *note)
{
    add_member(job, key, CLI_CELL_FLAG, value ? "yes" : "no", value ? "true" : "false", note);
}

void cli_job_path(cli_job *job, const char *key, const char *shown, const char *path,
                  const char *note)
{
    add_member(job, key, CLI_CELL_TEXT, shown, path, note);
}

void cli_job_list(cli_job *job, const char *key, const char *shown, const char *numbers)
{
    add_member(job, key, CLI_CELL_LIST, shown, numbers, NULL);
}

/* One element as text, with all its digits. */
static void element_text(hd_type type, const void *data, size_t index, char text[CLI_NUMBER])
{
    const unsigned char *at = (const unsigned char *)data + index * hd_type_bytes(type);
    unsigned bits = 8 * (unsigned)hd_type_bytes(type);
    uint64_t value = 0;
    double f64;
    float f32;

    memcpy(&value, at, bits / 8);
    memcpy(&f32, &value, sizeof f32);
    memcpy(&f64, &value, sizeof f64);
    if (type == HD_F64)
        cli_text_f64(f64, text);
    else if (type == HD_F32)
        cli_text_f32(f32, text);
    else if (type == HD_F16)
        cli_text_f32(hd_f16_to_f32(hd_f16_from_bits((uint16_t)value)), text);
    else if (hd_type_name(type)[0] == 'u')
        snprintf(text, CLI_NUMBER, "%" PRIu64, value);
    else
        snprintf(text, CLI_NUMBER, "%" PRId64, (int64_t)(value << (64 - bits)) >> (64 - bits));
}

void cli_job_element(cli_job *job, const char *key, hd_type type, const void *data, size_t index,
                     const char *note)
{
    char text[CLI_NUMBER];

    element_text(type, data, index, text);
    add_member(job, key, CLI_CELL_DIGITS, text, NULL, note);
}

/* Adds the members at the end of every result: seconds, gbps if it is known, verified. */
static void add_end(cli_job *job, cli_verdict verdict)
{
    char time[CLI_NUMBER], speed[CLI_JOB_TEXT];

    cli_text_seconds(job->seconds, time);
    if (job->runs > 0)
        snprintf(speed, sizeof speed, "%s, median of %zu run%s, data on the device", time,
                 job->runs, job->runs == 1 ? "" : "s");
    else
        snprintf(speed, sizeof speed, "%s, data on the device", time);
    cli_job_number(job, "seconds", job->seconds, 9, speed);
    if (job->gbps >= 0)
        cli_job_number(job, "gbps", job->gbps, 6, "GB/s");
    if (verdict == CLI_SKIPPED)
        cli_job_text(job, "verified", "skipped", NULL);
    else
        add_member(job, "verified", CLI_CELL_FLAG, verdict == CLI_VERIFIED ? "true" : "false", NULL,
                   NULL);
}

/* Prints the result as JSON or CSV. */
static int print_fields(const cli_job *job)
{
    cli_result result;

    cli_result_begin(&result, job->arguments->command, job->format, job->device);
    for (size_t i = 0; i < job->member_count; i++) {
        const cli_member *m = &job->members[i];

        cli_field(&result, m->key,
                  (cli_cell){.kind = m->kind, .text = m->exact ? m->exact : m->value});
    }
    return cli_result_end(&result);
}

static bool in_text(const cli_member *m)
{
    return m->kind != CLI_CELL_NONE && (m->kind != CLI_CELL_LIST || m->value[0]);
}

static int print_text(const cli_job *job)
{
    static const char seconds[] = "seconds";
    int width = 10;

    for (size_t i = 0; i < job->member_count; i++)
        if (in_text(&job->members[i]) && (int)strlen(job->members[i].key) > width)
            width = (int)strlen(job->members[i].key);
    for (size_t i = 0; i < job->member_count; i++) {
        const cli_member *m = &job->members[i];

        if (!in_text(m))
            continue;
        if (strncmp(m->key, seconds, strlen(seconds)) == 0)
            printf("time%-*s %s\n", width - (int)strlen("time"), m->key + strlen(seconds), m->note);
        else
            printf("%-*s %s%s%s\n", width, m->key, m->note_alone ? "" : m->value,
                   m->note[0] && !m->note_alone ? "  " : "", m->note);
    }
    printf("%-*s %s\n%-*s %s\n%-*s %" PRId64 "\n", width, "backend", hd_backend_name(), width,
           "device", job->device_name, width, "warp", job->warp);
    return cli_flush(job->arguments->command);
}

int cli_job_end(cli_job *job, cli_verdict verdict, const char *why, ...)
{
    const cli_command *command = job->arguments->command;
    char text[WHY_BYTES];
    va_list args;
    int status;

    add_end(job, verdict);
    if (job->members_lost)
        return cli_failed(command, "no memory for the result");
    status = job->format == CLI_TEXT ? print_text(job) : print_fields(job);
    if (verdict == CLI_SKIPPED && cli_option_given(job->arguments, "verify"))
        return cli_failed(command, "not verified: the host has no reference for this");
    if (verdict != CLI_WRONG)
        return status;
    va_start(args, why);
    vsnprintf(text, sizeof text, why, args);
    va_end(args);
    return cli_failed(command, "not verified: %s", text);
}
