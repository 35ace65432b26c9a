/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - which calls `heddle tune` measures, at which sizes. */
#include <stdlib.h>
#include <string.h>

#include <heddle/devices.h>
#include <heddle/kernel_decl.h>

#include "cli/app/words.h"
#include "tune.h"

/* What is measured by default. Bucket b begins at 4^b. On the CPU engine one size in every
   `step`-th bucket, so that a run takes seconds. */
typedef struct defaults {
    const char *types;
    unsigned cpu_first, cpu_last, cpu_step;
    unsigned gpu_first, gpu_last;
} defaults;
static const defaults of_family[HD__TUNE_FAMILIES] = {
    [HD__TUNE_REDUCE] = {"f32,f64", 5, 9, 2, 5, 13},
    [HD__TUNE_SCAN] = {"f32,f64", 5, 8, 1, 5, 13},
    [HD__TUNE_SORT] = {"4,8", 5, 7, 1, 5, 12},
    [HD__TUNE_TRANSPOSE] = {"4,8", 5, 9, 2, 5, 12},
    [HD__TUNE_TRIDIAG] = {"f32,f64", 2, 5, 1, 2, 8}};

/* Most bytes of an array by default: results are compared on the host. */
static const size_t bytes_max = (size_t)1 << 28;

static int parse_family(const cli_arguments *arguments, const char *text, size_t length,
                        unsigned *families)
{
    char word[32];
    const char *names[HD__TUNE_FAMILIES + 2];
    for (int f = 0; f < HD__TUNE_FAMILIES; f++)
        names[f] = hd__tune_spaces[f].name;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    names[HD__TUNE_FAMILIES] = "all";
    names[HD__TUNE_FAMILIES + 1] = "tridiag"; /* the command's name */
    for (unsigned f = 0; f < HD__TUNE_FAMILIES + 2; f++)
        if (strcmp(word, names[f]) == 0) {
            *families |= f < HD__TUNE_FAMILIES    ? 1u << f
                         : f == HD__TUNE_FAMILIES ? (1u << HD__TUNE_FAMILIES) - 1
                                                  : 1u << HD__TUNE_TRIDIAG;
            return CLI_DONE;
        }
    const char *near = cli_nearest(word, names, HD__TUNE_FAMILIES + 1);
    if (near)
        return cli_misused(arguments->command, "unknown '%s', did you mean '%s'?", word, near);
    return cli_misused(arguments->command,
                       "unknown '%s'; use reduce, scan, sort, transpose, tridiagonal or all", word);
}

static int read_families(const cli_arguments *arguments, const char *list, unsigned *families)
{
    int status = CLI_DONE;
    while (list && status == CLI_DONE) {
        const size_t length = strcspn(list, ",");
        status = parse_family(arguments, list, length, families);
        list = list[length] ? list + length + 1 : NULL;
    }
    return status;
}

/* "SIZE" or "SIZE:WEIGHT". */
static int parse_size(const cli_arguments *arguments, const char *item, size_t length,
                      tune_sizes *sizes)
{
    const char *colon = memchr(item, ':', length);
    const size_t digits = colon ? (size_t)(colon - item) : length;
    uint64_t size = 0;
    double weight = 1;
    char *end = NULL;
    if (sizes->count == TUNE_SIZES_MAX)
        return cli_misused(arguments->command, "--sizes: at most %d sizes", TUNE_SIZES_MAX);
    if (!cli_size_read(item, digits, &size) || size == 0 || size > (uint64_t)1 << 40)
        return cli_misused(arguments->command,
                           "--sizes: '%.*s' is not a size from 1 to 2^40, such as 4K or 2^20",
                           (int)length, item);
    if (colon) {
        weight = strtod(colon + 1, &end);
        if (end == colon + 1 || end != item + length || !(weight > 0) || weight > 1e6)
            return cli_misused(arguments->command,
                               "--sizes: '%.*s': a weight is a number above 0, up to 10^6",
                               (int)length, item);
    }
    sizes->of[sizes->count] = (size_t)size;
    sizes->weights[sizes->count++] = weight;
    return CLI_DONE;
}

static int read_sizes(const cli_arguments *arguments, tune_sizes *sizes)
{
    const char *list = cli_option_value(arguments, "sizes");
    int status = CLI_DONE;
    while (list && status == CLI_DONE) {
        const size_t length = strcspn(list, ",");
        status = parse_size(arguments, list, length, sizes);
        list = list[length] ? list + length + 1 : NULL;
    }
    return status;
}

/* Every word of the list has to be one of some selected family's. */
static int check_words(const tune_plan *plan, const char *option, const char *list, bool kinds)
{
    while (list && *list) {
        const size_t length = strcspn(list, ",");
        bool known = false;
        for (int f = 0; f < HD__TUNE_FAMILIES; f++) {
            const hd__tune_space *s = &hd__tune_spaces[f];
            const char *const *words = kinds ? s->kinds : s->types;
            for (size_t i = 0; i < (kinds ? s->kind_count : s->type_count); i++)
                known |= (plan->families >> f & 1) && strlen(words[i]) == length &&
                         memcmp(words[i], list, length) == 0;
        }
        if (!known)
            return cli_misused(plan->arguments->command,
                               "--%s: unknown '%.*s'; 'heddle tune --list' has them", option,
                               (int)length, list);
        list += length + (list[length] != 0);
    }
    return CLI_DONE;
}

static int read_numbers(tune_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    uint64_t elements = HD_SERIAL_THREADS ? 1u << 14 : 1u << 22;
    double gain = 3;
    int status = cli_count_read(arguments, "rounds", HD_SERIAL_THREADS ? 5 : 7, 1, 1000,
                                &plan->rounds);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "candidates", 200, 1, 10000, &plan->candidates);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "elements", elements, 1, (uint64_t)1 << 32, &elements);
    plan->elements = (size_t)elements;
    plan->budget = 10;
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "budget", 10, &plan->budget);
    if (status == CLI_DONE && !(plan->budget > 0 && plan->budget <= 1e6))
        status = cli_misused(arguments->command, "--budget is %g; seconds above 0, up to 10^6",
                             plan->budget);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "gain", gain, &gain);
    if (status == CLI_DONE && !(gain >= 0 && gain <= 1000))
        status = cli_misused(arguments->command, "--gain is %g; percent from 0 to 1000", gain);
    plan->gain = 1 + gain / 100;
    return status;
}

int tune_plan_read(const cli_arguments *arguments, tune_plan *plan)
{
    int status = CLI_DONE;
    plan->arguments = arguments;
    plan->types = cli_option_value(arguments, "types");
    plan->kinds = cli_option_value(arguments, "kinds");
    plan->brief = cli_option_given(arguments, "brief");
    plan->save = !cli_option_given(arguments, "no-save");
    plan->rows = cli_option_given(arguments, "rows");
    if (arguments->operand_count)
        status = read_families(arguments, arguments->operands[0], &plan->families);
    if (status == CLI_DONE)
        status = read_sizes(arguments, &plan->sizes);
    if (status == CLI_DONE && plan->families)
        status = check_words(plan, "types", plan->types, false);
    if (status == CLI_DONE && plan->families)
        status = check_words(plan, "kinds", plan->kinds, true);
    return status == CLI_DONE ? read_numbers(plan) : status;
}

bool tune_plan_has(const tune_plan *plan, int family, unsigned type, unsigned kind)
{
    const hd__tune_space *s = &hd__tune_spaces[family];
    const char *types = plan->types ? plan->types : of_family[family].types;
    return (plan->families >> family & 1) && hd__tune_problem_exists(family, type, kind) &&
           cli_list_has(types, s->types[type]) &&
           (!plan->kinds || cli_list_has(plan->kinds, s->kinds[kind]));
}

static void add_size(tune_sizes *sizes, size_t size, double weight)
{
    size_t at = sizes->count++;
    for (; at > 0 && sizes->of[at - 1] > size; at--) {
        sizes->of[at] = sizes->of[at - 1];
        sizes->weights[at] = sizes->weights[at - 1];
    }
    sizes->of[at] = size;
    sizes->weights[at] = weight;
}

void tune_plan_sizes(const tune_plan *plan, int family, unsigned type, tune_sizes *sizes_out)
{
    const defaults *d = &of_family[family];
    const unsigned first = HD_SERIAL_THREADS ? d->cpu_first : d->gpu_first;
    const unsigned last = HD_SERIAL_THREADS ? d->cpu_last : d->gpu_last;
    const unsigned step = HD_SERIAL_THREADS ? d->cpu_step : 1;
    const size_t most = family == HD__TUNE_TRIDIAG     ? plan->elements
                        : family == HD__TUNE_TRANSPOSE ? bytes_max >> type
                                                       : bytes_max / 8;
    memset(sizes_out, 0, sizeof *sizes_out);
    for (size_t i = 0; i < plan->sizes.count; i++)
        add_size(sizes_out, plan->sizes.of[i], plan->sizes.weights[i]);
    for (unsigned b = first; plan->sizes.count == 0 && b <= last; b += step) {
        const size_t low = (size_t)3 << (2 * b - 1), high = ((size_t)3 << 2 * b) + 1;
        if (low <= most)
            add_size(sizes_out, low, 1);
        if (high <= most && !HD_SERIAL_THREADS)
            add_size(sizes_out, high, 1);
    }
}

/* Bytes of input and result; size: for tridiagonal systems the elements of the batch. */
static double bytes_of(int family, unsigned type, size_t size)
{
    const double element = family == HD__TUNE_SORT        ? (type ? 16 : 12)
                           : family == HD__TUNE_TRANSPOSE ? (double)(1u << type)
                           : family == HD__TUNE_TRIDIAG   ? (type ? 8 : 4)
                                                          : (double)hd_type_bytes((hd_type)type);
    const double arrays = family == HD__TUNE_REDUCE ? 1 : family == HD__TUNE_TRIDIAG ? 5 : 2;
    return element * arrays * (double)size;
}

int tune_plan_fits(const tune_plan *plan)
{
    size_t total = 0;
    if (hd_device_memory(plan->device, NULL, &total) < 0)
        return cli_failed_call(plan->arguments->command);
    for (int f = 0; f < HD__TUNE_FAMILIES; f++)
        for (unsigned t = 0; t < hd__tune_spaces[f].type_count; t++) {
            tune_sizes sizes;
            tune_plan_sizes(plan, f, t, &sizes);
            if (sizes.count == 0 || !tune_plan_has(plan, f, t, 0))
                continue;
            size_t most = sizes.of[sizes.count - 1];
            if (f == HD__TUNE_TRIDIAG && most < plan->elements)
                most = plan->elements;
            if (bytes_of(f, t, most) > (double)total)
                return cli_failed(plan->arguments->command,
                                  "%s %s: %zu elements do not fit in the device's %zu bytes",
                                  hd__tune_spaces[f].name, hd__tune_spaces[f].types[t], most,
                                  total);
        }
    return CLI_DONE;
}
