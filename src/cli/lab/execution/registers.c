/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c - `heddle lab registers`: values in registers, spilled ones and local arrays. */
#include <string.h>

#include <heddle/heddle.h>

#include "ceilings.h"
#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/kernels/values.h"

enum { WORD = 4, WAVES = 8, CPU_BLOCKS = 1, TURNS_GPU = 256, TURNS_CPU = 1, SHARED = 128 };
enum { TURNS_GPU_MAX = 1 << 16 };

typedef enum kind { REGISTERS, SPILL, LOCAL, KINDS } kind;
static const char *const kinds[KINDS] = {"registers", "spill", "local"};

/* The band, relative to 8 values in registers: as fast in registers. In memory each operation loads
   and stores its value: at least twice as slow in a local array, and at most as slow as L2 delivers
   8 bytes per operation. */
static const double least_factor[KINDS] = {0.7, 0.7, 2}, most_factor[KINDS] = {1.5, 64, 64};

typedef struct variant {
    const char *name;
    const hd_kernel *kernel;
    unsigned values;
} variant;
#define VARIANT_(name, values) {#name, &name##_kernel, values},
static const variant variants[] = {VALUES_LIST(VARIANT_)};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct registers {
    lab lab;
    unsigned kinds; /* bits */
    unsigned blocks, turns;
    const variant *running;
    double fastest; /* seconds of the first variant; 0: not timed */
    float *words;
} registers;

static kind kind_of(const variant *v)
{
    for (int k = 0; k < KINDS; k++)
        if (strstr(v->name, kinds[k]))
            return (kind)k;
    return REGISTERS;
}

/* Operations of a thread, the same in all rows. */
static double operations_of(const registers *r)
{
    return (double)SHARED * r->turns;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const registers *r = state;
    const values_work work = {(uint32_t)(operations_of(r) / r->running->values), 0, 1, 1, 0};
    const hd_launch_config config = hd_launch_with(hd_dim(r->blocks, 1, 1),
                                                   hd_dim(VALUES_BLOCK, 1, 1), 0, stream);

#define RUN_(name, values)                                                                         \
    if (r->running->kernel == &name##_kernel)                                                      \
        return hd_launch(name, config, work, r->words);
    VALUES_LIST(RUN_)
#undef RUN_
    return HD_ERR_ARGUMENT;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -9},
    {.key = "values", .heading = "\nvalues", .width = 6},
    {.key = "predicted_registers", .heading = "predicted\nregisters", .width = 9},
    {.key = "predicted_local", .heading = "\nlocal", .width = 6},
    {.key = "registers", .heading = "reported\nregisters", .width = 9},
    {.key = "local_bytes", .heading = "\nlocal", .width = 6},
    {.key = "resident", .heading = "threads\nper unit", .width = 8},
    {.key = "predicted_operations"},
    {.key = "counted_operations"},
    {.key = "seconds"},
    {.key = "ratio", .heading = "measured\nratio", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "reference", .heading = "\npubl.", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

typedef struct found {
    double operations, seconds;
    hd_kernel_attributes attributes;
    unsigned resident; /* blocks */
} found;

static hd_status measure(registers *r, found *f)
{
    const lab_launch launch = {r->running->kernel, run_case, r};
    const size_t threads = (size_t)r->blocks * VALUES_BLOCK;

    HD_TRY(hd_kernel_get(r->running->kernel, r->lab.job.device, &f->attributes));
    HD_TRY(hd_occupancy(r->running->kernel, r->lab.job.device, VALUES_BLOCK, 0, &f->resident));
    HD_TRY(run_case(r, r->lab.job.stream));
    HD_TRY(ceilings_sum(&r->lab, r->words, threads, &f->operations));
    ceilings_count_results(&r->lab);
    return lab_time(&r->lab, &launch, LAB_WARM, &f->seconds);
}

/* Whether registers hold the values. Some hardware has instructions that index registers: there the
   compiler keeps a small array in them. */
static bool in_registers(const registers *r, const found *f)
{
    const kind k = kind_of(r->running);

    return k == REGISTERS || (k == LOCAL && r->lab.gpu && f->attributes.local_bytes == 0);
}

/* Whether the compiler keeps the values where the model says. */
static bool placed(const registers *r, const found *f)
{
    if (!r->lab.gpu)
        return true;
    if (in_registers(r, f))
        return f->attributes.registers >= r->running->values && f->attributes.local_bytes == 0;
    return kind_of(r->running) == SPILL ||
           f->attributes.local_bytes >= WORD * (size_t)r->running->values;
}

static void row_print(registers *r, const found *f)
{
    const unsigned values = r->running->values;
    const kind k = kind_of(r->running);
    const double all = (double)r->blocks * VALUES_BLOCK * operations_of(r);
    const bool right = f->operations >= all && f->operations <= all, timed = f->seconds > 0;
    const bool gpu = r->lab.gpu, held = in_registers(r, f);
    const double least = least_factor[held ? REGISTERS : k], most = most_factor[k];
    lab_row row = {.wrong = !right || !placed(r, f),
                   .equal = right,
                   .seconds = f->seconds,
                   .least = least * r->fastest,
                   .most = most * r->fastest};
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u", values);
    row.point = lab_point_at(label, kinds[k]);
    row.point.predicted = held ? values : k == LOCAL ? WORD * values : LAB_NONE;
    if (timed) {
        row.point.counted = held ? f->attributes.registers : (double)f->attributes.local_bytes;
        lab_point_time(&row.point, f->seconds / r->fastest, least, most);
    }
    CLI_ROW(
        r->lab.result, cell_text(kinds[k]), cell_count(values), cell_if(held, cell_count(values)),
        cell_if(k != SPILL, cell_count(held ? 0 : WORD * values)),
        cell_if(gpu, cell_count(f->attributes.registers)),
        cell_if(gpu, cell_count(f->attributes.local_bytes)),
        cell_if(gpu, cell_count((uint64_t)f->resident * VALUES_BLOCK)), cell_number(all),
        cell_if(r->lab.job.verify, cell_number(f->operations)),
        cell_if(timed, cell_number(f->seconds)),
        cell_if(timed, cell_number(f->seconds / r->fastest)), cell_if(timed, cell_number(least)),
        cell_if(timed, cell_number(most)), cell_none(), lab_verdict(&r->lab, &row));
}

static void run_rows(void *state)
{
    registers *r = state;
    found f = {.seconds = 0};

    r->running = variants;
    if (r->lab.gpu)
        r->lab.failed = measure(r, &f);
    r->fastest = f.seconds;
    for (size_t i = 0; i < VARIANTS && r->lab.failed >= 0; i++) {
        r->running = &variants[i];
        if (!(r->kinds >> kind_of(r->running) & 1))
            continue;
        r->lab.failed = measure(r, &f);
        if (r->lab.failed >= 0)
            row_print(r, &f);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    registers *r = state;
    const cli_arguments *arguments = r->lab.job.arguments;
    int status = cli_word_list_read(arguments, "kinds", kinds, KINDS, (1u << KINDS) - 1, &r->kinds);

    if (status == CLI_DONE)
        status = lab_turns_read(&r->lab, TURNS_GPU, TURNS_GPU_MAX, TURNS_CPU, &r->turns);
    return status;
}

static hd_status open_memory(void *state)
{
    registers *r = state;

    HD_TRY(lab_blocks(&r->lab, WAVES, CPU_BLOCKS, &r->blocks));
    lab_field(&r->lab, "blocks", r->blocks);
    lab_field(&r->lab, "turns", r->turns);
    return lab_alloc(&r->lab, &r->words, (size_t)r->blocks * VALUES_BLOCK);
}

static const lab_about about = {
    "registers and bytes of local memory per thread; resident threads per compute unit",
    "operations per thread, 256 threads per block, 8 blocks per compute unit, f32",
    {"values of a thread", "registers, or bytes of local memory", "time / that of 8 values"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    registers r;

    return lab_run(&r, sizeof r, arguments, &steps);
}

static const cli_option options[] = {
    {"kinds", "LIST", "some of registers, spill, local (default: all)"},
    {"turns", "N", "128 N operations per thread (default 256; CPU: 1, at most 64)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_registers = {
    "lab registers",
    "predict and time values in registers, spilled values and local arrays",
    NULL,
    options,
    "A thread keeps 8 to 128 values and does the same number of multiply-adds with them.\n"
    "registers: the compiler knows all indices; local: it does not, so that the array is in\n"
    "local memory, or, if it is small and the hardware can index registers, in registers;\n"
    "spill: launch bounds leave 32 registers or so per thread. Registers, local memory and\n"
    "resident threads are those that the driver reports. Operations are counted from the\n"
    "results.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: blocks turns rows (case values predicted_registers predicted_local registers\n"
    "local_bytes resident predicted_operations counted_operations seconds ratio least_ratio\n"
    "most_ratio reference verdict)\n" LAB_KEYS,
    "  heddle lab registers\n"
    "  heddle lab registers --kinds local\n"
    "  heddle lab registers --csv\n",
    run};
