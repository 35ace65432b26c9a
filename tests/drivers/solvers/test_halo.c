/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy peers few many sanitizer
   test_halo.c - fields cut into parts and the exchange of what is around them, by every carrier:
   what a cell holds follows from its place in the whole field, and so what a halo has to hold. All
   of a part's memory is compared. */
#include "arrays.h"

#include <pthread.h>

#include <heddle/graph.h>
#include <heddle/halo.h>

#include "devices.h"

enum { MAX_PARTS = 12, MAX_DEVICES = 8 };

static unsigned parts_of(const hd_domain *d)
{
    return d->tiles_x * d->tiles_y;
}

/* Every cell has one owner, and the neighbours' cells are next to the part's. */
static void check_parts(const hd_domain *d)
{
    unsigned char *owned = calloc(d->nx * d->ny, 1);
    size_t cells = 0;
    REQUIRE(owned != NULL);
    for (unsigned i = 0; i < parts_of(d); i++) {
        hd_part p, beside;
        if (!CHECK_STATUS(hd_domain_part(d, i, &p), HD_OK))
            break;
        CHECK(p.nx > 0 && p.ny > 0 && p.index == i && p.neighbours[1][1] == (int)i);
        CHECK((!d->align_x || p.x % d->align_x == 0) && (!d->align_y || p.y % d->align_y == 0));
        for (size_t c = 0; c < p.nx * p.ny; c++)
            cells += !owned[(p.y + c / p.nx) * d->nx + p.x + c % p.nx]++;
        CHECK((p.neighbours[1][2] >= 0) == (p.x + p.nx < d->nx || d->periodic_x));
        CHECK((p.neighbours[0][1] >= 0) == (p.y > 0 || d->periodic_y));
        if (p.neighbours[2][2] >= 0) {
            CHECK_STATUS(hd_domain_part(d, (unsigned)p.neighbours[2][2], &beside), HD_OK);
            CHECK(beside.x == (p.x + p.nx) % d->nx && beside.y == (p.y + p.ny) % d->ny);
            CHECK(beside.neighbours[0][0] == (int)i);
        }
    }
    CHECK(cells == d->nx * d->ny);
    free(owned);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* Each part in memory of its own: `lead` bytes, then rows of `pitch` elements, `beside` of them
   before a part's first column, `depth` rows above and below. */
typedef struct rig {
    hd_domain domain;
    size_t depth, element, lead, beside;
    int corners;
    unsigned count;
    int device[MAX_PARTS];
    hd_stream *streams[MAX_PARTS];
    hd_event *joined[MAX_PARTS];
    hd_part parts[MAX_PARTS];
    hd_halo_field fields[MAX_PARTS];
    unsigned char *memory[MAX_PARTS], *spare[MAX_PARTS];
    size_t bytes[MAX_PARTS];
    hd_halo *halo;
    hd_group *group; /* NULL where a device has two parts, or a tool watches */
    hd_graph_exec *graph;
} rig;

/* Wraps a cell around where the field is periodic; 0: it lies beyond the field. */
static int inside(const hd_domain *d, ptrdiff_t *x, ptrdiff_t *y)
{
    const ptrdiff_t nx = (ptrdiff_t)d->nx, ny = (ptrdiff_t)d->ny;
    if (((*x < 0 || *x >= nx) && !d->periodic_x) || ((*y < 0 || *y >= ny) && !d->periodic_y))
        return 0;
    *x = (*x + nx) % nx;
    *y = (*y + ny) % ny;
    return 1;
}

/* Cell (x, y) of a part, where it is its own or comes from a neighbour: which of the field. */
static int has_cell(const rig *r, unsigned i, ptrdiff_t x, ptrdiff_t y, ptrdiff_t at[2])
{
    const hd_part *p = &r->parts[i];
    const int beyond_x = x < 0 || x >= (ptrdiff_t)p->nx, beyond_y = y < 0 || y >= (ptrdiff_t)p->ny;
    at[0] = (ptrdiff_t)p->x + x;
    at[1] = (ptrdiff_t)p->y + y;
    return inside(&r->domain, &at[0], &at[1]) && (r->corners || !beyond_x || !beyond_y);
}

static void put_cell(const rig *r, const ptrdiff_t at[2], uint64_t salt, unsigned char *to)
{
    uint64_t state = (uint64_t)at[1] * r->domain.nx + (uint64_t)at[0] + (salt << 32), bits = 0;
    for (size_t k = 0; k < r->element; k++, bits >>= 8) {
        bits = k % 8 ? bits : test_next(&state);
        to[k] = (unsigned char)bits;
    }
}

/* All bytes of a part's memory before an exchange, or behind it (halos: 1). The caller frees it. */
static unsigned char *image(const rig *r, unsigned i, uint64_t salt, int halos)
{
    const ptrdiff_t nx = (ptrdiff_t)r->parts[i].nx, ny = (ptrdiff_t)r->parts[i].ny;
    const ptrdiff_t k = (ptrdiff_t)r->depth, beside = (ptrdiff_t)r->beside;
    const ptrdiff_t pitch = (ptrdiff_t)r->fields[i].pitch;
    unsigned char *made = malloc(r->bytes[i]);
    if (!made)
        abort();
    memset(made, 0xee, r->bytes[i]);
    for (ptrdiff_t y = -k; y < ny + k; y++)
        for (ptrdiff_t x = -beside; x < nx + beside; x++) {
            const int own = x >= 0 && x < nx && y >= 0 && y < ny;
            const size_t cell = (size_t)((y + k) * pitch + x + beside);
            ptrdiff_t at[2];
            if ((own || halos) && has_cell(r, i, x, y, at))
                put_cell(r, at, salt, made + r->lead + cell * r->element);
        }
    return made;
}

/* Puts a field of its own kind into the parts, in stream order: no halo may come before that. */
static void fill_parts(rig *r, uint64_t salt)
{
    for (unsigned i = 0; i < r->count; i++) {
        unsigned char *host = image(r, i, salt, 0);
        CHECK_STATUS(hd_copy_blocking(r->spare[i], host, r->bytes[i], r->streams[i]), HD_OK);
        CHECK_STATUS(hd_copy(r->memory[i], r->spare[i], r->bytes[i], r->streams[i]), HD_OK);
        free(host);
    }
}

static void check_parts_hold(rig *r, uint64_t salt, const char *how)
{
    for (unsigned i = 0; i < r->count; i++) {
        unsigned char *expected = image(r, i, salt, 1), *got = malloc(r->bytes[i]);
        char what[256];
        REQUIRE(got != NULL);
        snprintf(what, sizeof what,
                 "%s: %zux%zu of %zu bytes in %ux%u, depth %zu, corners %d, periodic %d %d, part "
                 "%u, pitch %zu, lead %zu",
                 how, r->domain.nx, r->domain.ny, r->element, r->domain.tiles_x, r->domain.tiles_y,
                 r->depth, r->corners, r->domain.periodic_x, r->domain.periodic_y, i,
                 r->fields[i].pitch, r->lead);
        CHECK_STATUS(hd_copy_blocking(got, r->memory[i], r->bytes[i], r->streams[i]), HD_OK);
        CHECK_BITS(what, got, expected, r->bytes[i], 1);
        free(expected);
        free(got);
    }
}

/* Pitches end at a multiple of `whole` elements; with 1 they may have up to 3 elements more. */
static void open_rig(rig *r, size_t whole, uint64_t *state)
{
    int distinct = 1;
    for (unsigned i = 0; i < r->count; i++) {
        const size_t more = whole > 1 ? 0 : test_next(state) % 4;
        size_t pitch;
        CHECK_STATUS(hd_domain_part(&r->domain, i, &r->parts[i]), HD_OK);
        pitch = r->parts[i].nx + 2 * r->beside + more;
        pitch = (pitch + whole - 1) / whole * whole;
        r->fields[i].pitch = pitch;
        r->bytes[i] = r->lead + pitch * (r->parts[i].ny + 2 * r->depth) * r->element;
        REQUIRE(hd_stream_create(r->device[i], &r->streams[i]) == HD_OK);
        REQUIRE(hd_event_create(r->device[i], 0, &r->joined[i]) == HD_OK);
        REQUIRE(hd_alloc(&r->memory[i], r->bytes[i], r->device[i]) == HD_OK);
        REQUIRE(hd_alloc(&r->spare[i], r->bytes[i], r->device[i]) == HD_OK);
        r->fields[i].first = r->memory[i] + r->lead + (r->depth * pitch + r->beside) * r->element;
        for (unsigned k = 0; k < i; k++)
            distinct = distinct && r->device[k] != r->device[i];
    }
    REQUIRE(hd_halo_create(&r->domain, r->device, r->element, r->depth, r->corners, &r->halo) ==
            HD_OK);
    if (distinct && !getenv("HEDDLE_SANITIZER")) /* kernels that wait for others would, for long */
        REQUIRE(hd_group_create(r->device, r->count, NULL, &r->group) == HD_OK);
}

static void close_rig(rig *r)
{
    CHECK_STATUS(hd_group_destroy(r->group), HD_OK);
    for (unsigned i = 0; i < r->count; i++) {
        CHECK_STATUS(hd_stream_synchronize(r->streams[i]), HD_OK);
        hd_free(r->memory[i]);
        hd_free(r->spare[i]);
        hd_event_destroy(r->joined[i]);
        hd_stream_destroy(r->streams[i]);
    }
    CHECK_STATUS(hd_halo_destroy(r->halo), HD_OK);
}

/* ---- one exchange, by each way --------------------------------------------------------------- */

typedef enum how { CALL, PHASES, GRAPH, GROUP, GROUP_RANKS, HOW_COUNT } how;

static const char *const how_names[] = {"call", "phases", "graph", "group", "ranks"};

typedef struct worker {
    rig *r;
    unsigned index;
    how by;
    pthread_barrier_t *barrier;
    pthread_t thread;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    rig *r = w->r;
    if (w->by == GROUP_RANKS) {
        CHECK_STATUS(hd_halo_exchange_group_rank(r->halo, r->group, w->index, r->fields,
                                                 r->streams[w->index]),
                     HD_OK);
        return NULL;
    }
    for (unsigned phase = 0; phase < HD_HALO_PHASES; phase++) {
        CHECK_STATUS(hd_halo_exchange_phase(r->halo, phase, w->index, r->fields, r->streams),
                     HD_OK);
        (void)pthread_barrier_wait(w->barrier);
    }
    return NULL;
}

/* A host thread for each part. */
static void exchange_by_threads(rig *r, how by)
{
    worker workers[MAX_PARTS];
    pthread_barrier_t barrier;
    REQUIRE(pthread_barrier_init(&barrier, NULL, r->count) == 0);
    for (unsigned i = 0; i < r->count; i++) {
        workers[i] = (worker){r, i, by, &barrier, 0};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < r->count; i++)
        (void)pthread_join(workers[i].thread, NULL);
    (void)pthread_barrier_destroy(&barrier);
}

/* The first stream comes after all, or all after the first one. */
static void join(rig *r)
{
    for (unsigned i = 1; i < r->count; i++) {
        CHECK_STATUS(hd_event_record(r->joined[i], r->streams[i]), HD_OK);
        CHECK_STATUS(hd_stream_wait(r->streams[0], r->joined[i]), HD_OK);
    }
}

static void spread(rig *r)
{
    CHECK_STATUS(hd_event_record(r->joined[0], r->streams[0]), HD_OK);
    for (unsigned i = 1; i < r->count; i++)
        CHECK_STATUS(hd_stream_wait(r->streams[i], r->joined[0]), HD_OK);
}

static int all_direct(const rig *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        hd_peer_path path = HD_PATH_SAME;
        for (unsigned m = 0; m < HD_HALO_MESSAGES; m++)
            if (hd_halo_path(r->halo, i, m, &path) == HD_OK && path == HD_PATH_STAGED)
                return 0;
    }
    return 1;
}

/* Kernels that store are all there is to a graph: one for each part that sends. */
static void check_nodes(const rig *r, hd_graph *graph, hd_halo_carrier carrier)
{
    size_t nodes = 0, sending = 0;
    hd_peer_path path;
    for (unsigned i = 0; i < r->count; i++)
        sending += hd_halo_path(r->halo, i, 0, &path) == HD_OK;
    CHECK_STATUS(hd_graph_node_count(graph, &nodes), HD_OK);
    if (carrier == HD_HALO_STORES && all_direct(r))
        CHECK_EQ_SIZE(nodes, sending);
}

/* Recorded the first time, then launched again. */
static void exchange_by_graph(rig *r, hd_halo_carrier carrier)
{
    if (!r->graph) {
        hd_graph *graph = NULL;
        CHECK_STATUS(hd_stream_capture_begin(r->streams[0]), HD_OK);
        spread(r);
        CHECK_STATUS(hd_halo_exchange(r->halo, r->fields, r->streams), HD_OK);
        join(r);
        REQUIRE(hd_stream_capture_end(r->streams[0], &graph) == HD_OK);
        check_nodes(r, graph, carrier);
        REQUIRE(hd_graph_instantiate(graph, &r->graph) == HD_OK);
        CHECK_STATUS(hd_graph_destroy(graph), HD_OK);
    }
    join(r);
    CHECK_STATUS(hd_graph_launch(r->graph, r->streams[0]), HD_OK);
    spread(r);
}

static void exchange_once(rig *r, how by, hd_halo_carrier carrier)
{
    if (by == CALL)
        CHECK_STATUS(hd_halo_exchange(r->halo, r->fields, r->streams), HD_OK);
    else if (by == GRAPH)
        exchange_by_graph(r, carrier);
    else if (by == GROUP)
        CHECK_STATUS(hd_halo_exchange_group(r->halo, r->group, r->fields, r->streams), HD_OK);
    else
        exchange_by_threads(r, by);
}

/* ---- what goes through the host -------------------------------------------------------------- */

typedef uint64_t device_pairs[MAX_DEVICES][MAX_DEVICES];

static unsigned owner_of(const rig *r, const ptrdiff_t at[2])
{
    unsigned i = 0;
    for (; i < r->count; i++) {
        const hd_part *p = &r->parts[i];
        if ((size_t)at[0] - p->x < p->nx && (size_t)at[1] - p->y < p->ny)
            break;
    }
    return i;
}

/* Bytes from device to device in an exchange: every cell of a halo comes from its owner's. */
static void count_bytes(const rig *r, device_pairs bytes)
{
    memset(bytes, 0, sizeof(device_pairs));
    for (unsigned i = 0; i < r->count; i++) {
        const ptrdiff_t nx = (ptrdiff_t)r->parts[i].nx, ny = (ptrdiff_t)r->parts[i].ny;
        const ptrdiff_t k = (ptrdiff_t)r->depth;
        for (ptrdiff_t y = -k; y < ny + k; y++)
            for (ptrdiff_t x = -k; x < nx + k; x++) {
                ptrdiff_t at[2];
                if (x == 0 && y >= 0 && y < ny)
                    x = nx; /* the part's own */
                if (has_cell(r, i, x, y, at))
                    bytes[r->device[owner_of(r, at)]][r->device[i]] += r->element;
            }
    }
}

static void staged_bytes(const rig *r, device_pairs bytes)
{
    memset(bytes, 0, sizeof(device_pairs));
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned k = 0; k < r->count; k++) {
            const int a = r->device[i], b = r->device[k];
            CHECK_STATUS(hd_peer_staged_bytes(a, b, &bytes[a][b]), HD_OK);
        }
}

/* `times` exchanges; those of pairs with direct access leave the host alone. */
static void check_staged(const rig *r, device_pairs before, uint64_t times)
{
    device_pairs after, each;
    count_bytes(r, each);
    staged_bytes(r, after);
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned k = 0; k < r->count; k++) {
            const int a = r->device[i], b = r->device[k];
            hd_peer_path path = HD_PATH_SAME;
            CHECK_STATUS(hd_peer_connect(a, b, &path), HD_OK);
            CHECK_EQ_U64(after[a][b] - before[a][b],
                         path == HD_PATH_STAGED ? times * each[a][b] : 0);
        }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Two at once, of which the second may not overtake what is taken in of the first, and one after a
   change of all cells, which no halo may mix up. The carrier is nothing to groups. */
static void check_exchange(rig *r, how by, hd_halo_carrier carrier, uint64_t salt)
{
    device_pairs before;
    char name[32];
    snprintf(name, sizeof name, "%s, %s", how_names[by],
             by >= GROUP                 ? "messages"
             : carrier == HD_HALO_STORES ? "stores"
                                         : "copies");
    CHECK_STATUS(hd_halo_carry(r->halo, carrier), HD_OK);
    staged_bytes(r, before);
    fill_parts(r, salt);
    exchange_once(r, by, carrier);
    exchange_once(r, by, carrier);
    check_parts_hold(r, salt, name);
    fill_parts(r, salt + 1);
    exchange_once(r, by, carrier);
    check_parts_hold(r, salt + 1, name);
    if (by < GROUP)
        check_staged(r, before, by == GRAPH ? 1 : 3);
    CHECK_STATUS(hd_graph_exec_destroy(r->graph), HD_OK);
    r->graph = NULL;
}

/* A part for each device, or several on some; not in the order of the devices. */
static void choose_devices(rig *r, int count, uint64_t *state)
{
    const int used = 1 + (int)(test_next(state) % (uint64_t)count);
    const int first = (int)(test_next(state) % (uint64_t)count);
    const int each = r->count <= (unsigned)count && test_next(state) % 4 != 0;
    for (unsigned i = 0; i < r->count; i++)
        r->device[i] = each ? ((int)i + first) % count : (int)(test_next(state) % (uint64_t)used);
}

static void choose_rig(rig *r, int count, uint64_t *state)
{
    static const size_t elements[] = {1, 2, 4, 8, 16, 3, 12};
    size_t smallest_x, smallest_y;
    r->domain.tiles_x = 1 + (unsigned)(test_next(state) % 3);
    r->domain.tiles_y = 1 + (unsigned)(test_next(state) % 4);
    r->domain.align_x = test_next(state) % 4;
    r->domain.align_y = test_next(state) % 17;
    r->domain.periodic_x = test_next(state) % 2 == 0;
    r->domain.periodic_y = test_next(state) % 2 == 0;
    r->depth = 1 + test_next(state) % 8;
    r->corners = test_next(state) % 2 == 0;
    r->element = elements[test_next(state) % (sizeof elements / sizeof *elements)];
    smallest_x = r->depth + (r->domain.align_x ? r->domain.align_x : 1);
    smallest_y = r->depth + (r->domain.align_y ? r->domain.align_y : 1);
    r->domain.nx = r->domain.tiles_x * 2 * smallest_x + test_next(state) % 40;
    r->domain.ny = r->domain.tiles_y * 2 * smallest_y + test_next(state) % 40;
    if (test_next(state) % 8 == 0)
        r->domain.nx += 400 + test_next(state) % 400; /* rows of several tiles */
    r->count = parts_of(&r->domain);
    r->beside = r->domain.tiles_x > 1 || r->domain.periodic_x || test_next(state) % 2 ? r->depth
                                                                                      : 0;
    r->lead = test_next(state) % 4 ? r->element * (test_next(state) % 4) : test_next(state) % 16;
    choose_devices(r, count, state);
}

TEST(exchanges)
{
    uint64_t state = 5;
    int count = 0;
    REQUIRE(hd_device_count(&count) == HD_OK);
    count = count < MAX_DEVICES ? count : MAX_DEVICES;
    for (size_t turn = 0; turn < test_watched(30, 8); turn++) {
        rig r = {0};
        choose_rig(&r, count, &state);
        check_parts(&r.domain);
        open_rig(&r, test_next(&state) % 2 ? 1 : 16, &state);
        for (how by = CALL; by < HOW_COUNT; by++) {
            if (by < GROUP)
                check_exchange(&r, by, HD_HALO_COPIES, 20 * turn + 4 * by);
            if (by < GROUP || r.group)
                check_exchange(&r, by, HD_HALO_STORES, 20 * turn + 4 * by + 2);
        }
        close_rig(&r);
    }
}

TEST(what_is_refused)
{
    hd_domain d = {0};
    hd_part p;
    hd_halo_message messages[HD_HALO_MESSAGES];
    unsigned count = 99;
    hd_halo *halo = NULL;
    const int devices[1] = {0};
    d.nx = 100;
    d.ny = 40;
    d.tiles_y = 4;
    d.align_y = 16;
    CHECK_STATUS(hd_domain_part(&d, 0, &p), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "40 cells make at most 3,") != NULL);
    d.tiles_y = 3;
    CHECK_STATUS(hd_domain_part(&d, 3, &p), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_domain_part(&d, 2, &p), HD_OK);
    CHECK(p.y == 32 && p.ny == 8);
    CHECK_STATUS(hd_halo_plan(&d, 2, 9, 0, messages, &count), HD_ERR_ARGUMENT);
    CHECK(count == 99);
    CHECK_STATUS(hd_halo_plan(&d, 2, 8, 1, messages, &count), HD_OK);
    CHECK(count == 1 && messages[0].part == 1 && messages[0].nx == 100 && messages[0].ny == 8);
    CHECK(messages[0].receive_y == -8 && messages[0].send_y == 0 && messages[0].send_x == 0);
    d.nx = 0;
    CHECK_STATUS(hd_domain_part(&d, 0, &p), HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_domain_part(NULL, 0, &p), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_halo_create(&d, devices, 4, 1, 0, &halo), HD_ERR_OVERFLOW);
    d.nx = 100;
    d.tiles_y = 1;
    CHECK_STATUS(hd_halo_create(&d, devices, 4, 0, 0, &halo), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_halo_create(&d, NULL, 4, 1, 0, &halo), HD_ERR_ARGUMENT);
    CHECK(halo == NULL);
    CHECK_STATUS(hd_halo_carry(NULL, HD_HALO_STORES), HD_ERR_ARGUMENT);
    REQUIRE(hd_halo_create(&d, devices, 4, 1, 0, &halo) == HD_OK);
    CHECK_STATUS(hd_halo_carry(halo, (hd_halo_carrier)2), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_halo_destroy(halo), HD_OK);
    CHECK_STATUS(hd_domain_tile(&d, 6), HD_OK);
    CHECK(d.tiles_x * d.tiles_y == 6);
    d.tiles_x = d.tiles_y = 0;
    d.align_x = 100;
    d.align_y = 40;
    CHECK_STATUS(hd_domain_tile(&d, 2), HD_ERR_ARGUMENT);
}

/* A cell beside a cut in y counts once, one beside a cut in x twice. */
TEST(tiles_have_the_fewest_cells_beside_cuts)
{
    static const struct {
        size_t nx, ny;
        unsigned parts, tiles_x;
    } cases[] = {{100, 100, 4, 1}, {100, 10, 4, 4}, {10, 100, 4, 1},
                 {300, 100, 4, 2}, {99, 100, 4, 1}, {100, 100, 7, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_domain d = {.nx = cases[i].nx, .ny = cases[i].ny};
        CHECK_STATUS(hd_domain_tile(&d, cases[i].parts), HD_OK);
        CHECK_EQ_I64(d.tiles_x, cases[i].tiles_x);
        CHECK_EQ_I64(d.tiles_x * d.tiles_y, cases[i].parts);
    }
}

TEST(a_halo_is_no_wider_than_a_part)
{
    const hd_domain d = {.nx = 100, .ny = 40, .tiles_x = 3};
    hd_halo_message messages[HD_HALO_MESSAGES];
    unsigned count = 0;

    CHECK_STATUS(hd_halo_plan(&d, 1, 33, 0, messages, &count), HD_OK);
    CHECK(count == 2 && messages[0].nx == 33 && messages[0].ny == 40);
    CHECK_STATUS(hd_halo_plan(&d, 1, 34, 0, messages, &count), HD_ERR_ARGUMENT);
}

/* Rows of one part lie one after another in memory, those of the other do not. */
TEST(pitches_of_neighbours_may_differ)
{
    enum { NX = 12, NY = 6, DEPTH = 2 };
    rig r = {.domain = {.nx = NX, .ny = 2 * NY, .tiles_x = 1, .tiles_y = 2},
             .depth = DEPTH,
             .element = 4,
             .count = 2};
    uint64_t state = 1;
    int count = 0;

    REQUIRE(hd_device_count(&count) == HD_OK);
    r.device[1] = count > 1;
    open_rig(&r, NX, &state);
    hd_free(r.memory[1]);
    hd_free(r.spare[1]);
    r.fields[1].pitch = NX + 3;
    r.bytes[1] = (NX + 3) * (NY + 2 * DEPTH) * r.element;
    REQUIRE(hd_alloc(&r.memory[1], r.bytes[1], r.device[1]) == HD_OK);
    REQUIRE(hd_alloc(&r.spare[1], r.bytes[1], r.device[1]) == HD_OK);
    r.fields[1].first = r.memory[1] + DEPTH * (NX + 3) * r.element;
    const hd_halo_field kept = r.fields[1];
    r.fields[1].pitch = NX - 1;
    CHECK_STATUS(hd_halo_exchange(r.halo, r.fields, r.streams), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "fields[1].pitch is 11") != NULL);
    r.fields[1].first = NULL;
    CHECK_STATUS(hd_halo_exchange(r.halo, r.fields, r.streams), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_halo_exchange(r.halo, r.fields, NULL), HD_ERR_ARGUMENT);
    r.fields[1] = kept;
    check_exchange(&r, CALL, HD_HALO_COPIES, 1);
    check_exchange(&r, CALL, HD_HALO_STORES, 3);
    if (r.group)
        check_exchange(&r, GROUP, HD_HALO_STORES, 5);
    close_rig(&r);
}

TEST(what_a_halo_took_is_given_back)
{
    const hd_domain d = {.nx = 64, .ny = 64, .tiles_x = 1, .tiles_y = 2, .periodic_y = 1};
    static const int devices[2] = {0, 1};
    size_t before[2];
    hd_halo *halo = NULL;

    if (!test_own_devices(2))
        SKIP("fewer than 2 devices, or not ours alone");
    CHECK_STATUS(hd_peer_connect(0, 1, NULL), HD_OK);
    for (int i = 0; i < 2; i++)
        before[i] = test_free_bytes(i);
    REQUIRE(hd_halo_create(&d, devices, 4, 3, 0, &halo) == HD_OK);
    CHECK(test_free_bytes(1) < before[1]);
    CHECK_STATUS(hd_halo_destroy(halo), HD_OK);
    for (int i = 0; i < 2; i++)
        CHECK_EQ_SIZE(test_free_bytes(i), before[i]);
}

TEST(ranks_of_a_group_are_the_parts)
{
    const hd_domain d = {.nx = 64, .ny = 64, .tiles_x = 1, .tiles_y = 2};
    static const int devices[2] = {0, 1}, others[2] = {1, 0};
    hd_halo_field fields[2] = {{NULL, 64}, {NULL, 64}};
    hd_stream *streams[2] = {NULL, NULL};
    hd_halo *halo = NULL;
    hd_group *group = NULL;
    int count = 0;

    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count < 2)
        SKIP("one device");
    REQUIRE(hd_halo_create(&d, devices, 4, 3, 0, &halo) == HD_OK);
    REQUIRE(hd_group_create(others, 2, NULL, &group) == HD_OK);
    CHECK_STATUS(hd_halo_exchange_group(halo, group, fields, streams), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "part 0 is on device 0, rank 0 on 1") != NULL);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
    REQUIRE(hd_group_create(devices, 1, NULL, &group) == HD_OK);
    CHECK_STATUS(hd_halo_exchange_group(halo, group, fields, streams), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
    CHECK_STATUS(hd_halo_destroy(halo), HD_OK);
}

TEST_MAIN
