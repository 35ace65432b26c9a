/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - `heddle bench reduce`: hd_reduce compared with the memory ceiling and the vendor
   library, for types, operations and sizes. */
#include <math.h>
#include <string.h>

#include <heddle/reduce.h>

#include "cli/bench/case.h"
#include "cli/bench/kernels/bench.h"
#include "cli/app/words.h"

enum { RESULT_BYTES = 64 };
#define VENDOR_TOLERANCE 1e-2 /* for a plain f32 sum of 2^30 numbers; only catches gross errors */

/* ---- plain C on the CPU: value and index as doubles ------------------------------------------ */

#define PLAIN_(text, type)                                                                         \
    static void sum_##text(const bench_case *c, const bench_arrays *a)                             \
    {                                                                                              \
        plain_store_f64((double)plain_sum_##text(a->in[0], c->n), a->out[0]);                      \
    }                                                                                              \
    static void min_##text(const bench_case *c, const bench_arrays *a)                             \
    {                                                                                              \
        plain_store_f64((double)plain_min_##text(a->in[0], c->n), a->out[0]);                      \
    }                                                                                              \
    static void argmin_##text(const bench_case *c, const bench_arrays *a)                          \
    {                                                                                              \
        plain_store_f64((double)plain_argmin_##text(a->in[0], c->n), (double *)a->out[0] + 1);     \
    }
PLAIN_(f32, float)
PLAIN_(f64, double)
PLAIN_(i32, int32_t)
#undef PLAIN_

static const struct {
    hd_type type;
    hd_reduce_op op;
    void (*run)(const bench_case *c, const bench_arrays *a);
} plain_loops[] = {
    {HD_F32, HD_SUM, sum_f32}, {HD_F32, HD_MIN, min_f32}, {HD_F32, HD_ARGMIN, argmin_f32},
    {HD_F64, HD_SUM, sum_f64}, {HD_F64, HD_MIN, min_f64}, {HD_F64, HD_ARGMIN, argmin_f64},
    {HD_I32, HD_SUM, sum_i32}, {HD_I32, HD_MIN, min_i32}, {HD_I32, HD_ARGMIN, argmin_i32},
};

/* ---- comparison of the results --------------------------------------------------------------- */

static double result_value(hd_result result, const void *bytes)
{
    hd_arg arg;
    hd_i128 wide;
    float f32;
    double f64;
    uint64_t u64;

    memcpy(&f32, bytes, sizeof f32);
    memcpy(&f64, bytes, sizeof f64);
    memcpy(&u64, bytes, sizeof u64);
    memcpy(&wide, bytes, sizeof wide);
    memcpy(&arg, bytes, sizeof arg);
    switch (result) {
    case HD_RESULT_U64:
        return (double)u64;
    case HD_RESULT_I64:
        return (double)(int64_t)u64;
    case HD_RESULT_I128:
        return (double)wide.high * 0x1p64 + (double)wide.low;
    case HD_RESULT_F32:
        return (double)f32;
    case HD_RESULT_F64:
        return f64;
    case HD_RESULT_ARG:
        return (double)arg.index;
    }
    return 0;
}

/* heddle's integer sums are exact. The vendor library may add in the elements' type, where sums
   wrap: then it must match the low bits, read as that type. */
static double wrapped_sum(hd_type type, const void *bytes)
{
    uint64_t low;

    memcpy(&low, bytes, sizeof low);
    switch (type) {
    case HD_I32:
        return (double)(int32_t)(uint32_t)low;
    case HD_U32:
        return (double)(uint32_t)low;
    case HD_I64:
        return (double)(int64_t)low;
    default:
        return (double)low;
    }
}

static int near(hd_result result, double ours, double theirs)
{
    double tolerance = result == HD_RESULT_ARG ? 0.0 : VENDOR_TOLERANCE * fabs(theirs);

    return fabs(ours - theirs) <= tolerance;
}

static int agree(bench *b, const bench_case *c, const bench_arrays *ours,
                 const bench_arrays *theirs)
{
    hd_reduce_op op = (hd_reduce_op)c->sizes[0];
    unsigned char bytes[RESULT_BYTES];
    double values[2], found, expected;
    hd_result result;
    size_t size;

    if (hd_reduce_result(c->type, op, &result, &size) < 0 ||
        hd_copy_blocking_bytes(bytes, ours->out[0], sizeof bytes, 1, bench_stream(b)) < 0)
        return bench_failed_call(b);
    if (bench_vendor_values(b, theirs, values, 2) < 0)
        return -1;
    found = result_value(result, bytes);
    expected = values[result == HD_RESULT_ARG];
    if (near(result, found, expected))
        return 0;
    if (op == HD_SUM && result != HD_RESULT_F32 && result != HD_RESULT_F64 &&
        near(result, wrapped_sum(c->type, bytes), expected))
        return 0;
    return bench_failed(b, "%s of %zu %s: heddle has %.17g, the vendor has %.17g", c->text, c->n,
                        hd_type_name(c->type), found, expected);
}

/* ---- the cases ------------------------------------------------------------------------------ */

/* Floats, and the upper halves of f64, are in [0.5, 1); 32-bit integers are positive. */
static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    size_t words = c->in_bytes[0] / sizeof(uint32_t);

    if (hd_launch(ceiling_fill, hd_launch_loop(words, 256, bench_stream(b)), words,
                  (uint32_t *)a->in[0]) < 0)
        return bench_failed_call(b);
    return 0;
}

static hd_status run_reduce(bench *b, const bench_case *c, const bench_arrays *a)
{
    return hd_reduce(a->in[0], c->n, c->type, (hd_reduce_op)c->sizes[0], a->out[0],
                     bench_workspace(b), bench_stream(b));
}

static int add_case(bench *b, hd_type type, hd_reduce_op op, size_t n)
{
    bench_case *c = bench_add(b);

    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "%s", hd_reduce_op_name(op));
    c->type = type;
    c->n = n;
    c->sizes[0] = (size_t)op;
    c->variant = hd_reduce_op_name(op);
    c->in_bytes[0] = n * hd_type_bytes(type);
    c->out_bytes[0] = RESULT_BYTES;
    c->bytes = (double)c->in_bytes[0];
    c->ceiling = BENCH_READ;
    c->fill = fill;
    c->run = run_reduce;
    c->vendor = "reduce";
    c->agreement = BENCH_OWN;
    c->agree = agree;
    for (size_t i = 0; i < sizeof plain_loops / sizeof *plain_loops; i++)
        if (plain_loops[i].type == type && plain_loops[i].op == op)
            c->plain = plain_loops[i].run;
    if (hd_reduce_workspace(n, type, op, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    return 0;
}

static int list(bench *b)
{
    const char *types[HD_TYPE_COUNT_], *ops[HD_REDUCE_COUNT_];
    unsigned type_bits, op_bits;
    int status;

    for (int i = 0; i < HD_TYPE_COUNT_; i++)
        types[i] = hd_type_name((hd_type)i);
    for (int i = 0; i < HD_REDUCE_COUNT_; i++)
        ops[i] = hd_reduce_op_name((hd_reduce_op)i);
    status = cli_word_list_read(bench_arguments(b), "types", types, HD_TYPE_COUNT_,
                                1u << HD_F32 | 1u << HD_F64 | 1u << HD_I32, &type_bits);
    if (status == CLI_DONE)
        status = cli_word_list_read(bench_arguments(b), "ops", ops, HD_REDUCE_COUNT_,
                                    1u << HD_SUM | 1u << HD_MIN | 1u << HD_ARGMIN, &op_bits);
    for (int type = 0; type < HD_TYPE_COUNT_ && status == 0; type++)
        for (int op = 0; op < HD_REDUCE_COUNT_ && status == 0; op++)
            for (size_t i = 0; i < bench_size_count(b) && status == 0; i++)
                if (type_bits & 1u << type && op_bits & 1u << op)
                    status = add_case(b, (hd_type)type, (hd_reduce_op)op, bench_size(b, i));
    return status;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^10..2^30", "2^10..2^26");
}

static const cli_option options[] = {
    BENCH_OPTIONS,
    {"types", "LIST", "element types (default f32,f64,i32)"},
    {"ops", "LIST", "operations (default sum,min,argmin)"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_reduce = {
    "bench reduce",
    "time reductions against a read of the data (--vendor: also CUB)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench reduce --vendor\n"
    "  heddle bench reduce --types f32 --ops sum --sizes 2^10..2^30 --json\n",
    run,
};
