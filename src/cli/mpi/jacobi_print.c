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

/* "yes", "no", or why verification was skipped. */
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

static int print_fields(const mpi_jacobi *m)
{
    const bool alone = m->alone > 0;
    char norm[CLI_NUMBER];
    cli_result result;

    mpi_result_begin(&result, &m->job);
    cli_field(&result, "nx", cell_count(m->problem.nx));
    cli_field(&result, "ny", cell_count(m->problem.ny));
    cli_field(&result, "sweeps", cell_count(m->sweeps));
    cli_field(&result, "depth", cell_count(m->depth));
    cli_field(&result, "path", cell_text(mpi_path_name(hd_mpi_path_used(m->job.mpi, NULL))));
    cli_field(&result, "seconds", cell_number(m->seconds));
    cli_field(&result, "glups", cell_number(glups(m)));
    cli_field(&result, "seconds_alone", cell_if(alone, cell_number(m->alone)));
    cli_field(&result, "speedup", cell_if(alone, cell_number(speedup(m))));
    cli_field(&result, "efficiency", cell_if(alone, cell_number(speedup(m) / m->job.size)));
    cli_field(&result, "type", cell_text(hd_type_name(m->problem.type)));
    cli_field(&result, "norm_every", cell_count(m->every));
    cli_list_begin(&result, "norms", false);
    for (size_t i = 0; i < m->norm_count; i++) {
        cli_text_f64(m->norms[i], norm);
        cli_item(&result, cell_digits(norm));
    }
    cli_list_end(&result);
    cli_field(&result, "verified",
              cell_verdict(m->verify && !m->skipped, !m->wrong_rows && !m->wrong_norms));
    return cli_result_end(&result);
}

int mpi_jacobi_print(const mpi_jacobi *m)
{
    if (m->job.format != CLI_TEXT)
        return print_fields(m);
    print_text(m);
    return cli_flush(m->job.arguments->command);
}
