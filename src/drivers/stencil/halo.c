/* SPDX-License-Identifier: Apache-2.0 */
/* halo.c - the plan of a halo exchange, and packing. */
#include "halo_plan.h"

#include "runtime/backend.h"

/* Extent and positions, along an axis of n own cells, of the message in direction `step`. */
static void along(int step, size_t n, size_t depth, size_t *count, ptrdiff_t *send,
                  ptrdiff_t *receive)
{
    *count = step ? depth : n;
    *send = step > 0 ? (ptrdiff_t)(n - depth) : 0;
    *receive = step > 0 ? (ptrdiff_t)n : step < 0 ? -(ptrdiff_t)depth : 0;
}

static hd_status check_depth(const char *call, const hd_part *part, size_t depth)
{
    const int x = part->neighbours[1][0] >= 0 || part->neighbours[1][2] >= 0;
    const int y = part->neighbours[0][1] >= 0 || part->neighbours[2][1] >= 0;
    if ((x && part->nx < depth) || (y && part->ny < depth))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "part %u of %zu x %zu cells is smaller than a halo of %zu", part->index,
                        part->nx, part->ny, depth);
    return HD_OK;
}

hd_status hd_halo_plan(const hd_domain *domain, unsigned index, size_t depth, int corners,
                       hd_halo_message messages[HD_HALO_MESSAGES], unsigned *count)
{
    static const char call[] = "hd_halo_plan";
    hd_part part;
    unsigned made = 0, tag = 0;
    HD_TRY(hd_domain_part(domain, index, &part));
    if (!messages || !count || depth == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s",
                        depth ? "messages or count is NULL" : "a halo of no cells");
    HD_TRY(check_depth(call, &part, depth));
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int to = part.neighbours[1 + dy][1 + dx];
            if (dx == 0 && dy == 0)
                continue;
            if (to >= 0 && (corners || dx == 0 || dy == 0)) {
                hd_halo_message *m = &messages[made++];
                m->part = (unsigned)to;
                m->dx = dx;
                m->dy = dy;
                m->tag = tag;
                m->opposite = HD_HALO_MESSAGES - 1 - tag;
                along(dx, part.nx, depth, &m->nx, &m->send_x, &m->receive_x);
                along(dy, part.ny, depth, &m->ny, &m->send_y, &m->receive_y);
            }
            tag++;
        }
    *count = made;
    return HD_OK;
}

size_t hd__halo_width(const hd_halo_message *messages, unsigned count)
{
    ptrdiff_t first = 0, end = 0;
    for (unsigned i = 0; i < count; i++) {
        const hd_halo_message *m = &messages[i];
        const ptrdiff_t low = m->send_x < m->receive_x ? m->send_x : m->receive_x;
        const ptrdiff_t high = m->send_x < m->receive_x ? m->receive_x : m->send_x;
        first = low < first ? low : first;
        end = high + (ptrdiff_t)m->nx > end ? high + (ptrdiff_t)m->nx : end;
    }
    return (size_t)(end - first);
}

hd_status hd_halo_pack(const hd_halo_message *message, hd_halo_field field, size_t element,
                       void *buffer, hd_stream *stream)
{
    if (!message)
        return hd__fail(HD_ERR_ARGUMENT, "hd_halo_pack", "message is NULL");
    return hd_copy_2d(buffer, message->nx * element,
                      hd__halo_cell(field, message->send_x, message->send_y, element),
                      field.pitch * element, message->nx * element, message->ny, stream);
}

hd_status hd_halo_unpack(const hd_halo_message *message, hd_halo_field field, size_t element,
                         const void *buffer, hd_stream *stream)
{
    if (!message)
        return hd__fail(HD_ERR_ARGUMENT, "hd_halo_unpack", "message is NULL");
    return hd_copy_2d(hd__halo_cell(field, message->receive_x, message->receive_y, element),
                      field.pitch * element, buffer, message->nx * element, message->nx * element,
                      message->ny, stream);
}
