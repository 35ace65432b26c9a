/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - `heddle model`: predicted time of the Jacobi problem on 1 to 1024 devices. */
#include <string.h>

#include "cli/app/commands.h"
#include "drivers/stencil/jacobi_plan.h"
#include "measured.h"
#include "cli/app/words.h"

enum { DEVICES_MAX = 65536 };

/* ---- links ----------------------------------------------------------------------------------- */

/* The options of one link, and its description. */
typedef struct link_options {
    const char *measured, *alpha, *rate;
    bool between_nodes;
} link_options;

/* Reports a value that came from the file and not from the command line. */
static void report_source(const cli_arguments *arguments, const link_options *names,
                          char from[MODEL_FROM])
{
    const bool alpha = cli_option_given(arguments, names->alpha);
    const bool rate = cli_option_given(arguments, names->rate);
    const size_t used = strlen(from);

    if (alpha && rate)
        from[0] = '\0';
    else if (from[0] && (alpha || rate))
        (void)snprintf(from + used, MODEL_FROM - used, "; --%s as given",
                       alpha ? names->alpha : names->rate);
}

static int read_link(const model *m, const cli_arguments *arguments, const link_options *names,
                     model_link *link, char from[MODEL_FROM])
{
    const char *path = cli_option_value(arguments, names->measured);
    const double bytes = (double)m->depth * (double)m->nx * (double)hd_type_bytes(m->type);
    double microseconds = 0, gigabytes = 0;
    int status = path ? model_measured_read(arguments->command, path, names->between_nodes, bytes,
                                            link, from)
                      : CLI_DONE;

    if (status == CLI_DONE)
        status = cli_number_read(arguments, names->alpha, 1e6 * link->alpha, &microseconds);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, names->rate, 1e-9 * link->rate, &gigabytes);
    if (status == CLI_DONE && (microseconds < 0 || gigabytes <= 0))
        return cli_misused(arguments->command, "--%s is at least 0, --%s more than 0", names->alpha,
                           names->rate);
    link->alpha = 1e-6 * microseconds;
    link->rate = 1e9 * gigabytes;
    report_source(arguments, names, from);
    return status;
}

static int read_links(model_output *out, const cli_arguments *arguments)
{
    static const link_options node = {"measured", "alpha", "bandwidth", false};
    static const link_options net = {"net-measured", "net-alpha", "net-bandwidth", true};
    model *m = &out->model;
    const int status = read_link(m, arguments, &node, &m->node, out->node_from);

    return status == CLI_DONE ? read_link(m, arguments, &net, &m->net, out->net_from) : status;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Measured on an H200, 16384 x 16384 f32 with norms: GLUP/s at 1, 4 and 8 sweeps per pass.
   Memory-bound, so cells of twice the size are half as fast. */
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
    return status;
}

/* Numbers of sweeps that kernels support, as in `heddle jacobi`. */
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
        status = cli_count_read(arguments, "most", 1024, 1, DEVICES_MAX, &most);
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
    if (status == CLI_DONE)
        status = read_rates(m, arguments);
    return status == CLI_DONE ? read_links(out, arguments) : status;
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
    {"nx", "N", "columns (default 16384)"},
    {"ny", "N", "rows; weak scaling: per device (default 16384)"},
    {"type", "TYPE", "f32 (default) or f64"},
    {"depth", "N", "sweeps per pass over memory: 1 (default), 2, 4, 8 (f32)"},
    {"rate", "GLUPS",
     "update rate of one device at that depth; H200: 458, 1715, 2262 at depth 1, 4, 8; half "
     "of that in f64"},
    {"launch", "US", "fixed cost of a pass (default 3)"},
    {"alpha", "US", "latency between devices of a node (default 5)"},
    {"bandwidth", "GBPS", "bandwidth between devices of a node (default 393)"},
    {"measured", "FILE",
     "take --alpha and --bandwidth from `heddle p2p --json` (copies between the slowest "
     "neighbours) or `heddle mpi pingpong --json`"},
    {"net-alpha", "US", "latency between nodes (default 10)"},
    {"net-bandwidth", "GBPS", "bandwidth of a device to other nodes (default 45)"},
    {"net-measured", "FILE",
     "take --net-alpha and --net-bandwidth from `heddle mpi pingpong --json` between two nodes"},
    {"per-node", "N", "devices per node (default 8)"},
    {"nccheck", "N", "sweeps between norms (default 100); 0: no norms"},
    {"most", "N", "maximum number of devices, in powers of two (default 1024)"},
    {"no-overlap", NULL, "exchange rows after the sweeps instead of overlapping them"},
    {"svg", "FILE", "draw efficiency against devices"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    CLI_UNTRACED};

const cli_command cli_command_model = {
    "model",
    "predict Jacobi times on 1 to 1024 devices from latency and bandwidth",
    NULL,
    options,
    "A message takes alpha + bytes / bandwidth. A pass sweeps the outermost rows, then the rows\n"
    "between them while 2 rows of nx cells per sweep are exchanged; "
    "parts are stripes, or tiles if\n"
    "there are more devices than stripes. The model assumes equal devices, links without\n"
    "contention and a network port per device; docs/mpi.md has the formulas.\n",
    "  heddle model\n"
    "  heddle model --depth 8 --nx 65536 --ny 65536 --svg efficiency.svg\n"
    "  heddle p2p --methods copy --json > node.json && heddle model --measured node.json\n"
    "  mpirun -n 2 heddle mpi pingpong --json > ranks.json && heddle model --measured ranks.json\n",
    run};
