/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c - messages of device memory between ranks. Staged messages are split into chunks:
   while one is sent, the next is copied to the host. Chunks have their message's tag; MPI keeps
   their order. Messages that MPI does not carry (library.c, direct.c) are matched first: meet.c. */
#include <stdlib.h>

#include "direct.h"

enum {
    ALIGN = 256,
    CHUNK = 1 << 20, /* smallest chunk of a staged message, */
    CHUNKS = 64      /* and the largest number of chunks */
};

/* Depends only on the message and the path, so that both sides agree. */
static size_t chunk_bytes(const hd_mpi *mpi, size_t bytes)
{
    size_t chunk = (bytes / CHUNKS + ALIGN) / ALIGN * ALIGN;
    if (mpi->path == HD_MPI_DEVICE)
        return HD__MPI_LARGEST;
    if (hd__mpi_forced.chunk_bytes)
        return hd__mpi_forced.chunk_bytes;
    chunk = chunk < CHUNK ? CHUNK : chunk;
    return chunk < HD__MPI_LARGEST ? chunk : HD__MPI_LARGEST;
}

static size_t chunks_of(const hd_mpi *mpi, size_t bytes)
{
    const size_t chunk = chunk_bytes(mpi, bytes);
    return bytes / chunk + (bytes % chunk != 0);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* NULL: no memory; the old array is kept. */
static void *larger(void *old, size_t count, size_t size)
{
    return count > SIZE_MAX / size ? NULL : realloc(old, count * size);
}

static hd_status no_room(const char *call, size_t count)
{
    return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu chunks", count);
}

static hd_status make_list(hd__mpi_list *list, size_t count, const char *call)
{
    list->count = 0;
    if (count > list->room) {
        hd__mpi_chunk *made = larger(list->chunks, count, sizeof *made);
        if (!made)
            return no_room(call, count);
        list->chunks = made;
        list->room = count;
    }
    return HD_OK;
}

static hd_status make_requests(hd__mpi_transfer *t, size_t count, const char *call)
{
    MPI_Request *requests;
    MPI_Status *statuses;
    int *completed;
    if (count <= t->request_room)
        return HD_OK;
    requests = larger(t->requests, count, sizeof *requests);
    if (!requests)
        return no_room(call, count);
    t->requests = requests;
    completed = larger(t->completed, count, sizeof *completed);
    if (!completed)
        return no_room(call, count);
    t->completed = completed;
    statuses = larger(t->statuses, count, sizeof *statuses);
    if (!statuses)
        return no_room(call, count);
    t->statuses = statuses;
    t->request_room = count;
    return HD_OK;
}

static hd_status make_met_requests(hd__mpi_transfer *t, size_t count, const char *call)
{
    MPI_Request *requests;
    if (count <= t->met_room)
        return HD_OK;
    requests = larger(t->met_requests, count, sizeof *requests);
    if (!requests)
        return no_room(call, count);
    t->met_requests = requests;
    t->met_room = count;
    return HD_OK;
}

static hd_status make_lists(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                            const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    size_t sends = 0, receives = 0, met_sends = 0, met_receives = 0;
    for (size_t i = 0; i < count; i++) {
        const int met = hd__mpi_meets(mpi, messages[i].peer);
        met_sends += met && messages[i].send_bytes;
        met_receives += met && messages[i].receive_bytes;
        sends += met ? 0 : chunks_of(mpi, messages[i].send_bytes);
        receives += met ? 0 : chunks_of(mpi, messages[i].receive_bytes);
    }
    if (sends > INT32_MAX / 2 || receives > INT32_MAX / 2)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu chunks are too many", sends + receives);
    HD_TRY(make_list(&t->sends, sends, call));
    HD_TRY(make_list(&t->receives, receives, call));
    HD_TRY(make_list(&t->met_sends, met_sends, call));
    HD_TRY(make_list(&t->met_receives, met_receives, call));
    HD_TRY(make_met_requests(t, 2 * (met_sends + met_receives), call));
    return make_requests(t, sends + receives, call);
}

/* Adds one side of a message as a whole. */
static void add_met(hd__mpi_list *list, int peer, int tag, void *device, size_t bytes)
{
    if (bytes)
        list->chunks[list->count++] = (hd__mpi_chunk){
            .peer = peer, .tag = tag, .bytes = bytes, .device = device};
}

/* Splits one side of a message into chunks; *at is the first free byte of the stage. */
static void add_chunks(const hd_mpi *mpi, hd__mpi_list *list, int peer, int tag, void *device,
                       size_t bytes, size_t *at)
{
    const size_t chunk = chunk_bytes(mpi, bytes);
    for (size_t i = 0, count = chunks_of(mpi, bytes), done = 0; i < count; i++, done += chunk) {
        hd__mpi_chunk *made = &list->chunks[list->count++];
        made->peer = peer;
        made->tag = tag;
        made->bytes = bytes - done < chunk ? bytes - done : chunk;
        made->device = (char *)device + done;
        made->stage = NULL;
        made->ready = NULL;
        *at += (made->bytes + ALIGN - 1) / ALIGN * ALIGN;
    }
}

static void add_message(const hd_mpi *mpi, const hd_mpi_message *m, size_t *at)
{
    hd__mpi_transfer *t = mpi->transfer;
    void *send = (void *)(uintptr_t)m->send; /* only read */
    if (hd__mpi_meets(mpi, m->peer)) {
        add_met(&t->met_receives, m->peer, m->receive_tag, m->receive, m->receive_bytes);
        add_met(&t->met_sends, m->peer, m->send_tag, send, m->send_bytes);
        return;
    }
    add_chunks(mpi, &t->receives, m->peer, m->receive_tag, m->receive, m->receive_bytes, at);
    add_chunks(mpi, &t->sends, m->peer, m->send_tag, send, m->send_bytes, at);
}

static void place_chunks(hd__mpi_list *list, char *stage, size_t *at)
{
    for (size_t i = 0; i < list->count; i++) {
        list->chunks[i].stage = stage + *at;
        *at += (list->chunks[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
    }
}

static hd_status more_events(hd_mpi *mpi, size_t count, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd_event **events;
    if (count <= t->event_count)
        return HD_OK;
    events = larger(t->events, count, sizeof(hd_event *));
    if (!events)
        return no_room(call, count);
    t->events = events;
    while (t->event_count < count) {
        HD_TRY(hd_event_create(mpi->device, 0, &t->events[t->event_count]));
        t->event_count++;
    }
    return HD_OK;
}

/* ---- begin ----------------------------------------------------------------------------------- */

static int mpi_carries(const hd__mpi_transfer *t)
{
    return t->sends.count + t->receives.count > 0;
}

/* Staged: copies to the host, each followed by an event. Device memory: one event, after which MPI
   may read it. */
static hd_status start_sends(hd_mpi *mpi, hd_stream *stream, size_t stage_bytes, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    const size_t events = mpi->path == HD_MPI_STAGED ? t->sends.count : 1;
    size_t at = 0;
    if (!mpi_carries(t))
        return HD_OK;
    HD_TRY(more_events(mpi, events ? events : 1, call));
    if (mpi->path == HD_MPI_DEVICE)
        return hd_event_record(t->events[0], stream);
    char *stage = NULL;
    HD_TRY(hd__mpi_stage(mpi, stage_bytes, &stage));
    place_chunks(&t->receives, stage, &at);
    place_chunks(&t->sends, stage, &at);
    for (size_t i = 0; i < t->sends.count; i++) {
        hd__mpi_chunk *chunk = &t->sends.chunks[i];
        HD_TRY(hd_copy_bytes(chunk->stage, chunk->device, chunk->bytes, 1, stream));
        chunk->ready = t->events[i];
        HD_TRY(hd_event_record(chunk->ready, stream));
    }
    return HD_OK;
}

static hd_status check_messages(const hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                                const hd_stream *stream, const char *call)
{
    if (!mpi || !stream || (count && !messages))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !mpi      ? "mpi"
                        : !stream ? "stream"
                                  : "messages");
    if (stream->device != mpi->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the stream is of device %d, the rank has device %d",
                        stream->device, mpi->device);
    for (size_t i = 0; i < count; i++) {
        const hd_mpi_message *m = &messages[i];
        if (m->peer < 0 || m->peer >= mpi->size)
            return hd__fail(HD_ERR_ARGUMENT, call, "message %zu: no rank %d among %d", i, m->peer,
                            mpi->size);
        if ((m->send_tag | m->receive_tag) & ~1023)
            return hd__fail(HD_ERR_ARGUMENT, call, "message %zu: tags are 0 to 1023", i);
        if ((m->send_bytes && !m->send) || (m->receive_bytes && !m->receive))
            return hd__fail(HD_ERR_ARGUMENT, call, "message %zu: memory is NULL", i);
    }
    return HD_OK;
}

hd_status hd_mpi_exchange_begin(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                                hd_stream *stream)
{
    static const char call[] = "hd_mpi_exchange_begin";
    hd__mpi_transfer *t;
    size_t bytes = 0;
    HD_TRY(check_messages(mpi, messages, count, stream, call));
    HD_TRY(hd__mpi_transfer_of(mpi, call, &t));
    if (t->stream)
        return hd__fail(HD_ERR_STATE, call, "the exchange before has not ended");
    HD_TRY(make_lists(mpi, messages, count, call));
    for (size_t i = 0; i < count; i++)
        add_message(mpi, &messages[i], &bytes);
    HD_TRY(start_sends(mpi, stream, bytes, call));
    if (mpi->direct)
        HD_TRY(hd__mpi_direct_begin(mpi, stream));
    t->stream = stream;
    return HD_OK;
}

/* ---- end ------------------------------------------------------------------------------------- */

static hd_status post(hd_mpi *mpi, const hd__mpi_chunk *chunk, int sends, MPI_Request *request,
                      const char *call)
{
    void *memory = chunk->stage ? chunk->stage : chunk->device;
    const int bytes = (int)chunk->bytes;
    return hd__mpi_check(
        call,
        sends ? MPI_Isend(memory, bytes, MPI_BYTE, chunk->peer, chunk->tag, mpi->comm, request)
              : MPI_Irecv(memory, bytes, MPI_BYTE, chunk->peer, chunk->tag, mpi->comm, request));
}

/* Requests: receives, then sends. A send is posted when its data has been copied; also if the copy
   failed, so that the receiver does not wait forever. */
static hd_status post_all(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd_status status = HD_OK;
    for (size_t i = 0; i < t->receives.count + t->sends.count; i++)
        t->requests[i] = MPI_REQUEST_NULL;
    if (mpi->path == HD_MPI_DEVICE && mpi_carries(t))
        status = hd_event_synchronize(t->events[0]);
    for (size_t i = 0; i < t->receives.count; i++) {
        const hd_status posted = post(mpi, &t->receives.chunks[i], 0, &t->requests[i], call);
        status = status < 0 ? status : posted;
    }
    for (size_t i = 0; i < t->sends.count; i++) {
        hd_status posted = HD_OK;
        if (t->sends.chunks[i].ready)
            posted = hd_event_synchronize(t->sends.chunks[i].ready);
        status = status < 0 ? status : posted;
        posted = post(mpi, &t->sends.chunks[i], 1, &t->requests[t->receives.count + i], call);
        status = status < 0 ? status : posted;
    }
    return status;
}

/* The rank that this one waits for, for the watch. */
static int awaited(const hd__mpi_transfer *t)
{
    for (size_t i = 0; i < t->receives.count; i++)
        if (t->requests[i] != MPI_REQUEST_NULL)
            return t->receives.chunks[i].peer;
    for (size_t i = 0; i < t->sends.count; i++)
        if (t->requests[t->receives.count + i] != MPI_REQUEST_NULL)
            return t->sends.chunks[i].peer;
    return HD__MPI_NOBODY;
}

/* Copies a received chunk from the stage to the device. */
static hd_status take(hd_mpi *mpi, const hd__mpi_chunk *chunk, const MPI_Status *came,
                      const char *call)
{
    int bytes = 0;
    (void)MPI_Get_count(came, MPI_BYTE, &bytes);
    if ((size_t)bytes != chunk->bytes) {
        mpi->gone[chunk->peer] = HD__MPI_FAREWELL;
        return hd__fail(HD_ERR_STATE, call, "rank %d has failed: it sent %d bytes instead of %zu",
                        chunk->peer, bytes, chunk->bytes);
    }
    if (!chunk->stage)
        return HD_OK;
    return hd_copy_bytes(chunk->device, chunk->stage, chunk->bytes, 1, mpi->transfer->stream);
}

/* Reports a failed request: the other rank, and the number of bytes expected. */
static hd_status report_failure(const hd_mpi *mpi, size_t which, int code, const char *call)
{
    const hd__mpi_transfer *t = mpi->transfer;
    const int sends = which >= t->receives.count;
    const hd__mpi_chunk *chunk = sends ? &t->sends.chunks[which - t->receives.count]
                                       : &t->receives.chunks[which];
    char text[MPI_MAX_ERROR_STRING] = "";
    int class = code, length = 0;
    (void)MPI_Error_class(code, &class);
    if (class == MPI_ERR_TRUNCATE)
        return hd__fail(HD_ERR_STATE, call,
                        "rank %d sent more than the %zu bytes that were to come with tag %d",
                        chunk->peer, chunk->bytes, chunk->tag);
    (void)MPI_Error_string(code, text, &length);
    return hd__fail(HD_ERR_BACKEND, call, "%zu bytes %s rank %d with tag %d: MPI: %.300s",
                    chunk->bytes, sends ? "to" : "from", chunk->peer, chunk->tag, text);
}

/* Handles a completed request; `has_code`: its status *came has an error code. */
static hd_status take_done(hd_mpi *mpi, size_t which, const MPI_Status *came, int has_code,
                           const char *call)
{
    const hd__mpi_transfer *t = mpi->transfer;
    if (has_code && came->MPI_ERROR != MPI_SUCCESS && came->MPI_ERROR != MPI_ERR_PENDING)
        return report_failure(mpi, which, came->MPI_ERROR, call);
    return which < t->receives.count ? take(mpi, &t->receives.chunks[which], came, call) : HD_OK;
}

/* Waits for all requests. */
static hd_status finish(hd_mpi *mpi, hd_status status, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    const int count = (int)(t->receives.count + t->sends.count);
    for (;;) {
        int done = 0;
        hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, awaited(t));
        const int code = MPI_Waitsome(count, t->requests, &done, t->completed, t->statuses);
        int class = code;
        (void)MPI_Error_class(code, &class);
        const int has_code = class == MPI_ERR_IN_STATUS;
        if (code != MPI_SUCCESS && !has_code && status >= 0)
            status = hd__mpi_check(call, code);
        if (done == MPI_UNDEFINED || (code != MPI_SUCCESS && !has_code))
            break;
        for (int i = 0; i < done; i++) {
            const hd_status taken = take_done(mpi, (size_t)t->completed[i], &t->statuses[i],
                                              has_code, call);
            status = status < 0 ? status : taken;
        }
    }
    hd__mpi_watch_leave(mpi->watch);
    return status;
}

/* Executes the messages that MPI does not carry, while MPI carries the others. */
static hd_status finish_met(hd_mpi *mpi, const char *call)
{
    return mpi->path == HD_MPI_LIBRARY ? hd__mpi_library_finish(mpi, call)
           : mpi->direct               ? hd__mpi_direct_finish(mpi, call)
                                       : HD_OK;
}

hd_status hd_mpi_exchange_end(hd_mpi *mpi)
{
    static const char call[] = "hd_mpi_exchange_end";
    hd_status status, met;
    if (!mpi || !mpi->transfer || !mpi->transfer->stream)
        return hd__fail(HD_ERR_STATE, call, "no exchange has begun");
    hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, HD__MPI_NOBODY);
    status = post_all(mpi, call);
    met = finish_met(mpi, call);
    status = finish(mpi, status < 0 ? status : met, call);
    if (mpi->path == HD_MPI_STAGED && mpi_carries(mpi->transfer)) {
        const hd_status used = hd__mpi_stage_used(mpi, mpi->transfer->stream);
        status = status < 0 ? status : used;
    }
    mpi->transfer->stream = NULL;
    return status;
}

hd_status hd_mpi_exchange(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                          hd_stream *stream)
{
    HD_TRY(hd_mpi_exchange_begin(mpi, messages, count, stream));
    return hd_mpi_exchange_end(mpi);
}

/* ---- farewell -------------------------------------------------------------------------------- */

/* Sends as many empty messages as there would be chunks. */
static void send_nothing(hd_mpi *mpi, const hd_mpi_message *m)
{
    for (size_t i = chunks_of(mpi, m->send_bytes); i > 0; i--)
        (void)MPI_Send(NULL, 0, MPI_BYTE, m->peer, m->send_tag, mpi->comm);
}

/* Receives the chunks that the other rank sends, one after another, until it is done or reports a
   failure. */
static void drain(hd_mpi *mpi, const hd_mpi_message *m, void *memory)
{
    const size_t chunk = chunk_bytes(mpi, m->receive_bytes);
    for (size_t i = chunks_of(mpi, m->receive_bytes); i > 0 && memory; i--)
        (void)MPI_Recv(memory, (int)(m->receive_bytes < chunk ? m->receive_bytes : chunk), MPI_BYTE,
                       m->peer, m->receive_tag, mpi->comm, MPI_STATUS_IGNORE);
}

/* The other rank has reported its failure itself, or learns of this one's in another way. */
static int is_away(const hd_mpi *mpi, int peer)
{
    return mpi->gone[peer] == HD__MPI_FAREWELL || hd__mpi_meets(mpi, peer);
}

void hd__mpi_exchange_farewell(hd_mpi *mpi, const hd_mpi_message *messages, size_t count)
{
    size_t most = 1;
    void *memory;
    for (size_t i = 0; i < count; i++)
        most = messages[i].receive_bytes > most ? messages[i].receive_bytes : most;
    memory = malloc(most);
    for (size_t i = 0; i < count; i++)
        if (!is_away(mpi, messages[i].peer))
            send_nothing(mpi, &messages[i]);
    hd__mpi_meet_farewell(mpi, messages, count);
    for (size_t i = 0; i < count; i++) {
        if (is_away(mpi, messages[i].peer))
            continue;
        hd__mpi_watch_enter(mpi->watch, HD__MPI_EXCHANGE, messages[i].peer);
        drain(mpi, &messages[i], memory);
        hd__mpi_watch_leave(mpi->watch);
    }
    free(memory);
}
