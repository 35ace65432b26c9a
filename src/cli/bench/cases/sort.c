/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - `heddle bench sort`: keys and pairs compared with the vendor's radix sort or plain C. */
#include <heddle/sort.h>

#include "cli/bench/case.h"
#include "cli/input/generate.h"
#include "cli/bench/plain/sort.h"

/* sizes of a case: bytes of a value, the pattern of the keys. Arrays: in and out 0 keys, 1 values;
   in 2 and 3: scratch for plain C. */
enum { VALUE, PATTERN };

static const hd_sort_options descending = {1, 0, 0};

static hd_status run_case(bench *b, const bench_case *c, const bench_arrays *a)
{
    const hd_sort_options *options = c->variant[0] ? &descending : NULL;

    return c->sizes[VALUE]
               ? hd_sort_pairs(a->in[0], a->in[1], a->out[0], a->out[1], c->n, c->type,
                               c->sizes[VALUE], options, bench_workspace(b), bench_stream(b))
               : hd_sort_keys(a->in[0], a->out[0], c->n, c->type, options, bench_workspace(b),
                              bench_stream(b));
}

static void plain(const bench_case *c, const bench_arrays *a)
{
    if (c->type == HD_F32)
        plain_sort_f32_descending(c->n, a->in[0], a->out[0], a->in[2]);
    else if (c->type == HD_U64 && c->sizes[VALUE])
        plain_sort_u64_pairs(c->n, a->in[0], a->in[1], a->out[0], a->out[1], a->in[2], a->in[3]);
    else if (c->type == HD_U64)
        plain_sort_u64(c->n, a->in[0], a->out[0], a->in[2]);
    else if (c->sizes[VALUE])
        plain_sort_u32_pairs(c->n, a->in[0], a->in[1], a->out[0], a->out[1], a->in[2], a->in[3]);
    else
        plain_sort_u32(c->n, a->in[0], a->out[0], a->in[2]);
}

static int fill(bench *b, const bench_case *c, const bench_arrays *a)
{
    if (bench_fill(b, a->in[0], c->n, c->type, (int)c->sizes[PATTERN], 1) < 0 ||
        (a->in[1] && bench_fill(b, a->in[1], c->n, HD_U32, GENERATE_SORTED, 1) < 0))
        return bench_failed_call(b);
    return 0;
}

typedef struct kind {
    const char *text, *variant;
    hd_type type;
    size_t value;
    int pattern;
} kind;

static int add(bench *b, size_t n, const kind *k)
{
    const size_t size = hd_type_bytes(k->type);
    bench_case *c = bench_add(b);

    if (!c)
        return -1;
    snprintf(c->text, sizeof c->text, "%s", k->text);
    c->variant = k->variant;
    c->type = k->type;
    c->n = n;
    c->sizes[VALUE] = k->value;
    c->sizes[PATTERN] = (size_t)k->pattern;
    c->in_bytes[0] = c->out_bytes[0] = n * size;
    c->in_bytes[1] = c->out_bytes[1] = n * k->value;
    if (bench_is_cpu(b)) {
        c->in_bytes[2] = c->out_bytes[0];
        c->in_bytes[3] = c->out_bytes[1];
    }
    if (hd_sort_workspace(n, k->type, k->value, &c->workspace_bytes) < 0)
        return bench_failed_call(b);
    /* Counted once, moved once per 8 bits; for few keys, at least once. */
    c->bytes = (double)n * 2.0 * (double)(size + k->value);
    if (n * size > 128 * 1024)
        c->bytes = (double)n * (double)(size + 2 * size * (size + k->value));
    c->work = (double)n;
    c->unit = "Gkeys/s";
    c->ceiling = BENCH_NO_CEILING;
    c->fill = fill;
    c->run = run_case;
    c->plain = plain;
    c->vendor = "sort";
    return 0;
}

static int list(bench *b)
{
    static const kind kinds[] = {
        {"keys", "", HD_U32, 0, GENERATE_UNIFORM},
        {"keys zipf", "", HD_U32, 0, GENERATE_ZIPF},
        {"keys constant", "", HD_U32, 0, GENERATE_CONSTANT},
        {"keys descending", "descending", HD_F32, 0, GENERATE_ALTERNATING},
        {"pairs", "", HD_U32, 4, GENERATE_UNIFORM},
        {"keys", "", HD_U64, 0, GENERATE_UNIFORM},
        {"pairs", "", HD_U64, 4, GENERATE_UNIFORM},
    };

    for (size_t i = 0; i < bench_size_count(b); i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (add(b, bench_size(b, i), &kinds[k]) < 0)
                return -1;
    return 0;
}

static int run(const cli_arguments *arguments)
{
    return bench_main(arguments, list, "2^10..2^28", "2^12,2^16,2^20");
}

static const cli_option options[] = {BENCH_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_bench_sort = {
    "bench sort",
    "time sorts (--vendor: against CUB; on the CPU: plain C)",
    NULL,
    options,
    BENCH_NOTES,
    "  heddle bench sort --vendor\n"
    "  heddle bench sort --vendor --sizes 2^28 --only keys\n",
    run,
};
