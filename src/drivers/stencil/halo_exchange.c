/* SPDX-License-Identifier: Apache-2.0 */
/* halo_exchange.c - hd_halo: the exchange between the devices of one process, by copies, by stores
   and by a group. */
#include <heddle/halo.h>

#include <stdlib.h>

#include "halo_plan.h"
#include "halo_store.h"
#include "runtime/backend.h"

typedef struct part {
    int device;
    size_t width; /* cells from the first to the last one of a row that messages touch */
    unsigned count;
    hd_halo_message messages[HD_HALO_MESSAGES];
    hd_peer_path paths[HD_HALO_MESSAGES];
    unsigned rounds[HD_HALO_MESSAGES]; /* of a group, which takes one message per pair */
    void *out[HD_HALO_MESSAGES]; /* packed messages that are sent, unless they are whole rows, */
    void *in[HD_HALO_MESSAGES];  /* and those that are received */
    hd_event *ready;             /* recorded after the part's earlier work */
    hd_event *sent;
} part;

struct hd_halo {
    size_t element;
    hd_halo_carrier carrier;
    unsigned count, rounds;
    part parts[];
};

static hd_status open_part(hd_halo *halo, const hd_domain *domain, const int *devices, size_t depth,
                           int corners, unsigned index)
{
    part *p = &halo->parts[index];
    p->device = devices[index];
    HD_TRY(hd_halo_plan(domain, index, depth, corners, p->messages, &p->count));
    p->width = hd__halo_width(p->messages, p->count);
    HD_TRY(hd_event_create(p->device, 0, &p->ready));
    HD_TRY(hd_event_create(p->device, 0, &p->sent));
    for (unsigned i = 0; i < p->count; i++) {
        const hd_halo_message *m = &p->messages[i];
        const size_t cells = m->nx * m->ny;
        HD_TRY(hd_peer_connect(p->device, devices[m->part], &p->paths[i]));
        HD_TRY(hd_alloc_bytes(&p->out[i], cells, halo->element, HD_MEM_DEVICE, p->device));
        HD_TRY(hd_alloc_bytes(&p->in[i], cells, halo->element, HD_MEM_DEVICE, p->device));
    }
    return HD_OK;
}

/* A message's round is its number among the messages to the same part. */
static void plan_rounds(hd_halo *halo)
{
    for (unsigned i = 0; i < halo->count; i++) {
        part *p = &halo->parts[i];
        for (unsigned m = 0; m < p->count; m++) {
            for (unsigned k = 0; k < m; k++)
                p->rounds[m] += p->messages[k].part == p->messages[m].part;
            if (p->rounds[m] >= halo->rounds)
                halo->rounds = p->rounds[m] + 1;
        }
    }
}

hd_status hd_halo_create(const hd_domain *domain, const int *devices, size_t element, size_t depth,
                         int corners, hd_halo **halo)
{
    static const char call[] = "hd_halo_create";
    hd_part first;
    hd_halo *made;
    unsigned count;
    hd_status status = HD_OK;
    if (!devices || !halo || element == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s",
                        element ? "devices or halo is NULL" : "elements of no bytes");
    HD_TRY(hd_domain_part(domain, 0, &first));
    count = (domain->tiles_x ? domain->tiles_x : 1) * (domain->tiles_y ? domain->tiles_y : 1);
    made = hd__handle_make(sizeof *made + count * sizeof made->parts[0]);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u parts", count);
    made->element = element;
    made->count = count;
    for (unsigned i = 0; i < count && status >= 0; i++)
        status = open_part(made, domain, devices, depth, corners, i);
    if (status >= 0) {
        plan_rounds(made);
        *halo = made;
    } else {
        hd_halo_destroy(made);
    }
    return status;
}

hd_status hd_halo_destroy(hd_halo *halo)
{
    HD__RELEASING;
    hd_status status = HD_OK;
    if (!halo)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_halo_destroy", halo, "halo"));
    for (unsigned i = 0; i < halo->count; i++) {
        part *p = &halo->parts[i];
        for (unsigned m = 0; m < HD_HALO_MESSAGES; m++) {
            const hd_status out = hd_free(p->out[m]), in = hd_free(p->in[m]);
            status = status < 0 ? status : out < 0 ? out : in;
        }
        hd_event_destroy(p->ready);
        hd_event_destroy(p->sent);
    }
    hd__handle_free(halo);
    return status;
}

hd_status hd_halo_path(const hd_halo *halo, unsigned index, unsigned message, hd_peer_path *path)
{
    if (!halo || !path || index >= halo->count || message >= halo->parts[index].count)
        return hd__fail(HD_ERR_ARGUMENT, "hd_halo_path", "no message %u of part %u", message,
                        index);
    *path = halo->parts[index].paths[message];
    return HD_OK;
}

hd_status hd_halo_carry(hd_halo *halo, hd_halo_carrier carrier)
{
    static const char call[] = "hd_halo_carry";
    if (!halo)
        return hd__fail(HD_ERR_ARGUMENT, call, "halo is NULL");
    if (carrier != HD_HALO_COPIES && carrier != HD_HALO_STORES)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown carrier %d", (int)carrier);
    halo->carrier = carrier;
    return HD_OK;
}

/* The message with that tag in a neighbour's plan. */
static unsigned with_tag(const part *p, unsigned tag)
{
    unsigned i = 0;
    while (i + 1 < p->count && p->messages[i].tag != tag)
        i++;
    return i;
}

/* The message is one contiguous range of bytes at both ends. */
static int whole(const hd_halo_message *m, hd_halo_field a, hd_halo_field b)
{
    return hd__halo_is_run(m, a) && hd__halo_is_run(m, b);
}

/* The message is stored by a kernel. */
static int stored(hd_halo_carrier carrier, const part *p, unsigned i)
{
    return carrier == HD_HALO_STORES && p->paths[i] != HD_PATH_STAGED;
}

static hd_status store_all(const hd_halo *halo, unsigned index, const hd_halo_field *fields,
                           hd_stream *const *streams)
{
    const part *from = &halo->parts[index];
    hd__halo_messages list = {0};
    for (unsigned i = 0; i < from->count; i++) {
        const hd_halo_message *m = &from->messages[i];
        const part *to = &halo->parts[m->part];
        const hd_halo_message *n = &to->messages[with_tag(to, m->opposite)];
        hd__halo_rows rows = {0};
        if (!stored(halo->carrier, from, i))
            continue;
        HD_TRY(hd_stream_wait(streams[index], to->ready));
        rows.from = hd__halo_cell(fields[index], m->send_x, m->send_y, halo->element);
        rows.to = hd__halo_cell(fields[m->part], n->receive_x, n->receive_y, halo->element);
        rows.from_pitch = fields[index].pitch * halo->element;
        rows.to_pitch = fields[m->part].pitch * halo->element;
        rows.row_bytes = m->nx * halo->element;
        rows.rows = m->ny;
        HD_TRY(hd__halo_messages_add("hd_halo_exchange_phase", &list, rows));
    }
    return hd__halo_messages_store(&list, streams[index]);
}

static hd_status send_one(const hd_halo *halo, unsigned index, unsigned i,
                          const hd_halo_field *fields, hd_stream *const *streams)
{
    const part *from = &halo->parts[index];
    const hd_halo_message *m = &from->messages[i];
    const part *to = &halo->parts[m->part];
    const unsigned there = with_tag(to, m->opposite);
    const hd_halo_message *n = &to->messages[there];
    const size_t bytes = m->nx * m->ny * halo->element;
    hd_stream *stream = streams[index];
    HD_TRY(hd_stream_wait(stream, to->ready));
    if (whole(m, fields[index], fields[m->part]))
        return hd_transfer(
            hd__halo_cell(fields[m->part], n->receive_x, n->receive_y, halo->element), to->device,
            hd__halo_cell(fields[index], m->send_x, m->send_y, halo->element), from->device, bytes,
            stream);
    HD_TRY(hd_halo_pack(m, fields[index], halo->element, from->out[i], stream));
    return hd_transfer(to->in[there], to->device, from->out[i], from->device, bytes, stream);
}

static hd_status unpack(const hd_halo *halo, hd_halo_carrier carrier, unsigned index,
                        const hd_halo_field *fields, hd_stream *stream)
{
    const part *p = &halo->parts[index];
    for (unsigned i = 0; i < p->count; i++) {
        const hd_halo_message *m = &p->messages[i];
        if (!stored(carrier, p, i) && !whole(m, fields[index], fields[m->part]))
            HD_TRY(hd_halo_unpack(m, fields[index], halo->element, p->in[i], stream));
    }
    return HD_OK;
}

static hd_status receive(const hd_halo *halo, unsigned index, const hd_halo_field *fields,
                         hd_stream *stream)
{
    const part *p = &halo->parts[index];
    for (unsigned i = 0; i < p->count; i++)
        HD_TRY(hd_stream_wait(stream, halo->parts[p->messages[i].part].sent));
    return unpack(halo, halo->carrier, index, fields, stream);
}

/* Checks the fields of all parts: neighbours write into each other's. */
static hd_status check_fields(const char *call, const hd_halo *halo, const hd_halo_field *fields)
{
    for (unsigned i = 0; i < halo->count; i++) {
        if (halo->parts[i].count == 0)
            continue;
        if (!fields[i].first)
            return hd__fail(HD_ERR_ARGUMENT, call, "fields[%u].first is NULL", i);
        if (fields[i].pitch < halo->parts[i].width)
            return hd__fail(HD_ERR_ARGUMENT, call,
                            "fields[%u].pitch is %zu, its rows and halos are %zu elements wide", i,
                            fields[i].pitch, halo->parts[i].width);
    }
    return HD_OK;
}

hd_status hd_halo_exchange_phase(hd_halo *halo, unsigned phase, unsigned index,
                                 const hd_halo_field *fields, hd_stream *const *streams)
{
    static const char call[] = "hd_halo_exchange_phase";
    if (!halo || !fields || !streams)
        return hd__fail(HD_ERR_ARGUMENT, call, "halo, fields or streams is NULL");
    if (index >= halo->count || phase >= HD_HALO_PHASES)
        return hd__fail(HD_ERR_ARGUMENT, call, "no phase %u of part %u", phase, index);
    if (phase == 0) {
        HD_TRY(check_fields(call, halo, fields));
        return hd_event_record(halo->parts[index].ready, streams[index]);
    }
    if (phase == 2)
        return receive(halo, index, fields, streams[index]);
    HD_TRY(store_all(halo, index, fields, streams));
    for (unsigned i = 0; i < halo->parts[index].count; i++)
        if (!stored(halo->carrier, &halo->parts[index], i))
            HD_TRY(send_one(halo, index, i, fields, streams));
    return hd_event_record(halo->parts[index].sent, streams[index]);
}

hd_status hd_halo_exchange(hd_halo *halo, const hd_halo_field *fields, hd_stream *const *streams)
{
    if (!halo)
        return hd__fail(HD_ERR_ARGUMENT, "hd_halo_exchange", "halo is NULL");
    for (unsigned phase = 0; phase < HD_HALO_PHASES; phase++)
        for (unsigned i = 0; i < halo->count; i++)
            HD_TRY(hd_halo_exchange_phase(halo, phase, i, fields, streams));
    return HD_OK;
}

/* ---- through a group ------------------------------------------------------------------------- */

static hd_status check_group(const char *call, const hd_halo *halo, const hd_group *group,
                             const hd_halo_field *fields, hd_stream *const *streams)
{
    if (!halo || !group || !fields || !streams)
        return hd__fail(HD_ERR_ARGUMENT, call, "halo, group, fields or streams is NULL");
    if (hd_group_size(group) != halo->count)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u ranks for %u parts", hd_group_size(group),
                        halo->count);
    for (unsigned i = 0; i < halo->count; i++)
        if (hd_group_device(group, i) != halo->parts[i].device)
            return hd__fail(HD_ERR_ARGUMENT, call, "part %u is on device %d, rank %u on %d", i,
                            halo->parts[i].device, i, hd_group_device(group, i));
    return check_fields(call, halo, fields);
}

static hd_status pack(const hd_halo *halo, unsigned index, const hd_halo_field *fields,
                      hd_stream *stream)
{
    const part *p = &halo->parts[index];
    for (unsigned i = 0; i < p->count; i++) {
        const hd_halo_message *m = &p->messages[i];
        if (!whole(m, fields[index], fields[m->part]))
            HD_TRY(hd_halo_pack(m, fields[index], halo->element, p->out[i], stream));
    }
    return HD_OK;
}

typedef hd_group_message round_messages[HD_GROUP_MAX_RANKS * HD_HALO_MESSAGES];

/* Lists what all parts send in a round. */
static size_t list_round(const hd_halo *halo, unsigned round, const hd_halo_field *fields,
                         round_messages list)
{
    size_t count = 0;
    for (unsigned index = 0; index < halo->count; index++)
        for (unsigned i = 0; i < halo->parts[index].count; i++) {
            const part *from = &halo->parts[index];
            const hd_halo_message *m = &from->messages[i];
            const part *to = &halo->parts[m->part];
            const unsigned there = with_tag(to, m->opposite);
            const hd_halo_message *n = &to->messages[there];
            const int direct = whole(m, fields[index], fields[m->part]);
            hd_group_message *one = &list[count];
            if (from->rounds[i] != round)
                continue;
            one->from = index;
            one->to = m->part;
            one->in = direct ? hd__halo_cell(fields[index], m->send_x, m->send_y, halo->element)
                             : from->out[i];
            one->out = direct ? hd__halo_cell(fields[m->part], n->receive_x, n->receive_y,
                                              halo->element)
                              : to->in[there];
            one->bytes = m->nx * m->ny * halo->element;
            count++;
        }
    return count;
}

hd_status hd_halo_exchange_group(hd_halo *halo, hd_group *group, const hd_halo_field *fields,
                                 hd_stream *const *streams)
{
    round_messages list;
    HD_TRY(check_group("hd_halo_exchange_group", halo, group, fields, streams));
    for (unsigned i = 0; i < halo->count; i++)
        HD_TRY(pack(halo, i, fields, streams[i]));
    for (unsigned round = 0; round < halo->rounds; round++) {
        const size_t count = list_round(halo, round, fields, list);
        HD_TRY(hd_group_send_receive(group, list, count, streams));
    }
    for (unsigned i = 0; i < halo->count; i++)
        HD_TRY(unpack(halo, HD_HALO_COPIES, i, fields, streams[i]));
    return HD_OK;
}

hd_status hd_halo_exchange_group_rank(hd_halo *halo, hd_group *group, unsigned index,
                                      const hd_halo_field *fields, hd_stream *stream)
{
    static const char call[] = "hd_halo_exchange_group_rank";
    round_messages list;
    HD_TRY(check_group(call, halo, group, fields, &stream));
    if (index >= halo->count)
        return hd__fail(HD_ERR_ARGUMENT, call, "part %u of %u", index, halo->count);
    HD_TRY(pack(halo, index, fields, stream));
    for (unsigned round = 0; round < halo->rounds; round++) {
        const size_t count = list_round(halo, round, fields, list);
        HD_TRY(hd_group_send_receive_rank(group, index, list, count, stream));
    }
    return unpack(halo, HD_HALO_COPIES, index, fields, stream);
}
