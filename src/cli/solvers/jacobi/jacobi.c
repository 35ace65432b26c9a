/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.c - `heddle jacobi`: Jacobi sweeps over a field that is split over several devices,
   compared with one device. */
#include "jacobi.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "limits.h"
#include "field.h"
#include "cli/app/words.h"

/* "2x3" */
static int read_tiles(jacobi_run *run)
{
    const char *text = cli_option_value(run->arguments, "tiles"), *by;
    uint64_t x = 0, y = 0;

    if (!text)
        return CLI_DONE;
    by = strchr(text, 'x');
    if (!by || !cli_size_read(text, (size_t)(by - text), &x) ||
        !cli_size_read(by + 1, strlen(by + 1), &y) || x * y != run->devices.count || x > 64 ||
        y > 64)
        return cli_misused(run->arguments->command,
                           "--tiles %s has to be XxY with X times Y = %u, the number of devices",
                           text, run->devices.count);
    run->tiles_x = (unsigned)x;
    run->tiles_y = (unsigned)y;
    return CLI_DONE;
}

/* Checked before the run on one device. */
static int check_split(const jacobi_run *run)
{
    const cli_command *command = run->arguments->command;
    const unsigned across = run->tiles_x ? run->tiles_x : 1;
    const unsigned down = run->tiles_y ? run->tiles_y : run->devices.count;
    const size_t rows = jacobi_least_rows(run->problem.nx, down);
    const size_t columns = jacobi_least_columns(across);

    if (run->problem.ny < rows)
        return cli_misused(command, "--ny %zu: %u %s need %zu rows at least", run->problem.ny, down,
                           run->tiles_x ? "tiles below each other" : "devices", rows);
    if (run->problem.nx < columns)
        return cli_misused(command, "--nx %zu: %u tiles side by side need %zu columns at least",
                           run->problem.nx, across, columns);
    return CLI_DONE;
}

static int read_variants(jacobi_run *run)
{
    const char *text = cli_option_value(run->arguments, "variant");
    const char *names[HD_JACOBI_VARIANT_COUNT_ + 1];

    run->variants = 1u << HD_JACOBI_AUTO;
    if (cli_list_has(text, "mpi"))
        return cli_misused(run->arguments->command,
                           "ranks are started by mpirun: mpirun -n %u heddle mpi jacobi",
                           run->devices.count);
    for (int v = 0; v < HD_JACOBI_VARIANT_COUNT_; v++)
        names[v] = hd_jacobi_variant_name((hd_jacobi_variant)v);
    names[HD_JACOBI_VARIANT_COUNT_] = "all"; /* for the error about an unknown word */
    if (text && strcmp(text, "all") == 0) {
        run->variants = (1u << HD_JACOBI_VARIANT_COUNT_) - 2;
        run->all = true;
        return CLI_DONE;
    }
    if (cli_list_has(text, "all"))
        return cli_misused(run->arguments->command,
                           "--variant: 'all' cannot be combined with other variants");
    return cli_word_list_read(run->arguments, "variant", names, HD_JACOBI_VARIANT_COUNT_ + 1,
                              run->variants, &run->variants);
}

/* Rejects variants whose kernels store into the neighbour's memory without peer access, and the one
   that needs stripes with tiles. */
static int check_variants(const jacobi_run *run)
{
    static const hd_jacobi_variant stores[] = {HD_JACOBI_EVENTS, HD_JACOBI_PEER_STORE,
                                               HD_JACOBI_PERSISTENT};
    const cli_command *command = run->arguments->command;

    for (size_t i = 0; i < sizeof stores / sizeof *stores && !run->all; i++) {
        const char *name = hd_jacobi_variant_name(stores[i]);
        if (!(run->variants >> stores[i] & 1) || run->devices.count == 1)
            continue;
        if (run->tiles_x > 1 && stores[i] == HD_JACOBI_PERSISTENT)
            return cli_misused(command, "--variant %s has stripes, not tiles", name);
        if (run->staged)
            return cli_misused(
                command, "--variant %s needs direct access between devices, not --p2p off", name);
    }
    return CLI_DONE;
}

/* The path of a pair is decided once per process, according to the environment; a user's setting
   that turns peers off is kept. */
static int choose_paths(jacobi_run *run, const char *word)
{
    const char *before = hd__environment("HEDDLE_P2P");

    run->staged = strcmp(word, "off") == 0;
    if (strcmp(word, "auto") == 0 || run->devices.count == 1)
        return CLI_DONE;
    if (!run->staged && before && strcmp(before, "off") == 0)
        return cli_failed(run->arguments->command,
                          "--p2p on: devices %d and %d have no direct access (HEDDLE_P2P=off)",
                          run->devices.device[0], run->devices.device[1]);
    if (setenv("HEDDLE_P2P", word, 1) != 0)
        return cli_failed(run->arguments->command, "no memory for the environment");
    return CLI_DONE;
}

static int read_words(jacobi_run *run)
{
    static const char *const p2p[] = {"auto", "on", "off"};
    static const char *const threads[] = {"one", "per-device"}, *const ccl[] = {"own", "library"};
    size_t path = 0, thread = 0, carrier = 0;
    int status = cli_word_read(run->arguments, "p2p", p2p, 3, 0, &path);

    if (status == CLI_DONE)
        status = choose_paths(run, p2p[path]);
    if (status == CLI_DONE)
        status = cli_word_read(run->arguments, "host-threads", threads, 2, 0, &thread);
    run->threads = (int)thread;
    if (status == CLI_DONE)
        status = cli_word_read(run->arguments, "ccl", ccl, 2, 0, &carrier);
    run->carrier = carrier ? HD_GROUP_LIBRARY : HD_GROUP_OWN;
    if (status == CLI_DONE)
        status = cli_type_read(run->arguments, HD_F32, &run->problem.type);
    if (status == CLI_DONE && run->problem.type != HD_F32 && run->problem.type != HD_F64)
        return cli_misused(run->arguments->command, "fields are f32 or f64");
    if (status == CLI_DONE)
        status = cli_depth_read(run->arguments, run->problem.type, 1, &run->problem.depth);
    return status;
}

static int read_counts(jacobi_run *run)
{
    const cli_arguments *arguments = run->arguments;
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    const struct {
        const char *name;
        uint64_t fallback, least, most;
        size_t *to;
    } counts[] = {
        {"nx", cpu ? JACOBI_SIDE_CPU : JACOBI_SIDE_GPU, JACOBI_COLUMNS_LEAST, JACOBI_SIDE_MAX,
         &run->problem.nx},
        {"ny", cpu ? JACOBI_SIDE_CPU : JACOBI_SIDE_GPU, 2, JACOBI_SIDE_MAX, &run->problem.ny},
        {"niter", cpu ? JACOBI_SWEEPS_CPU : JACOBI_SWEEPS_GPU, 1, 1u << 30, &run->problem.sweeps},
        {"nccheck", 100, 0, 1u << 30, &run->every},
        {"runs", 1, 1, 1000, &run->runs}};
    uint64_t value = 0;
    int status = CLI_DONE;

    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == CLI_DONE; i++) {
        status = cli_count_read(arguments, counts[i].name, counts[i].fallback, counts[i].least,
                                counts[i].most, &value);
        *counts[i].to = (size_t)value;
    }
    return status;
}

static int read_options(jacobi_run *run)
{
    int status = cli_format_read(run->arguments, &run->format);

    if (status == CLI_DONE)
        status = cli_devices_read(run->arguments, 1, &run->devices);
    if (status == CLI_DONE)
        status = read_counts(run);
    if (status == CLI_DONE)
        status = read_words(run);
    if (status == CLI_DONE)
        status = read_tiles(run);
    if (status == CLI_DONE)
        status = check_split(run);
    if (status == CLI_DONE)
        status = read_variants(run);
    if (status == CLI_DONE)
        status = check_variants(run);
    if (status == CLI_DONE && cli_option_given(run->arguments, "ccl") &&
        !(run->variants >> HD_JACOBI_CCL & 1))
        return cli_misused(run->arguments->command, "--ccl requires --variant ccl");
    run->problem.sides[2] = run->problem.sides[3] = HD_SIDE_PERIODIC;
    run->png = cli_option_value(run->arguments, "png");
    return status == CLI_DONE ? cli_verify_read(run->arguments, &run->verify) : status;
}

/* Prints the results first, because writing a picture may fail. */
static int show(const jacobi_run *run)
{
    const int status = jacobi_print(run);
    const int drawn = run->png ? jacobi_image(run) : CLI_DONE;

    return status != CLI_DONE ? status : drawn;
}

static int command(const cli_arguments *arguments)
{
    jacobi_run run;
    int status;

    memset(&run, 0, sizeof run);
    run.arguments = arguments;
    status = read_options(&run);
    if (status == CLI_DONE)
        status = jacobi_measure(&run);
    if (status == CLI_DONE)
        status = show(&run);
    jacobi_free(&run);
    return status;
}

static const cli_option options[] = {
    {"nx", "N", "columns (default 16384; CPU: 1024)"},
    {"ny", "N", "rows (default 16384; CPU: 1024)"},
    {"niter", "N", "number of sweeps (default 1000; CPU: 200)"},
    {"nccheck", "N", "sweeps between norms (default 100); 0: no norms"},
    CLI_DEVICES_OPTION,
    {"variant", "LIST", "auto (default), all, or a list of those below"},
    {"ccl", "WORD",
     "what the variant ccl sends with: own (default: heddle's send and receive) or library "
     "(NCCL or RCCL)"},
    {"tiles", "XxY", "tiles in x and y, one per device (default 1xN: stripes of rows)"},
    {"p2p", "WORD",
     "auto (default: as HEDDLE_P2P), on (fail without peer access) or off (stage through host)"},
    {"host-threads", "WORD", "host threads that enqueue the work: one (default) or per-device"},
    {"depth", "K",
     "temporal blocking: K sweeps per pass over memory, and K halo rows per exchange; K is 1 "
     "(default), 2, 4, 8 (f32 only), or 0: the fastest; a smaller K is used if the backend "
     "has no such kernel"},
    {"type", "TYPE", "f32 (default) or f64"},
    {"runs", "N", "report the median time of N runs (default 1)"},
    {"png", "FILE.png", "draw the field with a colour bar from the lowest to the highest value"},
    {"verify", NULL, "compare with one device (default)"},
    {"no-verify", NULL, "skip the verification"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and a row per variant"},
    {NULL, NULL, NULL}};

const cli_command cli_command_jacobi = {
    "jacobi",
    "run Jacobi sweeps on several devices and compare with one device",
    NULL,
    options,
    "The field starts as 0 except in the left and right columns, "
    "which keep sin(2 pi row / (ny - 1)); top\n"
    "and bottom are periodic. One device runs the same sweeps first; the field and all norms are\n"
    "compared with its results bit by bit. Norms of f32 fields of 16384 x 16384 at sweeps 0, 100\n"
    "and 900 are also compared with published values, printed beside them as '(known: ...)'.\n"
    "efficiency: speedup over one device divided by the number of devices; the text output has it\n"
    "in percent (50), JSON and CSV as a fraction (0.5).\n"
    "With MPI, one process per device: mpirun -n N heddle mpi jacobi.\n"
    "Options may also be written with one dash, as in other programs for this problem: -nx 16384.\n"
    "\n"
    "variants: how the rows at a boundary get to the neighbouring device\n"
    "  copy-blocking  the host waits for sweeps, then for copies\n"
    "  copy           copies follow the sweeps on the same streams\n"
    "  copy-overlap   outermost rows first, then their copies beside the sweep of the rest\n"
    "  events         kernels store into the neighbour's memory; events order the devices\n"
    "  peer-store     as events, but kernels wait for flags in memory instead of events\n"
    "  persistent     as peer-store, with many sweeps in one launch\n"
    "  graph          as events (without peer access: as copy), with many sweeps in one graph\n"
    "  ccl            copy-overlap, with send and receive of heddle, NCCL or RCCL (--ccl)\n"
    "  auto           persistent; peer-store at depth 8; copy-overlap for tiles or without peer\n"
    "                 access; copy on one device\n"
    "\n"
    "JSON keys: devices nx ny niter nccheck type depth tiles seconds_one norms (sweep, norm) rows\n"
    "(variant used devices seconds glups speedup efficiency verified reason us_per_sweep)\n"
    "verified. variant: as asked for; used: the variant that ran. A variant that was not run has\n"
    "a reason, and null for its times.\n",
    "  heddle jacobi -nx 16384 -ny 16384 -niter 1000\n"
    "  heddle jacobi --devices 0,3 --variant all --nccheck 1\n"
    "  heddle jacobi --depth 8 --variant peer-store,persistent --csv\n"
    "  heddle jacobi --variant ccl --ccl library --nccheck 1\n"
    "  heddle jacobi --nx 512 --ny 512 --niter 20000 --nccheck 1000 --png field.png\n",
    command};
