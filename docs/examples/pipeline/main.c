/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - passes a file of any size through the device in chunks: while one chunk is computed,
   the next one is read and copied in, and the last one is copied out and written. */
#include <stdio.h>

#include <heddle/pipeline.h>

#include "mask.h"

enum { CHUNK = 1 << 16 }; /* bytes; 0 would let the pipeline choose */

/* Reads the next bytes of the file, `capacity` at most; 0 at its end. */
static hd_status read_bytes(void *state, void *buffer, size_t capacity, size_t *units)
{
    FILE *file = (FILE *)state;

    *units = fread(buffer, 1, capacity, file);
    return ferror(file) ? HD_ERR_IO : HD_OK;
}

/* Gets the results in the order of the file. */
static hd_status write_bytes(void *state, const void *buffer, size_t units)
{
    return fwrite(buffer, 1, units, (FILE *)state) == units ? HD_OK : HD_ERR_IO;
}

/* Enqueues the work of one chunk; does not wait for it. */
static hd_status mask_chunk(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    (void)state;
    return hd_launch(mask_bytes, hd_launch_loop(chunk->count, 256, stream), chunk->count,
                     chunk->first, (const uint8_t *)chunk->in[0], (uint8_t *)chunk->out[0]);
}

static hd_status mask_file(FILE *from, FILE *to, hd_pipeline_report *report)
{
    /* A unit is a byte of the input and a byte of the output; both come from functions. */
    const hd_pipeline_input in = {.bytes = 1, .read = read_bytes, .state = from};
    const hd_pipeline_output out = {.bytes = 1, .write = write_bytes, .state = to};
    const hd_pipeline_job job = {.inputs = &in,
                                 .input_count = 1,
                                 .outputs = &out,
                                 .output_count = 1,
                                 .units = HD_PIPELINE_UNBOUNDED,
                                 .work = mask_chunk};
    const hd_pipeline_options options = {.chunk = CHUNK};
    hd_pipeline *pipeline;
    hd_status status;

    HD_TRY(hd_pipeline_create(&options, &pipeline));
    status = hd_pipeline_run(pipeline, &job, report); /* waits until all is written */
    hd_pipeline_destroy(pipeline);
    return status;
}

/* Masks the file in `names[1]` to the one in `names[2]`; the exit status. */
static int mask_named(char **names)
{
    FILE *from = fopen(names[1], "rb"), *to = from ? fopen(names[2], "wb") : NULL;
    char text[HD_ERROR_TEXT_MAX];
    hd_pipeline_report report;
    int failed = 1;

    if (!to)
        perror(names[from ? 2 : 1]);
    else if (mask_file(from, to, &report) < 0)
        fprintf(stderr, "pipeline: %s\n", hd_error_format(text, sizeof text));
    else
        failed = 0;
    if (to && fclose(to) != 0) { /* what is still in its buffer is written here */
        perror(names[2]);
        failed = 1;
    }
    if (from)
        fclose(from);
    if (!failed)
        printf("%s: %zu bytes in %zu chunks\n", names[2], report.units, report.chunks);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: pipeline IN OUT\n");
        return 2;
    }
    return mask_named(argv);
}
