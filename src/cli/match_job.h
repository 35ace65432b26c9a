/* SPDX-License-Identifier: Apache-2.0 */
/* match_job.h - one run of `heddle match`. */
#ifndef HEDDLE_CLI_MATCH_JOB_H
#define HEDDLE_CLI_MATCH_JOB_H

#include <heddle/match.h>
#include <heddle/pipeline.h>

#include "input.h"
#include "job.h"
#include "match_reference.h"

typedef struct match_job {
    cli_job job;
    hd__source *source;
    match_patterns patterns;
    hd_matcher *matcher;
    unsigned flags;
    int print_positions;
    size_t chunk, longest;
    /* for positions: one chunk and the bytes behind it */
    unsigned char *host;
    void *text, *positions, *which;
    uint64_t *host_positions;
    uint32_t *host_which;
    hd_match_state *state;
    hd_event *begin, *end;
    /* so far */
    uint64_t bytes, count;
    match_reference reference;
    double seconds;
    uint64_t wrong_at;         /* where heddle and the reference part; UINT64_MAX: nowhere */
    hd_pipeline_report report; /* of the chunks counted */
} match_job;

/* Counts the matches of the whole source (match_count.c). CLI_DONE, or an exit status after a
   line. */
int match_count(match_job *m);

#endif
