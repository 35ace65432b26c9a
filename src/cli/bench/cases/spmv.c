/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.c - `heddle bench spmv`: stencils, rows of random lengths, and one row as long as all others
   together. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/plain.h"
#include "cli/input/matrix.h"

enum { OFFSETS, COLUMN, VALUE, X };
enum { COPIES = 64 };
/* RANDOM_ROWS: divides the number of rows, because a row has about 490 entries on average. */
enum { ZIPF_PART = 32 };

typedef enum kind { FIVE_POINT, SEVEN_POINT, RANDOM_ROWS, LONG_ROW, KINDS } kind;
static const char *const names[] = {"5-point", "7-point", "zipf rows", "one long row"};

/* The matrix, and a plan for each of its copies on the device. */
typedef struct spmv_case {
    cli_matrix matrix;
    const void *key[COPIES];
    hd_spmv_plan *plan[COPIES];
} spmv_case;

/* ---- matrices -------------------------------------------------------------------------------- */

static size_t root(size_t n, int degree)
{
    size_t r = 1;

    while ((degree == 2 ? (r + 1) * (r + 1) : (r + 1) * (r + 1) * (r + 1)) <= n)
        r++;
    return r;
}

/* Number of entries of row i. RANDOM_ROWS: 0 to 4095, with a density like 1 / (k + 1); otherwise 8,
   but n in the middle row. */
static size_t length_of(kind of, size_t n, size_t i)
{
    if (of == RANDOM_ROWS)
        return (size_t)generate_zipf(generate_hash(1, i), 12) % (n + 1);
    return i == n / 2 ? n : 8 % (n + 1);
}

/* Random columns, values in [0, 1). */
static int make_random(bench *b, kind of, size_t n, hd_type type, hd_csr *m)
{
    int32_t *offsets = malloc((n + 1) * sizeof *offsets), *column;
    size_t entries = 0;

    m->offsets = offsets;
    if (!offsets)
        return bench_failed(b, "out of memory");
    for (size_t i = 0; i < n; i++) {
        offsets[i] = (int32_t)entries;
        entries += length_of(of, n, i);
        if (entries > INT32_MAX)
            return bench_failed(b, "%zu rows have more than %d entries", n, (int)INT32_MAX);
    }
    offsets[n] = (int32_t)entries;
    column = malloc((entries + 1) * sizeof *column);
    m->column = column;
    m->value = malloc((entries + 1) * hd_type_bytes(type));
    if (!column || !m->value)
        return bench_failed(b, "out of memory");
    for (size_t k = 0; k < entries; k++)
        column[k] = (int32_t)(generate_hash(2, k) % n);
    cli_generate((void *)(uintptr_t)m->value, entries, type, GENERATE_UNIFORM, 3);
    m->rows = m->columns = n;
    m->entries = entries;
    m->type = type;
    m->offset_type = HD_I32;
    return 0;
}

static int make_matrix(bench *b, kind of, size_t n, hd_type type, cli_matrix *matrix)
{
    const uint64_t side = root(n, of == FIVE_POINT ? 2 : 3);
    const uint64_t extent[3] = {side, side, of == FIVE_POINT ? 1 : side};

    if (of == RANDOM_ROWS)
        n = n > ZIPF_PART ? n / ZIPF_PART : 1;
    if (of > SEVEN_POINT)
        return make_random(b, of, n, type, &matrix->host);
    return cli_matrix_poisson(bench_arguments(b)->command, extent, type, matrix) == CLI_DONE ? 0
                                                                                             : -1;
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_csr *m = &((const spmv_case *)c->own)->matrix.host;
    const void *from[] = {m->offsets, m->column, m->value};
    hd_status status = bench_fill(b, a->in[X], m->columns, c->type, GENERATE_UNIFORM, 4);

    for (int k = OFFSETS; k <= VALUE && status >= 0; k++)
        status = hd_copy_blocking_bytes(a->in[k], from[k], 1, c->in_bytes[k], bench_stream(b));
    return status < 0 ? bench_failed_call(b) : 0;
}

/* The plan of the copy to which these arrays belong. */
static hd_status plan_of(bench *b, spmv_case *own, const bench_arrays *a, hd_spmv_plan **plan)
{
    hd_csr m = own->matrix.host;
    unsigned k = 0;

    while (k < COPIES && own->plan[k] && own->key[k] != a->in[OFFSETS])
        k++;
    k %= COPIES;
    if (!own->plan[k] || own->key[k] != a->in[OFFSETS]) {
        HD_TRY(hd_spmv_plan_destroy(own->plan[k]));
        own->plan[k] = NULL;
        m.offsets = a->in[OFFSETS];
        m.column = a->in[COLUMN];
        m.value = a->in[VALUE];
        HD_TRY(hd_spmv_plan_create(&m, bench_stream(b), &own->plan[k]));
        own->key[k] = a->in[OFFSETS];
    }
    *plan = own->plan[k];
    return HD_OK;
}

static hd_status run_spmv(bench *b, const bench_case *c, const bench_arrays *a)
{
    hd_spmv_plan *plan = NULL;

    HD_TRY(plan_of(b, c->own, a, &plan));
    return hd_spmv(plan, a->in[X], a->out[0], bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_spmv_f32(c->sizes[0], a->in[OFFSETS], a->in[COLUMN], a->in[VALUE], a->in[X],
                       a->out[0]);
    else
        plain_spmv_f64(c->sizes[0], a->in[OFFSETS], a->in[COLUMN], a->in[VALUE], a->in[X],
                       a->out[0]);
}

static void destroy(bench_case *c)
{
    spmv_case *own = c->own;

    for (unsigned k = 0; own && k < COPIES; k++)
        (void)hd_spmv_plan_destroy(own->plan[k]);
    if (own)
        cli_matrix_free(&own->matrix);
    free(own);
}

static int add_case(bench *b, kind of, hd_type type, size_t n)
{
    bench_case *c = bench_add(b);
    const hd_csr *m;
    spmv_case *own;

    if (!c)
        return -1;
    c->destroy = destroy;
    c->own = own = calloc(1, sizeof *own);
    if (!own)
        return bench_failed(b, "out of memory");
    if (make_matrix(b, of, n ? n : 1, type, &own->matrix) != 0)
        return -1;
    m = &own->matrix.host;
    snprintf(c->text, sizeof c->text, "%s", names[of]);
    snprintf(c->shape, sizeof c->shape, "%zu, %zu", m->rows, m->entries);
    c->type = type;
    c->n = m->rows;
    c->sizes[0] = m->rows;
    c->sizes[1] = m->columns;
    c->sizes[2] = m->entries;
    c->in_bytes[OFFSETS] = (m->rows + 1) * sizeof(int32_t);
    c->in_bytes[COLUMN] = m->entries * sizeof(int32_t);
    c->in_bytes[VALUE] = m->entries * hd_type_bytes(type);
    c->in_bytes[X] = m->columns * hd_type_bytes(type);
    c->out_bytes[0] = m->rows * hd_type_bytes(type);
    c->bytes = cli_matrix_bytes(m);
    c->ceiling = BENCH_READ;
    c->fill = fill;
    c->run = run_spmv;
    c->vendor = "spmv";
    c->plain = m->offset_type == HD_I32 ? plain : NULL;
    c->agreement = BENCH_NEAR;
    c->tolerance = type == HD_F32 ? 1e-4 : 1e-12;
    return m->offset_type == HD_I32 ? 0 : bench_failed(b, "%zu entries are too many", m->entries);
}

static int list(bench *b)
{
    int status = 0;

    for (int of = 0; of < KINDS && status == 0; of++)
        for (int wide = 0; wide < 2 && status == 0; wide++)
            for (size_t i = 0; i < bench_size_count(b) && status == 0; i++)
                status = add_case(b, (kind)of, wide ? HD_F64 : HD_F32, bench_size(b, i));
    return status;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^16,2^20,2^22", "2^12,2^16");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_spmv = {
    "bench spmv",
    "time sparse matrix-vector products",
    NULL,
    options,
    BENCH_NOTES
    "Sizes are numbers of rows, printed with the entries. "
    "GB/s counts each entry, offset and vector\n"
    "element once. Zipf: 1/32 of the rows, with 0 to 4095 entries each; one long row: as many\n"
    "entries as rows, beside rows of 8 entries; both with random columns.\n",
    "  heddle bench spmv --vendor\n"
    "  heddle bench spmv --only 5-point --sizes 2^24\n",
    run,
};
