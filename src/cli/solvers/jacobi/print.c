/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the result of `heddle jacobi` as text, JSON and CSV. */
#include "jacobi.h"

#include <string.h>

#include "cli/app/words.h"

static double glups(const jacobi_run *run, const jacobi_row *row)
{
    const hd_jacobi *p = &run->problem;

    return 1e-9 * (double)p->nx * (double)p->ny * (double)p->sweeps / row->seconds;
}

/* A fraction, which JSON and CSV have; text has percent. */
static double efficiency(const jacobi_run *run, const jacobi_row *row)
{
    return jacobi_speedup(run, row) / row->devices;
}

static const char *verdict(const jacobi_run *run, const jacobi_row *row)
{
    return !run->verify ? "skipped" : jacobi_right(run, row) ? "true" : "false";
}

const char *jacobi_device_word(void)
{
    return strcmp(hd_backend_name(), "cpu") == 0 ? "device" : "GPU";
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

/* Of the norms that are shown, from one to the next. */
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

/* The line that people compare with those of other programs for the same problem. */
static void print_line(const jacobi_run *run, const jacobi_row *row)
{
    const char *word = jacobi_device_word();

    printf("%s: %.2f us/sweep, %.2f GLUP/s; one device: %.2f us/sweep, %.2f GLUP/s\n",
           hd_jacobi_variant_name(row->variant), us_per_sweep(run, row), glups(run, row),
           us_per_sweep(run, &run->one), glups(run, &run->one));
    printf("%zux%zu: 1 %s: %8.*f s, %u %s%s: %8.*f s, speedup: %8.2f, efficiency: %8.2f\n",
           run->problem.nx, run->problem.ny, word, cli_second_digits(run->one.seconds),
           run->one.seconds, row->devices, word, row->devices == 1 ? "" : "s",
           cli_second_digits(row->seconds), row->seconds, jacobi_speedup(run, row),
           100 * efficiency(run, row));
}

static void print_row(const jacobi_run *run, const char *name, const jacobi_row *row)
{
    printf("%-18s %8u %11.*f %12.2f %10.2f %8.2fx %9.2f%%  %s\n", name, row->devices,
           cli_second_digits(row->seconds), row->seconds, us_per_sweep(run, row), glups(run, row),
           jacobi_speedup(run, row), 100 * efficiency(run, row),
           row == &run->one ? "" : verdict(run, row));
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

static void print_lacking(const jacobi_row *row)
{
    printf("%-18s not run: %s\n", hd_jacobi_variant_name(row->asked), row->why);
}

/* "copy"; "auto: copy" where auto became that. */
static const char *name_of(const jacobi_row *row, char name[48])
{
    const char *asked = hd_jacobi_variant_name(row->asked);

    if (row->asked == row->variant)
        return asked;
    (void)snprintf(name, 48, "%s: %s", asked, hd_jacobi_variant_name(row->variant));
    return name;
}

/* A row for each of several variants. */
static void print_table(const jacobi_run *run)
{
    char name[48];

    printf("%-18s %8s %11s %12s %10s %9s %10s  %s\n", "variant", "devices", "seconds", "us/sweep",
           "GLUP/s", "speedup", "efficiency", "verified");
    print_row(run, "one device", &run->one);
    for (size_t i = 0; i < run->row_count; i++) {
        const jacobi_row *row = &run->rows[i];
        if (row->lacking)
            print_lacking(row);
        else
            print_row(run, name_of(row, name), row);
    }
    putchar('\n');
}

static void print_text(const jacobi_run *run)
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
    if (run->row_count > 1)
        print_table(run);
    else if (run->rows[0].lacking)
        print_lacking(&run->rows[0]);
    else
        print_line(run, &run->rows[0]);
    if (run->verify && all_right(run))
        puts("verified: every cell and norm has the bits of one device");
    else
        print_verdict(run);
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static void json_row(const jacobi_run *run, const jacobi_row *row)
{
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "variant", hd_jacobi_variant_name(row->asked));
    cli_json_text(&object, "used", hd_jacobi_variant_name(row->variant));
    cli_json_f64(&object, "seconds", row->seconds, 7);
    cli_json_f64(&object, "us_per_sweep", 1e6 * row->seconds / (double)run->problem.sweeps, 6);
    cli_json_f64(&object, "glups", glups(run, row), 6);
    cli_json_f64(&object, "speedup", jacobi_speedup(run, row), 5);
    cli_json_f64(&object, "efficiency", efficiency(run, row), 5);
    if (run->verify)
        cli_json_raw(&object, "verified", jacobi_right(run, row) ? "true" : "false");
    else
        cli_json_text(&object, "verified", "skipped");
    cli_json_end();
}

static void json_lists(const jacobi_run *run, cli_json *object)
{
    cli_json_raw(object, "norms", "[");
    for (size_t i = 0; i < jacobi_norm_count(run); i++)
        printf("%s[%zu, %.17g]", i ? ", " : "", i * run->every, run->one.norms[i]);
    putchar(']');
    cli_json_raw(object, "rows", "[");
    for (size_t i = 0, printed = 0; i < run->row_count; i++) {
        if (run->rows[i].lacking)
            continue;
        fputs(printed++ ? ",\n " : "\n ", stdout);
        json_row(run, &run->rows[i]);
    }
    fputs("\n]", stdout);
}

static void json_not_run(const jacobi_run *run, cli_json *object)
{
    cli_json_raw(object, "not_run", "[");
    for (size_t i = 0, printed = 0; i < run->row_count; i++) {
        cli_json one;
        if (!run->rows[i].lacking)
            continue;
        fputs(printed++ ? ",\n " : "\n ", stdout);
        cli_json_begin(&one);
        cli_json_text(&one, "variant", hd_jacobi_variant_name(run->rows[i].asked));
        cli_json_text(&one, "reason", run->rows[i].why);
        cli_json_end();
    }
    putchar(']');
}

static void print_json(const jacobi_run *run)
{
    char devices[CLI_DEVICES_TEXT], tiles[32];
    cli_json object;

    cli_devices_text(&run->devices, devices);
    snprintf(tiles, sizeof tiles, "%ux%u", run->tiles_x ? run->tiles_x : 1,
             run->tiles_y ? run->tiles_y : run->devices.count);
    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_text(&object, "devices", devices);
    cli_json_f64(&object, "nx", (double)run->problem.nx, 17);
    cli_json_f64(&object, "ny", (double)run->problem.ny, 17);
    cli_json_f64(&object, "niter", (double)run->problem.sweeps, 17);
    cli_json_f64(&object, "nccheck", (double)run->every, 17);
    cli_json_text(&object, "type", hd_type_name(run->problem.type));
    cli_json_f64(&object, "depth", run->depth, 9);
    cli_json_text(&object, "tiles", tiles);
    cli_json_f64(&object, "seconds_one", run->one.seconds, 7);
    json_lists(run, &object);
    json_not_run(run, &object);
    if (run->verify)
        cli_json_raw(&object, "verified", all_right(run) ? "true" : "false");
    else
        cli_json_text(&object, "verified", "skipped");
    cli_json_end();
    putchar('\n');
}

/* What was not run has a reason instead of times. */
static void csv_row(const jacobi_run *run, const jacobi_row *row)
{
    const hd_jacobi *p = &run->problem;

    printf("%s,%s,%zu,%zu,%zu,%zu,", hd_jacobi_variant_name(row->asked),
           row->lacking ? "" : hd_jacobi_variant_name(row->variant), p->nx, p->ny, p->sweeps,
           run->every);
    if (!row->lacking)
        printf("%u", run->depth);
    printf(",%u,%.7g,", row->devices, run->one.seconds);
    if (row->lacking)
        fputs(",,,,,", stdout);
    else
        printf("%.7g,%.6g,%.5g,%.5g,%s,", row->seconds, glups(run, row), jacobi_speedup(run, row),
               efficiency(run, row), verdict(run, row));
    cli_csv_cell(row->why, stdout);
    putchar('\n');
}

static void print_csv(const jacobi_run *run)
{
    puts("variant,used,nx,ny,niter,nccheck,depth,devices,seconds_one,seconds,glups,speedup,"
         "efficiency,verified,reason");
    for (size_t i = 0; i < run->row_count; i++)
        csv_row(run, &run->rows[i]);
}

int jacobi_print(const jacobi_run *run)
{
    int status;

    if (run->format == CLI_JSON)
        print_json(run);
    else if (run->format == CLI_CSV)
        print_csv(run);
    else
        print_text(run);
    status = cli_flush(run->arguments->command);
    if (status == CLI_DONE && run->verify && !all_right(run))
        return cli_failed(run->arguments->command, "the result is not that of one device");
    return status;
}
