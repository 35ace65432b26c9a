/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - heddle model: what the Jacobi problem should take on 1 to 1024 devices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json_reader.h"
#include "kernels/jacobi.h"
#include "model_print.h"
#include "words.h"

enum { FILE_MOST = 1 << 24, DEVICES_MOST = 65536 };

/* ---- links ----------------------------------------------------------------------------------- */

static char *read_file(const cli_command *command, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(FILE_MOST) : NULL;
    size_t length;

    if (!text) {
        cli_failed(command, "%s: %s", path, strerror(file ? ENOMEM : errno));
        if (file)
            fclose(file);
        return NULL;
    }
    length = fread(text, 1, FILE_MOST - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* alpha and rate of the first way of what `heddle mpi pingpong --json` printed that moves device
   memory: "device" where MPI takes it, else "staged". Few or small messages have no rate. */
typedef enum way_found { NO_WAY, FITTED_NOTHING, FITTED } way_found;

static way_found find_way(const json_value *ways, const char *name, model_link *link)
{
    model_link found;

    for (const json_value *way = ways ? ways->first : NULL; way; way = way->next) {
        const json_value *alpha = json_member(way, "alpha"), *rate = json_member(way, "rate");
        if (strcmp(json_text(way, "way"), name) != 0 || !alpha || !rate)
            continue;
        if (alpha->type != JSON_NUMBER || rate->type != JSON_NUMBER)
            return FITTED_NOTHING;
        found.alpha = strtod(alpha->text, NULL);
        found.rate = strtod(rate->text, NULL);
        if (found.alpha < 0 || found.rate <= 0)
            return FITTED_NOTHING;
        *link = found;
        return FITTED;
    }
    return NO_WAY;
}

static int read_measured(const cli_arguments *arguments, const char *option, model_link *link)
{
    const char *path = cli_option_value(arguments, option);
    char *text;
    json_value *json;
    way_found found;

    if (!path)
        return CLI_DONE;
    text = read_file(arguments->command, path);
    if (!text)
        return CLI_FAILED;
    json = json_read(text);
    free(text);
    found = json ? find_way(json_member(json, "ways"), "device", link) : NO_WAY;
    if (found == NO_WAY && json)
        found = find_way(json_member(json, "ways"), "staged", link);
    json_free(json);
    if (found == FITTED_NOTHING)
        return cli_failed(arguments->command,
                          "%s: its times give no alpha and rate: larger --bytes for `heddle mpi "
                          "pingpong`",
                          path);
    if (found == NO_WAY)
        return cli_failed(arguments->command,
                          "%s: no alpha and rate as `heddle mpi pingpong --json` prints them",
                          path);
    return CLI_DONE;
}

static int read_link(const cli_arguments *arguments, const char *measured, const char *alpha,
                     const char *rate, model_link *link)
{
    double microseconds = 0, gigabytes = 0;
    int status = read_measured(arguments, measured, link);

    if (status == CLI_DONE)
        status = cli_number_read(arguments, alpha, 1e6 * link->alpha, &microseconds);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, rate, 1e-9 * link->rate, &gigabytes);
    if (status == CLI_DONE && (microseconds < 0 || gigabytes <= 0))
        return cli_misused(arguments->command, "--%s is at least 0, --%s more than 0", alpha, rate);
    link->alpha = 1e-6 * microseconds;
    link->rate = 1e9 * gigabytes;
    return status;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Measured on an H200, 16384 x 16384 f32 with norms: GLUP/s at 1, 4 and 8 sweeps a pass. Memory
   bounds a sweep, so cells of twice the bytes are half as fast. */
static double known_rate(unsigned depth, hd_type type)
{
    const double rate = depth == 1 ? 458 : depth == 4 ? 1715 : depth == 8 ? 2262 : 0;

    return type == HD_F64 ? rate / 2 : rate;
}

static int read_rates(model *m, const cli_arguments *arguments)
{
    double rate = 0, launch = 0;
    int status = cli_number_read(arguments, "rate", known_rate(m->depth, m->type), &rate);

    if (status == CLI_DONE)
        status = cli_number_read(arguments, "launch", 3, &launch);
    m->rate_assumed = !cli_option_given(arguments, "rate");
    if (status == CLI_DONE && rate <= 0 && !m->rate_assumed)
        return cli_misused(arguments->command, "--rate: GLUP/s of one device are more than 0");
    if (status == CLI_DONE && rate <= 0)
        return cli_misused(arguments->command,
                           "--rate: GLUP/s of one device are needed with --depth %u", m->depth);
    if (status == CLI_DONE && launch < 0)
        return cli_misused(arguments->command, "--launch is at least 0");
    m->rate = 1e9 * rate;
    m->launch = 1e-6 * launch;
    if (status == CLI_DONE)
        status = read_link(arguments, "measured", "alpha", "bandwidth", &m->node);
    if (status == CLI_DONE)
        status = read_link(arguments, "net-measured", "net-alpha", "net-bandwidth", &m->net);
    return status;
}

/* Sweeps for which there are kernels, as of `heddle jacobi`. */
static int read_type(model *m, const cli_arguments *arguments)
{
    static const unsigned depths[] = {1, 2, 4, HD__JACOBI_MAX_DEPTH};
    int status = cli_type_read(arguments, HD_F32, &m->type);

    if (status == CLI_DONE && m->type != HD_F32 && m->type != HD_F64)
        return cli_misused(arguments->command, "--type: f32 or f64");
    if (status == CLI_DONE)
        status = cli_choice_read(arguments, "depth", 1, depths, m->type == HD_F32 ? 4 : 3,
                                 &m->depth);
    return status;
}

static int read_options(model_output *out, const cli_arguments *arguments)
{
    uint64_t nx = 0, ny = 0, per_node = 0, every = 0, most = 0;
    model *m = &out->model;
    int status = cli_format_read(arguments, &out->format);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "nx", 16384, 4, INT32_MAX / 2, &nx);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "ny", 16384, 1, INT32_MAX / 2, &ny);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "per-node", 8, 1, 4096, &per_node);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "nccheck", 100, 0, 1 << 30, &every);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "most", 1024, 1, DEVICES_MOST, &most);
    if (status == CLI_DONE)
        status = read_type(m, arguments);
    m->nx = (size_t)nx;
    m->ny = (size_t)ny;
    m->per_node = (unsigned)per_node;
    m->norm_every = (size_t)every;
    m->overlap = !cli_option_given(arguments, "no-overlap");
    m->node = (model_link){5e-6, 393e9};
    m->net = (model_link){10e-6, 45e9};
    out->most = (unsigned)most;
    out->plot = cli_option_value(arguments, "svg");
    return status == CLI_DONE ? read_rates(m, arguments) : status;
}

static int run(const cli_arguments *arguments)
{
    model_output out = {.arguments = arguments};
    int status = read_options(&out, arguments);

    for (unsigned devices = 1; status == CLI_DONE && devices <= out.most; devices *= 2) {
        model_row *row = &out.rows[out.count++];
        row->devices = devices;
        row->strong_possible = model_strong(&out.model, devices, &row->strong) >= 0;
        row->weak_possible = model_weak(&out.model, devices, &row->weak) >= 0;
    }
    return status == CLI_DONE ? model_print(&out) : status;
}

static const cli_option options[] = {
    {"nx", "N", "columns, 16384"},
    {"ny", "N", "rows (weak scaling: of each device), 16384"},
    {"type", "TYPE", "f32 (the default) or f64"},
    {"depth", "N", "sweeps of a pass: 1 (the default), 2, 4, 8 in f32"},
    {"rate", "GLUPS",
     "of one device at that depth; an H200's: 458, 1715, 2262 at depth 1, 4, 8; half in f64"},
    {"launch", "US", "what a pass costs beside its cells, 3"},
    {"alpha", "US", "latency between devices of a node, 5"},
    {"bandwidth", "GBPS", "between them, 393"},
    {"measured", "FILE", "both from what `heddle mpi pingpong --json` printed"},
    {"net-alpha", "US", "latency between nodes, 10"},
    {"net-bandwidth", "GBPS", "of a device to other nodes, 45"},
    {"net-measured", "FILE", "both from what it printed between two nodes"},
    {"per-node", "N", "devices of a node, 8"},
    {"nccheck", "N", "a norm every N sweeps, 100; 0: none"},
    {"most", "N", "devices, 1024; there is a row for each power of two up to it"},
    {"no-overlap", NULL, "rows travel after the sweeps, not beside them"},
    {"svg", "FILE", "draw efficiency over devices"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print a header and rows"},
    {NULL, NULL, NULL}};

const cli_command cli_command_model = {
    "model",
    "predicts the Jacobi problem on 1 to 1024 devices from latency and bandwidth",
    NULL,
    options,
    "A message takes alpha + bytes / bandwidth. A pass sweeps the outermost bands of rows, then\n"
    "the rows between, beside which 2 rows of nx cells travel for each sweep; parts are stripes,\n"
    "or tiles where there are more devices than bands. Every device is as fast as one alone,\n"
    "links do not disturb one another, each device has a port to other nodes. docs/mpi.md has the\n"
    "formulas.\n",
    "  heddle model\n"
    "  heddle model --depth 8 --nx 65536 --ny 65536 --svg efficiency.svg\n"
    "  mpirun -n 2 heddle mpi pingpong --json > node.json && heddle model --measured node.json\n",
    run};
