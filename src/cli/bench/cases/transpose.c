/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - `heddle bench transpose`: square matrices of every element size, in place, a tall
   one, the variants; compared with the vendor's matrix addition or plain C. */
#include <heddle/transpose.h>

#include "cli/bench/case.h"
#include "cli/bench/plain/plain.h"

/* sizes of a case: rows, columns, bytes of an element, the algorithm. */
enum { ROWS, COLUMNS, BYTES, ALGORITHM };

static hd_status run_case(bench *b, const bench_case *c, const bench_arrays *a)
{
    return hd_transpose_with((hd_transpose_algorithm)c->sizes[ALGORITHM], a->in[0], c->sizes[ROWS],
                             c->sizes[COLUMNS], c->sizes[COLUMNS], a->out[0] ? a->out[0] : a->in[0],
                             c->sizes[ROWS], c->sizes[BYTES], bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    plain_transpose(c->sizes[ROWS], c->sizes[COLUMNS], c->sizes[BYTES], a->in[0], a->out[0]);
}

static hd_type type_of(size_t bytes)
{
    return bytes == 1 ? HD_U8 : bytes == 2 ? HD_U16 : bytes == 4 ? HD_F32 : HD_F64;
}

static bench_case *add(bench *b, size_t rows, size_t columns, size_t bytes,
                       hd_transpose_algorithm algorithm)
{
    const size_t all = rows * columns * bytes;
    bench_case *c = bench_add(b);

    if (!c)
        return NULL;
    snprintf(c->text, sizeof c->text, "%zu bytes%s%s", bytes, algorithm ? " " : "",
             algorithm ? hd_transpose_algorithm_name(algorithm) : "");
    snprintf(c->shape, sizeof c->shape, "%zux%zu", rows, columns);
    c->type = type_of(bytes);
    c->n = rows * columns;
    c->sizes[ROWS] = rows;
    c->sizes[COLUMNS] = columns;
    c->sizes[BYTES] = bytes;
    c->sizes[ALGORITHM] = (size_t)algorithm;
    c->in_bytes[0] = c->out_bytes[0] = all;
    c->bytes = 2.0 * (double)all;
    c->ceiling = BENCH_COPY;
    c->run = run_case;
    c->plain = plain;
    c->vendor = "transpose";
    return c;
}

static int add_in_place(bench *b, size_t side)
{
    bench_case *c = add(b, side, side, 4, HD_TRANSPOSE_AUTO);

    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "4 bytes in place");
    c->out_bytes[0] = 0;
    c->plain = NULL;
    c->vendor = NULL;
    c->agreement = BENCH_NOTHING;
    return 0;
}

static int list(bench *b)
{
    static const size_t bytes[] = {4, 1, 2, 8, 16};

    for (size_t i = 0; i < bench_size_count(b); i++) {
        const size_t side = bench_size(b, i);

        for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++)
            if (!add(b, side, side, bytes[k], HD_TRANSPOSE_AUTO))
                return -1;
        if (!add(b, side * side / 8, 8, 4, HD_TRANSPOSE_AUTO) || add_in_place(b, side) < 0)
            return -1;
        for (int k = HD_TRANSPOSE_AUTO + 1; k < HD_TRANSPOSE_ALGORITHM_COUNT_; k++)
            if (!add(b, side, side, 4, (hd_transpose_algorithm)k))
                return -1;
    }
    return 0;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "1024,4096,4099,16384", "512,2048,2051");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_transpose = {
    "bench transpose",
    "time transposition against a copy (--vendor: also cuBLAS or plain C)",
    NULL,
    options,
    "--sizes are the sides of square matrices.\n\n" BENCH_NOTES,
    "  heddle bench transpose --vendor\n"
    "  heddle bench transpose --sizes 16384 --only '4 bytes'\n",
    run,
};
