/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - assigns a device to every rank, and exchanges the assignments. */
#include "rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "device_aware.h"

/* ---- this rank ------------------------------------------------------------------------------- */

/* The device from the options, from the environment, or by the node-local rank. */
static hd_status choose_device(const hd_mpi_options *options, const char *call, hd_mpi_place *place)
{
    const char *wanted = options->device ? options->device : hd__environment("HEDDLE_DEVICE");
    HD_TRY(hd_device_count(&place->devices));
    if (place->devices == 0)
        return hd__fail(HD_ERR_NO_DEVICE, call, "this rank sees no device");
    if (wanted && *wanted)
        return hd_device_select(wanted, &place->device);
    place->device = place->node_rank % place->devices;
    return HD_OK;
}

static hd_status describe_device(hd_mpi_place *place)
{
    int64_t warp = 0;
    HD_TRY(hd_device_get(place->device, HD_ATTR_WARP_SIZE, &warp));
    HD_TRY(hd_device_bus_id(place->device, place->bus_id, sizeof place->bus_id));
    HD_TRY(hd_device_name(place->device, place->device_name, sizeof place->device_name));
    place->warp = (int)warp;
    return HD_OK;
}

hd_status hd__mpi_describe(hd_mpi *mpi, const hd_mpi_options *options, const char *call,
                           hd_mpi_place *place)
{
    const char *reason = "";
    *place = (hd_mpi_place){0};
    place->rank = mpi->rank;
    place->pid = getpid();
    place->device = -1;
    if (gethostname(place->host, sizeof place->host - 1) != 0)
        (void)snprintf(place->host, sizeof place->host, "host unknown");
    (void)snprintf(place->backend, sizeof place->backend, "%s", hd_backend_name());
    (void)MPI_Comm_rank(mpi->node, &place->node_rank);
    (void)MPI_Comm_size(mpi->node, &place->node_ranks);
    place->device_path = hd__mpi_device_aware(&reason);
    (void)snprintf(mpi->reason, sizeof mpi->reason, "%s", reason);
    HD_TRY(choose_device(options, call, place));
    return describe_device(place);
}

/* ---- all ranks ------------------------------------------------------------------------------- */

/* Numbers the nodes, and counts the ranks per device. `leaders`: for each rank, the first rank of
   its node. */
static void compare_places(hd_mpi *mpi, const int *leaders)
{
    int nodes = 0;
    for (int r = 0; r < mpi->size; r++) {
        hd_mpi_place *place = &mpi->places[r];
        place->node = leaders[r] == r ? nodes++ : mpi->places[leaders[r]].node;
    }
    for (int r = 0; r < mpi->size; r++) {
        hd_mpi_place *place = &mpi->places[r];
        for (int other = 0; other < mpi->size; other++)
            place->shared_by += place->node == mpi->places[other].node &&
                                strcmp(place->bus_id, mpi->places[other].bus_id) == 0;
    }
}

hd_status hd__mpi_exchange_places(hd_mpi *mpi, const hd_mpi_place *own, const char *call)
{
    int *leaders = calloc((size_t)mpi->size, sizeof *leaders), leader = mpi->rank;
    hd_status status = HD_OK;
    if (!leaders)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list of %d ranks", mpi->size);
    status = hd__mpi_check(call, MPI_Bcast(&leader, 1, MPI_INT, 0, mpi->node));
    if (status >= 0)
        status = hd__mpi_check(call,
                               MPI_Allgather(&leader, 1, MPI_INT, leaders, 1, MPI_INT, mpi->comm));
    if (status >= 0)
        status = hd__mpi_check(call, MPI_Allgather(own, (int)sizeof *own, MPI_BYTE, mpi->places,
                                                   (int)sizeof *own, MPI_BYTE, mpi->comm));
    if (status >= 0)
        compare_places(mpi, leaders);
    free(leaders);
    return status;
}

/* "rank 0 device 0 (0000:1b:00.0), ..." for a node. */
static void list_node(const hd_mpi *mpi, int node, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int r = 0; r < mpi->size && at + 64 < size; r++) {
        const hd_mpi_place *place = &mpi->places[r];
        if (place->node == node)
            at += (size_t)snprintf(text + at, size - at, "%srank %d device %d (%s)", at ? ", " : "",
                                   r, place->device, place->bus_id);
    }
}

int hd__mpi_sharer(const hd_mpi *mpi)
{
    for (int r = 0; r < mpi->size; r++)
        if (mpi->places[r].shared_by > 1)
            return r;
    return -1;
}

hd_status hd__mpi_check_devices(const hd_mpi *mpi, const char *call, const char *what)
{
    const int r = hd__mpi_sharer(mpi);

    if (r < 0)
        return HD_OK;
    return hd__fail(HD_ERR_UNSUPPORTED, call,
                    "rank %d shares device %s with another one, which %s does not allow", r,
                    mpi->places[r].bus_id, what);
}

hd_status hd__mpi_check_sharing(const hd_mpi *mpi, const hd_mpi_options *options, const char *call)
{
    const hd_mpi_place *own = &mpi->places[mpi->rank];
    char list[800];
    if (!options->exclusive || own->shared_by == 1)
        return HD_OK;
    list_node(mpi, own->node, list, sizeof list);
    return hd__fail(HD_ERR_DEVICE_BUSY, call, "%d ranks share device %s: %s", own->shared_by,
                    own->bus_id, list);
}
