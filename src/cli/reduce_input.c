/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_input.c - opens the file and, where only reading tells how long it is, reads it into
   memory, because tiles depend on the count of the whole. */
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "reduce_job.h"

enum { FIRST_ELEMENTS = 1 << 16 };

static int failed_input(reduce_job *job, const char *message)
{
    return reduce_failed(job, "%s", message);
}

/* Reads a source of unknown count to its end; the caller frees *data_out. */
static int read_all(reduce_job *job, size_t size, void **data_out, size_t *count_out)
{
    char message[HD__IO_MESSAGE];
    cli_progress progress;
    unsigned char *data = NULL, *grown;
    size_t capacity = 0, count = 0, got = 0;
    int status = 0;

    cli_progress_begin(&progress, "reading", UINT64_MAX);
    do {
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : FIRST_ELEMENTS;
            grown = capacity > SIZE_MAX / size ? NULL : realloc(data, capacity * size);
            if (!grown) {
                status = reduce_failed(job, "%s: %zu numbers do not fit in memory", job->path,
                                       capacity);
                break;
            }
            data = grown;
        }
        if (hd__source_read(job->source, data + count * size, capacity - count, &got, message) < 0)
            status = failed_input(job, message);
        count += status == 0 ? got : 0;
        cli_progress_update(&progress, count * size);
    } while (status == 0 && got > 0);
    cli_progress_end(&progress);
    if (status == 0) {
        *data_out = data;
        *count_out = count;
    } else {
        free(data);
    }
    return status;
}

static int hold_in_memory(reduce_job *job)
{
    char message[HD__IO_MESSAGE];
    hd__source_options options;
    size_t size = hd__io_type_size(hd__source_type(job->source));

    if (read_all(job, size, &job->held_data, &job->n) < 0)
        return -1;
    memset(&options, 0, sizeof options);
    options.path = job->path;
    options.format = HD__IO_RAW;
    options.type = hd__source_type(job->source);
    if (hd__source_open_memory(job->held_data, job->n * size, &options, &job->held, message) < 0)
        return failed_input(job, message);
    return 0;
}

static int find_type(reduce_job *job)
{
    const char *name = hd__io_type_name(hd__source_type(job->source));

    for (int type = 0; type < HD_TYPE_COUNT_; type++)
        if (strcmp(hd_type_name((hd_type)type), name) == 0) {
            job->type = (hd_type)type;
            return 0;
        }
    return reduce_failed(job, "%s: elements of type %s cannot be reduced", job->path, name);
}

/* Bytes of which neither name, contents nor options tell what they are: any number would be a
   guess. */
static bool is_unknown(const reduce_job *job)
{
    return job->options.format == HD__IO_AUTO && job->options.type == HD__IO_DEFAULT &&
           hd__source_format(job->source) == HD__IO_RAW;
}

int reduce_input_open(reduce_job *job)
{
    char message[HD__IO_MESSAGE], name[HD__IO_NAME];

    if (hd__source_open(&job->options, &job->source, message) < 0)
        return failed_input(job, message);
    if (is_unknown(job)) {
        job->misused = true;
        hd__io_printable_path(strcmp(job->path, "-") == 0 ? "standard input" : job->path, name,
                              sizeof name);
        return reduce_failed(job,
                             "%s: cannot tell what this is; give --type TYPE for raw numbers, "
                             "--column for CSV, or --format",
                             name);
    }
    if (find_type(job) < 0)
        return -1;
    job->n = hd__source_count(job->source);
    return job->n == SIZE_MAX ? hold_in_memory(job) : 0;
}

void reduce_input_close(reduce_job *job)
{
    hd__source_close(job->held);
    hd__source_close(job->source);
    free(job->held_data);
    job->held = job->source = NULL;
    job->held_data = NULL;
}

hd__source *reduce_input(reduce_job *job)
{
    return job->held ? job->held : job->source;
}

int reduce_read(reduce_job *job, void *buffer, size_t count)
{
    char message[HD__IO_MESSAGE];
    size_t size = hd_type_bytes(job->type), done = 0, got;

    while (done < count) {
        unsigned char *to = (unsigned char *)buffer + done * size;

        if (hd__source_read(reduce_input(job), to, count - done, &got, message) < 0)
            return failed_input(job, message);
        if (got == 0)
            return reduce_failed(job, "%s: ends after fewer numbers than it announced", job->path);
        done += got;
    }
    if (job->ops & 1u << HD_PROD)
        reduce_follow_product(job, buffer, count);
    return 0;
}
