/* SPDX-License-Identifier: Apache-2.0 */
/* halo.c - hd_mpi_halo: halos between ranks, by an exchange of messages.

   Contiguous messages are sent from and received into the field; others are packed into buffers.
   Either way a message is a sequence of rows of cells, so ranks may have different pitches.
   Messages of a part to itself are copied during the exchange.

   A rank that fails before its messages are sent sends farewells (empty messages) instead; one that
   fails later, or learns of another rank's failure, sends them in place of its next messages. After
   that it sends nothing, and ranks that have received its farewell do not wait for it. Every
   hd_mpi_halo therefore keeps its own list of ranks that have said farewell: other halos of the
   same hd_mpi may still work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/stencil/halo_plan.h"
#include "transfer.h"

struct hd_mpi_halo {
    hd_mpi *mpi;
    size_t element, width;
    hd_halo_message plan[HD_HALO_MESSAGES]; /* messages to and from other ranks, then */
    unsigned others, own;                   /* those of the part to itself */
    hd_mpi_message messages[HD_HALO_MESSAGES];
    void *out[HD_HALO_MESSAGES], *in[HD_HALO_MESSAGES]; /* NULL: the message is always contiguous */
    hd_event *taken;   /* recorded after the buffers `in` were read; */
    int takes;         /* 0: not recorded yet */
    hd_stream *stream; /* NULL: no exchange in progress */
    hd_halo_field field;
    hd_status copied;    /* status of the copies of the part to itself */
    unsigned char *gone; /* replaces the hd_mpi's list during a call */
    hd_status failure;   /* negative: no more exchanges */
    int announced;       /* the others know of the failure */
    const char *where;
    char why[HD__MPI_TEXT];
};

/* ---- create, destroy ------------------------------------------------------------------------- */

static unsigned tiles(unsigned given)
{
    return given ? given : 1;
}

static hd_status check_create(const hd_mpi *mpi, const hd_domain *domain, size_t element,
                              hd_mpi_halo *const *halo, const char *call)
{
    hd_part first;
    uint64_t parts;
    if (!domain || !halo || element == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s",
                        !domain ? "domain is NULL"
                        : !halo ? "halo is NULL"
                                : "elements of no bytes");
    HD_TRY(hd_domain_part(domain, 0, &first));
    parts = (uint64_t)tiles(domain->tiles_x) * tiles(domain->tiles_y);
    if (parts != (uint64_t)mpi->size)
        return hd__fail(HD_ERR_ARGUMENT, call, "%llu parts for %d ranks", (unsigned long long)parts,
                        mpi->size);
    return HD_OK;
}

/* Collective, like the call it is for. */
static hd_status compare_ranks(const hd_mpi *mpi, const hd_domain *d, size_t element, size_t depth,
                               int corners, const char *call)
{
    const hd__mpi_fact facts[] = {{"nx", (int64_t)d->nx, NULL},
                                  {"ny", (int64_t)d->ny, NULL},
                                  {"tiles_x", tiles(d->tiles_x), NULL},
                                  {"tiles_y", tiles(d->tiles_y), NULL},
                                  {"align_x", (int64_t)(d->align_x ? d->align_x : 1), NULL},
                                  {"align_y", (int64_t)(d->align_y ? d->align_y : 1), NULL},
                                  {"periodic_x", d->periodic_x != 0, NULL},
                                  {"periodic_y", d->periodic_y != 0, NULL},
                                  {"element", (int64_t)element, NULL},
                                  {"depth", (int64_t)depth, NULL},
                                  {"corners", corners != 0, NULL}};
    return hd__mpi_compare(mpi, facts, sizeof facts / sizeof *facts, call);
}

/* Lists messages of other ranks first. */
static hd_status make_plan(hd_mpi_halo *h, const hd_domain *domain, size_t depth, int corners)
{
    const unsigned rank = (unsigned)h->mpi->rank;
    hd_halo_message plan[HD_HALO_MESSAGES];
    unsigned count;
    HD_TRY(hd_halo_plan(domain, rank, depth, corners, plan, &count));
    h->width = hd__halo_width(plan, count);
    for (unsigned i = 0; i < count; i++)
        if (plan[i].part != rank)
            h->plan[h->others++] = plan[i];
    for (unsigned i = 0; i < count; i++)
        if (plan[i].part == rank)
            h->plan[h->others + h->own++] = plan[i];
    return HD_OK;
}

static hd_status make_message(hd_mpi_halo *h, unsigned i, const char *call)
{
    const hd_halo_message *plan = &h->plan[i];
    hd_mpi_message *m = &h->messages[i];
    const size_t bytes = hd_bytes(plan->nx * plan->ny, h->element);
    if (bytes == SIZE_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu x %zu cells of %zu bytes", plan->nx, plan->ny,
                        h->element);
    m->peer = (int)plan->part;
    m->send_tag = (int)plan->tag;
    m->receive_tag = (int)plan->opposite;
    m->send_bytes = m->receive_bytes = bytes;
    if (plan->ny == 1)
        return HD_OK;
    HD_TRY(hd_alloc_bytes(&h->out[i], bytes, 1, HD_MEM_DEVICE, h->mpi->device));
    return hd_alloc_bytes(&h->in[i], bytes, 1, HD_MEM_DEVICE, h->mpi->device);
}

static hd_status open_halo(hd_mpi_halo *h, const hd_domain *domain, size_t depth, int corners,
                           const char *call)
{
    HD_TRY(make_plan(h, domain, depth, corners));
    for (unsigned i = 0; i < h->others; i++)
        HD_TRY(make_message(h, i, call));
    h->gone = calloc((size_t)h->mpi->size, 1);
    if (!h->gone)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a list of %d ranks", h->mpi->size);
    HD_TRY(hd_event_create(h->mpi->device, 0, &h->taken));
    return HD_OK;
}

hd_status hd_mpi_halo_create(hd_mpi *mpi, const hd_domain *domain, size_t element, size_t depth,
                             int corners, hd_mpi_halo **halo)
{
    static const char call[] = "hd_mpi_halo_create";
    hd_mpi_halo *made;
    hd_status status;
    if (!mpi)
        return hd__fail(HD_ERR_ARGUMENT, call, "mpi is NULL");
    memset(mpi->gone, 0, (size_t)mpi->size); /* failures before this call do not belong to it */
    HD_TRY(hd_mpi_agree(mpi, check_create(mpi, domain, element, halo, call)));
    HD_TRY(hd_mpi_agree(mpi, compare_ranks(mpi, domain, element, depth, corners, call)));
    made = hd__handle_make(sizeof *made);
    status = made ? HD_OK : hd__fail(HD_ERR_NO_MEMORY, call, "no memory");
    if (made) {
        made->mpi = mpi;
        made->element = element;
        status = open_halo(made, domain, depth, corners, call);
    }
    status = hd_mpi_agree(mpi, status);
    if (status < 0) {
        (void)hd_mpi_halo_destroy(made);
        return status;
    }
    *halo = made;
    return HD_OK;
}

hd_status hd_mpi_halo_destroy(hd_mpi_halo *h)
{
    HD__RELEASING;
    hd_status status = HD_OK;
    if (!h)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_mpi_halo_destroy", h, "halo"));
    if (h->stream)
        status = hd_mpi_halo_exchange_end(h);
    for (unsigned i = 0; i < h->others; i++) {
        const hd_status out = hd_free(h->out[i]), in = hd_free(h->in[i]);
        status = status < 0 ? status : out < 0 ? out : in;
    }
    (void)hd_event_destroy(h->taken);
    free(h->gone);
    hd__handle_free(h);
    return status;
}

/* ---- failures -------------------------------------------------------------------------------- */

static hd_status note_failure(hd_mpi_halo *h, hd_status status)
{
    if (status < 0 && h->failure >= 0) {
        h->failure = status;
        h->where = hd_error_last()->call;
        (void)snprintf(h->why, sizeof h->why, "%s", hd_error_last()->message);
    }
    return status;
}

/* Exchanges the list of failed ranks with this halo's own, from here until swap_gone_back. */
static void swap_gone(hd_mpi_halo *h)
{
    unsigned char *gone = h->mpi->gone;
    h->mpi->gone = h->gone;
    h->gone = gone;
}

/* hd_mpi_agree needs this halo's list to find out which failures were caused by others. */
static void swap_gone_back(hd_mpi_halo *h)
{
    swap_gone(h);
    for (int r = 0; r < h->mpi->size; r++)
        if (!h->mpi->gone[r])
            h->mpi->gone[r] = h->gone[r];
}

static void say_farewell(hd_mpi_halo *h)
{
    if (h->announced)
        return;
    h->announced = 1;
    swap_gone(h);
    hd__mpi_exchange_farewell(h->mpi, h->messages, h->others);
    swap_gone_back(h);
}

/* In place of an exchange, on a rank whose last one failed. */
static hd_status fail_again(hd_mpi_halo *h)
{
    say_farewell(h);
    return hd__fail(h->failure, h->where, "%s", h->why);
}

static hd_status check_idle(const hd_mpi_halo *h, const char *call)
{
    if (!h)
        return hd__fail(HD_ERR_ARGUMENT, call, "halo is NULL");
    if (h->mpi->transfer && h->mpi->transfer->stream)
        return hd__fail(HD_ERR_STATE, call, "the exchange before has not ended");
    return HD_OK;
}

hd_status hd_mpi_halo_farewell(hd_mpi_halo *h)
{
    static const char call[] = "hd_mpi_halo_farewell";
    HD_TRY(check_idle(h, call));
    if (h->failure >= 0) { /* the caller's last error is kept */
        h->failure = HD_ERR_STATE;
        h->where = call;
        (void)snprintf(h->why, sizeof h->why, "this rank has said farewell");
    }
    say_farewell(h);
    return HD_OK;
}

/* ---- exchange -------------------------------------------------------------------------------- */

static hd_status check_exchange(const hd_mpi_halo *h, hd_halo_field field, const hd_stream *stream,
                                const char *call)
{
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    if (stream->device != h->mpi->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the stream is of device %d, the rank has device %d",
                        stream->device, h->mpi->device);
    if (h->others + h->own == 0)
        return HD_OK;
    if (!field.first)
        return hd__fail(HD_ERR_ARGUMENT, call, "field.first is NULL");
    if (field.pitch < h->width)
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "field.pitch is %zu, rows and halos are %zu elements wide", field.pitch,
                        h->width);
    return HD_OK;
}

/* Sets the address of the message's data, and packs it if it is sent. */
static hd_status aim(hd_mpi_halo *h, unsigned i, hd_halo_field field, hd_stream *stream)
{
    const hd_halo_message *plan = &h->plan[i];
    hd_mpi_message *m = &h->messages[i];
    if (hd__halo_is_run(plan, field)) {
        m->send = hd__halo_cell(field, plan->send_x, plan->send_y, h->element);
        m->receive = hd__halo_cell(field, plan->receive_x, plan->receive_y, h->element);
        return HD_OK;
    }
    m->send = h->out[i];
    m->receive = h->in[i];
    return hd_halo_pack(plan, field, h->element, h->out[i], stream);
}

/* A part that is its own neighbour on one side is also its own neighbour on the opposite side. Tags
   ascend, and opposite directions have opposite positions in the list: message i is received where
   message own - 1 - i receives. */
static hd_status copy_own(const hd_mpi_halo *h, hd_halo_field field, hd_stream *stream)
{
    const hd_halo_message *own = h->plan + h->others;
    for (unsigned i = 0; i < h->own; i++) {
        const hd_halo_message *from = &own[i], *to = &own[h->own - 1 - i];
        const size_t row = from->nx * h->element, pitch = field.pitch * h->element;
        HD_TRY(hd_copy_2d(hd__halo_cell(field, to->receive_x, to->receive_y, h->element), pitch,
                          hd__halo_cell(field, from->send_x, from->send_y, h->element), pitch, row,
                          from->ny, stream));
    }
    return HD_OK;
}

/* Received data goes to buffers that an earlier exchange may still read on another stream. */
static hd_status begin(hd_mpi_halo *h, hd_halo_field field, hd_stream *stream, const char *call)
{
    HD_TRY(check_exchange(h, field, stream, call));
    if (h->takes)
        HD_TRY(hd_stream_wait(stream, h->taken));
    for (unsigned i = 0; i < h->others; i++)
        HD_TRY(aim(h, i, field, stream));
    return hd_mpi_exchange_begin(h->mpi, h->messages, h->others, stream);
}

hd_status hd_mpi_halo_exchange_begin(hd_mpi_halo *h, hd_halo_field field, hd_stream *stream)
{
    static const char call[] = "hd_mpi_halo_exchange_begin";
    hd_status status;
    HD_TRY(check_idle(h, call));
    if (h->failure < 0)
        return fail_again(h);
    status = note_failure(h, begin(h, field, stream, call));
    if (status < 0) {
        say_farewell(h);
        return status;
    }
    h->stream = stream;
    h->field = field;
    h->copied = copy_own(h, field, stream);
    return HD_OK;
}

static hd_status unpack(hd_mpi_halo *h, hd_stream *stream)
{
    int buffers = 0;
    for (unsigned i = 0; i < h->others; i++) {
        if (h->messages[i].receive != h->in[i])
            continue;
        HD_TRY(hd_halo_unpack(&h->plan[i], h->field, h->element, h->in[i], stream));
        buffers = 1;
    }
    if (!buffers)
        return HD_OK;
    h->takes = 1;
    return hd_event_record(h->taken, stream);
}

hd_status hd_mpi_halo_exchange_end(hd_mpi_halo *h)
{
    hd_status status;
    if (!h || !h->stream)
        return hd__fail(HD_ERR_STATE, "hd_mpi_halo_exchange_end", "no exchange has begun");
    swap_gone(h);
    status = hd_mpi_exchange_end(h->mpi);
    swap_gone_back(h);
    if (status >= 0)
        status = h->copied;
    if (status >= 0)
        status = unpack(h, h->stream);
    h->stream = NULL;
    return note_failure(h, status);
}

hd_status hd_mpi_halo_exchange(hd_mpi_halo *h, hd_halo_field field, hd_stream *stream)
{
    HD_TRY(hd_mpi_halo_exchange_begin(h, field, stream));
    return hd_mpi_halo_exchange_end(h);
}
