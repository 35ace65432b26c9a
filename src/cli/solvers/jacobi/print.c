/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the result of `heddle jacobi` as text, JSON and CSV. */
#include "jacobi.h"

#include <string.h>

#include "cli/app/table.h"
#include "cli/app/words.h"

static double glups(const jacobi_run *run, const jacobi_row *row)
{
    const hd_jacobi *p = &run->problem;

    return 1e-9 * (double)p->nx * (double)p->ny * (double)p->sweeps / row->seconds;
}

/* A fraction, as in JSON and CSV; text prints percent. */
static double efficiency(const jacobi_run *run, const jacobi_row *row)
{
    return jacobi_speedup(run, row) / row->devices;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_devices(const jacobi_run *run)
{
    const char *word = jacobi_device_word();

    printf("Num %ss: %u. Using %s ID:", word, run->devices.count, word);
    for (unsigned i = 0; i < run->devices.count; i++)
        printf("%s %d", i ? "," : "", run->devices.device[i]);
    printf("\n%s", run->paths);
    if (run->tiles_x > 1)
        printf("%u x %u tiles\n", run->tiles_x, run->tiles_y);
}

/* Step between the norms that are printed. */
static size_t norm_step(const jacobi_run *run)
{
    const size_t count = jacobi_norm_count(run), shown = 20;

    return count > shown ? (count + shown - 1) / shown : 1;
}

static void print_every(const jacobi_run *run)
{
    const size_t count = jacobi_norm_count(run), step = norm_step(run);

    if (run->every)
        printf(" with norm check every %zu iterations", run->every);
    if (step > 1)
        printf(" (%zu of %zu shown)", (count + step - 1) / step, count);
}

static void print_norms(const jacobi_run *run)
{
    const size_t count = jacobi_norm_count(run), step = norm_step(run);

    for (size_t i = 0; i < count; i += step) {
        const double known = jacobi_known(run, i * run->every);
        printf("%6zu, %0.6f", i * run->every, run->one.norms[i]);
        if (known > 0)
            printf("  (known: %0.6f)", known);
        putchar('\n');
    }
    if (count)
        putchar('\n');
}

static double us_per_sweep(const jacobi_run *run, const jacobi_row *row)
{
    return 1e6 * row->seconds / (double)run->problem.sweeps;
}

/* The summary line, in the format of other programs for the same problem. */
static void print_line(const jacobi_run *run, const jacobi_row *row)
{
    const char *word = jacobi_device_word();

    if (jacobi_same_as_one(run, row)) {
        printf("%s: %.2f us/sweep, %.2f GLUP/s\n", hd_jacobi_variant_name(row->variant),
               us_per_sweep(run, row), glups(run, row));
        printf("%zux%zu: 1 %s: %8.*f s; a speedup needs more devices\n", run->problem.nx,
               run->problem.ny, word, cli_second_digits(row->seconds), row->seconds);
        return;
    }
    printf("%s: %.2f us/sweep, %.2f GLUP/s; one device: %.2f us/sweep, %.2f GLUP/s\n",
           hd_jacobi_variant_name(row->variant), us_per_sweep(run, row), glups(run, row),
           us_per_sweep(run, &run->one), glups(run, &run->one));
    printf("%zux%zu: 1 %s: %8.*f s, %u %s%s: %8.*f s, speedup: %8.2f, efficiency: %8.2f\n",
           run->problem.nx, run->problem.ny, word, cli_second_digits(run->one.seconds),
           run->one.seconds, row->devices, word, row->devices == 1 ? "" : "s",
           cli_second_digits(row->seconds), row->seconds, jacobi_speedup(run, row),
           100 * efficiency(run, row));
}

static void print_verdict(const jacobi_run *run)
{
    if (!run->verify) {
        puts("verified: skipped");
        return;
    }
    for (size_t i = 0; i < run->row_count; i++) {
        const jacobi_row *row = &run->rows[i];
        const char *name = hd_jacobi_variant_name(row->asked);
        if (row->lacking)
            continue;
        if (row->wrong)
            printf("verified: no, with %s %zu cells differ from one device\n", name, row->wrong);
        if (row->wrong_norm != SIZE_MAX)
            printf("verified: no, with %s the norm of sweep %zu differs from one device\n", name,
                   row->wrong_norm * run->every);
    }
    if (run->unknown != SIZE_MAX)
        printf("verified: no, the norm of sweep %zu is not the known one\n",
               run->unknown * run->every);
}

static int all_right(const jacobi_run *run)
{
    for (size_t i = 0; i < run->row_count; i++)
        if (!run->rows[i].lacking && !jacobi_right(run, &run->rows[i]))
            return 0;
    return 1;
}

/* "copy"; "auto: copy" if auto chose it. */
static const char *name_of(const jacobi_row *row, char name[48])
{
    const char *asked = hd_jacobi_variant_name(row->asked);

    if (row->lacking || row->asked == row->variant)
        return asked;
    (void)snprintf(name, 48, "%s: %s", asked, hd_jacobi_variant_name(row->variant));
    return name;
}

static const cli_column columns[] = {
    {.key = "variant"},
    {.key = "used"},
    {.key = "nx", .once = true},
    {.key = "ny", .once = true},
    {.key = "niter", .once = true},
    {.key = "nccheck", .once = true},
    {.key = "depth", .once = true},
    {.heading = "variant", .width = -18},
    {.key = "devices", .heading = "devices", .width = 8},
    {.key = "seconds_one", .once = true, .digits = 7},
    {.key = "seconds", .heading = "seconds", .width = 11, .digits = 7},
    {.heading = "us/sweep", .width = 12, .decimals = 2},
    {.key = "glups", .heading = "GLUP/s", .width = 10, .decimals = 2},
    {.key = "speedup", .heading = "speedup", .width = 9, .decimals = 2, .unit = "x", .digits = 5},
    {.key = "efficiency",
     .heading = "efficiency",
     .width = 10,
     .decimals = 2,
     .scale = 100,
     .unit = "%",
     .digits = 5},
    {.key = "verified", .heading = "verified", .width = -1, .gap = 2},
    {.key = "reason"},
    {.key = "us_per_sweep"},
};

/* Number of columns in text after the name. */
enum { NAME_SHOWN = 1, ALL_SHOWN = sizeof columns / sizeof *columns };

/* A row for a variant, or for one device (text only, not verified). What was not run shows the
   reason instead of times. */
static void print_row(const jacobi_run *run, const jacobi_row *row, cli_result *result)
{
    const hd_jacobi *p = &run->problem;
    const bool ran = !row->lacking, one = row == &run->one;
    char name[48], seconds[CLI_NUMBER], note[sizeof row->why + 16];

    (void)snprintf(seconds, sizeof seconds, "%.*f", cli_second_digits(row->seconds), row->seconds);
    (void)snprintf(note, sizeof note, "not run: %s", row->why);
    CLI_ROW_NOTED(
        result, ran ? ALL_SHOWN : NAME_SHOWN, ran ? NULL : note,
        cell_text(hd_jacobi_variant_name(row->asked)),
        cell_if(ran, cell_text(hd_jacobi_variant_name(row->variant))), cell_count(p->nx),
        cell_count(p->ny), cell_count(p->sweeps), cell_count(run->every),
        cell_if(ran, cell_count(run->depth)), cell_text(one ? "one device" : name_of(row, name)),
        cell_count(row->devices), cell_number(run->one.seconds),
        cell_if(ran, cell_shown(cell_number(row->seconds), seconds)),
        cell_if(ran, cell_number(us_per_sweep(run, row))),
        cell_if(ran, cell_number(glups(run, row))),
        cell_if(ran, cell_number(jacobi_speedup(run, row))),
        cell_if(ran, cell_number(efficiency(run, row))),
        one ? cell_text("") : cell_if(ran, cell_verdict(run->verify, jacobi_right(run, row))),
        cell_if(!ran, cell_text(row->why)), cell_if(ran, cell_number(us_per_sweep(run, row))));
}

static void print_table(const jacobi_run *run, cli_result *result)
{
    bool same = false;

    for (size_t i = 0; i < run->row_count; i++)
        same |= jacobi_same_as_one(run, &run->rows[i]);
    CLI_TABLE(result, "rows", columns);
    if (run->format == CLI_TEXT && !same)
        print_row(run, &run->one, result);
    for (size_t i = 0; i < run->row_count; i++)
        print_row(run, &run->rows[i], result);
    cli_table_end(result);
}

static void print_head(const jacobi_run *run)
{
    const hd_jacobi *p = &run->problem;
    char depth[CLI_DEPTH_TEXT];

    cli_depth_text(run->depth, p->depth, depth);
    printf("Jacobi relaxation: %zu iterations on %zu x %zu mesh (%s, %s)", p->sweeps, p->nx, p->ny,
           hd_type_name(p->type), depth);
    print_every(run);
    printf("\nbackend %s\n", hd_backend_name());
    print_devices(run);
    putchar('\n');
    print_norms(run);
}

static void print_text(const jacobi_run *run, cli_result *result)
{
    const jacobi_row *row = &run->rows[0];

    print_head(run);
    if (run->row_count > 1) {
        print_table(run, result);
        putchar('\n');
    } else if (row->lacking) {
        printf("%-18s not run: %s\n", hd_jacobi_variant_name(row->asked), row->why);
    } else {
        print_line(run, row);
    }
    if (run->verify && all_right(run))
        puts("verified: every cell and norm has the bits of one device");
    else
        print_verdict(run);
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

/* Pairs of a sweep and its norm. */
static void print_norm_list(const jacobi_run *run, cli_result *result)
{
    char pair[2 * CLI_NUMBER];

    cli_list_begin(result, "norms", false);
    for (size_t i = 0; i < jacobi_norm_count(run); i++) {
        (void)snprintf(pair, sizeof pair, "%zu, %.17g", i * run->every, run->one.norms[i]);
        cli_item(result, cell_list(pair));
    }
    cli_list_end(result);
}

static void print_fields(const jacobi_run *run, cli_result *result)
{
    const hd_jacobi *p = &run->problem;
    char tiles[32];

    (void)snprintf(tiles, sizeof tiles, "%ux%u", run->tiles_x ? run->tiles_x : 1,
                   run->tiles_y ? run->tiles_y : run->devices.count);
    cli_field(result, "nx", cell_count(p->nx));
    cli_field(result, "ny", cell_count(p->ny));
    cli_field(result, "niter", cell_count(p->sweeps));
    cli_field(result, "nccheck", cell_count(run->every));
    cli_field(result, "type", cell_text(hd_type_name(p->type)));
    cli_field(result, "depth", cell_count(run->depth));
    cli_field(result, "tiles", cell_text(tiles));
    cli_field_digits(result, "seconds_one", run->one.seconds, 7);
    print_norm_list(run, result);
    print_table(run, result);
    cli_field(result, "verified", cell_verdict(run->verify, all_right(run)));
}

int jacobi_print(const jacobi_run *run)
{
    cli_result result;
    int status;

    cli_result_begin_devices(&result, run->arguments->command, run->format, &run->devices);
    if (run->format == CLI_TEXT)
        print_text(run, &result);
    else
        print_fields(run, &result);
    status = cli_result_end(&result);
    if (status == CLI_DONE && run->verify && !all_right(run))
        return cli_failed(run->arguments->command, "the result is not that of one device");
    return status;
}
