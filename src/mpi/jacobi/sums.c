/* SPDX-License-Identifier: Apache-2.0 */
/* sums.c - norms of a field over ranks, bit-identical to those of one device. The partial sums of
   all stripes, in the order of the field, are split into tiles; the rank that has a tile's first
   sum folds it and receives the others. Every rank receives the few sums of tiles and adds them in
   the same order. */
#include <math.h>
#include <stdlib.h>

#include "jacobi.h"

enum { SUMS_BYTES = 64 << 20 };

/* ---- distribution ---------------------------------------------------------------------------- */

static uint64_t tiles_before(uint64_t sum)
{
    return (sum + HD__JACOBI_TILE - 1) / HD__JACOBI_TILE;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static hd_status plan_share(const hd_mpi_jacobi *j, int rank, hd__mpi_share *s)
{
    hd_part part;
    uint64_t tile;
    HD_TRY(hd_domain_part(&j->domain, (unsigned)rank, &part));
    s->first = part.y / j->band * (uint64_t)j->quads;
    s->count = (part.ny + j->band - 1) / j->band * (uint64_t)j->quads;
    tile = tiles_before(s->first);
    s->tiles = (uint32_t)(tiles_before(s->first + s->count) - tile);
    s->lead = least(tile * HD__JACOBI_TILE - s->first, s->count);
    if (s->tiles)
        s->tail = least((tile + s->tiles) * HD__JACOBI_TILE, j->all_sums) - (s->first + s->count);
    return HD_OK;
}

static hd_status plan_shares(hd_mpi_jacobi *j)
{
    hd__mpi_share *shares = j->sums.shares;
    for (int r = 0; r < j->mpi->size; r++)
        HD_TRY(plan_share(j, r, &shares[r]));
    for (int r = 1; r < j->mpi->size; r++) {
        hd__mpi_share *s = &shares[r];
        s->taker = r - 1;
        while (s->lead && shares[s->taker].tiles == 0)
            s->taker--;
        s->lead_at = s->first - (shares[s->taker].first + shares[s->taker].count);
    }
    return HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static unsigned choose_slots(const hd_mpi_jacobi *j)
{
    const uint64_t bytes = (j->all_sums / (uint64_t)j->mpi->size + HD__JACOBI_TILE) * j->element;
    const uint64_t fit = SUMS_BYTES / (bytes ? bytes : 1);
    const unsigned slots = fit > HD__MPI_SLOTS_MAX ? HD__MPI_SLOTS_MAX : (unsigned)fit;
    return slots < j->depth ? j->depth : slots;
}

static hd_status host_memory(hd_mpi_jacobi *j)
{
    hd__mpi_sums *s = &j->sums;
    const size_t ranks = (size_t)j->mpi->size;
    s->shares = calloc(ranks, sizeof *s->shares);
    s->counts = calloc(ranks, sizeof *s->counts);
    s->places = calloc(ranks, sizeof *s->places);
    s->gathered = calloc((size_t)j->all_tiles * s->slots + 1, sizeof *s->gathered);
    if (!s->shares || !s->counts || !s->places || !s->gathered)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_mpi_jacobi_create", "no memory for norms");
    return HD_OK;
}

hd_status hd__mpi_sums_open(hd_mpi_jacobi *j)
{
    hd__mpi_sums *s = &j->sums;
    const int device = j->mpi->device;
    const hd__mpi_share *own;
    s->slots = choose_slots(j);
    HD_TRY(host_memory(j));
    HD_TRY(plan_shares(j));
    own = &s->shares[j->mpi->rank];
    s->stride = own->count + own->tail;
    HD_TRY(hd_alloc_bytes(&s->partials, s->stride * s->slots, j->element, HD_MEM_DEVICE, device));
    HD_TRY(hd_alloc_bytes(&s->packed, (own->lead + own->tail) * s->slots, j->element, HD_MEM_DEVICE,
                          device));
    HD_TRY(hd_alloc(&s->tiles, (size_t)own->tiles * s->slots + 1, device));
    HD_TRY(hd_alloc(&s->ignored, 1, device));
    HD_TRY(hd_alloc(&s->ticket, 1, device));
    HD_TRY(hd_fill_zero(s->ticket, 1, j->main));
    return hd_alloc_kind(&s->tiles_host, (size_t)own->tiles * s->slots + 1, HD_MEM_PINNED, device);
}

void hd__mpi_sums_close(hd_mpi_jacobi *j)
{
    hd__mpi_sums *s = &j->sums;
    (void)hd_free(s->partials);
    (void)hd_free(s->packed);
    (void)hd_free(s->tiles);
    (void)hd_free(s->ignored);
    (void)hd_free(s->ticket);
    (void)hd_free(s->tiles_host);
    free(s->shares);
    free(s->counts);
    free(s->places);
    free(s->gathered);
}

/* ---- sending the leading sums ---------------------------------------------------------------- */

static hd_status pack_lead(hd_mpi_jacobi *j)
{
    const hd__mpi_sums *s = &j->sums;
    const size_t row = s->shares[j->mpi->rank].lead * j->element;
    return hd_copy_2d(s->packed, row, s->partials, s->stride * j->element, row, s->used, j->main);
}

/* Tails come from the following ranks, each with its sweeps one after another. */
static hd_status unpack_tails(hd_mpi_jacobi *j)
{
    const hd__mpi_sums *s = &j->sums;
    const hd__mpi_share *own = &s->shares[j->mpi->rank];
    const char *at = (const char *)s->packed + own->lead * s->slots * j->element;
    for (int r = j->mpi->rank + 1; r < j->mpi->size; r++) {
        const hd__mpi_share *from = &s->shares[r];
        const size_t row = from->lead * j->element;
        char *to = (char *)s->partials + (own->count + from->lead_at) * j->element;
        if (row == 0 || from->taker != j->mpi->rank)
            continue;
        HD_TRY(hd_copy_2d(to, s->stride * j->element, at, row, row, s->used, j->main));
        at += row * s->used;
    }
    return HD_OK;
}

static hd_status exchange_leads(hd_mpi_jacobi *j, hd_mpi_message *messages)
{
    const hd__mpi_sums *s = &j->sums;
    const hd__mpi_share *own = &s->shares[j->mpi->rank];
    char *at = (char *)s->packed + own->lead * s->slots * j->element;
    size_t count = 0;
    if (own->lead)
        messages[count++] = (hd_mpi_message){
            .peer = own->taker, .send = s->packed, .send_bytes = own->lead * s->used * j->element};
    for (int r = j->mpi->rank + 1; r < j->mpi->size; r++) {
        const hd__mpi_share *from = &s->shares[r];
        if (from->lead == 0 || from->taker != j->mpi->rank)
            continue;
        messages[count] = (hd_mpi_message){
            .peer = r, .receive = at, .receive_bytes = from->lead * s->used * j->element};
        at += messages[count++].receive_bytes;
    }
    return hd_mpi_exchange(j->mpi, messages, count, j->main);
}

/* Takes part in the exchange even if packing failed. */
static hd_status move_leads(hd_mpi_jacobi *j)
{
    hd_mpi_message *messages = calloc((size_t)j->mpi->size + 1, sizeof *messages);
    hd_status status = HD_OK, moved;
    if (!messages)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_mpi_jacobi_run", "no memory for %d messages",
                        j->mpi->size + 1);
    if (j->sums.shares[j->mpi->rank].lead)
        status = pack_lead(j);
    moved = exchange_leads(j, messages);
    free(messages);
    HD_TRY(status);
    HD_TRY(moved);
    return unpack_tails(j);
}

/* ---- folds ----------------------------------------------------------------------------------- */

static hd_status fold(hd_mpi_jacobi *j, unsigned slot)
{
    const hd__mpi_sums *s = &j->sums;
    const hd__mpi_share *own = &s->shares[j->mpi->rank];
    const unsigned threads = hd__jacobi_lanes() ? HD__JACOBI_SLOTS : 1;
    const hd_launch_config config = hd_launch_with(hd_dim(own->tiles, 1, 1), hd_dim(threads, 1, 1),
                                                   0, j->main);
    hd__jacobi_fold_task task = {0};
    task.partials = (const char *)s->partials + (slot * s->stride + own->lead) * j->element;
    task.tiles = s->tiles + (size_t)slot * own->tiles;
    task.tickets = s->ticket;
    task.norms = s->ignored;
    task.count = s->stride - own->lead;
    task.tile_count = own->tiles;
    return j->type == HD_F32 ? hd_launch(hd__jacobi_fold_f32, config, task)
                             : hd_launch(hd__jacobi_fold_f64, config, task);
}

static hd_status fold_own(hd_mpi_jacobi *j)
{
    const hd__mpi_sums *s = &j->sums;
    const size_t tiles = s->shares[j->mpi->rank].tiles;
    for (unsigned slot = 0; slot < s->used && tiles; slot++)
        HD_TRY(fold(j, slot));
    if (tiles)
        HD_TRY(hd_copy(s->tiles_host, s->tiles, tiles * s->used, j->main));
    return hd_stream_synchronize(j->main);
}

/* fold() of docs/laplace.md for the tiles of one sweep, in rank order. */
static double fold_tiles(const hd_mpi_jacobi *j, unsigned slot)
{
    const hd__mpi_sums *s = &j->sums;
    double sums[HD__JACOBI_SLOTS] = {0};
    size_t tile = 0;
    for (int r = 0; r < j->mpi->size; r++) {
        const double *own = s->gathered + s->places[r] + (size_t)slot * s->shares[r].tiles;
        for (uint32_t i = 0; i < s->shares[r].tiles; i++, tile++)
            sums[tile % HD__JACOBI_SLOTS] += own[i];
    }
    for (unsigned left = HD__JACOBI_SLOTS / 2; left > 0; left /= 2)
        for (unsigned c = 0; c < left; c++)
            sums[c] = sums[2 * c] + sums[2 * c + 1];
    return sqrt(sums[0]);
}

static hd_status gather_tiles(hd_mpi_jacobi *j)
{
    hd__mpi_sums *s = &j->sums;
    int at = 0, code;
    for (int r = 0; r < j->mpi->size; r++) {
        s->counts[r] = (int)(s->shares[r].tiles * s->used);
        s->places[r] = at;
        at += s->counts[r];
    }
    hd__mpi_watch_enter(j->mpi->watch, HD__MPI_GATHER, HD__MPI_EVERYBODY);
    code = MPI_Allgatherv(s->tiles_host, s->counts[j->mpi->rank], MPI_DOUBLE, s->gathered,
                          s->counts, s->places, MPI_DOUBLE, j->mpi->comm);
    hd__mpi_watch_leave(j->mpi->watch);
    return hd__mpi_check("hd_mpi_jacobi_run", code);
}

hd_status hd__mpi_sums_gather(hd_mpi_jacobi *j, hd_status status)
{
    hd__mpi_sums *s = &j->sums;
    HD_TRY(hd_mpi_agree(j->mpi, status));
    if (s->used == 0)
        return HD_OK;
    HD_TRY(hd_mpi_agree(j->mpi, move_leads(j)));
    status = fold_own(j);
    HD_TRY(hd_mpi_agree(j->mpi, status));
    HD_TRY(gather_tiles(j));
    for (unsigned slot = 0; slot < s->used; slot++)
        if (s->wanted[slot])
            *s->wanted[slot] = fold_tiles(j, slot);
    s->used = 0;
    return HD_OK;
}
