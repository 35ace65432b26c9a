/* SPDX-License-Identifier: Apache-2.0 */
/* remote_run.c - one device accesses every kind of memory, its own and another device's. */
#include "remote.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/peer/pattern.h"
#include "cli/bench/kernels/bench.h"
#include "cli/links/kernels/remote.h"
#include "cli/app/progress.h"

const char *remote_place_name(remote_place place)
{
    static const char *const names[] = {
#define PLACE_NAME_(name, text, kind, remote) text,
        REMOTE_PLACE_LIST(PLACE_NAME_)
#undef PLACE_NAME_
    };
    return names[place];
}

enum { STEPS_MAX = 20000, ATOMIC_TURNS_MAX = 64, ATOMIC_CELLS_MAX = 1 << 16, WRITTEN = 0x5aa50ff0 };
static const double atomic_seconds = 0.01; /* of a launch of additions, or of one iteration */

/* One kind of memory while it is measured. */
typedef struct spot {
    remote *r;
    remote_row *row;
    hd_memory_kind kind;
    int owner;
    uint32_t *memory, *seen; /* address for its owner, and for the accessing device */
    uint32_t *own;           /* memory of the accessing device: destination of loads, results */
    uint32_t *host;
    hd_stream *owners; /* a stream of the owner */
    uint32_t links, steps, cells;
    uint32_t turns_apart, turns_shared; /* additions per thread: to its own cell, to one cell */
} spot;

static void wrong(const spot *s, const char *what)
{
    if (!s->r->wrong[0])
        (void)snprintf(s->r->wrong, sizeof s->r->wrong, "%s of memory %s", what,
                       remote_place_name((remote_place)(s->row - s->r->rows)));
}

/* ---- contents -------------------------------------------------------------------------------- */

static hd_status upload(const spot *s, size_t bytes)
{
    if (s->kind != HD_MEM_MAPPED)
        return hd_copy_blocking_bytes(s->memory, s->host, bytes, 1, s->owners);
    memcpy(s->memory, s->host, bytes);
    return HD_OK;
}

static hd_status download(const spot *s, size_t bytes)
{
    if (s->kind != HD_MEM_MAPPED)
        return hd_copy_blocking_bytes(s->host, s->memory, bytes, 1, s->owners);
    memcpy(s->host, s->memory, bytes);
    return HD_OK;
}

/* ---- timed calls ----------------------------------------------------------------------------- */

static hd_launch_config vectors_shape(const spot *s)
{
    const size_t vectors = s->r->bytes / sizeof(hd_u32x4);

    return hd_launch_with(hd_dim((unsigned)((vectors - 1) / CEILING_VECTORS + 1), 1, 1),
                          hd_dim(CEILING_THREADS, 1, 1), 0, s->r->timing.stream);
}

static hd_status loads(const spot *s)
{
    return hd_launch(ceiling_read, vectors_shape(s), s->r->bytes / sizeof(hd_u32x4),
                     (const hd_u32x4 *)(const void *)s->seen, s->own);
}

static hd_status stores(const spot *s)
{
    return hd_launch(ceiling_write, vectors_shape(s), s->r->bytes / sizeof(hd_u32x4),
                     (uint32_t)WRITTEN, (hd_u32x4 *)(void *)s->seen);
}

static hd_status additions(const spot *s, uint32_t cells, uint32_t turns)
{
    return hd_launch(remote_atomics,
                     hd_launch_with(hd_dim(s->cells / REMOTE_THREADS, 1, 1),
                                    hd_dim(REMOTE_THREADS, 1, 1), 0, s->r->timing.stream),
                     (unsigned)turns, cells, s->seen);
}

static hd_status additions_apart(const spot *s)
{
    return additions(s, s->cells, s->turns_apart);
}

static hd_status additions_shared(const spot *s)
{
    return additions(s, 1, s->turns_shared);
}

/* Additions to one cell of host memory are a thousand times slower than to cells on a device. */
static hd_status choose_turns(const spot *s, uint32_t cells, uint32_t *turns)
{
    HD_TRY(hd_stream_synchronize(s->r->timing.stream));
    const double began = cli_now();
    HD_TRY(additions(s, cells, 1));
    HD_TRY(hd_stream_synchronize(s->r->timing.stream));
    const double fit = atomic_seconds / (cli_now() - began);
    *turns = fit < 1 ? 1 : fit < ATOMIC_TURNS_MAX ? (uint32_t)fit : ATOMIC_TURNS_MAX;
    return HD_OK;
}

static hd_status chase(const spot *s)
{
    return hd_launch(remote_chase, hd_launch_1d(1, 1, s->r->timing.stream), (unsigned)s->steps,
                     (const uint32_t *)s->seen, 0u, s->own);
}

typedef struct timed {
    const spot *s;
    hd_status (*call)(const spot *s);
} timed;

static int run_timed(void *state, size_t turn)
{
    const timed *t = state;

    (void)turn;
    return t->call(t->s) < 0 ? timing_failed_call(&t->s->r->timing) : 0;
}

/* Median seconds of the call. */
static int time_call(const spot *s, hd_status (*call)(const spot *s), double *seconds)
{
    timing *t = &s->r->timing;
    timed state = {s, call};
    timing_side *side = calloc(1, sizeof *side);
    int status = side ? 0 : -1;

    if (side) {
        side->run = run_timed;
        side->state = &state;
        status = timing_measure(t, side, 1);
    }
    if (status == 0)
        *seconds = timing_spread_of(side, t->rounds).median;
    free(side);
    return status;
}

/* ---- each kind of access --------------------------------------------------------------------- */

static hd_status check_loads(const spot *s)
{
    const size_t words = s->r->bytes / 4;
    hd_stream *stream = s->r->timing.stream;
    uint32_t *count = s->own + words, differ = 0;

    for (size_t i = 0; i < words; i++)
        s->host[i] = hd__pattern_word(7, i);
    HD_TRY(upload(s, s->r->bytes));
    HD_TRY(hd_launch(ceiling_copy, vectors_shape(s), words / 4,
                     (const hd_u32x4 *)(const void *)s->seen, (hd_u32x4 *)(void *)s->own));
    HD_TRY(hd_fill_zero(count, 1, stream));
    HD_TRY(hd__pattern_compare(words, 7, s->own, count, stream));
    HD_TRY(hd_copy_blocking(&differ, (const uint32_t *)count, 1, stream));
    if (differ)
        wrong(s, "loads");
    return HD_OK;
}

static hd_status check_stores(const spot *s)
{
    HD_TRY(stores(s));
    HD_TRY(hd_stream_synchronize(s->r->timing.stream));
    HD_TRY(download(s, s->r->bytes));
    for (size_t i = 0; i < s->r->bytes / 4; i++)
        if (s->host[i] != WRITTEN) {
            wrong(s, "stores");
            break;
        }
    return HD_OK;
}

/* Each cell must have the number of additions of its threads. */
static hd_status check_additions(const spot *s, uint32_t cells, uint32_t turns)
{
    const uint32_t expected = turns * (s->cells / cells);

    memset(s->host, 0, s->cells * sizeof *s->host);
    HD_TRY(upload(s, s->cells * sizeof *s->host));
    HD_TRY(additions(s, cells, turns));
    HD_TRY(hd_stream_synchronize(s->r->timing.stream));
    HD_TRY(download(s, s->cells * sizeof *s->host));
    for (uint32_t i = 0; i < cells; i++)
        if (s->host[i] != expected) {
            wrong(s, "atomics");
            break;
        }
    return HD_OK;
}

/* A random cycle through all links (S. Sattolo, Information Processing Letters 22, 1986). */
static void chain_make(const spot *s)
{
    uint64_t random = 88172645463325252u;

    for (uint32_t i = 0; i < s->links; i++)
        s->host[(size_t)i * REMOTE_STRIDE] = i;
    for (uint32_t i = s->links - 1; i > 0; i--) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t *a = &s->host[(size_t)i * REMOTE_STRIDE];
        uint32_t *b = &s->host[(size_t)(random % i) * REMOTE_STRIDE];
        const uint32_t was = *a;
        *a = *b;
        *b = was;
    }
}

static hd_status check_chase(const spot *s)
{
    uint32_t at = 0, found = 0;

    chain_make(s);
    for (uint32_t i = 0; i < s->steps; i++)
        at = s->host[(size_t)at * REMOTE_STRIDE];
    HD_TRY(upload(s, (size_t)s->links * REMOTE_STRIDE * 4));
    HD_TRY(chase(s));
    HD_TRY(hd_copy_blocking(&found, (const uint32_t *)s->own, 1, s->r->timing.stream));
    if (found != at)
        wrong(s, "a chain of loads");
    return HD_OK;
}

/* Memory is checked before it is timed; the chain comes last, because later accesses would
   overwrite it. */
static int measure_spot(spot *s)
{
    const int atomics = s->kind == HD_MEM_MAPPED || s->owner == s->r->devices.device[0] ||
                        s->r->pair.atomics;
    double load, store, apart = 0, shared = 0, all;

    if (check_loads(s) < 0 || time_call(s, loads, &load) < 0 || check_stores(s) < 0 ||
        time_call(s, stores, &store) < 0)
        return -1;
    if (atomics &&
        (choose_turns(s, s->cells, &s->turns_apart) < 0 ||
         choose_turns(s, 1, &s->turns_shared) < 0 ||
         check_additions(s, s->cells, s->turns_apart) < 0 ||
         check_additions(s, 1, s->turns_shared) < 0 || time_call(s, additions_apart, &apart) < 0 ||
         time_call(s, additions_shared, &shared) < 0))
        return -1;
    if (check_chase(s) < 0 || time_call(s, chase, &all) < 0)
        return -1;
    s->row->load = (double)s->r->bytes / load;
    s->row->store = (double)s->r->bytes / store;
    s->row->atomics = apart > 0 ? (double)s->turns_apart * s->cells / apart : 0;
    s->row->shared = shared > 0 ? (double)s->turns_shared * s->cells / shared : 0;
    s->row->latency = all / s->steps;
    return 0;
}

/* ---- kinds of memory ------------------------------------------------------------------------- */

static hd_status concurrent_managed(const remote *r, int *yes)
{
    int64_t a = 0, b = 0;

    HD_TRY(hd_device_get(r->devices.device[0], HD_ATTR_CONCURRENT_MANAGED, &a));
    HD_TRY(hd_device_get(r->devices.device[1], HD_ATTR_CONCURRENT_MANAGED, &b));
    *yes = a && b;
    return HD_OK;
}

static hd_status spot_possible(const spot *s)
{
    const remote *r = s->r;
    const int other = s->owner != r->devices.device[0];
    int managed = 1;

    if (s->kind == HD_MEM_MANAGED)
        HD_TRY(concurrent_managed(r, &managed));
    if (!managed)
        (void)snprintf(s->row->why_not, sizeof s->row->why_not, "no concurrent managed memory");
    else if (other && s->kind != HD_MEM_MAPPED && r->pair.path == HD_PATH_STAGED)
        (void)snprintf(s->row->why_not, sizeof s->row->why_not, "%s", r->pair.reason);
    return HD_OK;
}

static hd_status spot_make(spot *s)
{
    const int user = s->r->devices.device[0];
    const size_t bytes = s->r->bytes;

    HD_TRY(hd_alloc_bytes((void **)&s->memory, bytes, 1, s->kind, s->owner));
    HD_TRY(hd_alloc_bytes((void **)&s->own, bytes + 16, 1, HD_MEM_DEVICE, user));
    HD_TRY(hd_stream_create_with(s->owner, HD_STREAM_NON_BLOCKING, 0, &s->owners));
    s->seen = s->memory;
    if (s->kind == HD_MEM_MAPPED)
        return hd_host_device_pointer((void **)&s->seen, s->memory, user);
    if (s->kind == HD_MEM_MANAGED) {
        HD_TRY(hd_advise(s->memory, bytes, HD_ADVISE_PREFER_DEVICE, s->owner));
        HD_TRY(hd_advise(s->memory, bytes, HD_ADVISE_ACCESSED_BY, user));
        HD_TRY(hd_prefetch(s->memory, bytes, s->owner, s->owners));
    }
    return hd_stream_synchronize(s->owners);
}

static int measure_place(remote *r, remote_place place, hd_memory_kind kind, int other)
{
    const size_t links = r->bytes / 4 / REMOTE_STRIDE;
    spot s = {.r = r, .row = &r->rows[place], .kind = kind, .owner = r->devices.device[other]};
    int status = 0;

    s.links = (uint32_t)(links < 1u << 24 ? links : 1u << 24);
    s.steps = s.links < STEPS_MAX ? s.links : STEPS_MAX;
    for (s.cells = REMOTE_THREADS; s.cells < ATOMIC_CELLS_MAX && 8 * s.cells <= r->bytes;)
        s.cells *= 2;
    s.host = malloc(r->bytes);
    if (!s.host)
        status = cli_failed(r->arguments->command, "no memory for %zu bytes", r->bytes);
    else if (spot_possible(&s) < 0 ||
             (!s.row->why_not[0] && (spot_make(&s) < 0 || measure_spot(&s) < 0)))
        status = r->timing.message[0] ? cli_failed(r->arguments->command, "%s", r->timing.message)
                                      : cli_failed_call(r->arguments->command);
    (void)hd_stream_destroy(s.owners);
    (void)hd_free(s.own);
    (void)hd_free(s.memory);
    free(s.host);
    return status;
}

int remote_measure(remote *r)
{
    static const struct {
        hd_memory_kind kind;
        int other;
    } places[] = {
#define PLACE_(name, text, kind, remote) {kind, remote},
        REMOTE_PLACE_LIST(PLACE_)
#undef PLACE_
    };
    int status = CLI_DONE;
    cli_progress progress;

    if (hd_peer_connect(r->devices.device[0], r->devices.device[1], NULL) < 0 ||
        hd_peer_query(r->devices.device[0], r->devices.device[1], &r->pair) < 0)
        return cli_failed_call(r->arguments->command);
    if (timing_open(&r->timing, r->devices.device[0], r->runs) < 0)
        return cli_failed(r->arguments->command, "%s", r->timing.message);
    cli_progress_begin(&progress, "remote", REMOTE_PLACE_COUNT * (uint64_t)r->bytes);
    for (int p = 0; p < REMOTE_PLACE_COUNT && status == CLI_DONE; p++) {
        cli_progress_update(&progress, (uint64_t)p * r->bytes);
        status = measure_place(r, (remote_place)p, places[p].kind, places[p].other);
    }
    cli_progress_end(&progress);
    if (status == CLI_DONE && remote_measure_heavy(r) < 0)
        status = cli_failed_call(r->arguments->command);
    timing_close(&r->timing);
    return status;
}
