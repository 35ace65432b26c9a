/* SPDX-License-Identifier: Apache-2.0 */
/* direct_exchange.c - executes the flows of an exchange (direct.h), one in each direction between
   this rank and every other. All flows are polled, so that none holds up another. */
#include <sched.h>

#include "direct.h"
#include "runtime/runtime.h"

/* Tags above those of messages and answers (meet.c). */
enum { THERE = 2048, FREE = 2049 };
enum { LOOKS = 512 }; /* idle rounds between polls of the stream for failures */
#define NO_PIECE UINT64_MAX

typedef struct exchange {
    hd_mpi *mpi;
    const char *call;
    unsigned unsent;  /* send flows whose short messages are not enqueued yet */
    unsigned idle;    /* consecutive rounds without progress */
    hd_status status; /* this rank's first failure */
    int broken;       /* a rank that has failed; -1: none known */
} exchange;

/* Only the first failure is reported: its detail is kept until the exchange ends. */
static void note(exchange *x, hd_status status)
{
    if (status < 0 && x->status >= 0) {
        x->status = status;
        hd__error_mute(1);
    }
}

static hd__mpi_flow *flow_of(const exchange *x, int peer, int sends)
{
    return &x->mpi->direct->flows[2 * peer + sends];
}

static const hd__mpi_chunk *message_of(const exchange *x, int sends, size_t i)
{
    const hd__mpi_transfer *t = x->mpi->transfer;

    return &(sends ? &t->met_sends : &t->met_receives)->chunks[i];
}

/* ---- acknowledgements ------------------------------------------------------------------------ */

/* The sender announces every piece, and waits for the release of every slot that it uses again. */
static uint64_t freed(const hd__mpi_flow *f)
{
    return f->pieces > HD__MPI_SLOTS ? f->pieces - HD__MPI_SLOTS : 0;
}

static uint64_t to_announce(const hd__mpi_flow *f, int sends)
{
    return sends ? f->pieces : freed(f);
}

static uint64_t to_acknowledge(const hd__mpi_flow *f, int sends)
{
    return sends ? freed(f) : f->pieces;
}

static void post_receive(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    f->incoming = NO_PIECE;
    f->receiving = MPI_REQUEST_NULL;
    if (f->acknowledged < to_acknowledge(f, sends))
        note(x,
             hd__mpi_check(x->call, MPI_Irecv(&f->incoming, 1, MPI_UINT64_T, peer,
                                              sends ? FREE : THERE, x->mpi->comm, &f->receiving)));
}

/* 1: received an acknowledgement. */
static int take_acknowledgement(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    int came = 0;
    hd_status tested;

    if (f->acknowledged == to_acknowledge(f, sends))
        return 0;
    tested = hd__mpi_check(x->call, MPI_Test(&f->receiving, &came, MPI_STATUS_IGNORE));
    note(x, tested);
    if (!came && tested >= 0)
        return 0;
    if (f->incoming != f->acknowledged && !f->failed) {
        x->broken = peer;
        f->failed = 1;
    }
    f->acknowledged++;
    post_receive(x, f, peer, sends);
    return 1;
}

static void announce(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    const uint64_t slot = f->announced % HD__MPI_SLOTS;

    /* The previous one in this buffer has been answered, so it is complete. */
    (void)MPI_Wait(&f->sending[slot], MPI_STATUS_IGNORE);
    f->outgoing[slot] = f->failed ? NO_PIECE : f->announced;
    note(x,
         hd__mpi_check(x->call, MPI_Isend(&f->outgoing[slot], 1, MPI_UINT64_T, peer,
                                          sends ? THERE : FREE, x->mpi->comm, &f->sending[slot])));
    f->announced++;
}

/* Whether the device has completed the event, or failed. */
static int device_is_done(exchange *x, hd__mpi_flow *f, hd_event *done)
{
    const hd_status status = f->failed ? HD_OK : hd_event_query(done);

    note(x, status);
    f->failed |= status < 0;
    return status != HD_NOT_READY;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The same on both sides. The host overhead of a piece equals the transfer time of about 8 MiB:
   long transfers use whole slots, short ones smaller pieces, so that the receiver can start
   earlier. */
static size_t piece_bytes(const hd_mpi *mpi, size_t all)
{
    const size_t forced = hd__mpi_forced.chunk_bytes, slot = mpi->direct->slot;

    if (forced && forced < slot)
        return forced;
    return all / 8 > slot / 2 ? slot : slot / 2;
}

/* Counts the messages on which both ranks agree. */
static void count_pieces(exchange *x, hd__mpi_flow *f, int sends)
{
    size_t room = 0, all = 0;

    for (size_t i = f->first; i < f->first + f->count; i++) {
        const hd__mpi_chunk *message = message_of(x, sends, i);
        f->agreed += message->agreed > 0;
        room += message->agreed ? hd__mpi_short_room(message->bytes) : 0;
        all += message->agreed ? message->bytes : 0;
    }
    f->piece = piece_bytes(x->mpi, all);
    for (size_t i = f->first; i < f->first + f->count; i++) {
        const hd__mpi_chunk *message = message_of(x, sends, i);
        f->pieces += message->agreed ? message->bytes / f->piece + (message->bytes % f->piece != 0)
                                     : 0;
    }
    f->stage = f->agreed == 0 ? HD__MPI_DONE : HD__MPI_PIECES;
    if (f->agreed && hd__mpi_is_short(x->mpi, f->agreed, room)) {
        f->stage = HD__MPI_WAITS;
        f->pieces = 1;
        f->turn++;
    }
}

static int meet(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    if (!hd__mpi_meet_has_come(x->mpi, sends, f->first, f->count))
        return 0;
    note(x, hd__mpi_meet_end(x->mpi, sends, f->first, f->count, x->call));
    count_pieces(x, f, sends);
    x->unsent -= sends && f->stage != HD__MPI_WAITS;
    if (f->stage == HD__MPI_PIECES && sends)
        note(x, hd_stream_wait(x->mpi->direct->out, x->mpi->direct->before));
    x->mpi->direct->fills |= f->stage == HD__MPI_PIECES && !sends;
    post_receive(x, f, peer, sends);
    return 1;
}

/* ---- short messages -------------------------------------------------------------------------- */

/* Starts with the next rank, so that not all ranks put to the same one first. */
static void collect_shorts(exchange *x, int sends, hd__mpi_shorts *some)
{
    const int size = x->mpi->size;

    some->count = some->messages = 0;
    for (int k = 1; k < size; k++) {
        const int peer = (x->mpi->rank + k) % size;
        const hd__mpi_flow *f = flow_of(x, peer, sends);
        if (f->stage != HD__MPI_WAITS || some->messages + f->agreed > HD__MPI_SHORT)
            continue;
        some->peers[some->count++] = peer;
        some->messages += f->agreed;
    }
}

/* They are one launch, so a failure affects all of them. */
static void mark_enqueued(exchange *x, const hd__mpi_shorts *some, int sends, hd_status status,
                          uint64_t launch)
{
    for (unsigned i = 0; i < some->count; i++) {
        hd__mpi_flow *f = flow_of(x, some->peers[i], sends);
        f->failed |= status < 0;
        f->copied = 1;
        f->launch = launch;
        f->stage = HD__MPI_SHORTS;
    }
}

/* Enqueues as many as possible at once. Takes are enqueued after all puts of the stream: a take
   waits for another rank's puts, which may be enqueued behind a take that waits for this rank's
   puts. Returns 1 if something was enqueued. */
static int begin_some(exchange *x)
{
    hd__mpi_shorts sends, receives = {.count = 0};
    uint64_t launch;
    hd_status status;

    collect_shorts(x, 1, &sends);
    if (x->unsent == sends.count)
        collect_shorts(x, 0, &receives);
    if (sends.count + receives.count == 0)
        return 0;
    status = hd__mpi_short_begin(x->mpi, &sends, &receives, &launch, x->call);
    mark_enqueued(x, &sends, 1, status, launch);
    x->unsent -= sends.count;
    if (status != HD_NOT_READY)
        mark_enqueued(x, &receives, 0, status, launch);
    note(x, status);
    return sends.count > 0 || status != HD_NOT_READY;
}

static int begin_shorts(exchange *x)
{
    int moved = 0;

    while (begin_some(x))
        moved = 1;
    return moved;
}

/* Short messages of a failed flow are not enqueued. */
static int give_up_short(exchange *x, hd__mpi_flow *f, int sends)
{
    if (!f->failed)
        return 0;
    f->copied = 1;
    f->stage = HD__MPI_SHORTS;
    x->unsent -= (unsigned)sends;
    return 1;
}

/* Ends the device's wait for a message that will not arrive. The device may still access the
   landing. */
static hd_status release(exchange *x, int peer)
{
    x->mpi->direct->fills = 1;
    return hd__mpi_short_release(x->mpi, peer);
}

/* Also checks for failures: earlier work may have failed, and a failed device reports no
   progress. */
static int short_is_done(exchange *x, hd__mpi_flow *f, int sends)
{
    hd_status status;

    if (f->failed)
        return 1;
    if (hd__mpi_short_is_done(x->mpi, f->launch, sends))
        status = hd__settle_wait(x->call, x->mpi->device, HD_OK);
    else if (x->idle % LOOKS == LOOKS - 1)
        status = hd_stream_query(x->mpi->transfer->stream);
    else
        return 0;
    note(x, status);
    f->failed = status < 0;
    return status != HD_NOT_READY;
}

static int end_short(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    if (sends && f->announced == 0 && short_is_done(x, f, 1)) {
        announce(x, f, peer, sends);
        f->stage = HD__MPI_DONE;
        return 1;
    }
    if (sends || f->acknowledged == 0)
        return 0;
    if (f->failed)
        note(x, release(x, peer));
    else if (!short_is_done(x, f, 0))
        return 0;
    f->stage = HD__MPI_DONE;
    return 1;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Address and size of the next piece in the message's memory. */
static char *next_piece(exchange *x, hd__mpi_flow *f, int sends, size_t *bytes)
{
    const hd__mpi_chunk *message;
    char *memory;

    /* Skips messages without an agreed size. Another piece is left, so the loop ends. */
    while (!message_of(x, sends, f->message)->agreed)
        f->message++;
    message = message_of(x, sends, f->message);
    memory = message->device + f->at;
    *bytes = message->bytes - f->at < f->piece ? message->bytes - f->at : f->piece;
    f->at += *bytes;
    if (f->at == message->bytes) {
        f->message++;
        f->at = 0;
    }
    return memory;
}

static hd_status copy_piece(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    hd_mpi *mpi = x->mpi;
    hd_stream *stream = sends ? mpi->direct->out : mpi->transfer->stream;
    char *landing = mpi->direct->landing.of_rank[sends ? peer : mpi->rank];
    char *slot = landing + hd__mpi_slot_at(mpi, sends ? mpi->rank : peer, f->copied);
    size_t bytes;
    char *memory = next_piece(x, f, sends, &bytes);

    HD_TRY(hd_copy_bytes(sends ? slot : memory, sends ? memory : slot, bytes, 1, stream));
    return hd_event_record(f->done[f->copied % HD__MPI_SLOTS], stream);
}

/* Copies into free slots, or out of filled ones. After a failure pieces are counted but not
   copied. */
static int copy(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    const uint64_t limit = f->acknowledged + (sends ? HD__MPI_SLOTS : 0), before = f->copied;

    for (; f->copied < f->pieces && f->copied < limit; f->copied++) {
        const hd_status status = f->failed ? HD_OK : copy_piece(x, f, peer, sends);
        note(x, status);
        f->failed |= status < 0;
    }
    return f->copied != before;
}

static int go_on_with_pieces(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    int moved = copy(x, f, peer, sends);

    while (f->announced < f->copied && f->announced < to_announce(f, sends) &&
           device_is_done(x, f, f->done[f->announced % HD__MPI_SLOTS])) {
        announce(x, f, peer, sends);
        moved = 1;
    }
    if (f->copied == f->pieces && f->announced == to_announce(f, sends) &&
        f->acknowledged == to_acknowledge(f, sends))
        f->stage = HD__MPI_DONE;
    return moved;
}

/* ---- the exchange ---------------------------------------------------------------------------- */

static int go_on_with(exchange *x, hd__mpi_flow *f, int peer, int sends)
{
    const int progressed = f->stage == HD__MPI_MEETS ? 0 : take_acknowledgement(x, f, peer, sends);

    switch (f->stage) {
    case HD__MPI_MEETS:
        return meet(x, f, peer, sends);
    case HD__MPI_WAITS:
        return give_up_short(x, f, sends) | progressed;
    case HD__MPI_SHORTS:
        return end_short(x, f, peer, sends) | progressed;
    case HD__MPI_PIECES:
        return go_on_with_pieces(x, f, peer, sends) | progressed;
    case HD__MPI_DONE:
        break;
    }
    return 0;
}

/* Returns 1 if there was progress. *peer: a rank that this one waits for, preferably one that has
   not started yet. */
static int go_on(exchange *x, int *peer)
{
    int moved = 0, absent = 0;

    *peer = HD__MPI_NOBODY;
    for (int i = 2 * x->mpi->size - 1; i >= 0; i--) { /* sends first */
        hd__mpi_flow *f = flow_of(x, i / 2, i % 2);
        if (f->stage == HD__MPI_DONE)
            continue;
        moved |= go_on_with(x, f, i / 2, i % 2);
        if (f->stage == HD__MPI_DONE || (absent && f->stage != HD__MPI_MEETS))
            continue;
        absent = f->stage == HD__MPI_MEETS;
        *peer = i / 2;
    }
    return moved | begin_shorts(x);
}

static void run_flows(exchange *x)
{
    int peer, awaited = HD__MPI_NOBODY;

    for (;;) {
        const int moved = go_on(x, &peer);
        if (peer == HD__MPI_NOBODY)
            break;
        if (moved || peer != awaited)
            hd__mpi_watch_enter(x->mpi->watch, HD__MPI_EXCHANGE, peer);
        awaited = peer;
        x->idle = moved ? 0 : x->idle + 1;
        if (!moved)
            (void)sched_yield();
    }
    for (int i = 0; i < 2 * x->mpi->size; i++)
        (void)MPI_Waitall(HD__MPI_SLOTS, flow_of(x, i / 2, i % 2)->sending, MPI_STATUSES_IGNORE);
    hd__mpi_watch_leave(x->mpi->watch);
}

static void open_flows(exchange *x, const hd__mpi_list *list, int sends)
{
    for (int peer = 0; peer < x->mpi->size; peer++) {
        hd__mpi_flow *f = flow_of(x, peer, sends);
        f->stage = HD__MPI_DONE;
        f->count = f->agreed = 0;
        f->at = 0;
        f->pieces = f->copied = f->announced = f->acknowledged = 0;
        f->failed = 0;
        for (int slot = 0; slot < HD__MPI_SLOTS; slot++)
            f->sending[slot] = MPI_REQUEST_NULL;
    }
    for (size_t i = 0; i < list->count; i++) { /* messages of a rank are adjacent */
        hd__mpi_flow *f = flow_of(x, list->chunks[i].peer, sends);
        if (f->count++ == 0) {
            f->first = f->message = i;
            f->stage = HD__MPI_MEETS;
            x->unsent += (unsigned)sends;
        }
    }
}

/* Reports that rank x->broken has failed, and marks it in mpi->gone as the cause. */
static hd_status blame(const exchange *x)
{
    if (!x->mpi->gone[x->broken])
        x->mpi->gone[x->broken] = HD__MPI_FAILED;
    return hd__fail(HD_ERR_STATE, x->call, "rank %d has failed in the middle of a message",
                    x->broken);
}

/* Whether everything that this rank sends is short, whatever the other ranks' sizes are. */
static int all_are_short(const hd_mpi *mpi)
{
    const hd__mpi_list *sends = &mpi->transfer->met_sends;
    size_t room = 0;

    for (size_t i = 0; i < sends->count; i++)
        room += hd__mpi_short_room(sends->chunks[i].bytes);
    return hd__mpi_is_short(mpi, sends->count, room);
}

/* Announcing messages permits others to write to this rank's landing, so it must be empty by
   then. */
hd_status hd__mpi_direct_begin(hd_mpi *mpi, hd_stream *stream)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd__mpi_direct *d = mpi->direct;

    if (t->met_receives.count + t->met_sends.count == 0)
        return HD_OK;
    if (d->fills)
        HD_TRY(hd_event_synchronize(d->emptied));
    d->fills = 0;
    if (!all_are_short(mpi))
        HD_TRY(hd_event_record(d->before, stream));
    hd__mpi_meet_begin(mpi);
    return HD_OK;
}

hd_status hd__mpi_direct_finish(hd_mpi *mpi, const char *call)
{
    hd__mpi_transfer *t = mpi->transfer;
    hd__mpi_direct *d = mpi->direct;
    exchange x = {mpi, call, 0, 0, HD_OK, -1};

    if (t->met_receives.count + t->met_sends.count == 0)
        return HD_OK;
    open_flows(&x, &t->met_receives, 0);
    open_flows(&x, &t->met_sends, 1);
    run_flows(&x);
    if (d->fills)
        note(&x, hd_event_record(d->emptied, t->stream));
    if (x.status < 0 || x.broken >= 0) /* ends copies into slots before the next exchange */
        note(&x, hd_stream_synchronize(d->out));
    if (x.status < 0)
        hd__error_mute(0);
    return x.status < 0 || x.broken < 0 ? x.status : blame(&x);
}
