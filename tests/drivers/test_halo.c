/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy peers
   test_halo.c - fields cut into parts and the exchange of what is around them: every cell of a
   field knows its number, and every halo has to hold the numbers that belong there. */
#include "arrays.h"

#include <heddle/halo.h>

#include "devices.h"

enum { MOST_PARTS = 12 };

/* Cell (x, y) of the field, which wraps around where it is periodic; 0 where there is none. */
static uint32_t number(const hd_domain *d, ptrdiff_t x, ptrdiff_t y)
{
    const ptrdiff_t nx = (ptrdiff_t)d->nx, ny = (ptrdiff_t)d->ny;
    if (((x < 0 || x >= nx) && !d->periodic_x) || ((y < 0 || y >= ny) && !d->periodic_y))
        return 0;
    return (uint32_t)((y + ny) % ny * nx + (x + nx) % nx + 1);
}

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

typedef struct rig {
    hd_domain domain;
    size_t depth;
    int corners, devices;
    int device[MOST_PARTS];
    hd_stream *streams[MOST_PARTS];
    hd_part parts[MOST_PARTS];
    hd_halo_field fields[MOST_PARTS];
    uint32_t *memory[MOST_PARTS], *spare[MOST_PARTS];
    size_t cells[MOST_PARTS];
} rig;

/* Puts numbers into the part and other things around it, in stream order: no halo may come before
   that. */
static void fill_part(rig *r, unsigned i, uint32_t add)
{
    const hd_part *p = &r->parts[i];
    const size_t pitch = r->fields[i].pitch, k = r->depth;
    uint32_t *host = malloc(r->cells[i] * sizeof *host);
    REQUIRE(host != NULL);
    memset(host, 0xee, r->cells[i] * sizeof *host);
    for (size_t y = 0; y < p->ny; y++)
        for (size_t x = 0; x < p->nx; x++)
            host[(y + k) * pitch + x + k] =
                number(&r->domain, (ptrdiff_t)(p->x + x), (ptrdiff_t)(p->y + y)) + add;
    CHECK_STATUS(hd_copy_blocking(r->spare[i], host, r->cells[i], r->streams[i]), HD_OK);
    CHECK_STATUS(hd_copy(r->memory[i], r->spare[i], r->cells[i], r->streams[i]), HD_OK);
    free(host);
}

static void check_part(rig *r, unsigned i, uint32_t add)
{
    const hd_part *p = &r->parts[i];
    const ptrdiff_t k = (ptrdiff_t)r->depth, pitch = (ptrdiff_t)r->fields[i].pitch;
    const ptrdiff_t nx = (ptrdiff_t)p->nx, ny = (ptrdiff_t)p->ny;
    uint32_t *host = malloc(r->cells[i] * sizeof *host);
    REQUIRE(host != NULL);
    CHECK_STATUS(hd_copy_blocking(host, r->memory[i], r->cells[i], r->streams[i]), HD_OK);
    for (ptrdiff_t y = -k; y < ny + k; y++)
        for (ptrdiff_t x = -k; x < pitch - k; x++) {
            const int beyond_x = x < 0 || x >= nx, beyond_y = y < 0 || y >= ny;
            const uint32_t n = number(&r->domain, (ptrdiff_t)p->x + x, (ptrdiff_t)p->y + y);
            const int sent = x < nx + k && n && (r->corners || !beyond_x || !beyond_y);
            const uint32_t expected = sent ? n + add : 0xeeeeeeee;
            const uint32_t got = host[(y + k) * pitch + x + k];
            if (got != expected) {
                test_fail(__FILE__, __LINE__,
                          "%zux%zu in %ux%u, depth %zu: cell %td %td of part "
                          "%u is %u, expected %u",
                          r->domain.nx, r->domain.ny, r->domain.tiles_x, r->domain.tiles_y,
                          r->depth, x, y, i, got, expected);
                free(host);
                return;
            }
        }
    free(host);
}

static void open_rig(rig *r, size_t more)
{
    for (unsigned i = 0; i < parts_of(&r->domain); i++) {
        CHECK_STATUS(hd_domain_part(&r->domain, i, &r->parts[i]), HD_OK);
        r->device[i] = (int)i % r->devices;
        r->fields[i].pitch = r->parts[i].nx + 2 * r->depth + more;
        r->cells[i] = r->fields[i].pitch * (r->parts[i].ny + 2 * r->depth);
        REQUIRE(hd_stream_create(r->device[i], &r->streams[i]) == HD_OK);
        REQUIRE(hd_alloc(&r->memory[i], r->cells[i], r->device[i]) == HD_OK);
        REQUIRE(hd_alloc(&r->spare[i], r->cells[i], r->device[i]) == HD_OK);
        r->fields[i].first = r->memory[i] + r->depth * r->fields[i].pitch + r->depth;
        fill_part(r, i, 0);
    }
}

static void close_rig(rig *r)
{
    for (unsigned i = 0; i < parts_of(&r->domain); i++) {
        CHECK_STATUS(hd_stream_synchronize(r->streams[i]), HD_OK);
        hd_free(r->memory[i]);
        hd_free(r->spare[i]);
        hd_stream_destroy(r->streams[i]);
    }
}

/* Exchanges: two at once, of which the second may not overtake what is taken in of the first, and
   one after a change of all cells, which no halo may mix up. */
static void check_exchange(rig *r)
{
    hd_halo *halo = NULL;
    uint64_t before = 0, after = 0;
    hd_peer_path path = HD_PATH_SAME;
    check_parts(&r->domain);
    open_rig(r, r->depth % 3);
    CHECK_STATUS(hd_peer_staged_bytes(0, r->devices > 1, &before), HD_OK);
    if (CHECK_STATUS(
            hd_halo_create(&r->domain, r->device, sizeof(uint32_t), r->depth, r->corners, &halo),
            HD_OK)) {
        for (int again = 0; again < 2; again++)
            CHECK_STATUS(hd_halo_exchange(halo, r->fields, r->streams), HD_OK);
        for (unsigned i = 0; i < parts_of(&r->domain); i++)
            check_part(r, i, 0);
        for (unsigned i = 0; i < parts_of(&r->domain); i++)
            fill_part(r, i, 100000);
        CHECK_STATUS(hd_halo_exchange(halo, r->fields, r->streams), HD_OK);
        for (unsigned i = 0; i < parts_of(&r->domain); i++)
            check_part(r, i, 100000);
    }
    CHECK_STATUS(hd_peer_staged_bytes(0, r->devices > 1, &after), HD_OK);
    if (halo && r->devices == 2 && parts_of(&r->domain) == 2) {
        CHECK_STATUS(hd_halo_path(halo, 0, 0, &path), HD_OK);
        CHECK(path == HD_PATH_STAGED ? after > before : after == before);
    }
    close_rig(r);
    CHECK_STATUS(hd_halo_destroy(halo), HD_OK);
}

TEST(exchanges)
{
    uint64_t state = 5;
    int count = 0;
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    for (size_t turn = 0; turn < test_watched(60, 12); turn++) {
        rig r = {0};
        size_t smallest_x, smallest_y;
        r.domain.tiles_x = 1 + (unsigned)(test_next(&state) % 3);
        r.domain.tiles_y = 1 + (unsigned)(test_next(&state) % 4);
        r.domain.align_x = test_next(&state) % 4;
        r.domain.align_y = test_next(&state) % 17;
        r.domain.periodic_x = test_next(&state) % 2 == 0;
        r.domain.periodic_y = test_next(&state) % 2 == 0;
        r.depth = 1 + test_next(&state) % 8;
        r.corners = test_next(&state) % 2 == 0;
        r.devices = 1 + (int)(test_next(&state) % (uint64_t)count);
        smallest_x = r.depth + (r.domain.align_x ? r.domain.align_x : 1);
        smallest_y = r.depth + (r.domain.align_y ? r.domain.align_y : 1);
        r.domain.nx = r.domain.tiles_x * 2 * smallest_x + test_next(&state) % 40;
        r.domain.ny = r.domain.tiles_y * 2 * smallest_y + test_next(&state) % 40;
        check_exchange(&r);
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
    CHECK(strstr(hd_error_last()->message, "no more than 3 parts") != NULL);
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
    enum { NX = 12, NY = 6, DEPTH = 2, ROWS = NY + 2 * DEPTH, MOST = NX + 3 };
    static const size_t pitch[] = {NX, MOST};
    rig r = {.domain = {.nx = NX, .ny = 2 * NY, .tiles_x = 1, .tiles_y = 2}, .depth = DEPTH};
    uint32_t host[ROWS * MOST];
    hd_halo *halo = NULL;

    CHECK_STATUS(hd_device_count(&r.devices), HD_OK);
    for (unsigned i = 0; i < 2; i++) {
        r.device[i] = (int)i % r.devices;
        r.fields[i].pitch = pitch[i];
        REQUIRE(hd_stream_create(r.device[i], &r.streams[i]) == HD_OK);
        REQUIRE(hd_alloc(&r.memory[i], ROWS * MOST, r.device[i]) == HD_OK);
        r.fields[i].first = r.memory[i] + DEPTH * pitch[i];
        for (size_t c = 0; c < ROWS * MOST; c++)
            host[c] = (uint32_t)(1000 * (i * NY + c / pitch[i]) + c % pitch[i]);
        CHECK_STATUS(hd_copy_blocking(r.memory[i], host, ROWS * MOST, r.streams[i]), HD_OK);
    }
    REQUIRE(hd_halo_create(&r.domain, r.device, sizeof(uint32_t), DEPTH, 0, &halo) == HD_OK);
    const hd_halo_field kept = r.fields[1];
    r.fields[1].pitch = NX - 1;
    CHECK_STATUS(hd_halo_exchange(halo, r.fields, r.streams), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "fields[1].pitch is 11") != NULL);
    r.fields[1].first = NULL;
    CHECK_STATUS(hd_halo_exchange(halo, r.fields, r.streams), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_halo_exchange(halo, r.fields, NULL), HD_ERR_ARGUMENT);
    r.fields[1] = kept;
    CHECK_STATUS(hd_halo_exchange(halo, r.fields, r.streams), HD_OK);
    for (unsigned i = 0; i < 2; i++) {
        const size_t first = i ? 0 : DEPTH + NY; /* of the two rows that came */
        CHECK_STATUS(hd_copy_blocking(host, r.memory[i], ROWS * pitch[i], r.streams[i]), HD_OK);
        for (size_t y = first; y < first + DEPTH; y++)
            for (size_t x = 0; x < NX; x++)
                CHECK_EQ_U64(host[y * pitch[i] + x], 1000 * (i * NY + y) + x);
    }
    close_rig(&r);
    CHECK_STATUS(hd_halo_destroy(halo), HD_OK);
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
