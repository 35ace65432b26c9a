/* SPDX-License-Identifier: Apache-2.0 */
/* scaling.c - `heddle scaling`: speedup of Jacobi sweeps on more devices, for one field (strong
   scaling) and for a field that grows with them (weak scaling). */
#include "scaling.h"

#include <stdlib.h>
#include <string.h>

#include "cli/solvers/jacobi/limits.h"
#include "cli/app/words.h"

enum { SIDE_GPU = 16384, SIDE_CPU = 512, SWEEPS_GPU = 1000, SWEEPS_CPU = 40, RUNS_MAX = 101 };

static int read_sizes(scaling *s)
{
    const cli_arguments *arguments = s->arguments;
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    const struct {
        const char *name;
        uint64_t fallback, least, most;
        size_t *to;
    } counts[] = {
        {"nx", cpu ? SIDE_CPU : SIDE_GPU, JACOBI_COLUMNS_LEAST, JACOBI_SIDE_MAX, &s->problem.nx},
        {"ny", cpu ? SIDE_CPU : SIDE_GPU, 3, JACOBI_SIDE_MAX, &s->problem.ny},
        {"sweeps", cpu ? SWEEPS_CPU : SWEEPS_GPU, 1, 1u << 30, &s->problem.sweeps},
        {"norm-every", 100, 0, 1u << 30, &s->every},
        {"runs", 3, 1, RUNS_MAX, &s->runs}};
    uint64_t value = 0;
    int status = CLI_DONE;

    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == CLI_DONE; i++) {
        status = cli_count_read(arguments, counts[i].name, counts[i].fallback, counts[i].least,
                                counts[i].most, &value);
        *counts[i].to = (size_t)value;
    }
    return status;
}

static int read_words(scaling *s)
{
    const char *variants[HD_JACOBI_VARIANT_COUNT_], *modes[SCALING_MODES];
    size_t variant = 0;
    int status;

    for (int v = 0; v < HD_JACOBI_VARIANT_COUNT_; v++)
        variants[v] = hd_jacobi_variant_name((hd_jacobi_variant)v);
    for (int m = 0; m < SCALING_MODES; m++)
        modes[m] = scaling_mode_name((scaling_mode)m);
    status = cli_word_read(s->arguments, "variant", variants, HD_JACOBI_VARIANT_COUNT_, 0,
                           &variant);
    s->variant = (hd_jacobi_variant)variant;
    if (status == CLI_DONE)
        status = cli_word_list_read(s->arguments, "modes", modes, SCALING_MODES,
                                    (1u << SCALING_MODES) - 1, &s->modes);
    if (status == CLI_DONE)
        status = cli_type_read(s->arguments, HD_F32, &s->problem.type);
    if (status == CLI_DONE && s->problem.type != HD_F32 && s->problem.type != HD_F64)
        return cli_misused(s->arguments->command, "fields are f32 or f64");
    if (status == CLI_DONE)
        status = cli_depth_read(s->arguments, s->problem.type, 1, &s->problem.depth);
    return status;
}

/* Strong scaling splits the field into as many parts as there are devices; weak scaling splits each
   row's field into that row's number of parts. */
static int check_split(const scaling *s)
{
    const cli_command *command = s->arguments->command;
    const unsigned count = s->devices.count;
    const size_t rows = jacobi_least_rows(s->problem.nx, count);

    if (s->modes >> SCALING_STRONG & 1 && s->problem.ny < rows)
        return cli_misused(command, "--ny %zu: %u devices need %zu rows at least", s->problem.ny,
                           count, rows);
    for (unsigned k = 1; s->modes >> SCALING_WEAK & 1 && k <= count; k++) {
        const size_t each = (jacobi_least_rows(s->problem.nx, k) + k - 1) / k;
        if (s->problem.ny < each)
            return cli_misused(command, "--ny %zu: %u devices need %zu rows each at least",
                               s->problem.ny, k, each);
    }
    return CLI_DONE;
}

/* Prints the results first, because writing a picture may fail. */
static int show(const scaling *s, const char *svg)
{
    const int status = scaling_print(s);
    const int drawn = svg ? scaling_draw(s, svg) : CLI_DONE;

    return status != CLI_DONE ? status : drawn;
}

static int run(const cli_arguments *arguments)
{
    const char *svg = cli_option_value(arguments, "svg");
    scaling s;
    int status;

    memset(&s, 0, sizeof s);
    s.arguments = arguments;
    s.problem.sides[2] = s.problem.sides[3] = HD_SIDE_PERIODIC;
    status = cli_format_read(arguments, &s.format);
    if (status == CLI_DONE)
        status = cli_verify_read(arguments, &s.verify);
    if (status == CLI_DONE)
        status = read_sizes(&s);
    if (status == CLI_DONE)
        status = read_words(&s);
    if (status == CLI_DONE)
        status = cli_devices_read(arguments, 1, &s.devices);
    if (status == CLI_DONE)
        status = check_split(&s);
    if (status == CLI_DONE)
        status = scaling_measure(&s);
    if (status == CLI_DONE)
        status = show(&s, svg);
    for (int mode = 0; mode < SCALING_MODES; mode++)
        free(s.rows[mode]);
    return status;
}

static const cli_option options[] = {
    CLI_DEVICES_OPTION,
    {"modes", "LIST",
     "scaling to measure: strong, weak, or both, separated by a comma (default both)"},
    {"nx", "N", "columns (default 16384; CPU: 512)"},
    {"ny", "N", "rows; weak scaling: per device (default 16384; CPU: 512)"},
    {"sweeps", "N", "number of sweeps (default 1000; CPU: 40)"},
    {"niter", "=sweeps", "the same as --sweeps"},
    {"norm-every", "N", "sweeps between norms (default 100); 0: no norms"},
    {"nccheck", "=norm-every", "the same as --norm-every"},
    {"depth", "N",
     "sweeps per pass over memory: 1 (default), 2, 4, 8 (f32), or 0 (the fastest); fewer if "
     "the backend does not support as many"},
    {"variant", "NAME", "variant of heddle jacobi (default auto)"},
    {"type", "TYPE", "f32 (default) or f64"},
    {"runs", "N", "report the median time of N runs, after a warm-up (default 3)"},
    {"verify", NULL, "compare with one device (default)"},
    {"no-verify", NULL, "skip the verification"},
    {"svg", "FILE.svg", "plot the speedup against the number of devices"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and a row per number of devices"},
    {NULL, NULL, NULL}};

const cli_command cli_command_scaling = {
    "scaling",
    "measure strong and weak scaling of Jacobi sweeps on 1, 2, 3 ... devices",
    NULL,
    options,
    "GLUP/s: 10^9 cell updates per second. speedup: GLUP/s over the first row's; efficiency:\n"
    "speedup / number of devices. "
    "Field and norms of every row are compared bit by bit with those\n"
    "of one device; for weak scaling the first device runs each larger field once. Left and right\n"
    "columns are fixed, top and bottom periodic; the initial field is irregular.\n"
    "\n"
    "JSON keys: devices type sweeps norm_every rows (mode devices nx ny variant depth seconds\n"
    "glups speedup efficiency verified device_list) verified; devices of a row is their number\n",
    "  heddle scaling\n"
    "  heddle scaling --modes strong --nx 32768 --ny 32768 --svg scaling.svg\n"
    "  HEDDLE_CPU_DEVICES=4 heddle scaling --variant copy --csv\n",
    run};
