/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - several devices from one process: a sum over all of them, the halos of a field that they
   share, a linear system. Devices stay free of each other's memory: heddle connects them. */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/cg.h>
#include <heddle/group.h>
#include <heddle/halo.h>

enum { MOST = 8, N = 1000, NX = 64, NY = 48 };

/* Every device has N numbers r + 1, and all of them get the sums. */
static hd_status sum(hd_group *group, double *result)
{
    const unsigned ranks = hd_group_size(group);
    const void *in[MOST];
    void *out[MOST];
    double host[N];

    for (unsigned r = 0; r < ranks; r++) {
        double *x;
        for (int i = 0; i < N; i++)
            host[i] = r + 1;
        HD_TRY(hd_alloc(&x, N, hd_group_device(group, r)));
        HD_TRY(hd_copy_blocking(x, host, N, hd_group_stream(group, r)));
        in[r] = out[r] = x; /* in place */
    }
    HD_TRY(hd_group_all_reduce(group, in, out, N, HD_F64, HD_SUM, NULL));
    HD_TRY(hd_group_synchronize(group));
    HD_TRY(hd_copy_blocking_bytes(result, out[ranks - 1], 1, sizeof *result,
                                  hd_group_stream(group, ranks - 1)));
    for (unsigned r = 0; r < ranks; r++)
        HD_TRY(hd_free(out[r]));
    return HD_OK;
}

/* Stripes of a periodic field whose cells are their part's number; *halo_cell becomes what the
   first part has in the row before its own. */
static hd_status exchange(hd_group *group, float *halo_cell)
{
    const unsigned ranks = hd_group_size(group);
    const hd_domain domain = {.nx = NX, .ny = NY, .tiles_x = 1, .tiles_y = ranks, .periodic_y = 1};
    int devices[MOST];
    float *memory[MOST], host[NX * NY];
    hd_halo_field fields[MOST];
    hd_stream *streams[MOST];
    hd_halo *halo;

    for (unsigned r = 0; r < ranks; r++) {
        hd_part part;
        HD_TRY(hd_domain_part(&domain, r, &part));
        for (size_t i = 0; i < part.nx * part.ny; i++)
            host[i] = (float)r;
        devices[r] = hd_group_device(group, r);
        streams[r] = hd_group_stream(group, r);
        HD_TRY(hd_alloc(&memory[r], (part.ny + 2) * NX, devices[r])); /* a row on either side */
        fields[r] = (hd_halo_field){memory[r] + NX, NX};
        HD_TRY(hd_copy_blocking(memory[r] + NX, host, part.nx * part.ny, streams[r]));
    }
    HD_TRY(hd_halo_create(&domain, devices, sizeof(float), 1, 0, &halo));
    HD_TRY(hd_halo_exchange(halo, fields, streams));
    HD_TRY(hd_copy_blocking(halo_cell, memory[0], 1, streams[0]));
    HD_TRY(hd_group_synchronize(group));
    for (unsigned r = 0; r < ranks; r++)
        HD_TRY(hd_free(memory[r]));
    return hd_halo_destroy(halo);
}

/* -1, 4, -1: rows are shared out over the devices. */
static hd_status solve(const int *devices, unsigned count, hd_cg_report *report)
{
    static int32_t offsets[N + 1], column[3 * N];
    static double value[3 * N], b[N], x[N];
    hd_csr matrix = {.rows = N, .columns = N, .offset_type = HD_I32, .type = HD_F64};
    hd_cg *solver;
    int32_t at = 0;

    for (int32_t i = 0; i < N; i++) {
        for (int32_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < N; k++) {
            column[at] = k;
            value[at++] = k == i ? 4 : -1;
        }
        offsets[i + 1] = at;
        b[i] = 1;
    }
    matrix.entries = (size_t)at;
    matrix.offsets = offsets;
    matrix.column = column;
    matrix.value = value;
    HD_TRY(hd_cg_create(devices, count, &matrix, NULL, &solver));
    HD_TRY(hd_cg_solve(solver, b, x, 1e-10, 100, report));
    return hd_cg_destroy(solver);
}

static hd_status all(void)
{
    int devices[MOST], count = 0;
    float halo_cell = -1;
    double total = 0;
    hd_cg_report report;
    hd_group *group;

    HD_TRY(hd_device_select(NULL, &devices[0])); /* an error where there is none */
    HD_TRY(hd_device_count(&count));
    count = count < MOST ? count : MOST;
    for (int i = 0; i < count; i++)
        devices[i] = i;
    HD_TRY(hd_group_create(devices, (unsigned)count, NULL, &group));
    HD_TRY(sum(group, &total));
    HD_TRY(exchange(group, &halo_cell));
    HD_TRY(hd_group_destroy(group));
    HD_TRY(solve(devices, (unsigned)count, &report));
    printf("%d devices: sum %g, halo of part 0 from part %g, %zu iterations, residual %.1e\n",
           count, total, (double)halo_cell, report.iterations, report.true_residual);
    return report.converged ? HD_OK : HD_NOT_READY;
}

int main(void)
{
    char text[HD_ERROR_TEXT_MAX];

    if (all() == HD_OK)
        return 0;
    fprintf(stderr, "several: %s\n", hd_error_format(text, sizeof text));
    return 1;
}
