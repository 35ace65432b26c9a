/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_print.c - the result of `heddle mpi jacobi`. */
#include "jacobi.h"

#include "cli/app/words.h"

static double speedup(const mpi_jacobi *m)
{
    return m->alone / m->seconds;
}

static double glups(const mpi_jacobi *m)
{
    return 1e-9 * (double)m->problem.nx * (double)m->problem.ny * (double)m->sweeps / m->seconds;
}

/* "yes", "no", or why nobody knows. */
static const char *verdict(const mpi_jacobi *m)
{
    if (!m->verify)
        return "skipped";
    if (m->skipped)
        return m->skipped;
    return m->wrong_rows || m->wrong_norms ? "no" : "field and norms have the bits of one device";
}

static void print_text(const mpi_jacobi *m)
{
    const char *reason;
    const hd_mpi_path path = hd_mpi_path_used(m->job.mpi, &reason);
    const hd_mpi_place *places = hd_mpi_places(m->job.mpi);
    const char *const unit = m->job.size == 1 ? "rank" : "ranks";
    char depth[CLI_DEPTH_TEXT];

    cli_depth_text(m->depth, m->problem.depth, depth);
    printf("%d %s, backend %s, %zux%zu %s, %zu sweeps, %s\n", m->job.size, unit, places[0].backend,
           m->problem.nx, m->problem.ny, hd_type_name(m->problem.type), m->sweeps, depth);
    if (m->job.size > 1)
        printf("rows travel %s: %s\n", mpi_path_how(path), reason);
    for (size_t i = 0; i < m->norm_count; i++)
        printf("%8zu, %0.6f\n", i * m->every, m->norms[i]);
    if (m->alone > 0)
        printf("%zux%zu: 1 rank: %8.*f s, %d ranks: %8.*f s, speedup: %8.2f, efficiency: %8.2f\n",
               m->problem.nx, m->problem.ny, cli_second_digits(m->alone), m->alone, m->job.size,
               cli_second_digits(m->seconds), m->seconds, speedup(m),
               100 * speedup(m) / m->job.size);
    else
        printf("%zux%zu: %d %s: %8.*f s\n", m->problem.nx, m->problem.ny, m->job.size, unit,
               cli_second_digits(m->seconds), m->seconds);
    printf("rate     %.3f GLUP/s\n", glups(m));
    printf("verified: %s\n", verdict(m));
}

static const char *verified(const mpi_jacobi *m)
{
    if (!m->verify || m->skipped)
        return "skipped";
    return m->wrong_rows || m->wrong_norms ? "false" : "true";
}

static void print_json(const mpi_jacobi *m)
{
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_f64(&object, "ranks", m->job.size, 10);
    cli_json_f64(&object, "nx", (double)m->problem.nx, 17);
    cli_json_f64(&object, "ny", (double)m->problem.ny, 17);
    cli_json_text(&object, "type", hd_type_name(m->problem.type));
    cli_json_f64(&object, "sweeps", (double)m->sweeps, 17);
    cli_json_f64(&object, "depth", m->depth, 10);
    cli_json_text(&object, "path", mpi_path_name(hd_mpi_path_used(m->job.mpi, NULL)));
    cli_json_raw(&object, "norms", "[");
    for (size_t i = 0; i < m->norm_count; i++)
        printf("%s%.17g", i ? ", " : "", m->norms[i]);
    putchar(']');
    cli_json_f64(&object, "norm_every", (double)m->every, 17);
    cli_json_f64(&object, "seconds", m->seconds, 6);
    cli_json_f64(&object, "glups", glups(m), 6);
    if (m->alone > 0) {
        cli_json_f64(&object, "seconds_alone", m->alone, 6);
        cli_json_f64(&object, "speedup", speedup(m), 5);
        cli_json_f64(&object, "efficiency", speedup(m) / m->job.size, 5);
    }
    if (m->verify && !m->skipped)
        cli_json_raw(&object, "verified", verified(m));
    else
        cli_json_text(&object, "verified", verified(m));
    cli_json_end();
    putchar('\n');
}

static void print_csv(const mpi_jacobi *m)
{
    puts("ranks,nx,ny,sweeps,depth,path,seconds,glups,seconds_alone,speedup,efficiency,type,"
         "backend,verified");
    printf("%d,%zu,%zu,%zu,%u,%s,%.6g,%.6g,", m->job.size, m->problem.nx, m->problem.ny, m->sweeps,
           m->depth, mpi_path_name(hd_mpi_path_used(m->job.mpi, NULL)), m->seconds, glups(m));
    if (m->alone > 0)
        printf("%.6g,%.5g,%.5g", m->alone, speedup(m), speedup(m) / m->job.size);
    else
        fputs(",,", stdout);
    printf(",%s,%s,%s\n", hd_type_name(m->problem.type), hd_backend_name(), verified(m));
}

void mpi_jacobi_print(const mpi_jacobi *m)
{
    void (*const printers[])(const mpi_jacobi *) = {print_text, print_json, print_csv};

    printers[m->job.format](m);
}
