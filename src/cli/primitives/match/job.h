/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - one run of `heddle match`. */
#ifndef HEDDLE_CLI_PRIMITIVES_MATCH_JOB_H
#define HEDDLE_CLI_PRIMITIVES_MATCH_JOB_H

#include <heddle/match.h>
#include <heddle/pipeline.h>

#include "cli/input/input.h"
#include "cli/app/job.h"
#include "reference.h"

enum { MATCH_STAGES = 4 }; /* chunks in flight */

/* How the file is split: chunks of `chunk` start positions, each followed by the longest - 1 bytes
   with which the next chunk begins. */
typedef struct match_feed {
    hd__source *source;
    unsigned char *tail; /* bytes of the last chunk with which the next begins */
    size_t held;
    uint64_t bytes;               /* start positions of all chunks read */
    char message[HD__IO_MESSAGE]; /* "" unless the file could not be read */
} match_feed;

/* One chunk of the text. */
typedef struct match_piece {
    uint64_t base;
    size_t n, starts; /* bytes, and at how many of them a match may begin */
} match_piece;

typedef struct match_job {
    cli_job job;
    match_feed feed;
    match_patterns patterns;
    hd_matcher *matcher;
    unsigned flags;
    int print_positions;
    size_t chunk, longest;
    hd_match_state *state; /* on the device */
    uint64_t count;        /* matches so far */
    match_reference reference;
    double seconds;
    uint64_t wrong_at; /* first difference between heddle and the reference; UINT64_MAX: none */
    hd_pipeline_report report;
} match_job;

/* Reads the next chunk to `text`, which has room for `chunk` + longest - 1 bytes. All chunks except
   the last are full; after the last, n is 0. HD_ERR_IO. */
hd_status match_feed_next(match_job *m, unsigned char *text, match_piece *piece);

/* Counts the matches of the whole source (count.c), or prints them (list.c). CLI_DONE, or an exit
   status after a line. */
int match_count(match_job *m);
int match_list(match_job *m);

#endif
