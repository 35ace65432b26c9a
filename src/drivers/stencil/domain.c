/* SPDX-License-Identifier: Apache-2.0 */
/* domain.c - index arithmetic of a field split into parts. */
#include <heddle/domain.h>

#include "runtime/backend.h"

enum { LARGEST_EXTENT = INT32_MAX - 1024 };

/* An axis: n cells in `tiles` parts that begin at multiples of `align`. */
typedef struct axis {
    size_t n, align;
    unsigned tiles;
    int periodic;
    char name;
} axis;

static axis axis_x(const hd_domain *d)
{
    const axis a = {d->nx, d->align_x ? d->align_x : 1, d->tiles_x ? d->tiles_x : 1, d->periodic_x,
                    'x'};
    return a;
}

static axis axis_y(const hd_domain *d)
{
    const axis a = {d->ny, d->align_y ? d->align_y : 1, d->tiles_y ? d->tiles_y : 1, d->periodic_y,
                    'y'};
    return a;
}

static size_t units(const axis *a)
{
    return a->n / a->align + (a->n % a->align != 0);
}

static hd_status check_axis(const char *call, const axis *a)
{
    if (a->n == 0 || a->n > LARGEST_EXTENT)
        return hd__fail(HD_ERR_OVERFLOW, call, "an extent of %zu is not 1 to %d", a->n,
                        (int)LARGEST_EXTENT);
    if (a->tiles > units(a))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "%u parts in %c are too many: %zu cells make at most %zu, "
                        "each of which begins at a multiple of %zu",
                        a->tiles, a->name, a->n, units(a), a->align);
    return HD_OK;
}

/* The range of the part's cells on an axis. */
static void split(const axis *a, unsigned tile, size_t *first, size_t *count)
{
    const size_t each = units(a) / a->tiles, more = units(a) % a->tiles;
    const size_t begin = each * tile + (tile < more ? tile : more);
    const size_t end = begin + each + (tile < more);
    *first = begin * a->align;
    *count = (end * a->align < a->n ? end * a->align : a->n) - *first;
}

/* The tile next to `tile`, -1 if there is none. */
static int beside(const axis *a, unsigned tile, int step)
{
    const int at = (int)tile + step, tiles = (int)a->tiles;
    if (at >= 0 && at < tiles)
        return at;
    return a->periodic ? (at + tiles) % tiles : -1;
}

hd_status hd_domain_part(const hd_domain *domain, unsigned index, hd_part *part)
{
    static const char call[] = "hd_domain_part";
    hd_part made = {0};
    if (!domain || !part)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", domain ? "part" : "domain");
    const axis x = axis_x(domain), y = axis_y(domain);
    HD_TRY(check_axis(call, &x));
    HD_TRY(check_axis(call, &y));
    if ((uint64_t)x.tiles * y.tiles > INT32_MAX || index >= x.tiles * y.tiles)
        return hd__fail(HD_ERR_ARGUMENT, call, "there is no part %u of %u times %u", index, x.tiles,
                        y.tiles);
    made.index = index;
    made.tile_x = index % x.tiles;
    made.tile_y = index / x.tiles;
    split(&x, made.tile_x, &made.x, &made.nx);
    split(&y, made.tile_y, &made.y, &made.ny);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int nx = beside(&x, made.tile_x, dx), ny = beside(&y, made.tile_y, dy);
            made.neighbours[1 + dy][1 + dx] = nx < 0 || ny < 0 ? -1 : ny * (int)x.tiles + nx;
        }
    *part = made;
    return HD_OK;
}

hd_status hd_domain_tile(hd_domain *domain, unsigned parts)
{
    static const char call[] = "hd_domain_tile";
    double least = 0;
    unsigned best = 0;
    if (!domain || parts == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s", domain ? "no parts" : "domain is NULL");
    axis x = axis_x(domain), y = axis_y(domain);
    for (unsigned t = 1; t <= parts; t++) {
        if (parts % t != 0 || t > units(&x) || parts / t > units(&y))
            continue;
        const double cost = (double)(t - 1) * 2 * (double)y.n +
                            (double)(parts / t - 1) * (double)x.n;
        if (best == 0 || cost < least) {
            best = t;
            least = cost;
        }
    }
    if (best == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu x %zu cells cannot be cut into %u parts",
                        domain->nx, domain->ny, parts);
    domain->tiles_x = best;
    domain->tiles_y = parts / best;
    return HD_OK;
}
