/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - `heddle laplace --image`: fills the masked part of a picture with the solution of
   Laplace's equation whose boundary values are the pixels around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/png.h"
#include "laplace.h"

typedef struct picture_job {
    const cli_command *command;
    hd__png picture, mask;
    uint8_t *held; /* 1 for each pixel that is kept */
    size_t masked;
    float *plane, *result; /* one channel */
} picture_job;

/* Reads a picture; a palette is expanded to colours, because indices cannot be interpolated. */
static int read_picture(const cli_command *command, const char *path, hd__png *picture_out)
{
    char message[HD__IO_MESSAGE], name[HD__IO_NAME];

    hd__io_printable_path(path, name, sizeof name);
    if (hd__png_read(path, picture_out, message) != 0 ||
        hd__png_to_colours(picture_out, name, message) != 0)
        return cli_failed(command, "%s", message);
    return CLI_DONE;
}

static int read_both(picture_job *job, const cli_arguments *arguments)
{
    const char *image = cli_option_value(arguments, "image");
    const char *mask = cli_option_value(arguments, "mask");
    int status = read_picture(job->command, image, &job->picture);

    if (status == CLI_DONE)
        status = read_picture(job->command, mask, &job->mask);
    if (status == CLI_DONE &&
        (job->mask.width != job->picture.width || job->mask.height != job->picture.height))
        return cli_failed(job->command, "%s is %zu x %zu pixels, its mask %s %zu x %zu", image,
                          job->picture.width, job->picture.height, mask, job->mask.width,
                          job->mask.height);
    return status;
}

static unsigned sample_get(const hd__png *picture, size_t pixel, unsigned channel)
{
    const size_t at = pixel * picture->channels + channel;

    return picture->depth == 16 ? ((const uint16_t *)picture->samples)[at]
                                : ((const unsigned char *)picture->samples)[at];
}

static void sample_set(const hd__png *picture, size_t pixel, unsigned channel, unsigned value)
{
    const size_t at = pixel * picture->channels + channel;

    if (picture->depth == 16)
        ((uint16_t *)picture->samples)[at] = (uint16_t)value;
    else
        ((unsigned char *)picture->samples)[at] = (unsigned char)value;
}

static unsigned sample_max(const hd__png *picture)
{
    return (1u << picture->depth) - 1;
}

/* Black, whatever its alpha. */
static int is_black(const hd__png *picture, size_t pixel)
{
    const unsigned colours = picture->channels < 3 ? 1 : 3;
    unsigned sum = 0;

    for (unsigned c = 0; c < colours; c++)
        sum += sample_get(picture, pixel, c);
    return sum == 0;
}

static int hold(picture_job *job)
{
    const size_t pixels = job->picture.width * job->picture.height;
    job->held = malloc(pixels);
    job->plane = malloc(pixels * sizeof *job->plane);
    job->result = malloc(pixels * sizeof *job->result);
    if (!job->held || !job->plane || !job->result)
        return cli_failed(job->command, "no memory for %zu pixels", pixels);
    for (size_t i = 0; i < pixels; i++) {
        job->held[i] = (uint8_t)is_black(&job->mask, i);
        job->masked += !job->held[i];
    }
    if (job->masked == pixels)
        return cli_failed(job->command,
                          "the mask covers the whole picture: nothing is left to fill it from");
    return CLI_DONE;
}

/* Initial guess: unknown pixels get the mean of the known ones in the smallest enclosing square of
   2^k pixels that has some, close enough to the solution that few sweeps are needed. `known` has a
   weight per pixel. */
static int guess(float *plane, const float *known, size_t width, size_t height)
{
    const size_t half_w = (width + 1) / 2, half_h = (height + 1) / 2;
    float *small = calloc(half_w * half_h, sizeof *small);
    float *weight = calloc(half_w * half_h, sizeof *weight);
    int done = small && weight;
    if (done) {
        for (size_t i = 0; i < width * height; i++) {
            const size_t to = i / width / 2 * half_w + i % width / 2;
            small[to] += known[i] * plane[i];
            weight[to] += known[i];
        }
        for (size_t i = 0; i < half_w * half_h; i++) {
            small[i] = weight[i] > 0 ? small[i] / weight[i] : 0;
            weight[i] = weight[i] > 0;
        }
        if (half_w * half_h > 1)
            done = guess(small, weight, half_w, half_h);
        for (size_t i = 0; i < width * height && done; i++)
            if (known[i] == 0)
                plane[i] = small[i / width / 2 * half_w + i % width / 2];
    }
    free(small);
    free(weight);
    return done;
}

/* Extracts channel `c` of the picture and fills the masked part with the guess. */
static int take(picture_job *job, unsigned c)
{
    const size_t pixels = job->picture.width * job->picture.height;
    float *known = malloc(pixels * sizeof *known);
    int done = known != NULL;
    for (size_t i = 0; i < pixels && done; i++) {
        known[i] = job->held[i];
        job->plane[i] = job->held[i] ? (float)sample_get(&job->picture, i, c) : 0;
    }
    done = done && guess(job->plane, known, job->picture.width, job->picture.height);
    free(known);
    return done ? CLI_DONE : cli_failed(job->command, "no memory for %zu pixels", pixels);
}

static void put_back(picture_job *job, unsigned c)
{
    const size_t pixels = job->picture.width * job->picture.height;
    const float most = (float)sample_max(&job->picture);
    for (size_t i = 0; i < pixels; i++)
        if (!job->held[i])
            sample_set(&job->picture, i, c,
                       (unsigned)lrintf(fminf(fmaxf(job->result[i], 0), most)));
}

/* Over all channels: maximum sweeps, maximum norm. `wrong` counts changed pixels outside the mask,
   and channels that have not converged. */
typedef struct fill_result {
    double seconds, norm;
    size_t sweeps, wrong;
    unsigned depth;
    int converged;
} fill_result;

static void fill_verify(const picture_job *job, const laplace_run *run, fill_result *result)
{
    const size_t pixels = job->picture.width * job->picture.height;
    for (size_t i = 0; i < pixels; i++)
        result->wrong += job->held[i] && job->result[i] != job->plane[i];
    result->wrong += !(laplace_plain_norm(run, job->result, job->held) <=
                       run->report.norm * (1 + 1e-3) + 1e-3);
}

static int fill_channel(picture_job *job, cli_job *timing, laplace_run *run, unsigned c,
                        fill_result *result)
{
    int status = take(job, c);
    if (status == CLI_DONE)
        status = laplace_upload(timing, run, job->plane, job->held);
    if (status == CLI_DONE)
        status = laplace_time(timing, run, job->result);
    if (status != CLI_DONE)
        return status;
    if (timing->verify)
        fill_verify(job, run, result);
    put_back(job, c);
    result->seconds += timing->seconds;
    result->norm = fmax(result->norm, run->report.norm);
    result->sweeps = run->report.sweeps > result->sweeps ? run->report.sweeps : result->sweeps;
    result->depth = run->report.depth;
    result->converged &= run->report.converged;
    return CLI_DONE;
}

static int fill_channels(picture_job *job, cli_job *timing, const laplace_run *chosen,
                         fill_result *result)
{
    int status = CLI_DONE;
    for (unsigned c = 0; c < job->picture.channels && status == CLI_DONE; c++) {
        laplace_run run = {
            .problem = chosen->problem, .dimensions = 2, .tolerance = chosen->tolerance};
        run.problem.nx = job->picture.width;
        run.problem.ny = job->picture.height;
        for (size_t i = 0; i < 4; i++)
            run.problem.sides[i] = HD_SIDE_MIRROR;
        status = fill_channel(job, timing, &run, c, result);
        laplace_free(&run);
    }
    return status;
}

static int fill_print(const picture_job *job, cli_job *timing, const fill_result *result)
{
    const unsigned channels = job->picture.channels;
    char size[CLI_JOB_TEXT];
    timing->seconds = result->seconds;
    snprintf(size, sizeof size, "%zu x %zu, %u channel%s", job->picture.width, job->picture.height,
             channels, channels == 1 ? "" : "s");
    cli_job_text(timing, "picture", size, NULL);
    cli_job_count(timing, "filled", job->masked, "pixels");
    cli_job_count(timing, "sweeps", result->sweeps, "most of a channel");
    cli_job_count(timing, "depth", result->depth, "sweeps per pass over memory");
    cli_job_number(timing, "norm", result->norm, 6, "2-norm of the last sweep's change");
    cli_job_flag(timing, "converged", result->converged, NULL);
    return cli_job_end(timing,
                       !timing->verify ? CLI_SKIPPED
                       : result->wrong ? CLI_WRONG
                                       : CLI_VERIFIED,
                       "%zu pixels or channels are wrong", result->wrong);
}

static int fill(picture_job *job, cli_job *timing, const cli_arguments *arguments)
{
    char message[HD__IO_MESSAGE];
    fill_result result = {.converged = 1};
    laplace_run chosen = {0};
    int status = laplace_options(arguments, 20000, 0.5 * sample_max(&job->picture) / 255, &chosen);
    if (status == CLI_DONE)
        status = laplace_depth(arguments, 1, &chosen);
    if (status == CLI_DONE && chosen.problem.type != HD_F32)
        return cli_misused(job->command, "pictures are filled in f32");
    if (status == CLI_DONE)
        status = fill_channels(job, timing, &chosen, &result);
    if (status != CLI_DONE)
        return status;
    if (hd__png_write(arguments->operands[0], &job->picture, message) != 0)
        return cli_failed(job->command, "%s", message);
    return fill_print(job, timing, &result);
}

int laplace_image(const cli_arguments *arguments)
{
    picture_job job = {0};
    cli_job timing;
    int status;
    job.command = arguments->command;
    if (!cli_option_given(arguments, "mask") || arguments->operand_count != 1)
        return cli_misused(arguments->command, "--image needs --mask MASK.png and OUT.png");
    if (cli_option_given(arguments, "nx") || cli_option_given(arguments, "ny"))
        return cli_misused(arguments->command, "--image determines the size; omit --nx and --ny");
    status = cli_job_open(&timing, arguments);
    if (status == CLI_DONE)
        status = read_both(&job, arguments);
    if (status == CLI_DONE)
        status = hold(&job);
    if (status == CLI_DONE)
        status = fill(&job, &timing, arguments);
    hd__png_free(&job.picture);
    hd__png_free(&job.mask);
    free(job.held);
    free(job.plane);
    free(job.result);
    cli_job_close(&timing);
    return status;
}
