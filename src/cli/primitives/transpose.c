/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - `heddle transpose`: a matrix from a file or generated, its transpose to a file. */
#include <heddle/transpose.h>

#include <stdlib.h>
#include <string.h>

#include "cli/input/array.h"
#include "cli/app/job.h"
#include "cli/app/words.h"

enum { ELEMENT_BYTES_MAX = 16 };

typedef struct call {
    void *in, *out;
    size_t rows, columns;
    size_t vector; /* numbers per element: channels of a pixel */
    size_t own;    /* bytes per element */
    size_t size;   /* bytes per element as moved: a power of two */
    size_t algorithm;
    int in_place;
} call;

/* In place, the matrix is restored first: every run must give the same result. */
static hd_status transpose(void *state, hd_stream *stream)
{
    const call *c = state;
    if (!c->in_place)
        return hd_transpose_with((hd_transpose_algorithm)c->algorithm, c->in, c->rows, c->columns,
                                 c->columns, c->out, c->rows, c->size, stream);
    HD_TRY(hd_copy_bytes(c->out, c->in, c->rows * c->columns, c->size, stream));
    return hd_transpose_with((hd_transpose_algorithm)c->algorithm, c->out, c->rows, c->columns,
                             c->columns, c->out, c->rows, c->size, stream);
}

/* Extents from the file's shape, or from --rows. The numbers of a third axis form one element. */
static int find_extents(const cli_arguments *arguments, const cli_array *array, call *c)
{
    uint64_t rows;
    const int given = cli_option_given(arguments, "rows");
    const int status = cli_count_read(arguments, "rows", 1, 0, SIZE_MAX, &rows);

    if (status != CLI_DONE)
        return status;
    if (!given && array->axes != 2 && array->axes != 3)
        return cli_misused(arguments->command,
                           "%s is not a matrix (%zu ax%s); give its number of rows with --rows",
                           array->from, array->axes, array->axes == 1 ? "is" : "es");
    c->vector = !given && array->axes == 3 ? (size_t)array->shape[2] : 1;
    c->own = c->vector * hd_type_bytes(array->type);
    for (c->size = 1; c->size < c->own && c->size < ELEMENT_BYTES_MAX;)
        c->size *= 2;
    if (c->own == 0 || c->own > ELEMENT_BYTES_MAX)
        return cli_misused(arguments->command, "%s: elements of %zu bytes, %d are possible",
                           array->from, c->own, ELEMENT_BYTES_MAX);
    c->rows = given ? (size_t)rows : (size_t)array->shape[0];
    c->columns = c->rows ? array->n / c->vector / c->rows : given ? 0 : (size_t)array->shape[1];
    if (c->rows * c->columns * c->vector != array->n)
        return cli_misused(arguments->command, "%zu numbers are not %zu rows of one length",
                           array->n, c->rows);
    return CLI_DONE;
}

/* Copies elements of c->own bytes from stride from_size to stride to_size; `to` may be `from` if
   the stride shrinks. */
static void resize(const call *c, const unsigned char *from, size_t from_size, unsigned char *to,
                   size_t to_size)
{
    for (size_t i = 0; i < c->rows * c->columns; i++) {
        memmove(to + i * to_size, from + i * from_size, c->own);
        memset(to + i * to_size + c->own, 0, to_size - c->own);
    }
}

/* The first element at a wrong position; n if there is none. */
static size_t first_wrong(const call *c, const unsigned char *in, const unsigned char *out)
{
    for (size_t i = 0; i < c->rows * c->columns; i++) {
        const size_t to = i % c->columns * c->rows + i / c->columns;
        if (memcmp(in + i * c->size, out + to * c->size, c->size) != 0)
            return i;
    }
    return c->rows * c->columns;
}

static int finish(cli_job *job, const cli_array *array, const call *c, size_t wrong)
{
    cli_job_path(job, "input", array->from, array->path, NULL);
    cli_job_text(job, "type", hd_type_name(array->type), NULL);
    cli_job_count(job, "rows", c->columns, "of the result");
    cli_job_count(job, "columns", c->rows, NULL);
    cli_job_count(job, "element", c->own, "bytes");
    cli_job_text(job, "algorithm",
                 hd_transpose_algorithm_name((hd_transpose_algorithm)c->algorithm),
                 c->in_place ? "in place" : NULL);
    return cli_job_end(job,
                       !job->verify                    ? CLI_SKIPPED
                       : wrong == c->rows * c->columns ? CLI_VERIFIED
                                                       : CLI_WRONG,
                       "element %zu of the input is not where it should be", wrong);
}

/* `padded` has elements of the moved size. */
static int run_on(cli_job *job, const cli_array *array, call *c, const void *padded, void *result)
{
    const size_t bytes = c->rows * c->columns * c->size;
    const uint64_t shape[3] = {c->columns, c->rows, c->vector};
    size_t wrong = 0;
    int status = cli_job_upload(job, padded, bytes, &c->in);

    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->out);
    if (status == CLI_DONE)
        status = cli_job_time(job, transpose, c, (c->in_place ? 4.0 : 2.0) * (double)bytes);
    if (status == CLI_DONE)
        status = cli_job_download(job, result, c->out, bytes);
    if (status != CLI_DONE)
        return status;
    if (job->verify)
        wrong = first_wrong(c, padded, result);
    resize(c, result, c->size, result, c->own);
    hd__png_about_transpose(array->about);
    status = cli_array_output_about(job->arguments, array->about, array->type, result,
                                    c->vector > 1 ? 3 : 2, shape);
    return status == CLI_DONE ? finish(job, array, c, wrong) : status;
}

static int run(const cli_arguments *arguments)
{
    static const char *const names[] = {
#define ALGORITHM_NAME_(name, text, what) text,
        HD_TRANSPOSE_ALGORITHM_LIST(ALGORITHM_NAME_)
#undef ALGORITHM_NAME_
    };
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    cli_array array = {0};
    call c = {0};
    void *padded = NULL, *result = NULL;
    cli_job job;
    int status = cli_job_open(&job, arguments);

    c.in_place = cli_option_given(arguments, "in-place");
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "algo", names, sizeof names / sizeof *names, 0,
                               &c.algorithm);
    if (status == CLI_DONE)
        status = cli_array_input(arguments, path, CLI_TYPES_ALL, HD_F32, &array);
    if (status == CLI_DONE)
        status = find_extents(arguments, &array, &c);
    if (cli_option_given(arguments, "rows")) { /* the picture's metadata no longer applies */
        hd__png_about_free(array.about);
        array.about = NULL;
    }
    if (status == CLI_DONE && c.in_place && c.rows != c.columns)
        status = cli_misused(arguments->command, "--in-place: %zu x %zu is not square", c.rows,
                             c.columns);
    if (status == CLI_DONE && (!(result = cli_job_memory(&job, c.rows * c.columns * c.size)) ||
                               !(padded = cli_job_memory(&job, c.rows * c.columns * c.size))))
        status = CLI_FAILED;
    if (status == CLI_DONE) {
        resize(&c, array.data, c.own, padded, c.size);
        status = run_on(&job, &array, &c, padded, result);
    }
    hd_free(c.in);
    hd_free(c.out);
    free(padded);
    free(result);
    cli_array_free(&array);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS(CLI_TYPE_NAMES),
    {"rows", "R", "number of rows (default: from the file; raw and generated input need it)"},
    {"algo", "NAME", "auto (default); for comparison: naive, coalesced or padded"},
    {"in-place", NULL,
     "transpose a square matrix in place (its time includes the copy that restores it first)"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

const cli_command cli_command_transpose = {
    "transpose",
    "transpose a matrix",
    "[FILE]",
    options,
    "FILE is a .npy matrix, a picture, "
    "or elements that --rows divides into rows. Elements along a\n"
    "third axis stay together, as the channels of a pixel. From PNG to PNG, bit depth, palette,\n"
    "resolution, colour profile and texts are preserved.\n",
    "  heddle transpose a.npy --out b.npy\n"
    "  heddle transpose photo.png --out mirrored.png\n"
    "  heddle transpose --n 2^24 --rows 4096 --type f32 --json\n"
    "  heddle transpose samples.bin --type u16 --rows 1000 --out b.npy\n",
    run,
};
