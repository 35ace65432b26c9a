/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - reduces an array that is distributed over several devices. */
#include <string.h>

#include <heddle/group.h>

#include "cli/app/progress.h"
#include "job.h"

enum {
    STAGE_BYTES = 32 << 20,
    RESULT_BYTES = 256 /* bytes per result; keeps results aligned */
};

typedef struct spread {
    reduce_job *job;
    hd_group *group;
    unsigned ranks;
    size_t counts[HD_GROUP_MAX_RANKS];
    unsigned char *part[HD_GROUP_MAX_RANKS], *out[HD_GROUP_MAX_RANKS];
    unsigned char *stage; /* pinned */
    size_t read;
    cli_progress progress;
} spread;

static hd_status make(spread *s)
{
    reduce_job *job = s->job;
    const size_t size = hd_type_bytes(job->type);

    HD_TRY(hd_group_create(job->devices.device, s->ranks, NULL, &s->group));
    HD_TRY(hd_group_parts(s->group, job->n, job->type, s->counts));
    HD_TRY(hd_alloc_kind(&s->stage, STAGE_BYTES, HD_MEM_PINNED, job->device));
    for (unsigned r = 0; r < s->ranks; r++) {
        const int device = job->devices.device[r];
        HD_TRY(hd_alloc(&s->part[r], hd_bytes(s->counts[r], size), device));
        HD_TRY(hd_alloc(&s->out[r], HD_REDUCE_COUNT_ * RESULT_BYTES, device));
    }
    return HD_OK;
}

static void take_away(spread *s)
{
    (void)hd_group_destroy(s->group);
    (void)hd_free(s->stage);
    for (unsigned r = 0; r < s->ranks; r++) {
        (void)hd_free(s->part[r]);
        (void)hd_free(s->out[r]);
    }
}

/* ---- the array ------------------------------------------------------------------------------- */

/* Reads the next elements into a part. */
static int send(spread *s, unsigned r, size_t at, size_t count)
{
    reduce_job *job = s->job;
    const size_t size = hd_type_bytes(job->type);

    if (cli_input_read(&job->input, s->stage, count) < 0)
        return reduce_failed(job, "%s", job->input.message);
    if (job->ops & 1u << HD_PROD)
        reduce_follow_product(job, s->stage, count);
    if (hd_copy_blocking_bytes(s->part[r] + at * size, s->stage, count, size,
                               hd_group_stream(s->group, r)) < 0)
        return reduce_failed_call(job);
    s->read += count;
    cli_progress_update(&s->progress, s->read * size);
    return 0;
}

static int send_all(spread *s)
{
    const size_t most = STAGE_BYTES / hd_type_bytes(s->job->type);
    int result = 0;

    for (unsigned r = 0; r < s->ranks; r++)
        for (size_t at = 0; at < s->counts[r] && result == 0; at += most) {
            const size_t left = s->counts[r] - at;
            result = send(s, r, at, left < most ? left : most);
        }
    return result;
}

/* ---- the reductions -------------------------------------------------------------------------- */

static hd_status enqueue(const spread *s)
{
    const reduce_job *job = s->job;
    void *out[HD_GROUP_MAX_RANKS];

    for (int op = 0; op < HD_REDUCE_COUNT_; op++) {
        if (!(job->ops & 1u << op))
            continue;
        for (unsigned r = 0; r < s->ranks; r++)
            out[r] = s->out[r] + op * RESULT_BYTES;
        HD_TRY(hd_group_reduce_parts(s->group, (const void *const *)(const void *)s->part,
                                     s->counts, job->type, (hd_reduce_op)op, out, NULL));
    }
    return HD_OK;
}

static hd_status fetch(const spread *s)
{
    reduce_job *job = s->job;

    for (int op = 0; op < HD_REDUCE_COUNT_; op++) {
        hd_result result;
        size_t bytes;
        if (!(job->ops & 1u << op))
            continue;
        HD_TRY(hd_reduce_result(job->type, (hd_reduce_op)op, &result, &bytes));
        HD_TRY(hd_copy_blocking_bytes(&job->results[op], s->out[0] + op * RESULT_BYTES, bytes, 1,
                                      hd_group_stream(s->group, 0)));
    }
    return HD_OK;
}

/* The first call loads the kernels. */
static hd_status reduce(const spread *s)
{
    double began = 0;

    for (int time = 0; time < 2; time++) {
        began = cli_now();
        HD_TRY(enqueue(s));
        HD_TRY(hd_group_synchronize(s->group));
    }
    s->job->reduce_seconds = cli_now() - began;
    return fetch(s);
}

int reduce_devices_run(reduce_job *job)
{
    spread s;
    int result;

    memset(&s, 0, sizeof s);
    s.job = job;
    s.ranks = job->devices.count;
    job->product.magnitude = 1;
    if (!job->ops)
        return 0;
    cli_progress_begin(&s.progress, "reducing", hd_bytes(job->n, hd_type_bytes(job->type)));
    result = make(&s) < 0 ? reduce_failed_call(job) : send_all(&s);
    if (result == 0 && reduce(&s) < 0)
        result = reduce_failed_call(job);
    cli_progress_end(&s.progress);
    take_away(&s);
    return result;
}
