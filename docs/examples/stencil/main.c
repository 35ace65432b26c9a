/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - heat in a plate, computed as one part and as two parts on two devices that exchange
   their halos after every step. Every cell is computed by the same operations, so the bits of the
   two results are equal. */
#include <stdio.h>
#include <string.h>

#include <heddle/halo.h>

#include "heat.h"

enum { PARTS = 2, NX = 96, NY = 64, STEPS = 200 }; /* NY rows between the boundary rows */

/* Part of the field on its device: two copies, the last step and the next one. Each has a row more
   on either side: the neighbour's (halo), or the boundary at the ends of the field. */
typedef struct plate {
    hd_part part;
    int device;
    hd_stream *stream;
    float *memory[2];
} plate;

/* `host` has NY + 2 rows: the boundary rows too. */
static hd_status load(plate *p, const float *host)
{
    const size_t cells = (p->part.ny + 2) * NX;

    HD_TRY(hd_stream_create(p->device, &p->stream));
    for (int i = 0; i < 2; i++) {
        HD_TRY(hd_alloc(&p->memory[i], cells, p->device));
        HD_TRY(hd_copy_blocking(p->memory[i], host + p->part.y * NX, cells, p->stream));
    }
    return HD_OK;
}

static hd_status step(plate *p, int from)
{
    const hd_launch_config config = hd_launch_3d(NX, p->part.ny, 1, hd_dim(64, 4, 1), p->stream);

    return hd_launch(heat_f32, config, NX, p->part.ny, NX, 0.2f, p->memory[from] + NX,
                     p->memory[1 - from] + NX);
}

/* STEPS steps; streams keep all of it in order, and the host waits only at the end. */
static hd_status run(plate *plates, unsigned parts, hd_halo *halo)
{
    hd_halo_field fields[PARTS];
    hd_stream *streams[PARTS];

    for (int s = 0; s < STEPS; s++) {
        for (unsigned i = 0; i < parts; i++) {
            HD_TRY(step(&plates[i], s % 2));
            fields[i] = (hd_halo_field){plates[i].memory[1 - s % 2] + NX, NX};
            streams[i] = plates[i].stream;
        }
        /* Sends the rows beside the cut. A row leaves after the step that computed it, and later
           work of the stream that gets it comes after its arrival: no events are needed. */
        HD_TRY(hd_halo_exchange(halo, fields, streams));
    }
    return HD_OK;
}

/* The field in `host` after STEPS steps, computed in `parts` parts. */
static hd_status solve(unsigned parts, float *host)
{
    const hd_domain domain = {.nx = NX, .ny = NY, .tiles_x = 1, .tiles_y = parts};
    plate plates[PARTS] = {{.device = 0}};
    int devices[PARTS], count;
    hd_halo *halo = NULL;
    hd_status status;

    HD_GOTO(status, end, hd_device_count(&count));
    for (unsigned i = 0; i < parts; i++) {
        plates[i].device = devices[i] = count > 0 ? (int)i % count : 0;
        HD_GOTO(status, end, hd_domain_part(&domain, i, &plates[i].part));
        HD_GOTO(status, end, load(&plates[i], host));
        printf("part %u of %u: rows %zu to %zu, device %d\n", i, parts, plates[i].part.y,
               plates[i].part.y + plates[i].part.ny - 1, devices[i]);
    }
    HD_GOTO(status, end, hd_halo_create(&domain, devices, sizeof(float), 1, 0, &halo));
    HD_GOTO(status, end, run(plates, parts, halo));
    for (unsigned i = 0; i < parts; i++)
        HD_GOTO(status, end,
                hd_copy_blocking(host + (plates[i].part.y + 1) * NX,
                                 plates[i].memory[STEPS % 2] + NX, plates[i].part.ny * NX,
                                 plates[i].stream));
end:
    hd_halo_destroy(halo);
    for (unsigned i = 0; i < parts; i++) {
        hd_free(plates[i].memory[0]);
        hd_free(plates[i].memory[1]);
        hd_stream_destroy(plates[i].stream);
    }
    return status;
}

int main(void)
{
    static float field[PARTS][(NY + 2) * NX]; /* zero, but for a boundary row of 100 degrees */
    char text[HD_ERROR_TEXT_MAX];

    for (unsigned parts = 1; parts <= PARTS; parts++) {
        for (int x = 0; x < NX; x++)
            field[parts - 1][x] = 100.0f;
        if (solve(parts, field[parts - 1]) < 0) {
            fprintf(stderr, "stencil: %s\n", hd_error_format(text, sizeof text));
            return 1;
        }
    }
    const int same = memcmp(field[0], field[1], sizeof field[0]) == 0;
    printf("eight rows below the hot side: %.4f degrees\n", (double)field[1][8 * NX + NX / 2]);
    printf("one part and two parts: %s\n", same ? "the same bits" : "DIFFERENT");
    return !same;
}
